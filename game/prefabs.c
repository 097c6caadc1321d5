// Prefabs: the blueprints that entities are made from, registered in the world by their names. A
// bat and a firefly extend a flyer, pads and reeds a plant; a boat has two poles with a lantern on
// each.
#include "game.h"

static ilk_blueprint* prefab(game* g, const char* name, ilk_blueprint* base) {
    ilk_blueprint* made = ilk_blueprint_create(NULL);
    if (base) ilk_blueprint_extend(made, base);
    if (!name) return made;
    if (ilk_blueprint_register(g->world, name, made) == ILK_OK) return made;
    ilk_blueprint_destroy(made);
    return NULL;
}

static void make_flyers(game* g) {
    ilk_blueprint* flyer = prefab(g, "flyer", NULL);
    ilk_blueprint_add(flyer, ILK_WITH(Position));
    ilk_blueprint_add(flyer, ILK_WITH(Velocity));
    ilk_blueprint_add(flyer, ILK_WITH(Wish));

    ilk_blueprint* firefly = prefab(g, "firefly", flyer);
    ilk_blueprint_add(firefly, ILK_WITH(Firefly));

    ilk_blueprint* bat = prefab(g, "bat", flyer);
    ilk_blueprint_add(bat, ILK_VALUE(Bat, .rests = 3, .tires = 9));
    ilk_blueprint_add(bat, ILK_VALUE(Sprite, 17));
    ilk_blueprint_add(bat, ILK_VALUE(Shadow, .height = 26, .radius = 11));
    ilk_blueprint_add(bat, ILK_WITH(OfPlay));
}

static void make_plants(game* g) {
    ilk_blueprint* plant = prefab(g, "plant", NULL);
    ilk_blueprint_add(plant, ILK_WITH(Position));
    ilk_blueprint_add(plant, ILK_VALUE(Heading, .x = 1));

    ilk_blueprint* pad = prefab(g, "pad", plant);
    ilk_blueprint_add(pad, ILK_WITH(Pad));
    ilk_blueprint_add(pad, ILK_VALUE(Sprite, 14));
    ilk_blueprint_add(pad, ILK_VALUE(Shadow, .height = 2, .radius = 14));

    ilk_blueprint* reed = prefab(g, "reed", plant);
    ilk_blueprint_add(reed, ILK_WITH(Reed));
    ilk_blueprint_add(reed, ILK_VALUE(Sprite, 26));

    ilk_blueprint* lotus = prefab(g, "lotus", plant);
    ilk_blueprint_add(lotus, ILK_VALUE(Sprite, 24));
    ilk_blueprint_add(lotus, ILK_VALUE(Shadow, .height = 3, .radius = 25));
    ilk_blueprint_add(lotus, ILK_VALUE(Glow, .radius = 46, .strength = 0.45f, .color = 0xc070a8));
    ilk_blueprint_add(lotus, ILK_VALUE(Lure, .orbit = 25));
    ilk_blueprint_add(lotus, ILK_WITH(Lotus));
    ilk_blueprint_add(lotus, ILK_WITH(OfPlay));
}

// What hangs on something, and its like.
static ilk_blueprint* part(game* g, const char* name, float size) {
    ilk_blueprint* made = prefab(g, name, NULL);
    ilk_blueprint_add(made, ILK_WITH(Position));
    ilk_blueprint_add(made, ILK_VALUE(Heading, .x = 1));
    ilk_blueprint_add(made, ILK_VALUE(Sprite, size));
    return made;
}

// A pole, so far ahead of the middle of the boat, and the lantern at its end.
static void add_pole(game* g, ilk_blueprint* boat, float ahead, float right) {
    ilk_blueprint* pole = prefab(g, NULL, ilk_blueprint_named(g->world, "pole"));
    ilk_blueprint_add(pole, ILK_VALUE(Local, ahead, 0));
    ilk_blueprint* lantern = prefab(g, NULL, ilk_blueprint_named(g->world, "lantern"));
    ilk_blueprint_add(lantern, ILK_VALUE(Local, 0, right));
    ilk_blueprint_add_child(pole, lantern);
    ilk_blueprint_add_child(boat, pole);
}

static void make_boat(game* g) {
    ilk_blueprint* lantern = part(g, "lantern", 5);
    ilk_blueprint_add(lantern, ILK_VALUE(Glow, .radius = 140, .strength = 1, .color = 0xffb45a));
    ilk_blueprint_add(lantern, ILK_WITH(Lantern));
    ilk_blueprint* pole = part(g, "pole", 12);
    ilk_blueprint_add(pole, ILK_WITH(Pole));

    ilk_blueprint* boat = part(g, "boat", 26);
    ilk_blueprint_add(boat, ILK_WITH(Velocity));
    ilk_blueprint_add(boat, ILK_VALUE(Boat, .light = 0.8f));
    ilk_blueprint_add(boat, ILK_VALUE(Shadow, .height = 4, .radius = 22));
    ilk_blueprint_add(boat, ILK_VALUE(Lure, .orbit = 38));
    ilk_blueprint_add(boat, ILK_WITH(OfPlay));
    add_pole(g, boat, 13, 10);
    add_pole(g, boat, -14, -10);
}

// What could not be made is missing when it is spawned, and told then.
bool add_prefabs(game* g) {
    make_flyers(g);
    make_plants(g);
    make_boat(g);
    return ilk_blueprint_named(g->world, "boat") && ilk_blueprint_named(g->world, "lotus") &&
           ilk_blueprint_named(g->world, "bat");
}
