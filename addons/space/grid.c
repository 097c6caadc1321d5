// Grids: cells of one size in a hash table, by their coordinates.
//
// A box is in the cell of its middle, on the level whose cells are at least as large as it is:
// whoever looks goes half a cell farther on each level. Those that are larger than all cells are in
// one of their own, the last level. Coordinates beyond what a key can hold are those of the last
// cell.
#include <math.h>
#include <string.h>

#include "space.h"

#define CROWD 5.0 // entities of a cell, as it suits

static int64_t farthest(const ilk_space* space) {
    return space->store.dims == 2 ? (int64_t)1 << 27 : (int64_t)1 << 18;
}

static double side_of(const ilk_space* space, uint32_t level) {
    return space->grid.side * (double)(UINT64_C(1) << level);
}

static int64_t cell_of(const ilk_space* space, double number, uint32_t level) {
    if (level == ILKS_LEVELS - 1) return 0;
    double cell = number / side_of(space, level), most = (double)farthest(space) - 1;
    if (cell > most) cell = most;
    if (cell < -most) cell = -most;
    int64_t whole = (int64_t)cell;
    return whole - ((double)whole > cell);
}

static uint64_t key_of(const ilk_space* space, uint32_t level, const int64_t cell[3]) {
    uint32_t bits = space->store.dims == 2 ? 28 : 19;
    uint64_t key = level + 1;
    for (uint32_t i = 0; i < space->store.dims; i++) {
        key = key << bits | (uint64_t)(cell[i] + farthest(space));
    }
    return key;
}

static uint32_t level_of(const ilk_space* space, const double* numbers) {
    const ilks_store* store = &space->store;
    if (store->numbers == store->dims) return 0;
    double largest = 0, side = space->grid.side;
    for (uint32_t i = 0; i < store->dims; i++) {
        double extent = numbers[store->dims + i] - numbers[i];
        if (extent > largest) largest = extent;
    }
    uint32_t level = 0;
    for (; side < largest && level + 1 < ILKS_LEVELS; side *= 2) level++;
    return level;
}

static uint64_t key_at(const ilk_space* space, const double* numbers) {
    uint32_t level = level_of(space, numbers);
    int64_t cell[3];
    for (uint32_t i = 0; i < space->store.dims; i++) {
        cell[i] = cell_of(space, ilks_middle(&space->store, numbers, i), level);
    }
    return key_of(space, level, cell);
}

bool ilks_grid_is_same(const ilk_space* space, const double* from, const double* to) {
    return key_at(space, from) == key_at(space, to);
}

static uint32_t hash_of(uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return (uint32_t)(key >> 32);
}

// The cell of a key, or the free one where it would be.
static ilks_cell* find(const ilks_grid* grid, uint64_t key) {
    uint32_t mask = grid->capacity - 1, at = hash_of(key) & mask;
    while (grid->cells[at].key && grid->cells[at].key != key) at = (at + 1) & mask;
    return &grid->cells[at];
}

// Makes the table large enough for so many cells.
bool ilks_grid_ready(ilk_space* space, uint32_t cells) {
    ilks_grid* grid = &space->grid;
    uint64_t wanted = grid->capacity ? grid->capacity : 64;
    while (wanted < (uint64_t)cells * 2) wanted *= 2;
    if (wanted == grid->capacity) return true;
    if (wanted > UINT32_MAX / 2) return false;
    ilks_grid larger = *grid;
    larger.cells = ilks_alloc(&space->memory, (size_t)wanted * sizeof *larger.cells);
    if (!larger.cells) return false;
    memset(larger.cells, 0, (size_t)wanted * sizeof *larger.cells);
    larger.capacity = (uint32_t)wanted;
    for (uint32_t i = 0; i < grid->capacity; i++) {
        if (grid->cells[i].key) *find(&larger, grid->cells[i].key) = grid->cells[i];
    }
    ilks_free(&space->memory, grid->cells, grid->capacity * sizeof *grid->cells);
    *grid = larger;
    return true;
}

bool ilks_grid_put(ilk_space* space, ilk_entity e, const double* numbers) {
    ilks_grid* grid = &space->grid;
    if (!ilks_grid_ready(space, grid->used + 1)) return false;
    if (!ilks_store_ready(&space->store, &space->memory, 1)) return false;
    uint64_t key = key_at(space, numbers);
    ilks_cell* cell = find(grid, key);
    if (!cell->key) {
        *cell = (ilks_cell){key, ILKS_NONE, 0};
        grid->used++;
    }
    ilks_slot_at(space, e.index)->where = ilks_chain_add(space, &cell->first, e, numbers);
    grid->crowd += 2.0 * cell->count++ + 1;
    grid->levels[level_of(space, numbers)]++;
    return true;
}

void ilks_grid_take(ilk_space* space, uint32_t index) {
    ilks_grid* grid = &space->grid;
    ilks_slot* slot = ilks_slot_at(space, index);
    double numbers[6];
    ilks_slot_read(space, slot, numbers);
    ilks_cell* cell = find(grid, key_at(space, numbers));
    ilks_chain_take(space, &cell->first, slot->where);
    grid->crowd -= 2.0 * --cell->count + 1;
    grid->levels[level_of(space, numbers)]--;
    slot->where = ILKS_NONE;
}

static double extent_of(const ilk_space* space, uint32_t axis) {
    return space->bounds[3 + axis] - space->bounds[axis];
}

double ilks_grid_measured(const ilk_space* space) {
    double sides = 0, room = CROWD / (space->count + 1.0);
    for (uint32_t i = 0; i < space->store.dims; i++) sides += extent_of(space, i) > 0;
    double side = sides > 0 ? pow(room, 1 / sides) : 1;
    for (uint32_t i = 0; i < space->store.dims; i++) {
        double extent = extent_of(space, i);
        if (extent > 0) side *= pow(extent, 1 / sides);
    }
    if (space->desc.cell > 0) side = space->desc.cell;
    bool is_number = side > 1 / ILKS_FAR && side < ILKS_FAR;
    return is_number ? side : 1;
}

// Order

// The lowest 16 bits of a number, three (or two) apart.
static uint64_t spread(uint64_t number, uint32_t dims) {
    if (dims == 2) {
        number = (number | number << 8) & 0x00ff00ff;
        number = (number | number << 4) & 0x0f0f0f0f;
        number = (number | number << 2) & 0x33333333;
        return (number | number << 1) & 0x55555555;
    }
    number = (number | number << 16) & 0x0000ff0000ff;
    number = (number | number << 8) & 0x00f00f00f00f;
    number = (number | number << 4) & 0x0c30c30c30c3;
    return (number | number << 2) & 0x249249249249;
}

// Level by level; those of one cell have one rank.
uint64_t ilks_grid_rank(const ilk_space* space, const double* numbers) {
    uint32_t dims = space->store.dims, level = level_of(space, numbers);
    uint64_t rank = (uint64_t)level << 48;
    for (uint32_t i = 0; i < dims; i++) {
        double middle = ilks_middle(&space->store, numbers, i);
        int64_t cell = cell_of(space, middle, level) - cell_of(space, space->bounds[i], level);
        rank |= spread((uint64_t)cell & 0xffff, dims) << i;
    }
    return rank;
}

#define DIGIT 11u

ilks_item* ilks_sort(ilks_item* items, ilks_item* spare, uint32_t count) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++) all |= items[i].rank;
    for (uint32_t shift = 0; shift < 64 && all >> shift; shift += DIGIT) {
        uint32_t begins[(1u << DIGIT) + 1] = {0};
        uint32_t mask = (1u << DIGIT) - 1;
        for (uint32_t i = 0; i < count; i++) begins[(items[i].rank >> shift & mask) + 1]++;
        for (uint32_t i = 0; i < mask; i++) begins[i + 1] += begins[i];
        for (uint32_t i = 0; i < count; i++) {
            spare[begins[items[i].rank >> shift & mask]++] = items[i];
        }
        ilks_item* sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}

// Looking

static bool visit_all(const ilk_space* space, ilks_visit* visit) {
    const ilks_grid* grid = &space->grid;
    for (uint32_t i = 0; i < grid->capacity; i++) {
        if (grid->cells[i].count && !ilks_chain_visit(space, visit, grid->cells[i].first))
            return false;
    }
    return true;
}

typedef struct cell_range {
    int64_t low[3], high[3];
    double count;
} cell_range;

// (The middle of a box that reaches somewhere is half a cell away at most, and what rounding adds.)
static cell_range range_of(const ilk_space* space, const ilks_visit* visit, uint32_t level) {
    cell_range range = {.count = 1};
    bool is_box = space->store.numbers > space->store.dims;
    for (uint32_t i = 0; i < space->store.dims; i++) {
        // No farther than where somebody is.
        double low = visit->low[i] > space->bounds[i] ? visit->low[i] : space->bounds[i];
        double high = visit->high[i] < space->bounds[3 + i] ? visit->high[i] : space->bounds[3 + i];
        double half = side_of(space, level) * (0.5 + 1e-9) + (fabs(low) + fabs(high)) * 1e-15;
        double more = is_box ? half : 0;
        range.low[i] = cell_of(space, low - more, level);
        range.high[i] = cell_of(space, high + more, level);
        double cells = (double)(range.high[i] - range.low[i] + 1);
        range.count *= cells > 0 ? cells : 0;
    }
    return range;
}

static bool visit_cell(const ilk_space* space, ilks_visit* visit, uint32_t level,
                       const int64_t cell[3]) {
    const ilks_cell* found = find(&space->grid, key_of(space, level, cell));
    return !found->count || ilks_chain_visit(space, visit, found->first);
}

static bool is_within(const cell_range* range, const int64_t cell[3], uint32_t dims) {
    for (uint32_t i = 0; i < dims; i++) {
        if (cell[i] < range->low[i] || cell[i] > range->high[i]) return false;
    }
    return true;
}

// But for those that were in another range, if there is one.
static bool visit_range(const ilk_space* space, ilks_visit* visit, uint32_t level,
                        const cell_range* range, const cell_range* before) {
    uint32_t dims = space->store.dims;
    bool is_flat = dims == 2;
    int64_t cell[3] = {0};
    for (cell[0] = range->low[0]; cell[0] <= range->high[0]; cell[0]++) {
        for (cell[1] = range->low[1]; cell[1] <= range->high[1]; cell[1]++) {
            int64_t low = is_flat ? 0 : range->low[2], high = is_flat ? 0 : range->high[2];
            for (cell[2] = low; cell[2] <= high; cell[2]++) {
                if (before && is_within(before, cell, dims)) continue;
                if (!visit_cell(space, visit, level, cell)) return false;
            }
        }
    }
    return true;
}

#define STRIDE 4.0 // cells of a piece of a ray

// How far beside a piece of a ray somebody may be who is met: a little more, for what rounding
// takes away.
static double slack_of(const ilks_ray* ray, uint32_t axis, double stride) {
    return ray->radius + (fabs(ray->at[axis]) + fabs(ray->end * ray->way[axis])) * 1e-12 +
           stride * 1e-9;
}

static double pieces_of(const ilks_ray* ray, double stride) {
    return (ray->end - ray->begin) / stride + 1;
}

// The cells that all pieces look at, at most.
static double cells_along(const ilk_space* space, const ilks_ray* ray, uint32_t level) {
    double side = side_of(space, level), stride = side * STRIDE, cells = pieces_of(ray, stride);
    for (uint32_t i = 0; i < space->store.dims; i++) {
        double wide = stride * fabs(ray->way[i]) + 2 * slack_of(ray, i, stride);
        cells *= wide / side + 3;
    }
    return cells;
}

// A cell is in the ranges of pieces that follow each other, so it is enough to look at the one
// before.
static bool visit_level_along(const ilk_space* space, ilks_visit* visit, const ilks_ray* ray,
                              uint32_t level) {
    double stride = side_of(space, level) * STRIDE;
    cell_range before = {{1, 1, 1}, {0, 0, 0}, 0};
    uint64_t pieces = (uint64_t)pieces_of(ray, stride);
    for (uint64_t k = 0; k < pieces; k++) {
        double from = ray->begin + (double)k * stride, to = from + stride;
        if (to > ray->end) to = ray->end;
        for (uint32_t i = 0; i < space->store.dims; i++) {
            double a = ray->at[i] + from * ray->way[i], b = ray->at[i] + to * ray->way[i];
            double more = slack_of(ray, i, stride);
            visit->low[i] = (a < b ? a : b) - more;
            visit->high[i] = (a < b ? b : a) + more;
        }
        cell_range range = range_of(space, visit, level);
        if (range.count > 0 && !visit_range(space, visit, level, &range, &before)) return false;
        before = range;
    }
    return true;
}

void ilks_grid_visit_ray(const ilk_space* space, ilks_visit* visit, const ilks_ray* ray) {
    const ilks_grid* grid = &space->grid;
    double cells = 0;
    for (uint32_t i = 0; i < ILKS_LEVELS; i++) {
        if (grid->levels[i]) cells += cells_along(space, ray, i);
    }
    if (!(cells < grid->capacity)) {
        visit_all(space, visit);
        return;
    }
    for (uint32_t i = 0; i < ILKS_LEVELS; i++) {
        if (grid->levels[i] && !visit_level_along(space, visit, ray, i)) return;
    }
}

bool ilks_grid_visit(const ilk_space* space, ilks_visit* visit) {
    const ilks_grid* grid = &space->grid;
    cell_range ranges[ILKS_LEVELS];
    double cells = 0;
    for (uint32_t i = 0; i < ILKS_LEVELS; i++) {
        if (!grid->levels[i]) continue;
        ranges[i] = range_of(space, visit, i);
        cells += ranges[i].count;
    }
    visit->is_whole = cells > grid->capacity;
    if (visit->is_whole) return visit_all(space, visit);
    for (uint32_t i = 0; i < ILKS_LEVELS; i++) {
        bool is_any = grid->levels[i] && ranges[i].count > 0;
        if (is_any && !visit_range(space, visit, i, &ranges[i], NULL)) return false;
    }
    return true;
}

// The corners of a cell; of those that are too large for cells, the bounds.
static void box_of_key(const ilk_space* space, uint64_t key, double box[6]) {
    uint32_t dims = space->store.dims, bits = dims == 2 ? 28 : 19;
    uint32_t level = (uint32_t)(key >> bits * dims) - 1;
    double side = side_of(space, level);
    memcpy(box, space->bounds, sizeof space->bounds);
    for (uint32_t k = 0; k < dims && level < ILKS_LEVELS - 1; k++) {
        uint64_t part = key >> bits * (dims - 1 - k) & ((UINT64_C(1) << bits) - 1);
        box[k] = ((double)part - (double)farthest(space)) * side;
        box[3 + k] = box[k] + side;
    }
}

void ilks_grid_parts(const ilk_space* space, ilks_part_fn* fn, void* context) {
    const ilks_grid* grid = &space->grid;
    for (uint32_t i = 0; i < grid->capacity; i++) {
        double box[6];
        if (!grid->cells[i].count) continue;
        box_of_key(space, grid->cells[i].key, box);
        fn(context, box, grid->cells[i].count);
    }
}
