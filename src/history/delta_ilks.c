// Ilks in a delta: all that are listed, in order, each with its set, where its entities go, and who
// lodges and waits; and how far settling has come.
#include <stdlib.h>
#include <string.h>

#include "delta.h"
#include "hashes.h"

// Types have other numbers in other worlds, so that a hash of a set is to be one of names.
void ilki_put_set(ilki_differ* d, const ilki_ilk* ilk) {
    uint64_t sum = 0;
    for (uint32_t i = 0; d->is_for_hash && i < ilk->type_count; i++) {
        sum += ilki_key_of(d->world->storage.types[ilk->types[i]]->type);
    }
    if (d->is_for_hash) {
        ilki_put_word(d->out, sum);
        return;
    }
    ilki_put_number(d->out, ilk->type_count);
    for (uint32_t i = 0; i < ilk->type_count; i++) ilki_put_type(d, ilk->types[i]);
}

static int by_number(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

// A set of types, in order. NULL if it is none; at least one number has room.
static uint32_t* take_set_of_types(ilki_patch* p, uint32_t* count) {
    *count = ilki_take_small(&p->in, p->type_count);
    uint32_t* set = ilki_patch_take(p, *count + 1, sizeof *set);
    for (uint32_t i = 0; set && i < *count; i++) {
        const ilki_directory* directory = ilki_take_type(p);
        if (!directory) {
            ilki_patch_refuse(p, ILK_INVALID, "a set has something that is no type");
            return NULL;
        }
        set[i] = directory->number;
    }
    if (set && *count) qsort(set, *count, sizeof *set, by_number);
    for (uint32_t i = 1; set && i < *count; i++) {
        if (set[i - 1] == set[i]) {
            ilki_patch_refuse(p, ILK_INVALID, "a set has a type twice");
            return NULL;
        }
    }
    return set;
}

ilki_ilk* ilki_take_ilk(ilki_patch* p) {
    ilki_storage* storage = &p->world->storage;
    uint32_t count;
    const uint32_t* set = take_set_of_types(p, &count);
    if (!set || !ilki_patch_spend(p, sizeof(ilki_ilk) + count * sizeof *set)) return NULL;
    ilki_ilk* ilk = ilki_ilk_perhaps(storage, set, count);
    if (!ilk) ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    return ilk;
}

static bool bad_position(ilki_patch* p, uint32_t number, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "chunk %u: %s", number, what);
}

// All that are listed, in order: it decides how they are found later.
static bool same_ilks(const ilk_snapshot* from, const ilk_snapshot* to) {
    bool is_same = from && from->storage.ilk_count == to->storage.ilk_count;
    for (uint32_t i = 0; is_same && i < to->storage.ilk_count; i++) {
        const ilki_ilk_image *a = &from->storage.ilks[i], *b = &to->storage.ilks[i];
        is_same = a->ilk == b->ilk && a->host == b->host && a->lodgers == b->lodgers &&
                  a->waiting == b->waiting;
    }
    return is_same;
}

static void put_ilk_image(ilki_differ* d, const ilki_ilk_image* ilk) {
    ilki_put_number(d->out, 1);
    ilki_put_set(d, ilk->ilk);
    ilki_put_number(d->out, !ilk->host ? 0 : ilk->host == ilk->ilk ? 1 : 2);
    if (ilk->host && ilk->host != ilk->ilk) ilki_put_set(d, ilk->host);
    ilki_put_number(d->out, ilk->lodgers);
    ilki_put_number(d->out, ilk->waiting);
}

#define SETTLING_SHORT 1u
#define SETTLING_WAITS 2u
#define SETTLING_DONE 4u
#define SETTLING_STIRRED 8u

void ilki_put_ilks(ilki_differ* d) {
    const ilki_storage_image* to = &d->to->storage;
    bool is_same = same_ilks(d->from, d->to);
    ilki_put_number(d->out, is_same);
    for (uint32_t i = 0; !is_same && i < to->ilk_count; i++) put_ilk_image(d, &to->ilks[i]);
    if (!is_same) ilki_put_number(d->out, 0);
    ilki_put_number(d->out, to->set_count);
    ilki_put_number(d->out, to->settle_next);
    ilki_put_number(d->out, to->settle_row);
    ilki_put_number(d->out, (to->is_short ? SETTLING_SHORT : 0) |
                                (to->is_waiting ? SETTLING_WAITS : 0) |
                                (to->is_settled ? SETTLING_DONE : 0) |
                                (to->stirs != to->known_stirs ? SETTLING_STIRRED : 0));
}

// The ilks of the world stay as they are.
static bool share_ilks(ilki_patch* p) {
    const ilki_storage* storage = &p->world->storage;
    ilki_storage_image* image = &p->image->storage;
    image->ilks = ilki_patch_take(p, storage->ilk_count, sizeof *image->ilks);
    if (!image->ilks) return false;
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        image->ilks[i] = (ilki_ilk_image){ilk, ilk->host, ilk->lodgers, ilk->waiting};
    }
    image->ilk_count = storage->ilk_count;
    return true;
}

static bool take_ilk_image(ilki_patch* p, ilki_ilk_image* ilk) {
    ilk->ilk = ilki_take_ilk(p);
    uint32_t host = ilki_take_small(&p->in, 2);
    if (ilk->ilk) ilk->host = host == 2 ? ilki_take_ilk(p) : host == 1 ? ilk->ilk : NULL;
    ilk->lodgers = ilki_take_small(&p->in, UINT32_MAX);
    ilk->waiting = ilki_take_small(&p->in, UINT32_MAX);
    return ilki_patch_is_well(p);
}

static bool take_all_ilks(ilki_patch* p) {
    ilki_storage_image* image = &p->image->storage;
    uint32_t capacity = 0;
    while (ilki_take_small(&p->in, 1)) {
        if (image->ilk_count == capacity) { // what was taken before goes with the rest
            capacity = capacity ? 2 * capacity : 16;
            ilki_ilk_image* more = ilki_patch_take(p, capacity, sizeof *more);
            if (!more) return false;
            if (image->ilk_count) memcpy(more, image->ilks, image->ilk_count * sizeof *more);
            image->ilks = more;
        }
        if (!take_ilk_image(p, &image->ilks[image->ilk_count])) return false;
        image->ilk_count++;
    }
    return ilki_patch_is_well(p);
}

// Ilks by address, for chunks to find theirs.
static int by_ilk(const void* a, const void* b) {
    uintptr_t x = (uintptr_t)((const ilki_ilk_image*)a)->ilk;
    uintptr_t y = (uintptr_t)((const ilki_ilk_image*)b)->ilk;
    return (x > y) - (x < y);
}

static const ilki_ilk_image* find_ilk(const ilki_ilk_image* sorted, uint32_t count, ilki_ilk* ilk) {
    ilki_ilk_image wanted = {.ilk = ilk};
    return count ? bsearch(&wanted, sorted, count, sizeof wanted, by_ilk) : NULL;
}

// Each host is listed, and its own.
static bool hosts_are_right(ilki_patch* p, const ilki_ilk_image* sorted, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const ilki_ilk_image* host =
            sorted[i].host ? find_ilk(sorted, count, sorted[i].host) : NULL;
        bool is_twice = i && sorted[i].ilk == sorted[i - 1].ilk;
        if (is_twice || (sorted[i].host && (!host || host->host != host->ilk))) {
            return ilki_patch_refuse(p, ILK_INVALID, "an ilk is there twice, or lodges with none");
        }
    }
    return true;
}

// Each chunk belongs to an ilk that is its own host, and has a position of its own there, below the
// number of the ilk's chunks.
static bool positions_are_right(ilki_patch* p, const ilki_ilk_image* sorted) {
    const ilki_storage_image* image = &p->image->storage;
    uint32_t* counts = ilki_patch_take(p, image->ilk_count + 1, sizeof *counts);
    uint64_t* taken = ilki_patch_take(p, ilki_words(image->chunk_count) + 1, sizeof *taken);
    if (!counts || !taken) return false;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        const ilki_chunk* head = &image->chunks[i].head;
        if (!head->rows) continue;
        const ilki_ilk_image* ilk = find_ilk(sorted, image->ilk_count, head->ilk);
        if (!ilk || ilk->host != ilk->ilk) return bad_position(p, i, "its ilk is not listed");
        counts[ilk - sorted + 1]++;
    }
    for (uint32_t i = 0; i < image->ilk_count; i++) counts[i + 1] += counts[i];
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        const ilki_chunk* head = &image->chunks[i].head;
        if (!head->rows) continue;
        size_t at = (size_t)(find_ilk(sorted, image->ilk_count, head->ilk) - sorted);
        uint32_t place = counts[at] + head->position;
        if (head->position >= counts[at + 1] - counts[at] || ilki_bit(taken, place)) {
            return bad_position(p, i, "it is not in its place");
        }
        ilki_bit_set(taken, place);
    }
    return true;
}

static bool ilks_are_right(ilki_patch* p) {
    const ilki_storage_image* image = &p->image->storage;
    size_t bytes = image->ilk_count * sizeof *image->ilks;
    ilki_ilk_image* sorted = ilki_patch_take(p, image->ilk_count, sizeof *sorted);
    if (!sorted) return false;
    if (bytes) {
        memcpy(sorted, image->ilks, bytes);
        qsort(sorted, image->ilk_count, sizeof *sorted, by_ilk);
    }
    return hosts_are_right(p, sorted, image->ilk_count) && positions_are_right(p, sorted);
}

bool ilki_take_ilks(ilki_patch* p) {
    ilki_storage_image* image = &p->image->storage;
    bool is_same = ilki_take_small(&p->in, 1);
    if (is_same && p->is_whole) return ilki_patch_refuse(p, ILK_INVALID, "ilks are missing");
    if (!(is_same ? share_ilks(p) : take_all_ilks(p)) || !ilks_are_right(p)) return false;
    image->set_count = ilki_take_small(&p->in, UINT32_MAX);
    image->settle_next = ilki_take_small(&p->in, UINT32_MAX);
    image->settle_row = ilki_take_small(&p->in, ILKI_ROWS_MAX);
    uint32_t flags = ilki_take_small(&p->in, 15);
    image->is_short = flags & SETTLING_SHORT;
    image->is_waiting = flags & SETTLING_WAITS;
    image->is_settled = flags & SETTLING_DONE;
    image->known_stirs = image->stirs - (flags & SETTLING_STIRRED ? 1 : 0);
    return ilki_patch_is_well(p);
}
