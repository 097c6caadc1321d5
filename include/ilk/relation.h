// Relations: entities that have to do with each other.
//
//     ILK_RELATION(Likes);
//     ilk_relate(world, ann, &Likes_type, bob);
//     ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_TO(ilk_child_of, parent));
//
// A relation is a type of component: an entity that relates to others, the *source*, has it as long
// as there is at least one *target*, and its value is an ilk_link. So queries read the targets as a
// column (.read = {&Likes_type}) or ask who has any (.with), and observers are told: ADD with the
// first target, SET when targets come, go or change, REMOVE with the last one; notice->target is
// the one that it is about (observer.h). Every single relation is found from both ends at once:
// what one relates to, and who relates to one, each in the order in which they came to be.
//
// When a target is destroyed, the relations to it end, or the sources are destroyed too, or it is
// not destroyed, because it is needed (at_end). In a tree nothing is below itself.
//
// The verbs are for the world's thread and LOCKED inside systems, which record them into it->cmd.
// Questions may be asked in systems that declare to read the relation, also in several at once.
// Results: DEAD for a source or target that is not alive here, or is dying, or about to go with
// others that are being destroyed; INVALID for a type that is no relation; what is wrong with a
// type; NO_MEMORY, and the world is as it was. Ending a relation never needs memory.
#ifndef ILK_RELATION_H
#define ILK_RELATION_H

#include "cmd.h"

#ifdef __cplusplus
extern "C" {
#endif

// What becomes of a source when its target is destroyed.
typedef enum ilk_end {
    ILK_END_RELATION, // it stays, without the relation
    ILK_END_SOURCE,   // it is destroyed too, and so on: all of them or none
    ILK_END_REFUSED   // the target is not destroyed: NEEDED, unless the source goes too
} ilk_end;

// What kind of relation a type is. All zero: to any number of targets, of which each may go.
struct ilk_relation {
    bool is_exclusive; // to one target: another takes its place
    bool is_tree;      // the same, and nothing relates to itself, be it through others
    ilk_end at_end;
    ilk_type* value; // of what each single relation carries, by its hooks; NULL: nothing
};

// The value of a relation, as a component of its source. It changes through the verbs alone.
typedef struct ilk_link {
    ilk_entity target;     // the first, or only one
    uint32_t count;        // of targets
    uint32_t first, depth; // ilk's own
} ilk_link;

#ifndef __cplusplus
// Define a relation, as T_type, once, in a source file; and with members of ilk_relation:
// ILK_RELATION_WITH(Owns, .at_end = ILK_END_SOURCE, .value = &Since_type). T is a name for
// ilk_link, so that ILK_READ(it, T) and ILK_GET(world, e, T) do what they do for any component.
#define ILK_RELATION(T) ILK_RELATION_WITH(T, .value = 0)
#define ILK_RELATION_WITH(T, ...)                                                                  \
    typedef ilk_link T;                                                                            \
    ilk_type T##_type = {.name = #T,                                                               \
                         .size = sizeof(ilk_link),                                                 \
                         .align = _Alignof(ilk_link),                                              \
                         .relation = &(const ilk_relation){__VA_ARGS__}}

// A relation to an entity, as a value: ilk_add, ilk_set, ilk_replace and ilk_spawn relate with it,
// and so do their commands. (Without bytes it would be a relation to nobody, which is INVALID.) An
// exclusive relation is one thing that a source has or has not: ilk_add is EXISTS if it has one, to
// whomever; ilk_set and ilk_replace lead it elsewhere. Of any other relation that to each target is
// a thing of its own: ilk_add is EXISTS, and ilk_replace MISSING, by whether that one is there.
// Whoever is related anew has the relation switched on.
#define ILK_TO(T, entity) ((ilk_value){&T##_type, &(ilk_link){.target = (entity)}})
#endif

// Relate a source to a target; with a value, of which NULL is the default. EXISTS if they are
// related already, and then the old value stays, or because of a name (ilk_set_parent). If the
// relation is exclusive, another target takes the place of the old one. INVALID if the target would
// be below itself in a tree, or if there is a value and the relation carries none. The value is
// moved in, unless the call fails.
ILK_API ilk_result ilk_relate(ilk_world* world, ilk_entity source, ilk_type* type,
                              ilk_entity target);
ILK_API ilk_result ilk_relate_value(ilk_world* world, ilk_entity source, ilk_type* type,
                                    ilk_entity target, const void* bytes);

// Relate a source to a target or, if they are related already, drop the old value for the new one.
// NULL is the default. For a relation that carries no value this is ilk_relate without EXISTS.
ILK_API ilk_result ilk_relation_set(ilk_world* world, ilk_entity source, ilk_type* type,
                                    ilk_entity target, const void* bytes);

// End one relation. MISSING if there is none; EXISTS if it is that to a parent, and the source has
// a name that must be unique where it would be then (name.h). ilk_remove ends all of one type.
ILK_API ilk_result ilk_unrelate(ilk_world* world, ilk_entity source, ilk_type* type,
                                ilk_entity target);

// The same, recorded. A command whose source or target is dead by then is skipped.
ILK_API ilk_result ilk_cmd_relate(ilk_cmd* cmd, ilk_entity source, ilk_type* type,
                                  ilk_entity target);
ILK_API ilk_result ilk_cmd_relate_value(ilk_cmd* cmd, ilk_entity source, ilk_type* type,
                                        ilk_entity target, const void* bytes);
ILK_API ilk_result ilk_cmd_relation_set(ilk_cmd* cmd, ilk_entity source, ilk_type* type,
                                        ilk_entity target, const void* bytes);
ILK_API ilk_result ilk_cmd_unrelate(ilk_cmd* cmd, ilk_entity source, ilk_type* type,
                                    ilk_entity target);

// Whether a source is related to a target.
ILK_API bool ilk_related(const ilk_world* world, ilk_entity source, ilk_type* type,
                         ilk_entity target);

// The first or only target of a source, or null; how many there are; the first `capacity` of them,
// of which the number of all is returned.
ILK_API ilk_entity ilk_target(const ilk_world* world, ilk_entity source, ilk_type* type);
ILK_API uint32_t ilk_target_count(const ilk_world* world, ilk_entity source, ilk_type* type);
ILK_API uint32_t ilk_targets(const ilk_world* world, ilk_entity source, ilk_type* type,
                             ilk_entity* targets, uint32_t capacity);

// The same the other way round: who relates to a target.
ILK_API uint32_t ilk_source_count(const ilk_world* world, ilk_entity target, ilk_type* type);
ILK_API uint32_t ilk_sources(const ilk_world* world, ilk_entity target, ilk_type* type,
                             ilk_entity* sources, uint32_t capacity);

// The sources of a target one by one, at the same cost each; null after the last, or if `source`
// does not relate to the target (any more).
ILK_API ilk_entity ilk_first_source(const ilk_world* world, ilk_entity target, ilk_type* type);
ILK_API ilk_entity ilk_next_source(const ilk_world* world, ilk_entity target, ilk_type* type,
                                   ilk_entity source);

// The value of one relation, for reading and for writing; NULL if there is none, which is reported
// for writing: DEAD, MISSING, INVALID if the relation carries none. It stays where it is until the
// relation ends. Writing marks the source's component as changed, and is told to nobody; LOCKED in
// systems that do not declare to write the relation (.writes), or are parallel.
ILK_API const void* ilk_relation_get(const ilk_world* world, ilk_entity source, ilk_type* type,
                                     ilk_entity target);
ILK_API void* ilk_relation_edit(ilk_world* world, ilk_entity source, ilk_type* type,
                                ilk_entity target);

// The hierarchy: a tree in which whoever is destroyed takes all below it along. Its type is called
// "ChildOf", and a world may know it also if it is restricted.
extern ILK_API ilk_type ilk_child_of_type;
typedef ilk_link ilk_child_of;

// Give an entity a parent, after its other children; null: none. EXISTS if that is its parent
// already, MISSING if it has none and is to have none; INVALID if the parent is itself or below it.
// Where names are unique among siblings, also EXISTS if one who would be its sibling has its name.
ILK_API ilk_result ilk_set_parent(ilk_world* world, ilk_entity e, ilk_entity parent);
ILK_API ilk_result ilk_cmd_set_parent(ilk_cmd* cmd, ilk_entity e, ilk_entity parent);

// Move a child before another child of the same parent; null: to the end. MISSING if it has no
// parent, INVALID if the other is not a child of it. Nobody is told: the component stays as it is.
ILK_API ilk_result ilk_child_move(ilk_world* world, ilk_entity child, ilk_entity before);
ILK_API ilk_result ilk_cmd_child_move(ilk_cmd* cmd, ilk_entity child, ilk_entity before);

// Null if there is none.
ILK_API ilk_entity ilk_parent(const ilk_world* world, ilk_entity e);
ILK_API ilk_entity ilk_first_child(const ilk_world* world, ilk_entity parent);
ILK_API ilk_entity ilk_next_child(const ilk_world* world, ilk_entity child);
ILK_API ilk_entity ilk_previous_child(const ilk_world* world, ilk_entity child);

// How many children; and the first `capacity` of them in order, of which the number of all is
// returned.
ILK_API uint32_t ilk_child_count(const ilk_world* world, ilk_entity parent);
ILK_API uint32_t ilk_children(const ilk_world* world, ilk_entity parent, ilk_entity* children,
                              uint32_t capacity);

// Whoever has no parent above an entity, perhaps itself; null for a dead one.
ILK_API ilk_entity ilk_root_of(const ilk_world* world, ilk_entity e);

// Whether an entity is below another, which is not itself.
ILK_API bool ilk_is_below(const ilk_world* world, ilk_entity e, ilk_entity ancestor);

// The nearest above an entity, in any tree, that has a component, as ilk_has tells: switched on or
// off, active or not. (A query with .relates and .up takes what is off, or inactive, for absent.)
// Null if there is none. In a system that declares to read both types.
ILK_API ilk_entity ilk_up(const ilk_world* world, ilk_entity e, ilk_type* tree, ilk_type* having);

// How many are above an entity; at once, however many they are. 0 for a root or a dead one.
ILK_API uint32_t ilk_depth(const ilk_world* world, ilk_entity e);

// The first `capacity` of those above an entity: its parent, then that one's, up to the root; the
// number of all is returned. To walk:
//     for (ilk_entity a = ilk_parent(world, e); !ilk_is_null(a); a = ilk_parent(world, a))
ILK_API uint32_t ilk_above(const ilk_world* world, ilk_entity e, ilk_entity* entities,
                           uint32_t capacity);

// All from a root down, itself first: each before its children, and next to them what is below it
// (depth first), or all of one depth before the next one (breadth first).
typedef enum ilk_walk {
    ILK_WALK_DEPTH,
    ILK_WALK_BREADTH
} ilk_walk;

// Who comes after an entity, depth first, among all from a root down; null after the last. To walk:
//     for (ilk_entity e = root; !ilk_is_null(e); e = ilk_next_below(world, e, root))
ILK_API ilk_entity ilk_next_below(const ilk_world* world, ilk_entity e, ilk_entity root);

// The first `capacity` of them; the number of all is returned, 0 for a dead root. (Breadth first,
// where not all have room, each depth is a walk from the root.)
ILK_API uint32_t ilk_below(const ilk_world* world, ilk_entity root, ilk_walk how,
                           ilk_entity* entities, uint32_t capacity);

// Calls a function for each of them, which must not change the tree; false ends the walk. (Breadth
// first each depth is a walk from the root: ilk_below is quicker where there is room.)
typedef bool ilk_visit_fn(const ilk_world* world, ilk_entity e, void* user);
ILK_API void ilk_visit_below(const ilk_world* world, ilk_entity root, ilk_walk how,
                             ilk_visit_fn* visit, void* user);

#ifdef __cplusplus
}
#endif
#endif
