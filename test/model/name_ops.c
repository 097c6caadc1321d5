// Operations on names and ids: giving them, looking them up, following paths.
#include "naming.h"
#include "run.h"

#include <stdio.h>

#define PARTS_MAX 4u
#define PATH_MAX_BYTES 4000u

static const char* texts[NAMING_COUNT + 1] = {NULL,
                                              "a",
                                              "b",
                                              "c",
                                              "d",
                                              "e",
                                              "f",
                                              "g",
                                              "h",
                                              "castle",
                                              "hall",
                                              "door",
                                              "a/b",
                                              "\\",
                                              ".",
                                              "..",
                                              "x\\/y",
                                              "...",
                                              "\xc3\xa9t\xc3\xa9"};
static char long_texts[2][ILK_NAME_MAX + 2];

// The last two are as long as can be, and longer.
const char* naming_text(uint32_t number) {
    if (number + 2 <= NAMING_COUNT) return texts[number];
    char* text = long_texts[number == NAMING_COUNT];
    memset(text, 'x', ILK_NAME_MAX + (number == NAMING_COUNT));
    return text;
}

uint32_t naming_choose(uint32_t seed) {
    uint32_t some = seed >> 8;
    if (seed % 32 == 0) return some % (NAMING_COUNT + 1);
    return seed % 4 ? 1 + some % 8 : some % (NAMING_COUNT - 1);
}

ilk_id naming_id(uint32_t seed) {
    if (seed % 16 == 0) return (ilk_id){0, 0};
    return (ilk_id){seed >> 8 & 3, 1 + (seed >> 10 & 31)};
}

static run_call about_own(const char* name, ilk_entity e, uint32_t type) {
    return (run_call){
        .name = name, .about_entity = true, .entity = e, .about_type = true, .type = type};
}

void run_set_name(run* r, run_side* s, const script_op* op) {
    uint32_t name = naming_choose(op->seed);
    ilk_entity e = run_pick_fit(r, s, op, s->model->name_type, name == 0 || op->seed >> 30 == 0);
    run_begin(r, s, about_own("ilk_set_name", e, s->model->name_type));
    if (!name) run_forbid(s);
    ilk_result result = ilk_set_name(s->world, e, naming_text(name));
    run_permit(s);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, model_set_name(s->model, e, name));
}

void run_set_id(run* r, run_side* s, const script_op* op) {
    ilk_id id = naming_id(op->seed);
    bool is_none = !id.high && !id.low;
    ilk_entity e = run_pick_fit(r, s, op, s->model->id_type, is_none || op->seed >> 30 == 0);
    run_begin(r, s, about_own("ilk_set_id", e, s->model->id_type));
    if (is_none) run_forbid(s);
    ilk_result result = ilk_set_id(s->world, e, id);
    run_permit(s);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, model_set_id(s->model, e, id));
}

static void expect_found(run* r, const run_side* s, ilk_entity found, ilk_entity wanted) {
    bool is_right = ilk_is_null(wanted) ? ilk_is_null(found) : ilk_same(found, wanted);
    RUN_CHECK(r, is_right, "%s: %s found {%u, %u}, not {%u, %u}", s->name, r->call.name,
              found.index, found.generation, wanted.index, wanted.generation);
}

void run_compare_names(run* r, const run_side* s, ilk_entity e) {
    const char* name = ilk_name_of(s->world, e);
    const char* wanted = naming_text(model_name_of(s->model, e));
    bool is_right = name && wanted ? strcmp(name, wanted) == 0 : name == wanted;
    RUN_CHECK(r, is_right, "%s: {%u, %u} is called %s, not %s", s->name, e.index, e.generation,
              name ? name : "nothing", wanted ? wanted : "nothing");
    ilk_id id = ilk_id_of(s->world, e), its = model_id_of(s->model, e);
    RUN_CHECK(r, ilk_same_id(id, its), "%s: {%u, %u} has another id", s->name, e.index,
              e.generation);
    bool is_found = (!its.high && !its.low) || ilk_same(ilk_entity_by_id(s->world, its), e);
    RUN_CHECK(r, is_found, "%s: {%u, %u} is not found by its id", s->name, e.index, e.generation);
}

static void ask_all(run* r, const run_side* s, ilk_entity parent, uint32_t name, uint32_t seed) {
    static ilk_entity found[8], wanted[8];
    uint32_t count = model_all_named(s->model, parent, name, NULL), capacity = seed % 8;
    uint32_t given =
        ilk_all_named(s->world, parent, naming_text(name), capacity ? found : NULL, capacity);
    RUN_CHECK(r, given == count, "%s: %u have the name, not %u", s->name, given, count);
    if (count > 8) return;
    model_all_named(s->model, parent, name, wanted);
    for (uint32_t i = 0; i < count && i < capacity; i++) expect_found(r, s, found[i], wanted[i]);
}

static void ask_names(run* r, const run_side* s, const script_op* op, ilk_entity e) {
    uint32_t name = naming_choose(op->seed);
    const char* text = naming_text(name);
    ilk_entity parent = op->seed >> 29 & 1 ? model_parent(s->model, e) : e;
    bool is_dead = !ilk_is_null(parent) && !model_alive(s->model, parent);
    expect_found(r, s, ilk_named(s->world, text), model_named(s->model, name));
    expect_found(r, s, ilk_child_named(s->world, parent, text),
                 model_child_named(s->model, parent, name));
    if (!is_dead) ask_all(r, s, parent, name, op->seed >> 20);
    ilk_id id = naming_id(op->seed);
    expect_found(r, s, ilk_entity_by_id(s->world, id), model_by_id(s->model, id));
    uint32_t number = ilk_text_number(s->world, text);
    const char* again = ilk_text_at(s->world, number);
    RUN_CHECK(r, number ? again && strcmp(again, text) == 0 : !again, "%s: a text of no number",
              s->name);
}

// Paths, in the plainest way

static void add_part(char* path, const char* name) {
    size_t at = strlen(path);
    bool is_dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    if (is_dots) path[at++] = '\\';
    for (; *name; name++) {
        if (*name == '/' || *name == '\\') path[at++] = '\\';
        path[at++] = *name;
    }
    path[at] = 0;
}

// False if somebody on the way has no name, or it is too long to be compared.
static bool write_path(const run_side* s, ilk_entity e, char* path) {
    uint32_t name = model_name_of(s->model, e);
    ilk_entity parent = model_parent(s->model, e);
    path[0] = 0;
    if (!name) return false;
    if (!ilk_is_null(parent)) {
        if (!write_path(s, parent, path)) return false;
        strcat(path, "/");
    }
    if (strlen(path) > PATH_MAX_BYTES / 2) return false;
    add_part(path, naming_text(name));
    return true;
}

static void ask_path_of(run* r, const run_side* s, ilk_entity e, uint32_t seed) {
    char path[PATH_MAX_BYTES] = "", text[PATH_MAX_BYTES];
    bool is_there = model_alive(s->model, e) && write_path(s, e, path);
    if (strlen(path) > PATH_MAX_BYTES / 2 - 600) return;
    if (!is_there) path[0] = 0;
    size_t size = seed % 3 ? sizeof text : seed % 12;
    memset(text, '?', sizeof text);
    size_t length = ilk_path_of(s->world, e, size ? text : NULL, size);
    RUN_CHECK(r, length == strlen(path), "%s: the path is %zu long, not %s", s->name, length, path);
    size_t kept = size == 0 ? 0 : length < size ? length : size - 1;
    RUN_CHECK(r, memcmp(text, path, kept) == 0, "%s: the path differs: %s", s->name, path);
    if (size) RUN_CHECK(r, text[kept] == 0, "%s: the path does not end", s->name);
    if (size < sizeof text)
        RUN_CHECK(r, text[size ? kept + 1 : 0] == '?', "%s: the path is too long", s->name);
    if (!is_there || s->model->names == ILK_NAMES_FREE) return;
    expect_found(r, s, ilk_by_path(s->world, (ilk_entity){0}, path, NULL), e);
}

// Where a path leads to, of which each part is written as it is gone.
typedef struct trail {
    ilk_entity at; // null: above all
    bool is_lost, is_start, is_broken;
    char text[PATH_MAX_BYTES];
} trail;

static void go_up(const run_side* s, trail* t) {
    strcat(t->text, "..");
    if (ilk_is_null(t->at)) t->is_lost = true;
    if (!t->is_lost) t->at = model_parent(s->model, t->at);
}

static void go_down(const run_side* s, trail* t, uint32_t name) {
    add_part(t->text, naming_text(name));
    if (t->is_lost) return;
    t->at = t->is_start ? model_named(s->model, name) : model_child_named(s->model, t->at, name);
    t->is_lost = ilk_is_null(t->at);
}

// A child's name, most of the time, so that the path leads somewhere.
static uint32_t next_name(const run_side* s, const trail* t, uint32_t seed) {
    const model_world* m = s->model;
    for (uint32_t i = 0; i < 16 && seed % 4 && m->slot_count; i++) {
        ilk_entity e = model_entity_at(m, (seed / 4 + i) % m->slot_count);
        bool is_child = t->is_start || ilk_same(model_parent(m, e), t->at);
        if (is_child && model_name_of(m, e)) return model_name_of(m, e);
    }
    return 1 + seed % (NAMING_COUNT - 1);
}

static void go_on(const run_side* s, trail* t, uint64_t random) {
    uint32_t seed = (uint32_t)(random >> 16);
    bool is_first = !t->text[0] || strcmp(t->text, "/") == 0;
    if (!is_first) strcat(t->text, "/");
    switch (random % 12) {
    case 0:
        strcat(t->text, ".");
        return;
    case 1:
        go_up(s, t);
        break;
    case 2:
        if (seed % 8 || is_first)
            strcat(t->text, ".");
        else
            t->is_broken = true; // the part is empty
        return;
    default:
        go_down(s, t, next_name(s, t, seed));
    }
    t->is_start = false;
}

static void ask_path(run* r, const run_side* s, const script_op* op, ilk_entity e) {
    uint64_t state = op->seed;
    trail t = {.at = op->flags & 1 ? e : (ilk_entity){0}};
    ilk_entity from = t.at;
    bool is_dead = !ilk_is_null(from) && !model_alive(s->model, from);
    if (op->flags & 2) {
        strcpy(t.text, "/");
        t.at = (ilk_entity){0};
    }
    t.is_start = ilk_is_null(from) && !(op->flags & 2);
    uint32_t parts = 1 + op->count % PARTS_MAX;
    for (uint32_t i = 0; i < parts; i++) go_on(s, &t, script_random(&state));
    if (op->seed >> 28 == 0) {
        strcat(t.text, "\\");
        t.is_broken = true;
    }
    ilk_result result = ILK_BROKEN;
    ilk_entity found = ilk_by_path(s->world, from, t.text, &result);
    t.is_lost |= ilk_is_null(t.at);
    ilk_result wanted = is_dead       ? ILK_DEAD
                        : t.is_broken ? ILK_INVALID
                        : t.is_lost   ? ILK_MISSING
                                      : ILK_OK;
    RUN_CHECK(r, result == wanted, "%s: the path %s gave %s, not %s", s->name, t.text,
              ilk_result_name(result), ilk_result_name(wanted));
    expect_found(r, s, found, wanted == ILK_OK ? t.at : (ilk_entity){0});
}

void run_name_ask(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s, (run_call){.name = "ilk_named", .about_entity = true, .entity = e});
    run_forbid(s);
    ask_names(r, s, op, e);
    ask_path_of(r, s, e, op->seed >> 4);
    ask_path(r, s, op, e);
    run_permit(s);
    run_compare_names(r, s, e);
}
