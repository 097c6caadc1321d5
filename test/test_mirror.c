// A copy of a world, kept by what observers are told and by nothing else. It is the same whatever is
// done to the world, by whom and how, whether its observer is called first or last. R003.29
#include "workers_support.h"

enum {
    SLOTS = 4096,
    PEOPLE = 120, // more are not made but by accident
    ROUND = 5000  // operations from one comparison to the next
};

#define OPERATIONS QUICK_OR_SLOW(1000000u, 60000u)

// A world that follows another one. The entity of each index there is one here.
typedef struct mirror {
    ilk_world* world;
    ilk_entity theirs[SLOTS], ours[SLOTS];
    uint64_t notices;
} mirror;

typedef struct original {
    ilk_world* world;
    ilk_cmd* cmd;
    uint64_t seed;
    ilk_world_stats stats; // of a moment ago
    uint32_t budget;       // commands that hostile observers may still record
    uint64_t hostile;
    mirror mirrors[2];
} original;

static original the_world;

static ilk_type* const kinds[] = {&Position_type, &Health_type, &Anchor_type,  &Owned_type,
                                  &Enemy_type,    &Frozen_type, &Velocity_type};

static uint32_t chance(original* o, uint32_t of) {
    return next_random(&o->seed) % of;
}

static ilk_type* any_kind(original* o) {
    return kinds[chance(o, COUNT_OF(kinds))];
}

// What the notices say

static ilk_entity here(const mirror* m, ilk_entity theirs) {
    assert_true(theirs.index < SLOTS);
    assert_true(ilk_same(m->theirs[theirs.index], theirs));
    return m->ours[theirs.index];
}

static bool same_value(const ilk_type* type, const void* a, const void* b) {
    if (type->hooks.drop) return strcmp(((const Owned*)a)->text, ((const Owned*)b)->text) == 0;
    return memcmp(a, b, type->size) == 0;
}

// A value that a mirror may have.
static ilk_value own_value(ilk_type* type, const void* value, Owned* owned) {
    if (!type->hooks.drop) return (ilk_value){type, value};
    owned->text = text_copy(((const Owned*)value)->text);
    return (ilk_value){type, owned};
}

static void follow_component(mirror* m, const ilk_notice* n, ilk_entity theirs, const void* value) {
    Owned owned;
    ilk_type* type = n->type;
    if (n->on == ILK_ON_ADD) {
        assert_ok(ilk_add(m->world, here(m, theirs), own_value(type, value, &owned)));
        return;
    }
    ilk_entity e = here(m, theirs);
    const void* before = ilk_get(m->world, e, type, NULL);
    assert_non_null(before);
    if (n->on == ILK_ON_SET) {
        assert_true(same_value(type, before, n->old));
        bool is_on = ilk_enabled(m->world, e, type);
        assert_ok(ilk_replace(m->world, e, own_value(type, value, &owned)));
        if (!is_on) assert_ok(ilk_disable(m->world, e, type)); // until that is told
    } else if (n->on == ILK_ON_REMOVE) {
        assert_ok(ilk_remove(m->world, e, type));
    } else {
        assert_int_equal(ilk_enabled(m->world, e, type), n->on == ILK_ON_DISABLE);
        assert_ok(n->on == ILK_ON_ENABLE ? ilk_enable(m->world, e, type)
                                         : ilk_disable(m->world, e, type));
    }
}

static void follow_entity(mirror* m, const ilk_notice* n, ilk_entity theirs) {
    if (n->on == ILK_ON_CREATE) {
        assert_true(theirs.index < SLOTS && ilk_is_null(m->theirs[theirs.index]));
        m->theirs[theirs.index] = theirs;
        m->ours[theirs.index] = ilk_create(m->world);
        return;
    }
    ilk_entity e = here(m, theirs);
    assert_int_equal(ilk_types_of(m->world, e, NULL, 0), 0);
    assert_ok(ilk_destroy(m->world, e));
    m->theirs[theirs.index] = (ilk_entity){0, 0};
}

static ilk_result follow(ilk_notice* n) {
    mirror* m = n->user;
    m->notices++;
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->type) {
            const unsigned char* values = n->value;
            follow_component(m, n, n->entities[i], values + i * n->type->size);
        } else {
            follow_entity(m, n, n->entities[i]);
        }
    }
    return ILK_OK;
}

// What is done to the world

static ilk_entity pick(original* o) {
    uint32_t slots = o->stats.slots;
    for (uint32_t i = 0; slots && i < 8; i++) {
        ilk_entity e = ilk_entity_at(o->world, chance(o, slots));
        if (!ilk_is_null(e)) return e;
    }
    return (ilk_entity){0, 0};
}

static bool is_crowded(const original* o) {
    return o->stats.alive > PEOPLE;
}

typedef union any_value {
    Position position;
    Velocity velocity;
    Health health;
    Anchor anchor;
    Owned owned;
} any_value;

// A value of a type; now and then its default.
static ilk_value make_value(original* o, ilk_type* type, any_value* room) {
    memset(room, 0, sizeof *room);
    if (chance(o, 4) == 0) return (ilk_value){type, NULL};
    if (type->hooks.drop) {
        char text[16];
        snprintf(text, sizeof(text), "%u", chance(o, 1000));
        room->owned.text = text_copy(text);
    } else {
        room->health.points = (int32_t)chance(o, 1000000);
    }
    return (ilk_value){type, room};
}

static void let_go(ilk_value value, ilk_result result) {
    if (result == ILK_OK || !value.bytes || !value.type->hooks.drop) return;
    free(((const Owned*)value.bytes)->text);
}

typedef ilk_result give_fn(ilk_world* world, ilk_entity e, ilk_value value);
typedef ilk_result record_fn(ilk_cmd* cmd, ilk_entity e, ilk_value value);

static void give(original* o, give_fn* verb) {
    any_value room;
    ilk_value value = make_value(o, any_kind(o), &room);
    let_go(value, verb(o->world, pick(o), value));
}

static uint32_t some_values(original* o, ilk_value* values, any_value* rooms) {
    uint32_t count = 0, first = chance(o, COUNT_OF(kinds));
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) {
        if (chance(o, 3)) continue;
        ilk_type* type = kinds[(first + i) % COUNT_OF(kinds)];
        values[count] = make_value(o, type, &rooms[count]);
        count++;
    }
    return count;
}

static void spawn(original* o) {
    ilk_value values[COUNT_OF(kinds)];
    any_value rooms[COUNT_OF(kinds)];
    if (is_crowded(o)) return;
    uint32_t count = some_values(o, values, rooms);
    ilk_spawn(o->world, values, count); // never fails: an observer may destroy what came
}

// One of the commands, for any entity or a certain one.
static void record_any(original* o, ilk_cmd* cmd, ilk_entity e) {
    any_value rooms[COUNT_OF(kinds)];
    ilk_value values[COUNT_OF(kinds)];
    static record_fn* const giving[] = {ilk_cmd_add, ilk_cmd_set, ilk_cmd_replace};
    if (ilk_is_null(e) || chance(o, 3) == 0) e = pick(o);
    uint32_t what = chance(o, 12);
    if (what < 3 && !is_crowded(o)) {
        ilk_entity made =
            what ? ilk_cmd_spawn(cmd, values, some_values(o, values, rooms)) : ilk_cmd_create(cmd);
        e = chance(o, 2) ? made : e;
        what = 6 + chance(o, 4);
    }
    if (what < 4) {
        ilk_cmd_destroy(cmd, e);
    } else if (what < 8) {
        values[0] = make_value(o, any_kind(o), &rooms[0]);
        let_go(values[0], giving[chance(o, 3)](cmd, e, values[0]));
    } else if (what == 8) {
        ilk_cmd_remove_all(cmd, e);
    } else if (what == 9) {
        ilk_cmd_ensure(cmd, e, any_kind(o));
    } else if (what == 10) {
        ilk_cmd_remove(cmd, e, any_kind(o));
    } else {
        (chance(o, 2) ? ilk_cmd_enable : ilk_cmd_disable)(cmd, e, any_kind(o));
    }
}

static void do_bulk(original* o) {
    ilk_entity list[12];
    ilk_batch batch;
    uint32_t count = 1 + chance(o, COUNT_OF(list)), first = chance(o, COUNT_OF(kinds));
    ilk_type* types[] = {kinds[first], kinds[(first + 3) % COUNT_OF(kinds)]};
    bool is_many = is_crowded(o);
    for (uint32_t i = 0; i < count; i++) list[i] = pick(o);
    switch (chance(o, 5)) {
    case 0:
        if (!is_many) ilk_create_many(o->world, list, count);
        break;
    case 1:
        if (!is_many) ilk_spawn_many(o->world, &batch, count, types, 2);
        break;
    case 2:
        ilk_destroy_many(o->world, list, count);
        break;
    case 3:
        ilk_add_many(o->world, list, count, any_kind(o), NULL);
        break;
    default:
        ilk_remove_many(o->world, list, count, any_kind(o));
    }
}

static void call_bulk(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd;
    do_bulk(user);
}

static void do_commands(original* o) {
    uint32_t count = 1 + chance(o, 8);
    for (uint32_t i = 0; i < count; i++) record_any(o, o->cmd, (ilk_entity){0, 0});
    ilk_cmd_apply(o->cmd);
}

static void do_one(original* o) {
    switch (chance(o, 12)) {
    case 0:
        if (!is_crowded(o)) ilk_create(o->world);
        break;
    case 1:
        spawn(o);
        break;
    case 2:
        ilk_destroy(o->world, pick(o));
        break;
    case 3:
        give(o, ilk_add);
        break;
    case 4:
        give(o, ilk_set);
        break;
    case 5:
        give(o, ilk_replace);
        break;
    case 6:
        ilk_remove(o->world, pick(o), any_kind(o));
        break;
    case 7:
        if (chance(o, 4) == 0) ilk_remove_all(o->world, pick(o));
        break;
    case 8:
        ilk_disable(o->world, pick(o), any_kind(o));
        break;
    case 9:
        ilk_enable(o->world, pick(o), any_kind(o));
        break;
    case 10:
        if (!is_crowded(o)) ilk_copy(o->world, pick(o));
        break;
    default:
        ilk_ensure(o->world, pick(o), any_kind(o));
    }
}

static void operate(original* o) {
    uint32_t what = chance(o, 2000);
    o->budget = 3;
    if (what == 0)
        ilk_clear(o->world);
    else if (what < 6)
        ilk_settle(o->world, chance(o, 2) ? 0 : 4);
    else if (what < 40)
        do_bulk(o);
    else if (what < 120)
        do_commands(o);
    else
        do_one(o);
}

// Somebody who changes the world whenever anything happens.
static ilk_result meddle(ilk_notice* n) {
    original* o = n->user;
    if (!o->budget || chance(o, 4)) return ILK_OK;
    for (uint32_t i = 1 + chance(o, 2); i && o->budget; i--) {
        o->budget--;
        o->hostile++;
        if (chance(o, 12) == 0)
            ilk_cmd_call(n->cmd, call_bulk, o);
        else
            record_any(o, n->cmd, n->entities[chance(o, n->count)]);
    }
    return ILK_OK;
}

// Comparing

static void compare_entity(const original* o, const mirror* m, uint32_t slot) {
    ilk_type *types[2][COUNT_OF(kinds)], *type;
    ilk_entity theirs = ilk_entity_at(o->world, slot), ours;
    assert_true(ilk_same(m->theirs[slot], theirs));
    if (ilk_is_null(theirs)) return;
    ours = m->ours[slot];
    uint32_t count = ilk_types_of(o->world, theirs, types[0], COUNT_OF(kinds));
    assert_int_equal(count, ilk_types_of(m->world, ours, types[1], COUNT_OF(kinds)));
    for (uint32_t i = 0; i < count; i++) {
        type = types[0][i];
        const void* value = ilk_get(m->world, ours, type, NULL);
        assert_non_null(value);
        assert_true(same_value(type, ilk_get(o->world, theirs, type, NULL), value));
        assert_int_equal(ilk_enabled(o->world, theirs, type), ilk_enabled(m->world, ours, type));
    }
}

static void compare(const original* o, const mirror* m) {
    uint32_t slots = ilk_stats(o->world).slots;
    assert_true(slots <= SLOTS);
    assert_int_equal(ilk_stats(o->world).alive, ilk_stats(m->world).alive);
    for (uint32_t slot = 0; slot < slots; slot++) compare_entity(o, m, slot);
    assert_valid(m->world);
}

static void hold_a_mirror(original* o, uint32_t at, int32_t order, bool is_many) {
    o->mirrors[at].world = ilk_world_create(NULL);
    ilk_observer_desc desc = {.on = ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD | ILK_ON_SET |
                                    ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE,
                              .order = order,
                              .is_many = is_many,
                              .run = follow,
                              .user = &o->mirrors[at]};
    assert_non_null(ilk_observer_create(o->world, &desc));
}

static void make_hostile(original* o) {
    ilk_observer_desc desc = {.run = meddle, .user = o};
    for (uint32_t i = 0; i < 7; i++) {
        desc.on = 1u << i;
        desc.type = i > 1 && i % 2 ? kinds[i] : NULL;
        assert_non_null(ilk_observer_create(o->world, &desc));
    }
    desc = (ilk_observer_desc){.on = ILK_ON_MATCH | ILK_ON_CEASE,
                               .query = {.where = "Health & !Frozen"},
                               .is_many = true,
                               .run = meddle,
                               .user = o};
    assert_non_null(ilk_observer_create(o->world, &desc));
}

// R003.29
static void a_mirror_is_the_same_as_the_world(void** state) {
    original* o = &the_world;
    (void)state;
    *o = (original){.seed = 29, .world = ilk_world_create(NULL)};
    o->cmd = ilk_cmd_take(o->world);
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) assert_ok(ilk_register(o->world, kinds[i]));
    hold_a_mirror(o, 0, INT32_MIN, true);
    hold_a_mirror(o, 1, INT32_MAX, false);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        if (i == OPERATIONS / 4) make_hostile(o);
        if (i % 8 == 0) o->stats = ilk_stats(o->world);
        operate(o);
        if (i % ROUND) continue;
        compare(o, &o->mirrors[0]);
        compare(o, &o->mirrors[1]);
        assert_valid(o->world);
    }
    assert_true(o->mirrors[0].notices > OPERATIONS / 4);
    assert_true(o->hostile > OPERATIONS / 100);
    ilk_world_destroy(o->world); // which is told, too
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(ilk_stats(o->mirrors[i].world).alive, 0);
        ilk_world_destroy(o->mirrors[i].world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mirror_is_the_same_as_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
