// For who knows Hytale's component stores: the same in ilk. It prints
//     an item is made: alive 1, of 2 in the store
//     tick: 1 moved, the ghost did not
//     the shot at item 0 is cancelled: 0 heard of it
//     asleep: yes; in a tick the store is locked, and says so
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Transform {
    float x, y, z;
} Transform;
typedef struct Item {
    int stack;
} Item;
typedef struct Shot {
    int damage;
} Shot;
ILK_COMPONENT(Transform);
ILK_COMPONENT(Item);
ILK_TAG(Intangible);
ILK_TAG(Asleep);
ILK_EVENT(Shot);

// A holder: values outside of the store, put into it in one step.
static ilk_entity add_item(ilk_world* store) {
    ilk_blueprint* holder = ilk_blueprint_create(NULL);
    ilk_blueprint_add(holder, ILK_VALUE(Transform, .x = 1));
    ilk_blueprint_add(holder, ILK_VALUE(Item, .stack = 64));
    return ilk_blueprint_put(store, holder); // the values themselves: the holder is gone
}

static bool was_locked;
static uint32_t moved;

// Called for each run of rows, as ArchetypeTickingSystem is for each chunk.
static void tick(ilk_iter* it) {
    while (ilk_next(it)) {
        Transform* transform = ILK_WRITE(it, Transform);
        for (uint32_t i = 0; i < it->count; i++) {
            transform[i].y -= (float)it->dt;
            was_locked |= ilk_add(it->world, it->entities[i], ILK_WITH(Asleep)) == ILK_LOCKED;
            ilk_cmd_add(it->cmd, it->entities[i], ILK_WITH(Asleep));
        }
        moved += it->count;
    }
}

static ilk_result protect(ilk_notice* n) {
    n->cancel = true;
    return ILK_OK;
}

static uint32_t shoot(ilk_world* store, ilk_entity item) {
    ilk_observer_create(
        store, &(ilk_observer_desc){.on = ILK_ON_EVENT, .type = &Shot_type, .run = protect});
    ilk_reader* reader = ilk_reader_create(store, &(ilk_reader_desc){.type = &Shot_type});
    ILK_EMIT_TO(store, item, Shot, .damage = 3);
    uint32_t heard = 0;
    while (ilk_read(reader, NULL)) heard++;
    return heard;
}

int main(void) {
    ilk_world* store = ilk_world_create(NULL);
    ilk_entity item = add_item(store);
    ILK_SPAWN(store, ILK_VALUE(Transform, .x = 2), ILK_WITH(Intangible)); // a ghost
    printf("an item is made: alive %d, of %u in the store\n", ilk_alive(store, item),
           ilk_stats(store).alive);

    ilk_system_create(store, &(ilk_system_desc){.name = "tick",
                                                .run = tick,
                                                .query = {.write = {&Transform_type},
                                                          .without = {&Intangible_type}}});
    ilk_update(store, 1.0 / 30);
    printf("tick: %u moved, the ghost did not\n", moved);
    uint32_t heard = shoot(store, item);
    printf("the shot at item %u is cancelled: %u heard of it\n", item.index, heard);
    bool sleeps = ilk_has(store, item, &Asleep_type);
    printf("asleep: %s; in a tick the store is %s\n", sleeps ? "yes" : "no",
           was_locked ? "locked, and says so" : "open");
    ilk_world_destroy(store);
    return moved == 1 && sleeps && was_locked && heard == 0 ? 0 : 1;
}
