// Making entities from blueprints.
//
// A *plan* is what one spawning makes: a node for the blueprint, and for each child below it, with
// the values of each, its own and those of its bases. It lies in scratch memory. All entities of a
// node come together, so that columns are filled block by block.
#include "../containers/lookup.h"
#include "blueprint.h"
#include "party.h"

typedef struct plan_node {
    const ilk_blueprint* blueprint;
    uint32_t parent;       // the node that it is a child of, or ILKI_NONE
    uint32_t first, count; // of the plan's parts
    bool is_own;           // of the tree that is spawned, and not of a base
    ilki_ilk* ilk;         // NULL: no components
} plan_node;

typedef struct plan {
    ilk_world* world;
    const char* call;
    ilk_blueprint* put; // whose values themselves come into the world, and which goes; or NULL
    uint32_t times;     // each node is made
    plan_node* nodes;
    uint32_t node_count, node_capacity;
    const ilki_part** parts; // NULL for the relation of a child to its parent
    ilk_type** types;        // of the parts
    uint32_t part_count, part_capacity;
    const ilk_entity* entities; // of the first node, of the second…
    bool has_names;             // a type has fields that hold entities
    ilki_lookup ids;            // then: of blueprints, to nodes
} plan;

#define AMBIGUOUS (ILKI_NONE - 1) // several nodes are made of one blueprint

static bool add_node(plan* p, plan_node n) {
    if (!ilki_scratch_grow(p->world, &p->nodes, &p->node_capacity, p->node_count + 1,
                           sizeof *p->nodes)) {
        return false;
    }
    p->nodes[p->node_count++] = n;
    return true;
}

// Adds the children of a node: its own first, then those of its bases.
static bool add_children(plan* p, uint32_t at) {
    const ilk_blueprint* b = p->nodes[at].blueprint;
    bool is_own = p->nodes[at].is_own && b->users == 1; // or it lives on, and they with it
    for (; b; b = b->base, is_own = false) {
        for (const ilk_blueprint* child = b->first_child; child; child = child->next) {
            plan_node n = {.blueprint = child, .parent = at, .is_own = is_own};
            if (!add_node(p, n)) return false;
        }
    }
    return true;
}

static bool add_part(plan* p, const ilki_part* part, ilk_type* type) {
    uint32_t capacity = p->part_capacity, needed = p->part_count + 1;
    if (!ilki_scratch_grow(p->world, &p->parts, &capacity, needed, sizeof *p->parts)) return false;
    if (!ilki_scratch_grow(p->world, &p->types, &p->part_capacity, needed, sizeof *p->types)) {
        return false;
    }
    p->parts[p->part_count] = part;
    p->types[p->part_count++] = type;
    p->has_names = p->has_names || ilki_type_has_names(type);
    return true;
}

static bool is_moved(const plan* p, const plan_node* n, const ilki_part* part) {
    const ilk_blueprint* b = n->blueprint;
    uintptr_t at = (uintptr_t)part - (uintptr_t)b->parts;
    bool is_its = b->part_count && at < b->part_count * sizeof *part;
    return p->put && n->is_own && is_its && b->users == 1;
}

static ilk_result add_parts(plan* p, plan_node* n) {
    ilki_part_walk walk = {NULL, 0};
    const ilki_part* part;
    n->first = p->part_count;
    while ((part = ilki_part_next(n->blueprint, &walk)) != NULL) {
        const ilk_type* type = part->type;
        if (type->hooks.drop && !type->hooks.copy && !is_moved(p, n, part)) {
            return ilki_fail_because(p->world, ILK_INVALID, p->call, type,
                                     "%s has a drop hook, but none to copy it", type->name);
        }
        if (!add_part(p, part, part->type)) {
            return ilki_fail(p->world, ILK_NO_MEMORY, p->call, ILKI_NULL, NULL);
        }
    }
    if (n->parent != ILKI_NONE && !add_part(p, NULL, &ilk_child_of_type)) {
        return ilki_fail(p->world, ILK_NO_MEMORY, p->call, ILKI_NULL, NULL);
    }
    n->count = p->part_count - n->first;
    ilk_type** types = n->count ? p->types + n->first : NULL;
    const ilki_recipe* recipe = ilki_recipe_make(p->world, types, sizeof *types, n->count, p->call);
    if (recipe) n->ilk = recipe->ilk;
    return recipe ? ILK_OK : ilki_last_result(p->world);
}

static ilk_result make_plan(plan* p, const ilk_blueprint* blueprint) {
    ilk_result result = ILK_OK;
    plan_node first = {.blueprint = blueprint, .parent = ILKI_NONE, .is_own = true};
    bool is_there = add_node(p, first);
    for (uint32_t i = 0; i < p->node_count && is_there && result == ILK_OK; i++) {
        is_there = add_children(p, i);
        if (is_there) result = add_parts(p, &p->nodes[i]);
    }
    return is_there ? result : ilki_fail(p->world, ILK_NO_MEMORY, p->call, ILKI_NULL, NULL);
}

// Who is named

static void note_node(plan* p, uint32_t at) {
    for (const ilk_blueprint* b = p->nodes[at].blueprint; b; b = b->base) {
        ilki_lookup_slot* slot = ilki_lookup_slot_of(&p->ids, b->id);
        *slot = (ilki_lookup_slot){b->id, slot->value == ILKI_NONE ? at : AMBIGUOUS};
    }
}

static bool note_nodes(plan* p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->node_count; i++) {
        for (const ilk_blueprint* b = p->nodes[i].blueprint; b; b = b->base) count++;
    }
    size_t slots = ilki_lookup_slots(count, UINT32_MAX);
    ilki_lookup_slot* memory = ilki_scratch_take(p->world, slots, sizeof *memory);
    if (!memory) return false;
    ilki_lookup_init(&p->ids, memory, slots, UINT32_MAX);
    for (uint32_t i = 0; i < p->node_count; i++) note_node(p, i);
    return true;
}

static bool is_made_by(const plan_node* n, uint32_t id) {
    const ilk_blueprint* b = n->blueprint;
    while (b && b->id != id) b = b->base;
    return b != NULL;
}

// Of several nodes that are made of a blueprint, the one that is nearest to another: one that this
// is below, or a child of one; or the first.
static uint32_t nearest_node(const plan* p, uint32_t from, uint32_t id) {
    uint32_t first = ILKI_NONE;
    for (uint32_t at = from; at != ILKI_NONE; at = p->nodes[at].parent) {
        if (is_made_by(&p->nodes[at], id)) return at;
        for (uint32_t i = at + 1; i < p->node_count; i++) {
            if (!is_made_by(&p->nodes[i], id)) continue;
            if (p->nodes[i].parent == at) return i;
            if (first == ILKI_NONE) first = i;
        }
    }
    return first;
}

static uint32_t node_of(const plan* p, uint32_t from, uint32_t id) {
    uint32_t at = ilki_lookup_find(&p->ids, id);
    return at == AMBIGUOUS ? nearest_node(p, from, id) : at;
}

// Filling

// Some rows of one node's entities that are side by side, from the k-th entity on.
typedef struct stretch {
    const ilki_run* run;
    uint32_t node, from;
} stretch;

// Puts the entities that a value of the blueprint names into a field of those that are made of it.
static void put_named(const plan* p, const stretch* s, const ilki_directory* directory,
                      const ilki_part* part, size_t offset) {
    ilk_entity named;
    memcpy(&named, part->bytes + offset, sizeof named);
    bool is_foreign = part->origin && part->origin != p->world->id;
    if (!ilki_stands_for(named) && !is_foreign) return;
    uint32_t node = ilki_stands_for(named) ? node_of(p, s->node, named.index) : ILKI_NONE;
    const ilki_block* block = ilki_block_at(directory, s->run->chunk->number);
    for (uint32_t i = 0; i < s->run->count; i++) {
        unsigned char* value = ilki_value_at(directory, block, s->run->row + i);
        ilk_entity e = ILKI_NULL;
        if (node != ILKI_NONE) e = p->entities[(size_t)node * p->times + s->from + i];
        memcpy(value + offset, &e, sizeof e);
    }
}

static void put_all_names(const plan* p, const stretch* s, const ilki_directory* directory,
                          const ilki_part* part) {
    for (const ilk_field* f = part->type->fields; f && f->name; f++) {
        uint32_t length = f->kind == ILK_KIND_ENTITY ? ilk_field_length(f) : 0;
        for (uint32_t i = 0; i < length; i++) {
            put_named(p, s, directory, part, f->offset + i * sizeof(ilk_entity));
        }
    }
}

// Values that lie side by side are repeated, others are copied one by one.
static void fill_values(const plan* p, const stretch* s, const ilki_directory* directory,
                        const ilki_part* part, void* values) {
    const ilki_run* run = s->run;
    const ilki_block* block = ilki_block_at(directory, run->chunk->number);
    if (is_moved(p, &p->nodes[s->node], part)) {
        memcpy(ilki_value_at(directory, block, run->row), part->bytes, directory->size);
        return;
    }
    if (values) ilki_values_repeat(directory->type, values, part->bytes, run->count);
    for (uint32_t i = 0; !values && i < run->count; i++) {
        void* value = ilki_value_at(directory, block, run->row + i);
        ilki_value_copy(directory->type, value, part->bytes);
    }
}

static void fill_column(const plan* p, const stretch* s, const ilki_part* part) {
    ilki_storage* storage = &p->world->storage;
    const ilki_run* run = s->run;
    const ilki_directory* directory = storage->view.by_id[part->type->id];
    fill_values(p, s, directory, part, ilki_run_give(storage, run, directory));
    if (part->type->fields) put_all_names(p, s, directory, part);
    for (uint32_t i = 0; part->is_off && i < run->count; i++) {
        uint32_t place = ilki_place(run->chunk->number, run->row + i);
        ilki_block* block = ilki_block_at(directory, run->chunk->number);
        ilki_value_switch(storage, directory, block, place, false);
    }
}

static void fill_run_of(const plan* p, const stretch* s) {
    const plan_node* n = &p->nodes[s->node];
    ilki_storage* storage = &p->world->storage;
    if (!s->run->chunk) return;
    for (uint32_t i = 0; i < n->count; i++) {
        const ilki_part* part = p->parts[n->first + i];
        if (part)
            fill_column(p, s, part);
        else
            ilki_run_give_links(storage, s->run, storage->view.by_id[ilk_child_of_type.id]);
    }
    ilki_run_is_full(storage, s->run);
}

static void fill_all(const plan* p) {
    stretch s = {.run = p->world->runs};
    for (const ilki_run* end = s.run + p->world->run_count; s.run < end; s.run++) {
        fill_run_of(p, &s);
        s.from += s.run->count;
        if (s.from == p->times) {
            s.from = 0;
            s.node++;
        }
    }
}

// Spawning

// Notes that all entities of a node are children of those of its parent.
static ilk_result bind_node(const plan* p, ilki_party* comers, uint32_t at) {
    ilk_result result = ILK_OK;
    uint32_t parent = p->nodes[at].parent;
    if (parent == ILKI_NONE) return ILK_OK;
    ilki_relation* relation = p->world->storage.view.by_id[ilk_child_of_type.id]->relation;
    for (uint32_t i = 0; i < p->times && result == ILK_OK; i++) {
        ilki_bond bond = {relation, at * p->times + i, parent * p->times + i, false, NULL};
        result = ilki_party_bind(comers, bond);
    }
    return result;
}

static ilk_result expect_all(const plan* p, ilki_party* comers) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < p->node_count && result == ILK_OK; i++) {
        result = ilki_party_expect(comers, p->nodes[i].ilk, p->times);
        if (result == ILK_OK) result = bind_node(p, comers, i);
    }
    return result == ILK_OK ? ilki_party_ready_to_relate(comers) : result;
}

// Those whose values are in the world now have them no more, and go when that was told: observers
// may do with them what they like. One that others extend lives on, with all below it.
static void forget_moved(ilk_blueprint* root) {
    root->is_going = true;
    for (ilk_blueprint* b = root; b;) {
        bool is_moved = b->users == 1;
        if (is_moved) ilki_blueprint_forget(b);
        b = is_moved ? ilki_blueprint_after(root, b) : ilki_blueprint_past(root, b);
    }
}

// Makes all entities of a plan; those of its first node go to `roots`, if it is not NULL.
static ilk_result carry_out(plan* p, ilk_entity* roots, const ilk_entity* first) {
    ilki_party comers;
    uint64_t total = (uint64_t)p->node_count * p->times;
    if (total > UINT32_MAX) return ilki_fail(p->world, ILK_FULL, p->call, ILKI_NULL, NULL);
    ilk_entity* list = p->node_count == 1 ? roots : NULL;
    ilk_result result = ilki_party_begin(&comers, p->world, (uint32_t)total, list, first, p->call);
    if (result != ILK_OK) return result;
    result = expect_all(p, &comers);
    if (result != ILK_OK) {
        ilki_party_cancel(&comers);
        return result;
    }
    ilki_party_arrive(&comers);
    p->entities = comers.entities;
    fill_all(p);
    ilki_party_relate(&comers, NULL, NULL);
    if (roots && roots != comers.entities) {
        memcpy(roots, comers.entities, p->times * sizeof *roots);
    }
    if (p->put) forget_moved(p->put);
    ilki_party_announce(&comers);
    ilki_party_tell(&comers); // an observer may destroy the blueprint: it is not read any more
    ilki_party_end(&comers);
    return ILK_OK;
}

static ilk_result spawn_times(ilk_world* world, const ilk_blueprint* blueprint, uint32_t times,
                              ilk_blueprint* put, ilk_entity* roots, const ilk_entity* first,
                              const char* call) {
    plan p = {.world = world, .call = call, .put = put, .times = times};
    ilki_scratch_begin(world);
    ilk_result result = make_plan(&p, blueprint);
    if (result == ILK_OK && p.has_names && !note_nodes(&p)) {
        result = ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    if (result == ILK_OK) result = carry_out(&p, roots, first);
    ilki_scratch_end(world);
    return result;
}

// INVALID without a blueprint.
static ilk_result enter_with(ilk_world* world, const ilk_blueprint* blueprint, const char* call) {
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK || blueprint) return result;
    return ilki_fail_because(world, ILK_INVALID, call, NULL, "the blueprint is NULL");
}

// The entity that was made, or null if an observer destroyed it.
static ilk_entity if_alive(ilk_world* world, ilk_entity e, const char* call) {
    if (ilki_alive(world, e)) return e;
    ilki_fail_for(world, ILK_DEAD, call, e, NULL,
                  "an observer destroyed it as soon as it was there");
    return ILKI_NULL;
}

ilk_entity ilk_blueprint_spawn(ilk_world* world, const ilk_blueprint* blueprint) {
    const char* call = "ilk_blueprint_spawn";
    ilk_entity e = ILKI_NULL;
    if (enter_with(world, blueprint, call) != ILK_OK) return e;
    ilk_result result = spawn_times(world, blueprint, 1, NULL, &e, NULL, call);
    return result == ILK_OK ? if_alive(world, e, call) : ILKI_NULL;
}

ilk_result ilk_blueprint_spawn_many(ilk_world* world, const ilk_blueprint* blueprint,
                                    uint32_t count, ilk_entity* entities) {
    const char* call = "ilk_blueprint_spawn_many";
    ilk_result result = enter_with(world, blueprint, call);
    if (result != ILK_OK || count == 0) return result;
    return spawn_times(world, blueprint, count, NULL, entities, NULL, call);
}

ilk_result ilki_blueprint_fulfil(ilk_world* world, ilk_entity e, const ilk_blueprint* blueprint,
                                 const char* call) {
    ilk_entity same;
    return spawn_times(world, blueprint, 1, NULL, &same, &e, call);
}

ilk_entity ilk_blueprint_put(ilk_world* world, ilk_blueprint* blueprint) {
    const char* call = "ilk_blueprint_put";
    ilk_entity e = ILKI_NULL;
    if (enter_with(world, blueprint, call) != ILK_OK) return e;
    const char* owned = ilki_blueprint_owned(blueprint);
    if (owned) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "the blueprint is %s", owned);
        return ILKI_NULL;
    }
    ilk_result result = spawn_times(world, blueprint, 1, blueprint, &e, NULL, call);
    if (result != ILK_OK) return ILKI_NULL;
    blueprint->is_going = false;
    ilk_blueprint_destroy(blueprint);
    return if_alive(world, e, call);
}
