// Relations of the naive model: a list of edges, each a type, a source and a target.
#ifndef MODEL_REL_H
#define MODEL_REL_H

#include "model_obs.h"

// Whether a type is a relation.
static inline bool model_relates(const model_world* m, uint32_t type) {
    return type != MODEL_NO_TYPE && m->types[type].relation;
}

// The target that the bytes of a relation's value name.
ilk_entity model_aim(const void* bytes);

// The n-th of the edges of a source, or to a target, in order; or NULL.
model_edge* model_edge_from(const model_world* m, ilk_entity source, uint32_t type, uint32_t n);
model_edge* model_edge_to(const model_world* m, ilk_entity target, uint32_t type, uint32_t n);
model_edge* model_edge_between(const model_world* m, ilk_entity source, uint32_t type,
                               ilk_entity target);
uint32_t model_count_from(const model_world* m, ilk_entity source, uint32_t type);
uint32_t model_count_to(const model_world* m, ilk_entity target, uint32_t type);

// What is wrong with a relation to an entity, as a value: INVALID without bytes, DEAD.
model_faults model_aim_faults(const model_world* m, model_value value);
bool model_is_relatable(const model_world* m, ilk_entity target);
static inline bool model_aims_well(const model_world* m, const void* bytes) {
    return model_is_relatable(m, model_aim(bytes));
}
bool model_is_doomed(const model_world* m, ilk_entity e);

// An edge more, with a value of its own if the relation carries one, or the default; the links of
// all are right afterwards.
void model_edge_add(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                    const void* bytes);
// All edges of a source go, because its component does.
void model_cut(model_world* m, ilk_entity source, uint32_t type);
// The component of a copy is related as that of another one is, and to itself where that one is.
void model_copy_edges(model_world* m, ilk_entity from, ilk_entity to, uint32_t type);
model_faults model_copy_faults(const model_world* m, ilk_entity e, uint32_t type);
void model_relations_free(model_world* m);

// How it is done by ilk_add, ilk_set, ilk_replace, ilk_relate and ilk_relation_set.
typedef enum model_policy {
    MODEL_ADD,
    MODEL_SET,
    MODEL_REPLACE,
    MODEL_RELATE,
    MODEL_PUT
} model_policy;
model_faults model_relate(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                          const void* bytes, model_policy how);
model_faults model_unrelate(model_world* m, ilk_entity source, uint32_t type, ilk_entity target);
model_faults model_set_parent(model_world* m, ilk_entity e, ilk_entity parent);
model_faults model_child_move(model_world* m, ilk_entity child, ilk_entity before);

// Destroys those of a list as one: none of them if somebody who stays needs one who goes.
model_faults model_destroy_list(model_world* m, const ilk_entity* list, uint32_t count);

// Dooms those of a list, and who goes with them, as if they were destroyed; NEEDED, and nobody is.
model_faults model_doom_list(model_world* m, const ilk_entity* list, uint32_t count);
// Those of the list go, but not by being destroyed: those who stay lose their relations to them, or
// are destroyed. `first` were doomed before.
void model_end_outside(model_world* m, const ilk_entity* list, uint32_t count, uint32_t first);

// Whether destroying an entity would be refused.
bool model_is_needed(const model_world* m, ilk_entity e);

// Those at or below an entity in the tree of a type, in order; there is room for all that are
// alive.
uint32_t model_below(const model_world* m, ilk_entity root, uint32_t type, ilk_walk how,
                     ilk_entity* list);

// Of model.c: without anybody being told.
model_component* model_give_quietly(model_world* m, uint32_t index, model_value value);
// The same with everybody being told; and one entity to which nobody relates is destroyed.
void model_take_told(model_world* m, ilk_entity e, uint32_t type);
void model_destroy_alone(model_world* m, ilk_entity e);

#endif
