// Hashes and differences.
//
// What is kept of hashes gives the same as hashing everything. States that the model calls the same
// have the same hash, whatever lies where, and states that differ have another: what one operation
// changes is in the model's digest, and so must be in the hash. Two worlds differ first in the
// entity that the model says.
#include "run.h"

#include <ilk/hash.h>

#include "history/hashes.h"
#include "model_digest.h"

#define FEW_SLOTS 300u // a digest takes time
#define FEW_EDGES 400u

static bool is_small(const run_side* s) {
    return s->model->slot_count <= FEW_SLOTS && s->model->edge_count <= FEW_EDGES;
}

static void check_kept(run* r, const run_side* s, uint64_t hash, uint64_t layout) {
    ilki_hashing anew = ilki_hashing_anew(s->world);
    RUN_CHECK(r, hash == ilki_hash_state(&anew), "%s: a hash that was kept is wrong", s->name);
    RUN_CHECK(r, layout == ilki_hash_layout(&anew), "%s: a hash of the layout is wrong", s->name);
}

static void check_seen(run* r, run_side* s, uint64_t hash) {
    run_hashes* seen = &s->hashes;
    uint64_t digest = model_digest(s->model);
    uint32_t count = seen->count < RUN_HASHES ? seen->count : RUN_HASHES;
    for (uint32_t i = 0; i < count; i++) {
        bool is_same = seen->digests[i] == digest;
        RUN_CHECK(r, (seen->hashes[i] == hash) == is_same, "%s: the hash %s", s->name,
                  is_same ? "changed, and nothing else" : "is the same, though something changed");
    }
    seen->digests[seen->count % RUN_HASHES] = digest;
    seen->hashes[seen->count++ % RUN_HASHES] = hash;
}

// The first slot in which two worlds differ, or UINT32_MAX.
static uint32_t first_slot(const model_world* a, const model_world* b) {
    for (uint32_t i = 0; i < a->slot_count || i < b->slot_count; i++)
        if (model_digest_entity(a, i) != model_digest_entity(b, i)) return i;
    return UINT32_MAX;
}

static void check_difference(run* r) {
    const run_side *a = &r->sides[0], *b = &r->sides[1];
    ilk_divergence first;
    ilk_result result = ilk_diverge(a->world, b->world, &first);
    uint32_t slot = first_slot(a->model, b->model);
    bool is_state = first.what && first.what < ILK_DIFFERENCE_SOURCES;
    RUN_CHECK(r, result == ILK_OK, "ilk_diverge gave %s", ilk_result_name(result));
    RUN_CHECK(r, is_state == (slot != UINT32_MAX), "the worlds differ in slot %u: %s", slot,
              first.text);
    RUN_CHECK(r, !is_state || first.entity.index == slot, "the worlds differ in slot %u, not: %s",
              slot, first.text);
    RUN_CHECK(r, !is_state || strcmp(first.a, first.b) != 0, "a difference of nothing: %s",
              first.text);
    bool is_none = first.what == ILK_DIFFERENCE_NONE;
    bool is_same = ilk_hash_layout(a->world) == ilk_hash_layout(b->world);
    RUN_CHECK(r, is_none == is_same, "hashes and differences disagree: %s", first.text);
}

static void check_self(run* r, const run_side* s) {
    ilk_divergence first;
    ilk_diverge(s->world, s->world, &first);
    RUN_CHECK(r, first.what == ILK_DIFFERENCE_NONE, "%s differs from itself: %s", s->name,
              first.text);
}

void run_hash(run* r, run_side* s, const script_op* op) {
    if (r->is_inside) return;
    run_begin(r, s, (run_call){.name = "ilk_hash"});
    uint64_t hash = ilk_hash(s->world), layout = ilk_hash_layout(s->world);
    run_note(r, hash);
    run_note(r, layout);
    check_kept(r, s, hash, layout);
    uint32_t type = run_type(s, op);
    if (type < catalog_sound()) run_note(r, ilk_hash_of(s->world, run_variable(r, s, type, 0)));
    if (is_small(s)) check_seen(r, s, hash);
    if (op->seed % 4 == 0) check_self(r, s);
    if (op->seed % 4 == 1 && is_small(&r->sides[0]) && is_small(&r->sides[1])) check_difference(r);
}
