// Chunks in a delta: heads, rows and blocks that differ.
//
// Each chunk has its number, by how much it is above the one before, and whether it is there; then
// its head, the rows that differ, and the blocks that differ, each with its type, its kind, its
// bits, the slots of a small one, and the values that differ. Where the number of rows is another,
// the kind of a block, or whoever is in a row, everything counts as different. Links and names are
// not sent as values, but for the number of a name's text.
#include <string.h>

#include "delta.h"

#define WORDS_MAX (ILKI_ROWS_MAX / 64)
#define IS_THERE 1u
#define HAS_ROWS 2u
#define IS_ODD 4u // what the head says of a chunk, which may be more than is the case
#define DROPS 8u
#define KEEPS 16u
#define HAS_DYING 32u
#define HAS_TARGETS 64u
#define ALL_FLAGS 127u

static uint32_t flags_of(const ilki_chunk* head) {
    return IS_THERE | (head->is_odd ? IS_ODD : 0) | (head->drops ? DROPS : 0) |
           (head->keeps ? KEEPS : 0) | (head->has_dying ? HAS_DYING : 0) |
           (head->has_targets ? HAS_TARGETS : 0);
}

// Rows and bits

// The rows of a chunk that have a value; none without a block.
static void rows_with(const ilki_block* block, const ilki_chunk* chunk, uint64_t* bits) {
    memset(bits, 0, WORDS_MAX * sizeof *bits);
    for (uint32_t i = 0; block && i < ilki_words(chunk->rows); i++) {
        bits[i] = ilki_block_word(block, i, chunk->live[i]);
    }
}

// The rows in which the same entity was and is.
static void rows_that_stay(const ilki_chunk* was, const ilki_chunk* is, uint64_t* bits) {
    bool is_shared = was && was->entities == is->entities;
    memset(bits, 0, WORDS_MAX * sizeof *bits);
    if (is_shared) memcpy(bits, is->live, ilki_words(is->rows) * sizeof *bits);
    for (uint32_t row = 0; was && !is_shared && row < is->used; row++) {
        bool is_alive = ilki_bit(was->live, row) && ilki_bit(is->live, row);
        if (is_alive && ilk_same(was->entities[row], is->entities[row])) ilki_bit_set(bits, row);
    }
}

// The rows whose entity had a value before, and is still there.
static void rows_that_had(const ilki_block* was, const ilki_chunk* chunk_was, const uint64_t* stay,
                          uint64_t* bits) {
    rows_with(was, chunk_was, bits);
    for (uint32_t i = 0; i < WORDS_MAX; i++) bits[i] &= stay[i];
}

typedef struct block_bits {
    uint64_t present[WORDS_MAX], off[WORDS_MAX]; // as they are in the block
} block_bits;

static void read_bits(const ilki_block* block, uint32_t rows, block_bits* bits) {
    memset(bits, 0, sizeof *bits);
    for (uint32_t i = 0; block && i < ilki_words(rows); i++) {
        bits->present[i] = *ilki_presence(block, i);
        bits->off[i] = *ilki_off(block, i);
    }
}

// Writing

// Which block of which chunk differs, and what it was: NULL if that is of no use.
typedef struct block_change {
    const ilki_directory* directory;
    const ilki_chunk *chunk_was, *chunk;
    const uint64_t* stay; // rows whose entity is the same
    const ilki_block *was, *block;
} block_change;

static bool is_link(const ilki_directory* directory) {
    return directory->relation != NULL;
}

static bool is_name(const ilki_storage* storage, const ilki_directory* directory) {
    return directory == storage->name;
}

// How many bytes of a value are compared and sent: of a name only the number of its text, and none
// of what is unrecorded or owns something.
static size_t bytes_that_count(const ilki_storage* storage, const ilki_directory* directory) {
    if (is_link(directory) || directory->type->unrecorded) return 0;
    if (ilki_moves_only(directory->type)) return 0;
    return is_name(storage, directory) ? sizeof(uint32_t) : directory->size;
}

// Whether all rows of a word had the values, and have the same: what is so is seen at once.
static bool same_word(const block_change* c, size_t bytes, uint32_t word, uint64_t had,
                      uint64_t has) {
    size_t size = c->directory->size;
    bool is_plain = had == UINT64_MAX && has == UINT64_MAX && c->block->kind != ILKI_SMALL;
    return is_plain &&
           (!bytes || memcmp(ilki_natural_at(c->directory, c->was, word * 64),
                             ilki_natural_at(c->directory, c->block, word * 64), 64 * size) == 0);
}

static bool same_slot(const block_change* c, uint32_t row) {
    return c->block->kind != ILKI_SMALL ||
           ilki_small_slot(c->was, row) == ilki_small_slot(c->block, row);
}

// The rows whose values differ, among those that have one, and which of these have another slot.
static void rows_that_differ(const ilki_differ* d, const block_change* c, uint64_t* values,
                             uint64_t* slots) {
    uint64_t had[WORDS_MAX], has[WORDS_MAX];
    size_t bytes = bytes_that_count(&d->world->storage, c->directory);
    bool is_small = c->block->kind == ILKI_SMALL;
    rows_that_had(c->was, c->chunk_was, c->stay, had);
    rows_with(c->block, c->chunk, has);
    memset(values, 0, WORDS_MAX * sizeof *values);
    memset(slots, 0, WORDS_MAX * sizeof *slots);
    for (uint32_t word = 0; word < ilki_words(c->chunk->used); word++) {
        if (same_word(c, bytes, word, had[word], has[word])) continue;
        for (uint64_t rows = has[word]; rows; rows &= rows - 1) {
            uint32_t row = word * 64 + ilki_lowest(rows);
            bool is_new = !ilki_bit(had, row) || !same_slot(c, row);
            if (is_small && is_new) ilki_bit_set(slots, row);
            if (bytes && (is_new || memcmp(ilki_value_at(c->directory, c->was, row),
                                           ilki_value_at(c->directory, c->block, row), bytes))) {
                ilki_bit_set(values, row);
            }
        }
    }
}

static bool are_none(const uint64_t* bits) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < WORDS_MAX; i++) all |= bits[i];
    return all == 0;
}

// Whether other rows have a value than had it, or others in them.
static bool are_others(const uint64_t* had, const uint64_t* has, const uint64_t* stay) {
    for (uint32_t i = 0; i < WORDS_MAX; i++) {
        if (had[i] != has[i] || has[i] & ~stay[i]) return true;
    }
    return false;
}

static bool has_others(const block_change* c) {
    uint64_t had[WORDS_MAX], has[WORDS_MAX];
    rows_with(c->was, c->chunk_was, had);
    rows_with(c->block, c->chunk, has);
    return are_others(had, has, c->stay);
}

static void put_one(ilki_differ* d, const block_change* c, uint32_t row) {
    const void* value = ilki_value_at(c->directory, c->block, row);
    if (is_name(&d->world->storage, c->directory))
        ilki_put_number(d->out, ((const ilk_name*)value)->text);
    else
        ilki_put_value_of(d, c->directory->type, value);
}

static void put_rows_of(ilki_differ* d, const block_change* c, const uint64_t* values,
                        const uint64_t* slots) {
    uint32_t words = ilki_words(c->chunk->rows);
    if (c->block->kind == ILKI_SMALL) {
        ilki_put_bits(d->out, NULL, slots, words);
        for (uint32_t row = 0; row < c->chunk->used; row++) {
            if (ilki_bit(slots, row)) ilki_put_number(d->out, ilki_small_slot(c->block, row));
        }
    }
    if (!bytes_that_count(&d->world->storage, c->directory)) return;
    ilki_put_bits(d->out, NULL, values, words);
    for (uint32_t row = 0; row < c->chunk->used; row++) {
        if (ilki_bit(values, row)) put_one(d, c, row);
    }
}

static void put_block(ilki_differ* d, const block_change* c) {
    uint64_t values[WORDS_MAX], slots[WORDS_MAX];
    const ilk_type* type = c->directory->type;
    block_bits was, is;
    uint32_t words = ilki_words(c->chunk->rows);
    read_bits(c->was, c->chunk->rows, &was);
    read_bits(c->block, c->chunk->rows, &is);
    rows_that_differ(d, c, values, slots);
    ilki_bit_set(d->stirred, c->directory->number);
    bool is_changed = memcmp(&was, &is, sizeof was) != 0 || !are_none(values) || !are_none(slots);
    bool stays = !ilki_moves_only(type) || ilki_owned_stay(d, c->directory, c->chunk, c->block);
    if (!stays) d->unfit = type;
    if (c->was && !is_changed && !has_others(c)) return;
    ilki_put_type(d, c->directory->number);
    ilki_put_number(d->out, c->block->kind);
    ilki_put_bits(d->out, was.present, is.present, words);
    ilki_put_bits(d->out, was.off, is.off, words);
    put_rows_of(d, c, values, slots);
}

static void put_rows(ilki_differ* d, const ilki_chunk* was, const ilki_chunk* is) {
    uint64_t others[WORDS_MAX] = {0};
    uint32_t words = ilki_words(is->rows);
    for (uint32_t row = 0; row < is->used; row++) {
        bool is_same =
            was && ilki_bit(was->live, row) && ilk_same(was->entities[row], is->entities[row]);
        if (ilki_bit(is->live, row) && !is_same) ilki_bit_set(others, row);
    }
    ilki_put_bits(d->out, was ? was->live : NULL, is->live, words);
    ilki_put_bits(d->out, was ? was->waited : NULL, is->waited, words);
    ilki_put_bits(d->out, NULL, others, words);
    for (uint32_t row = 0; row < is->used; row++) {
        if (!ilki_bit(others, row)) continue;
        ilki_put_number(d->out, is->entities[row].index);
        ilki_put_number(d->out, is->entities[row].generation);
    }
}

static void put_chunk_head(ilki_differ* d, const ilki_chunk_image* image, bool has_rows) {
    const ilki_chunk* head = &image->head;
    ilki_put_number(d->out, flags_of(head) | (has_rows ? HAS_ROWS : 0));
    ilki_put_set(d, head->ilk);
    ilki_put_number(d->out, head->position);
    ilki_put_number(d->out, head->rows);
    ilki_put_number(d->out, head->used);
    ilki_put_number(d->out, head->guest_count);
    uint32_t homes = image->block_count - head->guest_count;
    for (uint32_t i = 0; i < head->guest_count; i++)
        ilki_put_type(d, image->blocks[homes + i].type);
}

static void stir_all(const ilki_differ* d, const ilki_chunk_image* image) {
    for (uint32_t i = 0; image && i < image->block_count; i++) {
        ilki_bit_set(d->stirred, image->blocks[i].type);
    }
}

static bool same_heads(const ilki_chunk_image* a, const ilki_chunk_image* b) {
    bool is_same = a->head.ilk == b->head.ilk && a->head.position == b->head.position &&
                   a->head.rows == b->head.rows && a->head.used == b->head.used &&
                   flags_of(&a->head) == flags_of(&b->head) && a->block_count == b->block_count;
    for (uint32_t i = 0; is_same && i < a->block_count; i++) {
        is_same = a->blocks[i].type == b->blocks[i].type;
    }
    return is_same;
}

static bool same_chunks(const ilki_differ* d, uint32_t number) {
    const ilki_chunk_image* a = ilki_chunk_image_at(d->from, number);
    const ilki_chunk_image* b = ilki_chunk_image_at(d->to, number);
    if (!a || !b) return !a && !b;
    if (!same_heads(a, b) || !ilki_same_rows(d->from, d->to, number)) return false;
    for (uint32_t i = 0; i < a->block_count; i++) {
        if (!ilki_same_block(d->from, d->to, number, a->blocks[i].type)) return false;
    }
    return true;
}

static void put_blocks(ilki_differ* d, uint32_t number, const ilki_chunk* was,
                       const ilki_chunk* is) {
    const ilki_chunk_image* image = ilki_chunk_image_at(d->to, number);
    bool same_rows = was && ilki_same_rows(d->from, d->to, number);
    uint64_t stay[WORDS_MAX];
    rows_that_stay(was, is, stay);
    for (uint32_t i = 0; i < image->block_count; i++) {
        uint32_t type = image->blocks[i].type;
        block_change c = {.directory = d->world->storage.types[type],
                          .chunk_was = was,
                          .chunk = is,
                          .stay = stay,
                          .was = was ? ilki_past_block(d->from, number, type) : NULL,
                          .block = ilki_past_block(d->to, number, type)};
        if (same_rows && c.was == c.block && c.was->kind == c.block->kind) continue;
        if (c.was && c.was->kind != c.block->kind) c.was = NULL;
        put_block(d, &c);
    }
    ilki_put_number(d->out, 0);
}

static void put_chunk(ilki_differ* d, uint32_t number) {
    const ilki_chunk_image* image = ilki_chunk_image_at(d->to, number);
    ilki_chunk was, is;
    bool was_there = ilki_past_chunk(d->from, number, &was);
    if (!image || (was_there && was.rows != image->head.rows)) {
        stir_all(d, ilki_chunk_image_at(d->from, number));
    }
    if (!image) {
        ilki_put_number(d->out, 0);
        return;
    }
    ilki_past_chunk(d->to, number, &is);
    bool has_base = was_there && was.rows == is.rows;
    bool has_rows = !has_base || !ilki_same_rows(d->from, d->to, number);
    put_chunk_head(d, image, has_rows);
    if (has_rows) put_rows(d, has_base ? &was : NULL, &is);
    put_blocks(d, number, has_base ? &was : NULL, &is);
}

void ilki_put_flags(ilki_differ* d) {
    for (uint32_t i = 0; i < d->to->storage.chunk_count; i++) {
        const ilki_chunk* head = &d->to->storage.chunks[i].head;
        ilki_put_number(d->out, head->rows ? flags_of(head) : 0);
    }
}

void ilki_put_chunks(ilki_differ* d) {
    uint32_t a = d->from ? d->from->storage.chunk_count : 0, b = d->to->storage.chunk_count;
    ilki_put_number(d->out, b);
    for (uint32_t i = 0, after = 0; i < a || i < b; i++) {
        if (same_chunks(d, i)) continue;
        ilki_put_number(d->out, i + 1 - after);
        put_chunk(d, i);
        after = i + 1;
    }
    ilki_put_number(d->out, 0);
}

// Reading

static bool bad_chunk(ilki_patch* p, uint32_t number, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "chunk %u: %s", number, what);
}

const ilki_chunk* ilki_patch_rows(const ilki_patch* p, const ilki_chunk_image* image) {
    return image->is_own ? &image->head : p->world->storage.chunks[image->head.number];
}

const ilki_block* ilki_patch_block(const ilki_patch* p, const ilki_chunk_image* image,
                                   const ilki_block_image* block) {
    if (block->is_own) return &block->entry;
    return ilki_block_at(p->world->storage.types[block->type], image->head.number);
}

ilki_block_image* ilki_patch_block_of(const ilki_chunk_image* image, uint32_t type) {
    for (uint32_t i = 0; image && i < image->block_count; i++) {
        if (image->blocks[i].type == type) return &image->blocks[i];
    }
    return NULL;
}

static ilki_block_image* images_of_blocks(ilki_patch* p, ilki_chunk_image* image, uint32_t count) {
    image->blocks = ilki_patch_take(p, count, sizeof *image->blocks);
    image->block_count = image->blocks ? count : 0;
    return image->blocks;
}

// A chunk that the delta does not mention.
static bool share_chunk(ilki_patch* p, uint32_t number) {
    const ilki_chunk* chunk = ilki_patch_base(p, number);
    ilki_chunk_image* image = &p->image->storage.chunks[number];
    if (!chunk) return true;
    image->head = *chunk;
    if (!images_of_blocks(p, image, ilki_block_count(chunk))) return false;
    for (uint32_t i = 0; i < image->block_count; i++) {
        const ilki_directory* directory = ilki_directory_in(&p->world->storage, chunk, i);
        image->blocks[i] =
            (ilki_block_image){*ilki_block_at(directory, number), directory->number, false};
    }
    return true;
}

static bool take_rows_of(ilki_patch* p, ilki_chunk* head, const ilki_chunk* base) {
    ilki_pool* pool = &p->world->storage.pool;
    size_t bytes = ilki_rows_bytes(head->rows);
    uint32_t words = ilki_words(head->rows);
    uint64_t others[WORDS_MAX] = {0};
    if (!ilki_patch_spend(p, bytes)) return false;
    ilk_entity* entities = ilki_pool_alloc(pool, ILKI_ENTITIES, bytes, 1);
    if (!entities) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    p->image->storage.chunks[head->number].is_own = true;
    ilki_chunk_set_rows(head, entities);
    if (base)
        memcpy(entities, base->entities, bytes);
    else
        memset(entities, 0, bytes);
    ilki_take_bits(&p->in, head->live, words);
    ilki_take_bits(&p->in, head->waited, words);
    ilki_take_bits(&p->in, others, words);
    for (uint32_t row = 0; row < head->rows; row++) {
        bool is_live = ilki_bit(head->live, row), was_live = base && ilki_bit(base->live, row);
        if (ilki_bit(others, row)) {
            entities[row].index = ilki_take_small(&p->in, UINT32_MAX);
            entities[row].generation = ilki_take_small(&p->in, UINT32_MAX);
        } else if (is_live && !was_live) {
            return bad_chunk(p, head->number, "a row has come without an entity");
        }
    }
    return ilki_patch_is_well(p);
}

// The bits beyond the last row.
static bool has_bits_beyond(const uint64_t* bits, uint32_t rows) {
    return rows % 64 && bits[rows / 64] >> rows % 64;
}

static void count_rows_of(ilki_chunk* head) {
    head->alive = 0;
    head->gaps = 0;
    for (uint32_t i = 0; i < ilki_words(head->rows); i++) head->alive += ilki_ones(head->live[i]);
    for (uint32_t row = 0; row < head->used; row++) {
        if (!ilki_bit(head->live, row)) head->gaps |= ilki_gap(row);
    }
}

// A block that is being read: what it was, or NULL.
typedef struct block_reading {
    const ilki_directory* directory;
    ilki_chunk_image* chunk;
    const ilki_chunk* chunk_was;
    const uint64_t* stay; // rows whose entity is the same
    const ilki_block* was;
    ilki_block_image* image;
    uint64_t had[WORDS_MAX], has[WORDS_MAX]; // rows whose entity had the value, and has it
    uint64_t was_off[WORDS_MAX];
} block_reading;

static bool bad_block(ilki_patch* p, const block_reading* b, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "chunk %u: %s: %s", b->chunk->head.number,
                             b->directory->type->name, what);
}

static bool make_own_block(ilki_patch* p, block_reading* b, ilki_block_kind kind) {
    ilki_pool* pool = &p->world->storage.pool;
    const ilki_chunk* head = &b->chunk->head;
    const uint64_t* live = ilki_patch_rows(p, b->chunk)->live;
    ilki_block made = {.is_tracked = b->directory->is_tracked};
    if (!ilki_patch_spend(p, ilki_block_body(b->directory, head->rows, kind))) return false;
    bool is_made =
        b->was && !ilki_moves_only(b->directory->type)
            ? ilki_block_clone(b->directory, pool, b->was, head->rows, b->chunk_was->live, &made)
            : ilki_block_make_vacant(b->directory, pool, head->rows, live, kind, &made);
    if (!is_made) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    made.changed = made.touched = p->tick;
    b->image->entry = made;
    b->image->is_own = true;
    return true;
}

static bool take_block_bits(ilki_patch* p, block_reading* b) {
    ilki_block* block = &b->image->entry;
    const ilki_chunk* rows = ilki_patch_rows(p, b->chunk);
    uint32_t words = ilki_words(rows->rows), count = 0, off = 0;
    block_bits bits;
    read_bits(b->was, rows->rows, &bits);
    memcpy(b->was_off, bits.off, sizeof b->was_off);
    ilki_take_bits(&p->in, bits.present, words);
    ilki_take_bits(&p->in, bits.off, words);
    for (uint32_t i = 0; i < words; i++) {
        *ilki_presence(block, i) = bits.present[i];
        *ilki_off(block, i) = bits.off[i];
        b->has[i] = ilki_block_word(block, i, rows->live[i]);
        if (bits.present[i] & ~rows->live[i] || bits.off[i] & ~b->has[i]) {
            return bad_block(p, b, "a bit is set for a row without it");
        }
        count += ilki_ones(bits.present[i]);
        off += ilki_ones(bits.off[i]);
    }
    block->count = (uint16_t)count;
    block->off = (uint16_t)off;
    return true;
}

// The rows whose slots are not those that they were.
static bool take_slots(ilki_patch* p, block_reading* b, uint64_t* moved) {
    ilki_block* block = &b->image->entry;
    uint32_t rows = b->chunk->head.rows, slots[ILKI_ROWS_MAX], needed = 0;
    ilki_take_bits(&p->in, moved, ilki_words(rows));
    for (uint32_t row = 0; row < rows; row++) {
        bool has = ilki_bit(b->has, row);
        if (ilki_bit(moved, row)) {
            slots[row] = ilki_take_small(&p->in, rows - 1);
            if (!has) return bad_block(p, b, "a row without it has a slot");
        } else if (has) {
            if (!ilki_bit(b->had, row)) return bad_block(p, b, "a row has no slot");
            slots[row] = ilki_small_slot(b->was, row);
        }
        if (has && slots[row] >= needed) needed = slots[row] + 1;
    }
    ilki_block none = {.base = block->base, .kind = ILKI_SMALL};
    if (!ilki_patch_spend(p, (uint64_t)needed * 2 * b->directory->size)) return false;
    if (!ilki_small_ready(b->directory, &none, &p->world->storage.pool, needed)) {
        return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    }
    return ilki_small_give_slots(block, b->has, slots) || bad_block(p, b, "two rows have a slot");
}

#ifdef ILK_CHECKED
// Values that are gone are overwritten.
static void wipe_gone(const block_reading* b) {
    const ilki_block* block = &b->image->entry;
    for (uint32_t row = 0; row < b->chunk->head.rows; row++) {
        if (block->kind == ILKI_SMALL) {
            void* slot = ilki_small_slot_at(b->directory, block, row);
            bool is_taken = ilki_bit(ilki_small_of(block)->taken, row);
            if (slot && !is_taken) ilki_poison(slot, b->directory->size);
        } else if (!ilki_bit(b->has, row)) {
            ilki_poison(ilki_natural_at(b->directory, block, row), b->directory->size);
        }
    }
}
#else
#define wipe_gone(b) ((void)(b))
#endif

// What the world has of the value of a row, wherever its entity is there; or NULL.
static const void* value_before(const ilki_patch* p, const block_reading* b, uint32_t row) {
    ilk_entity e = ilki_patch_rows(p, b->chunk)->entities[row];
    return p->is_whole ? NULL : ilki_value_now(&p->world->storage, b->directory, e);
}

// The tick in which an entity that has a value in the world got it.
static uint64_t added_before(const ilki_patch* p, const block_reading* b, uint32_t row) {
    const ilki_storage* storage = &p->world->storage;
    ilk_entity e = ilki_patch_rows(p, b->chunk)->entities[row];
    uint32_t place = ilki_record_at(&storage->view.index, e.index)->place;
    uint32_t chunk = ilki_chunk_of(place);
    const ilki_block* block = ilki_block_at(b->directory, chunk);
    uint32_t rows = storage->chunks[chunk]->rows;
    return ilki_ticks_of(b->directory, block, rows)[ilki_row_of(place) + 1].added;
}

static void mark_row_of(const ilki_patch* p, const block_reading* b, uint32_t row) {
    if (!b->directory->is_tracked) return;
    ilki_row_ticks* ticks =
        ilki_ticks_of(b->directory, &b->image->entry, b->chunk->head.rows) + row + 1;
    ticks->changed = p->tick;
    ticks->added = value_before(p, b, row) ? added_before(p, b, row) : p->tick;
}

// Of a value that comes to a row, what is not sent is what its entity had, or zero.
static void begin_row_value(const ilki_patch* p, const block_reading* b, uint32_t row,
                            void* value) {
    const void* before = b->directory->type->unrecorded ? NULL : value_before(p, b, row);
    if (before)
        memcpy(value, before, b->directory->size);
    else
        memset(value, 0, b->directory->size);
}

// Links are filled in when relations are read, and the rest of names with names.
static bool take_row_value(ilki_patch* p, const block_reading* b, uint32_t row, bool is_new) {
    void* value = ilki_value_at(b->directory, &b->image->entry, row);
    if (is_new) begin_row_value(p, b, row, value);
    if (is_link(b->directory)) return true;
    if (!is_name(&p->world->storage, b->directory)) {
        return ilki_take_value_of(p, b->directory->type, value);
    }
    ((ilk_name*)value)->text = ilki_take_small(&p->in, UINT32_MAX);
    return true;
}

static bool take_row_values(ilki_patch* p, const block_reading* b, const uint64_t* moved) {
    uint64_t sent[WORDS_MAX] = {0};
    uint32_t rows = b->chunk->head.rows;
    bool is_sent = bytes_that_count(&p->world->storage, b->directory) != 0;
    if (is_sent) ilki_take_bits(&p->in, sent, ilki_words(rows));
    for (uint32_t row = 0; row < rows && !p->in.is_bad; row++) {
        if (!ilki_bit(b->has, row)) {
            if (ilki_bit(sent, row)) return bad_block(p, b, "a row without it has a value");
            continue;
        }
        bool is_new = !ilki_bit(b->had, row) || ilki_bit(moved, row);
        if (is_new && is_sent && !ilki_bit(sent, row)) return bad_block(p, b, "a value is missing");
        bool is_taken = is_new || ilki_bit(sent, row);
        if (is_taken && b->directory->size && !take_row_value(p, b, row, is_new)) return false;
        bool is_switched = ilki_bit(b->was_off, row) != ilki_block_is_off(&b->image->entry, row);
        if (is_taken || is_switched) mark_row_of(p, b, row);
    }
    return ilki_patch_is_well(p);
}

// The values themselves come when it is known who is where (delta_owned.c).
static bool mark_all_rows(ilki_patch* p, const block_reading* b) {
    for (uint32_t row = 0; row < b->chunk->head.rows; row++) {
        if (ilki_bit(b->has, row)) mark_row_of(p, b, row);
    }
    return ilki_patch_is_well(p);
}

static bool is_kind(const block_reading* b, uint32_t kind, bool is_home) {
    if (is_home || kind == ILKI_HOME) return is_home && kind == ILKI_HOME;
    bool may_be_small =
        !b->directory->is_tracked && ilki_begins_small(b->directory->size, b->chunk->head.rows);
    return kind == ILKI_GUEST || (kind == ILKI_SMALL && may_be_small);
}

static bool take_one_block(ilki_patch* p, block_reading* b, bool is_home) {
    uint64_t moved[WORDS_MAX] = {0};
    uint32_t kind = ilki_take_small(&p->in, ILKI_SMALL);
    if (b->image->is_own) return bad_block(p, b, "it is there twice");
    if (!is_kind(b, kind, is_home)) return bad_block(p, b, "it is of the wrong kind");
    if (b->was && b->was->kind != kind) b->was = NULL;
    rows_that_had(b->was, b->chunk_was, b->stay, b->had);
    memset(b->has, 0, sizeof b->has);
    if (!make_own_block(p, b, (ilki_block_kind)kind) || !take_block_bits(p, b)) return false;
    if (kind == ILKI_SMALL && !take_slots(p, b, moved)) return false;
    bool is_whole =
        ilki_moves_only(b->directory->type) ? mark_all_rows(p, b) : take_row_values(p, b, moved);
    if (is_whole) wipe_gone(b);
    return is_whole;
}

// A block that the delta does not mention is that of the world: the same entities have it.
static bool share_block(ilki_patch* p, block_reading* b, bool is_home) {
    const ilki_chunk* rows = ilki_patch_rows(p, b->chunk);
    bool is_there = b->was && (b->was->kind == ILKI_HOME) == is_home;
    if (!is_there) return bad_block(p, b, "it is missing");
    b->image->entry = *b->was;
    rows_with(b->was, b->chunk_was, b->had);
    rows_with(b->was, rows, b->has);
    bool is_others = are_others(b->had, b->has, b->stay);
    for (uint32_t i = 0; i < ilki_words(rows->rows); i++) {
        uint64_t bits = *ilki_presence(b->was, i) | *ilki_off(b->was, i);
        is_others |= (bits & ~rows->live[i]) != 0;
    }
    return !is_others || bad_block(p, b, "others have it");
}

static block_reading reading_of(const ilki_patch* p, ilki_chunk_image* chunk,
                                const ilki_chunk* base, const uint64_t* stay,
                                ilki_block_image* image) {
    block_reading b = {.directory = p->world->storage.types[image->type],
                       .chunk = chunk,
                       .chunk_was = base,
                       .stay = stay,
                       .image = image};
    if (base) b.was = ilki_block_at(b.directory, base->number);
    if (b.was && !b.was->base) b.was = NULL;
    return b;
}

static bool take_blocks(ilki_patch* p, ilki_chunk_image* chunk, const ilki_chunk* base) {
    uint32_t homes = chunk->block_count - chunk->head.guest_count;
    uint64_t stay[WORDS_MAX];
    rows_that_stay(base, ilki_patch_rows(p, chunk), stay);
    ilki_directory* directory;
    while ((directory = ilki_take_type(p)) != NULL) {
        ilki_block_image* image = ilki_patch_block_of(chunk, directory->number);
        if (!image) return bad_chunk(p, chunk->head.number, "a block is not among its own");
        block_reading b = reading_of(p, chunk, base, stay, image);
        if (!take_one_block(p, &b, image < chunk->blocks + homes)) return false;
    }
    if (!ilki_patch_is_well(p)) return false;
    for (uint32_t i = 0; i < chunk->block_count; i++) {
        block_reading b = reading_of(p, chunk, base, stay, &chunk->blocks[i]);
        if (!b.image->is_own && !share_block(p, &b, i < homes)) return false;
    }
    return true;
}

// Whoever is dying is kept by a value, and has none but such.
static bool dying_are_right(ilki_patch* p, ilki_chunk_image* chunk) {
    const ilki_storage* storage = &p->world->storage;
    const ilki_chunk* rows = ilki_patch_rows(p, chunk);
    const ilki_block_image* tags =
        storage->dying ? ilki_patch_block_of(chunk, storage->dying->number) : NULL;
    uint64_t dying[WORDS_MAX], kept[WORDS_MAX] = {0}, others[WORDS_MAX] = {0}, has[WORDS_MAX];
    rows_with(tags ? ilki_patch_block(p, chunk, tags) : NULL, rows, dying);
    chunk->head.has_dying |= !are_none(dying);
    for (uint32_t i = 0; i < chunk->block_count; i++) {
        const ilki_block_image* image = &chunk->blocks[i];
        bool outlives = storage->types[image->type]->type->outlives;
        rows_with(ilki_patch_block(p, chunk, image), rows, has);
        for (uint32_t k = 0; image != tags && k < WORDS_MAX; k++) {
            *(outlives ? &kept[k] : &others[k]) |= has[k];
        }
        if (outlives && !tags) return bad_chunk(p, chunk->head.number, "nobody can die there");
    }
    for (uint32_t k = 0; k < WORDS_MAX; k++) {
        if (dying[k] & (others[k] | ~kept[k])) {
            return bad_chunk(p, chunk->head.number, "somebody is dying for nothing");
        }
    }
    return true;
}

// Nobody has a type that was taken out of the world, though there may be blocks for it.
static bool outs_are_right(ilki_patch* p, const ilki_chunk_image* chunk) {
    uint64_t has[WORDS_MAX];
    for (uint32_t i = 0; i < chunk->block_count; i++) {
        const ilki_directory* directory = p->world->storage.types[chunk->blocks[i].type];
        if (!directory->is_out) continue;
        rows_with(ilki_patch_block(p, chunk, &chunk->blocks[i]), ilki_patch_rows(p, chunk), has);
        if (are_none(has)) continue;
        return ilki_patch_refuse(p, ILK_CLASH, "%s was taken out of the world here",
                                 directory->type->name);
    }
    return true;
}

// What the head says of the blocks.
static void note_blocks(const ilki_patch* p, ilki_chunk_image* chunk) {
    ilki_chunk* head = &chunk->head;
    head->is_odd |= head->guest_count != 0;
    for (uint32_t i = 0; i < chunk->block_count; i++) {
        const ilki_block* block = ilki_patch_block(p, chunk, &chunk->blocks[i]);
        const ilk_type* type = p->world->storage.types[chunk->blocks[i].type]->type;
        head->drops |= ilki_type_drops(type);
        head->keeps |= type->outlives;
        head->is_odd |= block->count || block->off || head->drops || head->keeps;
    }
}

static bool take_guests(ilki_patch* p, ilki_chunk_image* chunk) {
    const ilki_ilk* ilk = chunk->head.ilk;
    uint32_t guests = chunk->head.guest_count = ilki_take_small(&p->in, p->type_count);
    if (!images_of_blocks(p, chunk, ilk->type_count + guests)) return false;
    for (uint32_t i = 0; i < chunk->block_count; i++) {
        chunk->blocks[i].type = i < ilk->type_count ? ilk->types[i] : UINT32_MAX;
    }
    for (uint32_t i = ilk->type_count; i < chunk->block_count; i++) {
        const ilki_directory* directory = ilki_take_type(p);
        bool is_right = directory && !ilki_patch_block_of(chunk, directory->number);
        if (!is_right) return bad_chunk(p, chunk->head.number, "a guest is none, or there twice");
        chunk->blocks[i].type = directory->number;
    }
    return true;
}

static bool take_chunk_head(ilki_patch* p, ilki_chunk_image* chunk, uint32_t number,
                            uint32_t flags) {
    ilki_ilk* ilk = ilki_take_ilk(p);
    if (!ilk) return false;
    ilki_chunk* head = &chunk->head;
    *head = (ilki_chunk){.number = number,
                         .ilk = ilk,
                         .touched = p->tick,
                         .is_odd = flags & IS_ODD,
                         .drops = flags & DROPS,
                         .keeps = flags & KEEPS,
                         .has_dying = flags & HAS_DYING,
                         .has_targets = flags & HAS_TARGETS};
    head->position = ilki_take_small(&p->in, ILKI_CHUNKS_MAX);
    head->rows = ilki_take_small(&p->in, ilk->rows_max);
    head->used = ilki_take_small(&p->in, head->rows);
    if (!head->rows) return bad_chunk(p, number, "it has no rows");
    return take_guests(p, chunk) && ilki_patch_is_well(p);
}

static bool take_chunk(ilki_patch* p, uint32_t number) {
    uint32_t flags = ilki_take_small(&p->in, ALL_FLAGS);
    if (!ilki_patch_is_well(p)) return false;
    if (!(flags & IS_THERE)) return true;
    const ilki_chunk* base = ilki_patch_base(p, number);
    if (number >= p->image->storage.chunk_count) return bad_chunk(p, number, "it is none");
    ilki_chunk_image* chunk = &p->image->storage.chunks[number];
    if (!take_chunk_head(p, chunk, number, flags)) return false;
    if (base && base->rows != chunk->head.rows) base = NULL;
    if (flags & HAS_ROWS) {
        if (!take_rows_of(p, &chunk->head, base)) return false;
    } else if (base) {
        ilki_chunk_set_rows(&chunk->head, base->entities);
        chunk->head.touched = base->touched; // the rows are still shared
    } else {
        return bad_chunk(p, number, "its rows are missing");
    }
    const ilki_chunk* rows = &chunk->head;
    if (has_bits_beyond(rows->live, rows->rows) || has_bits_beyond(rows->waited, rows->rows)) {
        return bad_chunk(p, number, "it has bits beyond its rows");
    }
    uint32_t last = ilki_bits_next_set(rows->live, rows->rows, rows->used);
    if (last != ILKI_NONE) return bad_chunk(p, number, "a row is alive beyond those in use");
    count_rows_of(&chunk->head);
    bool is_right =
        take_blocks(p, chunk, base) && outs_are_right(p, chunk) && dying_are_right(p, chunk);
    if (!is_right) return false;
    note_blocks(p, chunk);
    return true;
}

static uint32_t alive_chunks(const ilki_storage_image* image) {
    uint32_t alive = 0;
    for (uint32_t i = 0; i < image->chunk_count; i++) alive += image->chunks[i].head.rows != 0;
    return alive;
}

// All chunks up to before one that the delta mentions, or the end, are shared.
static bool share_until(ilki_patch* p, uint32_t from, uint32_t to) {
    for (; from < to && from < p->image->storage.chunk_count; from++) {
        if (!share_chunk(p, from)) return false;
    }
    return true;
}

bool ilki_take_chunks(ilki_patch* p) {
    ilki_storage_image* image = &p->image->storage;
    uint32_t base = p->is_whole ? 0 : p->world->storage.chunk_count, after = 0, step;
    uint64_t most = base + (uint64_t)(p->in.end - p->in.at); // each new one takes some bytes
    uint32_t count =
        ilki_take_small(&p->in, most < ILKI_CHUNKS_MAX ? (uint32_t)most : ILKI_CHUNKS_MAX);
    image->chunks = ilki_patch_take(p, count, sizeof *image->chunks);
    if (!image->chunks || !ilki_patch_is_well(p)) return false;
    image->chunk_count = count;
    uint32_t all = count > base ? count : base;
    while ((step = ilki_take_small(&p->in, all - after)) != 0) {
        if (!share_until(p, after, after + step - 1)) return false;
        after += step;
        if (!take_chunk(p, after - 1)) return false;
    }
    if (!share_until(p, after, count)) return false;
    image->chunks_alive = alive_chunks(image);
    bool is_ended = !count || image->chunks[count - 1].head.rows;
    return is_ended ? ilki_patch_is_well(p) : bad_chunk(p, count - 1, "the last one is not there");
}

void ilki_patch_free_chunks(ilki_patch* p) {
    ilki_pool* pool = &p->world->storage.pool;
    const ilki_storage_image* image = &p->image->storage;
    for (uint32_t i = 0; image->chunks && i < image->chunk_count; i++) {
        const ilki_chunk_image* chunk = &image->chunks[i];
        for (uint32_t k = 0; k < chunk->block_count; k++) {
            const ilki_block_image* block = &chunk->blocks[k];
            if (!block->is_own) continue;
            const ilki_directory* directory = p->world->storage.types[block->type];
            if (p->has_owned && ilki_moves_only(directory->type)) {
                ilki_block_drop_values(directory, &block->entry, chunk->head.rows,
                                       ilki_patch_rows(p, chunk)->live);
            }
            ilki_block_free(directory, pool, &block->entry, chunk->head.rows);
        }
        if (!chunk->is_own) continue;
        ilki_pool_free(pool, ILKI_ENTITIES, chunk->head.entities, ilki_rows_bytes(chunk->head.rows),
                       1);
    }
}
