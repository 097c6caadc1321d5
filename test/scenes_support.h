// What the tests of scenes share: scenes that note their hooks, and what is looked at after a
// change.
#ifndef ILK_TEST_SCENES_SUPPORT_H
#define ILK_TEST_SCENES_SUPPORT_H

#include "schedule_support.h"

// A scene that notes its hooks as "menu+", "menu-", "menu|" and "menu>".
static inline void note_hook(const char* name, const char* sign) {
    char word[64];
    snprintf(word, sizeof(word), "%s%s", name, sign);
    note(word);
}

static inline void note_enter(ilk_world* world, void* user) {
    assert_string_equal(ilk_scene_top(world), user);
    note_hook(user, "+");
}

static inline void note_exit(ilk_world* world, void* user) {
    assert_string_equal(ilk_scene_top(world), user);
    note_hook(user, "-");
}

static inline void note_pause(ilk_world* world, void* user) {
    assert_non_null(world);
    note_hook(user, "|");
}

static inline void note_resume(ilk_world* world, void* user) {
    assert_non_null(world);
    note_hook(user, ">");
}

static inline void scene_of(ilk_world* world, ilk_scene_desc desc) {
    if (!desc.user) desc.user = (void*)(uintptr_t)desc.name;
    if (!desc.enter) desc.enter = note_enter;
    if (!desc.exit) desc.exit = note_exit;
    if (!desc.pause) desc.pause = note_pause;
    if (!desc.resume) desc.resume = note_resume;
    assert_ok(ilk_scene_add(world, &desc));
}
#define SCENE(world, ...) scene_of((world), (ilk_scene_desc){.name = __VA_ARGS__})
#define SYSTEMS(...) ((const char* const[]){__VA_ARGS__, NULL})

static const char* const no_systems[] = {NULL};

// The stack from the bottom up, in words.
static inline void assert_stack_at(const ilk_world* world, const char* words, const char* file,
                                   int line) {
    char text[256] = "";
    uint32_t depth = ilk_scene_depth(world);
    for (uint32_t i = 0; i < depth; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof(text) - length, "%s%s", i ? " " : "",
                 ilk_scene_at(world, i));
    }
    _assert_string_equal(text, words, file, line);
    _assert_true(!ilk_scene_at(world, depth), "nothing lies above the top", file, line);
    const char* top = ilk_scene_top(world);
    const char* last = depth ? ilk_scene_at(world, depth - 1) : NULL;
    _assert_true(top == last, "the top is the last", file, line);
}
#define assert_stack(world, words) assert_stack_at((world), (words), __FILE__, __LINE__)

// Which systems an update and a drawing run.
static inline void assert_runs_at(ilk_world* world, const char* words, const char* file, int line) {
    journal[0] = 0;
    _assert_int_equal(ilk_update(world, 1), ILK_OK, file, line);
    _assert_int_equal(ilk_draw(world, NULL), ILK_OK, file, line);
    noted_at(words, file, line);
}
#define assert_runs(world, words) assert_runs_at((world), (words), __FILE__, __LINE__)

static inline void make_systems(ilk_world* world) {
    SYSTEM(world, "a");
    SYSTEM(world, "b");
    SYSTEM(world, "c");
    SYSTEM(world, "level", .phase = "draw");
    SYSTEM(world, "score", .phase = "draw");
}

#endif
