// Loops in a world in which everything changes at random: each entity is visited at most once.
#include "query_support.h"

enum {
    MOST = 4096 // indices
};

// What a loop knows of the entities that were there when it began, by index.
typedef struct known {
    uint32_t generation; // 0: none was there
    bool is_visited, is_touched, matched;
    bool is_rooted; // was given its first component inside
} known;

typedef struct looking {
    ilk_world* world;
    ilk_query* query;
    known by_index[MOST];
} looking;

// A world in which everything changes at random, and the loops that look at it.
enum {
    DEEPEST = 2
};
typedef struct bustle {
    ilk_world* world;
    uint64_t seed;
    ilk_entity at[MOST]; // the entity of each index; perhaps dead
    bool is_rootless[MOST];
    uint32_t indices;
    looking loops[DEEPEST];
    uint32_t depth;
} bustle;

static bustle the_bustle;

static uint32_t chance(bustle* b, uint32_t of) {
    return next_random(&b->seed) % of;
}

static void note_born(bustle* b, ilk_entity e, bool is_rootless) {
    if (ilk_is_null(e)) return;
    assert_true(e.index < MOST);
    b->at[e.index] = e;
    b->is_rootless[e.index] = is_rootless;
    if (e.index >= b->indices) b->indices = e.index + 1;
}

static void note_touched(bustle* b, ilk_entity e, bool is_given) {
    for (uint32_t i = 0; i < b->depth; i++) {
        known* k = &b->loops[i].by_index[e.index];
        if (k->generation != e.generation) continue;
        k->is_touched = true;
        k->is_rooted = k->is_rooted || (is_given && b->is_rootless[e.index]);
    }
    if (is_given) b->is_rootless[e.index] = false;
}

static ilk_type* const moods[] = {&Position_type, &Velocity_type, &Cargo_type, &Enemy_type,
                                  &Owned_type};

static ilk_type* any_mood(bustle* b) {
    return moods[chance(b, COUNT_OF(moods))];
}

static void bear(bustle* b) {
    ilk_batch batch;
    ilk_type *one = any_mood(b), *two = any_mood(b);
    const ilk_value values[] = {{one, NULL}, {one == two ? NULL : two, NULL}};
    ilk_entity old = b->at[chance(b, b->indices)];
    bool is_rootless = ilk_alive(b->world, old) && b->is_rootless[old.index];
    switch (chance(b, 8)) {
    case 0:
        note_born(b, ilk_copy(b->world, old), is_rootless);
        break;
    case 1:
        assert_ok(ilk_spawn_many(b->world, &batch, chance(b, 9), ILK_TYPES(one)));
        while (ilk_batch_next(&batch)) {
            for (uint32_t i = 0; i < batch.count; i++) note_born(b, batch.entities[i], false);
        }
        break;
    case 2:
        note_born(b, ilk_create(b->world), true);
        break;
    default:
        note_born(b, ilk_spawn(b->world, values, 2), false);
    }
}

static void change(bustle* b, ilk_entity e) {
    ilk_type* type = any_mood(b);
    if (!ilk_alive(b->world, e)) return;
    switch (chance(b, 8)) {
    case 0:
    case 1:
        note_touched(b, e, false);
        ilk_destroy(b->world, e);
        break;
    case 2:
        note_touched(b, e, false);
        ilk_remove(b->world, e, type);
        break;
    case 3:
        note_touched(b, e, false);
        ilk_disable(b->world, e, type);
        break;
    case 4:
        note_touched(b, e, false);
        ilk_enable(b->world, e, type);
        break;
    case 5:
        note_touched(b, e, true);
        ilk_add_many(b->world, &e, 1, type, NULL);
        break;
    default:
        note_touched(b, e, true);
        ilk_set(b->world, e, (ilk_value){type, NULL});
        break;
    }
}

static void bustle_about(bustle* b) {
    if (chance(b, 3) == 0 && ilk_stats(b->world).alive < MOST / 4) bear(b);
    for (uint32_t i = chance(b, 4); i > 0; i--) change(b, b->at[chance(b, b->indices)]);
}

static void begin_looking(bustle* b, looking* l, ilk_query* query) {
    l->world = b->world;
    l->query = query;
    memset(l->by_index, 0, sizeof(l->by_index));
    for (uint32_t i = 0; i < b->indices; i++) {
        if (!ilk_alive(b->world, b->at[i])) continue;
        l->by_index[i].generation = b->at[i].generation;
        l->by_index[i].matched = ilk_query_matches(b->world, query, b->at[i]);
    }
}

// What a run hands out was there before, matches now, and comes for the first time.
static void check_run(looking* l, const ilk_iter* it, bool by_rows) {
    for (uint32_t i = 0; i < it->count; i++) {
        ilk_entity e = it->entities[by_rows ? it->rows[i] : i];
        known* k = &l->by_index[e.index];
        assert_true(ilk_query_matches(l->world, l->query, e));
        assert_int_equal(k->generation, e.generation);
        assert_false(k->is_visited);
        assert_false(k->is_rooted);
        k->is_visited = true;
    }
}

// Nobody was missed who was there all the time and did not change.
static void check_all_seen(const bustle* b, const looking* l) {
    for (uint32_t i = 0; i < b->indices; i++) {
        const known* k = &l->by_index[i];
        if (k->generation && !k->is_touched) assert_int_equal(k->is_visited, k->matched);
    }
}

static void look(bustle* b, ilk_query** queries, uint32_t count) {
    looking* l = &b->loops[b->depth];
    begin_looking(b, l, queries[chance(b, count)]);
    b->depth++;
    ilk_iter it = ilk_query_iter(b->world, l->query);
    bool is_left = false, by_rows = chance(b, 2);
    while (!is_left && (by_rows ? ilk_next_rows(&it) : ilk_next(&it))) {
        check_run(l, &it, by_rows);
        for (uint32_t i = 0; i < it.count; i++) bustle_about(b);
        if (b->depth < DEEPEST && chance(b, 40) == 0) look(b, queries, count);
        is_left = chance(b, 300) == 0;
        by_rows = chance(b, 2);
    }
    if (is_left) ilk_iter_end(&it);
    if (!is_left) check_all_seen(b, l);
    b->depth--;
}

// R003.16 R004.15 C11
static void each_entity_is_visited_at_most_once_while_everything_changes(void** state) {
    (void)state;
    bustle* b = &the_bustle;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        memset(b, 0, sizeof(*b));
        *b = (bustle){.world = f->world, .seed = seed};
        ilk_query* queries[] = {
            QUERY(f->world, 0),
            QUERY(f->world, .write = {&Position_type}),
            QUERY(f->world, .write = {&Cargo_type}, .maybe = {&Owned_type}),
            QUERY(f->world, .read = {&Velocity_type}, .without = {&Enemy_type}),
            QUERY(f->world, .any = {&Enemy_type, &Owned_type}, .maybe = {&Cargo_type}),
            QUERY(f->world, .where = "Position | !Velocity"),
        };
        for (int i = 0; i < 600; i++) note_born(b, ilk_create(f->world), true);
        for (int i = 0; i < 600; i++) bear(b);
        for (int i = 0; i < 2000; i++) change(b, b->at[chance(b, b->indices)]);
        for (int round = 0; round < 6; round++) {
            look(b, queries, COUNT_OF(queries));
            assert_valid(f->world);
            if (round == 3) settle_fully(f->world);
        }
        close_world(&opened);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_entity_is_visited_at_most_once_while_everything_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
