// Spaces: who is in one, and how it follows what happens.
#include <stdio.h>
#include <string.h>

#include "space.h"

// Positions

static bool is_vector(const ilk_field* field) {
    bool is_real = field->kind == ILK_KIND_F32 || field->kind == ILK_KIND_F64;
    uint32_t length = is_real ? ilk_field_length(field) : 0;
    return length == 2 || length == 3;
}

static const ilk_field* field_named(const ilk_type* type, const char* name) {
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
    }
    return NULL;
}

static const ilk_field* first_vector(const ilk_type* type) {
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        if (is_vector(f)) return f;
    }
    return NULL;
}

static uint32_t size_of_number(uint32_t kind) {
    return kind == ILK_KIND_F32 ? sizeof(float) : sizeof(double);
}

// Fields x, y and perhaps z that lie side by side: how many. `x` is NULL if there are none.
static uint32_t find_xyz(const ilk_type* type, const ilk_field** x) {
    const ilk_field *y = field_named(type, "y"), *z = field_named(type, "z");
    *x = field_named(type, "x");
    bool is_real = *x && ((*x)->kind == ILK_KIND_F32 || (*x)->kind == ILK_KIND_F64);
    uint32_t size = is_real ? size_of_number((*x)->kind) : 0;
    bool is_there = is_real && (*x)->size == size && y && y->kind == (*x)->kind &&
                    y->size == size && y->offset == (*x)->offset + size;
    if (!is_there) return 0;
    return z && z->kind == y->kind && z->size == size && z->offset == y->offset + size ? 3 : 2;
}

// Where the numbers of a field are, and how many; 0: there is no such field.
static uint32_t find_numbers(const ilk_type* type, const char* name, uint32_t* kind,
                             uint32_t* offset) {
    const ilk_field* field = name ? field_named(type, name) : first_vector(type);
    uint32_t count = field && is_vector(field) ? ilk_field_length(field) : 0;
    if (!count && !name) count = find_xyz(type, &field);
    if (!count) return 0;
    *kind = (uint32_t)field->kind;
    *offset = field->offset;
    return count;
}

static bool set_field(ilk_space* space) {
    const ilk_type* type = ilk_type_named(space->world, space->desc.type->name);
    if (!type) type = space->desc.type;
    uint32_t kind = 0, count = find_numbers(type, space->desc.field, &space->kind, &space->offset);
    space->store.dims = space->store.numbers = count;
    if (!count || !space->desc.high) return count != 0;
    space->store.numbers = 2 * count;
    return find_numbers(type, space->desc.high, &kind, &space->high_offset) == count &&
           kind == space->kind;
}

static void read_numbers(const unsigned char* value, uint32_t kind, uint32_t count, double* out) {
    if (kind == ILK_KIND_F32) {
        float numbers[3];
        memcpy(numbers, value, count * sizeof *numbers);
        for (uint32_t i = 0; i < count; i++) out[i] = numbers[i];
    } else {
        memcpy(out, value, count * sizeof *out);
    }
}

static bool are_numbers(const double* numbers, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += numbers[i] - numbers[i];
    return sum == 0;
}

// The numbers of an entity: false if it has no position. `value` is that of the type, if there is one.
static bool numbers_of(const ilk_space* space, ilk_entity e, const void* value, double* numbers) {
    const ilks_store* store = &space->store;
    uint32_t dims = store->dims;
    if (space->desc.where) {
        ilk_box box = {0};
        if (!space->desc.where(space->world, e, space->desc.user, &box)) return false;
        memcpy(numbers, box.low, dims * sizeof *numbers);
        memcpy(numbers + dims, box.high, dims * sizeof *numbers);
    } else {
        read_numbers((const unsigned char*)value + space->offset, space->kind, dims, numbers);
        if (space->desc.high) {
            read_numbers((const unsigned char*)value + space->high_offset, space->kind, dims,
                         numbers + dims);
        }
    }
    if (!are_numbers(numbers, store->numbers)) return false;
    for (uint32_t i = dims; i < store->numbers; i++) {
        if (numbers[i] < numbers[i - dims]) return false;
    }
    return true;
}

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
    for (uint32_t i = 0; i < space->slot_count; i++) {
        const ilks_slot* slot = ilks_slot_at(space, i);
        if (slot->where == ILKS_NONE) continue;
        space->count++;
        include(space, slot->numbers);
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
        is_filled =
            ilks_grid_put(space, (ilk_entity){index, ilks_slot_at(space, index)->generation});
    }
    return is_filled;
}

// (Those who are in it are told by `where`, whatever it says.) In an order in which neighbours come after
// each other, so that they also lie together; unless it turns out that a tree suits them.
static bool build_grid(ilk_space* space) {
    ilks_grid_measure(space);
    size_t bytes = (2 * (size_t)space->count + 1) * sizeof(ilks_item);
    ilks_item* items = ilks_alloc(&space->memory, bytes);
    if (!items) return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < space->slot_count; i++) {
        const ilks_slot* slot = ilks_slot_at(space, i);
        if (slot->where == ILKS_NONE) continue;
        items[count++] = (ilks_item){ilks_grid_rank(space, slot->numbers), i};
    }
    const ilks_item* sorted = ilks_sort(items, items + count, count);
    space->is_tree = is_measured(space) && are_uneven(sorted, count);
    bool is_filled = space->is_tree || fill_grid(space, sorted, count);
    ilks_free(&space->memory, items, bytes);
    return is_filled;
}

bool ilks_build(ilk_space* space) {
    measure(space);
    forget_parts(space);
    space->stats.builds++;
    space->is_tree = space->desc.kind == ILK_SPACE_TREE;
    bool is_built = space->is_tree || build_grid(space);
    if (is_built && space->is_tree) is_built = ilks_tree_build(space);
    space->built = space->count;
    if (is_built) return true;
    forget_parts(space);
    space->count = 0;
    for (uint32_t i = 0; i < space->slot_count; i++) ilks_slot_at(space, i)->where = ILKS_NONE;
    return false;
}

// Whether it is so different from what it was built for that building it anew pays.
static bool is_outgrown(const ilk_space* space) {
    if (space->count > 2 * space->built + 64 || space->count < space->built / 4) return true;
    if (space->is_tree) return space->tree.is_deep || space->tree.changes > space->built + 64;
    bool is_littered = space->grid.used > 4 * (uint64_t)space->count + 1024;
    return is_littered || (is_measured(space) && crowd_of(space) > UNEVEN);
}

// Following

static bool ready_slots(ilk_space* space, uint32_t count) {
    uint32_t before = space->slot_count;
    if (!ilks_grow(&space->memory, &space->slots, &space->slot_count, count, space->slot_bytes)) {
        return false;
    }
    for (uint32_t i = before; i < space->slot_count; i++) {
        ilks_slot* slot = ilks_slot_at(space, i);
        slot->where = ILKS_NONE;
        slot->generation = slot->seen = 0;
    }
    return true;
}

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
    if (ilks_slot_at(space, index)->where == ILKS_NONE) return;
    if (space->is_tree)
        ilks_tree_take(space, index);
    else
        ilks_grid_take(space, index);
    space->count--;
}

static bool enter(ilk_space* space, ilk_entity e, const double* numbers) {
    ilks_slot* slot = ilks_slot_at(space, e.index);
    memcpy(slot->numbers, numbers, space->store.numbers * sizeof *numbers);
    slot->generation = e.generation;
    include(space, numbers);
    if (!(space->is_tree ? ilks_tree_put : ilks_grid_put)(space, e)) return false;
    space->count++;
    return true;
}

// It stays in its bucket.
static void shift(ilk_space* space, const ilks_slot* slot) {
    ilks_bucket* bucket = ilks_bucket_at(&space->store, slot->where / ILKS_BUCKET);
    for (uint32_t i = 0; i < space->store.numbers; i++) {
        bucket->numbers[i * ILKS_BUCKET + slot->where % ILKS_BUCKET] = slot->numbers[i];
    }
    include(space, slot->numbers);
}

static bool move(ilk_space* space, ilk_entity e, const double* numbers) {
    ilks_slot* slot = ilks_slot_at(space, e.index);
    bool stays = space->is_tree ? ilks_tree_is_same(space, slot->numbers, numbers)
                                : ilks_grid_is_same(space, slot->numbers, numbers);
    if (stays) {
        memcpy(slot->numbers, numbers, space->store.numbers * sizeof *numbers);
        shift(space, slot);
        return true;
    }
    leave(space, e.index);
    return enter(space, e, numbers);
}

static bool is_where_it_was(const ilk_space* space, const ilks_slot* slot, const double* numbers) {
    bool is_same = true;
    for (uint32_t i = 0; i < space->store.numbers; i++) {
        is_same = is_same && slot->numbers[i] == numbers[i];
    }
    return is_same;
}

// An entity that matches is where it is now, or not in it. False without memory.
static bool place(ilk_space* space, ilk_entity e, const void* value) {
    double numbers[6];
    bool is_there = numbers_of(space, e, value, numbers);
    if (e.index >= space->slot_count && !ready_slots(space, e.index + 1)) return false;
    ilks_slot* slot = ilks_slot_at(space, e.index);
    slot->seen = space->serial;
    space->stats.looked_at++;
    bool is_in = slot->where != ILKS_NONE && slot->generation == e.generation;
    if (is_in && is_there) {
        if (is_where_it_was(space, slot, numbers)) return true;
        space->stats.moved++;
        return move(space, e, numbers);
    }
    leave(space, e.index); // it, or somebody of that index before
    return !is_there || enter(space, e, numbers);
}

// Into the slot alone: the space is to be built anew.
static bool place_to_build(ilk_space* space, ilk_entity e, const void* value) {
    double numbers[6];
    bool is_there = numbers_of(space, e, value, numbers);
    if (e.index >= space->slot_count && !ready_slots(space, e.index + 1)) return false;
    ilks_slot* slot = ilks_slot_at(space, e.index);
    slot->where = is_there ? 0 : ILKS_NONE;
    slot->generation = e.generation;
    if (is_there) memcpy(slot->numbers, numbers, space->store.numbers * sizeof *numbers);
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
    for (uint32_t i = 0; i < space->slot_count; i++) {
        if (ilks_slot_at(space, i)->seen != space->serial) leave(space, i);
    }
}

static bool build_anew(ilk_space* space) {
    for (uint32_t i = 0; i < space->slot_count; i++) ilks_slot_at(space, i)->where = ILKS_NONE;
    return place_all(space, place_to_build) && ilks_build(space);
}

static bool look_at_all(ilk_space* space) {
    if (!space->count) return build_anew(space);
    if (!place_all(space, place)) return false;
    drop_unseen(space);
    return true;
}

// What began or ceased to match: it is looked at who does now.
static bool place_stirred(ilk_space* space) {
    bool is_placed = true;
    for (uint32_t i = 0; i < space->stirred_count && is_placed; i++) {
        ilk_entity e = space->stirred[i];
        if (ilk_query_matches(space->world, space->all, e)) {
            const void* value =
                space->desc.type ? ilk_get(space->world, e, space->desc.type, NULL) : NULL;
            is_placed = place(space, e, value);
        } else if (e.index < space->slot_count &&
                   ilks_slot_at(space, e.index)->generation == e.generation) {
            leave(space, e.index);
        }
    }
    return is_placed;
}

// Moving
//
// Who has moved is listed first. If these are too many for the list, their slots are set at once, the
// structure is good for nothing any more, and everything is built anew.

static void note_moved(ilk_space* space, ilk_entity e, const void* value) {
    double numbers[6] = {0};
    ilks_slot* slot = ilks_slot_at(space, e.index);
    bool is_there = numbers_of(space, e, value, numbers);
    bool is_in = slot->where != ILKS_NONE && slot->generation == e.generation;
    if (!is_there && !is_in) return;
    uint32_t at = space->moved_count++;
    if (at < space->moved_capacity) {
        space->moved[at] = (ilks_moved){.entity = e, .is_gone = !is_there};
        memcpy(space->moved[at].numbers, numbers, sizeof numbers);
        return;
    }
    slot->where = is_there ? 0 : ILKS_NONE;
    slot->generation = e.generation;
    memcpy(slot->numbers, numbers, space->store.numbers * sizeof *numbers);
}

// Rows of points in floats, as most are: those that are elsewhere are noted.
static void compare_floats(ilk_space* space, const ilk_iter* it, const unsigned char* values) {
    size_t size = space->desc.type->size;
    uint32_t dims = space->store.dims;
    for (uint32_t i = 0; i < it->count; i++) {
        ilk_entity e = it->entities[i];
        float at[3] = {0};
        if (e.index >= space->slot_count) continue; // it has begun to match
        const ilks_slot* slot = ilks_slot_at(space, e.index);
        memcpy(at, values + i * size + space->offset, (dims == 2 ? 2 : 3) * sizeof *at);
        bool is_same = slot->where != ILKS_NONE && slot->generation == e.generation &&
                       slot->numbers[0] == (double)at[0] && slot->numbers[1] == (double)at[1] &&
                       (dims == 2 || slot->numbers[2] == (double)at[2]);
        if (!is_same) note_moved(space, e, values + i * size);
    }
}

static void compare_any(ilk_space* space, const ilk_iter* it, const unsigned char* values) {
    size_t size = space->desc.type ? space->desc.type->size : 0;
    for (uint32_t i = 0; i < it->count; i++) {
        ilk_entity e = it->entities[i];
        if (e.index >= space->slot_count) continue;
        const void* value = values ? values + i * size : NULL;
        const ilks_slot* slot = ilks_slot_at(space, e.index);
        double numbers[6];
        bool is_in = slot->where != ILKS_NONE && slot->generation == e.generation;
        bool is_same =
            is_in && numbers_of(space, e, value, numbers) && is_where_it_was(space, slot, numbers);
        if (!is_same) note_moved(space, e, value);
    }
}

// By any number of workers at once: each row is one's alone.
static uint64_t compare_rows(ilk_space* space, ilk_iter* it) {
    uint64_t rows = 0;
    bool is_plain = !space->desc.where && !space->desc.high && space->kind == ILK_KIND_F32;
    for (; ilk_next(it); rows += it->count) {
        const unsigned char* values = values_of(space, it);
        if (is_plain)
            compare_floats(space, it, values);
        else
            compare_any(space, it, values);
    }
    return rows;
}

static bool build_moved(ilk_space* space) {
    for (uint32_t i = 0; i < space->moved_capacity; i++) {
        const ilks_moved* moved = &space->moved[i];
        ilks_slot* slot = ilks_slot_at(space, moved->entity.index);
        slot->where = moved->is_gone ? ILKS_NONE : 0;
        slot->generation = moved->entity.generation;
        memcpy(slot->numbers, moved->numbers, space->store.numbers * sizeof *slot->numbers);
    }
    space->stats.moved += space->moved_count;
    return ilks_build(space);
}

// (Since the workers looked, somebody may have ceased to match.)
static bool place_one_moved(ilk_space* space, const ilks_moved* moved) {
    ilk_entity e = moved->entity;
    const ilks_slot* slot = ilks_slot_at(space, e.index);
    bool is_in = slot->where != ILKS_NONE && slot->generation == e.generation;
    space->stats.moved++;
    if (is_in && moved->is_gone) leave(space, e.index);
    if (moved->is_gone) return true;
    if (is_in) return move(space, e, moved->numbers);
    if (!ilk_query_matches(space->world, space->all, e)) return true;
    leave(space, e.index);
    return enter(space, e, moved->numbers);
}

static bool place_moved(ilk_space* space) {
    bool is_placed = true;
    for (uint32_t i = 0; i < space->moved_count && is_placed; i++) {
        is_placed = place_one_moved(space, &space->moved[i]);
    }
    return is_placed;
}

static void gather(ilk_iter* it) {
    compare_rows(it->user, it);
}

// What changed since the last time, unless the workers have looked already.
static bool follow_moves(ilk_space* space, bool is_gathered) {
    if (!is_gathered) {
        ilk_iter it = ilk_query_iter(space->world, space->changed);
        space->stats.looked_at += compare_rows(space, &it);
        ilk_iter_end(&it);
        if (it.result != ILK_OK) return false;
    }
    if (space->moved_count <= space->moved_capacity) return place_moved(space);
    // What came and went is in the slots, and in a structure that is gone.
    return build_moved(space);
}

// Following: all that happened since the last time.
static ilk_result follow(ilk_space* space, bool is_gathered) {
    uint64_t restores = ilk_restore_count(space->world);
    bool is_torn = space->moved_count > space->moved_capacity; // by the workers
    bool looks_at_all = space->is_lost || !space->observer || space->restores != restores;
    space->serial++;
    space->stats.refreshes++;
    space->is_lost = true; // if this ends before its end
    bool is_placed;
    if (looks_at_all)
        is_placed = is_torn ? build_anew(space) : look_at_all(space);
    else if (is_torn)
        is_placed = build_moved(space) && place_stirred(space);
    else
        is_placed = place_stirred(space) && follow_moves(space, is_gathered);
    bool may_forget = looks_at_all && space->changed && !ilk_is_locked(space->world);
    if (may_forget) ilk_query_since(space->changed, ilk_tick(space->world));
    space->stirred_count = 0;
    space->moved_count = 0;
    space->restores = restores;
    bool is_well = is_placed && (!is_outgrown(space) || ilks_build(space)) && ready_moved(space);
    space->is_lost = !is_well;
    return is_well ? ILK_OK : ILK_NO_MEMORY;
}

ilk_result ilk_space_refresh(ilk_space* space) {
    if (!space) return ILK_INVALID;
    return ilk_is_locked(space->world) ? ILK_LOCKED : follow(space, false);
}

static void move_gathered(ilk_iter* it) {
    ilk_space* space = it->user;
    follow(space, space->gatherer != NULL);
}

// Who begins or ceases to match is noted.
static ilk_result note_stirred(ilk_notice* notice) {
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

// Making

static ilk_space* fail_create(ilk_space* space) {
    ilk_space_destroy(space);
    return NULL;
}

// A type that a query is to look at, in the first free place of a list.
static bool add_type(ilk_type** list, ilk_type* type) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] == type) return true;
        if (list[i]) continue;
        list[i] = type;
        return true;
    }
    return false;
}

static bool is_listed(ilk_type* const* list, const ilk_type* type) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] && ilk_same_type(list[i], type)) return true;
    }
    return false;
}

// The query of everybody who may be in it, and that of those who may have moved.
static bool make_queries(ilk_space* space) {
    ilk_query_desc* all = &space->desc.query;
    ilk_type* type = space->desc.type;
    bool is_read = type && (is_listed(all->read, type) || is_listed(all->write, type));
    if (type && !is_read && !add_type(all->read, type)) return false;
    space->all = ilk_query_create(space->world, all);
    if (!space->all) return false;
    ilk_query_desc changed = *all;
    if (type) add_type(changed.changed, type);
    for (uint32_t i = 0; space->desc.where && i < ILK_LIST; i++) {
        if (space->desc.reads[i]) add_type(changed.changed, space->desc.reads[i]);
    }
    if (!changed.changed[0]) return true; // a function that says nothing: everybody, always
    space->changed = ilk_query_create(space->world, &changed);
    return space->changed != NULL;
}

static bool make_observer(ilk_space* space) {
    bool is_related = false;
    for (uint32_t i = 0; i < ILK_RELATES; i++) {
        is_related |= space->desc.query.relates[i].relation != NULL;
    }
    if (is_related || !space->changed) return true; // then everybody is looked at
    space->observer =
        ilk_observer_create(space->world, &(ilk_observer_desc){.on = ILK_ON_MATCH | ILK_ON_CEASE,
                                                               .query = space->desc.query,
                                                               .run = note_stirred,
                                                               .user = space,
                                                               .is_many = true});
    bool is_made = space->observer != NULL;
    for (uint32_t i = 0; i < ILK_LIST && is_made; i++) {
        if (!space->desc.where || !space->desc.reads[i]) continue;
        space->others[i] = ilk_observer_create(
            space->world,
            &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE,
                                 .type = space->desc.reads[i],
                                 .run = note_stirred,
                                 .user = space,
                                 .is_many = true});
        is_made = space->others[i] != NULL;
    }
    return is_made;
}

static bool make_systems(ilk_space* space) {
    const char* name = space->desc.name ? space->desc.name : "space";
    if (!space->desc.phase) return true;
    snprintf(space->gather_name, sizeof space->gather_name, "%s: what has moved", name);
    snprintf(space->move_name, sizeof space->move_name, "%s: moving it", name);
    bool is_gathered = space->changed && space->desc.type && !space->desc.where && space->observer;
    if (is_gathered) {
        ilk_query_desc query = space->desc.query;
        add_type(query.changed, space->desc.type);
        space->gatherer =
            ilk_system_create(space->world, &(ilk_system_desc){.name = space->gather_name,
                                                               .phase = space->desc.phase,
                                                               .run = gather,
                                                               .user = space,
                                                               .query = query,
                                                               .is_parallel = true});
        if (!space->gatherer) return false;
    }
    space->mover = ilk_system_create(
        space->world, &(ilk_system_desc){.name = space->move_name,
                                         .phase = space->desc.phase,
                                         .run = move_gathered,
                                         .user = space,
                                         .after = {is_gathered ? space->gather_name : NULL}});
    return space->mover != NULL;
}

// What cannot be: a sentence, or NULL.
static const char* complaint(const ilk_space_desc* desc) {
    if (!desc->type && !desc->where) return "there is neither a type nor a function";
    if (desc->query.changed[0] || desc->query.added[0]) return "it asks for what changed";
    if ((uint32_t)desc->kind > ILK_SPACE_TREE) return "it is of no kind";
    if (!desc->allocator.alloc != !desc->allocator.free) return "its allocator is half there";
    return NULL;
}

ilk_space* ilk_space_create(ilk_world* world, const ilk_space_desc* desc) {
    if (!world) return NULL;
    const char* why = desc ? complaint(desc) : "there is no description";
    if (why) {
        ilk_fail(world, ILK_INVALID, "ilk_space_create", why);
        return NULL;
    }
    ilks_memory memory = ilks_memory_of(&desc->allocator);
    ilk_space* space = ilks_alloc(&memory, sizeof *space);
    if (!space) {
        ilk_fail(world, ILK_NO_MEMORY, "ilk_space_create", "no memory could be had");
        return NULL;
    }
    memset(space, 0, sizeof *space);
    space->world = world;
    space->desc = *desc;
    space->memory = memory;
    space->is_lost = true;
    if (desc->where) {
        space->store.dims = desc->is_flat ? 2 : 3;
        space->store.numbers = 2 * space->store.dims;
    } else if (!set_field(space)) {
        ilk_fail(world, ILK_INVALID, "ilk_space_create",
                 "the type describes no such field of two or three floats or doubles");
        return fail_create(space);
    }
    space->store.bytes = sizeof(ilks_bucket) + space->store.numbers * ILKS_BUCKET * sizeof(double);
    space->slot_bytes = sizeof(ilks_slot) + space->store.numbers * sizeof(double);
    ilks_store_clear(&space->store);
    bool is_made = ilks_grid_ready(space, 1) && make_queries(space) && make_observer(space) &&
                   make_systems(space) && follow(space, false) == ILK_OK;
    return is_made ? space : fail_create(space);
}

void ilk_space_destroy(ilk_space* space) {
    if (!space) return;
    if (space->mover) ilk_system_destroy(space->mover);
    if (space->gatherer) ilk_system_destroy(space->gatherer);
    ilk_observer_destroy(space->observer);
    for (uint32_t i = 0; i < ILK_LIST; i++) ilk_observer_destroy(space->others[i]);
    ilk_query_destroy(space->changed);
    ilk_query_destroy(space->all);
    ilks_memory* memory = &space->memory;
    ilks_store_fini(&space->store, memory);
    ilks_free(memory, space->slots, space->slot_count * space->slot_bytes);
    ilks_free(memory, space->grid.cells, space->grid.capacity * sizeof *space->grid.cells);
    ilks_free(memory, space->tree.nodes, space->tree.capacity * sizeof *space->tree.nodes);
    ilks_free(memory, space->stirred, space->stirred_capacity * sizeof *space->stirred);
    ilks_free(memory, space->moved, space->moved_capacity * sizeof *space->moved);
    ilks_memory own = *memory;
    ilks_free(&own, space, sizeof *space);
}
