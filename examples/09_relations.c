// Relations: links between entities that are found from both ends, and a tree of parents and
// children. The kind of a relation says what becomes of it when one end goes. It prints
//     ann likes 2, 2 like bob
//     since 3
//     the deck is 2 below the fleet, the ship has 2 parts
//     fleet ship deck mast
//     bob is needed
//     bob is gone, ann likes 1
//     the fleet is gone, and the deck too
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Since {
    int year;
} Since;
typedef struct Name {
    const char* text;
} Name;
ILK_COMPONENT(Since);
ILK_COMPONENT(Name);
ILK_RELATION_WITH(Likes, .value = &Since_type);
ILK_RELATION_WITH(Guards, .is_exclusive = true, .at_end = ILK_END_REFUSED);

static bool print_name(const ilk_world* world, ilk_entity e, void* user) {
    (void)user;
    printf("%s%s", ilk_depth(world, e) ? " " : "", ILK_GET(world, e, Name)->text);
    return true;
}

static void like(ilk_world* world, ilk_entity ann, ilk_entity bob, ilk_entity cid) {
    ilk_relate_value(world, ann, &Likes_type, bob, &(Since){3});
    ilk_relate(world, ann, &Likes_type, cid);
    ilk_relate(world, cid, &Likes_type, bob);
    printf("ann likes %u, %u like bob\n", ilk_target_count(world, ann, &Likes_type),
           ilk_source_count(world, bob, &Likes_type));
    const Since* since = ilk_relation_get(world, ann, &Likes_type, bob);
    printf("since %d\n", since->year);
}

static void build(ilk_world* world, ilk_entity* fleet, ilk_entity* deck) {
    *fleet = ILK_SPAWN(world, ILK_VALUE(Name, "fleet"));
    ilk_entity ship = ILK_SPAWN(world, ILK_VALUE(Name, "ship"), ILK_TO(ilk_child_of, *fleet));
    *deck = ILK_SPAWN(world, ILK_VALUE(Name, "deck"), ILK_TO(ilk_child_of, ship));
    ilk_entity mast = ILK_SPAWN(world, ILK_VALUE(Name, "mast"));
    ilk_set_parent(world, mast, ship);
    printf("the deck is %u below the fleet, the ship has %u parts\n", ilk_depth(world, *deck),
           ilk_child_count(world, ship));
    ilk_visit_below(world, *fleet, ILK_WALK_DEPTH, print_name, NULL);
    printf("\n");
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity ann = ilk_create(world), bob = ilk_create(world), cid = ilk_create(world);
    ilk_entity fleet, deck;
    like(world, ann, bob, cid);
    build(world, &fleet, &deck);
    ilk_relate(world, cid, &Guards_type, bob);
    if (ilk_destroy(world, bob) == ILK_NEEDED) printf("bob is needed\n");
    ilk_unrelate(world, cid, &Guards_type, bob);
    ilk_destroy(world, bob);
    printf("bob is %s, ann likes %u\n", ilk_alive(world, bob) ? "there" : "gone",
           ilk_target_count(world, ann, &Likes_type));
    ilk_destroy(world, fleet);
    printf("the fleet is gone, and the deck %s\n", ilk_alive(world, deck) ? "is not" : "too");
    ilk_world_destroy(world);
}
