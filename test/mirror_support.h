// A world to which everything is done at random, also by hostile observers, so that tests can
// follow it: with types that outlive their entities, types that come and go, relations, entities
// that are inactive, and memory that may not suffice.
#ifndef ILK_TEST_MIRROR_SUPPORT_H
#define ILK_TEST_MIRROR_SUPPORT_H

#include "workers_support.h"

typedef struct Debt {
    int32_t sum;
} Debt;
ILK_COMPONENT_WITH(Debt, .outlives = true);
ILK_TAG_WITH(Haunting, .outlives = true);
ILK_RELATION(Likes);
ILK_RELATION_WITH(Follows, .is_exclusive = true, .at_end = ILK_END_SOURCE);

enum {
    SLOTS = 4096,
    PEOPLE = 120, // more are not made but by accident
    ROUND = 1000, // operations from one comparison to the next
    VALUES = 9,   // kinds that anybody may have, and
    GIVEN = 12,   // that a program gives; the others are ilk's own
    KINDS = 14
};

#define OPERATIONS QUICK_OR_SLOW(1000000u, 60000u)

static ilk_type* const kinds[KINDS] = {
    &Position_type, &Health_type,       &Anchor_type,       &Owned_type,    &Enemy_type,
    &Frozen_type,   &Velocity_type,     &Debt_type,         &Haunting_type, &Likes_type,
    &Follows_type,  &ilk_child_of_type, &ilk_inactive_type, &ilk_dying_type};

typedef struct original {
    ilk_world* world;
    ilk_cmd* cmd;
    meter memory;
    bool is_short; // of memory, now and then
    uint64_t seed;
    ilk_world_stats stats; // of a moment ago
    uint32_t budget;       // commands that hostile observers may still record
    uint64_t hostile;
} original;

static inline uint32_t chance(original* o, uint32_t of) {
    return next_random(&o->seed) % of;
}

static inline uint32_t kind_of(const ilk_type* type) {
    uint32_t kind = 0;
    while (kind < KINDS && !ilk_same_type(type, kinds[kind])) kind++;
    assert_true(kind < KINDS);
    return kind;
}

static inline ilk_type* any_kind(original* o) {
    return kinds[chance(o, GIVEN)];
}

static inline ilk_type* any_value_kind(original* o) {
    return kinds[chance(o, VALUES)];
}

static inline ilk_entity pick(original* o) {
    uint32_t slots = o->stats.slots;
    for (uint32_t i = 0; slots && i < 8; i++) {
        ilk_entity e = ilk_entity_at(o->world, chance(o, slots));
        if (!ilk_is_null(e)) return e;
    }
    return (ilk_entity){0, 0};
}

static inline bool is_crowded(const original* o) {
    return o->stats.alive > PEOPLE;
}

typedef union any_value {
    Position position;
    Velocity velocity;
    Health health;
    Anchor anchor;
    Owned owned;
    Debt debt;
    ilk_link link;
} any_value;

// A value of a type; now and then its default.
static inline ilk_value make_value(original* o, ilk_type* type, any_value* room) {
    memset(room, 0, sizeof *room);
    if (type->relation) {
        room->link.target = pick(o);
        return (ilk_value){type, room};
    }
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

static inline void let_go(ilk_value value, ilk_result result) {
    if (result == ILK_OK || !value.bytes || !value.type->hooks.drop) return;
    free(((const Owned*)value.bytes)->text);
}

typedef ilk_result give_fn(ilk_world* world, ilk_entity e, ilk_value value);
typedef ilk_result record_fn(ilk_cmd* cmd, ilk_entity e, ilk_value value);

static inline void give(original* o, give_fn* verb) {
    any_value room;
    ilk_value value = make_value(o, any_kind(o), &room);
    let_go(value, verb(o->world, pick(o), value));
}

// Values to spawn with. None owns anything: who is null may have been made, and destroyed.
static inline uint32_t some_values(original* o, ilk_value* values, any_value* rooms) {
    uint32_t count = 0, first = chance(o, GIVEN);
    for (uint32_t i = 0; i < GIVEN; i++) {
        if (chance(o, 3)) continue;
        ilk_type* type = kinds[(first + i) % GIVEN];
        values[count] =
            type->hooks.drop ? (ilk_value){type, NULL} : make_value(o, type, &rooms[count]);
        count++;
    }
    return count;
}

static inline void spawn(original* o) {
    ilk_value values[GIVEN];
    any_value rooms[GIVEN];
    if (is_crowded(o)) return;
    uint32_t count = some_values(o, values, rooms);
    ilk_spawn(o->world, values, count);
}

static inline void record_new(original* o, ilk_cmd* cmd, ilk_entity* e) {
    ilk_value values[GIVEN];
    any_value rooms[GIVEN];
    if (is_crowded(o)) return;
    ilk_entity made = chance(o, 3) ? ilk_cmd_spawn(cmd, values, some_values(o, values, rooms))
                                   : ilk_cmd_create(cmd);
    if (chance(o, 2)) *e = made;
}

static inline void record_value(original* o, ilk_cmd* cmd, ilk_entity e) {
    static record_fn* const giving[] = {ilk_cmd_add, ilk_cmd_set, ilk_cmd_replace};
    any_value room;
    ilk_value value = make_value(o, any_kind(o), &room);
    let_go(value, giving[chance(o, 3)](cmd, e, value));
}

// One of the commands, for any entity or a certain one.
static inline void record_any(original* o, ilk_cmd* cmd, ilk_entity e) {
    if (ilk_is_null(e) || chance(o, 3) == 0) e = pick(o);
    if (chance(o, 5) == 0) record_new(o, cmd, &e);
    switch (chance(o, 16)) {
    case 0:
    case 1:
        ilk_cmd_destroy(cmd, e);
        break;
    case 2:
        ilk_cmd_remove_all(cmd, e);
        break;
    case 3:
        ilk_cmd_ensure(cmd, e, any_value_kind(o));
        break;
    case 4:
    case 5:
    case 6:
        ilk_cmd_remove(cmd, e, any_kind(o));
        break;
    case 7:
        ilk_cmd_enable(cmd, e, any_kind(o));
        break;
    case 8:
        ilk_cmd_disable(cmd, e, any_kind(o));
        break;
    case 9:
        (chance(o, 2) ? ilk_cmd_deactivate : ilk_cmd_activate)(cmd, e);
        break;
    case 10:
        ilk_cmd_set_parent(cmd, e, pick(o));
        break;
    case 11:
        ilk_cmd_unrelate(cmd, e, &Likes_type, pick(o));
        break;
    default:
        record_value(o, cmd, e);
    }
}

static inline void do_bulk(original* o) {
    ilk_entity list[12];
    ilk_batch batch;
    uint32_t count = 1 + chance(o, COUNT_OF(list)), first = chance(o, VALUES);
    ilk_type* types[] = {kinds[first], kinds[(first + 3) % VALUES]};
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
        ilk_add_many(o->world, list, count, any_value_kind(o), NULL);
        break;
    default:
        ilk_remove_many(o->world, list, count, any_kind(o));
    }
}

static inline void call_bulk(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd;
    do_bulk(user);
}

static inline void do_commands(original* o) {
    uint32_t count = 1 + chance(o, 8);
    for (uint32_t i = 0; i < count; i++) record_any(o, o->cmd, (ilk_entity){0, 0});
    ilk_cmd_apply(o->cmd);
    ilk_cmd_clear(o->cmd); // what there was no memory for
}

// What is taken out comes back as it was, but for those who are gone by then.
static inline void unregister_for_a_while(original* o) {
    ilk_type* type = any_value_kind(o);
    ilk_unregister(o->world, type);
    if (chance(o, 2)) ilk_destroy(o->world, pick(o));
    o->memory.left = UINT64_MAX;
    ilk_result result = ilk_register(o->world, type);
    assert_true(result == ILK_OK || result == ILK_EXISTS); // there was no memory to take it out
}

static inline void do_one_of_a_kind(original* o) {
    switch (chance(o, 6)) {
    case 0:
        give(o, ilk_add);
        break;
    case 1:
        give(o, ilk_set);
        break;
    case 2:
        give(o, ilk_replace);
        break;
    case 3:
        ilk_remove(o->world, pick(o), any_kind(o));
        break;
    case 4:
        (chance(o, 2) ? ilk_enable : ilk_disable)(o->world, pick(o), any_kind(o));
        break;
    default:
        ilk_ensure(o->world, pick(o), any_value_kind(o));
    }
}

static inline void do_one(original* o) {
    switch (chance(o, 14)) {
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
        if (chance(o, 4) == 0) ilk_remove_all(o->world, pick(o));
        break;
    case 4:
        if (!is_crowded(o)) ilk_copy(o->world, pick(o));
        break;
    case 5:
        (chance(o, 2) ? ilk_deactivate : ilk_activate)(o->world, pick(o));
        break;
    case 6:
        ilk_set_parent(o->world, pick(o), pick(o));
        break;
    case 7:
        ilk_unrelate(o->world, pick(o), &Likes_type, pick(o));
        break;
    default:
        do_one_of_a_kind(o);
    }
}

static inline void operate(original* o) {
    uint32_t what = chance(o, 2000);
    o->budget = 3;
    if (o->is_short && chance(o, 4) == 0) o->memory.left = chance(o, 12);
    if (what == 0)
        ilk_clear(o->world);
    else if (what < 4)
        ilk_settle(o->world, chance(o, 2) ? 0 : 4);
    else if (what < 6)
        unregister_for_a_while(o);
    else if (what < 10)
        ilk_trim(o->world);
    else if (what < 40)
        do_bulk(o);
    else if (what < 120)
        do_commands(o);
    else
        do_one(o);
    o->memory.left = UINT64_MAX;
}

// Somebody who changes the world whenever anything happens.
static inline ilk_result meddle(ilk_notice* n) {
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

// One for each kind of notice, at a place in the order.
static inline void make_hostile(original* o, int32_t order) {
    ilk_observer_desc desc = {.run = meddle, .user = o, .order = order};
    for (uint32_t i = 0; i < 7; i++) {
        desc.on = 1u << i;
        desc.type = i > 1 && i % 2 ? kinds[i] : NULL;
        assert_non_null(ilk_observer_create(o->world, &desc));
    }
    desc = (ilk_observer_desc){.on = ILK_ON_MATCH | ILK_ON_CEASE,
                               .query = {.where = "Health & !Frozen"},
                               .order = order,
                               .is_many = true,
                               .run = meddle,
                               .user = o};
    assert_non_null(ilk_observer_create(o->world, &desc));
}

static inline void open_original(original* o, uint64_t seed) {
    *o = (original){.seed = seed, .memory = {.left = UINT64_MAX}};
    o->world =
        ilk_world_create(&(ilk_world_desc){.allocator = {meter_alloc, meter_free, &o->memory}});
    assert_non_null(o->world);
    o->cmd = ilk_cmd_take(o->world);
    for (uint32_t i = 0; i < GIVEN; i++) assert_ok(ilk_register(o->world, kinds[i]));
}

static inline void close_original(original* o) {
    ilk_world_destroy(o->world);
    assert_int_equal(o->memory.bytes, 0);
    assert_false(o->memory.mismatch);
}

#endif
