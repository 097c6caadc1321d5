// Space: finding entities by where they are. An addon: link ilk::space too.
//
//     ilk_space* space = ilk_space_create(world, &(ilk_space_desc){
//         .type = &Position_type, .query = {.without = {&Ghost_type}}});
//     ilk_hit near[16];
//     uint32_t count = ilk_space_find(space,
//         &(ilk_ask){.shape = ILK_SHAPE_SPHERE, .at = {x, y, z}, .radius = 5}, near, 16);
//
// A space keeps an index of all entities that match a query and have a position, and follows what
// happens: it looks at blocks that changed, and is told who begins and ceases to match, so that
// keeping it costs in proportion to what moves. It is refreshed when it is asked, unless the world
// is locked (by systems or observers) or a filter or a callback asks: then answers are as of the
// last time (ilk_space_refresh, or systems of its own, by .phase). So a space that nobody refreshes
// answers systems as of when it was made, without a word; and one with a .phase rests under a scene
// whose list of systems has neither that phase nor its systems: put the phase on the list. It
// survives ilk_snapshot_restore and ilk_delta_apply: then everything is looked at again. So it is
// each time if the query looks at .relates: others decide it, and nobody is told.
//
// To refresh is a pass over what changed: after it, whoever writes asks for the column or pointer
// again.
//
// An entity without a position (the function says so, or a coordinate is no number, infinite, or
// beyond 1e150, so that squares of distances are numbers) is not in it. Many may be at one point.
// Answers depend on what is in the world and on nothing else, not on how it came there, so that
// they are the same in a replay; but for the order of ilk_space_each.
//
// A space is the program's, and has observers, and with a .phase systems, of its own in the world.
// Those of one that is made in the install function of a plugin go when the plugin is removed:
// destroy it in the exit function. If its systems alone are taken away (destroyed or replaced), it
// looks at everybody when it is refreshed.
//
// A space belongs to its world's thread. While systems run, and with .is_manual also while nobody
// changes the world or refreshes the space, any number of threads may ask at once.
#ifndef ILK_SPACE_H
#define ILK_SPACE_H

#include <ilk/ilk.h>

#ifdef __cplusplus
extern "C" {
#endif

// An index of the entities of a world by where they are.
typedef struct ilk_space ilk_space;

// In two dimensions the third is 0.
typedef struct ilk_box {
    double low[3], high[3];
} ilk_box;

// Where an entity is: a box, or a point, if both corners are the same. At first it is all zero.
// False: the entity has no position.
typedef bool ilk_where_fn(ilk_world* world, ilk_entity e, void* user, ilk_box* box);

// How the index is made.
typedef enum ilk_space_kind {
    ILK_SPACE_MEASURED, // whichever suits what is there, looked at whenever it is built anew
    ILK_SPACE_GRID,     // cells of one size, in a hash table: for crowds that are evenly spread
    ILK_SPACE_TREE      // halves of halves: for any others
} ilk_space_kind;

// Who is in a space, and where. All zero but for a type or a function is valid.
typedef struct ilk_space_desc {
    ilk_query_desc
        query; // who is in it; with the type, if there is one. May not ask for .changed, .added
    ilk_type* type; // the component that has the position…
    // …in a field of two or three floats or doubles; NULL: the first such, or the fields x, y and
    // z.
    const char* field;
    const char* high;    // then `field` is the lower corner of a box, and this one the upper
    ilk_where_fn* where; // or a function, in place of a field; it only reads the world
    void* user;          // of the function
    // What the function looks at of the entity itself, beside the type. If it looks at others (a
    // parent), or elsewhere, nobody knows when to ask it: leave out both, and it is asked about
    // everybody at every refresh; what was the type is then named under .query.with.
    ilk_type* reads[ILK_LIST];
    bool is_flat; // of a function: two dimensions
    ilk_space_kind kind;
    double cell; // the side of a cell of the grid, which it then is; 0: as it suits
    const char*
        phase; // systems in this phase refresh it, on the workers; NULL: there are none. It has
               // to be on the list of a scene that has one
    const char* name; // of these systems, up to 63 bytes; NULL: "space". They are called
                      // "space: what has moved" (not with .where) and then "space: moving it"
    bool is_manual;   // it is refreshed on request only
    ilk_allocator allocator; // all zero: the C library. Called by the world's thread alone
} ilk_space_desc;

// Make a space of a world. The description is not needed any more. NULL, and the result in
// ilk_error: what is wrong with the query; INVALID for a type without such a field, neither type
// nor function, and what makes no sense otherwise; what is wrong with the phase, EXISTS for a name
// that a system has; NO_MEMORY, LOCKED (also for a snapshot that is read). It is the program's to
// destroy, before its world, and in the exit function of a plugin in whose install function it was
// made.
ILK_API ilk_space* ilk_space_create(ilk_world* world, const ilk_space_desc* desc);

// LOCKED is told, and nothing done, where refreshing is LOCKED. NULL is allowed.
ILK_API void ilk_space_destroy(ilk_space* space);

// Bring it up to date. INVALID for NULL; LOCKED while the world is locked, and in what a question
// or a refresh calls (a filter, a callback, the function that says where); NO_MEMORY: then some are
// not where they are, and the next one looks at everything. Questions that refresh, and its
// systems, tell the same as this call; also LOCKED, and nothing done, for an update in what a
// question calls.
ILK_API ilk_result ilk_space_refresh(ilk_space* space);

// Where to look.
typedef enum ilk_shape {
    ILK_SHAPE_ALL,
    ILK_SHAPE_SPHERE,   // nearer to `at` than `radius`, in two dimensions a circle
    ILK_SHAPE_BOX,      // from `low` to `high`, with their borders
    ILK_SHAPE_CYLINDER, // nearer to the line through `at` along `axis` than `radius`, and at
                        // most `height` above or below it
    ILK_SHAPE_RAY // met by the way from `at` along `way`, which is `length` long: boxes, grown by
                  // `radius` on all sides, with their borders; a point is a box of no size
} ilk_shape;

// In which order entities are found.
typedef enum ilk_space_order {
    ILK_BY_INDEX,   // the lowest index first
    ILK_BY_DISTANCE // the nearest first; of equal ones the lower index
} ilk_space_order;

// Whether an entity counts. It only reads the world, and says the same each time: it may be called
// several times for one entity, in any order, and by as many threads at once as ask.
typedef bool ilk_filter_fn(ilk_world* world, ilk_entity e, void* user);

// A question. Boxes are where any part of them is.
typedef struct ilk_ask {
    ilk_shape shape;
    double at[3];
    double radius, height; // of shapes that have one; others pass it over
    uint32_t axis;         // 0, 1 or 2: x, y, z; in two dimensions not 2
    double low[3], high[3];
    double way[3], length; // in any length; 0: without end
    ilk_space_order order;
    ilk_filter_fn* filter; // or NULL
    void* user;            // of the filter
    ilk_query* query;      // only those that match this one; or NULL
} ilk_ask;

// An entity that was found.
typedef struct ilk_hit {
    ilk_entity entity;
    double distance; // from `at` to the nearest part; of a ray, along it
} ilk_hit;

// How many there are; the first `capacity` of them, in the order that is asked for, go to `hits`. 0
// for NULL, for a shape that is none, for numbers of the shape that are none, an `at` beyond 1e150
// (also where only distances are from there), and in a function that says where somebody is.
// (Distances below 1e-150 are as good as none.)
ILK_API uint32_t ilk_space_find(ilk_space* space, const ilk_ask* ask, ilk_hit* hits,
                                uint32_t capacity);

// The nearest `count` of them, in order of distance; returns how many these are.
ILK_API uint32_t ilk_space_nearest(ilk_space* space, const ilk_ask* ask, ilk_hit* hits,
                                   uint32_t count);

// The same as ilk_space_find, as handles: for ilk_query_among, which gives their columns.
ILK_API uint32_t ilk_space_collect(ilk_space* space, const ilk_ask* ask, ilk_entity* entities,
                                   uint32_t capacity);

// Call a function for each, in any order, until it returns false. How many it was called for. The
// function may ask, and change the world, which is seen when this is over.
typedef bool ilk_hit_fn(const ilk_hit* hit, void* user);
ILK_API uint32_t ilk_space_each(ilk_space* space, const ilk_ask* ask, ilk_hit_fn* fn, void* user);

// What a space is like, and what it did.
typedef struct ilk_space_stats {
    uint32_t count;      // entities in it
    ilk_space_kind kind; // of what it is made now
    uint32_t parts;      // cells or leaves with somebody in them
    uint32_t fullest;    // the most that are in one
    double cell;         // the side of a cell, or 0
    uint64_t refreshes, builds;
    uint64_t looked_at,
        moved; // in all refreshes: positions that were read, and that were found to be others
    size_t bytes;
} ilk_space_stats;
// All zero for NULL.
ILK_API ilk_space_stats ilk_space_stats_of(const ilk_space* space);

// What it is, as text: a line of numbers, then a line for each of the first entities by index. And
// as a picture (SVG) from above: cells or leaves, and a dot or a box for each entity. At most
// `size` bytes are written, with the final zero. Both return the whole length without it.
ILK_API size_t ilk_space_dump(const ilk_space* space, char* text, size_t size);
ILK_API size_t ilk_space_draw(const ilk_space* space, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
