// The world: storage, the last failure, and what spawning remembers.
#ifndef ILKI_WORLD_H
#define ILKI_WORLD_H

#include <ilk/observer.h>
#include <ilk/plugin.h>

#include "../base/arena.h"
#include "../base/text.h"
#include "../query/iter.h"
#include "../relation/doom.h"
#include "../storage/lodge.h"

// How a list of types, as a caller writes it, is spawned. Kept by the ids in the caller's order,
// so that a list is understood once.
typedef struct ilki_recipe {
    ilki_ilk* ilk; // NULL: the list has no types
    uint32_t count;
    bool is_quick;                 // the list has types, and the values of each are quick
    bool relates;                  // one of them is a relation
    bool is_quickly_related;       // and the others are quick, and nobody observes anything
    uint32_t* ids;                 // ILKI_NONE where the caller gave no type
    ilki_directory* directories[]; // NULL there
} ilki_recipe;

// Rows side by side that a batch is to hand out, or that a party takes (party.h).
typedef struct ilki_run {
    ilki_chunk* chunk;
    uint32_t row, count;
    ilki_ilk* ilk; // of a party: whose set they have
} ilki_run;

// The last failure of a thread. The sentence is made when somebody asks for it.
typedef struct ilki_failure {
    ilk_result result;
    const char* call;
    const char* type;
    ilk_entity entity;
    const char* file;
    int line;
    uint32_t serial;  // the how many-th
    bool has_text;    // the sentence is made
    char name[128];   // of the type
    char system[96];  // or observer that is concerned, or ""
    char detail[400]; // what cannot be told from the rest
    char text[512];   // the sentence
} ilki_failure;

// What a thread has with it while it runs systems of a world.
typedef struct ilki_desk {
    ilk_world* world;
    const char* running; // the name of the system that it runs
    uint32_t number;     // 0: of the world's own thread
    bool is_piece;       // of a parallel one
    bool is_telling;     // the callback is being told of a failure
    ilki_failure failure;
    ilki_arena arena; // for commands
    const struct ilk_system* system;
    // Whether the system may read, or write, a type elsewhere than in the columns of its run; and a
    // resource.
    bool (*may)(const struct ilk_system* system, const ilk_type* type, bool writes);
    bool (*may_resource)(const struct ilk_system* system, const ilk_type* type, bool writes);
} ilki_desk;

// Sits down at a desk, or NULL, and returns the one where this thread sat before.
ilki_desk* ilki_sit_down(ilki_desk* desk);

// The desk where this thread sits in a world, or NULL.
ilki_desk* ilki_desk_in(const ilk_world* world);

typedef struct ilki_resource {
    ilk_type* type;
    void* value;      // NULL in a world that shows a snapshot: it was not asked for yet
    uint64_t changed; // the tick
    bool is_shared;   // with the newest snapshot
} ilki_resource;

typedef struct ilki_resources {
    ilki_resource* list; // in order of making
    uint32_t count, capacity;
    uint32_t* places; // by the id of a type: where in the list, from 1; 0: it is not there
    uint32_t place_capacity;
    // For one that is shared: called before it is written; and in place of dropping and freeing its
    // value, when it is removed (src/history).
    void (*save)(ilk_world* world, ilki_resource* resource);
    void (*yield)(ilk_world* world, const ilki_resource* resource);
} ilki_resources;

// A plugin whose function is being called, and the one whose function does that.
typedef struct ilki_installing {
    const ilk_plugin* plugin;
    struct ilki_installing* outer;
} ilki_installing;

typedef struct ilki_plugins {
    ilk_plugin* list; // in the order in which they were installed
    uint32_t count, capacity;
    uint32_t expected; // for which there is room in the list
    uint32_t busy;     // functions that are being called
    bool is_removing;  // one of them
    bool is_ending;
    ilki_installing* installing; // or NULL
} ilki_plugins;

#define ILKI_RECENT 16u
#define ILKI_WORKERS_MAX 1024u

typedef struct ilki_world_list ilki_world_list;

struct ilk_world {
    ilki_storage storage; // first: walks take a world for its storage
    ilki_relations relations;
    char* name;
    uint32_t id;
    ilki_world_list* list;      // of the catalogue that it is in, or NULL
    ilk_world *older, *younger; // there
    void* user;
    ilki_resources resources;
    ilki_plugins plugins;
    bool is_restricted; // to the types that it knows
    bool is_muted;      // failures are noted but not told
    ilk_names names;    // who may have the same one
    ilk_message_fn* message;
    void* message_context;
    ilki_failure failure;
    ilki_lock tell_lock;              // while several systems are in, one tells at a time
    ilki_recipe* recipe;              // the last one used, or NULL
    ilki_recipe* recent[ILKI_RECENT]; // some used before, by the ids of their first and last types
    ilki_map recipes;
    ilk_query *queries, *spare_queries; // made, and ready to be made again
    uint64_t last_query;                // the number of the last one that was made
    const char* running;                // the name of a system that runs, or NULL
    const char* concerned; // a system that is being made, or a system or an observer whose commands
                           // are applied, or NULL
    bool is_observer;      // that is concerned
    const char* receiving; // the call by which entities of another world come, or NULL
    const char* told;      // the name of the observer that is being called, or NULL
    struct ilki_observing* observing; // or NULL
    uint32_t observers;               // how many there are
    ilk_reason reason;                // of what happens; 0: by the verb
    bool tells_new;                   // somebody observes what is created, or begins to match
    bool tells_end;                   // or what goes; or there are observers of one entity
    uint32_t workers;                 // threads to run systems with, beside the world's own
    ilk_jobs jobs;                    // who else is to do that
    struct ilki_schedule* schedule;
    struct ilki_events* events;        // NULL until first needed
    uint64_t last_listener;            // the serial number of the last one that was made
    struct ilki_kept* kept;            // values of types that were taken out
    struct ilki_hashes* hashes;        // that were made, of blocks (src/history); or NULL
    struct ilk_ring* rings;            // of snapshots
    uint64_t restores;                 // how often it has gone back
    struct ilk_replay* replays;        // of its frames
    bool is_replaying;                 // one of them plays a frame
    struct ilki_deltas* deltas;        // what is kept for the next one (src/history); or NULL
    struct ilki_shown* shown;          // of a world that shows a snapshot (src/history); or NULL
    struct ilk_cmd *cmds, *spare_cmds; // command buffers: taken, and given back
    ilki_recipe* loose;                // for a list that there is no memory to keep a recipe of
    uint32_t loose_capacity;
    uint32_t* key; // room for the ids of a list
    uint32_t key_capacity;
    ilki_run* runs; // of the last batch or party
    uint32_t run_count, run_capacity;
    uint32_t batch;                     // its serial number
    ilki_arena scratch;                 // for verbs that do much at once, one inside the other
    uint32_t scratch_users;             // how many of them are at it
    struct ilki_blueprints* blueprints; // that are registered; NULL until first needed
#ifdef ILK_CHECKED
    uintptr_t owner;
    struct ilki_grave {
        const char* file;
        int line;
    }* graves; // where the last entity of each slot was destroyed
    uint32_t grave_capacity;
#endif
};

#define ILKI_NULL ((ilk_entity){0, 0})

// A handle as people read it, with the name of the entity if it has one: 12:3 "door".
void ilki_put_entity(ilki_text* to, const ilk_world* world, ilk_entity e);

// Notes a failure, tells the callback, and returns the result.
ilk_result ilki_fail(ilk_world* world, ilk_result result, const char* call, ilk_entity e,
                     const ilk_type* type);

// The same with a sentence of its own, for what names alone do not tell.
ilk_result ilki_fail_because(ilk_world* world, ilk_result result, const char* call,
                             const ilk_type* type, const char* format, ...) ILKI_FORMAT(5, 6);

// The same, about an entity.
ilk_result ilki_fail_for(ilk_world* world, ilk_result result, const char* call, ilk_entity e,
                         const ilk_type* type, const char* format, ...) ILKI_FORMAT(6, 7);

// For a verb that writes a value in its place: as ilki_enter, but a system may write what it
// declares, unless it is cut into pieces.
ilk_result ilki_enter_to_write(ilk_world* world, ilk_entity e, ilk_type* type, const char* call);

// The same for a resource.
ilk_result ilki_enter_to_edit_resource(ilk_world* world, ilk_type* type, const char* call);

// How many failures of this thread there were.
uint32_t ilki_failures(ilk_world* world);

// The result of the last failure of this thread.
ilk_result ilki_last_result(ilk_world* world);

// LOCKED, because a system is running. The call is about an entity and a type, or null and NULL.
ilk_result ilki_fail_locked(ilk_world* world, ilk_entity e, const ilk_type* type, const char* call);

// Each verb that changes a world begins here: INVALID without a world, LOCKED while a system runs,
// WRONG_THREAD in the checked build. Those that only look begin with ilki_enter_to_look, those
// about an entity or a type with ilki_enter_for.
#ifdef ILK_CHECKED
ilk_result ilki_enter_for(ilk_world* world, ilk_entity e, const ilk_type* type, const char* call);
ilk_result ilki_enter_to_look(ilk_world* world, const char* call);
void ilki_note_place(ilk_message* message);

// The place of the call that is being made; noted again after code of the user's has run.
typedef struct ilki_here {
    const char* file;
    int line;
} ilki_here;
ilki_here ilki_place_of_call(void);
void ilki_set_place_of_call(ilki_here place);
void ilki_bury(ilk_world* world, uint32_t slot);
void ilki_bury_all(ilk_world* world);
void ilki_report_stale(ilk_world* world, const char* call);

// Whether the system that this thread runs, if it does, declared a type; or the failure is noted.
bool ilki_may_use(const ilk_world* world, ilk_type* type, bool writes, const char* call);

// The same for a resource that is to be read.
bool ilki_may_use_resource(const ilk_world* world, ilk_type* type, const char* call);

// The same for what a walk over a query uses: its columns too, or only what decides which match.
bool ilki_may_walk(const ilk_world* world, const ilk_query* query, bool has_columns,
                   const char* call);
#else
ILKI_INLINE ilk_result ilki_enter_for(ilk_world* world, ilk_entity e, const ilk_type* type,
                                      const char* call) {
    if (ILKI_LIKELY(world && !world->running)) return ILK_OK;
    return world ? ilki_fail_locked(world, e, type, call) : ILK_INVALID;
}
ILKI_INLINE ilk_result ilki_enter_to_look(const ilk_world* world, const char* call) {
    (void)call;
    return ILKI_LIKELY(world != NULL) ? ILK_OK : ILK_INVALID;
}
typedef int ilki_here;
#define ilki_place_of_call() 0
#define ilki_set_place_of_call(place) ((void)(place))
#define ilki_note_place(message) ((void)0)
#define ilki_bury(world, slot) ((void)0)
#define ilki_bury_all(world) ((void)0)
#define ilki_report_stale(world, call) ((void)0)
#define ilki_may_use(world, type, writes, call) true
#define ilki_may_use_resource(world, type, call) true
#define ilki_may_walk(world, query, has_columns, call) true
#endif
ILKI_INLINE ilk_result ilki_enter(ilk_world* world, const char* call) {
    return ilki_enter_for(world, ILKI_NULL, NULL, call);
}

// A world that shows a snapshot fetches values when they are first asked for: those of one type, or
// all, with the resources, or one resource. OK, also for a type that it does not know; or
// NO_MEMORY, or STALE if the snapshot was lost before, and the failure is noted.
ilk_result ilki_show_slow(const ilk_world* world, const ilk_type* type, const char* call);
ilk_result ilki_show_all_slow(const ilk_world* world, const char* call);
ilk_result ilki_show_resource(const ilk_world* world, ilki_resource* resource, const char* call);

ILKI_INLINE ilk_result ilki_show(const ilk_world* world, const ilk_type* type, const char* call) {
    bool is_plain = !world || !world->shown;
    return ILKI_LIKELY(is_plain) ? ILK_OK : ilki_show_slow(world, type, call);
}

ILKI_INLINE ilk_result ilki_show_all(const ilk_world* world, const char* call) {
    return ILKI_LIKELY(!world->shown) ? ILK_OK : ilki_show_all_slow(world, call);
}

// Why values of a type that was asked for are not there; OK if they are.
ilk_result ilki_why_not_shown(const ilk_world* world, const ilk_type* type);

// Ends what a world has of the snapshot that it shows, before it goes itself. False, and the
// failure is noted in the world that the snapshot was taken of, if that is locked.
bool ilki_shown_end(ilk_world* world, const char* call);

// For a verb that copies what a world has: as ilki_enter, but one that shows a snapshot will do.
ilk_result ilki_enter_to_copy(ilk_world* world, ilk_entity e, const char* call);

// The directory of a type that is about to be used, introduced if it is new; or NULL, and the
// failure is noted.
ilki_directory* ilki_introduce(ilk_world* world, ilk_type* type, const char* call);

ILKI_INLINE ilki_directory* ilki_directory_for(ilk_world* world, ilk_type* type, const char* call) {
    if (ILKI_LIKELY(type != NULL)) {
        ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
        if (ILKI_LIKELY(directory != &ilki_no_directory)) return directory;
    }
    return ilki_introduce(world, type, call);
}

// Notes why a type was not found or made: INVALID or CLASH. False for any other result.
bool ilki_refuse_because(ilk_world* world, ilk_result result, const ilk_type* type,
                         const ilk_type* known, const char* why, const char* call);

// Whether no world can take a type, because it is NULL, unsound or clashes; the failure is noted.
bool ilki_refuse(ilk_world* world, ilk_type* type, const char* call);

// The process-wide type of a variable, made if it is new; or NULL, and the failure is noted.
ilk_type* ilki_type_for(ilk_world* world, ilk_type* type, const char* call);

// The recipe for a list of types, each `stride` bytes after the last; or NULL, and the failure is
// noted.
ilki_recipe* ilki_recipe_make(ilk_world* world, ilk_type* const* types, size_t stride,
                              uint32_t count, const char* call);

// Makes sure that any list of so many types that the world knows needs no memory. False without.
bool ilki_recipe_reserve(ilk_world* world, uint32_t count);

// Makes an entity with these values, on behalf of a call; or null, and the failure is noted.
ilk_entity ilki_spawn_as(ilk_world* world, const ilk_value* values, uint32_t count,
                         const char* call);

// Brings an entity whose handle was given out to life, with these values: OK, NO_MEMORY, FULL, or
// what is wrong with a type.
ilk_result ilki_spawn_reserved(ilk_world* world, ilk_entity e, const ilk_value* values,
                               uint32_t count, const char* call);

// Makes a query on behalf of a call; or NULL, and the failure is noted. Takes it back.
ilk_query* ilki_query_make(ilk_world* world, const ilk_query_desc* desc, const char* call);
void ilki_query_unmake(ilk_world* world, ilk_query* query);

// Calls a function for each entity that an iterator visits.
void ilki_call_for_each(ilk_iter* it, ilk_each_fn* fn, void* user);

// Makes a world, on behalf of a call. NULL, and the maker is told why. One that is not listed is
// not in the catalogue.
ilk_world* ilki_world_make_unlisted(const ilk_world_desc* desc, const char* call);
ilk_world* ilki_world_make(const ilk_world_desc* desc, const char* call);
void ilki_tell_maker(const ilk_world_desc* desc, ilk_result result, const char* call,
                     const char* why);

// Lets a world be found in the catalogue, or by its id alone; or no longer, if it was.
void ilki_catalogue_enter(ilk_world* world);
void ilki_catalogue_enter_opened(ilk_world* world);
void ilki_catalogue_leave(ilk_world* world);

// The bytes of memory that the value of a resource takes.
size_t ilki_resource_room(const ilk_type* type);

// Makes sure that the list has room for so many, and the table for this type. False without memory.
bool ilki_resource_ready_to_be(ilk_world* world, const ilk_type* type, uint32_t count);

// Drops all resources, the youngest first.
void ilki_resources_free(ilk_world* world);

// What does not agree about resources, or NULL.
const char* ilki_resources_validate(const ilk_world* world);

// The name of the plugin whose function is being called, which stands for it; or NULL.
ILKI_INLINE const char* ilki_plugin_now(const ilk_world* world) {
    const ilki_installing* installing = world->plugins.installing;
    return installing ? installing->plugin->name : NULL;
}

// The systems, and observers, that the function of a plugin made are destroyed, or its no more.
void ilki_systems_of_plugin(ilk_world* world, const char* plugin, bool go);
void ilki_observers_of_plugin(ilk_world* world, const char* plugin, bool go);

// Calls the exit functions of all plugins, the youngest first.
void ilki_plugins_free(ilk_world* world);

// A value as text, with the fields that its type describes: "Position {x 1, y 2.5}".
void ilki_put_value(ilki_text* to, const ilk_world* world, const ilk_type* type, const void* value);

// The value of one of its fields alone.
void ilki_put_field(ilki_text* to, const ilk_world* world, const ilk_field* field,
                    const void* value);

// Whether an update, a drawing or a change of scenes is under way, or the end of the world.
bool ilki_is_running(const ilk_world* world);

// Which call of the world has not returned, and would not find what it left; or NULL.
const char* ilki_under_way(const ilk_world* world);

// Destroys all systems, the youngest first.
void ilki_schedule_free(ilk_world* world);

// Ends all replays and rings; releases all snapshots.
void ilki_replays_free(ilk_world* world);
void ilki_rings_free(ilk_world* world);
void ilki_history_free(ilk_world* world);

// Frees what waves keep for the next ones; nothing while the world is running.
void ilki_schedule_trim(ilk_world* world);

// Whether an entity at a place has a value that outlives it.
bool ilki_is_kept(const ilki_storage* storage, uint32_t place);

// Destroying an entity that is kept: it is dying from now on. DEAD if it is already.
ilk_result ilki_begin_to_die(ilk_world* world, ilk_entity e, uint32_t place, ilk_reason reason,
                             const char* call);

// Makes sure, before something is taken from an entity, or all if it is NULL, that if it goes with
// that, it can be told of. False, and the failure is noted, if not.
bool ilki_may_let_go(ilk_world* world, uint32_t place, const ilki_directory* taken,
                     const char* call);

// After a value was removed: an entity that is dying goes if it was the last that kept it.
void ilki_go_if_dying(ilk_world* world, ilk_entity e, const char* call);

// INVALID, for who would give or take the tag of the dying.
ilk_result ilki_refuse_dying(ilk_world* world, const char* call);

// Whether values of a type may be given: INVALID for the tag of the dying, FOREIGN for a type that
// was taken out of the world; and the failure is noted.
bool ilki_may_give(ilk_world* world, const ilki_directory* directory, const char* call);

// The bulk verbs, on behalf of a call, with lists that are there and types that may be given or
// taken.
ilk_result ilki_add_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                         ilki_directory* directory, const void* values, const char* call);
ilk_result ilki_remove_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                            ilk_type* type, const char* call);

// Gives a type that was taken out of the world back to it, with its values. OK, or NO_MEMORY and
// the failure is noted.
ilk_result ilki_bring_back(ilk_world* world, ilki_directory* directory, const char* call);

// Drops all values that are kept aside.
void ilki_kept_free(ilk_world* world);

// A value that is kept aside: the `at`-th of the world. False if there are fewer.
typedef struct ilki_aside {
    const ilki_directory* directory;
    ilk_entity entity;
    bool is_off;
    const void* value;
} ilki_aside;
bool ilki_kept_at(const ilk_world* world, uint32_t at, ilki_aside* aside);

// Frees the hashes of blocks that are kept, and what is kept for deltas.
void ilki_hashes_free(ilk_world* world);
void ilki_deltas_free(ilk_world* world);

// Whether a type is that of names or ids, which a call would write to by itself; then INVALID is
// noted.
bool ilki_refuse_indexed(ilk_world* world, const ilk_type* type, const char* call);

// EXISTS if an entity cannot have the parent that a relation would give it (none: ILKI_NONE),
// because of its name. OK for relations that give none.
ilk_result ilki_may_come_below(ilk_world* world, ilk_entity e, const ilki_directory* directory,
                               uint32_t above, const char* call);

// A relation of an entity was changed: it is found by its name where it is now.
void ilki_has_come_below(ilk_world* world, const ilki_directory* directory, uint32_t slot);

// INVALID, for a name of so many bytes.
ilk_result ilki_refuse_long_name(ilk_world* world, ilk_entity e, size_t length, const char* call);

// Ends the life of an entity, whatever it has.
ilk_result ilki_entity_end(ilk_world* world, ilk_entity e, ilk_reason reason, const char* call);

// Destroys an entity for a reason, on behalf of a call: OK; DEAD, NO_MEMORY, FULL, and the failure
// is noted.
ilk_result ilki_destroy_as(ilk_world* world, ilk_entity e, ilk_reason reason, const char* call);

// Gives a value to an entity that lacks it, for a call that tells of its failures itself.
ilk_result ilki_add_as(ilk_world* world, ilk_entity e, ilk_value value, const char* call);

// Gives an entity a component that it lacks, and fills it: by the default without bytes. Nobody is
// told. Returns the value; NULL on failure, which is noted.
void* ilki_give(ilk_world* world, ilk_entity e, ilk_value given, const char* call);

// Takes a component away that is there, and tells whoever observes it.
ilk_result ilki_take_as(ilk_world* world, ilk_entity e, const ilki_spot* at, const char* call);

// How a relation comes to be: EXISTS if it is so already, or if the relation is exclusive and the
// source has it; or nothing is done then; or MISSING if the source does not have it yet.
typedef enum ilki_policy {
    ILKI_ADD,
    ILKI_SET,
    ILKI_REPLACE,
    ILKI_RELATE, // EXISTS if it is so already; another target takes the place of an exclusive one
    ILKI_PUT     // the same, but if it is so already, it gets the value
} ilki_policy;

// Relates a source to the target that a value has, which is of a relation.
ilk_result ilki_relate_as(ilk_world* world, ilk_entity source, ilk_value value, const void* carried,
                          ilki_policy how, const char* call);

// Ends one relation.
ilk_result ilki_unrelate_as(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target,
                            const char* call);

// INVALID for a value of a relation that names no target, DEAD for a target that nobody can be
// related to; and the failure is noted. The second only says whether somebody can be.
ilk_result ilki_check_target(ilk_world* world, ilk_value value, const char* call);
bool ilki_is_relatable(const ilk_world* world, ilk_entity target);

// INVALID, for who would give or write the value of a relation otherwise.
ilk_result ilki_refuse_relation(ilk_world* world, const ilk_type* type, const char* call);

// Makes sure that an entity that is to be made can be related to a target; and relates it, if it
// has the component, whose value is all zero.
bool ilki_ready_to_relate_new(ilk_world* world, ilki_relation* relation, uint32_t target,
                              uint32_t count);

// Whether a list has somebody that others relate to, or who is being destroyed with others.
bool ilki_has_targets(const ilk_world* world, const ilk_entity* entities, uint32_t count);

// Destroys an entity that others relate to, with those that go with it: OK, NEEDED, and, if an
// observer causes it, FULL or NO_MEMORY.
ilk_result ilki_destroy_related(ilk_world* world, ilk_entity e, ilk_reason reason,
                                const char* call);

// The same for a list of which others relate to some: they go as one. DEAD if some were passed
// over.
ilk_result ilki_destroy_list(ilk_world* world, const ilk_entity* entities, uint32_t count,
                             const char* call);

// Destroys those who were doomed from one on, the last one first.
void ilki_destroy_doomed(ilk_world* world, uint32_t first, ilk_reason reason, const char* call);

// Ends one relation of a source: with the last one, the component goes.
ilk_result ilki_end_edge(ilk_world* world, ilki_relation* relation, ilk_entity source,
                         uint32_t edge, const char* call);

// NEEDED, because of somebody who stays.
ilk_result ilki_fail_needed(ilk_world* world, ilk_entity e, const ilki_need* need,
                            const char* call);

// Whether destroying an entity would be NEEDED.
bool ilki_is_needed(ilk_world* world, ilk_entity e);

// Destroys one entity to which nobody relates, or lets it die.
ilk_result ilki_destroy_alone(ilk_world* world, ilk_entity e, ilk_reason reason, const char* call);

// Makes sure that whoever is observed can be told of, one after the other. False, and the failure
// is noted, if observers are nested too deeply or there is no memory.
bool ilki_frames_ready(ilk_world* world, const char* call);
// Takes a component away, for a call that tells of its failures itself.
ilk_result ilki_remove_as(ilk_world* world, ilk_entity e, ilk_type* type, const char* call);

// What was told last in a frame.
typedef struct ilki_progress {
    uint32_t rank;   // of the kind of notice
    uint32_t number; // of the component's type
    const struct ilk_observer* observer;
    uint32_t at, end; // the entity, and the one after the last that this observer was told of
    bool is_stopped;  // nobody else is told of this kind and type
} ilki_progress;

// Observers (src/event). A change that somebody may observe has a frame: it is begun before the
// change, tells of what goes, is done when the change is, tells of what came, and ends.
typedef struct ilki_frame {
    ilk_world* world;
    struct ilki_frame* outer; // that it is nested in, or NULL
    const char* call;
    ilki_directory* directory; // of the component that changes, or NULL
    const ilk_entity* entities;
    uint32_t count;
    ilk_reason reason;
    ilk_entity one;                                 // the entity, where there is only one
    uint32_t depth;                                 // frames that it is nested in
    uint32_t first_change, end_change, next_change; // of what matches; to be told next
    uint32_t first_number;
    uint64_t newest;    // observers made after this one are not told
    const char* told;   // the last observer that was
    const char* author; // the only observer so far whose commands wait, or NULL
    uint32_t announced; // of ilk_on: what is told when it is done, but for what matches
    ilk_type* event;    // of what is sent; or NULL
    ilk_entity target;  // of a relation that is set: the one that it is about
    uint64_t changes;   // of relations of that type until then
    ilki_progress turn;
    uint32_t *positions, position_count, low; // where the entities are in the list; or NULL
    bool is_done;
    bool is_end;       // the entities go
    bool is_new;       // they were made
    bool is_copy;      // and their components may be switched off
    bool is_mixed;     // and they have different ones
    bool is_over;      // the component that was set or switched is not there any more
    bool is_meddled;   // a frame was nested in this one
    bool is_cancelled; // nobody else hears of the event
} ilki_frame;

// Finds rows for `count` entities of an ilk that has room for so many, the lowest first, and adds
// them to the runs of the world. False, and none is added, without memory.
bool ilki_plan_runs(ilk_world* world, const ilki_ilk* ilk, uint32_t count);

// Makes a run of free rows that of entities, which are the caller's to enter.
void ilki_occupy(ilki_storage* storage, const ilki_run* run);

// Whoever uses the scratch memory begins and ends here; what was taken is gone when all have ended.
ILKI_INLINE void ilki_scratch_begin(ilk_world* world) {
    world->scratch_users++;
}
void* ilki_scratch_take(ilk_world* world, size_t count, size_t size); // NULL without memory
void ilki_scratch_end(ilk_world* world);

// Makes an array in scratch memory hold at least `needed`. False without memory.
bool ilki_scratch_grow(ilk_world* world, void* array, uint32_t* capacity, uint32_t needed,
                       size_t size);

// Frees every blueprint that is registered.
void ilki_blueprints_free(ilk_world* world);

// Whether somebody may observe one of these things that happen to components of a type, or to any.
// Queries are taken to be observed whatever they ask.
#define ILKI_ON_QUERY (ILK_ON_MATCH | ILK_ON_CEASE)
bool ilki_is_watched(const ilk_world* world, const ilki_directory* directory, uint32_t on);

// Begins a frame, for a change to these entities that the verb would give this reason; but what the
// program says goes first, unless they are unloaded. False, and the failure is noted, if observers
// are nested too deeply or there is no memory.
bool ilki_frame_begin(ilki_frame* frame, ilk_world* world, ilki_directory* directory,
                      const ilk_entity* entities, uint32_t count, ilk_reason reason,
                      const char* call);
void ilki_frame_end(ilki_frame* frame);

// The same for one entity; and for so many that are to be made.
bool ilki_frame_begin_new(ilki_frame* frame, ilk_world* world, uint32_t count, const char* call);
bool ilki_frame_begin_one(ilki_frame* frame, ilk_world* world, ilki_directory* directory,
                          ilk_entity e, ilk_reason reason, const char* call);

// Notes which queries the entities match before, and which after what is to happen. False, and the
// failure is noted, without memory.
bool ilki_frame_before(ilki_frame* frame);
void ilki_frame_after(ilki_frame* frame);

// What was to happen to a component has happened: all that there is to tell of it, which is one or
// more of added, set, enabled and disabled; with the value before it was set.
void ilki_tell_change(ilki_frame* frame, uint32_t announced, const void* old);

// From now on what observers ask for in frames inside of this one waits for it; until then.
void ilki_frame_hold(ilki_frame* frame);
void ilki_frame_hold_no_more(const ilki_frame* frame);

// Makes sure that all of the frame's entities can be told of, and one more in a frame inside of it.
// False, and the failure is noted.
bool ilki_frame_ready_inside(const ilki_frame* frame);

// The change is complete: ilk's own events of it are sent, commands that wait are applied, and from
// now on those of each observer when it returns.
void ilki_frame_done(ilki_frame* frame);

// Tells what happens to the frame's entities.
void ilki_tell(ilki_frame* frame, ilk_on on, const void* old);
void ilki_tell_matches(ilki_frame* frame, ilk_on on);

// Tells all that there is to tell of entities that were made, with the same components, which the
// frame then has. In two steps where something else is done before they are told: from the first
// on, what happens to them in frames inside of this one is known to come after that.
void ilki_tell_new(ilki_frame* frame, const ilk_entity* entities, uint32_t count);
void ilki_frame_announce(ilki_frame* frame, const ilk_entity* entities, uint32_t count);
void ilki_tell_announced(ilki_frame* frame);

// The same of one that goes.
bool ilki_tell_end(ilki_frame* frame); // false without memory, and the failure is noted

// Whether one of those that were made is alive still, with all that it was made with, and where.
bool ilki_frame_is_whole(const ilki_frame* frame, ilk_entity e, uint32_t* place);

// Tells that the frame's entity loses all components but ilk's own tags or, if it dies, but what
// outlives it; and which queries it ceases to match. What it matched before was noted.
void ilki_tell_stripped(ilki_frame* frame, bool dies);

// Tells that every entity goes, before the world is cleared or ends; after it was, the frame ends.
// False, and the failure is noted, if nobody can be told.
bool ilki_tell_unload(ilk_world* world, ilki_frame* frame, const char* call);

// Observers of an entity that is gone, or of all that are, go too.
void ilki_observers_leave(ilk_world* world, uint32_t slot);
void ilki_observers_leave_all(ilk_world* world);
void ilki_observers_leave_dead(ilk_world* world); // of all that are not alive
void ilki_observers_free(ilk_world* world);
void ilki_observers_trim(ilk_world* world);

// Makes room for one or two more types, and takes one in. False without memory.
bool ilki_observers_expect(ilk_world* world, uint32_t count);
void ilki_observers_meet(ilk_world* world, ilki_directory* directory);

// Whether observers are being told of a change, or what they asked for is being done.
bool ilki_is_telling(const ilk_world* world);

// What does not agree about observers, or NULL.
const char* ilki_observers_validate(const ilk_world* world);

// Whether values of a type come and go without a call is decided again: not if it is watched, nor
// if it was taken out of the world.
void ilki_directory_refresh(ilk_world* world, ilki_directory* directory);

// Whether recipes are quick is decided again.
void ilki_recipes_refresh(ilk_world* world);

// The verbs without anybody being told.
ilk_result ilki_add_quietly(ilk_world* world, ilk_entity e, ilk_value value, const char* call);
ilk_result ilki_remove_quietly(ilk_world* world, ilk_entity e, ilk_type* type, const char* call);
ilk_result ilki_destroy_quietly(ilk_world* world, ilk_entity e, const char* call);

// Ends the life of an entity that has no place any more.
void ilki_slot_end(ilk_world* world, ilk_entity e);

// Frees command buffers that were given back, and the memory of those that are empty; or every one.
void ilki_cmds_trim(ilk_world* world);
void ilki_cmds_free(ilk_world* world);

// Sends an event, to an entity that is alive or to the null one: OK; or INVALID, CLASH, NO_MEMORY,
// and the failure is noted.
ilk_result ilki_emit(ilk_world* world, ilk_entity e, ilk_value value, const char* call);

// Whether subscribers are being handed events.
bool ilki_is_dispatching(const ilk_world* world);

// From now on ilk's own events are sent no more, though somebody may listen still.
void ilki_news_stop(ilk_world* world);

// Frees the memory kept for further events; or all events, readers and subscriptions.
void ilki_events_trim(ilk_world* world);
void ilki_events_free(ilk_world* world);

// Whether every queue is as it should be; or the text says which is not.
bool ilki_events_are_sound(const ilk_world* world, char* text, size_t size);

// Whether names and ids are found as they should be; or the text says what is wrong.
bool ilki_names_are_sound(const ilk_world* world, char* text, size_t size);

// Frees the memory kept for further queries; or every query.
void ilki_queries_trim(ilk_world* world);
void ilki_queries_free(ilk_world* world);

// Frees recipes and batches, whose ilks are about to go.
void ilki_recipes_free(ilk_world* world);

#endif
