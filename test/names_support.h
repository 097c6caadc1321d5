// What tests of copies and blueprints share: values that name entities, and such as cannot be
// copied.
#ifndef ILK_TEST_NAMES_SUPPORT_H
#define ILK_TEST_NAMES_SUPPORT_H

#include "observer_support.h"

// Names three entities, not all of which are aligned.
typedef struct Pack {
    uint32_t size;
    ilk_entity friends[2];
    ilk_entity leader;
} Pack;
ILK_COMPONENT_WITH(Pack, .fields = ILK_FIELDS(ILK_FIELD(Pack, size), ILK_FIELD(Pack, friends),
                                              ILK_FIELD(Pack, leader)));

// Counts the values that are dropped, and cannot be copied.
typedef struct Single {
    int* drops;
} Single;

static inline void single_drop(void* value, void* context) {
    (void)context;
    ++*((Single*)value)->drops;
}
ILK_COMPONENT_WITH(Single, .hooks = {.drop = single_drop});

// A value whose bytes are good until the next one is asked for.
static inline ilk_value single_value(int* drops) {
    static Single single;
    single.drops = drops;
    return (ilk_value){&Single_type, &single};
}

#endif
