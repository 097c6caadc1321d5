// A copy of a world, kept by what observers are told and by nothing else. It is the same whatever
// is done to the world, by whom and how, whether its observer is called first or last. R003.29
#include "mirror_support.h"

// What an entity has of a kind.
typedef struct part {
    bool is_there, is_off;
    any_value value;
    uint64_t targets; // of a relation, and in which order
} part;

// A copy that follows a world. The entity of each index has its parts here.
typedef struct mirror {
    ilk_entity entities[SLOTS];
    part parts[SLOTS][KINDS];
    uint64_t notices;
} mirror;

static original the_world;
static mirror mirrors[2];

static uint64_t targets_of(const ilk_world* world, ilk_entity e, ilk_type* type) {
    ilk_entity targets[SLOTS];
    uint32_t count = ilk_targets(world, e, type, targets, SLOTS);
    uint64_t mixed = count;
    for (uint32_t i = 0; i < count; i++) {
        mixed = mixed * 1000003u + ((uint64_t)targets[i].generation << 32 | targets[i].index);
    }
    return mixed;
}

static bool same_value(const ilk_type* type, const void* a, const void* b) {
    if (type->relation) return true; // its targets are compared
    if (type->hooks.drop) return strcmp(((const Owned*)a)->text, ((const Owned*)b)->text) == 0;
    return memcmp(a, b, type->size) == 0;
}

static void drop_part(part* p, const ilk_type* type) {
    if (type->hooks.drop) free(p->value.owned.text);
    *p = (part){0};
}

static void take_value(part* p, const ilk_notice* n, ilk_entity e, const void* value) {
    if (n->type->hooks.drop)
        p->value.owned.text = text_copy(((const Owned*)value)->text);
    else
        memcpy(&p->value, value, n->type->size);
    if (n->type->relation) p->targets = targets_of(n->world, e, n->type);
}

static void follow_component(part* p, const ilk_notice* n, ilk_entity e, const void* value) {
    assert_int_equal(p->is_there, n->on != ILK_ON_ADD);
    if (n->on == ILK_ON_SET) {
        assert_true(same_value(n->type, &p->value, n->old));
        bool was_off = p->is_off;
        drop_part(p, n->type);
        *p = (part){.is_there = true, .is_off = was_off}; // until that is told
        take_value(p, n, e, value);
    } else if (n->on == ILK_ON_ADD) {
        p->is_there = true;
        take_value(p, n, e, value);
    } else if (n->on == ILK_ON_REMOVE) {
        drop_part(p, n->type);
    } else {
        assert_int_equal(p->is_off, n->on == ILK_ON_ENABLE);
        p->is_off = n->on == ILK_ON_DISABLE;
    }
}

static void follow_entity(mirror* m, ilk_on on, ilk_entity e) {
    bool comes = on == ILK_ON_CREATE;
    assert_true(ilk_same(m->entities[e.index], comes ? (ilk_entity){0, 0} : e));
    for (uint32_t i = 0; i < KINDS; i++) assert_false(m->parts[e.index][i].is_there);
    m->entities[e.index] = comes ? e : (ilk_entity){0, 0};
}

static ilk_result follow(ilk_notice* n) {
    mirror* m = n->user;
    m->notices++;
    for (uint32_t i = 0; i < n->count; i++) {
        ilk_entity e = n->entities[i];
        assert_true(e.index < SLOTS);
        if (n->type) {
            const unsigned char* values = n->value;
            assert_true(ilk_same(m->entities[e.index], e));
            follow_component(&m->parts[e.index][kind_of(n->type)], n, e,
                             values + i * n->type->size);
        } else {
            follow_entity(m, n->on, e);
        }
    }
    return ILK_OK;
}

static void compare_part(const ilk_world* world, ilk_entity e, ilk_type* type, const part* p) {
    assert_int_equal(ilk_has(world, e, type), p->is_there);
    if (!p->is_there) return;
    assert_int_equal(ilk_enabled(world, e, type), !p->is_off);
    assert_true(same_value(type, ilk_get(world, e, type, NULL), &p->value));
    if (type->relation) assert_int_equal(targets_of(world, e, type), p->targets);
}

static void compare(const ilk_world* world, const mirror* m) {
    uint32_t slots = ilk_stats(world).slots;
    assert_true(slots <= SLOTS);
    for (uint32_t slot = 0; slot < slots; slot++) {
        ilk_entity e = ilk_entity_at(world, slot);
        assert_true(ilk_same(m->entities[slot], e));
        if (ilk_is_null(e)) continue;
        for (uint32_t i = 0; i < KINDS; i++) {
            compare_part(world, e, kinds[i], &m->parts[slot][i]);
        }
    }
}

static void hold_a_mirror(original* o, uint32_t at, int32_t order, bool is_many) {
    mirrors[at] = (mirror){0};
    ilk_observer_desc desc = {.on = ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD | ILK_ON_SET |
                                    ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE,
                              .order = order,
                              .is_many = is_many,
                              .run = follow,
                              .user = &mirrors[at]};
    assert_non_null(ilk_observer_create(o->world, &desc));
}

static void assert_is_empty(const mirror* m) {
    for (uint32_t slot = 0; slot < SLOTS; slot++) assert_true(ilk_is_null(m->entities[slot]));
}

static void follow_for(original* o, uint32_t operations) {
    for (uint32_t i = 0; i < operations; i++) {
        if (i == operations / 4) make_hostile(o, 0);
        if (i % 8 == 0) o->stats = ilk_stats(o->world);
        operate(o);
        if (i % ROUND) continue;
        compare(o->world, &mirrors[0]);
        compare(o->world, &mirrors[1]);
        assert_valid(o->world);
    }
    assert_true(mirrors[0].notices > operations / 4);
    assert_true(o->hostile > operations / 100);
    close_original(o); // which is told, too
    assert_is_empty(&mirrors[0]);
    assert_is_empty(&mirrors[1]);
}

// R003.29
static void a_mirror_is_the_same_as_the_world(void** state) {
    original* o = &the_world;
    (void)state;
    open_original(o, 29);
    hold_a_mirror(o, 0, INT32_MIN, true);
    hold_a_mirror(o, 1, INT32_MAX, false);
    follow_for(o, OPERATIONS);
}

// What there is no memory for is not done, and not told.
static void a_mirror_is_the_same_without_memory(void** state) {
    original* o = &the_world;
    (void)state;
    open_original(o, 30);
    hold_a_mirror(o, 0, INT32_MIN, false);
    hold_a_mirror(o, 1, INT32_MAX, true);
    o->is_short = true;
    follow_for(o, OPERATIONS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mirror_is_the_same_as_the_world),
        cmocka_unit_test(a_mirror_is_the_same_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
