// The hierarchy: the relation "ChildOf", and walks through it.
#include "../component/registry.h"
#include "../relation/tree.h"
#include "world.h"

// The relation, if the world knows it and the system that runs may read it; or NULL.
static const ilki_relation* tree_in(const ilk_world* world, const char* call) {
    (void)call;
    if (!world || !ilki_may_use(world, &ilk_child_of_type, false, call)) return NULL;
    ilki_type_recall(&ilk_child_of_type);
    return ilki_directory_of(&world->storage.view, &ilk_child_of_type)->relation;
}

static bool is_in(const ilk_world* world, ilk_entity e) {
    return ilki_record_of(&world->storage.view.index, e) != NULL;
}

static const ilk_link* parent_link(const ilk_world* world, const ilki_relation* tree,
                                   ilk_entity e) {
    return tree && is_in(world, e) ? ilki_link_at(&world->storage, tree, e.index) : NULL;
}

static ilk_entity entity_or_null(const ilk_world* world, uint32_t slot) {
    return slot == ILKI_NONE ? ILKI_NULL : ilki_entity_in(&world->storage, slot);
}

ilk_result ilk_set_parent(ilk_world* world, ilk_entity e, ilk_entity parent) {
    const char* call = "ilk_set_parent";
    ilk_type* type = &ilk_child_of_type;
    ilk_result result = ilki_enter_for(world, e, type, call);
    if (result != ILK_OK) return result;
    ilk_link link = {.target = parent};
    if (!ilk_is_null(parent)) {
        return ilki_relate_as(world, e, (ilk_value){type, &link}, NULL, ILKI_RELATE, call);
    }
    return ilki_unrelate_as(world, e, type, ilk_parent(world, e), call);
}

// The edges of a child and of the one that it is to be moved before, ILKI_NONE for the end.
static ilk_result find_to_move(ilk_world* world, ilki_relation* tree, ilk_entity child,
                               ilk_entity before, uint32_t* to) {
    const char* call = "ilk_child_move";
    const ilk_type* type = &ilk_child_of_type;
    const ilk_link* link = parent_link(world, tree, child);
    *to = ILKI_NONE;
    if (!is_in(world, child)) return ilki_fail(world, ILK_DEAD, call, child, type);
    if (!link) return ilki_fail(world, ILK_MISSING, call, child, type);
    if (ilk_is_null(before)) return ILK_OK;
    if (!is_in(world, before)) return ilki_fail(world, ILK_DEAD, call, before, type);
    const ilk_link* other = parent_link(world, tree, before);
    if (!other || !ilk_same(other->target, link->target)) {
        return ilki_fail_for(world, ILK_INVALID, call, before, type,
                             "it is not a child of the same parent");
    }
    *to = other->first;
    return ILK_OK;
}

ilk_result ilk_child_move(ilk_world* world, ilk_entity child, ilk_entity before) {
    uint32_t to;
    ilk_result result = ilki_enter_for(world, child, &ilk_child_of_type, "ilk_child_move");
    if (result != ILK_OK) return result;
    ilki_type_recall(&ilk_child_of_type);
    ilki_relation* tree = ilki_directory_of(&world->storage.view, &ilk_child_of_type)->relation;
    result = find_to_move(world, tree, child, before, &to);
    if (result != ILK_OK) return result;
    uint32_t edge = parent_link(world, tree, child)->first;
    ilki_link_move(&world->storage, tree, edge, to);
    return ILK_OK;
}

ilk_entity ilk_parent(const ilk_world* world, ilk_entity e) {
    const ilk_link* link = parent_link(world, tree_in(world, "ilk_parent"), e);
    return link ? link->target : ILKI_NULL;
}

ilk_entity ilk_first_child(const ilk_world* world, ilk_entity parent) {
    return ilk_first_source(world, parent, &ilk_child_of_type);
}

static ilk_entity sibling(const ilk_world* world, ilk_entity child, bool is_after,
                          const char* call) {
    const ilki_relation* tree = tree_in(world, call);
    const ilk_link* link = parent_link(world, tree, child);
    return link ? entity_or_null(world, ilki_tree_sibling(tree, link->first, is_after)) : ILKI_NULL;
}

ilk_entity ilk_next_child(const ilk_world* world, ilk_entity child) {
    return sibling(world, child, true, "ilk_next_child");
}

ilk_entity ilk_previous_child(const ilk_world* world, ilk_entity child) {
    return sibling(world, child, false, "ilk_previous_child");
}

uint32_t ilk_child_count(const ilk_world* world, ilk_entity parent) {
    return ilk_source_count(world, parent, &ilk_child_of_type);
}

uint32_t ilk_children(const ilk_world* world, ilk_entity parent, ilk_entity* children,
                      uint32_t capacity) {
    return ilk_sources(world, parent, &ilk_child_of_type, children, capacity);
}

ilk_entity ilk_root_of(const ilk_world* world, ilk_entity e) {
    const ilki_relation* tree = tree_in(world, "ilk_root_of");
    if (!world || !is_in(world, e)) return ILKI_NULL;
    const ilk_link* link;
    while ((link = parent_link(world, tree, e)) != NULL) e = link->target;
    return e;
}

bool ilk_is_below(const ilk_world* world, ilk_entity e, ilk_entity ancestor) {
    const ilki_relation* tree = tree_in(world, "ilk_is_below");
    if (!tree || !is_in(world, e) || !is_in(world, ancestor)) return false;
    return e.index != ancestor.index &&
           ilki_tree_is_within(&world->storage, tree, e.index, ancestor.index);
}

uint32_t ilk_depth(const ilk_world* world, ilk_entity e) {
    const ilk_link* link = parent_link(world, tree_in(world, "ilk_depth"), e);
    return link ? link->depth : 0;
}

uint32_t ilk_above(const ilk_world* world, ilk_entity e, ilk_entity* entities, uint32_t capacity) {
    const ilki_relation* tree = tree_in(world, "ilk_above");
    uint32_t count = 0;
    const ilk_link* link;
    for (; (link = parent_link(world, tree, e)) != NULL; e = link->target) {
        if (entities && count < capacity) entities[count] = link->target;
        count++;
    }
    return count;
}

ilk_entity ilk_next_below(const ilk_world* world, ilk_entity e, ilk_entity root) {
    const ilki_relation* tree = tree_in(world, "ilk_next_below");
    if (!tree || !is_in(world, e) || !is_in(world, root)) return ILKI_NULL;
    return entity_or_null(world,
                          ilki_tree_next(&world->storage, tree, e.index, root.index, ILKI_NONE));
}

// Somebody who is told of each slot of a walk_below. False if that is enough.
typedef bool step_fn(void* context, const ilk_world* world, ilk_entity e);

// Goes through all from a root down that are at most so many levels below it.
static bool step_through(const ilk_world* world, const ilki_relation* tree, uint32_t root,
                         uint32_t levels, step_fn* step, void* context) {
    uint32_t slot = root;
    do {
        if (!step(context, world, ilki_entity_in(&world->storage, slot))) return false;
        slot = ilki_tree_next(&world->storage, tree, slot, root, levels);
    } while (slot != ILKI_NONE);
    return true;
}

// A walk through the levels one after the other.
typedef struct levels {
    const ilki_relation* tree;
    uint32_t depth; // of the level
    bool goes_on;   // it has somebody
    step_fn* step;
    void* context;
} levels;

static bool step_on_level(void* context, const ilk_world* world, ilk_entity e) {
    levels* l = context;
    if (ilki_tree_depth(&world->storage, l->tree, e.index) != l->depth) return true;
    l->goes_on = true;
    return l->step(l->context, world, e);
}

static void step_by_levels(const ilk_world* world, const ilki_relation* tree, uint32_t root,
                           step_fn* step, void* context) {
    uint32_t top = ilki_tree_depth(&world->storage, tree, root);
    levels l = {tree, top, true, step, context};
    for (; l.goes_on; l.depth++) {
        l.goes_on = false;
        if (!step_through(world, tree, root, l.depth - top, step_on_level, &l)) return;
    }
}

// Whoever has no relation at all is a tree alone.
static void walk_below(const ilk_world* world, const ilki_relation* tree, ilk_entity root,
                       ilk_walk how, step_fn* step, void* context) {
    if (!tree)
        step(context, world, root);
    else if (how == ILK_WALK_BREADTH)
        step_by_levels(world, tree, root.index, step, context);
    else
        step_through(world, tree, root.index, ILKI_NONE, step, context);
}

typedef struct collection {
    ilk_entity* entities;
    uint32_t count, capacity;
} collection;

static bool collect_one(void* context, const ilk_world* world, ilk_entity e) {
    collection* all = context;
    (void)world;
    if (all->count < all->capacity) all->entities[all->count] = e;
    all->count++;
    return true;
}

// Breadth first where all have room: the list is the queue. False if it is full too early.
static bool collect_queue(const ilk_world* world, const ilki_relation* tree, ilk_entity root,
                          collection* all) {
    collect_one(all, world, root);
    for (uint32_t i = 0; tree && i < all->count; i++) {
        if (all->count > all->capacity) return false;
        ilki_head head = ilki_head_of(&tree->heads, all->entities[i].index);
        for (uint32_t n = 0, edge = head.first; n < head.count; n++) {
            const ilki_edge* at = ilki_edge_at(&tree->edges, edge);
            collect_one(all, world, ilki_entity_in(&world->storage, at->source));
            edge = at->next_source;
        }
    }
    return all->count <= all->capacity;
}

uint32_t ilk_below(const ilk_world* world, ilk_entity root, ilk_walk how, ilk_entity* entities,
                   uint32_t capacity) {
    const ilki_relation* tree = tree_in(world, "ilk_below");
    if (!world || !is_in(world, root)) return 0;
    collection all = {entities, 0, entities ? capacity : 0};
    if (how == ILK_WALK_BREADTH && collect_queue(world, tree, root, &all)) return all.count;
    all.count = 0;
    if (!all.capacity) how = ILK_WALK_DEPTH; // there are as many in either order
    walk_below(world, tree, root, how, collect_one, &all);
    return all.count;
}

typedef struct visiting {
    ilk_visit_fn* fn;
    void* user;
} visiting;

static bool visit_one(void* context, const ilk_world* world, ilk_entity e) {
    const visiting* v = context;
    return v->fn(world, e, v->user);
}

void ilk_visit_below(const ilk_world* world, ilk_entity root, ilk_walk how, ilk_visit_fn* fn,
                     void* user) {
    const ilki_relation* tree = tree_in(world, "ilk_visit_below");
    if (!world || !fn || !is_in(world, root)) return;
    walk_below(world, tree, root, how, visit_one, &(visiting){fn, user});
}
