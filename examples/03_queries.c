// Queries find the entities that have some components, and hand out their values as arrays. Of a
// hundred birds, ten sleep and ten others are in the wind. It prints
//     the query: write Position; read Velocity; without Asleep; maybe Wind
//     90 birds flew, of which 80 are left
//     the highest is bird 3, at 8
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Vector {
    float x, y;
} Vector, Position, Velocity, Wind;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_COMPONENT(Wind);
ILK_TAG(Asleep);

static const ilk_query_desc flying = {.write = {&Position_type},
                                      .read = {&Velocity_type},
                                      .maybe = {&Wind_type},
                                      .without = {&Asleep_type}};

static uint32_t fly(ilk_world* world, ilk_query* query) {
    uint32_t flew = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        Position* p = ILK_WRITE(&it, Position); // it.count values, side by side
        const Velocity* v = ILK_READ(&it, Velocity);
        const Wind* wind = ILK_MAYBE(&it, Wind); // NULL: nobody in this run has it
        for (uint32_t i = 0; i < it.count; i++) {
            p[i].y += v[i].y + (wind ? wind[i].y : 0);
            if (wind) ilk_destroy(world, it.entities[i]); // at once, and nothing moves
        }
        flew += it.count;
    }
    return flew;
}

// A condition may be a text. Those who sleep lie scattered: that is quicker by a list of rows.
static const ilk_query_desc sleeping = {.write = {&Position_type}, .where = "Asleep & !Wind"};

static void lift(ilk_world* world, ilk_query* query) {
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next_rows(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) p[it.rows[i]].y += 8;
    }
}

// Entities are visited in the same order for the same history, or in one of your own.
static int higher_first(const void* a, const void* b) {
    const Position *p = a, *q = b;
    return (p->y < q->y) - (p->y > q->y);
}
static const ilk_query_desc by_height = {.order_by = &Position_type, .compare = higher_first};

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    for (int i = 0; i < 100; i++) {
        ilk_entity bird = ILK_SPAWN(world, ILK_WITH(Position), ILK_VALUE(Velocity, .y = 1));
        if (i % 10 == 3) ilk_add(world, bird, ILK_WITH(Asleep));
        if (i % 10 == 5) ilk_add(world, bird, ILK_VALUE(Wind, .y = 100));
    }
    ilk_query* fliers = ilk_query_create(world, &flying); // the world's, and made once
    char text[80];
    ilk_query_text(fliers, text, sizeof text);
    printf("the query: %s\n", text);
    uint32_t flew = fly(world, fliers);
    printf("%u birds flew, of which %u are left\n", flew, ilk_query_count(world, fliers));

    lift(world, ilk_query_create(world, &sleeping));
    ilk_entity highest = ilk_query_first(world, ilk_query_create(world, &by_height));
    printf("the highest is bird %u, at %.0f\n", highest.index,
           ILK_GET(world, highest, Position)->y);
    ilk_world_destroy(world);
}
