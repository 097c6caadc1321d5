// Marks of targets in a delta: to whom anybody relates, or ever did (storage.h). They decide whose
// sources are looked for when somebody goes, so both worlds have the same.
#include "delta.h"

// Writing

// The marks of targets, in memory of their own; NULL without. Those of slots that are not there
// count as none.
static uint64_t* marks_of(ilki_differ* d, ilk_snapshot* snapshot, uint32_t words) {
    uint32_t sheet = d->world->storage.target_guard.number;
    size_t there = snapshot ? snapshot->leaves[sheet].bytes / sizeof(uint64_t) : 0;
    uint64_t* marks = ilki_differ_take(d, words, sizeof *marks);
    for (uint32_t i = 0; marks && i < words && i < there; i++) {
        const uint64_t* page = ilki_past_page(snapshot, sheet, i / (ILKI_PAGE_TARGETS / 64));
        marks[i] = page[i % (ILKI_PAGE_TARGETS / 64)];
    }
    return marks;
}

static uint32_t words_of_slots(const ilk_snapshot* snapshot) {
    return snapshot ? ilki_words(snapshot->storage.index.slots) : 0;
}

void ilki_put_marks(ilki_differ* d) {
    uint32_t a = words_of_slots(d->from), b = words_of_slots(d->to), words = a > b ? a : b;
    const uint64_t* was = marks_of(d, d->from, words);
    const uint64_t* is = marks_of(d, d->to, words);
    if (was && is) ilki_put_bits(d->out, was, is, words);
}

// Reading

bool ilki_patch_is_target(const ilki_patch* p, uint32_t slot) {
    const ilki_leaf* leaf = &p->image->leaves[p->world->storage.target_guard.number];
    const uint64_t* page = leaf->own[slot / ILKI_PAGE_TARGETS];
    return ilki_bit(page, slot % ILKI_PAGE_TARGETS);
}

// Makes pages of the image's own for the marks of all slots that are there, or were.
static bool begin_marks(ilki_patch* p, uint32_t slots) {
    ilki_storage* storage = &p->world->storage;
    uint32_t sheet = storage->target_guard.number;
    bool is_needed = slots && p->world->relations.count;
    if (is_needed && !ilki_ready_for_target(storage, slots - 1)) {
        return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    }
    size_t bytes = storage->target_words * sizeof(uint64_t), page_bytes = ILKI_PAGE_TARGETS / 8;
    uint32_t pages = (uint32_t)((bytes + page_bytes - 1) / page_bytes);
    if (!ilki_patch_leaf(p, sheet, pages, bytes)) return false;
    for (uint32_t i = 0; i < pages; i++) {
        if (!ilki_patch_page(p, sheet, i)) return false;
    }
    return true;
}

static bool set_marks(ilki_patch* p, uint32_t word, uint64_t marks) {
    uint32_t sheet = p->world->storage.target_guard.number;
    uint32_t per_page = ILKI_PAGE_TARGETS / 64;
    uint64_t* page = p->image->leaves[sheet].own[word / per_page];
    page[word % per_page] = marks;
    for (; marks; marks &= marks - 1) {
        uint32_t slot = word * 64 + ilki_lowest(marks);
        if (!ilki_patch_alive(p, slot)) {
            return ilki_patch_refuse(p, ILK_INVALID, "slot %u: it is marked and not alive", slot);
        }
        ilki_chunk_image* chunk = ilki_patch_chunk_of(p, slot);
        if (chunk) ilki_chunk_note_target(&chunk->head);
    }
    return true;
}

bool ilki_take_marks(ilki_patch* p) {
    const ilki_storage* storage = &p->world->storage;
    uint32_t had = p->is_whole ? 0 : storage->view.index.slots;
    uint32_t has = p->image->storage.index.slots, slots = had > has ? had : has;
    uint32_t words = ilki_words(slots);
    uint64_t* marks = ilki_patch_take(p, words, sizeof *marks);
    if (!marks || !begin_marks(p, slots)) return false;
    for (uint32_t i = 0; !p->is_whole && i < words && i < storage->target_words; i++) {
        marks[i] = storage->targets[i];
    }
    ilki_take_bits(&p->in, marks, words);
    for (uint32_t i = 0; i < words; i++) {
        bool is_there = i < storage->target_words;
        if (!is_there && marks[i]) return ilki_patch_refuse(p, ILK_INVALID, "nobody relates");
        if (is_there && !set_marks(p, i, marks[i])) return false;
    }
    return ilki_patch_is_well(p);
}
