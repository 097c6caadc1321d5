// Names and ids in a delta: the texts with their numbers, and the order of those who have the same
// name. Who has which text or id is among the values of blocks; the rest follows.
#include <string.h>

#include "delta.h"

// Writing

static const ilki_glossary* glossary_of(const ilk_snapshot* snapshot) {
    return snapshot && snapshot->names ? &snapshot->names->names.glossary : NULL;
}

static const ilki_word* word_in(const ilki_glossary* glossary, uint32_t number) {
    return glossary ? ilki_word_at(glossary, number) : NULL;
}

static bool same_words(const ilki_word* a, const ilki_word* b) {
    if (!a || !b) return a == b;
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void put_words(ilki_differ* d) {
    const ilki_glossary *from = glossary_of(d->from), *to = glossary_of(d->to);
    uint32_t count = to ? to->count : 0, after = 0;
    ilki_put_number(d->out, count);
    for (uint32_t i = 1; i < count; i++) {
        const ilki_word* word = word_in(to, i);
        if (same_words(word_in(from, i), word)) continue;
        ilki_put_number(d->out, i - after);
        ilki_put_number(d->out, word ? word->length + 1 : 0);
        if (word) ilki_put_bytes(d->out, word->text, word->length);
        after = i;
    }
    ilki_put_number(d->out, 0);
}

// The numbers that are free, in the order in which they are used.
static void put_free_numbers(ilki_differ* d) {
    const ilki_glossary* to = glossary_of(d->to);
    for (uint32_t i = to ? to->free : 0; i; i = to->list[i].uses) ilki_put_number(d->out, i);
    ilki_put_number(d->out, 0);
}

static const ilk_name* past_name(const ilki_differ* d, ilk_snapshot* snapshot, uint32_t slot) {
    return ilki_past_value(snapshot, d->world->storage.name, slot);
}

// Everybody of a name, if the one in this slot is the first of several.
static void put_namesakes(ilki_differ* d, uint32_t slot, const ilk_name* name) {
    const ilk_name* before = past_name(d, d->to, name->previous);
    if (name->next == ILKI_NONE || before->next != ILKI_NONE) return;
    for (; slot != ILKI_NONE; slot = past_name(d, d->to, slot)->next) {
        ilki_put_number(d->out, slot + 1);
    }
    ilki_put_number(d->out, 0);
}

// Calls a function for each entity that has a value of a type.
static void put_all_namesakes(ilki_differ* d) {
    const ilki_directory* directory = d->world->storage.name;
    for (uint32_t i = 0; directory && i < d->to->storage.chunk_count; i++) {
        ilki_chunk chunk;
        if (!ilki_past_chunk(d->to, i, &chunk)) continue;
        const ilki_block* block = ilki_past_block(d->to, i, directory->number);
        for (uint32_t row = 0; block && row < chunk.used; row++) {
            if (!ilki_bit(chunk.live, row) || !ilki_block_has(block, row)) continue;
            put_namesakes(d, chunk.entities[row].index, ilki_value_at(directory, block, row));
        }
    }
    ilki_put_number(d->out, 0);
}

static bool has_stirred(const ilki_differ* d, const ilki_directory* directory) {
    return directory && ilki_bit(d->stirred, directory->number);
}

// (Who has another parent has a name under another one: then its value differs.)
void ilki_put_names(ilki_differ* d) {
    const ilki_storage* storage = &d->world->storage;
    bool is_same = d->from && d->from->names == d->to->names && !has_stirred(d, storage->name) &&
                   !has_stirred(d, storage->id);
    ilki_put_number(d->out, !is_same);
    if (is_same) return;
    put_words(d);
    put_free_numbers(d);
    put_all_namesakes(d);
}

// Reading

static bool bad_name(ilki_patch* p, uint32_t slot, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "the name of slot %u: %s", slot, what);
}

// The texts by number: those of the world, but for those that differ.
static bool take_texts(ilki_patch* p, const char** texts, uint32_t* lengths, uint32_t count) {
    const ilki_names* names = p->world->storage.names;
    const ilki_glossary* base = names && !p->is_whole ? &names->glossary : NULL;
    for (uint32_t i = 1; i < count; i++) {
        const ilki_word* word = word_in(base, i);
        texts[i] = word ? word->text : NULL;
        lengths[i] = word ? word->length : 0;
    }
    uint32_t after = 0, step;
    while ((step = ilki_take_small(&p->in, count ? count - 1 - after : 0)) != 0) {
        after += step;
        uint32_t length = ilki_take_small(&p->in, ILK_NAME_MAX + 1);
        texts[after] = length ? (const char*)ilki_take_bytes(&p->in, length - 1) : NULL;
        lengths[after] = length ? length - 1 : 0;
        bool is_text = texts[after] && !memchr(texts[after], 0, lengths[after]);
        if (length && !is_text) return ilki_patch_refuse(p, ILK_INVALID, "a name is no text");
    }
    return ilki_patch_is_well(p);
}

static bool add_word(ilki_patch* p, ilki_glossary* glossary, const char* text, uint32_t length) {
    if (ilki_word_find(glossary, text, length)) {
        return ilki_patch_refuse(p, ILK_INVALID, "a text of names is there twice");
    }
    // (Numbers are given in order, for none is free.)
    bool is_added = ilki_word_take(glossary, &p->world->storage.memory, text, length) != 0;
    return is_added || ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
}

// Makes the numbers that have no text free, in the order that is sent.
static bool take_free_numbers(ilki_patch* p, ilki_glossary* glossary, uint32_t free) {
    uint32_t *last = &glossary->free, number;
    while ((number = ilki_take_small(&p->in, glossary->count)) != 0) {
        bool is_free = number < glossary->count && !glossary->list[number].text &&
                       glossary->list[number].uses == UINT32_MAX;
        if (!is_free) return ilki_patch_refuse(p, ILK_INVALID, "a number of names is not free");
        *last = number;
        last = &glossary->list[number].uses;
        *last = 0;
        free--;
    }
    return free == 0 || ilki_patch_refuse(p, ILK_INVALID, "a number of names is lost");
}

static bool take_glossary(ilki_patch* p, ilki_glossary* glossary) {
    const ilki_names* names = p->world->storage.names;
    uint64_t most = (names ? names->glossary.count : 0) + (uint64_t)(p->in.end - p->in.at);
    uint32_t count = ilki_take_small(&p->in, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - 1);
    const char** texts = ilki_patch_take(p, count, sizeof *texts);
    uint32_t *lengths = ilki_patch_take(p, count, sizeof *lengths), free = 0;
    if (!texts || !lengths || !take_texts(p, texts, lengths, count)) return false;
    if (count && !ilki_grow(&p->world->storage.memory, ILKI_OTHER, &glossary->list,
                            &glossary->capacity, count, sizeof *glossary->list)) {
        return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    }
    for (uint32_t i = 1; i < count; i++) {
        if (texts[i]) {
            if (!add_word(p, glossary, texts[i], lengths[i])) return false;
            glossary->list[i].uses = 0;
        } else {
            if (!glossary->count) glossary->count = 1;
            glossary->list[glossary->count++] = (ilki_word){.uses = UINT32_MAX};
            free++;
        }
    }
    return take_free_numbers(p, glossary, free);
}

// Names that are being read.
typedef struct name_reading {
    ilki_patch* p;
    ilki_names* names; // to come
    uint32_t named, seen;
    ilk_name* list; // of everybody who has a name: what its value is to be
    uint32_t* slots;
    uint32_t* places; // by slot: where in the list, from 1; 0: it has no name
} name_reading;

typedef bool owner_fn(void* context, ilk_entity e, const void* value);

// Calls a function for each entity that is to have a value of a type.
static bool for_owners(const ilki_patch* p, const ilki_directory* directory, owner_fn* fn,
                       void* context) {
    for (uint32_t i = 0; directory && i < p->image->storage.chunk_count; i++) {
        const ilki_chunk_image* image = &p->image->storage.chunks[i];
        const ilki_block_image* at = ilki_patch_block_of(image, directory->number);
        if (!image->head.rows || !at) continue;
        const ilki_chunk* rows = ilki_patch_rows(p, image);
        for (uint32_t row = 0; row < image->head.used; row++) {
            const ilki_block* block = ilki_patch_block(p, image, at);
            if (!ilki_bit(rows->live, row) || !ilki_block_has(block, row)) continue;
            if (!fn(context, rows->entities[row], ilki_value_at(directory, block, row))) {
                return false;
            }
        }
    }
    return true;
}

static bool count_one(void* context, ilk_entity e, const void* value) {
    (void)e, (void)value;
    ++*(uint32_t*)context;
    return true;
}

static uint32_t patch_under(const ilki_patch* p, uint32_t slot) {
    const ilki_directory* parents = p->world->storage.child_of;
    if (p->world->names == ILK_NAMES_UNIQUE || !parents) return ILKI_NONE;
    const ilk_link* link = ilki_patch_value(p, parents, slot);
    return link ? link->target.index : ILKI_NONE;
}

// Everybody is alone with a name at first.
static bool enlist(void* context, ilk_entity e, const void* value) {
    name_reading* n = context;
    const ilk_name* name = value;
    ilki_glossary* glossary = &n->names->glossary;
    if (!ilki_word_at(glossary, name->text)) return bad_name(n->p, e.index, "it has no text");
    glossary->list[name->text].uses++;
    n->list[n->seen] = (ilk_name){.text = name->text,
                                  .under = patch_under(n->p, e.index),
                                  .next = ILKI_NONE,
                                  .previous = e.index};
    n->slots[n->seen++] = e.index;
    n->places[e.index] = n->seen;
    return true;
}

static ilk_name* name_to_be(const name_reading* n, uint32_t slot) {
    bool is_there = slot < n->p->image->storage.index.slots && n->places[slot];
    return is_there ? &n->list[n->places[slot] - 1] : NULL;
}

static bool same_names(const ilk_name* a, const ilk_name* b) {
    return a->text == b->text && a->under == b->under;
}

// Those of one name, in order: none may be in another list.
static bool take_namesakes(const name_reading* n, uint32_t first) {
    uint32_t last = first, slot;
    ilk_name* head = name_to_be(n, first);
    bool is_free = n->p->world->names == ILK_NAMES_FREE;
    if (!head || !is_free) return bad_name(n->p, first, "it is none, or cannot be another's");
    while ((slot = ilki_take_small(&n->p->in, UINT32_MAX)) != 0) {
        ilk_name* name = name_to_be(n, slot - 1);
        bool is_alone = name && name != head && name->previous == slot - 1;
        if (!is_alone || !same_names(name, head)) return bad_name(n->p, slot - 1, "it is another");
        name->previous = last;
        name_to_be(n, last)->next = slot - 1;
        head->previous = last = slot - 1;
    }
    return ilki_patch_is_well(n->p);
}

static bool take_all_namesakes(const name_reading* n) {
    uint32_t first;
    while ((first = ilki_take_small(&n->p->in, UINT32_MAX)) != 0) {
        const ilk_name* head = name_to_be(n, first - 1);
        if (head && (head->previous != first - 1 || head->next != ILKI_NONE)) {
            return bad_name(n->p, first - 1, "it is in two lists");
        }
        if (!take_namesakes(n, first - 1)) return false;
    }
    return ilki_patch_is_well(n->p);
}

static uint32_t hash_of_list(const ilk_name* name) {
    return ilki_hash_number((uint64_t)name->under << 32 | name->text);
}

static bool is_first(const name_reading* n, const ilk_name* name) {
    return name_to_be(n, name->previous)->next == ILKI_NONE;
}

// Enters the first one of a name in its table, or with the text. No two lists may have the same
// name.
static bool enter_first(const name_reading* n, uint32_t slot, const ilk_name* name) {
    ilki_word* word = &n->names->glossary.list[name->text];
    uint32_t hash = hash_of_list(name), at = hash, other;
    if (name->under == ILKI_NONE) {
        if (word->first != ILKI_NOT_FOUND) return bad_name(n->p, slot, "it is another's too");
        word->first = slot;
        return true;
    }
    while ((other = ilki_finder_next(&n->names->by_name, hash, &at)) != ILKI_NOT_FOUND) {
        if (same_names(name_to_be(n, other), name))
            return bad_name(n->p, slot, "it is another's too");
    }
    ilki_finder_put(&n->names->by_name, hash, slot);
    return true;
}

static bool edit_name_of(const name_reading* n, uint32_t slot, const ilk_name* name) {
    const ilki_directory* directory = n->p->world->storage.name;
    const void* now = ilki_patch_value(n->p, directory, slot);
    if (memcmp(now, name, sizeof *name) == 0) return true;
    ilk_name* own = ilki_patch_edit(n->p, directory, slot);
    if (own) *own = *name;
    return own != NULL;
}

static bool enter_names(const name_reading* n) {
    for (uint32_t i = 0; i < n->named; i++) {
        const ilk_name* name = &n->list[i];
        if (is_first(n, name) && !enter_first(n, n->slots[i], name)) return false;
        if (!edit_name_of(n, n->slots[i], name)) return false;
    }
    const ilki_glossary* glossary = &n->names->glossary;
    for (uint32_t i = 1; i < glossary->count; i++) {
        if (glossary->list[i].text && !glossary->list[i].uses) {
            return ilki_patch_refuse(n->p, ILK_INVALID, "nobody is called \"%.60s\"",
                                     glossary->list[i].text);
        }
    }
    return true;
}

static bool enter_id(void* context, ilk_entity e, const void* value) {
    name_reading* n = context;
    const ilk_id* id = value;
    uint32_t hash = ilki_hash_pair(id->high, id->low), at = hash, other;
    if (!id->high && !id->low) return bad_name(n->p, e.index, "its id is none");
    while ((other = ilki_finder_next(&n->names->by_id, hash, &at)) != ILKI_NOT_FOUND) {
        const ilk_id* its = ilki_patch_value(n->p, n->p->world->storage.id, other);
        if (ilk_same_id(*its, *id)) return bad_name(n->p, e.index, "its id is another's too");
    }
    ilki_finder_put(&n->names->by_id, hash, e.index);
    return true;
}

static bool ready_to_read(name_reading* n, uint32_t identified) {
    ilki_memory* memory = &n->p->world->storage.memory;
    n->list = ilki_patch_take(n->p, n->named, sizeof *n->list);
    n->slots = ilki_patch_take(n->p, n->named, sizeof *n->slots);
    n->places = ilki_patch_take(n->p, n->p->image->storage.index.slots, sizeof *n->places);
    if (!n->list || !n->slots || !n->places) return false;
    bool is_ready = ilki_finder_ready(&n->names->by_name, memory, n->named) &&
                    ilki_finder_ready(&n->names->by_id, memory, identified);
    return is_ready || ilki_patch_refuse(n->p, ILK_NO_MEMORY, "no memory");
}

static bool take_names(name_reading* n) {
    const ilki_storage* storage = &n->p->world->storage;
    uint32_t identified = 0;
    for_owners(n->p, storage->name, count_one, &n->named);
    for_owners(n->p, storage->id, count_one, &identified);
    n->names->named = n->named;
    return take_glossary(n->p, &n->names->glossary) && ready_to_read(n, identified) &&
           for_owners(n->p, storage->name, enlist, n) && take_all_namesakes(n) && enter_names(n) &&
           for_owners(n->p, storage->id, enter_id, n);
}

// Where nothing is said of names, none may have come, gone, or got another parent.
static bool names_stay(ilki_patch* p) {
    const ilki_storage* storage = &p->world->storage;
    const ilki_directory* directories[2] = {storage->name, storage->id};
    for (uint32_t i = 0; i < p->image->storage.chunk_count; i++) {
        const ilki_chunk_image* image = &p->image->storage.chunks[i];
        for (uint32_t k = 0; k < 2; k++) {
            const ilki_block_image* block =
                directories[k] ? ilki_patch_block_of(image, directories[k]->number) : NULL;
            bool is_other = block && (block->is_own || p->is_whole);
            if (is_other) return ilki_patch_refuse(p, ILK_INVALID, "it is not said who has names");
        }
    }
    return true;
}

typedef struct parent_check {
    ilki_patch* p;
    uint32_t count;
} parent_check;

static bool has_old_parent(void* context, ilk_entity e, const void* value) {
    parent_check* c = context;
    const ilk_name* name = value;
    c->count++;
    return name->under == patch_under(c->p, e.index) ||
           bad_name(c->p, e.index, "it is under another parent");
}

static bool share_names(ilki_patch* p) {
    const ilki_storage* storage = &p->world->storage;
    const ilki_names* names = storage->names;
    parent_check names_there = {.p = p};
    uint32_t identified = 0;
    if (p->is_whole) return ilki_patch_refuse(p, ILK_INVALID, "names are missing");
    if (!names_stay(p) || !for_owners(p, storage->name, has_old_parent, &names_there)) return false;
    for_owners(p, storage->id, count_one, &identified);
    p->image->keeps_names = true;
    bool is_same = names_there.count == (names ? names->named : 0) &&
                   identified == (names ? names->by_id.count : 0);
    return is_same || ilki_patch_refuse(p, ILK_INVALID, "somebody who has a name is gone");
}

bool ilki_take_names(ilki_patch* p) {
    if (!ilki_take_small(&p->in, 1)) return ilki_patch_is_well(p) && share_names(p);
    if (!ilki_names_make(&p->world->storage)) {
        return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    }
    p->image->names = ilki_patch_take(p, 1, sizeof *p->image->names);
    if (!p->image->names) return false;
    name_reading n = {.p = p, .names = &p->image->names->names};
    return take_names(&n);
}
