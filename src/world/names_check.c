// What relation/names.h says of names and ids, checked one by one, as in validate.c.
#include <stdio.h>

#include "../relation/names.h"
#include "world.h"

// What was seen so far.
typedef struct name_check {
    const ilk_world* world;
    const ilki_storage* storage;
    char* text;
    size_t size;
    uint64_t users; // a sum over all who have a name: each text as often as it is used
    uint32_t named, identified;
    uint32_t lists; // of one name, below a parent
} name_check;

static bool is_broken_in(const name_check* c, uint32_t slot, const char* what) {
    if (c->size) snprintf(c->text, c->size, "names: slot %u: %s", slot, what);
    return false;
}

static uint64_t weight_of(uint32_t text) {
    return (uint64_t)text * text + 1;
}

// The name of a slot that another one is linked to, or NULL if it is not of the same list.
static const ilk_name* neighbour(const name_check* c, const ilk_name* name, uint32_t slot) {
    if (ilk_is_null(ilk_entity_at(c->world, slot))) return NULL;
    const ilk_name* other = ilki_name_at(c->storage, slot);
    return other && other->text == name->text && other->under == name->under ? other : NULL;
}

// An entity, and those before and after it in its list, are linked to each other.
static bool links_are_sound(name_check* c, uint32_t slot, const ilk_name* name) {
    uint32_t first = ilki_name_find(c->storage, name->under, name->text);
    const ilk_name* head = neighbour(c, name, first);
    if (!head) return is_broken_in(c, slot, "nobody of its name is found");
    const ilk_name* before = neighbour(c, name, name->previous);
    if (!before || before->next != (slot == first ? ILKI_NONE : slot)) {
        return is_broken_in(c, slot, "the one before it leads elsewhere");
    }
    const ilk_name* after = name->next == ILKI_NONE ? head : neighbour(c, name, name->next);
    if (!after || after->previous != slot) {
        return is_broken_in(c, slot, "the one after it leads elsewhere");
    }
    bool is_alone = slot == first && name->next == ILKI_NONE;
    if (c->world->names != ILK_NAMES_FREE && !is_alone) {
        return is_broken_in(c, slot, "its name is not unique");
    }
    c->lists += slot == first && name->under != ILKI_NONE;
    return true;
}

static bool name_is_sound(name_check* c, uint32_t slot, const ilk_name* name) {
    bool is_anywhere = c->world->names == ILK_NAMES_UNIQUE;
    uint32_t under = is_anywhere ? ILKI_NONE : ilki_slot_above(c->storage, slot);
    if (!c->storage->names || !ilki_word_at(&c->storage->names->glossary, name->text)) {
        return is_broken_in(c, slot, "its name has no text");
    }
    if (name->under != under) return is_broken_in(c, slot, "its name is under another parent");
    c->named++;
    c->users += weight_of(name->text);
    return links_are_sound(c, slot, name);
}

static bool id_is_sound(name_check* c, uint32_t slot, const ilk_id* id) {
    c->identified++;
    if (!id->high && !id->low) return is_broken_in(c, slot, "its id is none");
    return ilki_id_find(c->storage, *id) == slot || is_broken_in(c, slot, "its id is not found");
}

static bool slot_is_found(name_check* c, uint32_t slot) {
    if (ilk_is_null(ilk_entity_at(c->world, slot))) return true;
    const ilk_name* name = ilki_name_at(c->storage, slot);
    const ilk_id* id = ilki_id_at(c->storage, slot);
    return (!name || name_is_sound(c, slot, name)) && (!id || id_is_sound(c, slot, id));
}

// Counts who is in a list; more than there can be if it has no end, or has others.
static void count_list(const name_check* c, uint32_t slot, uint32_t* count) {
    for (; slot != ILKI_NONE && *count <= c->named; (*count)++) {
        bool is_alive = !ilk_is_null(ilk_entity_at(c->world, slot));
        const ilk_name* name = is_alive ? ilki_name_at(c->storage, slot) : NULL;
        if (!name) *count = c->named;
        slot = name ? name->next : ILKI_NONE;
    }
}

// How many there are in all lists.
static uint32_t count_listed(const name_check* c) {
    const ilki_glossary* glossary = &c->storage->names->glossary;
    const ilki_finder* finder = &c->storage->names->by_name;
    uint32_t count = 0;
    for (uint32_t i = 0; i < finder->capacity; i++) {
        if (finder->slots[i].after) count_list(c, finder->slots[i].after - 1, &count);
    }
    for (uint32_t i = 1; i < glossary->count; i++) {
        const ilki_word* word = ilki_word_at(glossary, i);
        if (word) count_list(c, word->first, &count);
    }
    return count;
}

// The tables hold nobody else, and each text has as many users as were seen.
static const char* find_surplus(const name_check* c) {
    const ilki_names* names = c->storage->names;
    const ilki_glossary* glossary = &names->glossary;
    uint64_t users = 0;
    uint32_t texts = 0;
    if (names->named != c->named) return "names: they are miscounted";
    if (names->by_name.count != c->lists) return "names: the table has others";
    if (names->by_name.capacity / 2 < c->named) return "names: the table is too small";
    if (names->by_id.count != c->identified) return "ids: the table has others";
    if (count_listed(c) != c->named) return "names: the lists have others";
    for (uint32_t i = 0; i < glossary->count; i++) {
        const ilki_word* word = ilki_word_at(glossary, i);
        if (!word) continue;
        texts++;
        users += word->uses * weight_of(i);
        if (ilki_word_find(glossary, word->text, word->length) != i) {
            return "names: a text is not found";
        }
    }
    if (users != c->users) return "names: a text has another number of users";
    bool is_counted = texts == glossary->alive && texts == glossary->finder.count;
    return is_counted ? NULL : "names: texts are miscounted";
}

bool ilki_names_are_sound(const ilk_world* world, char* text, size_t size) {
    name_check c = {.world = world, .storage = &world->storage, .text = text, .size = size};
    for (uint32_t slot = 0; slot < world->storage.view.index.slots; slot++) {
        if (!slot_is_found(&c, slot)) return false;
    }
    if (!world->storage.names) return c.named + c.identified == 0;
    const char* surplus = find_surplus(&c);
    if (surplus && size) snprintf(text, size, "%s", surplus);
    return !surplus;
}
