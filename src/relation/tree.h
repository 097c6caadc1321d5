// Trees: relations in which nothing is below itself. A source is a child, its target the parent.
#ifndef ILKI_TREE_H
#define ILKI_TREE_H

#include "links.h"

// The slot above another one, or ILKI_NONE.
uint32_t ilki_tree_parent(const ilki_storage* storage, const ilki_relation* relation,
                          uint32_t slot);

// How many are above a slot.
uint32_t ilki_tree_depth(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot);

// Whether a slot is another one, or below it.
bool ilki_tree_is_within(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                         uint32_t above);

// The slot that comes after another one, depth first, among all from a root down, of which those
// more than `levels` below it are left out; or ILKI_NONE. (Without a bound, ILKI_NONE, it does not
// look at depths.)
uint32_t ilki_tree_next(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                        uint32_t root, uint32_t levels);

// The siblings after and before the slot of an edge; or ILKI_NONE.
uint32_t ilki_tree_sibling(const ilki_relation* relation, uint32_t edge, bool is_after);

// Gives a slot the depth that it has by its link, which is new, and all below it theirs. If the
// slot above has a link whose edge is still to come, they get theirs with that one: so each gets it
// once, in whatever order the relations of many are made. The same for one that is about to lose
// its link.
void ilki_tree_place(ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                     ilk_link* link);
void ilki_tree_uproot(ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                      ilk_link* link);

#endif
