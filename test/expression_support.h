// What the tests of conditions share: an expression whose memory is counted, and the steps of it.
#ifndef ILK_TEST_EXPRESSION_SUPPORT_H
#define ILK_TEST_EXPRESSION_SUPPORT_H

#include "query/expression.h"

#include "component/registry.h"
#include "support.h"

enum {
    LETTERS = 6, // the types A to F
    TEXT_SIZE = 1 << 14
};

typedef struct expression_fixture {
    meter m;
    size_t peak; // most bytes that were held at once
    ilki_memory memory;
    ilki_expression expression;
    char why[256];
} expression_fixture;

static inline void* peak_alloc(void* context, size_t size, size_t align) {
    expression_fixture* f = context;
    void* block = meter_alloc(&f->m, size, align);
    if (f->m.bytes > f->peak) f->peak = f->m.bytes;
    return block;
}

static inline void peak_free(void* context, void* memory, size_t size, size_t align) {
    meter_free(&((expression_fixture*)context)->m, memory, size, align);
}

static inline int open_expression(void** state) {
    expression_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){peak_alloc, peak_free, f});
    *state = f;
    return 0;
}

static inline int close_expression(void** state) {
    expression_fixture* f = *state;
    ilki_expression_fini(&f->expression, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_int_equal(f->memory.bytes[ILKI_OTHER], 0);
    assert_false(f->m.mismatch);
    free(f);
    return 0;
}
#define EXPRESSION_TEST(function)                                                                  \
    cmocka_unit_test_setup_teardown(function, open_expression, close_expression)

static const char* const names[] = {
    "A",   "B",        "C",     "D",       "E", "F",   "my type",
    "1st", "a.b::c_1", "größe", "(A | B)", " ", "x-y", "_x",
};

static inline int introduce_types(void** state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        ilk_type type = {.name = names[i], .size = 4};
        ilk_type* known;
        const char* why;
        assert_int_equal(ilki_type_resolve(&type, true, &known, &why), ILK_OK);
    }
    return 0;
}

static inline ilk_result parse(expression_fixture* f, const char* text) {
    ilki_expression_fini(&f->expression, &f->memory);
    strcpy(f->why, "untouched");
    return ilki_expression_parse(&f->expression, &f->memory, text, f->why, sizeof f->why);
}

static inline void assert_parses_at(expression_fixture* f, const char* text, const char* file,
                                    int line) {
    ilk_result result = parse(f, text);
    if (result != ILK_OK) print_error("%s\n", f->why);
    _assert_int_equal((LargestIntegralType)result, ILK_OK, file, line);
    _assert_string_equal(f->why, "untouched", file, line);
}
#define assert_parses(f, text) assert_parses_at((f), (text), __FILE__, __LINE__)

// The steps in order, with a blank between them.
static inline void postfix(const ilki_expression* e, char text[TEXT_SIZE]) {
    size_t length = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const ilki_step* step = &e->steps[i];
        static const char* const signs[] = {"", "&", "|", "!"};
        const char* shown = step->op == ILKI_OP_TYPE ? step->type->name : signs[step->op];
        int added = snprintf(text + length, TEXT_SIZE - length, i ? " %s" : "%s", shown);
        length += (size_t)added;
        assert_true(length < TEXT_SIZE);
    }
}

static inline void assert_steps(expression_fixture* f, const char* text, const char* steps) {
    static char found[TEXT_SIZE];
    assert_parses(f, text);
    postfix(&f->expression, found);
    assert_string_equal(found, steps);
}

static inline void assert_written(expression_fixture* f, const char* text, const char* written) {
    static char found[TEXT_SIZE];
    assert_parses(f, text);
    assert_int_equal(ilki_expression_text(&f->expression, found, sizeof found), strlen(written));
    assert_string_equal(found, written);
}

static inline void assert_refused(expression_fixture* f, const char* text, ilk_result result,
                                  const char* why) {
    assert_int_equal(parse(f, text), result);
    assert_string_equal(f->why, why);
    assert_true(strlen(f->why) < ILKI_WHY_SIZE);
    assert_null(f->expression.steps);
    assert_int_equal(f->expression.count, 0);
    assert_int_equal(f->expression.capacity, 0);
    assert_int_equal(f->m.bytes, 0);
}

// A text of `count` times a piece, then an end and `count` times a closing piece. To be freed.
static inline char* repeated(const char* piece, uint32_t count, const char* end,
                             const char* closing) {
    size_t open = strlen(piece), close = strlen(closing);
    char* text = malloc(count * (open + close) + strlen(end) + 1);
    assert_non_null(text);
    char* at = text;
    for (uint32_t i = 0; i < count; i++, at += open) memcpy(at, piece, open);
    memcpy(at, end, strlen(end));
    at += strlen(end);
    for (uint32_t i = 0; i < count; i++, at += close) memcpy(at, closing, close);
    *at = 0;
    return text;
}

#endif
