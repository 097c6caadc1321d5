// For who knows hecs: state components and Modified() in ilk. It prints
//     nothing yet: added 0, active 0, modified 0, removed 0
//     a model: added 1, active 1, modified 0, removed 0
//     the same: added 0, active 1, modified 0, removed 0
//     modified: added 0, active 1, modified 1, removed 0
//     once: added 0, active 1, modified 0, removed 0
//     deactivated: added 0, active 0, modified 0, removed 1
//     activated: added 1, active 1, modified 0, removed 0
//     destroyed: added 0, active 0, modified 0, removed 1
//     gone: yes
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Model {
    int file;
} Model;
typedef struct ModelMesh {
    unsigned on_card;
} ModelMesh;
ILK_COMPONENT_WITH(Model, .track = true); // changes are noted for each value
ILK_COMPONENT_WITH(ModelMesh, .outlives = true);

typedef struct model_system {
    ilk_query *modified, *added, *active, *removed;
} model_system;

static model_system make_queries(ilk_world* world) {
    const ilk_query_desc modified = {.changed = {&Model_type}, .with = {&ModelMesh_type}};
    const ilk_query_desc added = {.read = {&Model_type}, .without = {&ModelMesh_type}};
    const ilk_query_desc active = {.read = {&Model_type, &ModelMesh_type}};
    const ilk_query_desc removed = {.read = {&ModelMesh_type}, .without = {&Model_type}};
    return (model_system){ilk_query_create(world, &modified), ilk_query_create(world, &added),
                          ilk_query_create(world, &active), ilk_query_create(world, &removed)};
}

static uint32_t count(ilk_world* world, ilk_query* query) {
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) rows += it.count;
    return rows;
}

// Change what you like inside the loop: nothing moves, so there is no need to go backwards.
static uint32_t allocate(ilk_world* world, ilk_query* added) {
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(world, added); ilk_next(&it); rows += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            ilk_add(world, it.entities[i], ILK_VALUE(ModelMesh, .on_card = 1));
        }
    }
    return rows;
}

static uint32_t release(ilk_world* world, ilk_query* removed) {
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(world, removed); ilk_next(&it); rows += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            ilk_remove(world, it.entities[i], &ModelMesh_type);
        }
    }
    return rows;
}

static void update(ilk_world* world, const model_system* system, const char* what) {
    uint32_t modified = count(world, system->modified); // before: who is new is not modified
    printf("%s: added %u, ", what, allocate(world, system->added));
    printf("active %u, modified %u, ", count(world, system->active), modified);
    printf("removed %u\n", release(world, system->removed));
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    model_system system = make_queries(world);
    ilk_entity block = ilk_create(world);
    update(world, &system, "nothing yet");
    ilk_add(world, block, ILK_VALUE(Model, .file = 1));
    update(world, &system, "a model");
    update(world, &system, "the same");
    ILK_EDIT(world, block, Model)->file = 2; // asking for it to write is modified()
    update(world, &system, "modified");
    update(world, &system, "once");
    ilk_deactivate(world, block);
    update(world, &system, "deactivated");
    ilk_activate(world, block);
    update(world, &system, "activated");
    ilk_destroy(world, block);
    update(world, &system, "destroyed");
    bool is_gone = !ilk_alive(world, block);
    printf("gone: %s\n", is_gone ? "yes" : "no");
    ilk_world_destroy(world);
    return is_gone ? 0 : 1;
}
