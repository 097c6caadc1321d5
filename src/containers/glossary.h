// Texts that are kept once each, however many use them, and have a number as long as they are in
// use. Numbers start at 1; those of texts that are gone are used again, the last one first.
#ifndef ILKI_GLOSSARY_H
#define ILKI_GLOSSARY_H

#include "finder.h"

typedef struct ilki_word {
    char* text; // NULL: the number is free
    uint32_t length, hash;
    uint32_t uses;  // or the next number that is free, or 0
    uint32_t first; // the user's own: ILKI_NOT_FOUND for a new text
} ilki_word;

typedef struct ilki_glossary {
    ilki_word* list; // by number; the first one is nobody's
    uint32_t count, capacity;
    uint32_t alive; // texts that are there
    uint32_t free;  // the number to be used next, or 0
    ilki_finder finder;
    uint64_t changes; // of users, so far
} ilki_glossary;

// One of its own with the same texts. False without memory.
bool ilki_glossary_clone(const ilki_glossary* glossary, ilki_memory* memory, ilki_glossary* clone);

void ilki_glossary_fini(ilki_glossary* glossary, ilki_memory* memory);

// The number of a text, or 0.
uint32_t ilki_word_find(const ilki_glossary* glossary, const char* text, size_t length);

// The text of a number, or NULL.
const ilki_word* ilki_word_at(const ilki_glossary* glossary, uint32_t number);

// The number of a text, which has one user more; 0 without memory.
uint32_t ilki_word_take(ilki_glossary* glossary, ilki_memory* memory, const char* text,
                        size_t length);

// One user more, and one less: the text goes with the last.
void ilki_word_use(ilki_glossary* glossary, uint32_t number);
void ilki_word_drop(ilki_glossary* glossary, ilki_memory* memory, uint32_t number);

// Changes what is the user's own of a text.
ILKI_INLINE void ilki_word_note_first(ilki_glossary* glossary, uint32_t number, uint32_t first) {
    glossary->list[number].first = first;
    glossary->changes++;
}

// Gives back what is held for more texts.
void ilki_glossary_trim(ilki_glossary* glossary, ilki_memory* memory);

#endif
