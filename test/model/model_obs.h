// Observers of the naive model: who must be told of what, in which order.
#ifndef MODEL_OBS_H
#define MODEL_OBS_H

#include "model.h"

#define MODEL_OBSERVERS 12u // of a world at a time; named by their places

typedef struct model_observer {
    bool exists;
    uint32_t on, reasons; // reasons: 0 is any
    uint32_t type;        // MODEL_NO_TYPE: any
    ilk_entity entity;    // null: any
    const model_query* query;
    int32_t order;
    uint64_t made; // when
    bool is_many, stops;
} model_observer;

// A notice as it must be.
typedef struct model_notice {
    uint32_t observer;
    ilk_on on;
    ilk_reason reason;
    uint32_t type;
    const ilk_entity* entities;
    uint32_t count;
    const void* old;
    ilk_entity target;   // of a relation, or null
    const void* carried; // by the relation to it, or NULL
} model_notice;

// What the user of the model knows.
typedef struct model_hearing {
    void* user;
    // How many entities the library put into the notice whose turn it is. (Values of a component go
    // together where they lie side by side, which no model knows.)
    uint32_t (*length)(void* user);
    // A notice was given: compare it, and record what its observer did. False if the observer
    // failed.
    bool (*hear)(void* user, const model_notice* notice, model_cmd* cmd);
    // Something was done, and more is to come.
    void (*go_on)(void* user);
} model_hearing;

// A change of which observers are told, and in the middle of which others may be made.
typedef struct model_frame {
    struct model_frame* outer;
    const ilk_entity* entities;
    uint32_t count;
    uint32_t type;
    ilk_reason reason;
    uint64_t newest;  // observer that is told
    uint32_t awaited; // by anybody
    uint32_t announced;
    ilk_entity target; // of a relation that is set: who it is about
    uint64_t edge_changes;
    bool is_new, is_done, is_over;
    bool is_end;      // the entities go
    uint64_t turn[6]; // the last notice
    bool is_stopped;
    int8_t* changes; // by observer and entity: 1 begins to match, -1 ceases to
    bool is_noted;   // not yet: 1 matched before
    model_cmd cmd;
} model_frame;

typedef struct model_observing {
    model_observer list[MODEL_OBSERVERS];
    uint64_t made;
    ilk_reason reason;       // 0: by the verb
    model_frame *top, *held; // held: for which what observers ask for waits, or NULL
    model_hearing hearing;
    uint32_t messages; // of failures inside
} model_observing;

uint32_t model_observer_count(const model_world* m);
// Make one at a free place; DEAD for an entity that is not alive.
void model_observer_make(model_world* m, uint32_t place, model_observer observer);
// The observers of an entity go.
void model_observers_leave(model_world* m, ilk_entity e);
// Messages since the last time.
uint32_t model_take_messages(model_world* m);

// Begin a change: before it is made. All of these do nothing if nobody observes the world.
void model_frame_begin(model_world* m, model_frame* f, const ilk_entity* entities, uint32_t count,
                       uint32_t type, ilk_reason reason);
void model_frame_end(model_world* m, model_frame* f);
// Looks again at what the entities match before the change.
void model_frame_look(const model_world* m, model_frame* f);
// Entities were made, with all that they have.
void model_tell_new(model_world* m, const ilk_entity* entities, uint32_t count);
void model_tell_new_as(model_world* m, const ilk_entity* entities, uint32_t count,
                       ilk_reason reason);
// The frame's component was given, set or switched.
void model_tell_changed(model_world* m, model_frame* f, uint32_t announced, const void* old);
// The frame's component goes, or all components do, or the entities.
void model_tell_going(model_world* m, model_frame* f, model_veil veil);
// It is gone.
void model_tell_gone(model_world* m, model_frame* f);
// The whole world goes: before it does.
void model_tell_unload(model_world* m, model_frame* f);

#endif
