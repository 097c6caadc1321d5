#include "glossary.h"

#include <string.h>

static void free_glossary(ilki_glossary* glossary, ilki_memory* memory) {
    ilki_free(memory, ILKI_OTHER, glossary->list, glossary->capacity * sizeof *glossary->list,
              _Alignof(max_align_t));
}

static void free_text(ilki_memory* memory, ilki_word* word) {
    if (word->text) ilki_free(memory, ILKI_OTHER, word->text, word->length + 1, 1);
    word->text = NULL;
}

void ilki_glossary_fini(ilki_glossary* glossary, ilki_memory* memory) {
    for (uint32_t i = 0; i < glossary->count; i++) free_text(memory, &glossary->list[i]);
    free_glossary(glossary, memory);
    ilki_finder_fini(&glossary->finder, memory);
    *glossary = (ilki_glossary){.changes = glossary->changes + 1, .finder = glossary->finder};
}

bool ilki_glossary_clone(const ilki_glossary* glossary, ilki_memory* memory, ilki_glossary* clone) {
    *clone = (ilki_glossary){.alive = glossary->alive, .free = glossary->free};
    clone->changes = glossary->changes;
    bool is_whole = ilki_finder_clone(&glossary->finder, memory, &clone->finder) &&
                    ilki_grow(memory, ILKI_OTHER, &clone->list, &clone->capacity, glossary->count,
                              sizeof *clone->list);
    for (; is_whole && clone->count < glossary->count; clone->count++) {
        const ilki_word* word = &glossary->list[clone->count];
        char* text = word->text ? ilki_alloc(memory, ILKI_OTHER, word->length + 1, 1) : NULL;
        if (text) memcpy(text, word->text, word->length + 1);
        clone->list[clone->count] = *word;
        clone->list[clone->count].text = text;
        is_whole = text || !word->text;
    }
    if (!is_whole) ilki_glossary_fini(clone, memory);
    return is_whole;
}

static uint32_t find_text(const ilki_glossary* glossary, const char* text, size_t length,
                          uint32_t hash) {
    uint32_t at = hash, number;
    while ((number = ilki_finder_next(&glossary->finder, hash, &at)) != ILKI_NOT_FOUND) {
        const ilki_word* word = &glossary->list[number];
        if (word->length == length && memcmp(word->text, text, length) == 0) return number;
    }
    return 0;
}

uint32_t ilki_word_find(const ilki_glossary* glossary, const char* text, size_t length) {
    return find_text(glossary, text, length, ilki_hash_bytes(text, length));
}

const ilki_word* ilki_word_at(const ilki_glossary* glossary, uint32_t number) {
    bool is_there = number < glossary->count && glossary->list[number].text;
    return is_there ? &glossary->list[number] : NULL;
}

// Makes room for a number more.
static bool ready_for_text(ilki_glossary* glossary, ilki_memory* memory) {
    if (!ilki_finder_ready(&glossary->finder, memory, glossary->alive + 1)) return false;
    uint32_t needed = glossary->count ? glossary->count + 1 : 2;
    return glossary->free || ilki_grow(memory, ILKI_OTHER, &glossary->list, &glossary->capacity,
                                       needed, sizeof *glossary->list);
}

static uint32_t new_number(ilki_glossary* glossary) {
    uint32_t number = glossary->free;
    if (number) {
        glossary->free = glossary->list[number].uses;
        return number;
    }
    if (glossary->count == 0) glossary->count = 1;
    return glossary->count++;
}

static uint32_t add_text(ilki_glossary* glossary, ilki_memory* memory, const char* text,
                         size_t length, uint32_t hash) {
    char* copy =
        ready_for_text(glossary, memory) ? ilki_alloc(memory, ILKI_OTHER, length + 1, 1) : NULL;
    if (!copy) return 0;
    memcpy(copy, text, length);
    copy[length] = 0;
    uint32_t number = new_number(glossary);
    glossary->list[number] = (ilki_word){copy, (uint32_t)length, hash, 1, ILKI_NOT_FOUND};
    glossary->alive++;
    ilki_finder_put(&glossary->finder, hash, number);
    return number;
}

uint32_t ilki_word_take(ilki_glossary* glossary, ilki_memory* memory, const char* text,
                        size_t length) {
    uint32_t hash = ilki_hash_bytes(text, length);
    uint32_t number = find_text(glossary, text, length, hash);
    glossary->changes++;
    if (!number) return add_text(glossary, memory, text, length, hash);
    glossary->list[number].uses++;
    return number;
}

void ilki_word_use(ilki_glossary* glossary, uint32_t number) {
    glossary->list[number].uses++;
    glossary->changes++;
}

void ilki_word_drop(ilki_glossary* glossary, ilki_memory* memory, uint32_t number) {
    ilki_word* word = &glossary->list[number];
    glossary->changes++;
    if (--word->uses) return;
    ilki_finder_take(&glossary->finder, word->hash, number);
    free_text(memory, word);
    word->uses = glossary->free;
    glossary->free = number;
    glossary->alive--;
}

void ilki_glossary_trim(ilki_glossary* glossary, ilki_memory* memory) {
    if (glossary->alive == 0)
        ilki_glossary_fini(glossary, memory);
    else
        ilki_finder_trim(&glossary->finder, memory, glossary->alive);
}
