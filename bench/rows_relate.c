// Relations: one more and one less, many on one entity, children under parents, a tree of
// transforms.
//
// Raw keeps what a relation needs in arrays by number: the target, the list of a target's sources.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>

ILK_RELATION(Likes);

#define HUB 4000u // targets of one entity
#define BRANCHES 5u

typedef struct raw_relations {
    uint32_t n, targets;
    uint32_t *target, *next, *previous; // of a source
    uint32_t *first, *count;            // of a target
    Position* places;                   // of sources, or NULL
    uint64_t sum;
} raw_relations;

typedef struct ilk_relations {
    uint32_t n, targets;
    ilk_world* world;
    ilk_query* query; // or NULL
    ilk_entity *sources, *heads;
    uint64_t sum;
} ilk_relations;

static const uint32_t one_each = 1, two_each = 2, hub = HUB; // sources of a target

#define NONE UINT32_MAX

static uint32_t targets_for(const void* about, uint32_t n) {
    return n / *(const uint32_t*)about;
}

static void* raw_setup(const void* about, uint32_t n) {
    raw_relations* s = calloc(1, sizeof *s);
    if (!s) abort();
    s->n = n;
    s->targets = targets_for(about, n);
    uint32_t** arrays[] = {&s->target, &s->next, &s->previous, &s->first, &s->count};
    for (uint32_t i = 0; i < 5; i++) *arrays[i] = stage_alloc(n, sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        s->target[i] = s->next[i] = s->previous[i] = s->first[i] = NONE;
        s->count[i] = 0;
    }
    return s;
}

static void raw_teardown(void* state) {
    raw_relations* s = state;
    void* arrays[] = {s->target, s->next, s->previous, s->first, s->count, s->places};
    for (uint32_t i = 0; i < 6; i++) free(arrays[i]);
    free(s);
}

static uint64_t raw_checksum(const void* state) {
    const raw_relations* s = state;
    uint64_t sum = s->sum;
    for (uint32_t i = 0; i < s->targets; i++) sum += (uint64_t)s->count[i] * (i + 1);
    return sum;
}

// At the end of the ring of a target.
static void raw_relate(raw_relations* s, uint32_t source, uint32_t target) {
    uint32_t next = s->first[target] == NONE ? source : s->first[target];
    uint32_t last = next == source ? source : s->previous[next];
    if (next == source) s->first[target] = source;
    s->target[source] = target;
    s->next[source] = next;
    s->previous[source] = last;
    s->next[last] = source;
    s->previous[next] = source;
    s->count[target]++;
}

static void raw_unrelate(raw_relations* s, uint32_t source) {
    uint32_t target = s->target[source], next = s->next[source];
    s->next[s->previous[source]] = next;
    s->previous[next] = s->previous[source];
    if (s->first[target] == source) s->first[target] = next == source ? NONE : next;
    s->count[target]--;
    s->target[source] = NONE;
}

static void* ilk_setup(const void* about, uint32_t n) {
    ilk_relations* s = calloc(1, sizeof *s);
    if (!s) abort();
    s->n = n;
    s->targets = targets_for(about, n);
    s->world = ilk_world_create(NULL);
    s->sources = stage_alloc(n, sizeof *s->sources);
    s->heads = stage_alloc(n, sizeof *s->heads);
    for (uint32_t i = 0; i < s->targets; i++) {
        s->heads[i] = ILK_SPAWN(s->world, ILK_VALUE(Position, .x = (float)i));
    }
    return s;
}

// Sources that relate to nobody yet.
static void* ilk_setup_sources(const void* about, uint32_t n) {
    ilk_relations* s = ilk_setup(about, n);
    for (uint32_t i = 0; i < n; i++) {
        s->sources[i] = ILK_SPAWN(s->world, ILK_VALUE(Position, .x = (float)i), ILK_WITH(Velocity));
    }
    return s;
}

static void ilk_teardown(void* state) {
    ilk_relations* s = state;
    ilk_world_destroy(s->world);
    free(s->sources);
    free(s->heads);
    free(s);
}

static uint64_t ilk_checksum_of(const ilk_relations* s, ilk_type* type) {
    uint64_t sum = s->sum;
    for (uint32_t i = 0; i < s->targets; i++) {
        sum += (uint64_t)ilk_source_count(s->world, s->heads[i], type) * (i + 1);
    }
    return sum;
}

static uint64_t ilk_checksum(const void* state) {
    return ilk_checksum_of(state, &Likes_type);
}

static uint64_t ilk_checksum_children(const void* state) {
    return ilk_checksum_of(state, &ilk_child_of_type);
}

// relate_1

static uint64_t raw_relate_1(void* state) {
    raw_relations* s = state;
    for (uint32_t i = 0; i < s->n; i++) raw_relate(s, i, i % s->targets);
    bench_barrier();
    for (uint32_t i = 0; i < s->n; i++) raw_unrelate(s, i);
    return s->n;
}

static uint64_t ilk_relate_1(void* state) {
    ilk_relations* s = state;
    for (uint32_t i = 0; i < s->n; i++) {
        s->sum += ilk_relate(s->world, s->sources[i], &Likes_type, s->heads[i % s->targets]);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->sum += ilk_unrelate(s->world, s->sources[i], &Likes_type, s->heads[i % s->targets]);
    }
    return s->n;
}

// relate_4000: all targets on one

static void* ilk_setup_hub(const void* about, uint32_t n) {
    (void)n;
    ilk_relations* s = ilk_setup(about, HUB);
    for (uint32_t i = 0; i < HUB; i++) s->sources[i] = ilk_create(s->world);
    return s;
}

static uint64_t ilk_relate_4000(void* state) {
    ilk_relations* s = state;
    for (uint32_t i = 0; i < HUB; i++) {
        s->sum += ilk_relate(s->world, s->heads[0], &Likes_type, s->sources[i]);
    }
    return HUB;
}

static double ilk_bytes_4000(uint32_t n) {
    ilk_relations* s = ilk_setup_hub(&hub, n);
    size_t before = ilk_stats(s->world).bytes;
    ilk_relate_4000(s);
    double bytes = (double)(ilk_stats(s->world).bytes - before);
    ilk_teardown(s);
    return bytes;
}

// children_50k

static uint64_t raw_create_children(void* state) {
    raw_relations* s = state;
    for (uint32_t i = 0; i < s->n; i++) raw_relate(s, i, i % s->targets);
    return s->n;
}

static uint64_t ilk_create_children(void* state) {
    ilk_relations* s = state;
    for (uint32_t i = 0; i < s->n; i++) {
        s->sources[i] = ILK_SPAWN(s->world, ILK_TO(ilk_child_of, s->heads[i % s->targets]));
    }
    return s->n;
}

static void* raw_setup_children(const void* about, uint32_t n) {
    raw_relations* s = raw_setup(about, n);
    raw_create_children(s);
    return s;
}

static void* ilk_setup_children(const void* about, uint32_t n) {
    ilk_relations* s = ilk_setup(about, n);
    ilk_create_children(s);
    return s;
}

// All children move.
static void* raw_setup_moving(const void* about, uint32_t n) {
    raw_relations* s = raw_setup_children(about, n);
    s->places = stage_alloc(n, sizeof *s->places);
    for (uint32_t i = 0; i < n; i++) s->places[i] = (Position){(float)i, 1};
    return s;
}

static void* ilk_setup_moving(const void* about, uint32_t n) {
    ilk_relations* s = ilk_setup(about, n);
    for (uint32_t i = 0; i < n; i++) {
        s->sources[i] = ILK_SPAWN(s->world, ILK_VALUE(Position, (float)i, 1),
                                  ILK_TO(ilk_child_of, s->heads[i % s->targets]));
    }
    s->query = ilk_query_create(
        s->world, &(ilk_query_desc){.write = {&Position_type}, .with = {&ilk_child_of_type}});
    return s;
}

static uint64_t raw_move_children(void* state) {
    const raw_relations* s = state;
    for (uint32_t i = 0; i < s->n; i++) s->places[i].x += s->places[i].y;
    return s->n;
}

static uint64_t ilk_move_children(void* state) {
    const ilk_relations* s = state;
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        Position* places = ILK_WRITE(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) places[i].x += places[i].y;
    }
    return s->n;
}

static uint64_t raw_checksum_moved(const void* state) {
    const raw_relations* s = state;
    uint64_t sum = raw_checksum(state);
    for (uint32_t i = 0; i < s->n; i++) sum += (uint64_t)s->places[i].x * (i + 1);
    return sum;
}

static uint64_t ilk_checksum_moved(const void* state) {
    const ilk_relations* s = state;
    uint64_t sum = ilk_checksum_children(state);
    for (uint32_t i = 0; i < s->n; i++) {
        sum += (uint64_t)ILK_GET(s->world, s->sources[i], Position)->x * (i + 1);
    }
    return sum;
}

// Each child looks at its parent's number. (A link is five numbers, of which raw has one.)
static uint64_t raw_iterate_children(void* state) {
    raw_relations* s = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) sum += s->target[i];
    s->sum += sum;
    return s->n;
}

static uint64_t ilk_iterate_children(void* state) {
    ilk_relations* s = state;
    uint64_t sum = 0;
    ilk_query* query = ilk_query_create(s->world, &(ilk_query_desc){.read = {&ilk_child_of_type}});
    for (ilk_iter it = ilk_query_iter(s->world, query); ilk_next(&it);) {
        const ilk_child_of* links = ILK_READ(&it, ilk_child_of);
        for (uint32_t i = 0; i < it.count; i++) sum += links[i].target.index;
    }
    ilk_query_destroy(query);
    s->sum += sum;
    return s->n;
}

static double ilk_bytes_children(uint32_t n) {
    ilk_relations* s = ilk_setup(&two_each, n);
    ilk_create_children(s);
    const double bytes = (double)ilk_stats(s->world).bytes / (n + s->targets);
    ilk_teardown(s);
    return bytes;
}

// transform_tree: a node's place in the world is that of its parent and its own

typedef struct raw_tree {
    uint32_t n;
    uint32_t* parent; // before its children
    Position *local, *world;
} raw_tree;

typedef struct ilk_tree {
    uint32_t n;
    ilk_world* world;
    ilk_query* query;
    ilk_entity* nodes;
} ilk_tree;

static Position local_of(uint32_t i) {
    return (Position){(float)(i % 7), (float)(i % 11)};
}

// Five branches each: 100,000 nodes are eight levels.
static void* raw_tree_setup(const void* about, uint32_t n) {
    (void)about;
    raw_tree* t = calloc(1, sizeof *t);
    if (!t) abort();
    *t = (raw_tree){n, stage_alloc(n, sizeof *t->parent), stage_alloc(n, sizeof *t->local),
                    stage_alloc(n, sizeof *t->world)};
    for (uint32_t i = 0; i < n; i++) {
        t->parent[i] = i ? (i - 1) / BRANCHES : 0;
        t->local[i] = local_of(i);
        t->world[i] = (Position){0};
    }
    return t;
}

static void raw_tree_teardown(void* state) {
    raw_tree* t = state;
    free(t->parent);
    free(t->local);
    free(t->world);
    free(t);
}

static uint64_t raw_tree_run(void* state) {
    raw_tree* t = state;
    t->world[0] = t->local[0];
    for (uint32_t i = 1; i < t->n; i++) {
        t->world[i].x = t->world[t->parent[i]].x + t->local[i].x;
        t->world[i].y = t->world[t->parent[i]].y + t->local[i].y;
    }
    return t->n;
}

static uint64_t raw_tree_checksum(const void* state) {
    const raw_tree* t = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->n; i++) sum += (uint64_t)(t->world[i].x + t->world[i].y * 3);
    return sum;
}

static void* ilk_tree_setup(const void* about, uint32_t n) {
    (void)about;
    ilk_tree* t = calloc(1, sizeof *t);
    if (!t) abort();
    *t = (ilk_tree){n, ilk_world_create(NULL), NULL, stage_alloc(n, sizeof *t->nodes)};
    t->query = ilk_query_create(t->world, &(ilk_query_desc){.write = {&Velocity_type},
                                                            .read = {&Position_type},
                                                            .maybe = {&ilk_child_of_type},
                                                            .order_by_depth = &ilk_child_of_type});
    for (uint32_t i = 0; i < n; i++) {
        Position local = local_of(i);
        ilk_value values[] = {ILK_VALUE_AT(Position, &local), ILK_WITH(Velocity),
                              ILK_TO(ilk_child_of, t->nodes[i ? (i - 1) / BRANCHES : 0])};
        t->nodes[i] = ilk_spawn(t->world, values, i ? 3 : 2);
    }
    return t;
}

static void ilk_tree_teardown(void* state) {
    ilk_tree* t = state;
    ilk_world_destroy(t->world);
    free(t->nodes);
    free(t);
}

// Each parent comes before its children. (A velocity stands for the place in the world.)
static uint64_t ilk_tree_run(void* state) {
    ilk_tree* t = state;
    uint64_t count = 0;
    for (ilk_iter it = ilk_query_iter(t->world, t->query); ilk_next(&it); count += it.count) {
        Velocity* place = ILK_WRITE(&it, Velocity);
        const Position* local = ILK_READ(&it, Position);
        const ilk_child_of* link = ILK_MAYBE(&it, ilk_child_of);
        for (uint32_t i = 0; !link && i < it.count; i++) {
            place[i] = (Velocity){local[i].x, local[i].y};
        }
        for (uint32_t i = 0; link && i < it.count; i++) {
            const Velocity* above = ILK_GET(t->world, link[i].target, Velocity);
            place[i].x = above->x + local[i].x;
            place[i].y = above->y + local[i].y;
        }
    }
    return count;
}

static uint64_t ilk_tree_checksum(const void* state) {
    const ilk_tree* t = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const Velocity* place = ILK_GET(t->world, t->nodes[i], Velocity);
        sum += (uint64_t)(place->x + place->y * 3);
    }
    return sum;
}

// query_related: ten among all, who all relate to somebody

#define RELATED 10u

static uint32_t target_for(uint32_t i, uint32_t n) {
    return i % (n / RELATED) == 7 ? 0 : 1 + i % 99;
}

static void* raw_setup_related(const void* about, uint32_t n) {
    raw_relations* s = raw_setup(about, n);
    for (uint32_t i = 0; i < n; i++) raw_relate(s, i, target_for(i, n));
    return s;
}

static void* ilk_setup_related(const void* about, uint32_t n) {
    ilk_relations* s = ilk_setup_sources(about, n);
    for (uint32_t i = 0; i < n; i++) {
        ilk_relate(s->world, s->sources[i], &Likes_type, s->heads[target_for(i, n)]);
    }
    s->query = ilk_query_create(
        s->world, &(ilk_query_desc){.read = {&Position_type},
                                    .relates = {{&Likes_type, .target = s->heads[0]}}});
    return s;
}

static uint64_t raw_query_related(void* state) {
    raw_relations* s = state;
    for (uint32_t i = 0, at = s->first[0]; i < s->count[0]; i++, at = s->next[at]) s->sum += at;
    return 1;
}

static uint64_t ilk_query_related(void* state) {
    ilk_relations* s = state;
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        const Position* number = ILK_READ(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) s->sum += (uint64_t)number[i].x;
    }
    return 1;
}

const bench_work work_query_related = {
    .about = &one_each,
    .raw = {raw_setup_related, raw_query_related, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup_related, ilk_query_related, ilk_checksum, ilk_teardown, NULL},
};

const bench_work work_relate_1 = {
    .about = &one_each,
    .raw = {raw_setup, raw_relate_1, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup_sources, ilk_relate_1, ilk_checksum, ilk_teardown, NULL},
    .changes = true,
};

const bench_work work_relate_4000 = {
    .about = &hub,
    .ilk = {ilk_setup_hub, ilk_relate_4000, ilk_checksum, ilk_teardown, NULL},
    .changes = true,
};

const bench_work work_relate_4000_bytes = {.ilk_bytes = ilk_bytes_4000};

const bench_work work_children_50k = {
    .about = &two_each,
    .raw = {raw_setup, raw_create_children, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup, ilk_create_children, ilk_checksum_children, ilk_teardown, NULL},
    .changes = true,
};

const bench_work work_children_50k_iter = {
    .about = &two_each,
    .raw = {raw_setup_moving, raw_move_children, raw_checksum_moved, raw_teardown, NULL},
    .ilk = {ilk_setup_moving, ilk_move_children, ilk_checksum_moved, ilk_teardown, NULL},
};

const bench_work work_children_50k_parents = {
    .about = &two_each,
    .raw = {raw_setup_children, raw_iterate_children, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup_children, ilk_iterate_children, ilk_checksum_children, ilk_teardown, NULL},
};

const bench_work work_children_50k_bytes = {.ilk_bytes = ilk_bytes_children};

const bench_work work_transform_tree = {
    .raw = {raw_tree_setup, raw_tree_run, raw_tree_checksum, raw_tree_teardown, NULL},
    .ilk = {ilk_tree_setup, ilk_tree_run, ilk_tree_checksum, ilk_tree_teardown, NULL},
};
