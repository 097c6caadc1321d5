// Finding entities by name and by path, and writing paths.
#include <string.h>

#include "../relation/names.h"
#include "world.h"

// The slot of the first entity of a name whose parent has this slot. Where names are unique in the
// world, there is one at most, wherever it is.
static uint32_t find_below(const ilk_world* world, uint32_t above, uint32_t text) {
    bool is_anywhere = world->names == ILK_NAMES_UNIQUE;
    uint32_t slot = ilki_name_find(&world->storage, is_anywhere ? ILKI_NONE : above, text);
    if (!is_anywhere || slot == ILKI_NOT_FOUND) return slot;
    return ilki_slot_above(&world->storage, slot) == above ? slot : ILKI_NOT_FOUND;
}

// The slot of a parent, which may be null; false if there is no such parent.
static bool find_parent(const ilk_world* world, ilk_entity parent, uint32_t* slot) {
    *slot = ilk_is_null(parent) ? ILKI_NONE : parent.index;
    return world && (ilk_is_null(parent) || ilki_alive(world, parent));
}

ilk_entity ilk_named(const ilk_world* world, const char* name) {
    uint32_t text = ilk_text_number(world, name);
    if (!text) return ILKI_NULL;
    return ilki_found_in(&world->storage, ilki_name_find(&world->storage, ILKI_NONE, text));
}

ilk_entity ilk_child_named(const ilk_world* world, ilk_entity parent, const char* name) {
    uint32_t above, text = ilk_text_number(world, name);
    if (!text || !find_parent(world, parent, &above)) return ILKI_NULL;
    return ilki_found_in(&world->storage, find_below(world, above, text));
}

uint32_t ilk_all_named(const ilk_world* world, ilk_entity parent, const char* name,
                       ilk_entity* entities, uint32_t capacity) {
    uint32_t above, text = ilk_text_number(world, name), count = 0;
    if (!text || !find_parent(world, parent, &above)) return 0;
    uint32_t slot = find_below(world, above, text);
    while (slot != ILKI_NOT_FOUND) {
        if (entities && count < capacity) {
            entities[count] = ilki_found_in(&world->storage, slot);
        }
        count++;
        slot = ilki_name_at(&world->storage, slot)->next;
    }
    return count;
}

// A part of a path, as it is meant.
typedef struct part {
    char text[ILK_NAME_MAX + 1]; // as much of it as a name can have
    size_t length;
    bool is_literal; // something in it was written with a '\'
} part;

// Reads a part, and returns where it ends: at a '/' or at the end. NULL if it is unsound.
static const char* read_part(const char* from, part* p) {
    p->length = 0;
    p->is_literal = false;
    for (; *from && *from != '/'; from++) {
        if (*from == '\\') {
            p->is_literal = true;
            if (!*++from) return NULL;
        }
        if (p->length < ILK_NAME_MAX) p->text[p->length] = *from;
        p->length++;
    }
    return p->length ? from : NULL;
}

static bool is_part(const part* p, const char* text) {
    return !p->is_literal && p->length == strlen(text) && memcmp(p->text, text, p->length) == 0;
}

// Where a path has led to so far.
typedef struct walk {
    const ilk_world* world;
    uint32_t slot;   // ILKI_NONE: above those without a parent
    bool is_start;   // the next name may be anybody's, where names are unique
    bool is_too_far; // above that, or nobody is called so
} walk;

static void step_up(walk* w) {
    if (w->slot == ILKI_NONE)
        w->is_too_far = true;
    else
        w->slot = ilki_slot_above(&w->world->storage, w->slot);
}

static void step_down(walk* w, const part* p) {
    const ilki_names* names = w->world->storage.names;
    bool may_be = names && p->length <= ILK_NAME_MAX;
    uint32_t text = may_be ? ilki_word_find(&names->glossary, p->text, p->length) : 0;
    uint32_t slot = ILKI_NOT_FOUND;
    if (text && w->is_start) slot = ilki_name_find(&w->world->storage, ILKI_NONE, text);
    if (text && !w->is_start) slot = find_below(w->world, w->slot, text);
    w->is_too_far = slot == ILKI_NOT_FOUND;
    w->slot = slot;
}

static void step(walk* w, const part* p) {
    if (is_part(p, ".")) return;
    if (is_part(p, ".."))
        step_up(w);
    else
        step_down(w, p);
    w->is_start = false;
}

// Goes to the end of a path, also if it leads nowhere before: then it may be unsound, too.
static ilk_result follow(walk* w, const char* path) {
    part p;
    for (;; path++) {
        path = read_part(path, &p);
        if (!path) return ILK_INVALID;
        if (!w->is_too_far) step(w, &p);
        if (!*path) break;
    }
    return w->is_too_far || w->slot == ILKI_NONE ? ILK_MISSING : ILK_OK;
}

ilk_entity ilk_by_path(const ilk_world* world, ilk_entity from, const char* path,
                       ilk_result* result) {
    ilk_result unwanted;
    walk w = {world, ILKI_NONE, ilk_is_null(from), false};
    if (!result) result = &unwanted;
    *result = !world || !path ? ILK_INVALID : find_parent(world, from, &w.slot) ? ILK_OK : ILK_DEAD;
    if (*result != ILK_OK) return ILKI_NULL;
    if (*path == '/') {
        path++;
        w.slot = ILKI_NONE;
        w.is_start = false;
    }
    *result = follow(&w, path);
    return *result == ILK_OK ? ilki_found_in(&world->storage, w.slot) : ILKI_NULL;
}

// Whether the character at a place of a name is written with a '\' in front.
static bool is_escaped(const ilki_word* name, uint32_t at) {
    char c = name->text[at];
    bool is_dots = strcmp(name->text, ".") == 0 || strcmp(name->text, "..") == 0;
    return c == '/' || c == '\\' || (is_dots && at == 0);
}

// The name of an entity, or NULL.
static const ilki_word* called(const ilk_world* world, uint32_t slot) {
    const ilk_name* name = ilki_name_at(&world->storage, slot);
    return name ? ilki_word_at(&world->storage.names->glossary, name->text) : NULL;
}

// How long a name is in a path.
static size_t written_length(const ilki_word* name) {
    size_t length = name->length;
    for (uint32_t i = 0; i < name->length; i++) length += is_escaped(name, i);
    return length;
}

// The length of the whole path, or 0.
static size_t path_length(const ilk_world* world, uint32_t slot) {
    size_t length = 0;
    for (; slot != ILKI_NONE; slot = ilki_slot_above(&world->storage, slot)) {
        const ilki_word* name = called(world, slot);
        if (!name) return 0;
        length += written_length(name) + (length != 0);
    }
    return length;
}

// A character of a text of which only so much is written.
static void put_at(char* text, size_t size, size_t at, char c) {
    if (at + 1 < size) text[at] = c;
}

// Writes a name so that it ends at a place. Returns where it begins.
static size_t put_before(const ilki_word* name, char* text, size_t size, size_t end) {
    for (uint32_t i = name->length; i-- > 0;) {
        put_at(text, size, --end, name->text[i]);
        if (is_escaped(name, i)) put_at(text, size, --end, '\\');
    }
    return end;
}

size_t ilk_path_of(const ilk_world* world, ilk_entity e, char* text, size_t size) {
    bool is_alive = world && ilki_alive(world, e);
    size_t length = is_alive ? path_length(world, e.index) : 0, at = length;
    if (!text) size = 0;
    if (size) text[length < size ? length : size - 1] = 0;
    for (uint32_t slot = e.index; at > 0; slot = ilki_slot_above(&world->storage, slot)) {
        at = put_before(called(world, slot), text, size, at);
        if (at > 0) put_at(text, size, --at, '/');
    }
    return length;
}
