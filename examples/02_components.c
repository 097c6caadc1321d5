// Components are given, overwritten and taken away by verbs that return what became of it. A failed
// call changes nothing. It prints
//     add: ILK_OK, 10 points
//     add again: ILK_EXISTS, 10 points
//     ilk_add: entity 0:1 has Health already
//     set: ILK_OK, 20 points
//     replace: ILK_OK, 30 points
//     remove: ILK_OK, no points
//     remove again: ILK_MISSING, no points
//     ensure: ILK_OK, 101 points
//     asleep: yes; switched off: no, though it has it
//     destroyed, and then set: ILK_DEAD, no points
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Health {
    int points;
} Health;
ILK_COMPONENT_WITH(Health, .default_value = &(Health){100}); // without it: all zero
ILK_TAG(Asleep);                                             // a component without a value

static void show(const char* what, ilk_result result, const ilk_world* world, ilk_entity knight) {
    printf("%s: %s, ", what, ilk_result_name(result));
    const Health* health = ILK_GET(world, knight, Health); // NULL if it has none
    if (health) {
        printf("%d points\n", health->points);
    } else {
        printf("no points\n");
    }
}

static const char* yes_or_no(bool is_so) {
    return is_so ? "yes" : "no";
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity knight = ilk_create(world); // without any component

    ilk_result result = ilk_add(world, knight, ILK_VALUE(Health, 10)); // must not be there
    show("add", result, world, knight);
    result = ilk_add(world, knight, ILK_VALUE(Health, 15));
    show("add again", result, world, knight);
    printf("%s\n", ilk_error(world).text); // the last failure, as a sentence

    result = ilk_set(world, knight, ILK_VALUE(Health, 20)); // there or not
    show("set", result, world, knight);
    result = ilk_replace(world, knight, ILK_VALUE(Health, 30)); // must be there
    show("replace", result, world, knight);
    result = ilk_remove(world, knight, &Health_type);
    show("remove", result, world, knight);
    result = ilk_remove(world, knight, &Health_type);
    show("remove again", result, world, knight);
    ILK_ENSURE(world, knight, Health)->points++; // if it is not there, the default comes first
    show("ensure", ILK_OK, world, knight);

    ilk_add(world, knight, ILK_WITH(Asleep)); // with its default: a tag has no other value
    printf("asleep: %s; ", yes_or_no(ilk_enabled(world, knight, &Asleep_type)));
    ilk_disable(world, knight, &Asleep_type); // until ilk_enable
    printf("switched off: %s, though it %s it\n",
           yes_or_no(ilk_enabled(world, knight, &Asleep_type)),
           ilk_has(world, knight, &Asleep_type) ? "has" : "lost");

    ilk_destroy(world, knight);
    result = ilk_set(world, knight, ILK_VALUE(Health, 40)); // the handle never comes alive again
    show("destroyed, and then set", result, world, knight);
    ilk_world_destroy(world);
}
