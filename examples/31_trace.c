// Tracing: in which order systems run and why, what ran when, and what each of them took. It prints
//     phase update
//       wave 0
//         swim   writes Position  reads Velocity
//       wave 1, because swim writes Position, which turn reads, and turn writes Velocity, which
//           swim reads
//         turn   writes Velocity  reads Position
//       wave 2, because breed declares nothing
//         breed  declares nothing, and may use everything
//
//     {"displayTimeUnit":"ns",…
//     "traceEvents":[
//     {"name":"process_name",…
//     {"name":"thread_name",…
//     {"name":"swim","cat":"system",…,"args":{"frame":60,"rows":59,"commands":0}},
//     {"name":"wave 0","cat":"wave",…
//     {"name":"turn","cat":"system",…,"args":{"frame":60,"rows":59,"commands":0}},
//     {"name":"wave 1","cat":"wave",…
//     {"name":"breed","cat":"system",…,"args":{"frame":60,"rows":0,"commands":1}},
//     {"name":"apply breed","cat":"apply",…
//     {"name":"wave 2","cat":"wave",…
//     {"name":"update","cat":"phase",…
//     {"name":"settle","cat":"settle",…
//     {"name":"frame","cat":"frame",…
//     ]}
//
//     swim: 60 calls in the last minute, … ns on the average, … ns at worst
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Vector {
    float x, y;
} Vector, Position, Velocity;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);

static void swim(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += v[i].x;
    }
}

static void turn(ilk_iter* it) {
    while (ilk_next(it)) {
        Velocity* v = ILK_WRITE(it, Velocity);
        const Position* p = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) v[i].x = p[i].x > 50 ? -1 : 1;
    }
}

static void breed(ilk_iter* it) {
    ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Position), ILK_WITH(Velocity)));
}

static const ilk_system_desc systems[] = {
    {.name = "swim", .run = swim, .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
    {.name = "turn", .run = turn, .query = {.write = {&Velocity_type}, .read = {&Position_type}}},
    {.name = "breed", .run = breed},
};

int main(void) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = "pond"});
    for (int i = 0; i < 3; i++) ilk_system_create(world, &systems[i]);
    static char text[8192];
    ilk_schedule_text(world, text, sizeof text); // or ilk_schedule_dot, for a picture
    puts(text);

    ilk_trace_start(world, 1); // of the last frame; to be opened at ui.perfetto.dev
    for (int i = 0; i < 60; i++) ilk_update(world, 1.0 / 60);
    ilk_trace_json(world, text, sizeof text); // or ilk_trace_write, into a file
    puts(text);
    ilk_system_stats stats = ilk_system_stats_of(ilk_system_named(world, "swim"));
    printf("swim: %d calls in the last minute, %d ns on the average, %d ns at worst\n",
           (int)stats.minute.calls, (int)stats.minute.mean_ns, (int)stats.minute.worst_ns);
    ilk_world_destroy(world);
}
