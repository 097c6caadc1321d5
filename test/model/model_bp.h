// Blueprints of the naive model: lists of values, found by looking through them.
#ifndef MODEL_BP_H
#define MODEL_BP_H

#include "model.h"

typedef struct model_bp_part {
    uint32_t type;
    unsigned char* bytes;
    uint64_t origin; // the world whose entities it names; 0: any
    bool off;
} model_bp_part;

typedef struct model_bp {
    ilk_entity stand_in; // as the library has it
    ilk_entity taken;    // that it was made of, or null
    uint32_t users;
    model_bp_part* parts;
    uint32_t count;
    struct model_bp* base;
    struct model_bp *parent, *child, *sibling; // the first child, the next of the same parent
    model_world* world;                        // where it is registered, or NULL
    char name[8];
    struct model_bp* next_named;
} model_bp;

// All values of all blueprints that own something.
extern uint64_t model_bp_owned;

model_bp* model_bp_create(ilk_entity stand_in);
// Its owner does not need it any more.
void model_bp_destroy(const model_type* types, model_bp* b);

// The value that a blueprint has itself, or from a base; or NULL.
model_bp_part* model_bp_own(const model_bp* b, uint32_t type);
model_bp_part* model_bp_find(const model_bp* b, uint32_t type);
// The types in order, of which there is room for all.
uint32_t model_bp_types(const model_bp* b, uint32_t* types);

model_faults model_bp_add(const model_type* types, model_bp* b, model_value value);
model_faults model_bp_set(const model_type* types, model_bp* b, model_value value);
model_faults model_bp_replace(const model_type* types, model_bp* b, model_value value);
model_faults model_bp_remove(const model_type* types, model_bp* b, uint32_t type);
// The value for writing; NULL if there is none, or it cannot be.
model_bp_part* model_bp_edit(const model_type* types, model_bp* b, uint32_t type);

bool model_bp_is_made_of(const model_bp* b, const model_bp* other);
model_faults model_bp_extend(const model_type* types, model_bp* b, model_bp* base);
model_faults model_bp_add_child(model_bp* b, model_bp* child);
model_faults model_bp_register(model_world* m, const char* name, model_bp* b);
model_bp* model_bp_named(const model_world* m, const char* name);
model_bp* model_bp_of_id(const model_world* m, uint32_t id);
void model_bps_free(model_world* m);

// A copy with all children, which name those that they are copies of; NULL if that cannot be. The
// stand-ins are the caller's to say, and then to be put in.
model_bp* model_bp_clone(const model_type* types, const model_bp* b);
void model_bp_rename_clone(const model_type* types, const model_bp* from, model_bp* to);
// Of both trees, the one after another; NULL at the end.
model_bp* model_bp_after(const model_bp* root, model_bp* b);

// What is made of a blueprint.
uint32_t model_bp_size(const model_bp* b);
model_faults model_bp_spawn(model_world* m, model_bp* b, uint32_t times, bool moves,
                            const ilk_entity* promised, ilk_entity* roots);
// A copy of an entity that is to be saved.
model_faults model_bp_save(const model_world* m, ilk_entity e, model_bp** made);
// A blueprint of an entity. Stand-ins are put in by the caller.
model_faults model_bp_take(model_world* m, ilk_entity e, bool moves, model_bp** made);
void model_bp_rename_taken(const model_type* types, model_bp* b);

#endif
