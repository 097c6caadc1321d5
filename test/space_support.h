// What the tests of spaces share: entities in many arrangements, and answers by looking at
// everybody.
#ifndef ILK_TEST_SPACE_SUPPORT_H
#define ILK_TEST_SPACE_SUPPORT_H

#include <ilk/space.h>
#include <math.h>

#include "film_support.h"

typedef struct Place {
    float at[3];
} Place;
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, at)));
typedef struct Spot {
    uint32_t id;
    double x, y;
} Spot;
ILK_COMPONENT_WITH(Spot, .track = true,
                   .fields = ILK_FIELDS(ILK_FIELD(Spot, id), ILK_FIELD(Spot, x),
                                        ILK_FIELD(Spot, y)));
typedef struct Bounds {
    double low[3], high[3];
} Bounds;
ILK_COMPONENT_WITH(Bounds, .fields = ILK_FIELDS(ILK_FIELD(Bounds, low), ILK_FIELD(Bounds, high)));
ILK_TAG(Ghost);

// A kind of set: which component, and how entities lie.
typedef enum layout {
    UNIFORM,
    CLUSTERED,
    COLLINEAR,
    COINCIDENT,
    FAR_APART,
    LAYOUTS
} layout;

typedef struct arena {
    ilk_world* world;
    ilk_space* space;
    ilk_type* type;
    layout layout;
    uint32_t dims;
    ilk_query* query;    // who is in it; NULL: who has the type, is active and no Ghost
    ilk_where_fn* where; // a function says where; NULL: the type
} arena;

static inline double unit(void) {
    return chance(1 << 20) / (double)(1 << 20);
}

static inline void pick_point(const arena* a, double at[3]) {
    double along = unit() * 200 - 100;
    for (uint32_t i = 0; i < 3; i++) {
        switch (a->layout) {
        case UNIFORM:
            at[i] = unit() * 200 - 100;
            break;
        case CLUSTERED:
            at[i] = (double)chance(3) * 60 - 60 + pow(unit(), 6) * 20;
            break;
        case COLLINEAR:
            at[i] = i == 1 ? 5 : along;
            break;
        case COINCIDENT:
            at[i] = chance(3) ? 10 : (double)chance(3);
            break;
        default:
            at[i] = ldexp(unit() - 0.5, (int)chance(80));
        }
    }
}

static inline void pick_value(const arena* a, void* value) {
    double at[3];
    pick_point(a, at);
    if (a->type == &Place_type) {
        for (uint32_t i = 0; i < 3; i++) ((Place*)value)->at[i] = (float)at[i];
        if (chance(50) == 0) ((Place*)value)->at[chance(3)] = chance(2) ? NAN : INFINITY;
    } else if (a->type == &Spot_type) {
        *(Spot*)value = (Spot){.x = at[0], .y = at[1]};
        if (chance(50) == 0) ((Spot*)value)->y = chance(2) ? -INFINITY : NAN;
    } else {
        Bounds* bounds = value;
        for (uint32_t i = 0; i < 3; i++) {
            bounds->low[i] = at[i];
            double size = chance(4) ? unit() * 5 : chance(8) ? 0 : unit() * 150;
            bounds->high[i] = at[i] + size;
        }
        if (chance(50) == 0) bounds->high[0] = bounds->low[0] - 1;
    }
}

static inline bool is_seen(const arena* a, ilk_entity e) {
    if (a->query) return ilk_query_matches(a->world, a->query, e);
    return ilk_alive(a->world, e) && !ilk_has(a->world, e, &ilk_inactive_type) &&
           ilk_enabled(a->world, e, a->type) &&
           !(ilk_has(a->world, e, &Ghost_type) && ilk_enabled(a->world, e, &Ghost_type));
}

// What a value says.
static inline void read_box(const arena* a, const void* value, ilk_box* box) {
    const Spot* spot = value;
    const Bounds* bounds = value;
    for (uint32_t i = 0; i < a->dims; i++) {
        if (a->type == &Place_type) box->low[i] = box->high[i] = ((const Place*)value)->at[i];
        if (a->type == &Spot_type) box->low[i] = box->high[i] = i ? spot->y : spot->x;
        if (a->type == &Bounds_type) {
            box->low[i] = bounds->low[i];
            box->high[i] = bounds->high[i];
        }
    }
}

// Where an entity is; false if it has no position, or is not to be found.
static inline bool box_of(const arena* a, ilk_entity e, ilk_box* box) {
    *box = (ilk_box){0};
    if (!is_seen(a, e)) return false;
    if (a->where) {
        if (!a->where(a->world, e, NULL, box)) return false;
    } else {
        const void* value = ilk_get(a->world, e, a->type, NULL);
        if (!value) return false;
        read_box(a, value, box);
    }
    for (uint32_t i = 0; i < a->dims; i++) {
        if (!(fabs(box->low[i]) <= 1e150) || !(fabs(box->high[i]) <= 1e150)) return false;
        if (box->high[i] < box->low[i]) return false;
    }
    return true;
}

static inline double apart(double at, double low, double high) {
    return at < low ? low - at : at > high ? at - high : 0;
}

// Whether a ray meets a box; and where.
static inline bool ray_meets(const arena* a, const ilk_ask* ask, const ilk_box* box,
                             double* where) {
    double most = 0, square = 0, from = 0, to = ask->length > 0 ? ask->length : INFINITY;
    for (uint32_t i = 0; i < a->dims; i++) most = fmax(most, fabs(ask->way[i]));
    for (uint32_t i = 0; i < a->dims; i++) square += ask->way[i] / most * (ask->way[i] / most);
    for (uint32_t i = 0; i < a->dims; i++) {
        double way = ask->way[i] / most / sqrt(square);
        double begin = box->low[i] - ask->radius - ask->at[i];
        double end = box->high[i] + ask->radius - ask->at[i];
        if (way == 0) {
            if (begin > 0 || end < 0) return false;
            continue;
        }
        from = fmax(from, fmin(begin / way, end / way));
        to = fmin(to, fmax(begin / way, end / way));
    }
    *where = from;
    return from <= to;
}

// Whether an entity is an answer, and the square of how far it is; of a ray, how far.
static inline bool is_answer(const arena* a, const ilk_ask* ask, ilk_entity e, double* distance) {
    ilk_box box;
    if (!box_of(a, e, &box)) return false;
    double square = 0, beside = 0, above = 0;
    bool is_inside = true;
    for (uint32_t i = 0; i < a->dims; i++) {
        double away = apart(ask->at[i], box.low[i], box.high[i]);
        square += away * away;
        if (i == ask->axis)
            above = away;
        else
            beside += away * away;
        is_inside = is_inside && box.low[i] <= ask->high[i] && box.high[i] >= ask->low[i];
    }
    *distance = square;
    if (ask->filter && !ask->filter(a->world, e, ask->user)) return false;
    if (ask->query && !ilk_query_matches(a->world, ask->query, e)) return false;
    double limit = ask->radius * ask->radius;
    switch (ask->shape) {
    case ILK_SHAPE_SPHERE:
        return square < limit;
    case ILK_SHAPE_BOX:
        return is_inside;
    case ILK_SHAPE_CYLINDER:
        return beside < limit && above <= ask->height;
    case ILK_SHAPE_RAY:
        return ray_meets(a, ask, &box, distance);
    default:
        return true;
    }
}

static inline int by_index(const void* a, const void* b) {
    uint32_t x = ((const ilk_hit*)a)->entity.index, y = ((const ilk_hit*)b)->entity.index;
    return (x > y) - (x < y);
}

static inline int by_distance(const void* a, const void* b) {
    double x = ((const ilk_hit*)a)->distance, y = ((const ilk_hit*)b)->distance;
    return x != y ? (x > y) - (x < y) : by_index(a, b);
}

#define ANSWERS 8192u

// All answers, by looking at everybody.
static inline uint32_t brute(const arena* a, const ilk_ask* ask, ilk_hit* hits, bool is_nearest) {
    uint32_t count = 0, slots = ilk_stats(a->world).slots;
    for (uint32_t i = 0; i < slots; i++) {
        ilk_hit hit = {.entity = ilk_entity_at(a->world, i)};
        if (ilk_is_null(hit.entity) || !is_answer(a, ask, hit.entity, &hit.distance)) continue;
        assert_true(count < ANSWERS);
        hits[count++] = hit;
    }
    bool is_far = is_nearest || ask->order == ILK_BY_DISTANCE;
    qsort(hits, count, sizeof *hits, is_far ? by_distance : by_index);
    for (uint32_t i = 0; i < count && ask->shape != ILK_SHAPE_RAY; i++) {
        hits[i].distance = sqrt(hits[i].distance);
    }
    return count;
}

static inline ilk_ask pick_ask(const arena* a) {
    ilk_ask ask = {.shape = (ilk_shape)chance(5), .order = (ilk_space_order)chance(2)};
    double other[3];
    pick_point(a, ask.at);
    pick_point(a, other);
    if (chance(8) == 0) ask.at[chance(3)] *= 7;
    ask.radius = ask.shape == ILK_SHAPE_RAY ? unit() * 3 : pow(unit(), 3) * 150;
    if (chance(16) == 0) ask.radius = chance(2) ? 0 : 1e6;
    ask.height = unit() * 40;
    if (chance(4) == 0)
        ask.radius = floor(ask.radius); // at the border of what lies at whole numbers
    if (chance(4) == 0) ask.height = floor(ask.height / 8);
    ask.axis = chance(a->dims);
    for (uint32_t i = 0; i < 3; i++) {
        double size = chance(3) ? unit() * 30 : unit() * 300;
        ask.low[i] = chance(4) ? other[i] - size / 2 : ask.at[i];
        ask.high[i] = chance(4) ? ask.low[i] + size : ask.low[i];
        ask.way[i] = chance(4) ? unit() - 0.5 : (double)chance(3) - 1;
    }
    if (ask.way[0] == 0 && ask.way[1] == 0) ask.way[0] = 1;
    ask.length = chance(3) ? unit() * 200 : 0;
    return ask;
}

static inline void assert_hits(const ilk_hit* expected, const ilk_hit* hits, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(hits[i].entity.index, expected[i].entity.index);
        assert_int_equal(hits[i].entity.generation, expected[i].entity.generation);
        assert_true(hits[i].distance == expected[i].distance);
    }
}

static inline bool count_hit(const ilk_hit* hit, void* user) {
    (void)hit;
    ++*(uint32_t*)user;
    return true;
}

static inline void assert_handles(const ilk_hit* expected, const ilk_entity* found,
                                  uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(found[i].index, expected[i].entity.index);
        assert_int_equal(found[i].generation, expected[i].entity.generation);
    }
}

// One question, in all ways to ask it.
static inline void ask_once(const arena* a, const ilk_ask* ask) {
    static ilk_hit expected[ANSWERS], hits[ANSWERS];
    static ilk_entity found[ANSWERS];
    uint32_t all = brute(a, ask, expected, false);
    assert_int_equal(ilk_space_find(a->space, ask, hits, ANSWERS), all);
    assert_hits(expected, hits, all);
    uint32_t few = 1 + chance(12), least = few < all ? few : all;
    assert_int_equal(ilk_space_find(a->space, ask, hits, few), all);
    assert_hits(expected, hits, least);
    uint32_t room = chance(2) ? ANSWERS : few;
    assert_int_equal(ilk_space_collect(a->space, ask, found, room), all);
    assert_handles(expected, found, room < all ? room : all);
    uint32_t counted = 0;
    assert_int_equal(ilk_space_each(a->space, ask, count_hit, &counted), all);
    assert_int_equal(counted, all);
    brute(a, ask, expected, true);
    assert_int_equal(ilk_space_nearest(a->space, ask, hits, few), least);
    assert_hits(expected, hits, least);
}

static inline ilk_space* space_of(ilk_world* world, ilk_space_desc desc) {
    ilk_space* space = ilk_space_create(world, &desc);
    assert_non_null(space);
    return space;
}

static inline uint32_t count_within(ilk_space* space, double x, double y, double z, double radius) {
    return ilk_space_find(
        space, &(ilk_ask){.shape = ILK_SHAPE_SPHERE, .at = {x, y, z}, .radius = radius}, NULL, 0);
}

#endif
