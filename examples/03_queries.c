// Queries: a hundred birds, of which ten sleep and ten others are in the wind. It prints
//     write Position; read Velocity; without Asleep; maybe Wind
//     90 flew, 80 are left
//     80 in the air, then 10 more; the highest at 8
//     entity 3:1 does not match: Asleep is there
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Vector {
    float x, y;
} Vector, Position, Velocity, Wind;
ILK_COMPONENT_WITH(Position, .track = true); // changes are noted for each value
ILK_COMPONENT(Velocity);
ILK_COMPONENT(Wind);
ILK_TAG(Asleep);

static const ilk_query_desc flying = {.write = {&Position_type},
                                      .read = {&Velocity_type},
                                      .maybe = {&Wind_type},
                                      .without = {&Asleep_type}};
static const ilk_query_desc asleep = {.write = {&Position_type}, .where = "Asleep & !Wind"};
static const ilk_query_desc moved = {.read = {&Position_type}, .changed = {&Position_type}};

static int higher_first(const void* a, const void* b) {
    const Position *p = a, *q = b;
    return (p->y < q->y) - (p->y > q->y);
}
static const ilk_query_desc by_height = {.order_by = &Position_type, .compare = higher_first};

static uint32_t fly(ilk_world* world, ilk_query* query) {
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it); count += it.count) {
        Position* p = ILK_WRITE(&it, Position);
        const Velocity* v = ILK_READ(&it, Velocity);
        const Wind* wind = ILK_MAYBE(&it, Wind); // NULL: nobody in this run has it
        for (uint32_t i = 0; i < it.count; i++) {
            p[i].y += v[i].y + (wind ? wind[i].y : 0);
            if (wind) ilk_destroy(world, it.entities[i]); // at once, and nothing moves
        }
    }
    return count;
}

static void lift(ilk_world* world, ilk_query* query) {
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next_rows(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) p[it.rows[i]].y += 8;
    }
}

static void count_high(void* user, ilk_entity bird, void* const* values) {
    const Position* p = values[0]; // the first column that the query declares
    if (p->y > 0 && !ilk_is_null(bird)) ++*(uint32_t*)user;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    for (int i = 0; i < 100; i++) {
        ilk_entity bird = ILK_SPAWN(world, ILK_WITH(Position), ILK_VALUE(Velocity, .y = 1));
        if (i % 10 == 3) ilk_add(world, bird, ILK_WITH(Asleep));
        if (i % 10 == 5) ilk_add(world, bird, ILK_VALUE(Wind, .y = 100));
    }
    ilk_query* fliers = ilk_query_create(world, &flying);
    ilk_query* movers = ilk_query_create(world, &moved);
    uint32_t flew = fly(world, fliers), left = ilk_query_count(world, fliers), seen[2] = {0};
    ilk_each(world, movers, count_high, &seen[0]); // the first look: everything has changed
    lift(world, ilk_query_create(world, &asleep));
    ilk_each(world, movers, count_high, &seen[1]); // only what changed since
    ilk_entity highest = ilk_query_first(world, ilk_query_create(world, &by_height));
    float top = ILK_GET(world, highest, Position)->y;
    char text[2][80];
    ilk_query_text(fliers, text[0], sizeof text[0]);
    ilk_query_explain(world, fliers, ilk_entity_at(world, 3), text[1], sizeof text[1]);
    printf("%s\n%u flew, %u are left\n", text[0], flew, left);
    printf("%u in the air, then %u more; the highest at %.0f\n%s\n", seen[0], seen[1], top,
           text[1]);
    ilk_world_destroy(world);
    return flew == 90 && left == 80 && seen[0] == 80 && seen[1] == 10 && top == 8 ? 0 : 1;
}
