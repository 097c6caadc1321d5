// What the tests of text share: looking for pieces and lines in it, and memory of every size.
#ifndef ILK_TEST_TEXT_SUPPORT_H
#define ILK_TEST_TEXT_SUPPORT_H

#include "schedule_support.h"

typedef size_t text_fn(const ilk_world* world, char* text, size_t size);

// The whole text, the caller's to free.
static inline char* text_of(text_fn* fn, const ilk_world* world) {
    size_t length = fn(world, NULL, 0);
    char* text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(fn(world, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

static inline void assert_has_at(const char* text, const char* piece, bool is_there,
                                 const char* file, int line) {
    if ((strstr(text, piece) != NULL) == is_there) return;
    print_error("%s: \"%s\"\nin\n%s\n", is_there ? "missing" : "not wanted", piece, text);
    _fail(file, line);
}
#define assert_has(text, piece) assert_has_at((text), (piece), true, __FILE__, __LINE__)
#define assert_has_not(text, piece) assert_has_at((text), (piece), false, __FILE__, __LINE__)

// The text of a world has a piece; or is exactly this.
static inline void assert_shows_at(text_fn* fn, const ilk_world* world, const char* piece,
                                   bool is_there, const char* file, int line) {
    char* text = text_of(fn, world);
    assert_has_at(text, piece, is_there, file, line);
    free(text);
}
#define assert_shows(fn, world, piece)                                                             \
    assert_shows_at((fn), (world), (piece), true, __FILE__, __LINE__)
#define assert_shows_not(fn, world, piece)                                                         \
    assert_shows_at((fn), (world), (piece), false, __FILE__, __LINE__)

static inline void assert_text_at(text_fn* fn, const ilk_world* world, const char* wanted,
                                  const char* file, int line) {
    char* text = text_of(fn, world);
    _assert_string_equal(text, wanted, file, line);
    free(text);
}
#define assert_text(fn, world, wanted) assert_text_at((fn), (world), (wanted), __FILE__, __LINE__)

// Memory of any size is filled as far as it goes, and no byte further; the length is always whole.
static inline void assert_any_size_will_do(text_fn* fn, const ilk_world* world) {
    char* whole = text_of(fn, world);
    size_t length = strlen(whole);
    assert_true(length > 2);
    const size_t sizes[] = {0, 1, 2, length / 2, length - 1, length, length + 1, length + 2};
    for (uint32_t i = 0; i < COUNT_OF(sizes); i++) {
        char* text = malloc(sizes[i] + 1); // so that a sanitizer sees what is beyond, too
        assert_non_null(text);
        memset(text, '#', sizes[i] + 1);
        assert_int_equal(fn(world, text, sizes[i]), length);
        assert_int_equal(text[sizes[i]], '#');
        size_t fits = sizes[i] > length ? length : sizes[i] ? sizes[i] - 1 : 0;
        assert_memory_equal(text, whole, fits);
        if (sizes[i]) assert_int_equal(text[fits], 0);
        free(text);
    }
    assert_int_equal(fn(world, NULL, 1000), length);
    free(whole);
}

static inline void assert_no_world_is_no_text(text_fn* fn) {
    char text[] = "text";
    assert_int_equal(fn(NULL, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    assert_int_equal(fn(NULL, NULL, 0), 0);
}

static inline void walk(ilk_iter* it) {
    while (ilk_next(it)) {
    }
}

#endif
