// What the contract tests share: a few component types, a world whose memory is counted and whose
// messages are recorded, and the ways by which a value can come to lie where it lies.
//
// Each test file is a program of its own and includes this header once.
#ifndef ILK_TEST_SUPPORT_H
#define ILK_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <ilk/ilk.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Health {
    int32_t points;
} Health;
typedef struct Anchor {
    uint64_t depth;
} Anchor;

ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_COMPONENT_WITH(Health, .default_value = &(const Health){100});
ILK_COMPONENT(Anchor);
ILK_TAG(Enemy);
ILK_TAG(Frozen);

// A component that owns memory, and how often its hooks were called.
typedef struct hook_log {
    int inits, copies, drops;
} hook_log;

typedef struct Owned {
    char* text;
} Owned;

static inline char* text_copy(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static inline void owned_init(void* value, void* context) {
    ((hook_log*)context)->inits++;
    ((Owned*)value)->text = text_copy("fresh");
}

static inline void owned_copy(void* to, const void* from, void* context) {
    ((hook_log*)context)->copies++;
    *(Owned*)to = (Owned){0}; // it may do so before it looks at the other
    ((Owned*)to)->text = text_copy(((const Owned*)from)->text);
}

static inline void owned_drop(void* value, void* context) {
    ((hook_log*)context)->drops++;
    free(((Owned*)value)->text);
}

#define OWNED_HOOKS                                                                                \
    {.init = owned_init, .copy = owned_copy, .drop = owned_drop, .context = &hooks_called}

hook_log hooks_called;
ILK_COMPONENT_WITH(Owned, .hooks = OWNED_HOOKS);

// The counts since the last time that they were asked for.
static inline hook_log hooks_taken(void) {
    hook_log taken = hooks_called;
    hooks_called = (hook_log){0};
    return taken;
}

static inline void assert_hooks_at(int inits, int copies, int drops, const char* file, int line) {
    hook_log taken = hooks_taken();
    _assert_int_equal((LargestIntegralType)taken.inits, (LargestIntegralType)inits, file, line);
    _assert_int_equal((LargestIntegralType)taken.copies, (LargestIntegralType)copies, file, line);
    _assert_int_equal((LargestIntegralType)taken.drops, (LargestIntegralType)drops, file, line);
}
#define assert_hooks(inits, copies, drops)                                                         \
    assert_hooks_at((inits), (copies), (drops), __FILE__, __LINE__)

// An allocator that counts what it gave, notices a free that differs from its alloc, and has
// nothing more to give after `left` calls.
typedef struct meter {
    size_t bytes;
    uint64_t calls;
    uint64_t left;
    bool mismatch;
} meter;

enum {
    METER_HEAD = 64,
    METER_MAX = 1 << 30 // what is larger is not to be had
};

static inline size_t meter_align(size_t align) {
    return align > METER_HEAD ? align : METER_HEAD;
}

static inline void* meter_alloc(void* context, size_t size, size_t align) {
    meter* m = context;
    m->calls++;
    if (m->left == 0 || size > METER_MAX) {
        return NULL;
    }
    m->left--;
    size_t head = meter_align(align);
    size_t whole = (head + size + head - 1) / head * head;
    char* base = aligned_alloc(head, whole);
    if (!base) {
        return NULL;
    }
    size_t note[2] = {size, align};
    memcpy(base + head - sizeof(note), note, sizeof(note));
    m->bytes += size;
    return base + head;
}

static inline void meter_free(void* context, void* memory, size_t size, size_t align) {
    meter* m = context;
    size_t note[2];
    memcpy(note, (char*)memory - sizeof(note), sizeof(note));
    m->mismatch = m->mismatch || note[0] != size || note[1] != align;
    m->bytes -= note[0];
    free((char*)memory - meter_align(note[1]));
}

// The messages of a world: how many, and the last one.
typedef struct recorder {
    uint32_t count;
    ilk_message last;
    char text[1024];
    char call[64];
    char type[256];
} recorder;

static inline void keep_text(char* kept, size_t size, const char* text) {
    snprintf(kept, size, "%s", text ? text : "");
}

static inline void record(void* context, const ilk_message* message) {
    recorder* r = context;
    r->count++;
    r->last = *message;
    keep_text(r->text, sizeof(r->text), message->text);
    keep_text(r->call, sizeof(r->call), message->call);
    keep_text(r->type, sizeof(r->type), message->type);
    r->last.text = r->text;
    r->last.call = r->call;
    r->last.type = message->type ? r->type : NULL;
}

typedef struct fixture {
    ilk_world* world;
    meter memory;
    recorder told;
} fixture;

// A description whose memory and messages go through the fixture.
static inline ilk_world_desc fixture_desc(fixture* f) {
    return (ilk_world_desc){
        .allocator = {meter_alloc, meter_free, &f->memory},
        .message = record,
        .message_context = &f->told,
    };
}

static inline void assert_valid_at(const ilk_world* world, const char* file, int line) {
    char text[512] = "";
    if (ilk_world_validate(world, text, sizeof(text)) != ILK_OK) {
        print_error("%s\n", text);
        _fail(file, line);
    }
}
#define assert_valid(world) assert_valid_at((world), __FILE__, __LINE__)

static inline int open_world(void** state) {
    fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->memory.left = UINT64_MAX;
    ilk_world_desc desc = fixture_desc(f);
    f->world = ilk_world_create(&desc);
    assert_non_null(f->world);
    hooks_taken();
    *state = f;
    return 0;
}

// Every test ends with a sound world that gives back all that it took.
static inline int close_world(void** state) {
    fixture* f = *state;
    assert_valid(f->world);
    ilk_world_destroy(f->world);
    assert_int_equal(f->memory.bytes, 0);
    assert_false(f->memory.mismatch);
    free(f);
    return 0;
}

#define WORLD_TEST(function) cmocka_unit_test_setup_teardown(function, open_world, close_world)

// Another world beside the fixture's, with a tag; its messages and memory are counted there too.
static inline ilk_world* second_world(fixture* f, uint8_t tag) {
    ilk_world_desc desc = fixture_desc(f);
    desc.tag = tag;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    return world;
}

// Exactly one message came since the last look, and it is this one.
static inline void assert_told_at(fixture* f, ilk_result result, const char* call, const char* file,
                                  int line) {
    _assert_int_equal(f->told.count, 1, file, line);
    _assert_int_equal((LargestIntegralType)f->told.last.result, (LargestIntegralType)result, file,
                      line);
    _assert_string_equal(f->told.last.call, call, file, line);
    _assert_true(strlen(f->told.text) > 0, "a message has a text", file, line);
    f->told.count = 0;
}
#define assert_told(f, result, call) assert_told_at((f), (result), (call), __FILE__, __LINE__)

// No message came since the last look.
static inline void assert_quiet_at(fixture* f, const char* file, int line) {
    if (f->told.count) {
        print_error("told: %s\n", f->told.text);
    }
    _assert_int_equal(f->told.count, 0, file, line);
}
#define assert_quiet(f) assert_quiet_at((f), __FILE__, __LINE__)

#define assert_ok(call) assert_int_equal((call), ILK_OK)
#define assert_entity(a, b)                                                                        \
    do {                                                                                           \
        assert_int_equal((a).index, (b).index);                                                    \
        assert_int_equal((a).generation, (b).generation);                                          \
    } while (0)

static inline void settle_fully(ilk_world* world) {
    assert_true(ilk_settle(world, 0).done);
}

// The ways by which a value can come to lie where it lies: its entity was born with it, was given
// it later, or was given it and then moved to the others of its kind.
typedef enum origin {
    BORN_WITH,
    ADDED_LATER,
    SETTLED,
    PLACES
} origin;

enum {
    CROWD = 200
};

// Settle an entity among many of its kind, which then leave.
static inline void settle_in_crowd(ilk_world* world, const ilk_value* values, uint32_t count) {
    ilk_entity crowd[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        crowd[i] = ilk_spawn(world, values, count);
    }
    settle_fully(world);
    assert_ok(ilk_destroy_many(world, crowd, CROWD));
}

// An entity that has the value. Whoever looks at hooks or counts looks after this.
static inline ilk_entity put(ilk_world* world, origin where, ilk_value value) {
    ilk_entity e =
        where == BORN_WITH ? ilk_spawn(world, &value, 1) : ILK_SPAWN(world, ILK_WITH(Anchor));
    if (where != BORN_WITH) {
        assert_ok(ilk_add(world, e, value));
    }
    if (where == SETTLED) {
        ilk_value with[2] = {ILK_WITH(Anchor), {value.type, NULL}};
        settle_in_crowd(world, with, 2);
    }
    hooks_taken();
    return e;
}

// An entity that lacks the type: it never had it, was born with it and lost it, or lost it and
// then moved to the others of its kind.
static inline ilk_entity put_without(ilk_world* world, origin where, ilk_type* type) {
    if (where == BORN_WITH) {
        return ILK_SPAWN(world, ILK_WITH(Anchor));
    }
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Anchor), {type, NULL});
    assert_ok(ilk_remove(world, e, type));
    if (where == SETTLED) {
        settle_in_crowd(world, &ILK_WITH(Anchor), 1);
    }
    hooks_taken();
    return e;
}

// Run a check for each place, each in a world of its own.
typedef void place_check(fixture* f, origin where);

static inline void at_each_place(place_check* check) {
    for (int where = 0; where < PLACES; where++) {
        void* state = NULL;
        open_world(&state);
        check(state, (origin)where);
        close_world(&state);
    }
}

static inline bool same_position(const Position* p, float x, float y) {
    return p && p->x == x && p->y == y;
}

// Numbers that look random and are the same in every run.
static inline uint32_t next_random(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

#endif
