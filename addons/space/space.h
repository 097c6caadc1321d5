// What the parts of a space share.
//
// Each entity has a slot, by its index: where it is, and in which bucket. A bucket has the handles
// and coordinates of a few that are near each other, side by side; those of one cell or leaf form a
// chain, of which only the first may have room.
#ifndef ILKS_SPACE_H
#define ILKS_SPACE_H

#include <ilk/space.h>
#include <string.h>

#define ILKS_NONE UINT32_MAX
#define ILKS_NEVER UINT64_MAX
#define ILKS_BUCKET 8u   // entries
#define ILKS_PAGE 256u   // buckets of a page
#define ILKS_DEEPEST 96u // of a tree
#define ILKS_LEVELS 32u  // of a grid: cells of twice the size each; the last one is a single cell
#define ILKS_FAR 1e150   // no coordinate is beyond: then squares of distances are numbers

// Whether these are numbers, and none is too far away.
bool ilks_are_near(const double* numbers, uint32_t count);

// Memory

typedef struct ilks_memory {
    ilk_allocator allocator;
    size_t bytes;
} ilks_memory;

ilks_memory ilks_memory_of(const ilk_allocator* allocator);
void* ilks_alloc(ilks_memory* memory, size_t size);
void ilks_free(ilks_memory* memory, void* room, size_t size);
// Makes room for `count` in an array. False without memory.
bool ilks_grow(ilks_memory* memory, void* array, uint32_t* capacity, uint32_t count, size_t size);

// Buckets

typedef struct ilks_bucket {
    uint32_t count, next;
    ilk_entity entities[ILKS_BUCKET];
    double numbers[]; // for each coordinate those of all entries; of boxes the upper ones follow
} ilks_bucket;

typedef struct ilks_store {
    uint32_t dims;    // 2 or 3
    uint32_t numbers; // of an entry: dims, or twice that
    size_t bytes;     // of a bucket
    unsigned char** pages;
    uint32_t page_count, page_capacity;
    uint32_t used, free; // buckets; the first that is free
} ilks_store;

static inline ilks_bucket* ilks_bucket_at(const ilks_store* store, uint32_t bucket) {
    return (ilks_bucket*)(void*)(store->pages[bucket / ILKS_PAGE] +
                                 bucket % ILKS_PAGE * store->bytes);
}

// Whether there is memory for as many more buckets.
bool ilks_store_ready(ilks_store* store, ilks_memory* memory, uint32_t count);
void ilks_store_clear(ilks_store* store);
void ilks_store_fini(ilks_store* store, ilks_memory* memory);

// Slots

//
// In pages, which are there where somebody was: entities that systems make have indices far apart.

#define ILKS_SLOTS 1024u // of a page

typedef struct ilks_slot {
    uint32_t generation;
    uint32_t where;          // bucket and place, or ILKS_NONE
    uint32_t seen;           // by which refresh
    unsigned char numbers[]; // 2, 3, 4 or 6, as wide as the field's: compared with it as bytes
} ilks_slot;

typedef struct ilks_slots {
    unsigned char** pages; // or NULL
    uint32_t page_capacity;
    uint32_t numbers; // of a slot
    bool are_floats;  // or doubles
    size_t bytes;     // of a slot
} ilks_slots;

// Grids

typedef struct ilks_cell {
    uint64_t key; // 0: free
    uint32_t first, count;
} ilks_cell;

typedef struct ilks_grid {
    double side;
    ilks_cell* cells;
    uint32_t capacity, used;      // a power of two, or 0; keys in it
    uint32_t levels[ILKS_LEVELS]; // entries of each
    double crowd;                 // the sum of the squares of the counts
} ilks_grid;

// Trees

typedef struct ilks_node {
    double split;         // of a leaf: it is split when it has more
    uint32_t axis;        // 3: a leaf
    uint32_t left, right; // nodes; of a leaf: its chain, and its depth
    uint32_t count;       // of a leaf
    double box[6];        // all that is below is in it
} ilks_node;

typedef struct ilks_tree {
    ilks_node* nodes;
    uint32_t count, capacity; // the first is the root
    uint32_t changes;         // since it was built: who came, went, or made a leaf larger
    bool is_deep;             // too much so
} ilks_tree;

// An entity that is elsewhere now.
typedef struct ilks_moved {
    ilk_entity entity;
    bool is_gone; // it has no position any more
    double numbers[6];
} ilks_moved;

// An entity and its rank in an order of neighbours.
typedef struct ilks_item {
    uint64_t rank;
    uint32_t index;
} ilks_item;

struct ilk_space {
    ilk_world* world;
    ilk_space_desc desc;
    ilk_query *all, *changed;
    ilk_observer* observer;         // of who matches; or NULL: everybody is looked at
    ilk_observer* others[ILK_LIST]; // of what a function looks at
    ilk_system *gatherer, *mover;
    char name[64], gather_name[96], move_name[96];
    uint32_t kind, offset, high_offset; // of the field: ILK_KIND_F32 or F64
    ilks_memory memory;
    ilks_store store;
    ilks_slots slots;
    uint32_t count, built; // entities in it; when it was built
    bool is_tree;
    ilks_grid grid;
    ilks_tree tree;
    ilk_entity* stirred; // began or ceased to match
    uint32_t stirred_count, stirred_capacity;
    struct ilks_moved* moved; // found by the workers
    uint32_t moved_capacity;
    _Atomic uint32_t moved_count;
    _Atomic uint32_t compared; // rows, since the last refresh
    uint64_t gathered_at;      // the moment when the workers looked, if nobody has used it
    bool is_lost;              // something could not be noted: look at everything
    bool is_following;         // it is being refreshed
    _Atomic uint32_t
        callers; // questions that call the program's functions, while nothing is locked
    uint64_t restores;
    uint32_t serial;  // of the refresh
    double bounds[6]; // of all that is in it, or was since it was built
    ilk_space_stats stats;
};

// The slot of an index, for which there must be room.
static inline ilks_slot* ilks_slot_at(const ilk_space* space, uint32_t index) {
    const ilks_slots* slots = &space->slots;
    return (ilks_slot*)(void*)(slots->pages[index / ILKS_SLOTS] +
                               index % ILKS_SLOTS * slots->bytes);
}

// The same, or NULL: nobody of that index was ever in it.
static inline ilks_slot* ilks_slot_of(const ilk_space* space, uint32_t index) {
    const ilks_slots* slots = &space->slots;
    bool is_there = index / ILKS_SLOTS < slots->page_capacity && slots->pages[index / ILKS_SLOTS];
    return is_there ? ilks_slot_at(space, index) : NULL;
}

// Where the entity of a slot is, or was, as doubles. (Of a field of floats these are floats.)
static inline void ilks_slot_read(const ilk_space* space, const ilks_slot* slot, double* numbers) {
    const ilks_slots* slots = &space->slots;
    if (!slots->are_floats) {
        memcpy(numbers, slot->numbers, slots->numbers * sizeof *numbers);
        return;
    }
    for (uint32_t i = 0; i < slots->numbers; i++) {
        float number;
        memcpy(&number, slot->numbers + i * sizeof number, sizeof number);
        numbers[i] = number;
    }
}

static inline void ilks_slot_write(const ilk_space* space, ilks_slot* slot, const double* numbers) {
    const ilks_slots* slots = &space->slots;
    if (!slots->are_floats) {
        memcpy(slot->numbers, numbers, slots->numbers * sizeof *numbers);
        return;
    }
    for (uint32_t i = 0; i < slots->numbers; i++) {
        float number = (float)numbers[i];
        memcpy(slot->numbers + i * sizeof number, &number, sizeof number);
    }
}

// Makes room for an index. False without memory.
bool ilks_slots_ready(ilks_slots* slots, ilks_memory* memory, uint32_t index);
void ilks_slots_fini(ilks_slots* slots, ilks_memory* memory);

// The first from an index on who is in it, which becomes its index; NULL: nobody. To go through
// all: for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++)
ilks_slot* ilks_next_in(const ilk_space* space, uint32_t* index);

// Where entities are: finds the field that the description names (false: there is none), and says
// where one is, by the value of its type, if there is one (false: nowhere).
bool ilks_set_field(ilk_space* space);
bool ilks_numbers_of(const ilk_space* space, ilk_entity e, const void* value, double* numbers);

// Brings it up to date; the workers may have gathered who moved. NO_MEMORY, told as of a call.
ilk_result ilks_follow(ilk_space* space, bool is_gathered, const char* call);

// The workers are about to look at what changed; and whether they have, in this very run of the
// phase. What they found then and nobody used is in the list for good: everybody is to be looked
// at.
void ilks_begin_gathering(ilk_space* space);
bool ilks_is_gathered(const ilk_space* space);

// Notes who of these rows has moved, by any number of workers at once.
void ilks_compare_rows(ilk_space* space, ilk_iter* it);

// Who begins or ceases to match is noted.
ilk_result ilks_note_stirred(ilk_notice* notice);

// The middle of an entry.
static inline double ilks_middle(const ilks_store* store, const double* numbers, uint32_t axis) {
    bool is_box = store->numbers > store->dims;
    return is_box ? numbers[axis] / 2 + numbers[store->dims + axis] / 2 : numbers[axis];
}

// Adds an entry to a chain, or takes one out of it. For adding there must be memory.
uint32_t ilks_chain_add(ilk_space* space, uint32_t* first, ilk_entity e, const double* numbers);
void ilks_chain_take(ilk_space* space, uint32_t* first, uint32_t where);

// Each structure puts an entity in, whose slot there is (false without memory), and takes it out,
// for which its slot must have the same numbers; and says whether it stays in the same part, if it
// goes from one place to another: then it may.
bool ilks_grid_put(ilk_space* space, ilk_entity e, const double* numbers);
void ilks_grid_take(ilk_space* space, uint32_t index);
bool ilks_grid_is_same(const ilk_space* space, const double* from, const double* to);
bool ilks_tree_put(ilk_space* space, ilk_entity e, const double* numbers);
void ilks_tree_take(ilk_space* space, uint32_t index);
bool ilks_tree_is_same(ilk_space* space, const double* from, const double* to);

// Builds it of the slots. False without memory: then nobody is in it.
bool ilks_build(ilk_space* space);
bool ilks_tree_build(ilk_space* space);
bool ilks_grid_ready(ilk_space* space, uint32_t cells);
uint64_t ilks_grid_rank(const ilk_space* space, const double* numbers);

// Sorts by rank, in one of two arrays, which it returns.
ilks_item* ilks_sort(ilks_item* items, ilks_item* spare, uint32_t count);
// The side of cells with a few each, if all were evenly spread within the bounds.
double ilks_grid_measured(const ilk_space* space);

// Questions: calls a function for each bucket in which something may be between two corners, with
// its number; as long as it returns true. The corners may be moved closer meanwhile.
typedef bool ilks_visit_fn(void* context, const ilks_bucket* bucket, uint32_t number);
typedef struct ilks_visit {
    double low[3], high[3];
    ilks_visit_fn* fn;
    void* context;
    bool (*skips)(void* context, const double box[6]); // what a tree has in a box; or NULL
    // Of a walk to the nearest: from here, no farther than the square root.
    const double* at;
    double bound;
    bool is_whole; // a grid: everybody was looked at
} ilks_visit;

// The buckets of a chain. (Here, so that going through a cell takes no call.)
static inline bool ilks_chain_visit(const ilk_space* space, ilks_visit* visit, uint32_t first) {
    for (uint32_t at = first; at != ILKS_NONE;) {
        const ilks_bucket* bucket = ilks_bucket_at(&space->store, at);
        if (!visit->fn(visit->context, bucket, at)) return false;
        at = bucket->next;
    }
    return true;
}

typedef struct ilks_ray {
    const double *at, *way;
    double radius, begin, end; // along the way
} ilks_ray;
void ilks_grid_visit_ray(const ilk_space* space, ilks_visit* visit, const ilks_ray* ray);
bool ilks_grid_visit(const ilk_space* space, ilks_visit* visit);
bool ilks_tree_visit(const ilk_space* space, ilks_visit* visit);

// For pictures: calls a function for each cell or leaf that has somebody, with its corners.
typedef void ilks_part_fn(void* context, const double box[6], uint32_t count);
void ilks_grid_parts(const ilk_space* space, ilks_part_fn* fn, void* context);
void ilks_tree_parts(const ilk_space* space, ilks_part_fn* fn, void* context);

#endif
