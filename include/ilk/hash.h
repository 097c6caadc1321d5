// Hashes of what a world holds, and the first difference between two worlds: for lock-step, where
// machines compare numbers in place of worlds; for replays; for tests.
//
//     if (ilk_hash(here) != ilk_hash(there)) {
//         ilk_divergence first;
//         ilk_diverge(here, there, &first);
//         puts(first.text); // "entity 12:1 Position.y is 3.5 in world "a", and 3 in world "b""
//     }
//
// What counts of a value: what the `hash` hook of its type says, if it has one. Otherwise the
// fields that the type describes, and nothing between them; pointers are left out. Where nothing is
// described, be it a whole value or a field of kind bytes, its bytes, with whatever is in their
// padding; but of a type that has a hook to copy or drop these are left out, since they say where
// something is, not what, and so are values of a type that is `.unrecorded`. Numbers of floating
// point count by their bits: 0 and -0 differ, and so do values that are no numbers. Where all
// fields are described, or a hook sees to it, a hash is the same on every machine, by every
// compiler, in every run.
//
// A hash is made again only where something was written since the tick in which it was last made
// (ilk_tick, and each system, begin another one): a world of which a hundredth changes costs a
// hundredth. For that the world keeps 32 bytes for each block; without memory for them, everything
// is hashed, and so it is inside a system. Two worlds that differ have the same hash by a chance of
// 1 in 2^64; who can choose what they hold can make such.
//
// Everything here only reads the worlds, and is for their thread. It may be called inside a system;
// where the world has workers, in one that runs alone because it declares nothing. Iterators that
// are open, observers, queries and the systems themselves do not count.
#ifndef ILK_HASH_H
#define ILK_HASH_H

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

// The hash of what can be asked of a world, wherever it lies: who is alive, who has which
// components, their values and whether they are switched on, who is inactive or dying, who relates
// to whom, with which value and in which order, names (also which of several of one name is found
// first), ids, resources, and values of types that were taken out. 0 without a world.
ILK_API uint64_t ilk_hash(const ilk_world* world);

// The same and what decides what will be: in which chunk and row everybody lies, the holes, which
// handles come next, how far settling has come; events that wait, and who has yet to read them;
// time (frames, steps, what is left of one, how long systems with an interval have waited), and the
// order of resources. Two worlds in which the same happened have the same, however many workers
// they have and whether or not ticks were begun or hashes made in between; on other machines too if
// types have the same size there. 0 without a world.
ILK_API uint64_t ilk_hash_layout(const ilk_world* world);

// The hash of one component over the world: who has it, with what value. If nobody has, that of its
// name alone. 0 without a world or a type.
ILK_API uint64_t ilk_hash_of(const ilk_world* world, ilk_type* type);

// In which respect two worlds differ first, in this order: by entity, the lowest index first; of
// each by component, in order of first use in the first world; then by the rest.
typedef enum ilk_difference {
    ILK_DIFFERENCE_NONE,
    ILK_DIFFERENCE_ALIVE,     // an entity is alive in one of them
    ILK_DIFFERENCE_COMPONENT, // it has a component in one of them
    ILK_DIFFERENCE_ENABLED,   // which is switched on in one of them
    ILK_DIFFERENCE_VALUE,     // or has another value: a field, or all of it
    ILK_DIFFERENCE_TARGETS,   // or, for a relation, other targets, or the same in another order
    ILK_DIFFERENCE_SOURCES,   // those who relate to an entity do so in another order
    ILK_DIFFERENCE_RESOURCE,  // a resource is there in one of them, or has another value
    ILK_DIFFERENCE_KEPT,      // a value of a type that was taken out
    ILK_DIFFERENCE_LAYOUT     // all of this is the same, but not what will be
} ilk_difference;

// Bytes of each value in an ilk_divergence, with the final zero.
#define ILK_DIFFERENCE_TEXT 120u

// Where two worlds differ first, and how.
typedef struct ilk_divergence {
    ilk_difference what;
    ilk_entity entity; // or null
    ilk_type* type;    // or NULL
    const char* field; // its name, which lives as long as the type; or NULL
    uint32_t element;  // of a field that is an array
    char a[ILK_DIFFERENCE_TEXT], b[ILK_DIFFERENCE_TEXT]; // what it is in each of them
    char text[512];                                      // the whole as a sentence
} ilk_divergence;

// Find the first difference of two worlds. OK, and `*first` says where it is, and that there is
// none if `what` is 0: then their hashes are the same. INVALID without a world, or without `first`.
// Blocks whose hashes agree are passed over. (Blocks are compared by hashes, and entities by
// values.)
ILK_API ilk_result ilk_diverge(const ilk_world* a, const ilk_world* b, ilk_divergence* first);

// The same as text for people: the sentence, and what the entity is in each of the worlds. At most
// `size` bytes are written, with the final zero (NULL and 0 are allowed). Returns the whole length
// without it; 0 without a world.
ILK_API size_t ilk_diverge_text(const ilk_world* a, const ilk_world* b, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
