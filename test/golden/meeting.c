// Workers, on a machine that has no unit tests: meeting threads|alone
//
// The pieces of a system wait for each other, for a moment, until two of them are at work at once.
// That needs threads: where there are none they never meet, and everything else is the same.
#include <stdio.h>
#include <string.h>

#include <ilk/ilk.h>

#define CROWD 2048u
#define UPDATES 200u // more than enough for the world to learn that workers are worth waking
#define MOMENT 200000u

typedef struct Visits {
    uint32_t count;
} Visits;
ILK_COMPONENT_WITH(Visits, .fields = ILK_FIELDS(ILK_FIELD(Visits, count)));

static uint32_t inside, most_inside;

static void note_most(uint32_t count) {
    uint32_t most = __atomic_load_n(&most_inside, __ATOMIC_RELAXED);
    while (count > most && !__atomic_compare_exchange_n(&most_inside, &most, count, false,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void meet(ilk_iter* it) {
    note_most(__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED));
    for (uint32_t i = 0; i < MOMENT; i++) {
        if (__atomic_load_n(&most_inside, __ATOMIC_RELAXED) > 1) break;
    }
    while (ilk_next(it)) {
        Visits* visits = ILK_WRITE(it, Visits);
        for (uint32_t i = 0; i < it->count; i++) visits[i].count++;
    }
    ilk_entity guest = ilk_cmd_create(it->cmd);
    ilk_cmd_set(it->cmd, guest, ILK_VALUE(Visits, UPDATES));
    ilk_cmd_destroy(it->cmd, guest);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
}

// A world after all updates; NULL if it could not be made, or an update failed.
static ilk_world* have_them_meet(uint32_t workers) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = "meeting", .workers = workers});
    if (!world) return NULL;
    ilk_system_create(world, &(ilk_system_desc){.name = "meet",
                                                .run = meet,
                                                .is_parallel = true,
                                                .piece_rows = 256,
                                                .query = {.write = {&Visits_type}}});
    for (uint32_t i = 0; i < CROWD; i++) ILK_SPAWN(world, ILK_WITH(Visits));
    most_inside = 0;
    for (uint32_t i = 0; i < UPDATES; i++) {
        if (ilk_update(world, 1.0 / 64) == ILK_OK) continue;
        ilk_world_destroy(world);
        return NULL;
    }
    return world;
}

static bool were_all_visited(ilk_world* world) {
    ilk_query* query = ilk_query_create(world, &(ilk_query_desc){.read = {&Visits_type}});
    uint32_t visited = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        const Visits* visits = ILK_READ(&it, Visits);
        for (uint32_t i = 0; i < it.count; i++) visited += visits[i].count == UPDATES;
    }
    return visited == CROWD;
}

static bool expect(bool is_true, const char* what) {
    if (!is_true) printf("wrong: %s\n", what);
    return is_true;
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    bool has_threads = strcmp(argv[1], "threads") == 0;
    ilk_world* alone = have_them_meet(0);
    bool is_good = expect(most_inside == 1, "without workers, one piece is at work at a time");
    ilk_world* crew = have_them_meet(3);
    is_good &= expect((most_inside > 1) == has_threads, "with workers, several are, given threads");
    if (!expect(alone && crew, "each update is done")) return 1;
    is_good &= expect(were_all_visited(alone) && were_all_visited(crew), "everybody is visited");
    is_good &= expect(ilk_hash_layout(alone) == ilk_hash_layout(crew), "both worlds are the same");
    printf("with three workers %u were at work at once\n", most_inside);
    ilk_world_destroy(alone);
    ilk_world_destroy(crew);
    return is_good ? 0 : 1;
}
