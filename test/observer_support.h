// What tests of observers share: observers that write down what they are told.
#ifndef ILK_TEST_OBSERVER_SUPPORT_H
#define ILK_TEST_OBSERVER_SUPPORT_H

#include "support.h"

// What was told, each as "name on index[+more] [type][=value][<old] reason; ".
static char notices[8192];

static inline const char* on_text(ilk_on on) {
    switch (on) {
    case ILK_ON_CREATE:
        return "created";
    case ILK_ON_DESTROY:
        return "destroyed";
    case ILK_ON_ADD:
        return "added";
    case ILK_ON_SET:
        return "set";
    case ILK_ON_REMOVE:
        return "removed";
    case ILK_ON_ENABLE:
        return "enabled";
    case ILK_ON_DISABLE:
        return "disabled";
    case ILK_ON_MATCH:
        return "matches";
    default:
        return "ceases";
    }
}

static inline const char* reason_text(ilk_reason reason) {
    switch (reason) {
    case ILK_REASON_SPAWN:
        return "spawn";
    case ILK_REASON_LOAD:
        return "load";
    case ILK_REASON_CHANGE:
        return "change";
    case ILK_REASON_DESTROY:
        return "destroy";
    default:
        return "unload";
    }
}

static inline void write_down(const char* format, ...) {
    size_t length = strlen(notices);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notices + length, sizeof notices - length, format, arguments);
    va_end(arguments);
}

static inline ilk_result note(ilk_notice* n) {
    assert_true(n->count >= 1);
    assert_int_equal(n->entity.index, n->entities[0].index);
    assert_int_equal(n->entity.generation, n->entities[0].generation);
    write_down("%s %s %u", ilk_observer_name(n->observer), on_text(n->on), n->entity.index);
    if (n->count > 1) write_down("+%u", n->count - 1);
    if (n->type) write_down(" %s", n->type->name);
    if (n->type && !strcmp(n->type->name, "Health")) {
        write_down("=%d", ((const Health*)n->value)->points);
        if (n->old) write_down("<%d", ((const Health*)n->old)->points);
    }
    write_down(" %s; ", reason_text(n->reason));
    return ILK_OK;
}

static inline ilk_observer* watch(ilk_world* world, const char* name, uint32_t on, ilk_type* type) {
    ilk_observer* observer = ilk_observer_create(
        world, &(ilk_observer_desc){.name = name, .on = on, .type = type, .run = note});
    assert_non_null(observer);
    return observer;
}

#define EVERYTHING                                                                                 \
    (ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE | ILK_ON_ENABLE |    \
     ILK_ON_DISABLE)

// A test with a world, of which nothing has been told yet.
static inline int open_noted_world(void** state) {
    notices[0] = 0;
    return open_world(state);
}
#define NOTED_TEST(function)                                                                       \
    cmocka_unit_test_setup_teardown(function, open_noted_world, close_world)

// Compare what was told since the last time.
#define assert_notices(text)                                                                       \
    do {                                                                                           \
        assert_string_equal(notices, text);                                                        \
        notices[0] = 0;                                                                            \
    } while (0)

#endif
