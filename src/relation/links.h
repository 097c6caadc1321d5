// Links: the relations of one type in a world, as edges, and as the components of their sources.
//
// Invariants, checked by ilk_world_validate:
//   – a source has the component exactly if edges are its own; `first` of its link is the first of
//     them, in a ring of `count`, and `target` the entity that it leads to;
//   – the head of a slot has the first edge to it, in a ring of as many as it counts; each slot
//     that edges lead to is alive, and noted as a target (storage.h);
//   – no two edges have the same ends; a source of an exclusive relation has one; the table finds
//     each edge whose source has several, and has no others;
//   – in a tree nothing is below itself, and `depth` of a link counts those above; elsewhere 0.
#ifndef ILKI_LINKS_H
#define ILKI_LINKS_H

#include <ilk/relation.h>

#include "../storage/place.h"
#include "edges.h"
#include "heads.h"

typedef struct ilki_relation {
    ilki_directory* directory; // of the component
    const ilk_relation* rule;
    ilki_edges edges;
    ilki_heads heads;
    uint64_t changes; // how often an edge came, went or was led elsewhere
} ilki_relation;

// The relations of a world, in order of their types' numbers.
typedef struct ilki_relations {
    ilki_relation** list;
    uint32_t count, capacity;
    ilk_entity* doomed; // who is to be destroyed with others (doom.h): the last one first
    uint32_t doomed_count, doomed_capacity;
    uint64_t* marks; // by slot: whether it is among them, or in a list that goes as one
    uint32_t mark_words, marked;
} ilki_relations;

// Makes room for a relation of a type that is about to be introduced, and takes it in when it was.
// NULL without memory.
ilki_relation* ilki_relation_make(ilki_relations* relations, ilki_storage* storage,
                                  const ilk_type* type);
void ilki_relation_enter(ilki_relations* relations, ilki_relation* relation,
                         ilki_directory* directory);
void ilki_relation_free(ilki_storage* storage, ilki_relation* relation);

// Ends all relations, without a look at the components, which are about to go; gives back what is
// held for later use; frees everything.
void ilki_relations_clear(ilki_relations* relations, ilki_storage* storage);
void ilki_relations_trim(ilki_relations* relations, ilki_storage* storage);
void ilki_relations_fini(ilki_relations* relations, ilki_storage* storage);

// The component of a source, or NULL if it has none.
ilk_link* ilki_link_at(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot);

// The entity in a slot that is alive.
ILKI_INLINE ilk_entity ilki_entity_in(const ilki_storage* storage, uint32_t slot) {
    return (ilk_entity){slot, ilki_record_at(&storage->view.index, slot)->generation};
}

// The edge from a source, which has this link, to a slot; or ILKI_NONE.
uint32_t ilki_link_find(const ilki_relation* relation, uint32_t source, const ilk_link* link,
                        uint32_t target);

// Makes sure that so many more relations to a target need no memory.
bool ilki_ready_to_link(ilki_storage* storage, ilki_relation* relation, uint32_t target,
                        uint32_t count);

// Adds an edge to a target, for which there must be room, to the link of a source, which is all
// zero if it is the first. The value is moved from the bytes, or the default without them; it is
// the caller's to fill if `fills` is false. Returns the edge.
uint32_t ilki_link_add(ilki_storage* storage, ilki_relation* relation, uint32_t source,
                       ilk_link* link, uint32_t target, const void* bytes, bool fills);

// The same with a copy of a value, which is returned; or with the default without one, and NULL.
void* ilki_link_add_copy(ilki_storage* storage, ilki_relation* relation, uint32_t source,
                         ilk_link* link, uint32_t target, const void* value);

// Leads the only edge of a link to another target. The value stays.
void ilki_link_turn(ilki_storage* storage, ilki_relation* relation, uint32_t source, ilk_link* link,
                    uint32_t target);

// Ends one of several relations of a source.
void ilki_link_drop(ilki_storage* storage, ilki_relation* relation, ilk_link* link, uint32_t edge);

// Ends all relations of a source that is about to go. Whoever is below it goes too, and keeps its
// depth until then.
void ilki_link_leave(ilki_storage* storage, ilki_relation* relation, const ilk_link* link);

// Ends all relations of a source: what storage calls when the component goes.
void ilki_link_cut(ilki_storage* storage, const ilki_directory* directory, uint32_t place);

// Moves an edge within the ring of its target: before another one, or to the end.
void ilki_link_move(ilki_storage* storage, ilki_relation* relation, uint32_t edge, uint32_t before);

#endif
