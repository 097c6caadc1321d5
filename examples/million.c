// A simulation of a million entities: `make run`, or million [entities] [ticks].
//
// Everything moves at every tick; one in a hundred catches fire, is put out, or is destroyed and
// makes room for another. The program keeps a twin of each entity in a plain array and compares the
// two at the end. It prints how often it did what, and how long each took.
#define _POSIX_C_SOURCE 200809L
#include <ilk/ilk.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

typedef struct Fire {
    uint32_t since; // tick
} Fire;

ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_COMPONENT(Fire);

enum {
    SPAWN,
    MOVE,
    IGNITE,
    QUENCH,
    DESTROY,
    RESPAWN,
    SETTLE,
    VERBS
};

static const char* const verb_names[VERBS] = {
    "spawned in bulk", "moved (get, write)", "set on fire (add)", "put out (remove)",
    "destroyed",       "spawned one by one", "settled (calls)",
};

typedef struct tally {
    uint64_t count;
    double seconds;
} tally;

// What an entity should be.
typedef struct twin {
    ilk_entity entity;
    Position position;
    Velocity velocity;
    bool burning;
} twin;

typedef struct simulation {
    ilk_world* world;
    twin* twins;
    uint32_t count;
    uint32_t tick;
    uint32_t random;
    uint32_t surprises; // calls whose result was not the expected one
    tally tallies[VERBS];
} simulation;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void note(simulation* s, int verb, uint64_t count, double start) {
    s->tallies[verb].count += count;
    s->tallies[verb].seconds += now() - start;
}

static twin* any_twin(simulation* s) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 17;
    s->random ^= s->random << 5;
    return &s->twins[s->random % s->count];
}

// Small whole numbers, so that sums of floats are exact.
static Velocity velocity_of(uint32_t number) {
    return (Velocity){(float)(number % 7) - 3, (float)(number % 5) - 2};
}

static bool spawn_all(simulation* s) {
    double start = now();
    ilk_batch batch;
    ilk_result result =
        ilk_spawn_many(s->world, &batch, s->count, ILK_TYPES(&Position_type, &Velocity_type));
    if (result != ILK_OK) return false;
    uint32_t number = 0;
    while (ilk_batch_next(&batch)) {
        Velocity* velocity = ILK_FILL(&batch, Velocity);
        for (uint32_t i = 0; i < batch.count; i++, number++) {
            velocity[i] = velocity_of(number);
            s->twins[number] = (twin){.entity = batch.entities[i], .velocity = velocity[i]};
        }
    }
    note(s, SPAWN, number, start);
    return number == s->count;
}

static void move_all(simulation* s) {
    double start = now();
    for (uint32_t i = 0; i < s->count; i++) {
        ilk_entity e = s->twins[i].entity;
        const Velocity* velocity = ILK_GET(s->world, e, Velocity);
        Position* position = ILK_EDIT(s->world, e, Position);
        if (!velocity || !position) {
            s->surprises++;
            continue;
        }
        position->x += velocity->x;
        position->y += velocity->y;
    }
    note(s, MOVE, s->count, start);

    for (uint32_t i = 0; i < s->count; i++) {
        s->twins[i].position.x += s->twins[i].velocity.x;
        s->twins[i].position.y += s->twins[i].velocity.y;
    }
}

static void ignite_some(simulation* s) {
    double start = now();
    for (uint32_t i = 0; i < s->count / 100; i++) {
        twin* t = any_twin(s);
        ilk_result result = ilk_add(s->world, t->entity, ILK_VALUE(Fire, .since = s->tick));
        if (result != (t->burning ? ILK_EXISTS : ILK_OK)) s->surprises++;
        t->burning = true;
    }
    note(s, IGNITE, s->count / 100, start);
}

static void quench_some(simulation* s) {
    double start = now();
    for (uint32_t i = 0; i < s->count / 100; i++) {
        twin* t = any_twin(s);
        ilk_result result = ilk_remove(s->world, t->entity, &Fire_type);
        if (result != (t->burning ? ILK_OK : ILK_MISSING)) s->surprises++;
        t->burning = false;
    }
    note(s, QUENCH, s->count / 100, start);
}

// Destroy one in a hundred. Each then has a null entity, and respawn_destroyed finds it by that.
static uint32_t destroy_some(simulation* s, twin** destroyed) {
    double start = now();
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count / 100; i++) {
        twin* t = any_twin(s);
        if (ilk_is_null(t->entity)) continue;
        if (ilk_destroy(s->world, t->entity) != ILK_OK) s->surprises++;
        if (ilk_alive(s->world, t->entity)) s->surprises++;
        *t = (twin){0};
        destroyed[count++] = t;
    }
    note(s, DESTROY, count, start);
    return count;
}

static void respawn(simulation* s, twin** destroyed, uint32_t count) {
    double start = now();
    for (uint32_t i = 0; i < count; i++) {
        twin* t = destroyed[i];
        t->velocity = velocity_of(s->tick + i);
        t->entity = ILK_SPAWN(s->world, ILK_WITH(Position), ILK_VALUE_AT(Velocity, &t->velocity));
    }
    note(s, RESPAWN, count, start);
}

static void settle_a_little(simulation* s) {
    double start = now();
    ilk_settle(s->world, 1024);
    note(s, SETTLE, 1, start);
}

static void show_progress(const simulation* s, uint32_t ticks) {
    bool terminal = isatty(STDOUT_FILENO);
    bool last = s->tick + 1 == ticks;
    if (!terminal && !last && (s->tick + 1) % 20 != 0) return;
    printf("%stick %u of %u%s", terminal ? "\r" : "", s->tick + 1, ticks,
           terminal && !last ? "" : "\n");
    fflush(stdout);
}

static void run(simulation* s, uint32_t ticks, twin** destroyed) {
    for (s->tick = 0; s->tick < ticks; s->tick++) {
        move_all(s);
        ignite_some(s);
        quench_some(s);
        respawn(s, destroyed, destroy_some(s, destroyed));
        settle_a_little(s);
        show_progress(s, ticks);
    }
}

// How many entities are not as their twins.
static uint32_t compare(const simulation* s) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const twin* t = &s->twins[i];
        const Position* p = ILK_GET(s->world, t->entity, Position);
        bool same = p && p->x == t->position.x && p->y == t->position.y &&
                    ilk_has(s->world, t->entity, &Fire_type) == t->burning;
        if (!same) wrong++;
    }
    return wrong;
}

static void print_table(const simulation* s) {
    printf("\n%-22s %12s %10s %10s\n", "", "how many", "ms", "ns each");
    for (int verb = 0; verb < VERBS; verb++) {
        const tally* t = &s->tallies[verb];
        double each = t->count ? t->seconds * 1e9 / (double)t->count : 0;
        printf("%-22s %12llu %10.1f %10.1f\n", verb_names[verb], (unsigned long long)t->count,
               t->seconds * 1e3, each);
    }
    ilk_world_stats stats = ilk_stats(s->world);
    printf("\n%u entities alive, %llu ever; %.1f bytes each\n", stats.alive,
           (unsigned long long)stats.ever, (double)stats.bytes / (double)stats.alive);
}

static uint32_t argument(int argc, char** argv, int place, uint32_t otherwise) {
    if (argc <= place) return otherwise;
    return (uint32_t)strtoul(argv[place], NULL, 10);
}

int main(int argc, char** argv) {
    uint32_t ticks = argument(argc, argv, 2, 40);
    simulation s = {.count = argument(argc, argv, 1, 1000000), .random = 2463534242u};
    if (s.count == 0) return 2;
    s.world = ilk_world_create(NULL);
    s.twins = calloc(s.count, sizeof(twin));
    twin** destroyed = calloc(s.count / 100 + 1, sizeof(twin*));

    int status = 1;
    if (s.world && s.twins && destroyed && spawn_all(&s)) {
        run(&s, ticks, destroyed);
        print_table(&s);
        uint32_t wrong = compare(&s);
        bool all = ilk_stats(s.world).alive == s.count;
        bool right = wrong == 0 && s.surprises == 0 && all;
        if (right)
            puts("Every entity is as its twin.");
        else
            printf("%u entities differ from their twins, %u calls surprise.\n", wrong, s.surprises);
        status = right ? 0 : 1;
    } else {
        puts("There is no memory for that many.");
    }
    free(destroyed);
    free(s.twins);
    ilk_world_destroy(s.world);
    return status;
}
