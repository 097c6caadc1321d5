// Ilks and their chunks: founding, growing, knowing where there is room.
#include <string.h>

#include "looking.h"
#include "place.h"

static uint32_t rows_for(size_t largest) {
    uint32_t rows = ILKI_ROWS_MAX;
    while (rows > 1 && largest > ILKI_BLOCK_BYTES_MAX / rows) rows /= 2;
    return rows;
}

// The checked build looks at every value that comes.
static bool are_bare(const ilki_storage* storage, const uint32_t* types, uint32_t count) {
#ifdef ILK_CHECKED
    (void)storage, (void)types, (void)count;
    return false;
#else
    for (uint32_t i = 0; i < count; i++) {
        const ilk_type* type = storage->types[types[i]]->type;
        if (type->hooks.copy || type->track || ilki_type_has_names(type)) return false;
    }
    return true;
#endif
}

static ilki_ilk* make_ilk(ilki_storage* storage, const uint32_t* types, uint32_t count) {
    ilki_ilk* ilk = ilki_alloc_zero(&storage->memory, ILKI_OTHER,
                                    sizeof *ilk + count * sizeof *types, _Alignof(ilki_ilk));
    if (!ilk) return NULL;
    ilk->types = (uint32_t*)(ilk + 1);
    if (count) memcpy(ilk->types, types, count * sizeof *types);
    ilk->type_count = count;
    size_t largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ilk_type* type = storage->types[types[i]]->type;
        if (type->size > largest) largest = type->size;
        if (ilki_type_drops(type)) ilk->drops = true;
        if (type->outlives) ilk->keeps = true;
    }
    ilk->rows_max = rows_for(largest);
    ilk->is_bare = are_bare(storage, types, count);
    return ilk;
}

void ilki_ilk_list(ilki_storage* storage, ilki_ilk* ilk) {
    ilki_ilk** ilks = storage->ilks;
    uint32_t at = storage->ilk_count;
    while (ilks[at] != ilk) at++;
    ilks[at] = ilks[storage->ilk_count];
    ilks[storage->ilk_count++] = ilk;
    ilk->is_listed = true;
    storage->set_count++;
}

// An ilk that is new, behind all others and not listed yet; NULL without memory.
static ilki_ilk* found_ilk(ilki_storage* storage, const uint32_t* types, uint32_t count) {
    if (!ilki_map_ready(&storage->ilks_by_set, &storage->memory) ||
        !ilki_grow(&storage->memory, ILKI_OTHER, &storage->ilks, &storage->ilk_capacity,
                   storage->ilk_total + 1, sizeof *storage->ilks)) {
        return NULL;
    }
    ilki_ilk* ilk = make_ilk(storage, types, count);
    if (!ilk) return NULL;
    storage->ilks[storage->ilk_total++] = ilk;
    ilki_map_put(&storage->ilks_by_set, ilk->types, count, ilk);
    return ilk;
}

ilki_ilk* ilki_ilk_of(ilki_storage* storage, const uint32_t* types, uint32_t count) {
    ilki_ilk* ilk = ilki_map_find(&storage->ilks_by_set, types, count);
    if (!ilk) ilk = found_ilk(storage, types, count);
    if (ilk && !ilk->is_listed) ilki_ilk_list(storage, ilk);
    return ilk;
}

ilki_ilk* ilki_ilk_perhaps(ilki_storage* storage, const uint32_t* types, uint32_t count) {
    ilki_ilk* ilk = ilki_map_find(&storage->ilks_by_set, types, count);
    if (ilk) return ilk;
    ilk = found_ilk(storage, types, count);
    if (ilk) ilk->is_tentative = true;
    return ilk;
}

ilki_ilk* ilki_ilk_alone(ilki_storage* storage, ilki_directory* directory) {
    if (!directory->alone) directory->alone = ilki_ilk_of(storage, &directory->number, 1);
    return directory->alone;
}

bool ilki_ilk_has(const ilki_ilk* ilk, uint32_t type) {
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        if (ilk->types[i] == type) return true;
    }
    return false;
}

void ilki_ilk_found(ilki_storage* storage, ilki_ilk* ilk) {
    if (ilk->host == ilk) return;
    ilk->host = ilk;
    storage->stirs++; // those who lodge elsewhere are to move in
}

// The lowest chunk that has room, at or after a position; or NULL.
static ilki_chunk* next_door(const ilki_ilk* ilk, uint32_t position) {
    uint32_t at = ilki_bits_next_set(ilk->room, ilk->chunk_count, position);
    return at == ILKI_NONE ? NULL : ilk->chunks[at];
}

void ilki_ilk_closes(ilki_ilk* ilk, const ilki_chunk* chunk) {
    ilki_bit_clear(ilk->room, chunk->position);
    if (chunk == ilk->door) ilk->door = next_door(ilk, chunk->position);
}

static uint32_t lowest_free_number(const ilki_storage* storage) {
    uint32_t number = storage->chunks_alive == storage->chunk_count ? storage->chunk_count : 0;
    while (number < storage->chunk_count && storage->chunks[number]) number++;
    return number;
}

// Live bits come in pairs of words (place.h).
static size_t live_bytes(uint32_t rows) {
    return (rows + 127) / 128 * 2 * sizeof(uint64_t);
}

size_t ilki_rows_bytes(uint32_t rows) {
    return rows * sizeof(ilk_entity) + 2 * live_bytes(rows);
}

bool ilki_ilk_ready_for(ilki_storage* storage, ilki_ilk* ilk, uint32_t count) {
    ilki_memory* memory = &storage->memory;
    return ilki_grow(memory, ILKI_OTHER, &ilk->chunks, &ilk->chunk_capacity, count,
                     sizeof *ilk->chunks) &&
           ilki_grow(memory, ILKI_OTHER, &ilk->room, &ilk->room_capacity, ilki_words(count),
                     sizeof *ilk->room);
}

static bool ready_to_join(ilki_storage* storage, ilki_ilk* ilk) {
    return ilki_ilk_ready_for(storage, ilk, ilk->chunk_count + 1);
}

static void join_ilk(ilki_ilk* ilk, ilki_chunk* chunk) {
    ilk->host = ilk;
    chunk->ilk = ilk;
    chunk->drops = ilk->drops;
    chunk->keeps = ilk->keeps;
    chunk->is_odd = ilk->drops || ilk->keeps;
    chunk->position = ilk->chunk_count;
    ilk->chunks[ilk->chunk_count++] = chunk;
    ilk->rows += chunk->rows;
    if (chunk->alive < chunk->rows) ilki_ilk_opens(ilk, chunk);
}

void ilki_chunk_head_give_back(ilki_storage* storage, ilki_chunk* chunk) {
    chunk->next_spare = storage->spare_chunks;
    storage->spare_chunks = chunk;
}

// Frees a block, if it is there.
static void drop_block(ilki_storage* storage, const ilki_chunk* chunk, uint32_t type) {
    ilki_directory* directory = storage->types[type];
    ilki_block* block = ilki_block_at(directory, chunk->number);
    if (block->base) ilki_touch(storage, block);
    ilki_directory_drop(directory, &storage->pool, chunk->number, chunk->rows);
}

static void release(ilki_storage* storage, ilki_chunk* chunk) {
    const ilki_ilk* ilk = chunk->ilk;
    for (uint32_t i = 0; i < ilk->type_count; i++) drop_block(storage, chunk, ilk->types[i]);
    for (uint32_t i = 0; i < chunk->guest_count; i++) {
        drop_block(storage, chunk, chunk->guests[i]);
    }
    ilki_chunk_touch(storage, chunk);
    ilki_pool_free(&storage->pool, ILKI_ENTITIES, chunk->entities, ilki_rows_bytes(chunk->rows), 1);
    ilki_chunk_head_give_back(storage, chunk);
}

// Makes room in the list of guests for one more.
static bool ready_for_guest(ilki_storage* storage, ilki_chunk* chunk) {
    return ilki_grow(&storage->memory, ILKI_OTHER, &chunk->guests, &chunk->guest_capacity,
                     chunk->guest_count + 1, sizeof *chunk->guests);
}

static ilki_block* invite_one(ilki_storage* storage, ilki_chunk* chunk, ilki_directory* directory) {
    if (!ready_for_guest(storage, chunk)) return NULL;
    bool is_small = !directory->is_tracked && ilki_begins_small(directory->size, chunk->rows);
    ilki_block* block = ilki_directory_add(directory, &storage->pool, chunk->number, chunk->rows,
                                           is_small ? ILKI_SMALL : ILKI_GUEST);
    if (!block) return NULL;
    chunk->guests[chunk->guest_count++] = directory->number;
    chunk->is_odd = true;
    if (ilki_type_drops(directory->type)) chunk->drops = true;
    if (directory->type->outlives) chunk->keeps = true;
    ilki_chunk_note_dying(storage, chunk);
    return block;
}

// Makes room for the tag of the dying in a chunk that has values which outlive their entities.
static bool ready_to_die(ilki_storage* storage, ilki_chunk* chunk) {
    ilki_directory* dying = storage->dying;
    return ilki_block_at(dying, chunk->number)->base || invite_one(storage, chunk, dying);
}

void ilki_chunk_set_rows(ilki_chunk* chunk, ilk_entity* entities) {
    chunk->entities = entities;
    chunk->live = (uint64_t*)(void*)(entities + chunk->rows);
    chunk->waited = chunk->live + live_bytes(chunk->rows) / sizeof *chunk->live;
}

static bool ready_blocks(ilki_storage* storage, ilki_chunk* chunk) {
    chunk->entities =
        ilki_pool_alloc(&storage->pool, ILKI_ENTITIES, ilki_rows_bytes(chunk->rows), 1);
    if (!chunk->entities) return false;
    ilki_chunk_set_rows(chunk, chunk->entities);
    memset(chunk->live, 0, 2 * live_bytes(chunk->rows));
    for (uint32_t i = 0; i < chunk->ilk->type_count; i++) {
        if (!ilki_directory_add(storage->types[chunk->ilk->types[i]], &storage->pool, chunk->number,
                                chunk->rows, ILKI_HOME)) {
            return false;
        }
    }
    return !chunk->ilk->keeps || ready_to_die(storage, chunk);
}

// The head of a chunk: one that is gone has left its own, with its list of guests; or NULL.
static ilki_chunk* head_take(ilki_storage* storage) {
    ilki_chunk* chunk = storage->spare_chunks;
    if (!chunk) {
        return ilki_alloc_zero(&storage->memory, ILKI_OTHER, sizeof *chunk, _Alignof(ilki_chunk));
    }
    storage->spare_chunks = chunk->next_spare;
    *chunk = (ilki_chunk){.guests = chunk->guests, .guest_capacity = chunk->guest_capacity};
    return chunk;
}

ilki_chunk* ilki_chunk_head(ilki_storage* storage, uint32_t guests) {
    ilki_chunk* chunk = head_take(storage);
    if (!chunk) return NULL;
    bool is_ready = ilki_grow(&storage->memory, ILKI_OTHER, &chunk->guests, &chunk->guest_capacity,
                              guests, sizeof *chunk->guests);
    if (!is_ready) ilki_chunk_head_give_back(storage, chunk);
    return is_ready ? chunk : NULL;
}

void ilki_chunks_trim(ilki_storage* storage) {
    while (storage->spare_chunks) {
        ilki_chunk* chunk = storage->spare_chunks;
        storage->spare_chunks = chunk->next_spare;
        ilki_free(&storage->memory, ILKI_OTHER, chunk->guests,
                  chunk->guest_capacity * sizeof *chunk->guests, _Alignof(max_align_t));
        ilki_free(&storage->memory, ILKI_OTHER, chunk, sizeof *chunk, _Alignof(ilki_chunk));
    }
}

static ilk_result add_chunk(ilki_storage* storage, ilki_ilk* ilk, uint32_t rows) {
    uint32_t number = lowest_free_number(storage);
    if (number >= ILKI_CHUNKS_MAX) return ILK_FULL;
    if (!ilki_grow(&storage->memory, ILKI_OTHER, &storage->chunks, &storage->chunk_capacity,
                   number + 1, sizeof *storage->chunks) ||
        !ready_to_join(storage, ilk)) {
        return ILK_NO_MEMORY;
    }
    ilki_chunk* chunk = head_take(storage);
    if (!chunk) return ILK_NO_MEMORY;
    chunk->ilk = ilk;
    chunk->number = number;
    chunk->rows = rows;
    chunk->born = storage->looking.last;
    if (!ready_blocks(storage, chunk)) {
        release(storage, chunk);
        return ILK_NO_MEMORY;
    }
    join_ilk(ilk, chunk);
    ilki_chunk_note_dying(storage, chunk);
    storage->stirs++;
    storage->chunks[number] = chunk;
    storage->chunks_alive++;
    if (number == storage->chunk_count) storage->chunk_count++;
    return ILK_OK;
}

// 4, 16, 64, 256, 1024, 4096, 8192 rows, as an ilk grows; at once more if more are wanted.
static uint32_t rows_of_next(const ilki_ilk* ilk, uint32_t wanted) {
    uint32_t rows = 4;
    while (rows < ilk->rows_max && (rows <= ilk->rows || rows < wanted)) rows *= 4;
    return rows < ilk->rows_max ? rows : ilk->rows_max;
}

ilki_chunk* ilki_ilk_tail(const ilki_ilk* ilk) {
    ilki_chunk* chunk = ilk->door;
    while (chunk->used == chunk->rows) chunk = next_door(ilk, chunk->position + 1);
    return chunk;
}

// The rows that those who arrive can have, up to `enough`: while somebody looks, those that were
// never used.
static uint32_t rows_free(const ilki_storage* storage, const ilki_ilk* ilk, uint32_t enough) {
    uint32_t free = 0;
    for (const ilki_chunk* chunk = ilk->door; chunk && free < enough;
         chunk = next_door(ilk, chunk->position + 1)) {
        free += chunk->rows - (storage->looking.count ? chunk->used : chunk->alive);
    }
    return free;
}

static void leave_ilk(ilki_ilk* ilk, const ilki_chunk* chunk) {
    ilk->chunk_count--;
    ilk->rows -= chunk->rows;
    for (uint32_t i = chunk->position; i < ilk->chunk_count; i++) {
        ilk->chunks[i] = ilk->chunks[i + 1];
        ilk->chunks[i]->position = i;
        if (ilki_bit(ilk->room, i + 1))
            ilki_bit_set(ilk->room, i);
        else
            ilki_bit_clear(ilk->room, i);
    }
    ilki_bit_clear(ilk->room, ilk->chunk_count);
    ilk->door = next_door(ilk, 0);
}

void ilki_chunk_free(ilki_storage* storage, ilki_chunk* chunk) {
    leave_ilk(chunk->ilk, chunk);
    release(storage, chunk);
    storage->chunks[chunk->number] = NULL;
    storage->chunks_alive--;
    while (storage->chunk_count && !storage->chunks[storage->chunk_count - 1]) {
        storage->chunk_count--;
    }
}

ilk_result ilki_ilk_ready_slow(ilki_storage* storage, ilki_ilk* ilk, uint32_t count) {
    uint32_t free = rows_free(storage, ilk, count), had = ilk->chunk_count;
    ilk_result result = ILK_OK;
    while (free < count && result == ILK_OK) {
        uint32_t rows = rows_of_next(ilk, count - free);
        result = add_chunk(storage, ilk, rows);
        free += rows;
    }
    while (result != ILK_OK && ilk->chunk_count > had) {
        ilki_chunk_free(storage, ilk->chunks[ilk->chunk_count - 1]);
    }
    return result;
}

// Whether somebody in a chunk is dying. (Where the tag is at home, nobody else is to stay.)
static bool has_dying_rows(const ilki_storage* storage, const ilki_chunk* chunk) {
    if (!storage->dying) return false;
    const ilki_block* block = ilki_block_at(storage->dying, chunk->number);
    return block->kind == ILKI_HOME || block->count > 0;
}

void ilki_chunk_note_dying(ilki_storage* storage, ilki_chunk* chunk) {
    bool has_dying = has_dying_rows(storage, chunk);
    if (!has_dying && !chunk->has_dying) return;
    chunk->has_dying = has_dying;
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        ilki_block* block = ilki_block_at(directory, chunk->number);
        block->is_awkward = ilki_is_awkward(directory, block, has_dying);
    }
}

ilki_block* ilki_chunk_invite(ilki_storage* storage, ilki_chunk* chunk, ilki_directory* directory) {
    ilki_block* block = invite_one(storage, chunk, directory);
    if (!block || !directory->type->outlives || ready_to_die(storage, chunk)) return block;
    ilki_chunk_dismiss(storage, chunk, chunk->guest_count - 1);
    return NULL;
}

static void unlist_guest(ilki_chunk* chunk, uint32_t at) {
    chunk->guest_count--;
    for (uint32_t i = at; i < chunk->guest_count; i++) chunk->guests[i] = chunk->guests[i + 1];
}

static void drop_guest(ilki_storage* storage, ilki_chunk* chunk, uint32_t at) {
    drop_block(storage, chunk, chunk->guests[at]);
    unlist_guest(chunk, at);
}

void ilki_chunk_dismiss(ilki_storage* storage, ilki_chunk* chunk, uint32_t at) {
    drop_guest(storage, chunk, at);
    ilki_chunk_note_dying(storage, chunk);
}

bool ilki_chunk_keeps(const ilki_storage* storage, const ilki_chunk* chunk) {
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        if (directory->type->outlives && directory != storage->dying) return true;
    }
    return false;
}

// A guest of every row becomes a home block, or a home block with nobody at home a guest: no row is
// an exception.
static void change_sides(ilki_storage* storage, const ilki_chunk* chunk, ilki_block* block,
                         ilki_block_kind kind) {
    ilki_touch(storage, block);
    for (uint32_t word = 0; word < ilki_words(chunk->rows); word++) {
        *ilki_presence(block, word) = 0;
    }
    block->count = 0;
    block->kind = (uint8_t)kind;
}

// Whether a chunk that becomes one of an ilk has to keep a block of another type.
static bool is_still_needed(const ilki_storage* storage, const ilki_ilk* ilk, uint32_t type) {
    return ilk->keeps && storage->types[type] == storage->dying;
}

// Gives guests that are to stay their natural form. False if one is too sparse for it, or there is
// no memory.
static bool ready_to_stay(ilki_storage* storage, const ilki_chunk* chunk, const ilki_ilk* ilk) {
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        ilki_directory* directory = storage->types[ilk->types[i]];
        ilki_block* block = ilki_block_at(directory, chunk->number);
        if (block->kind != ILKI_SMALL) continue;
        if (!ilki_small_is_dense(directory, block)) return false;
        ilki_touch(storage, block);
        if (!ilki_directory_expand(directory, &storage->pool, chunk->number, chunk->rows)) {
            return false;
        }
    }
    return true;
}

// Makes room for the tag of the dying as a guest, if it is at home and may cease to be.
static bool ready_for_tag(ilki_storage* storage, ilki_chunk* chunk, const ilki_ilk* ilk) {
    bool is_home = ilk->keeps && ilki_block_at(storage->dying, chunk->number)->kind == ILKI_HOME;
    return !is_home || ready_for_guest(storage, chunk);
}

// Guests that are at home in an ilk, or that nobody needs there, are no longer such.
static void adopt_guests(ilki_storage* storage, ilki_chunk* chunk, const ilki_ilk* ilk) {
    for (uint32_t i = chunk->guest_count; i-- > 0;) {
        uint32_t type = chunk->guests[i];
        if (ilki_ilk_has(ilk, type))
            unlist_guest(chunk, i);
        else if (!is_still_needed(storage, ilk, type))
            drop_guest(storage, chunk, i);
    }
}

// The types of an ilk are at home. Of the others, that one is a guest which is still needed.
static void adopt_homes(ilki_storage* storage, ilki_chunk* chunk, const ilki_ilk* ilk) {
    const ilki_ilk* old = chunk->ilk;
    for (uint32_t i = 0; i < old->type_count; i++) {
        ilki_directory* directory = storage->types[old->types[i]];
        if (ilki_ilk_has(ilk, old->types[i])) continue;
        if (!is_still_needed(storage, ilk, old->types[i])) {
            drop_block(storage, chunk, old->types[i]);
            continue;
        }
        chunk->guests[chunk->guest_count++] = directory->number;
        change_sides(storage, chunk, ilki_block_at(directory, chunk->number), ILKI_GUEST);
    }
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        const ilki_directory* directory = storage->types[ilk->types[i]];
        change_sides(storage, chunk, ilki_block_at(directory, chunk->number), ILKI_HOME);
    }
}

bool ilki_chunk_adopt(ilki_storage* storage, ilki_chunk* chunk, ilki_ilk* ilk) {
    if (chunk->rows > ilk->rows_max) return false;
    if (!ready_to_stay(storage, chunk, ilk) || !ready_to_join(storage, ilk) ||
        !ready_for_tag(storage, chunk, ilk)) {
        return false;
    }
    leave_ilk(chunk->ilk, chunk);
    adopt_guests(storage, chunk, ilk);
    adopt_homes(storage, chunk, ilk);
    ilki_chunk_touch(storage, chunk);
    memset(chunk->waited, 0, live_bytes(chunk->rows));
    join_ilk(ilk, chunk);
    ilki_chunk_note_dying(storage, chunk);
    chunk->is_odd = ilki_chunk_is_odd(storage, chunk);
    return true;
}

bool ilki_chunk_is_odd(const ilki_storage* storage, const ilki_chunk* chunk) {
    if (chunk->drops || chunk->keeps || chunk->guest_count || chunk->has_targets) return true;
    for (uint32_t i = 0; i < chunk->ilk->type_count; i++) {
        uint32_t type = chunk->ilk->types[i];
        const ilki_block* block = ilki_block_at(storage->types[type], chunk->number);
        if (block->count || block->off) return true;
    }
    return false;
}
