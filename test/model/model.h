// A naive entity component system: what ilk means, written in the plainest way there is.
//
// A world is an array of entities; an entity has an array of components; every question is a
// linear scan; every value has a malloc of its own. It borrows the vocabulary of the public headers
// (ilk_entity, ilk_result) and nothing else, so that the two can only agree by being right.
//
// Each verb returns the set of results that would be a true answer: MODEL_FINE if the call must
// succeed, otherwise one bit for each thing that is wrong with it. Where a call is wrong in two
// ways, the headers do not say which is told, and either will do. A verb changes the model only if
// it must succeed; the bulk verbs, as documented, do what can be done.
#ifndef MODEL_H
#define MODEL_H

#include "ilk/ilk.h"
#include "ilk/query.h"

#include <stdlib.h>

#define MODEL_LAST_USE 0x7fffffu // a slot that was used so often is not used again
#define MODEL_NOT_QUITE 16u      // no world holds 2^32 - 16 entities
#define MODEL_NO_TYPE UINT32_MAX // stands for a NULL type

typedef uint32_t model_faults;
#define MODEL_FINE 0u
#define MODEL_FAULT(name) (1u << ILK_##name)

// A type as the model sees it. Types are named by their place in the table that a world is given.
typedef struct model_type {
    const char* name;
    size_t size;
    const void* fresh; // what a default value looks like, after init; NULL: all zero
    bool owner;        // the first four bytes of a value are not zero if it owns something
    bool single;       // its values cannot be copied
    ilk_saving saving;
    bool is_altered;  // for a save: the last byte becomes 0x5a
    bool track;       // its changes are known by entity
    bool outlives;    // its values stay when their entity is destroyed
    bool unrecorded;  // its values are left out of history
    bool is_inactive; // it is the tag of inactive entities
    bool is_dying;    // it is the tag of dying ones, which nobody can give or take
    bool is_name;     // its values are names,
    bool is_id;       // or ids
    bool relation;    // it is one: its bytes are an ilk_link, of which `first` does not count
    bool is_exclusive, is_tree, is_child_of;
    ilk_end at_end;
    uint32_t value;           // type of what a relation carries, or MODEL_NO_TYPE
    ilk_result fault;         // what a world says of it: INVALID, CLASH, or OK for a sound type
    const ilk_field* fields;  // that it describes, or NULL
    uint32_t names, names_at; // so many entities, side by side, are named in its values, and where
} model_type;

typedef struct model_value {
    uint32_t type;
    const void* bytes; // NULL: the default
} model_value;

typedef struct model_component {
    uint32_t type;
    bool off;
    unsigned char* bytes;
    uint64_t changed, added; // when
    uint64_t doubted;        // when it may have been changed, too
    const void* place;       // for the user of the model: where the library keeps this value,
    uint32_t epoch;          // and since which settling
} model_component;

typedef struct model_entity {
    uint32_t uses; // how often the slot was used, this time included
    bool alive, retired;
    bool promised;    // its handle was given out by a command buffer, and is not alive yet
    uint64_t born;    // when it was created
    uint64_t placed;  // when it was given its first component; 0: it never was
    bool loose;       // it had none while the world settled: it may have lost its place
    uint64_t moored;  // when it was given one, after that
    uint64_t shifted; // when it last came, went, was given or lost a component, or one was switched
    uint32_t count, capacity;
    uint64_t has[2]; // a bit for each type that it has: most questions are about others
    model_component* components;
} model_entity;

// One relation.
typedef struct model_edge {
    uint32_t type;
    ilk_entity source, target;
    uint64_t by_source, by_target; // when: their order for the one, and for the other
    unsigned char* bytes;          // what it carries, or NULL
} model_edge;

// Somebody who passes the events of a type, one after the other: a reader, or the bus.
typedef struct model_listener {
    bool exists;
    uint32_t type;
    bool is_for_one; // only what is addressed to it is read
    ilk_entity only;
    uint64_t passed; // the number of the last event that it passed
    uint64_t held;   // and of the one that it looks at; 0: none
    uint64_t lost;
    uint64_t made; // the how many-th
} model_listener;

typedef struct model_event {
    uint32_t type;
    ilk_entity entity; // or null
    uint64_t number;
    unsigned char* bytes;
} model_event;

typedef struct model_subscriber {
    bool exists;
    bool is_gone;  // ended while events are dispatched
    bool stops;    // what it fails at
    uint32_t type; // MODEL_NO_TYPE: every event
    int order;
    uint64_t made;  // the how many-th
    uint64_t since; // how many events had been sent when it was made
} model_subscriber;

// What is known of the events of one type.
typedef struct model_channel {
    uint64_t used; // the how many-th type it was; 0: none of it was ever used
    uint64_t emitted, dropped;
    uint32_t limit; // 0: none
    model_listener bus;
    uint64_t loose; // values that own something and were passed: they may be dropped, or not yet
} model_channel;

#define MODEL_READERS 6u
#define MODEL_SUBSCRIBERS 8u

typedef struct model_events {
    model_event* list; // all that somebody has not passed, or looks at, in order
    uint32_t count, capacity;
    uint64_t sent, used, made;
    model_channel* channels; // by type
    model_listener readers[MODEL_READERS];
    model_subscriber subscribers[MODEL_SUBSCRIBERS];
    bool is_dispatching;
    uint32_t flags;
    uint64_t bound;               // of the present round
    model_event now;              // that one; its bytes are its own
    bool is_delivering;           // somebody may be left to be called for it
    const model_subscriber* last; // who was called for it last, or NULL
} model_events;

typedef struct model_resource {
    uint32_t type;
    unsigned char* bytes;
    bool is_recent;    // it changed since the user of the model last looked,
    uint64_t changed;  // in which tick the library had it then,
    const void* place; // and where
} model_resource;

// What is about to go.
typedef enum model_veil {
    MODEL_VEIL_NONE,
    MODEL_VEIL_TYPE,  // one component
    MODEL_VEIL_ALL,   // all that an entity was given
    MODEL_VEIL_DEATH, // what does not outlive it, and it is dying
    MODEL_VEIL_ENTITY // all, and itself
} model_veil;

struct model_observing;

// A value of a type that was taken out of the world.
typedef struct model_aside {
    ilk_entity entity;
    model_component component;
} model_aside;

typedef struct model_world {
    const model_type* types;
    model_events events;
    model_resource* resources;
    uint32_t resource_count;
    uint32_t type_total;
    uint32_t inactive, dying; // the tags
    uint32_t child_of;        // the type of the hierarchy
    model_edge* edges;        // in no order
    uint32_t edge_count, edge_capacity;
    uint64_t edge_clock;
    uint64_t edge_changes[128]; // by type: how often one came, went or was led elsewhere
    ilk_entity* doomed;         // who goes, the last one first
    uint32_t doomed_count, doomed_capacity;
    uint32_t name_type, id_type;
    ilk_names names;   // who may have the same one
    bool* allowed;     // by type; NULL: every type
    uint32_t* numbers; // by type; UINT32_MAX: not known yet
    uint32_t* known;   // the types in order of first use
    uint32_t known_count;
    bool* is_out; // by type
    uint32_t*
        outs; // by type: how often it was taken out, or values that were put aside were dropped
    model_aside* kept;
    uint32_t kept_count, kept_capacity;
    uint32_t max_entities;
    bool no_recycling;
    uint8_t tag;
    model_entity* slots;
    uint32_t slot_count, slot_capacity;
    uint32_t* freed; // the last one is used first
    uint32_t freed_count;
    uint32_t alive, retired, promised;
    uint64_t ever;
    uint64_t serial; // the how many-th world it is
    uint64_t owned;  // values that own something
    uint64_t now;    // a clock: each change has a later time than the one before it
    bool is_loose;   // which slot comes next is taken over from the library: nothing is on the list
    const ilk_entity* hints; // of a loose world: the handles that the library gave
    uint32_t hint_count;
    struct model_observing* observing; // NULL: nobody is told (model_obs.h)
    struct model_bp* blueprints;       // that are registered (model_bp.h)
    bool is_undone;                    // an observer destroyed what the last verb made
    model_veil veil;                   // what counts as gone already
    uint32_t veiled;                   // of one type: which
} model_world;

// Memory that the model cannot do without.
static inline void* must(void* memory) {
    if (!memory) abort();
    return memory;
}

// What is asked all the time

// The handle that a slot has, is promised to have, or had when it was last alive.
static inline ilk_entity model_handle(const model_world* m, uint32_t index) {
    return (ilk_entity){index, m->slots[index].uses | (uint32_t)m->tag << 23};
}

static inline bool model_alive(const model_world* m, ilk_entity e) {
    return e.index < m->slot_count && m->slots[e.index].alive &&
           model_handle(m, e.index).generation == e.generation;
}

static inline model_component* model_component_of(const model_entity* slot, uint32_t type) {
    if (!(slot->has[type / 64 % 2] >> type % 64 & 1)) return NULL;
    for (uint32_t i = 0; i < slot->count; i++)
        if (slot->components[i].type == type) return &slot->components[i];
    return NULL;
}

static inline void model_forget_type(model_entity* slot, uint32_t type) {
    slot->has[type / 64 % 2] &= ~((uint64_t)1 << type % 64);
}

// A component, or NULL.
static inline model_component* model_find(const model_world* m, ilk_entity e, uint32_t type) {
    return model_alive(m, e) ? model_component_of(&m->slots[e.index], type) : NULL;
}

// Worlds

model_world* model_world_create(const model_type* types, uint32_t type_total, uint32_t max_entities,
                                bool no_recycling, uint8_t tag);
void model_world_destroy(model_world* m);
// Restrict a world that has just been made: call it once for each type that is allowed.
void model_world_allow(model_world* m, uint32_t type);

// Why a world does not take a type.
model_faults model_type_faults(const model_world* m, uint32_t type);
// Why it cannot be given, too.
model_faults model_withheld(const model_world* m, uint32_t type);
model_faults model_register(model_world* m, uint32_t type);
// Take a type out, from those who have it in this order; what is wrong with that. Values of those
// who are not there any more are dropped when somebody tries to bring it back.
model_faults model_unregister(model_world* m, const ilk_entity* list, uint32_t count,
                              uint32_t type);
void model_forget_kept(model_world* m, uint32_t type);
// Move a component aside, as its type is out; drop all that were.
void model_keep(model_world* m, ilk_entity e, uint32_t type);
void model_drop_kept(model_world* m);
void model_take_value(model_world* m, const model_component* c);
// Handles that pieces of systems create at the same time depend on how those were cut, which the
// model does not know. So the next ones of a loose world are taken over: each must be of a slot
// that is free or was never used, with the next count of its uses, or the model makes another one.
void model_take_over(model_world* m, const ilk_entity* made, uint32_t count);

// Give a type a number if it has none.
void model_introduce(model_world* m, uint32_t type);

// In a value, name another entity wherever one is named.
void model_rename(const model_type* type, unsigned char* value, ilk_entity from, ilk_entity to);

// What verbs are made of, of which nobody is told: an entity comes, gets a component, goes. What is
// wrong with an entity that is to be there and not dying.
ilk_entity model_make(model_world* m);
model_component* model_place(model_world* m, ilk_entity e, model_value value);
void model_take(model_world* m, uint32_t index, model_component* c);
void model_end(model_world* m, ilk_entity e);
// Whoever is dying goes when nothing outlives it any more.
void model_go_if_dying(model_world* m, ilk_entity e);
// Somebody is told of an entity that a verb made; and may destroy it.
model_faults model_present(model_world* m, ilk_entity e, ilk_entity* made);
model_faults model_gone(const model_world* m, ilk_entity e);
// Bring a promised entity to life, without components.
void model_enliven(model_world* m, ilk_entity e);

model_faults model_create(model_world* m, ilk_entity* made);
model_faults model_spawn(model_world* m, const model_value* values, uint32_t count,
                         ilk_entity* made);
model_faults model_copy(model_world* m, ilk_entity e, ilk_entity* made);
model_faults model_destroy(model_world* m, ilk_entity e);
model_faults model_deactivate(model_world* m, ilk_entity e);
model_faults model_activate(model_world* m, ilk_entity e);
model_faults model_create_inactive(model_world* m, ilk_entity* made);
bool model_is_inactive(const model_world* m, ilk_entity e);
bool model_is_dying(const model_world* m, ilk_entity e);
// Whether it has a value that outlives it, but for the tag of the dying.
bool model_is_kept(const model_world* m, ilk_entity e);
ilk_entity model_entity_at(const model_world* m, uint32_t index);

// Whether a handle was given out and may come alive.
bool model_is_promised(const model_world* m, ilk_entity e);
// FULL if so many more cannot be.
model_faults model_no_room(const model_world* m, uint32_t count);
// Give out the handle that the next entity would have; it takes its room.
model_faults model_promise(model_world* m, ilk_entity* made);
// Bring it to life. DEAD if it is not promised any more; on failure it still is, if it was.
model_faults model_fulfil(model_world* m, ilk_entity e, const model_value* values, uint32_t count);
// It never comes alive.
void model_break_promise(model_world* m, ilk_entity e);

model_faults model_add(model_world* m, ilk_entity e, model_value value);
model_faults model_set(model_world* m, ilk_entity e, model_value value);
model_faults model_replace(model_world* m, ilk_entity e, model_value value);
model_faults model_ensure(model_world* m, ilk_entity e, uint32_t type);
// Whether get finds the component.
model_faults model_reach(const model_world* m, ilk_entity e, uint32_t type);
// The same for write, which changes it.
model_faults model_edit(model_world* m, ilk_entity e, uint32_t type);
model_faults model_mark(model_world* m, ilk_entity e, uint32_t type);
model_faults model_remove(model_world* m, ilk_entity e, uint32_t type);
model_faults model_remove_all(model_world* m, ilk_entity e);
model_faults model_toggle(model_world* m, ilk_entity e, uint32_t type, bool on);
// The types of an entity in order of their numbers. There is room for every known type.
uint32_t model_types_of(const model_world* m, ilk_entity e, uint32_t* types);
// The length of the signature; the text has room for every known type and a zero.
uint32_t model_signature(const model_world* m, ilk_entity e, char* text);

model_faults model_create_many(model_world* m, ilk_entity* made, uint32_t count);
model_faults model_destroy_many(model_world* m, const ilk_entity* list, uint32_t count);
// `values` lie side by side; taken[i] tells which of them are the world's now.
model_faults model_add_many(model_world* m, const ilk_entity* list, uint32_t count, uint32_t type,
                            const unsigned char* values, bool* taken);
model_faults model_remove_many(model_world* m, const ilk_entity* list, uint32_t count,
                               uint32_t type);
model_faults model_spawn_many(model_world* m, ilk_entity* made, uint32_t count,
                              const uint32_t* types, uint32_t type_count);
// Reserving changes nothing that can be seen, but that the types become known.
model_faults model_reserve(model_world* m, uint32_t count, const uint32_t* types,
                           uint32_t type_count);
// Settling changes nothing either, but that those without components may lose their places.
void model_settle(model_world* m);
void model_clear(model_world* m);
// Use the slot that is next in turn so often that it has been used `uses` times, and free it.
// Returns how many entities were made and destroyed; 0 if that cannot be.
uint32_t model_wear(model_world* m, uint32_t uses);

// Names, by the numbers of their texts (naming.h), and ids

// Whether values of a type can only be given by the verbs below.
bool model_is_indexed(const model_world* m, uint32_t type);
// Give a value, or another one, with all who are told of it.
void model_put(model_world* m, ilk_entity e, model_value value);
model_faults model_set_name(model_world* m, ilk_entity e, uint32_t name);
model_faults model_set_id(model_world* m, ilk_entity e, ilk_id id);
uint32_t model_name_of(const model_world* m, ilk_entity e); // 0: none
ilk_id model_id_of(const model_world* m, ilk_entity e);
ilk_entity model_by_id(const model_world* m, ilk_id id);
ilk_entity model_named(const model_world* m, uint32_t name);
ilk_entity model_child_named(const model_world* m, ilk_entity parent, uint32_t name);
// All in order; the list, if it is not NULL, has room for them.
uint32_t model_all_named(const model_world* m, ilk_entity parent, uint32_t name, ilk_entity* list);
// Whether an entity cannot have a name below a parent, because another has it.
model_faults model_name_clash(const model_world* m, ilk_entity e, ilk_entity parent, uint32_t name);
// Whether it cannot have a parent, or be without one, because of its name.
model_faults model_parent_clash(const model_world* m, ilk_entity e, ilk_entity parent);
// From now on its name is the last one of its kind where it is.
void model_rename_here(model_world* m, ilk_entity e);
ilk_entity model_parent(const model_world* m, ilk_entity e);

// Copy or move entities of a list, each once, to a world, perhaps the same. `there` gets who they
// are.
model_faults model_travel(model_world* from, const ilk_entity* list, uint32_t count,
                          model_world* to, bool moves, ilk_entity* there);

// Command buffers

typedef enum model_verb {
    MODEL_CMD_CREATE,
    MODEL_CMD_SPAWN,
    MODEL_CMD_BLUEPRINT,
    MODEL_CMD_DESTROY,
    MODEL_CMD_DEACTIVATE,
    MODEL_CMD_ACTIVATE,
    MODEL_CMD_ADD,
    MODEL_CMD_SET,
    MODEL_CMD_REPLACE,
    MODEL_CMD_ENSURE,
    MODEL_CMD_REMOVE,
    MODEL_CMD_REMOVE_ALL,
    MODEL_CMD_ENABLE,
    MODEL_CMD_DISABLE,
    MODEL_CMD_MARK,
    MODEL_CMD_RELATE,
    MODEL_CMD_RELATION_SET,
    MODEL_CMD_UNRELATE,
    MODEL_CMD_SET_PARENT,
    MODEL_CMD_CHILD_MOVE,
    MODEL_CMD_SET_NAME,
    MODEL_CMD_SET_ID,
    MODEL_CMD_EMIT,
    MODEL_CMD_EMIT_TO,
    MODEL_CMD_RES_SET,
    MODEL_CMD_RES_REMOVE,
    MODEL_CMD_CALL,
    MODEL_CMD_SCENE // a change of scenes; done by the user of the model, too
} model_verb;

typedef struct model_command {
    model_verb verb;
    ilk_entity entity;   // null for a call, a resource, and an event to nobody
    model_value* values; // one without bytes where only a type is named
    uint32_t count;
    void* user;         // of a call
    uint32_t change;    // of scenes: by three times the scene
    uint32_t blueprint; // to be spawned: its id
    uint32_t name;
    ilk_id id;
} model_command;

typedef struct model_commands {
    model_command* list;
    uint32_t count, capacity;
} model_commands;

// Two lists: what waits for its turn, and what was recorded by the command whose turn it is, which
// is still the first of those that wait.
typedef struct model_cmd {
    bool is_strict, is_applying;
    uint32_t together; // commands that were done together with the last one
    model_commands waiting, caused;
} model_cmd;

// Record a command. It gets values of its own; one that makes an entity gets its handle.
model_faults model_cmd_record(model_world* m, model_cmd* cmd, model_command command,
                              ilk_entity* made);
// How many are not done, the one whose turn it is included.
uint32_t model_cmd_count(const model_cmd* cmd);
// The one whose turn it is, or NULL.
const model_command* model_cmd_first(const model_cmd* cmd);
// Whether a call with this user is among those that are not done.
bool model_cmd_calls(const model_cmd* cmd, const void* user);
// Whether its entity is there to do it to.
bool model_cmd_is_due(const model_world* m, const model_cmd* cmd);
// Do it and go on to the next one, or fail; DEAD means that its entity is dead, and nothing else.
// Of a call nothing is done but to go on: the user of the model has called.
model_faults model_cmd_do(model_world* m, model_cmd* cmd);
// Drop all that is not done, in order.
void model_cmd_clear(model_world* m, model_cmd* cmd);
// The same, with the memory.
void model_cmd_forget(model_world* m, model_cmd* cmd);

// Resources

// The resource itself, or NULL.
model_resource* model_resource_find(const model_world* m, uint32_t type);
model_faults model_resource_set(model_world* m, model_value value);
model_faults model_resource_ensure(model_world* m, uint32_t type);
// Whether it can be edited, which changes it.
model_faults model_resource_mark(model_world* m, uint32_t type);
model_faults model_resource_remove(model_world* m, uint32_t type);
void model_resources_free(model_world* m);

// Events

void model_events_init(model_world* m);
void model_events_free(model_world* m);
// Why no event can be of a type.
model_faults model_value_faults(const model_world* m, uint32_t type);
// Send an event, to an entity or to nobody.
model_faults model_emit(model_world* m, model_value value);
model_faults model_emit_to(model_world* m, ilk_entity e, model_value value);
model_faults model_limit(model_world* m, uint32_t type, uint32_t most);
void model_forget_events(model_world* m);
// After the list is what it was: readers and the bus are where they were, or at its end.
void model_events_restore(model_world* m, const model_events* was);
// Everything that was passed is dropped by now.
void model_sweep(model_world* m);
// How many values that own something may be there beyond those that must be.
uint64_t model_loose(const model_world* m);
uint64_t model_kept(const model_world* m, uint32_t type);

model_faults model_reader_make(model_world* m, uint32_t place, uint32_t type, ilk_entity only);
void model_reader_drop(model_world* m, uint32_t place);
// The event that a reader reads next, which it looks at from then on; NULL if there is none.
const model_event* model_read(model_world* m, uint32_t place);
// The event that a reader looks at, or NULL.
const model_event* model_held(const model_world* m, uint32_t place);

model_faults model_subscribe(model_world* m, uint32_t place, model_subscriber subscriber);
void model_unsubscribe(model_world* m, uint32_t place);
uint32_t model_subscribers_of(const model_world* m, uint32_t type);

// Begin to dispatch. False if nothing waits.
bool model_dispatch_begin(model_world* m, uint32_t flags);
// The place of who is called next, for the event `now`; MODEL_SUBSCRIBERS when all is done.
uint32_t model_dispatch_next(model_world* m);
// Who was called failed.
void model_dispatch_failed(model_world* m);
void model_dispatch_end(model_world* m);

// Queries

#define MODEL_TERMS 240u

// A condition is a tree.
typedef struct model_condition {
    enum {
        MODEL_IS, // a type is there
        MODEL_NOT,
        MODEL_BOTH,
        MODEL_EITHER
    } word;
    uint32_t type;
    const struct model_condition *left, *right;
} model_condition;

typedef struct model_term {
    ilk_access access;
    uint32_t type;
} model_term;

// What is asked of those that an entity relates to.
typedef struct model_asked {
    uint32_t relation;
    ilk_entity target; // null: any
    uint32_t having;   // MODEL_NO_TYPE: anything
    bool up;
} model_asked;

typedef struct model_query {
    model_term terms[MODEL_TERMS];
    uint32_t count;
    model_asked relates[ILK_RELATES];
    uint32_t relates_count;
    const model_condition* where; // NULL: none
    uint32_t order_by;            // MODEL_NO_TYPE: none
    ilk_compare_fn* compare;
    bool order_by_index;
    uint32_t order_by_depth; // MODEL_NO_TYPE: it does not
    bool inactive;           // it asks for inactive entities by name
    uint64_t since;          // its last whole pass
} model_query;

// Where changes are not known by entity, more may match than those that changed.
typedef enum model_verdict {
    MODEL_DIFFERS,
    MODEL_MAY_MATCH,
    MODEL_MATCHES
} model_verdict;

// Note that a component may have been changed.
void model_doubt(model_world* m, ilk_entity e, uint32_t type);
// What is wrong with the types of a query.
model_faults model_query_faults(const model_world* m, const model_query* q);
// Whether an entity matches, if what is later than `since` is lately.
model_verdict model_match(const model_world* m, const model_query* q, ilk_entity e, uint64_t since);
bool model_query_is_ordered(const model_query* q);
// Whether its answer depends on what changed.
bool model_query_is_lately(const model_query* q);
// Whether it looks at a type of its own or of others, because of relations or an order by depth.
bool model_query_looks_at(const model_query* q, uint32_t type);
// Whether one of the things that are asked of those that an entity relates to holds.
bool model_asked_holds(const model_world* m, const model_query* q, const model_asked* asked,
                       ilk_entity e);
// How many are above an entity in a tree.
uint32_t model_depth(const model_world* m, ilk_entity e, uint32_t type);
// Whether a query asks so for a type.
bool model_query_asks(const model_query* q, ilk_access access, uint32_t type);
// Whether it asks for inactive entities, by name or by mentioning their tag.
bool model_query_asks_inactive(const model_world* m, const model_query* q);
// Whether an entity without any component would match, if nobody asked for inactive ones.
bool model_query_is_wide(const model_world* m, const model_query* q);
// Whether an entity has the component, switched on, as far as a query is concerned.
bool model_sees(const model_world* m, const model_query* q, ilk_entity e, uint32_t type);
// Whether an entity has the component, switched on.
bool model_is_on(const model_world* m, ilk_entity e, uint32_t type);
// Put entities into the order of a query that has one, but for one by depth.
void model_sort(const model_world* m, const model_query* q, ilk_entity* list, uint32_t count);

// Systems

#define MODEL_SYSTEMS 8u  // of a world; each place has a name of its own
#define MODEL_PHASES 8u   // start, fixed, update, post, draw, and three that are added
#define MODEL_DECLARED 3u // types that a system declares to read, or to write, beside its query

enum {
    MODEL_START,
    MODEL_FIXED,
    MODEL_UPDATE,
    MODEL_POST,
    MODEL_DRAW,
    MODEL_ADDED
};

// Names are bits: of systems by their places, of phases behind them.
#define MODEL_SYSTEM_BIT(place) (1u << (place))
#define MODEL_PHASE_BIT(phase) (1u << (MODEL_SYSTEMS + (phase)))

typedef struct model_system {
    bool exists;
    bool is_gone; // it goes at the end of the update
    uint32_t phase;
    int order;
    uint64_t made;            // when the first of this name was, of those that replaced each other
    uint32_t before, after;   // names
    const model_query* query; // NULL: it has none
    uint32_t reads[MODEL_DECLARED], writes[MODEL_DECLARED]; // MODEL_NO_TYPE: none
    uint32_t reads_resources[MODEL_DECLARED], writes_resources[MODEL_DECLARED];
    bool is_parallel;
    uint64_t interval, waited;              // nanoseconds
    bool is_disabled, runs_paused, is_held; // by its condition
    ilk_apply apply;
} model_system;

typedef struct model_schedule {
    model_system systems[MODEL_SYSTEMS];
    uint32_t phases[MODEL_PHASES], phase_count; // in order
    uint64_t made;
    bool is_paused, is_started;
    double scale, longest; // longest: seconds of a frame, or 0
    uint64_t step, lag, now;
    uint32_t most;
    uint64_t frames, fixed_steps;
} model_schedule;

typedef enum model_part {
    MODEL_RUN,  // a system
    MODEL_JOIN, // all systems of a wave are done
    MODEL_APPLY // what it recorded
} model_part;

typedef struct model_step {
    model_part part;
    uint32_t place;
    uint64_t ns; // that go by for it
} model_step;

typedef struct model_plan {
    model_step* list;
    uint32_t count, capacity;
} model_plan;

void model_schedule_init(model_schedule* m);
bool model_has_phase(const model_schedule* m, uint32_t phase);
void model_phase_add(model_schedule* m, uint32_t phase, uint32_t after);
// The places of all systems in order; how many there are, or UINT32_MAX for a cycle.
uint32_t model_order(const model_schedule* m, uint32_t order[MODEL_SYSTEMS]);
// The wave of the system at a place in that order, within its phase.
uint32_t model_wave(const model_schedule* m, const uint32_t* order, uint32_t at);
// Whether a system may write a type outside of the rows of its query.
bool model_may_write(const model_system* its, uint32_t type);
// Whether it may read, or edit, a resource.
bool model_may_read_resource(const model_system* its, uint32_t type);
bool model_may_edit_resource(const model_system* its, uint32_t type);
// What an update of so many seconds does, or a drawing, step by step; time goes by.
void model_plan_update(model_schedule* m, double dt, model_plan* plan);
void model_plan_draw(const model_schedule* m, model_plan* plan);
// The last update before all begins anew; and what is left of a schedule after it.
void model_schedule_last(model_schedule* m);
void model_schedule_renew(model_schedule* m, const model_schedule* before);
// Whether a system whose turn it is runs; so many nanoseconds went by for it. No time goes by for
// one that is switched off, not active or paused.
bool model_runs(model_schedule* m, uint32_t place, bool is_active, uint64_t ns, uint64_t* dt);
// It ran.
void model_ran(model_schedule* m, uint32_t place);
// Those that went are gone.
void model_update_ends(model_schedule* m);

// Scenes

#define MODEL_SCENES 5u // of a world; each place has a name of its own

// What happens to a scene. All but leaving is told by a hook.
typedef enum model_hook {
    MODEL_PAUSE,
    MODEL_EXIT,
    MODEL_LEAVE, // what it owns is destroyed, and it is off the stack
    MODEL_ENTER,
    MODEL_RESUME
} model_hook;

typedef enum model_change {
    MODEL_PUSH,
    MODEL_POP,
    MODEL_SWITCH
} model_change;

typedef struct model_scene {
    bool exists, is_overlay;
    bool has_all;   // systems
    uint32_t names; // of systems and phases that it has, otherwise
    uint32_t owns;  // MODEL_NO_TYPE: nothing
    uint32_t hooks; // bits of those that it has
} model_scene;

typedef struct model_scene_step {
    model_hook hook;
    uint32_t scene;
} model_scene_step;

typedef struct model_scenes {
    model_scene scenes[MODEL_SCENES];
    uint32_t stack[MODEL_SCENES + 1], depth;
    model_scene_step steps[3 * MODEL_SCENES + 3]; // of the last change
    uint32_t count, at;                           // it goes on while there are steps left
} model_scenes;

// Begin a change; `scene` does not matter to a pop.
model_faults model_scene_change(model_scenes* m, model_change change, uint32_t scene);
// Whether a change would call any hook.
bool model_scene_is_loud(const model_scenes* m, model_change change, uint32_t scene);
// Whether a step calls a hook.
bool model_scene_calls(const model_scenes* m, model_scene_step step);
// Do the next step of the change. Whoever owns what goes has destroyed it.
void model_scene_step_on(model_scenes* m);
// Whether a scene may be removed.
model_faults model_scene_removal(const model_scenes* m, uint32_t scene);
// Whether the scenes that run let a system run.
bool model_scene_allows(const model_scenes* m, const model_schedule* schedule, uint32_t place);

#endif
