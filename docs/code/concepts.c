// The words of ilk, one after the other, in one program: ants that carry food home. It prints
//     born together: one run of 3 ants; with a load: 1
//     told at once: ant 0 loses a load of 7
//     read later: 1; in one wave: yes; 3 ants moved, to 1
//     hill 3 has 4 ants; after the snapshot 100 more, and then 4 again
//     settled: yes
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Load {
    int weight;
} Load;
ILK_COMPONENT(Position);
ILK_COMPONENT(Load);
ILK_TAG(Ant);

typedef struct CameHome {
    ilk_entity ant;
} CameHome;
ILK_EVENT(CameHome);

ILK_RELATION_WITH(LivesIn, .is_exclusive = true);

typedef struct Weather {
    float rain;
} Weather;
ILK_COMPONENT(Weather);

static ilk_entity ants[3];

static void make_ants(ilk_world* world) {
    for (int i = 0; i < 3; i++) {
        ants[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = 0), ILK_WITH(Ant));
    }
    ilk_set(world, ants[0], ILK_VALUE(Load, .weight = 7));
}

static void ask(ilk_world* world) {
    ilk_query* query =
        ilk_query_create(world, &(ilk_query_desc){.read = {&Position_type}, .with = {&Ant_type}});
    ilk_iter it = ilk_query_iter(world, query);
    ilk_next(&it); // a run: it.count rows side by side
    const Position* p = ILK_READ(&it, Position);
    printf("born together: one run of %u ants; with a load: %u\n", p ? it.count : 0,
           ilk_stats_of(world, &Load_type).count);
    ilk_iter_end(&it);
}

static void walk(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += (float)it->dt;
    }
}

static void unload(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            ILK_EMIT(it->cmd, CameHome, .ant = it->entities[i]);
            ilk_cmd_remove(it->cmd, it->entities[i], &Load_type);
        }
    }
}

static void make_systems(ilk_world* world) {
    ilk_system_create(world, &(ilk_system_desc){.name = "walk",
                                                .run = walk,
                                                .phase = "update",
                                                .is_parallel = true,
                                                .query = {.write = {&Position_type}}});
    ilk_system_create(world, &(ilk_system_desc){
                                 .name = "unload", .run = unload, .query = {.read = {&Load_type}}});
}

static ilk_result tell(ilk_notice* n) {
    const Load* load = n->value; // still there
    printf("told at once: ant %u loses a load of %d\n", n->entity.index, load->weight);
    return ILK_OK;
}

static uint32_t count_events(ilk_reader* reader) {
    uint32_t count = 0;
    const CameHome* home;
    while ((home = ilk_read(reader, NULL))) count += ilk_same(home->ant, ants[0]);
    return count;
}

static bool are_one_wave(ilk_world* world) {
    return ilk_system_wave(ilk_system_named(world, "walk")) ==
           ilk_system_wave(ilk_system_named(world, "unload"));
}

// One update: the systems are one wave, and then their commands are applied.
static bool run(ilk_world* world) {
    ilk_reader* reader = ilk_reader_create(world, &(ilk_reader_desc){.type = &CameHome_type});
    ilk_observer_create(world,
                        &(ilk_observer_desc){.on = ILK_ON_REMOVE, .type = &Load_type, .run = tell});
    ilk_query* moved = ilk_query_create(world, &(ilk_query_desc){.changed = {&Position_type}});
    ilk_query_since(moved, ilk_tick(world)); // what changes from here on
    ilk_update(world, 1);
    uint32_t count = ilk_query_count(world, moved);
    printf("read later: %u; in one wave: %s; %u ants moved, to %.0f\n", count_events(reader),
           are_one_wave(world) ? "yes" : "no", count, ILK_GET(world, ants[2], Position)->x);
    return are_one_wave(world) && count == 3;
}

static bool go_back(ilk_world* world, ilk_blueprint* worker, ilk_entity hill) {
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    uint64_t before = ilk_hash(world);
    ilk_blueprint_spawn_many(world, worker, 100, NULL);
    uint32_t more = ilk_stats(world).alive;
    ilk_snapshot_restore(snapshot);
    uint32_t again = ilk_stats(world).alive;
    printf("hill %u has %u ants; after the snapshot %u more, and then %u again\n", hill.index,
           ilk_source_count(world, hill, &LivesIn_type), more - again,
           ilk_source_count(world, hill, &LivesIn_type));
    ilk_snapshot_release(snapshot);
    return ilk_hash(world) == before;
}

static bool live_in_hill(ilk_world* world) {
    ilk_entity hill = ILK_SPAWN(world, ILK_VALUE(Position, .x = 9));
    ilk_blueprint* worker = ilk_blueprint_create(NULL);
    ilk_blueprint_add(worker, ILK_VALUE(Position, .x = 9));
    ilk_blueprint_add(worker, ILK_WITH(Ant));
    ilk_entity fourth = ilk_blueprint_spawn(world, worker);
    for (int i = 0; i < 3; i++) ilk_relate(world, ants[i], &LivesIn_type, hill);
    ilk_relate(world, fourth, &LivesIn_type, hill);
    bool is_back = go_back(world, worker, hill);
    ilk_blueprint_destroy(worker);
    return is_back;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_resource_set(world, ILK_VALUE(Weather, .rain = 0.5f));
    make_ants(world);
    ask(world);
    make_systems(world);
    bool is_right = run(world) && live_in_hill(world);
    ilk_settled settled = ilk_settle(world, 0);
    printf("settled: %s\n", settled.done ? "yes" : "no");
    ilk_world_destroy(world);
    return is_right && settled.done ? 0 : 1;
}
