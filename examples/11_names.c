// Names: entities are found by name, by path, or by an id that stays the same when they are saved.
// Here it is a castle, no two parts of which have one name in one place. It prints
//     the door is castle/hall/door, and by its path it is the same
//     a second door in the hall: it is there already
//     but one in the tower, and from there the other is found
//     saved as 9274aad59d74866c19ad087e917dc31d, and found by that
//     called door: 2
//     without the castle there is no door
#include <ilk/ilk.h>
#include <stdio.h>

static ilk_entity build(ilk_world* world, ilk_entity parent, const char* name) {
    ilk_entity e = ilk_create(world);
    if (!ilk_is_null(parent)) ilk_set_parent(world, e, parent);
    ilk_result result = ilk_set_name(world, e, name);
    if (result == ILK_OK) return e;
    printf("a second %s in the hall: %s\n", name, ilk_result_text(result));
    ilk_destroy(world, e);
    return (ilk_entity){0};
}

// Names are compared by the numbers of their texts.
static uint32_t count_named(ilk_world* world, const char* name) {
    ilk_query* named = ilk_query_create(world, &(ilk_query_desc){.read = {&ilk_name_type}});
    uint32_t number = ilk_text_number(world, name), count = 0;
    for (ilk_iter it = ilk_query_iter(world, named); ilk_next(&it);) {
        const ilk_name* names = ILK_READ(&it, ilk_name);
        for (uint32_t i = 0; i < it.count; i++) count += names[i].text == number;
    }
    return count;
}

int main(void) {
    const ilk_entity nobody = {0};
    ilk_world* world =
        ilk_world_create(&(ilk_world_desc){.names = ILK_NAMES_UNIQUE_AMONG_SIBLINGS});
    ilk_entity castle = build(world, nobody, "castle");
    ilk_entity hall = build(world, castle, "hall"), tower = build(world, castle, "tower");
    ilk_entity door = build(world, hall, "door");

    char path[64];
    ilk_path_of(world, door, path, sizeof path);
    bool is_same = ilk_same(ilk_by_path(world, nobody, path, NULL), door);
    printf("the door is %s, and by its path it is %s\n", path, is_same ? "the same" : "another");

    build(world, hall, "door");
    build(world, tower, "door");
    is_same = ilk_same(ilk_by_path(world, tower, "../hall/door", NULL), door);
    printf("but one in the tower, and from there the other is %s\n", is_same ? "found" : "lost");

    char text[33];
    ilk_set_id(world, door, ilk_make_id(path, 16)); // of the bytes "castle/hall/door"
    ilk_id_text(ilk_id_of(world, door), text, sizeof text);
    ilk_id id;
    ilk_id_parse(text, &id);
    is_same = ilk_same(ilk_entity_by_id(world, id), door);
    printf("saved as %s, and %s by that\n", text, is_same ? "found" : "lost");

    printf("called door: %u\n", count_named(world, "door"));
    ilk_destroy(world, castle);
    printf("without the castle there is %s\n", count_named(world, "door") ? "a door" : "no door");
    ilk_world_destroy(world);
}
