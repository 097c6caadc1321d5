// What a budget for settling costs and what it gives: ilk_settling [churn] [game] [crash] [toggle].
//
// Each tale is told with every budget, several times over. The same history gives the same moves,
// so frame k does the same work in each telling, and its least time stands for it: what the rest of
// the machine does to single frames is left out. Settling is called by hand at the end of each
// frame, as an update does it, so that it can be timed apart.
#include "components.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 4000u
#define TIME_STEP (1.0 / 60)
#define UNLIMITED UINT32_MAX

static const uint32_t budgets[] = {0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, UNLIMITED};
#define BUDGETS (sizeof budgets / sizeof *budgets)

typedef struct frame {
    double change, pass, settle; // ns: the least of all tellings
    ilk_settled settled;
    ilk_world_stats stats; // at the end, in tales that ask for them
} frame;

typedef struct tale tale;

typedef struct stage {
    ilk_world* world;
    ilk_query* query; // of a tale without systems
    ilk_entity* entities;
    uint32_t n;
    uint64_t seed;
} stage;

struct tale {
    const char* title;
    uint32_t n, frames, tellings;
    bool ends;   // with the frame in which nothing is left to settle
    bool counts; // looks at the statistics after each frame
    void (*begin)(stage* s);
    void (*change)(stage* s, uint32_t at); // at the beginning of a frame; may be NULL
    void (*pass)(stage* s);
    void (*report)(const tale* t, uint32_t budget, const frame* frames, uint32_t count);
    const char* head;
};

// Random numbers, the same in each telling.
static uint32_t below(stage* s, uint32_t limit) {
    s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((s->seed >> 32) * limit >> 32);
}

static void swap(const stage* s, uint32_t i, uint32_t j) {
    ilk_entity e = s->entities[i];
    s->entities[i] = s->entities[j];
    s->entities[j] = e;
}

static void run_pass(stage* s) {
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        Position* restrict p = ILK_WRITE(&it, Position);
        const Velocity* restrict v = ILK_READ(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            p[i].x += v[i].x * (float)TIME_STEP;
            p[i].y += v[i].y * (float)TIME_STEP;
        }
    }
}

static void ask_for_moving(stage* s) {
    s->query = ilk_query_create(
        s->world, &(ilk_query_desc){.write = {&Position_type}, .read = {&Velocity_type}});
}

// For systems whose walk alone is of interest.
static void walk_moving(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* restrict p = ILK_WRITE(it, Position);
        const Velocity* restrict v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i].x += v[i].x * (float)it->dt;
            p[i].y += v[i].y * (float)it->dt;
        }
    }
}

static void walk_living(ilk_iter* it) {
    while (ilk_next(it)) {
        Health* h = ILK_WRITE(it, Health);
        for (uint32_t i = 0; i < it->count; i++) h[i].hp += h[i].hp < h[i].max;
    }
}

static void walk_hunted(ilk_iter* it) {
    while (ilk_next(it)) {
        Health* restrict h = ILK_WRITE(it, Health);
        const Position* restrict p = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) h[i].hp -= p[i].x > 500;
    }
}

static void walk_growing(ilk_iter* it) {
    while (ilk_next(it)) {
        Comflab* c = ILK_WRITE(it, Comflab);
        for (uint32_t i = 0; i < it->count; i++) c[i].b++;
    }
}

static void walk_marked(ilk_iter* it) {
    while (ilk_next(it)) {
        Velocity* v = ILK_WRITE(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) v[i].x *= 0.99f;
    }
}

static void make_systems(stage* s) {
    static const ilk_system_desc systems[] = {
        {.name = "move",
         .run = walk_moving,
         .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
        {.name = "live", .run = walk_living, .query = {.write = {&Health_type}}},
        {.name = "hunt",
         .run = walk_hunted,
         .query = {.write = {&Health_type}, .read = {&Position_type}}},
        {.name = "grow", .run = walk_growing, .query = {.write = {&Comflab_type}}},
        {.name = "slow",
         .run = walk_marked,
         .query = {.write = {&Velocity_type}, .with = {&Marked_type}}},
    };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        ilk_system_create(s->world, &systems[i]);
    }
    ilk_set_settling(s->world, 0); // it is called by hand
}

static void run_systems(stage* s) {
    ilk_update(s->world, TIME_STEP);
}

#define SPAWN(s, ...)                                                                              \
    ilk_spawn((s)->world, (const ilk_value[]){__VA_ARGS__},                                        \
              sizeof((const ilk_value[]){__VA_ARGS__}) / sizeof(ilk_value))

// churn: a random half is given Velocity later.
static void begin_churn(stage* s) {
    for (uint32_t i = 0; i < s->n; i++) {
        s->entities[i] = SPAWN(s, ILK_VALUE(Position, (float)i, 1));
    }
    for (uint32_t i = 0; i < s->n / 2; i++) {
        swap(s, i, i + below(s, s->n - i));
        ilk_add(s->world, s->entities[i], ILK_VALUE(Velocity, 1, 2));
    }
    ask_for_moving(s);
}

// game: some die, some are born, some gain or lose a component.
static void be_born(stage* s, uint32_t i) {
    const ilk_value position = ILK_VALUE(Position, (float)below(s, 1000), 1);
    const ilk_value velocity = ILK_VALUE(Velocity, 1, 2);
    const ilk_value health = ILK_VALUE(Health, 50, 100);
    const ilk_value comflab = ILK_VALUE(Comflab, 1, 2, 3);
    switch (below(s, 4)) {
    case 0:
        s->entities[i] = SPAWN(s, position, health);
        break;
    case 1:
        s->entities[i] = SPAWN(s, position, velocity, health, comflab);
        break;
    default:
        s->entities[i] = SPAWN(s, position, velocity, health);
        break;
    }
}

static void begin_game(stage* s) {
    for (uint32_t i = 0; i < s->n; i++) be_born(s, i);
    make_systems(s);
}

static void toggle(const stage* s, ilk_entity e, ilk_type* type) {
    if (ilk_has(s->world, e, type))
        ilk_remove(s->world, e, type);
    else
        ilk_add(s->world, e, (ilk_value){type, NULL});
}

static void change_game(stage* s, uint32_t at) {
    static ilk_type* const types[] = {&Velocity_type, &Comflab_type, &Marked_type};
    (void)at;
    for (uint32_t i = 0; i < s->n / 100; i++) {
        uint32_t dies = below(s, s->n);
        ilk_destroy(s->world, s->entities[dies]);
        be_born(s, dies);
    }
    for (uint32_t i = 0; i < s->n / 100; i++) {
        toggle(s, s->entities[below(s, s->n)], types[below(s, 3)]);
    }
}

// crash: all but a few of three kinds die in one frame.
#define LEFT 1000u

static void begin_crash(stage* s) {
    for (uint32_t i = 0; i < s->n; i++) {
        const ilk_value position = ILK_VALUE(Position, (float)i, 1);
        const ilk_value velocity = ILK_VALUE(Velocity, 1, 2);
        const ilk_value health = ILK_VALUE(Health, 50, 100);
        const ilk_value comflab = ILK_VALUE(Comflab, 1, 2, 3);
        s->entities[i] = i % 3 == 0   ? SPAWN(s, position, velocity)
                         : i % 3 == 1 ? SPAWN(s, position, velocity, health)
                                      : SPAWN(s, position, velocity, health, comflab);
    }
    ask_for_moving(s);
    ilk_settle(s->world, 0);
}

static void change_crash(stage* s, uint32_t at) {
    if (at != 1) return; // the first frame is as it was before
    for (uint32_t i = s->n; i > LEFT; i--) {
        uint32_t dies = below(s, i);
        ilk_destroy(s->world, s->entities[dies]);
        s->entities[dies] = s->entities[i - 1];
    }
}

// toggle: a tenth has a tag in every other frame; always the same, or another one each time.
static void begin_toggle(stage* s) {
    for (uint32_t i = 0; i < s->n; i++) {
        s->entities[i] = SPAWN(s, ILK_VALUE(Position, (float)i, 1), ILK_VALUE(Velocity, 1, 2));
    }
    for (uint32_t i = 0; i < s->n; i++) swap(s, i, i + below(s, s->n - i));
    make_systems(s);
    ilk_settle(s->world, 0);
}

static void change_toggle(stage* s, uint32_t at) {
    (void)at;
    for (uint32_t i = 0; i < s->n / 10; i++) toggle(s, s->entities[i], &Marked_type);
}

static void change_toggle_others(stage* s, uint32_t at) {
    for (uint32_t i = 0; i < s->n / 10 && at % 2 == 0; i++) swap(s, i, i + below(s, s->n - i));
    change_toggle(s, at);
}

static double since(double* begun) {
    double now = bench_now_ns(), taken = now - *begun;
    *begun = now;
    return taken;
}

static void keep_least(double* least, double ns, bool is_first) {
    if (is_first || ns < *least) *least = ns;
}

static void run_frame(const tale* t, stage* s, uint32_t at, uint32_t budget, frame* f,
                      bool is_first) {
    double begun = bench_now_ns();
    if (t->change) t->change(s, at);
    keep_least(&f->change, since(&begun), is_first);
    t->pass(s);
    keep_least(&f->pass, since(&begun), is_first);
    f->settled = budget ? ilk_settle(s->world, budget) : (ilk_settled){0};
    keep_least(&f->settle, since(&begun), is_first);
    if (t->counts && is_first) f->stats = ilk_stats(s->world);
}

static bool is_over(const tale* t, uint32_t at, const frame* f, uint32_t budget) {
    if (at + 1 == t->frames) return true;
    return t->ends && at > 1 && budget && f->settled.done;
}

// Tells a tale once. Returns how many frames it had.
static uint32_t tell(const tale* t, uint32_t budget, frame* frames, bool is_first) {
    stage s = {.world = ilk_world_create(NULL), .n = t->n, .seed = 7};
    s.entities = malloc(t->n * sizeof *s.entities);
    if (!s.world || !s.entities) {
        fprintf(stderr, "no memory\n");
        exit(EXIT_FAILURE);
    }
    t->begin(&s);
    uint32_t at = 0;
    do run_frame(t, &s, at, budget, &frames[at], is_first);
    while (!is_over(t, at, &frames[at], budget) && ++at);
    // The world is still warm: a few passes more, of which the last frame keeps the quickest.
    for (int i = 0; i < 20 && t->ends; i++) {
        double begun = bench_now_ns();
        t->pass(&s);
        keep_least(&frames[at].pass, since(&begun), false);
    }
    ilk_world_destroy(s.world);
    free(s.entities);
    return at + 1;
}

static double frame_ns(const frame* f) {
    return f->change + f->pass + f->settle;
}

typedef struct summary {
    double mean, worst, worst_settle, settle, pass;
    uint64_t moved, blocks;
} summary;

static summary sum_up(const frame* frames, uint32_t count) {
    summary s = {0};
    for (uint32_t i = 0; i < count; i++) {
        const frame* f = &frames[i];
        s.mean += frame_ns(f) / count;
        s.settle += f->settle;
        s.pass += f->pass;
        s.worst = fmax(s.worst, frame_ns(f));
        s.worst_settle = fmax(s.worst_settle, f->settle);
        s.moved += f->settled.moved;
        s.blocks += f->settled.blocks;
    }
    return s;
}

static void print_budget(uint32_t budget) {
    if (budget == UNLIMITED)
        printf("| no limit ");
    else
        printf("| %u ", budget);
}

static void report_churn(const tale* t, uint32_t budget, const frame* frames, uint32_t count) {
    summary s = sum_up(frames, count);
    double matches = t->n / 2.0;
    print_budget(budget);
    printf("| %u | %llu | %llu | %.2f | %.2f | %.2f | %.2f | %.2f |\n", budget ? count : 0,
           (unsigned long long)s.moved, (unsigned long long)s.blocks, s.settle / 1e6,
           s.worst_settle / 1e6, s.worst / 1e6, frames[0].pass / matches,
           frames[count - 1].pass / matches);
}

static void report_game(const tale* t, uint32_t budget, const frame* frames, uint32_t count) {
    summary s = sum_up(frames, count);
    const ilk_world_stats* end = &frames[count - 1].stats;
    (void)t;
    print_budget(budget);
    printf("| %.3f | %.3f | %.3f | %.3f | %.3f | %.0f | %llu | %llu | %u | %u | %u | %u | %.1f "
           "|\n",
           s.mean / 1e6, s.worst / 1e6, s.pass / count / 1e6, s.settle / count / 1e6,
           s.worst_settle / 1e6, 100 * s.settle / (s.mean * count),
           (unsigned long long)(s.moved / count), (unsigned long long)(s.blocks / count),
           end->holes, end->guests, end->exceptions, end->chunks, (double)end->bytes / 1e6);
}

static void report_crash(const tale* t, uint32_t budget, const frame* frames, uint32_t count) {
    summary after = sum_up(frames + 1, count - 1); // from the crash on
    uint32_t back = count - 1;                     // the first frame with the memory of the last
    while (back > 1 && frames[back - 1].stats.bytes == frames[count - 1].stats.bytes) back--;
    (void)t;
    print_budget(budget);
    printf("| %u | %u | %llu | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f |\n", budget ? count - 1 : 0,
           budget ? back : 0, (unsigned long long)after.moved, after.settle / 1e6,
           after.worst_settle / 1e6, (double)frames[0].stats.bytes / 1e6,
           (double)frames[count - 1].stats.bytes / 1e6, frames[1].pass / 1e3,
           frames[count - 1].pass / 1e3);
}

static void report_toggle(const tale* t, uint32_t budget, const frame* frames, uint32_t count) {
    summary s = sum_up(frames, count);
    const ilk_world_stats* end = &frames[count - 1].stats;
    (void)t;
    print_budget(budget);
    printf("| %llu | %.1f | %.3f | %.3f | %.3f | %.3f | %u | %u | %u |\n",
           (unsigned long long)(s.moved / count), (double)s.blocks / count, s.settle / count / 1e6,
           s.worst_settle / 1e6, s.pass / count / 1e6, s.mean / 1e6, end->holes, end->guests,
           end->exceptions);
}

#define CHURN_HEAD                                                                                 \
    "| budget | frames | moved | blocks | settling, ms | worst settling, ms | worst frame, ms | "  \
    "pass at first, ns per match | at last |\n|---|---|---|---|---|---|---|---|---|\n"
#define GAME_HEAD                                                                                  \
    "| budget | frame, ms | worst frame | systems | settling | worst settling | share, % | moved " \
    "a frame | blocks a frame | holes | guests | exceptions | chunks | MB |\n"                     \
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
#define CRASH_HEAD                                                                                 \
    "| budget | frames until settled | until memory is back | moved | settling, ms | worst "       \
    "settling, ms | MB before | MB after | pass after the crash, us | at last |\n"                 \
    "|---|---|---|---|---|---|---|---|---|---|\n"
#define TOGGLE_HEAD                                                                                \
    "| budget | moved a frame | blocks a frame | settling, ms | worst settling | systems, ms | "   \
    "frame, ms | holes | guests | exceptions |\n|---|---|---|---|---|---|---|---|---|---|\n"

static const tale tales[] = {
    {.title = "churn, 100,000 entities",
     .n = 100000,
     .frames = FRAMES_MAX,
     .tellings = 9,
     .ends = true,
     .begin = begin_churn,
     .pass = run_pass,
     .report = report_churn,
     .head = CHURN_HEAD},
    {.title = "churn, 1,000,000 entities",
     .n = 1000000,
     .frames = FRAMES_MAX,
     .tellings = 4,
     .ends = true,
     .begin = begin_churn,
     .pass = run_pass,
     .report = report_churn,
     .head = CHURN_HEAD},
    {.title = "game, 100,000 entities, 600 frames",
     .n = 100000,
     .frames = 600,
     .tellings = 5,
     .counts = true,
     .begin = begin_game,
     .change = change_game,
     .pass = run_systems,
     .report = report_game,
     .head = GAME_HEAD},
    {.title = "crash, from 1,000,000 entities to 1,000",
     .n = 1000000,
     .frames = FRAMES_MAX,
     .tellings = 4,
     .ends = true,
     .counts = true,
     .begin = begin_crash,
     .change = change_crash,
     .pass = run_pass,
     .report = report_crash,
     .head = CRASH_HEAD},
    {.title = "toggle, 100,000 entities, always the same tenth, 300 frames",
     .n = 100000,
     .frames = 300,
     .tellings = 5,
     .counts = true,
     .begin = begin_toggle,
     .change = change_toggle,
     .pass = run_systems,
     .report = report_toggle,
     .head = TOGGLE_HEAD},
    {.title = "toggle, 100,000 entities, another tenth each time, 300 frames",
     .n = 100000,
     .frames = 300,
     .tellings = 5,
     .counts = true,
     .begin = begin_toggle,
     .change = change_toggle_others,
     .pass = run_systems,
     .report = report_toggle,
     .head = TOGGLE_HEAD},
};

static bool is_wanted(const tale* t, int count, char** names) {
    for (int i = 1; i < count; i++) {
        if (strncmp(t->title, names[i], strlen(names[i])) == 0) return true;
    }
    return count == 1;
}

static void tell_with_each_budget(const tale* t) {
    static frame frames[FRAMES_MAX];
    printf("\n%s\n\n%s", t->title, t->head);
    for (size_t b = 0; b < BUDGETS; b++) {
        tale told = *t;
        if (t->ends && !budgets[b]) told.frames = 10; // nothing changes any more
        uint32_t count = 0;
        for (uint32_t i = 0; i < t->tellings; i++) count = tell(&told, budgets[b], frames, i == 0);
        t->report(&told, budgets[b], frames, count);
        fflush(stdout);
    }
}

int main(int argc, char** argv) {
    bench_keep_memory();
    for (size_t i = 0; i < sizeof tales / sizeof *tales; i++) {
        if (is_wanted(&tales[i], argc, argv)) tell_with_each_budget(&tales[i]);
    }
    return EXIT_SUCCESS;
}
