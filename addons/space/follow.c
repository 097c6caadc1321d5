// Following: a space is built, and follows what happens.
#include <string.h>

#include "space.h"

// Building

static void forget_parts(ilk_space* space) {
    ilks_grid* grid = &space->grid;
    ilks_store_clear(&space->store);
    if (grid->cells) memset(grid->cells, 0, grid->capacity * sizeof *grid->cells);
    grid->used = 0;
    grid->crowd = 0;
    memset(grid->levels, 0, sizeof grid->levels);
    space->tree.count = 0;
}

static void include(ilk_space* space, const double* numbers) {
    const ilks_store* store = &space->store;
    const double* high = numbers + (store->numbers - store->dims);
    for (uint32_t i = 0; i < store->dims; i++) {
        if (numbers[i] < space->bounds[i]) space->bounds[i] = numbers[i];
        if (high[i] > space->bounds[3 + i]) space->bounds[3 + i] = high[i];
    }
}

// Who is in it, and between which corners.
static void measure(ilk_space* space) {
    space->count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        space->bounds[i] = 1e308;
        space->bounds[3 + i] = -1e308;
    }
    const ilks_slot* slot;
    for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++) {
        double numbers[6];
        ilks_slot_read(space, slot, numbers);
        space->count++;
        include(space, numbers);
    }
}

#define UNEVEN 20.0 // so many beside each, on average: then it is no crowd for a grid

static double crowd_of(const ilk_space* space) {
    return space->count ? space->grid.crowd / space->count : 0;
}

static bool is_measured(const ilk_space* space) {
    return space->desc.kind == ILK_SPACE_MEASURED && !(space->desc.cell > 0);
}

// Of sorted items, those of one cell come after each other.
static bool are_uneven(const ilks_item* items, uint32_t count) {
    double crowd = 0;
    for (uint32_t i = 0, begin = 0; i < count; i++) {
        if (items[i].rank != items[begin].rank) begin = i;
        crowd += 2.0 * (i - begin) + 1;
    }
    return crowd > UNEVEN * count;
}

static bool fill_grid(ilk_space* space, const ilks_item* items, uint32_t count) {
    bool is_filled = ilks_grid_ready(space, count / 4) &&
                     ilks_store_ready(&space->store, &space->memory, count / ILKS_BUCKET + 1);
    for (uint32_t i = 0; i < count && is_filled; i++) {
        uint32_t index = items[i].index;
        const ilks_slot* slot = ilks_slot_at(space, index);
        double numbers[6];
        ilks_slot_read(space, slot, numbers);
        is_filled = ilks_grid_put(space, (ilk_entity){index, slot->generation}, numbers);
    }
    return is_filled;
}

// (Those who are in it are told by `where`, whatever it says.) In an order in which neighbours come
// after each other, so that they also lie together; unless it turns out that a tree suits them.
static bool build_grid(ilk_space* space) {
    space->grid.side = ilks_grid_measured(space);
    size_t bytes = (2 * (size_t)space->count + 1) * sizeof(ilks_item);
    ilks_item* items = ilks_alloc(&space->memory, bytes);
    if (!items) return false;
    uint32_t count = 0;
    const ilks_slot* slot;
    for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++) {
        double numbers[6];
        ilks_slot_read(space, slot, numbers);
        items[count++] = (ilks_item){ilks_grid_rank(space, numbers), i};
    }
    const ilks_item* sorted = ilks_sort(items, items + count, count);
    space->is_tree = is_measured(space) && are_uneven(sorted, count);
    bool is_filled = space->is_tree || fill_grid(space, sorted, count);
    ilks_free(&space->memory, items, bytes);
    return is_filled;
}

static void empty_slots(ilk_space* space) {
    ilks_slot* slot;
    for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++) slot->where = ILKS_NONE;
}

static void forget_all(ilk_space* space) {
    forget_parts(space);
    empty_slots(space);
    space->count = 0;
}

bool ilks_build(ilk_space* space) {
    measure(space);
    forget_parts(space);
    space->stats.builds++;
    space->is_tree = space->desc.kind == ILK_SPACE_TREE;
    bool is_built = space->is_tree || build_grid(space);
    if (is_built && space->is_tree) is_built = ilks_tree_build(space);
    space->built = space->count;
    if (!is_built) forget_all(space);
    return is_built;
}

// Whether it is so different from what it was built for that building it anew pays.
static bool is_outgrown(const ilk_space* space) {
    if (space->count > 2 * space->built + 64 || space->count < space->built / 4) return true;
    if (space->is_tree) return space->tree.is_deep || space->tree.changes > space->built + 64;
    bool is_littered = space->grid.used > 4 * (uint64_t)space->count + 1024;
    bool is_fine =
        ilks_grid_measured(space) > 4 * space->grid.side; // for those who have spread since
    return is_littered || is_fine || (is_measured(space) && crowd_of(space) > UNEVEN);
}

// Following

// Room for those who move, if these are not so many that building everything is as quick.
static bool ready_moved(ilk_space* space) {
    uint32_t wanted = space->count / 6 + 64, before = space->moved_capacity;
    if (wanted <= before && wanted > before / 4) return true;
    ilks_free(&space->memory, space->moved, before * sizeof *space->moved);
    space->moved = NULL;
    space->moved_capacity = 0;
    return ilks_grow(&space->memory, &space->moved, &space->moved_capacity, wanted,
                     sizeof *space->moved);
}

static void leave(ilk_space* space, uint32_t index) {
    if (space->is_tree)
        ilks_tree_take(space, index);
    else
        ilks_grid_take(space, index);
    space->count--;
}

static void leave_if_in(ilk_space* space, uint32_t index) {
    const ilks_slot* slot = ilks_slot_of(space, index);
    if (slot && slot->where != ILKS_NONE) leave(space, index);
}

static bool enter(ilk_space* space, ilk_entity e, const double* numbers) {
    ilks_slot* slot = ilks_slot_at(space, e.index);
    ilks_slot_write(space, slot, numbers);
    slot->generation = e.generation;
    include(space, numbers);
    if (!(space->is_tree ? ilks_tree_put : ilks_grid_put)(space, e, numbers)) return false;
    space->count++;
    return true;
}

// It stays in its bucket.
static void shift(ilk_space* space, ilks_slot* slot, const double* numbers) {
    ilks_bucket* bucket = ilks_bucket_at(&space->store, slot->where / ILKS_BUCKET);
    for (uint32_t i = 0; i < space->store.numbers; i++) {
        bucket->numbers[i * ILKS_BUCKET + slot->where % ILKS_BUCKET] = numbers[i];
    }
    ilks_slot_write(space, slot, numbers);
    include(space, numbers);
}

static bool move(ilk_space* space, ilk_entity e, const double* numbers) {
    ilks_slot* slot = ilks_slot_at(space, e.index);
    double before[6];
    ilks_slot_read(space, slot, before);
    bool stays = space->is_tree ? ilks_tree_is_same(space, before, numbers)
                                : ilks_grid_is_same(space, before, numbers);
    if (stays) {
        shift(space, slot, numbers);
        return true;
    }
    leave(space, e.index);
    return enter(space, e, numbers);
}

// Whether a slot has this entity, not somebody of that index before. NULL is allowed.
static bool is_in(const ilks_slot* slot, ilk_entity e) {
    return slot && slot->where != ILKS_NONE && slot->generation == e.generation;
}

static bool is_where_it_was(const ilk_space* space, const ilks_slot* slot, const double* numbers) {
    double before[6];
    bool is_same = true;
    ilks_slot_read(space, slot, before);
    for (uint32_t i = 0; i < space->store.numbers; i++) {
        is_same = is_same && before[i] == numbers[i];
    }
    return is_same;
}

// An entity that matches is where it is now, or not in it. False without memory.
static bool place(ilk_space* space, ilk_entity e, const void* value) {
    double numbers[6];
    bool is_there = ilks_numbers_of(space, e, value, numbers);
    if (!ilks_slots_ready(&space->slots, &space->memory, e.index)) return false;
    ilks_slot* slot = ilks_slot_at(space, e.index);
    slot->seen = space->serial;
    space->stats.looked_at++;
    if (is_in(slot, e) && is_there) {
        if (is_where_it_was(space, slot, numbers)) return true;
        space->stats.moved++;
        return move(space, e, numbers);
    }
    leave_if_in(space, e.index); // it, or somebody of that index before
    return !is_there || enter(space, e, numbers);
}

// Into the slot alone: the space is to be built anew.
static bool place_to_build(ilk_space* space, ilk_entity e, const void* value) {
    double numbers[6];
    bool is_there = ilks_numbers_of(space, e, value, numbers);
    if (!ilks_slots_ready(&space->slots, &space->memory, e.index)) return false;
    ilks_slot* slot = ilks_slot_at(space, e.index);
    slot->where = is_there ? 0 : ILKS_NONE;
    slot->generation = e.generation;
    space->stats.looked_at++;
    if (is_there) ilks_slot_write(space, slot, numbers);
    return true;
}

typedef bool place_fn(ilk_space* space, ilk_entity e, const void* value);

static const unsigned char* values_of(const ilk_space* space, const ilk_iter* it) {
    return space->desc.type ? ilk_column_read(it, space->desc.type) : NULL;
}

static bool place_all(ilk_space* space, place_fn* fn) {
    size_t size = space->desc.type ? space->desc.type->size : 0;
    bool is_placed = true;
    ilk_iter it = ilk_query_iter(space->world, space->all);
    while (is_placed && ilk_next(&it)) {
        const unsigned char* values = values_of(space, &it);
        for (uint32_t i = 0; i < it.count && is_placed; i++) {
            is_placed = fn(space, it.entities[i], values ? values + i * size : NULL);
        }
    }
    ilk_iter_end(&it);
    return is_placed && it.result == ILK_OK;
}

// Those that were not seen do not match any more.
static void drop_unseen(ilk_space* space) {
    const ilks_slot* slot;
    for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++) {
        if (slot->seen != space->serial) leave(space, i);
    }
}

static bool build_anew(ilk_space* space) {
    empty_slots(space);
    return place_all(space, place_to_build) && ilks_build(space);
}

static bool look_at_all(ilk_space* space) {
    if (!place_all(space, place)) return false;
    drop_unseen(space);
    return true;
}

// What began or ceased to match: it is looked at who does now.
static bool place_stirred(ilk_space* space) {
    ilk_type* type = space->desc.type;
    bool is_placed = true;
    for (uint32_t i = 0; i < space->stirred_count && is_placed; i++) {
        ilk_entity e = space->stirred[i];
        if (ilk_query_matches(space->world, space->all, e))
            is_placed = place(space, e, type ? ilk_get(space->world, e, type, NULL) : NULL);
        else if (is_in(ilks_slot_of(space, e.index), e))
            leave(space, e.index);
    }
    return is_placed;
}

// Moving
//
// Who has moved is listed first. If these are too many for the list, their slots are set at once,
// the structure is good for nothing any more, and everything is built anew.

static void note_moved(ilk_space* space, ilk_entity e, const void* value) {
    double numbers[6] = {0};
    ilks_slot* slot = ilks_slot_at(space, e.index);
    bool is_there = ilks_numbers_of(space, e, value, numbers);
    if (!is_there && !is_in(slot, e)) return;
    uint32_t at = space->moved_count++;
    if (at < space->moved_capacity) {
        space->moved[at] = (ilks_moved){.entity = e, .is_gone = !is_there};
        memcpy(space->moved[at].numbers, numbers, sizeof numbers);
        return;
    }
    slot->where = is_there ? 0 : ILKS_NONE;
    slot->generation = e.generation;
    ilks_slot_write(space, slot, numbers);
}

// Rows of points, as most are: those that do not have the same bytes are noted.
static inline void compare_bytes(ilk_space* space, const ilk_iter* it, const unsigned char* values,
                                 size_t bytes) {
    size_t size = space->desc.type->size;
    for (uint32_t i = 0; i < it->count; i++, values += size) {
        ilk_entity e = it->entities[i];
        const ilks_slot* slot = ilks_slot_of(space, e.index);
        if (!slot) continue; // it has begun to match
        bool is_same = is_in(slot, e) && !memcmp(slot->numbers, values + space->offset, bytes);
        if (!is_same) note_moved(space, e, values);
    }
}

// (Comparing as many bytes as the compiler knows of takes no call.)
static void compare_points(ilk_space* space, const ilk_iter* it, const unsigned char* values) {
    size_t bytes = space->slots.bytes - sizeof(ilks_slot);
    switch (bytes) {
    case 2 * sizeof(float):
        compare_bytes(space, it, values, 2 * sizeof(float));
        break;
    case 3 * sizeof(float):
        compare_bytes(space, it, values, 3 * sizeof(float));
        break;
    case 2 * sizeof(double):
        compare_bytes(space, it, values, 2 * sizeof(double));
        break;
    case 3 * sizeof(double):
        compare_bytes(space, it, values, 3 * sizeof(double));
        break;
    default:
        compare_bytes(space, it, values, bytes);
    }
}

static void compare_any(ilk_space* space, const ilk_iter* it, const unsigned char* values) {
    size_t size = space->desc.type ? space->desc.type->size : 0;
    for (uint32_t i = 0; i < it->count; i++) {
        ilk_entity e = it->entities[i];
        const void* value = values ? values + i * size : NULL;
        const ilks_slot* slot = ilks_slot_of(space, e.index);
        if (!slot) continue;
        double numbers[6];
        bool is_same = is_in(slot, e) && ilks_numbers_of(space, e, value, numbers) &&
                       is_where_it_was(space, slot, numbers);
        if (!is_same) note_moved(space, e, value);
    }
}

// (Each row is one worker's alone.)
void ilks_compare_rows(ilk_space* space, ilk_iter* it) {
    uint32_t rows = 0;
    bool are_points = !space->desc.where && !space->desc.high;
    for (; ilk_next(it); rows += it->count) {
        const unsigned char* values = values_of(space, it);
        if (are_points)
            compare_points(space, it, values);
        else
            compare_any(space, it, values);
    }
    space->compared += rows;
}

// Each run of a phase has another one.
static uint64_t moment_of(ilk_world* world) {
    ilk_time time = ilk_time_of(world);
    return time.frames + time.fixed_steps;
}

void ilks_begin_gathering(ilk_space* space) {
    space->is_lost |= space->moved_count > 0;
    space->gathered_at = moment_of(space->world);
}

bool ilks_is_gathered(const ilk_space* space) {
    return space->gathered_at == moment_of(space->world);
}

// What moved was too much for the list: it is in the slots, but not in the structure.
static bool is_torn(const ilk_space* space) {
    return space->moved_count > space->moved_capacity;
}

static bool build_moved(ilk_space* space) {
    for (uint32_t i = 0; i < space->moved_capacity; i++) {
        const ilks_moved* moved = &space->moved[i];
        ilks_slot* slot = ilks_slot_at(space, moved->entity.index);
        slot->where = moved->is_gone ? ILKS_NONE : 0;
        slot->generation = moved->entity.generation;
        ilks_slot_write(space, slot, moved->numbers);
    }
    space->stats.moved += space->moved_count;
    return ilks_build(space);
}

// (If it has ceased to match since the workers looked, that is noted, and it leaves again.)
static bool place_one_moved(ilk_space* space, const ilks_moved* moved) {
    ilk_entity e = moved->entity;
    bool was_in = is_in(ilks_slot_at(space, e.index), e);
    space->stats.moved++;
    if (moved->is_gone) {
        if (was_in) leave(space, e.index);
        return true;
    }
    if (was_in) return move(space, e, moved->numbers);
    leave_if_in(space, e.index);
    return enter(space, e, moved->numbers);
}

// What moved, where it was when that was found out.
static bool place_moved(ilk_space* space) {
    if (is_torn(space)) return build_moved(space);
    bool is_placed = true;
    for (uint32_t i = 0; i < space->moved_count && is_placed; i++) {
        is_placed = place_one_moved(space, &space->moved[i]);
    }
    return is_placed;
}

static bool find_moved(ilk_space* space) {
    ilk_iter it = ilk_query_iter(space->world, space->changed);
    ilks_compare_rows(space, &it);
    ilk_iter_end(&it);
    return it.result == ILK_OK;
}

// What moved since the last time, and then who began or ceased to match: these are looked at as
// they are now.
static bool follow_changes(ilk_space* space, bool is_gathered) {
    return (is_gathered || find_moved(space)) && place_moved(space) && place_stirred(space);
}

static bool follow_all(ilk_space* space) {
    bool is_placed = is_torn(space) || !space->count ? build_anew(space) : look_at_all(space);
    bool may_forget = space->changed && !ilk_is_locked(space->world);
    if (may_forget) ilk_query_since(space->changed, ilk_tick(space->world));
    return is_placed;
}

ilk_result ilks_follow(ilk_space* space, bool is_gathered, const char* call) {
    uint64_t restores = ilk_restore_count(space->world);
    // (What workers have gathered is of no use if whoever was to move it did not run.)
    bool is_left = space->moved_count && !is_gathered;
    bool looks_at_all =
        space->is_lost || !space->observer || space->restores != restores || is_left;
    space->serial++;
    space->stats.refreshes++;
    space->is_lost = true; // if this ends before its end
    space->is_following = true;
    bool is_placed = looks_at_all ? follow_all(space) : follow_changes(space, is_gathered);
    // (Slots that say where somebody is to be, of which nothing came.)
    if (!is_placed && is_torn(space)) forget_all(space);
    space->stirred_count = 0;
    space->moved_count = 0;
    space->gathered_at = ILKS_NEVER;
    space->stats.looked_at += space->compared;
    space->compared = 0;
    space->restores = restores;
    bool is_well = is_placed && (!is_outgrown(space) || ilks_build(space)) && ready_moved(space);
    space->is_lost = !is_well;
    space->is_following = false;
    return is_well ? ILK_OK : ilk_fail(space->world, ILK_NO_MEMORY, call, "no memory could be had");
}

ilk_result ilks_note_stirred(ilk_notice* notice) {
    ilk_space* space = notice->user;
    if (space->is_lost) return ILK_OK; // everybody will be looked at
    uint64_t count = (uint64_t)space->stirred_count + notice->count;
    bool is_room = count < UINT32_MAX / 2 &&
                   ilks_grow(&space->memory, &space->stirred, &space->stirred_capacity,
                             (uint32_t)count, sizeof *space->stirred);
    // So many that looking at everybody is as quick; and that is always right.
    if (!is_room || count > 2 * (uint64_t)space->count + 4096) {
        space->is_lost = true;
        return ILK_OK;
    }
    memcpy(space->stirred + space->stirred_count, notice->entities,
           notice->count * sizeof *space->stirred);
    space->stirred_count = (uint32_t)count;
    return ILK_OK;
}
