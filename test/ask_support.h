// What the tests of queries and of walks share: a way to ask, and a component for which it matters
// how it is stored.
#ifndef ILK_TEST_ASK_SUPPORT_H
#define ILK_TEST_ASK_SUPPORT_H

#include "support.h"

// Large enough to be kept in slots where few rows of a large chunk have it.
typedef struct Cargo {
    int32_t number;
    char bytes[124];
} Cargo;
ILK_COMPONENT(Cargo);

static inline ilk_query* query_of(ilk_world* world, ilk_query_desc desc) {
    ilk_query* query = ilk_query_create(world, &desc);
    assert_non_null(query);
    return query;
}
#define QUERY(world, ...) query_of((world), (ilk_query_desc){__VA_ARGS__})

#endif
