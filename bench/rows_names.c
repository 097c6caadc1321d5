// Names: finding entities by them, and giving them.
//
// name_lookup finds entities, at random, by names that all differ. name_set gives all their names.
// raw has a table of copies of the texts, by hash, with the slot of each: what one writes by hand
// where nothing is ever taken away.
#include "rows.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ilk_type* const types[] = {&Position_type};
static const population people = {types, 1, .all = 1};

typedef char name[20];

static name* make_names(uint32_t n) {
    name* names = stage_alloc(n, sizeof *names);
    for (uint32_t i = 0; i < n; i++) snprintf(names[i], sizeof *names, "entity-%u", (unsigned)i);
    return names;
}

typedef struct raw_name {
    char* text; // NULL: nobody's
    uint32_t slot;
} raw_name;

typedef struct raw_names {
    raw_stage* stage;
    name* names;
    raw_name* table;
    uint32_t mask;
} raw_names;

static ALWAYS_INLINE uint32_t hash_of(const char* text, size_t length) {
    uint64_t hash = length;
    for (; length >= 8; length -= 8, text += 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (; length; length--) hash = (hash ^ (unsigned char)*text++) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 29);
}

static void raw_set_name(raw_names* s, uint32_t slot, const char* text) {
    size_t length = strlen(text);
    uint32_t at = hash_of(text, length) & s->mask;
    while (s->table[at].text && strcmp(s->table[at].text, text) != 0) at = (at + 1) & s->mask;
    s->table[at] = (raw_name){malloc(length + 1), slot};
    if (s->table[at].text) memcpy(s->table[at].text, text, length + 1);
}

static uint32_t raw_named(const raw_names* s, const char* text) {
    uint32_t at = hash_of(text, strlen(text)) & s->mask;
    while (s->table[at].text && strcmp(s->table[at].text, text) != 0) at = (at + 1) & s->mask;
    return s->table[at].text ? s->table[at].slot : UINT32_MAX;
}

static uint64_t raw_name_all(void* state) {
    raw_names* s = state;
    for (uint32_t i = 0; i < s->stage->n; i++) raw_set_name(s, s->stage->slots[i], s->names[i]);
    return s->stage->n;
}

static void* raw_setup_unnamed(const void* about, uint32_t n) {
    raw_names* s = stage_alloc(1, sizeof *s);
    uint32_t capacity = 16;
    while (capacity / 2 < n) capacity *= 2;
    *s = (raw_names){raw_stage_full(about, n), make_names(n), calloc(capacity, sizeof *s->table),
                     capacity - 1};
    if (!s->table) abort();
    return s;
}

static void* raw_setup_named(const void* about, uint32_t n) {
    void* s = raw_setup_unnamed(about, n);
    raw_name_all(s);
    return s;
}

static uint64_t raw_find_all(void* state) {
    raw_names* s = state;
    for (uint32_t i = 0; i < s->stage->n; i++) {
        s->stage->sum += raw_named(s, s->names[s->stage->picks[i]]);
    }
    return s->stage->n;
}

// Each is found by its name, at last.
static uint64_t raw_checksum_names(const void* state) {
    const raw_names* s = state;
    uint64_t sum = raw_stage_checksum(s->stage);
    for (uint32_t i = 0; i < s->stage->n; i++) {
        sum = sum * 31 + (raw_named(s, s->names[i]) == s->stage->slots[i]);
    }
    return sum;
}

static void raw_teardown_names(void* state) {
    raw_names* s = state;
    for (uint32_t i = 0; i <= s->mask; i++) free(s->table[i].text);
    free(s->table);
    free(s->names);
    raw_stage_free(s->stage);
    free(s);
}

typedef struct ilk_names_stage {
    ilk_stage* stage;
    name* names;
} ilk_names_stage;

static uint64_t ilk_name_all(void* state) {
    ilk_names_stage* s = state;
    for (uint32_t i = 0; i < s->stage->n; i++) {
        s->stage->sum += ilk_set_name(s->stage->world, s->stage->entities[i], s->names[i]);
    }
    return s->stage->n;
}

static void* ilk_setup_unnamed(const void* about, uint32_t n) {
    ilk_names_stage* s = stage_alloc(1, sizeof *s);
    *s = (ilk_names_stage){ilk_stage_full(about, n), make_names(n)};
    return s;
}

static void* ilk_setup_named(const void* about, uint32_t n) {
    void* s = ilk_setup_unnamed(about, n);
    ilk_name_all(s);
    return s;
}

static uint64_t ilk_find_all(void* state) {
    ilk_names_stage* s = state;
    for (uint32_t i = 0; i < s->stage->n; i++) {
        s->stage->sum += ilk_named(s->stage->world, s->names[s->stage->picks[i]]).index;
    }
    return s->stage->n;
}

static uint64_t ilk_checksum_names(const void* state) {
    const ilk_names_stage* s = state;
    uint64_t sum = ilk_stage_checksum(s->stage);
    for (uint32_t i = 0; i < s->stage->n; i++) {
        ilk_entity e = ilk_named(s->stage->world, s->names[i]);
        sum = sum * 31 + ilk_same(e, s->stage->entities[i]);
    }
    return sum;
}

static void ilk_teardown_names(void* state) {
    ilk_names_stage* s = state;
    ilk_stage_free(s->stage);
    free(s->names);
    free(s);
}

const bench_work work_name_lookup = {
    .about = &people,
    .raw = {raw_setup_named, raw_find_all, raw_checksum_names, raw_teardown_names, NULL},
    .ilk = {ilk_setup_named, ilk_find_all, ilk_checksum_names, ilk_teardown_names, NULL},
};

const bench_work work_name_set = {
    .about = &people,
    .raw = {raw_setup_unnamed, raw_name_all, raw_checksum_names, raw_teardown_names, NULL},
    .ilk = {ilk_setup_unnamed, ilk_name_all, ilk_checksum_names, ilk_teardown_names, NULL},
    .changes = true,
};
