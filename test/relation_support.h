// What tests of relations share: one relation of each kind.
#ifndef ILK_TEST_RELATION_SUPPORT_H
#define ILK_TEST_RELATION_SUPPORT_H

#include "observer_support.h"

ILK_RELATION(Likes);
ILK_RELATION_WITH(Owes, .value = &Health_type);
ILK_RELATION_WITH(Tells, .value = &Owned_type);
ILK_RELATION_WITH(Faces, .is_exclusive = true);
ILK_RELATION_WITH(PartOf, .at_end = ILK_END_SOURCE);
ILK_RELATION_WITH(Needs, .at_end = ILK_END_REFUSED);
ILK_RELATION_WITH(Under, .is_tree = true);

#define NOBODY ((ilk_entity){0, 0})
#define PARENT(e) ILK_TO(ilk_child_of, (e))

// The targets, or the sources, of an entity: exactly these, in order.
static inline void assert_list_at(const ilk_entity* found, uint32_t count, const ilk_entity* wanted,
                                  uint32_t wanted_count, const char* file, int line) {
    _assert_int_equal(count, wanted_count, file, line);
    for (uint32_t i = 0; i < count; i++) {
        _assert_int_equal(found[i].index, wanted[i].index, file, line);
        _assert_int_equal(found[i].generation, wanted[i].generation, file, line);
    }
}

#define LISTED 64u
#define assert_related_to(asked, ...)                                                              \
    do {                                                                                           \
        const ilk_entity wanted[] = {NOBODY, __VA_ARGS__};                                         \
        ilk_entity found[LISTED];                                                                  \
        uint32_t count = asked;                                                                    \
        assert_list_at(found, count, wanted + 1, COUNT_OF(wanted) - 1, __FILE__, __LINE__);        \
    } while (0)
#define assert_targets(world, e, T, ...)                                                           \
    assert_related_to(ilk_targets((world), (e), &T##_type, found, LISTED), __VA_ARGS__)
#define assert_sources(world, e, T, ...)                                                           \
    assert_related_to(ilk_sources((world), (e), &T##_type, found, LISTED), __VA_ARGS__)
#define assert_no_targets(world, e, T)                                                             \
    do {                                                                                           \
        assert_int_equal(ilk_target_count((world), (e), &T##_type), 0);                            \
        assert_false(ilk_has((world), (e), &T##_type));                                            \
    } while (0)

static inline void create_some(ilk_world* world, ilk_entity* some, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) some[i] = ilk_create(world);
}

#endif
