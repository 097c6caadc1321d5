// Hashes: of a world of three components, of which one block in a hundred was written to since the
// last one; and of all of it. Raw hashes flat arrays of handles and values by the same function,
// all of them each time, and comes to the same hash.
#include <stdlib.h>

#include "history/hashes.h"
#include "rows.h"
#include "stage.h"

// One entity in so many is written to: in the chunks of large worlds, of 8,192 rows, one block of
// Position in 33, so one of all blocks in a hundred.
#define FAR_APART (33u * 8192u)

static ilk_type* const types[] = {&Position_type, &Velocity_type, &Comflab_type};
static const population people = {types, 3, .all = 7};

static void ilk_write_some(void* state) {
    ilk_stage* s = state;
    for (uint32_t i = 0; i < s->n; i += FAR_APART) {
        ILK_EDIT(s->world, s->entities[i], Position)->x += 1;
    }
    ilk_tick(s->world);
}

static uint64_t ilk_hash_all(void* state) {
    ilk_stage* s = state;
    s->sum += ilk_hash(s->world);
    return s->n;
}

static uint64_t ilk_hash_anew(void* state) {
    ilk_stage* s = state;
    ilki_hashing hashing = ilki_hashing_anew(s->world);
    s->sum += ilki_hash_state(&hashing);
    return s->n;
}

typedef struct raw_history {
    raw_stage* stage;
    ilk_entity* entities; // their handles, as a world gives them out
} raw_history;

static void* raw_setup(const void* about, uint32_t n) {
    raw_history* h = stage_alloc(1, sizeof *h);
    h->stage = raw_stage_full(about, n);
    h->entities = stage_alloc(n, sizeof *h->entities);
    for (uint32_t i = 0; i < n; i++) h->entities[i] = (ilk_entity){i, 1};
    return h;
}

static void raw_teardown(void* state) {
    raw_history* h = state;
    raw_stage_free(h->stage);
    free(h->entities);
    free(h);
}

static uint64_t raw_checksum(const void* state) {
    return raw_stage_checksum(((const raw_history*)state)->stage);
}

static void raw_write_some(void* state) {
    raw_stage* s = ((raw_history*)state)->stage;
    Position* positions = s->groups[0].columns[0];
    for (uint32_t i = 0; i < s->n; i += FAR_APART) positions[s->slots[i]].x += 1;
}

static uint64_t raw_hash_all(void* state) {
    raw_history* h = state;
    raw_stage* s = h->stage;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        sum += ilki_mix_end(ilki_mix_begin(ILKI_KEY_ALIVE, h->entities[i]));
    }
    for (uint32_t i = 0; i < 3; i++) {
        ilki_shape shape = ilki_shape_of(types[i]);
        sum += ilki_hash_rows(&shape, h->entities, s->groups[0].columns[i], s->n);
    }
    s->sum += ilki_mix_end(ilki_mix(sum, ILKI_KEY_STATE));
    return s->n;
}

#define RAW_HASH {raw_setup, raw_hash_all, raw_checksum, raw_teardown, raw_write_some}
#define ILK_HASH(run) {ilk_stage_full, run, ilk_stage_checksum, ilk_stage_free, ilk_write_some}

const bench_work work_hash_1pct = {
    .about = &people,
    .raw = RAW_HASH,
    .ilk = ILK_HASH(ilk_hash_all),
    .full = ILK_HASH(ilk_hash_anew),
};

const bench_work work_hash_full = {
    .about = &people,
    .raw = RAW_HASH,
    .ilk = ILK_HASH(ilk_hash_anew),
};
