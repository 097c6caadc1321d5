// The code of docs/types.md: a type made at run time, verbs for many, and what a world says of its
// types. It prints
//     a Point has 2 fields; weights[3] is a float, 3 times
//     1000 stones, 500 of them with a Point
//     stone 0: 1010, 2 components: Position, Glowing
//     the light is off, and on again
//     the world knows 4 types; number 2 is Glowing
//     without Glowing: 1 component, and 2 when it is back
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
ILK_COMPONENT_WITH(Position, .fields = ILK_FIELDS(ILK_FIELD(Position, x), ILK_FIELD(Position, y)));
ILK_TAG(Glowing);

typedef struct Load {
    float weights[3];
} Load;
ILK_COMPONENT_WITH(Load, .fields = ILK_FIELDS(ILK_FIELD(Load, weights)));

// A type that a script describes: its name, size and fields are known when it is read.
static ilk_type* make_point(ilk_world* world) {
    static const ilk_field fields[] = {
        {.name = "x", .kind = ILK_KIND_I32, .offset = 0, .size = 4},
        {.name = "y", .kind = ILK_KIND_I32, .offset = 4, .size = 4},
        {0},
    };
    ilk_type point = {.name = "Point", .size = 8, .fields = fields};
    ilk_register(world, &point);
    return ilk_type_named(world, "Point"); // lives as long as the program; `point` need not
}

static void print_point(const ilk_type* point) {
    int count = 0;
    while (point->fields[count].name) count++;
    printf("a Point has %d fields; weights[3] is a float, %u times\n", count,
           ilk_field_length(&Load_type.fields[0]));
}

static void make_many(ilk_world* world, ilk_type* point, ilk_entity* stones) {
    ilk_batch batch;
    uint32_t made = 0;
    ilk_reserve(world, 1000, ILK_TYPES(&Position_type)); // from here on no memory is needed
    ilk_spawn_many(world, &batch, 1000, ILK_TYPES(&Position_type));
    while (ilk_batch_next(&batch)) {
        Position* p = ILK_FILL(&batch, Position);
        for (uint32_t i = 0; i < batch.count; i++) p[i].x = (float)i;
        for (uint32_t i = 0; i < batch.count; i++) stones[made++] = batch.entities[i];
    }
    ilk_add_many(world, stones, 1000, point, NULL); // the default for each
    ilk_remove_many(world, stones, 500, point);
    printf("%u stones, %u of them with a Point\n", made, ilk_stats_of(world, point).count);
}

static void ask(ilk_world* world, ilk_entity stone) {
    ilk_type* types[8];
    char text[32];
    ilk_signature(world, stone, text, sizeof text);
    uint32_t count = ilk_types_of(world, stone, types, 8);
    printf("stone 0: %s, %u components: %s, %s\n", text, count, types[0]->name, types[1]->name);
}

static void switch_light(ilk_world* world, ilk_entity stone) {
    ilk_disable(world, stone, &Glowing_type); // queries pass it over; its value stays
    bool is_off = !ilk_enabled(world, stone, &Glowing_type);
    ilk_enable(world, stone, &Glowing_type);
    bool is_on = ilk_enabled(world, stone, &Glowing_type);
    printf("the light is %s, and %s again\n", is_off ? "off" : "on", is_on ? "on" : "off");
}

// A module goes, and its types with it; when it is back, so are its values.
static void take_out(ilk_world* world, ilk_entity stone) {
    ilk_unregister(world, &Glowing_type);
    uint32_t without = ilk_types_of(world, stone, NULL, 0);
    ilk_register(world, &Glowing_type);
    printf("without Glowing: %u component, and %u when it is back\n", without,
           ilk_types_of(world, stone, NULL, 0));
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity stones[1000];
    ilk_register(world, &Position_type);
    ilk_type* point = make_point(world);
    print_point(point);
    make_many(world, point, stones);
    ilk_add(world, stones[0], ILK_WITH(Glowing));
    ilk_register(world, &Load_type);
    ask(world, stones[0]);
    switch_light(world, stones[0]);
    printf("the world knows %u types; number 2 is %s\n", ilk_type_count(world),
           ilk_type_at(world, 2)->name);
    take_out(world, stones[0]);
    uint32_t number = ilk_type_number(world, &Glowing_type);
    ilk_world_destroy(world);
    return number == 2 ? 0 : 1;
}
