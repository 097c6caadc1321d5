// Blueprints: orcs are made from a pattern, a chief extends it, and one band sets off for another
// world. It prints
//     an orc has 30 points and 1 club
//     100 orcs more: 101 in all
//     a chief has 90 points and 1 club
//     the club of the copy is in the hand of the copy
//     in the cave: a chief with 90 points, who has 1 club
//     on the plain: 102 are left
//     it came back with 90 points
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Health {
    int points;
} Health;
typedef struct Held {
    ilk_entity by;
} Held;
ILK_COMPONENT(Health);
// ilk is told of the field, so that a copy of it names the copy of who held it.
ILK_COMPONENT_WITH(Held, .fields = ILK_FIELDS(ILK_FIELD(Held, by)));
ILK_TAG(Orc);

static int points_of(const ilk_world* world, ilk_entity e) {
    return ILK_GET(world, e, Health)->points;
}

static uint32_t count_orcs(ilk_world* world) {
    return ilk_stats_of(world, &Orc_type).count;
}

// An orc, whose child is a club that names it.
static ilk_blueprint* make_orc(void) {
    ilk_blueprint* orc = ilk_blueprint_create(NULL);
    ilk_blueprint_add(orc, ILK_VALUE(Health, 30));
    ilk_blueprint_add(orc, ILK_WITH(Orc));
    ilk_blueprint* club = ilk_blueprint_create(NULL);
    ilk_blueprint_add(club, ILK_VALUE(Held, ilk_blueprint_entity(orc)));
    ilk_blueprint_add_child(orc, club);
    return orc;
}

int main(void) {
    ilk_world *plain = ilk_world_create(NULL), *cave = ilk_world_create(NULL);
    ilk_blueprint* orc = make_orc();
    ilk_blueprint_register(plain, "orc", orc); // the world owns it now

    ilk_entity e = ilk_blueprint_spawn(plain, orc);
    printf("an orc has %d points and %u club\n", points_of(plain, e), ilk_child_count(plain, e));
    orc = ilk_blueprint_named(plain, "orc");
    ilk_blueprint_spawn_many(plain, orc, 100, NULL);
    printf("100 orcs more: %u in all\n", count_orcs(plain));

    ilk_blueprint* chief = ilk_blueprint_create(NULL);
    ilk_blueprint_extend(chief, orc);
    ilk_blueprint_add(chief, ILK_VALUE(Health, 90)); // in place of its base's
    e = ilk_blueprint_spawn(plain, chief);
    printf("a chief has %d points and %u club\n", points_of(plain, e), ilk_child_count(plain, e));
    ilk_blueprint_destroy(chief); // nobody else does

    ilk_entity copy = ilk_copy_tree(plain, e);
    ilk_entity club = ilk_first_child(plain, copy);
    bool is_own = ilk_same(ILK_GET(plain, club, Held)->by, copy);
    printf("the club of the copy is in the hand of %s\n", is_own ? "the copy" : "another");

    ilk_entity there;
    ilk_transfer(plain, &copy, 1, cave, &there); // with all that is below it
    printf("in the cave: a chief with %d points, who has %u club\n", points_of(cave, there),
           ilk_child_count(cave, there));
    printf("on the plain: %u are left\n", count_orcs(plain));

    ilk_blueprint* taken = ilk_blueprint_take(cave, there, NULL);
    e = ilk_blueprint_put(plain, taken); // the values themselves: the blueprint is gone
    printf("it came back with %d points\n", points_of(plain, e));
    ilk_world_destroy(cave);
    ilk_world_destroy(plain);
}
