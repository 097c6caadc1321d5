// Questions: which entries a shape holds, and the first of them in an order.
#include <float.h>
#include <math.h>

#include "space.h"

#define LEAST 0x1p-511 // whose square is DBL_MIN

typedef struct question {
    ilk_space* space;
    const ilk_ask* ask;
    ilks_visit visit;
    double way[3], length; // of a ray: one long, and how far
    double radius, limit;  // at least LEAST, unless it is 0; and its square
    bool is_nearest;       // no more than there is room for are wanted
    bool is_calling;       // functions of the program, which may ask, too
    ilk_hit* hits;         // where answers are kept…
    ilk_entity* entities;  // …or handles alone, if there is no array of hits
    uint32_t capacity, kept, count;
    ilk_hit_fn* fn;
    void* user;
} question;

// Shapes

static double low_of(const ilks_bucket* bucket, uint32_t i, uint32_t axis) {
    return bucket->numbers[axis * ILKS_BUCKET + i];
}

static double high_of(const question* q, const ilks_bucket* bucket, uint32_t i, uint32_t axis) {
    const ilks_store* store = &q->space->store;
    return low_of(bucket, i, axis + (store->numbers - store->dims));
}

// How far a number is from a stretch.
static double away(double number, double low, double high) {
    double below = low - number, above = number - high;
    double most = below > above ? below : above;
    return most > 0 ? most : 0;
}

// The squares of the distances of all entries.
static void distances(const question* q, const ilks_bucket* bucket, double out[ILKS_BUCKET]) {
    const ilks_store* store = &q->space->store;
    for (uint32_t i = 0; i < ILKS_BUCKET; i++) out[i] = 0;
    for (uint32_t axis = 0; axis < store->dims; axis++) {
        const double* low = &bucket->numbers[axis * ILKS_BUCKET];
        const double* high = low + (store->numbers - store->dims) * ILKS_BUCKET;
        double at = q->ask->at[axis];
        for (uint32_t i = 0; i < ILKS_BUCKET; i++) {
            double apart = away(at, low[i], high[i]);
            out[i] += apart * apart;
        }
    }
}

static bool is_in_box(const question* q, const ilks_bucket* bucket, uint32_t i) {
    for (uint32_t axis = 0; axis < q->space->store.dims; axis++) {
        if (high_of(q, bucket, i, axis) < q->ask->low[axis]) return false;
        if (low_of(bucket, i, axis) > q->ask->high[axis]) return false;
    }
    return true;
}

static bool is_in_cylinder(const question* q, const ilks_bucket* bucket, uint32_t i) {
    double beside = 0;
    for (uint32_t axis = 0; axis < q->space->store.dims; axis++) {
        double apart = away(q->ask->at[axis], low_of(bucket, i, axis), high_of(q, bucket, i, axis));
        if (axis == q->ask->axis && apart > q->ask->height) return false;
        if (axis != q->ask->axis) beside += apart * apart;
    }
    return beside < q->limit;
}

// Where a ray enters a box that is grown by its radius; or less than 0.
static double meets(const question* q, const double* low, const double* high, uint32_t stride) {
    double from = 0, to = q->length;
    for (uint32_t axis = 0; axis < q->space->store.dims; axis++) {
        double begin = low[axis * stride] - q->ask->radius - q->ask->at[axis];
        double end = high[axis * stride] + q->ask->radius - q->ask->at[axis];
        double way = q->way[axis];
        if (way == 0) {
            if (begin > 0 || end < 0) return -1;
            continue;
        }
        double a = begin / way, b = end / way;
        double enter = a < b ? a : b, leave = a < b ? b : a;
        if (enter > from) from = enter;
        if (leave < to) to = leave;
    }
    return from <= to ? from : -1;
}

static bool misses(void* context, const double box[6]) {
    return meets(context, box, box + 3, 1) < 0;
}

// The distance of one entry, if it is in the shape; otherwise less than 0.
static double hit_at(const question* q, const ilks_bucket* bucket, uint32_t i, double distance) {
    const ilks_store* store = &q->space->store;
    const double* low = &bucket->numbers[i];
    switch (q->ask->shape) {
    case ILK_SHAPE_SPHERE:
        return distance < q->limit ? distance : -1;
    case ILK_SHAPE_BOX:
        return is_in_box(q, bucket, i) ? distance : -1;
    case ILK_SHAPE_CYLINDER:
        return is_in_cylinder(q, bucket, i) ? distance : -1;
    case ILK_SHAPE_RAY:
        return meets(q, low, low + (store->numbers - store->dims) * ILKS_BUCKET, ILKS_BUCKET);
    default:
        return distance;
    }
}

// Order
//
// What is kept is a heap once it is full: the last in order is the first. Squares of distances, but
// for a ray. Handles leave no room for these: until the end, they are the bucket and the place of
// each entry.

static bool is_by_distance(const question* q) {
    return q->is_nearest || q->ask->order == ILK_BY_DISTANCE;
}

// What an entry that is an answer was found by.
static double distance_of(const question* q, const ilks_bucket* bucket, uint32_t i) {
    const ilks_store* store = &q->space->store;
    const double *low = &bucket->numbers[i],
                 *high = low + (store->numbers - store->dims) * ILKS_BUCKET;
    if (q->ask->shape == ILK_SHAPE_RAY) return meets(q, low, high, ILKS_BUCKET);
    double square = 0;
    for (uint32_t axis = 0; axis < store->dims; axis++) {
        double apart = away(q->ask->at[axis], low[axis * ILKS_BUCKET], high[axis * ILKS_BUCKET]);
        square += apart * apart;
    }
    return square;
}

static ilk_hit hit_of(const question* q, ilk_entity entry) {
    const ilks_bucket* bucket = ilks_bucket_at(&q->space->store, entry.index);
    ilk_hit hit = {.entity = bucket->entities[entry.generation]};
    if (is_by_distance(q)) hit.distance = distance_of(q, bucket, entry.generation);
    return hit;
}

static void keep_at(question* q, uint32_t i, const ilk_hit* hit, ilk_entity entry) {
    if (q->hits)
        q->hits[i] = *hit;
    else
        q->entities[i] = entry;
}

static bool comes_before(const question* q, const ilk_hit* a, const ilk_hit* b) {
    if (is_by_distance(q) && a->distance != b->distance) return a->distance < b->distance;
    return a->entity.index < b->entity.index;
}

static void sink_hit(question* q, uint32_t at, uint32_t count) {
    ilk_hit hit = q->hits[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && comes_before(q, &q->hits[child], &q->hits[child + 1])) child++;
        if (!comes_before(q, &hit, &q->hits[child])) break;
        q->hits[at] = q->hits[child];
        at = child;
    }
    q->hits[at] = hit;
}

static void sink_entry(question* q, uint32_t at, uint32_t count) {
    ilk_entity entry = q->entities[at];
    ilk_hit hit = hit_of(q, entry);
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) break;
        ilk_hit last = hit_of(q, q->entities[child]);
        ilk_hit other = child + 1 < count ? hit_of(q, q->entities[child + 1]) : last;
        if (comes_before(q, &last, &other)) {
            last = other;
            child++;
        }
        if (!comes_before(q, &hit, &last)) break;
        q->entities[at] = q->entities[child];
        at = child;
    }
    q->entities[at] = entry;
}

// (Two functions: through one for both, finding ten took a twentieth longer.)
static void sink(question* q, uint32_t at, uint32_t count) {
    if (q->hits)
        sink_hit(q, at, count);
    else
        sink_entry(q, at, count);
}

static void make_heap(question* q) {
    for (uint32_t i = q->kept / 2; i-- > 0;) sink(q, i, q->kept);
}

static void swap_with_first(question* q, uint32_t i) {
    if (q->hits) {
        ilk_hit hit = q->hits[0];
        q->hits[0] = q->hits[i];
        q->hits[i] = hit;
    } else {
        ilk_entity entry = q->entities[0];
        q->entities[0] = q->entities[i];
        q->entities[i] = entry;
    }
}

static void sort_kept(question* q) {
    if (q->count <= q->capacity) make_heap(q);
    for (uint32_t i = q->kept; i-- > 1;) {
        swap_with_first(q, i);
        sink(q, 0, i);
    }
}

static bool comes_before_first(const question* q, const ilk_hit* hit) {
    ilk_hit first = q->hits ? q->hits[0] : hit_of(q, q->entities[0]);
    return comes_before(q, hit, &first);
}

static void keep(question* q, const ilk_hit* hit, ilk_entity entry) {
    q->count++;
    if (q->kept < q->capacity) {
        keep_at(q, q->kept++, hit, entry);
        // From here on the farthest of them is the first.
        if (q->kept == q->capacity && q->is_nearest) make_heap(q);
    } else if (q->kept) {
        if (q->count == q->capacity + 1 && !q->is_nearest) make_heap(q);
        if (!comes_before_first(q, hit)) return;
        keep_at(q, 0, hit, entry);
        sink(q, 0, q->kept);
    }
    if (q->is_nearest && q->kept == q->capacity) q->visit.bound = q->hits[0].distance;
}

// Looking

static bool counts(const question* q, ilk_entity e) {
    const ilk_ask* ask = q->ask;
    ilk_world* world = q->space->world;
    if (ask->query && !ilk_query_matches(world, ask->query, e)) return false;
    return !ask->filter || ask->filter(world, e, ask->user);
}

static double as_length(const question* q, double distance) {
    return q->ask->shape == ILK_SHAPE_RAY ? distance : sqrt(distance);
}

static bool look(void* context, const ilks_bucket* bucket, uint32_t number) {
    question* q = context;
    double squares[ILKS_BUCKET];
    distances(q, bucket, squares);
    for (uint32_t i = 0; i < bucket->count; i++) {
        ilk_hit hit = {bucket->entities[i], hit_at(q, bucket, i, squares[i])};
        if (hit.distance < 0) continue;
        bool is_late = q->is_nearest && q->kept == q->capacity;
        if (is_late && !comes_before(q, &hit, &q->hits[0])) continue;
        if (!counts(q, hit.entity)) continue;
        if (!q->fn) {
            keep(q, &hit, (ilk_entity){number, i});
            continue;
        }
        q->count++;
        hit.distance = as_length(q, hit.distance);
        if (!q->fn(&hit, q->user)) return false;
    }
    return true;
}

// Regions

static bool set_way(question* q) {
    const ilk_ask* ask = q->ask;
    uint32_t dims = q->space->store.dims;
    double most = 0, square = 0;
    for (uint32_t i = 0; i < dims; i++) {
        if (!(fabs(ask->way[i]) <= DBL_MAX)) return false; // infinite, or no number
        most = fabs(ask->way[i]) > most ? fabs(ask->way[i]) : most;
    }
    if (!(most > 0) || !(ask->length >= 0)) return false;
    for (uint32_t i = 0; i < dims; i++) {
        q->way[i] = ask->way[i] / most;
        square += q->way[i] * q->way[i];
    }
    for (uint32_t i = 0; i < dims; i++) q->way[i] /= sqrt(square);
    q->length = ask->length > 0 ? ask->length : INFINITY;
    q->visit.skips = misses;
    return true;
}

// What a distance is at most that is rounded to this one.
static double widest_of(const question* q, uint32_t axis, double distance) {
    return distance + (fabs(q->ask->at[axis]) + distance) * (4 * DBL_EPSILON);
}

static void reach(question* q, uint32_t axis, double distance) {
    q->visit.low[axis] = q->ask->at[axis] - widest_of(q, axis, distance);
    q->visit.high[axis] = q->ask->at[axis] + widest_of(q, axis, distance);
}

// False if there is none, and the shape has one.
static bool set_radius(question* q) {
    const ilk_ask* ask = q->ask;
    bool is_round = ask->shape == ILK_SHAPE_SPHERE || ask->shape == ILK_SHAPE_CYLINDER;
    // (Who is at the very place is nearer than any.)
    bool is_tiny = ask->radius > 0 && ask->radius < LEAST;
    q->radius = is_tiny ? LEAST : ask->radius;
    q->limit = q->radius * q->radius;
    return (!is_round && ask->shape != ILK_SHAPE_RAY) || ask->radius >= 0;
}

// What a shape is at most, as a box. False if it is none.
static bool set_region(question* q) {
    const ilk_ask* ask = q->ask;
    uint32_t dims = q->space->store.dims;
    if (!ilks_are_near(ask->at, dims) || !set_radius(q)) return false;
    for (uint32_t i = 0; i < dims; i++) {
        q->visit.low[i] = -INFINITY;
        q->visit.high[i] = INFINITY;
        if (ask->shape == ILK_SHAPE_SPHERE) reach(q, i, q->radius);
        if (ask->shape == ILK_SHAPE_CYLINDER) reach(q, i, i == ask->axis ? ask->height : q->radius);
        if (ask->shape != ILK_SHAPE_BOX) continue;
        if (!(ask->low[i] <= ask->high[i])) return false;
        q->visit.low[i] = ask->low[i];
        q->visit.high[i] = ask->high[i];
    }
    if (ask->shape == ILK_SHAPE_CYLINDER) return ask->axis < dims && ask->height >= 0;
    if (ask->shape == ILK_SHAPE_RAY) return set_way(q);
    return (uint32_t)ask->shape <= ILK_SHAPE_RAY;
}

// A ray through a grid goes piece by piece.
static void visit_grid_along(question* q) {
    const ilk_space* space = q->space;
    double begin = meets(q, space->bounds, space->bounds + 3, 1);
    if (begin < 0) return;
    double end = begin;
    for (uint32_t i = 0; i < space->store.dims; i++) {
        end += space->bounds[3 + i] - space->bounds[i] + 2 * q->ask->radius;
    }
    if (end > q->length) end = q->length;
    ilks_grid_visit_ray(space, &q->visit,
                        &(ilks_ray){q->ask->at, q->way, q->ask->radius, begin, end});
}

static void visit(question* q) {
    ilk_space* space = q->space;
    q->visit.fn = look;
    q->visit.context = q;
    if (q->is_calling) space->callers++;
    if (space->is_tree)
        ilks_tree_visit(space, &q->visit);
    else if (q->ask->shape == ILK_SHAPE_RAY)
        visit_grid_along(q);
    else
        ilks_grid_visit(space, &q->visit);
    if (q->is_calling) space->callers--;
}

// Nearest, in a grid: what is within a distance, and twice that, until there are enough.
static void widen_until_found(question* q) {
    const ilk_space* space = q->space;
    uint32_t dims = space->store.dims;
    ilks_visit whole = q->visit;
    double begin = 0;
    for (uint32_t i = 0; i < dims; i++) {
        double apart = away(q->ask->at[i], space->bounds[i], space->bounds[3 + i]);
        if (apart > begin) begin = apart;
    }
    double share = q->capacity / 5.0 + 1;
    double step = space->grid.side * (dims == 2 ? sqrt(share) : cbrt(share)) * 0.6;
    for (double radius = begin + step;; radius = begin + (step *= 2)) {
        bool is_whole = true;
        q->kept = q->count = 0;
        for (uint32_t i = 0; i < dims; i++) {
            double wide = widest_of(q, i, radius);
            double low = q->ask->at[i] - wide, high = q->ask->at[i] + wide;
            bool is_low = low <= whole.low[i] || low <= space->bounds[i];
            bool is_high = high >= whole.high[i] || high >= space->bounds[3 + i];
            q->visit.low[i] = low > whole.low[i] ? low : whole.low[i];
            q->visit.high[i] = high < whole.high[i] ? high : whole.high[i];
            is_whole = is_whole && is_low && is_high;
        }
        visit(q);
        is_whole |= q->visit.is_whole;
        bool is_enough = q->kept == q->capacity && q->hits[0].distance < radius * radius;
        if (is_enough || is_whole) return;
    }
}

static bool begin(question* q, ilk_space* space, const ilk_ask* ask) {
    if (!space || !ask) return false;
    q->space = space;
    q->ask = ask;
    bool is_locked = ilk_is_locked(space->world);
    // (By a function of the program, which would see it change under its hands.)
    if (space->is_following) return false;
    if (!space->desc.is_manual && !is_locked && !space->callers) ilk_space_refresh(space);
    q->is_calling = !is_locked && (q->fn || ask->filter);
    return space->count && set_region(q);
}

static uint32_t end(question* q) {
    sort_kept(q);
    for (uint32_t i = 0; i < q->kept; i++) {
        if (q->hits)
            q->hits[i].distance = as_length(q, q->hits[i].distance);
        else
            q->entities[i] = hit_of(q, q->entities[i]).entity;
    }
    return q->count;
}

uint32_t ilk_space_find(ilk_space* space, const ilk_ask* ask, ilk_hit* hits, uint32_t capacity) {
    question q = {.hits = hits, .capacity = hits ? capacity : 0};
    if (!begin(&q, space, ask)) return 0;
    visit(&q);
    return end(&q);
}

uint32_t ilk_space_nearest(ilk_space* space, const ilk_ask* ask, ilk_hit* hits, uint32_t count) {
    question q = {.hits = hits, .capacity = hits ? count : 0, .is_nearest = true};
    if (!q.capacity || !begin(&q, space, ask)) return 0;
    bool is_ray = ask->shape == ILK_SHAPE_RAY;
    if (!is_ray) q.visit.at = ask->at;
    q.visit.bound = INFINITY;
    if (space->is_tree || is_ray || count >= space->count)
        visit(&q);
    else
        widen_until_found(&q);
    end(&q);
    return q.kept;
}

uint32_t ilk_space_each(ilk_space* space, const ilk_ask* ask, ilk_hit_fn* fn, void* user) {
    question q = {.fn = fn, .user = user};
    if (!fn || !begin(&q, space, ask)) return 0;
    visit(&q);
    return q.count;
}

uint32_t ilk_space_collect(ilk_space* space, const ilk_ask* ask, ilk_entity* entities,
                           uint32_t capacity) {
    question q = {.entities = entities, .capacity = entities ? capacity : 0};
    if (!begin(&q, space, ask)) return 0;
    visit(&q);
    return end(&q);
}
