#include "settle.h"

#include <string.h>

#include "lodge.h"

// Rows of one chunk that have the same set of types, and go the same way.
typedef struct party {
    uint16_t from[ILKI_ROWS_MAX];
    uint32_t count;
} party;

static const ilki_block* block_in(const ilki_storage* storage, const ilki_chunk* chunk,
                                  uint32_t at) {
    return ilki_block_at(ilki_directory_in(storage, chunk, at), chunk->number);
}

// The rows of one word that have the same types as `row`.
static uint64_t rows_like(const ilki_storage* storage, const ilki_chunk* chunk, uint32_t row,
                          uint32_t word) {
    uint64_t rows = chunk->live[word];
    for (uint32_t i = 0; i < ilki_block_count(chunk) && rows; i++) {
        const ilki_block* block = block_in(storage, chunk, i);
        uint64_t has = ilki_block_word(block, word, rows);
        rows &= ilki_block_has(block, row) ? has : ~has;
    }
    return rows;
}

// Gathers the rows that have the same types as `row`, of those in `among`.
static void gather(const ilki_storage* storage, const ilki_chunk* chunk, const uint64_t* among,
                   uint32_t row, party* group) {
    group->count = 0;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        if (!among[word]) continue;
        uint64_t rows = rows_like(storage, chunk, row, word) & among[word];
        for (; rows; rows &= rows - 1) {
            group->from[group->count++] = (uint16_t)(word * 64 + ilki_lowest(rows));
        }
    }
}

// The rows of one word that are not just of their chunk's ilk.
static uint64_t misfits(const ilki_storage* storage, const ilki_chunk* chunk, uint32_t word) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        rows |= *ilki_presence(block_in(storage, chunk, i), word);
    }
    return rows;
}

// Finds the misfits whose difference has lasted: who were misfits when settling last looked, or
// all if it is not to wait. The others are noted for the next time.
static void find_lasting(ilki_storage* storage, ilki_chunk* chunk, bool is_patient,
                         uint64_t* lasting) {
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = misfits(storage, chunk, word);
        lasting[word] = is_patient ? rows & chunk->waited[word] : rows;
        if (lasting[word] != rows) storage->is_waiting = true;
        if (chunk->waited[word] == rows) continue;
        ilki_chunk_touch(storage, chunk);
        chunk->waited[word] = rows;
    }
}

static ilki_ilk* ilk_of_row(ilki_storage* storage, const ilki_chunk* chunk, uint32_t row) {
    uint32_t count = ilki_row_set(storage, chunk, row, storage->set);
    return ilki_ilk_of(storage, storage->set, count);
}

// Gives each row the tick that stands for all, before some come for which it does not.
static void spread_ticks(ilki_row_ticks* all, uint32_t rows) {
    if (!all->changed) return;
    for (uint32_t row = 0; row < rows; row++) {
        if (all[1 + row].changed < all->changed) all[1 + row].changed = all->changed;
    }
    all->changed = 0;
}

// The ticks of rows go with their values.
static void move_ticks(const ilki_chunk* source, const ilki_chunk* target,
                       const ilki_directory* directory, const uint16_t* from, const uint16_t* to,
                       uint32_t count) {
    const ilki_block* old = ilki_block_at(directory, source->number);
    const ilki_block* new = ilki_block_at(directory, target->number);
    const ilki_row_ticks* was = ilki_ticks_of(directory, old, source->rows);
    ilki_row_ticks* is = ilki_ticks_of(directory, new, target->rows);
    spread_ticks(is, target->rows);
    for (uint32_t i = 0; i < count; i++) {
        ilki_row_ticks ticks = was[1 + from[i]];
        if (ticks.changed < was->changed) ticks.changed = was->changed;
        is[1 + to[i]] = ticks;
    }
}

// Moves the values of one type; the target's bits are set.
static void move_values(ilki_storage* storage, const ilki_chunk* source, const ilki_chunk* target,
                        const ilki_directory* directory, const uint16_t* from, const uint16_t* to,
                        uint32_t count) {
    const ilki_block* old = ilki_block_at(directory, source->number);
    ilki_block* new = ilki_block_at(directory, target->number);
    ilki_touch(storage, new);
    for (uint32_t i = 0; i < count; i++) {
        void* value = ilki_value_at(directory, new, to[i]);
        ilki_expect_untouched(storage, directory, value);
        ilki_value_move(value, ilki_value_at(directory, old, from[i]), directory->size);
    }
    uint64_t changed = old->changed > new->changed ? old->changed : new->changed;
    for (uint32_t i = 0; old->off && i < count; i++) {
        if (!ilki_block_is_off(old, from[i])) continue;
        ilki_value_switch(storage, directory, new, ilki_place(target->number, to[i]), false);
    }
    new->changed = changed;
    if (directory->is_tracked) move_ticks(source, target, directory, from, to, count);
}

static void move_entities(ilki_storage* storage, ilki_chunk* source, ilki_chunk* target,
                          const uint16_t* from, const uint16_t* to, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        ilk_entity e = source->entities[from[i]];
        target->entities[to[i]] = e;
        ilki_record_edit(&storage->view.index, e.index)->place = ilki_place(target->number, to[i]);
        if (ilki_is_target(storage, e.index)) ilki_chunk_note_target(target);
        ilki_row_forget(storage, source, from[i]);
        ilki_row_leave(storage, source, from[i]);
        ilki_bit_clear(source->waited, from[i]);
    }
}

// Moves rows of a set into the lowest free rows of a chunk, which has room, and may be the same.
// False without memory.
static bool move_rows(ilki_storage* storage, ilki_chunk* source, const uint16_t* from,
                      uint32_t count, const ilki_ilk* set, ilki_chunk* target) {
    uint16_t to[ILKI_ROWS_MAX];
    bool lodges = set != target->ilk;
    if (lodges && !ilki_ready_to_lodge(storage, set, target, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = (uint16_t)ilki_row_take(storage, target);
        if (lodges) ilki_lodge(storage, set, target, to[i]);
    }
    for (uint32_t i = 0; i < set->type_count; i++) {
        move_values(storage, source, target, storage->types[set->types[i]], from, to, count);
    }
    move_entities(storage, source, target, from, to, count);
    if (lodges) ilki_chunk_note_dying(storage, target);
    return true;
}

// Moves as many rows of a set as the open chunk of an ilk has room for. Returns how many: none
// without memory.
static uint32_t move_part(ilki_storage* storage, ilki_chunk* source, const uint16_t* from,
                          uint32_t count, const ilki_ilk* set, ilki_ilk* into) {
    if (ilki_ilk_ready(storage, into) != ILK_OK) return 0;
    uint32_t room = into->door->rows - into->door->alive;
    if (count > room) count = room;
    return move_rows(storage, source, from, count, set, into->door) ? count : 0;
}

// Counts rows of a set that were moved, so that a bound on blocks is one on time too: 64 values of
// up to 64 bytes take 0.5 us, looking at a block 0.2.
static void count_moved(const ilki_storage* storage, const ilki_ilk* set, uint32_t count,
                        ilk_settled* report) {
    size_t lines = 1; // of a row: its entity, and its values
    for (uint32_t i = 0; i < set->type_count; i++) {
        lines += 1 + storage->types[set->types[i]]->size / 64;
    }
    report->moved += count;
    report->blocks += (uint32_t)(1 + count * lines / 64);
}

// Moves the rows of a party to an ilk. False if there was no memory for all.
static bool move_party(ilki_storage* storage, ilki_chunk* source, const party* group,
                       const ilki_ilk* set, ilki_ilk* into, ilk_settled* report) {
    for (uint32_t done = 0; done < group->count;) {
        uint32_t part =
            move_part(storage, source, group->from + done, group->count - done, set, into);
        if (part == 0) {
            storage->is_short = true;
            return false;
        }
        done += part;
        count_moved(storage, set, part, report);
    }
    return true;
}

// Entities that have lost all components have no place any more.
static void displace(ilki_storage* storage, ilki_chunk* chunk, const party* group,
                     ilk_settled* report) {
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t row = group->from[i];
        ilki_record_edit(&storage->view.index, chunk->entities[row].index)->place = ILKI_NOWHERE;
        ilki_row_forget(storage, chunk, row);
        ilki_row_leave(storage, chunk, row);
        ilki_bit_clear(chunk->waited, row);
    }
    report->moved += group->count;
}

// Whether the entities of a set, of which a chunk has some, are to have chunks of their own.
static bool is_worth_founding(ilki_storage* storage, const ilki_chunk* chunk, const party* group,
                              ilki_ilk* set) {
    if (set->host == set || group->count == chunk->alive) return true;
    set->waiting += group->count;
    return set->waiting >= ilki_enough(storage);
}

// Brings a party of misfits to where it belongs, if that is elsewhere.
static void settle_party(ilki_storage* storage, ilki_chunk* chunk, const party* group,
                         ilk_settled* report) {
    ilki_ilk* set = ilk_of_row(storage, chunk, group->from[0]);
    if (!set) {
        storage->is_short = true;
        return;
    }
    if (set->type_count == 0) {
        displace(storage, chunk, group, report);
        return;
    }
    if (!is_worth_founding(storage, chunk, group, set)) return;
    ilki_ilk_found(storage, set);
    if (group->count == chunk->alive && ilki_chunk_adopt(storage, chunk, set)) {
        report->adopted++;
        storage->stirs++;
        return;
    }
    move_party(storage, chunk, group, set, set, report);
}

// Moves misfits until the bound is reached. False if some are left for the next call, which goes on
// at the row where this one stopped: a party that begins before was looked at already.
static bool settle_misfits(ilki_storage* storage, ilki_chunk* chunk, uint32_t bound,
                           ilk_settled* report) {
    uint64_t lasting[ILKI_ROWS_MAX / 64];
    uint32_t first = storage->settle_row, end = chunk->is_odd ? chunk->used : 0;
    party group;
    if (end) find_lasting(storage, chunk, bound != 0, lasting);
    for (uint32_t row = first; (row = ilki_bits_next_set(lasting, end, row)) != ILKI_NONE; row++) {
        gather(storage, chunk, lasting, row, &group);
        for (uint32_t i = 0; i < group.count; i++) ilki_bit_clear(lasting, group.from[i]);
        report->blocks += ilki_block_count(chunk);
        if (group.from[0] >= first) settle_party(storage, chunk, &group, report);
        storage->settle_row = row + 1;
        if (bound && report->blocks >= bound) return false;
    }
    storage->settle_row = 0;
    return true;
}

// Whether the chunks before this one in its ilk have room for all its rows.
static bool can_vacate(const ilki_chunk* chunk) {
    const ilki_ilk* ilk = chunk->ilk;
    if (chunk->alive > chunk->rows - chunk->rows / 4) return false;
    uint32_t room = 0;
    for (uint32_t at = ilki_bits_next_set(ilk->room, ilk->chunk_count, 0);
         at < chunk->position && room < chunk->alive;
         at = ilki_bits_next_set(ilk->room, ilk->chunk_count, at + 1)) {
        room += ilk->chunks[at]->rows - ilk->chunks[at]->alive;
    }
    return room >= chunk->alive;
}

// Moves all rows into chunks that stand before this one.
static void vacate(ilki_storage* storage, ilki_chunk* chunk, ilk_settled* report) {
    party group;
    while (chunk->alive) {
        gather(storage, chunk, chunk->live, ilki_bits_next_set(chunk->live, chunk->used, 0),
               &group);
        const ilki_ilk* set = ilk_of_row(storage, chunk, group.from[0]);
        if (!set) storage->is_short = true;
        if (!set || !move_party(storage, chunk, &group, set, chunk->ilk, report)) return;
    }
}

// Moves the last rows into holes, so that the rows that are left lie side by side.
static void close_holes(ilki_storage* storage, ilki_chunk* chunk, ilk_settled* report) {
    party group;
    uint32_t end = chunk->alive; // of the rows, when it is done
    for (uint32_t row; (row = ilki_bits_next_set(chunk->live, chunk->used, end)) != ILKI_NONE;) {
        const ilki_ilk* set = ilk_of_row(storage, chunk, row);
        gather(storage, chunk, chunk->live, row, &group);
        uint32_t first = 0;
        while (group.from[first] < end) first++;
        uint32_t count = group.count - first;
        if (!set || !move_rows(storage, chunk, group.from + first, count, set, chunk)) {
            storage->is_short = true;
            return;
        }
        count_moved(storage, set, count, report);
    }
    chunk->used = end;
    chunk->gaps = 0;
}

// Whether a chunk has many holes, that the rows of no other chunk are about to fill. (A walk goes
// round a hole in about the time in which it goes over 16 rows.)
static bool has_many_holes(const ilki_chunk* chunk) {
    const ilki_ilk* ilk = chunk->ilk;
    const ilki_chunk* last = ilk->chunks[ilk->chunk_count - 1];
    uint32_t holes = chunk->used - chunk->alive;
    return holes && holes * 16 >= chunk->used && (chunk == last || !can_vacate(last));
}

static void expand_guests(ilki_storage* storage, ilki_chunk* chunk) {
    for (uint32_t i = 0; i < chunk->guest_count; i++) {
        ilki_directory* directory = storage->types[chunk->guests[i]];
        ilki_block* block = ilki_block_at(directory, chunk->number);
        if (block->kind != ILKI_SMALL || !ilki_small_is_dense(directory, block)) continue;
        ilki_touch(storage, block);
        if (!ilki_directory_expand(directory, &storage->pool, chunk->number, chunk->rows)) {
            storage->is_short = true;
        }
    }
}

// Dismisses guests of whom nothing is left: the tag of the dying, or all others.
static void dismiss_some(ilki_storage* storage, ilki_chunk* chunk, bool is_of_dying,
                         ilk_settled* report) {
    for (uint32_t i = chunk->guest_count; i-- > 0;) {
        const ilki_directory* directory = storage->types[chunk->guests[i]];
        if ((directory == storage->dying) != is_of_dying) continue;
        if (ilki_block_at(directory, chunk->number)->count) continue;
        ilki_chunk_dismiss(storage, chunk, i);
        report->guests++;
    }
}

// The tag of the dying stays as long as something else may outlive somebody, or somebody is dying.
// (Who is about to go is still there for what observers of its last value ask for.)
static void dismiss_guests(ilki_storage* storage, ilki_chunk* chunk, ilk_settled* report) {
    dismiss_some(storage, chunk, false, report);
    if (!chunk->keeps || ilki_chunk_keeps(storage, chunk)) return;
    ilki_chunk_note_dying(storage, chunk);
    if (chunk->has_dying) return;
    dismiss_some(storage, chunk, true, report);
    chunk->keeps = false;
}

// A chunk forgets that it had targets of relations when none is left.
static void look_for_targets(const ilki_storage* storage, ilki_chunk* chunk) {
    bool is_found = false;
    uint32_t row = ilki_bits_next_set(chunk->live, chunk->used, 0);
    while (row != ILKI_NONE && !is_found) {
        is_found = ilki_is_target(storage, chunk->entities[row].index);
        row = ilki_bits_next_set(chunk->live, chunk->used, row + 1);
    }
    chunk->has_targets = is_found;
}

// Does all there is to do for a chunk. False if the bound was reached before the end.
static bool settle_chunk(ilki_storage* storage, ilki_chunk* chunk, uint32_t bound,
                         ilk_settled* report) {
    report->blocks += chunk->is_odd ? ilki_block_count(chunk) + 1 : 1;
    storage->moves++;
    if (!settle_misfits(storage, chunk, bound, report)) return false;
    dismiss_guests(storage, chunk, report);
    expand_guests(storage, chunk);
    ilki_chunk_note_dying(storage, chunk);
    if (chunk->has_targets) look_for_targets(storage, chunk);
    chunk->is_odd = ilki_chunk_is_odd(storage, chunk);
    if (chunk->alive && can_vacate(chunk))
        vacate(storage, chunk, report);
    else if (chunk->alive && has_many_holes(chunk))
        close_holes(storage, chunk, report);
    if (chunk->alive == 0) {
        ilki_chunk_free(storage, chunk);
        report->chunks++;
        storage->stirs++;
    }
    return true;
}

// A round is over: what it saw of sets without chunks of their own is what is known of them.
// Returns whether another round might find something to do.
static bool end_round(ilki_storage* storage) {
    bool goes_on = storage->stirs != storage->known_stirs || storage->is_waiting;
    storage->set_count = 0;
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        if (ilk->chunk_count || ilk->waiting) storage->set_count++;
        ilk->lodgers = ilk->waiting;
        ilk->waiting = 0;
    }
    storage->is_settled = !goes_on && !storage->is_short;
    storage->known_stirs = storage->stirs;
    storage->is_short = storage->is_waiting = false;
    storage->settle_next = storage->settle_row = 0;
    return goes_on;
}

ilk_settled ilki_settle(ilki_storage* storage, uint32_t blocks) {
    ilk_settled report = {0};
    bool goes_on = true;
    bool was_short = false;
    bool may_find_memory = storage->is_short; // what an earlier call had none for
    ilki_next_tick(storage);
    ilki_look_no_more(storage, "the world was settled");
    if (storage->stirs != storage->known_stirs) storage->is_settled = false;
    while (goes_on && !storage->is_settled && (blocks == 0 || report.blocks < blocks)) {
        if (storage->settle_next >= storage->chunk_count) {
            was_short = storage->is_short && !may_find_memory;
            goes_on = (end_round(storage) || may_find_memory) && blocks == 0;
            may_find_memory = false;
            continue;
        }
        ilki_chunk* chunk = storage->chunks[storage->settle_next];
        if (chunk && !settle_chunk(storage, chunk, blocks, &report)) break;
        storage->settle_next++;
    }
    report.done = storage->is_settled;
    if (was_short || storage->is_short) report.result = ILK_NO_MEMORY;
    return report;
}
