// Seeing: what a world holds, which systems visit what, in which order they run and why, and what
// ran when. It prints the samples of docs/seeing.md; with a path, `seeing trace.json`, it writes a
// trace to be opened at ui.perfetto.dev.
#include <ilk/ilk.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
ILK_COMPONENT_WITH(Position, .fields = ILK_FIELDS(ILK_FIELD(Position, x), ILK_FIELD(Position, y)));
ILK_COMPONENT(Velocity);
ILK_TAG(Fish);

static void swim(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i].x += v[i].x * (float)it->dt;
            p[i].y += v[i].y * (float)it->dt;
        }
    }
}

static void turn(ilk_iter* it) {
    while (ilk_next(it)) {
        Velocity* v = ILK_WRITE(it, Velocity);
        const Position* p = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            if (p[i].x < 0 || p[i].x > 100) v[i].x = -v[i].x;
        }
    }
}

static void count(ilk_iter* it) {
    while (ilk_next(it)) *(uint32_t*)it->user += it->count;
}

static void breed(ilk_iter* it) {
    ilk_cmd_spawn(it->cmd,
                  ILK_VALUES(ILK_WITH(Position), ILK_VALUE(Velocity, .x = 1), ILK_WITH(Fish)));
}

static void make_pond(ilk_world* world, uint32_t* counted) {
    for (int i = 0; i < 200; i++) {
        ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)(i / 2)), ILK_VALUE(Velocity, .x = 1),
                  ILK_WITH(Fish));
    }
    for (int i = 0; i < 100; i++) ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i)); // stones
    const ilk_system_desc systems[] = {
        {.name = "swim",
         .run = swim,
         .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
        {.name = "count", .run = count, .user = counted, .query = {.with = {&Fish_type}}},
        {.name = "turn",
         .run = turn,
         .query = {.write = {&Velocity_type}, .read = {&Position_type}}},
        {.name = "breed", .run = breed, .interval = 0.1},
        {.name = "paint",
         .run = count,
         .user = counted,
         .phase = "draw",
         .query = {.read = {&Position_type}}},
    };
    for (int i = 0; i < 5; i++) ilk_system_create(world, &systems[i]);
}

typedef size_t text_fn(const ilk_world* world, char* text, size_t size);

// Prints a text of any length.
static bool print(text_fn* fn, const ilk_world* world) {
    size_t length = fn(world, NULL, 0);
    char* text = malloc(length + 1);
    if (!text) return false;
    fn(world, text, length + 1);
    puts(text);
    free(text);
    return length > 0;
}

// Prints the last of the stones.
static bool print_stone(const ilk_world* world) {
    char text[200];
    size_t length = ilk_entity_text(world, ilk_entity_at(world, 299), text, sizeof text);
    puts(text);
    return length < sizeof text;
}

int main(int argc, char** argv) {
    uint32_t counted = 0;
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = "pond"});
    make_pond(world, &counted);
    ilk_trace_start(world, 2); // the last two frames
    for (int i = 0; i < 60; i++) {
        ilk_update(world, 1.0 / 60);
        ilk_draw(world, NULL);
    }
    bool is_shown = print(ilk_world_dump, world) && print_stone(world) &&
                    print(ilk_matches_text, world) && print(ilk_schedule_text, world) &&
                    print(ilk_schedule_dot, world) && print(ilk_trace_json, world);

    ilk_system_stats stats = ilk_system_stats_of(ilk_system_named(world, "swim"));
    printf("swim: %llu calls in the last minute, %llu ns on the average, %llu ns at worst\n",
           (unsigned long long)stats.minute.calls, (unsigned long long)stats.minute.mean_ns,
           (unsigned long long)stats.minute.worst_ns);
    bool is_written = argc < 2 || ilk_trace_write(world, argv[1]) == ILK_OK;
    if (!is_written) puts(ilk_error(world).text);
    ilk_world_destroy(world);
    return is_shown && is_written && stats.minute.calls == 60 ? 0 : 1;
}
