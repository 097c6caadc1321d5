#include "tree.h"

uint32_t ilki_tree_parent(const ilki_storage* storage, const ilki_relation* relation,
                          uint32_t slot) {
    const ilk_link* link = ilki_link_at(storage, relation, slot);
    return link ? link->target.index : ILKI_NONE;
}

uint32_t ilki_tree_depth(const ilki_storage* storage, const ilki_relation* relation,
                         uint32_t slot) {
    const ilk_link* link = ilki_link_at(storage, relation, slot);
    return link ? link->depth : 0;
}

bool ilki_tree_is_within(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                         uint32_t above) {
    while (slot != above && slot != ILKI_NONE) slot = ilki_tree_parent(storage, relation, slot);
    return slot == above;
}

static uint32_t first_child(const ilki_relation* relation, uint32_t slot) {
    ilki_head head = ilki_head_of(&relation->heads, slot);
    return head.count ? ilki_edge_at(&relation->edges, head.first)->source : ILKI_NONE;
}

uint32_t ilki_tree_sibling(const ilki_relation* relation, uint32_t edge, bool is_after) {
    const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
    uint32_t first = ilki_head_of(&relation->heads, at->target).first;
    uint32_t other = is_after ? at->next_source : at->previous_source;
    if ((is_after ? other : edge) == first) return ILKI_NONE;
    return ilki_edge_at(&relation->edges, other)->source;
}

uint32_t ilki_tree_next(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                        uint32_t root, uint32_t levels) {
    bool goes_down = levels == ILKI_NONE || ilki_tree_depth(storage, relation, slot) -
                                                    ilki_tree_depth(storage, relation, root) <
                                                levels;
    uint32_t next = goes_down ? first_child(relation, slot) : ILKI_NONE;
    while (next == ILKI_NONE && slot != root) {
        const ilk_link* link = ilki_link_at(storage, relation, slot);
        if (!link) return ILKI_NONE; // the slot was not below the root
        next = ilki_tree_sibling(relation, link->first, true);
        slot = link->target.index;
    }
    return next;
}

// Gives all below a slot, whose own depth is right, theirs.
static void deepen_below(ilki_storage* storage, const ilki_relation* relation, uint32_t root) {
    uint32_t slot = root;
    while ((slot = ilki_tree_next(storage, relation, slot, root, ILKI_NONE)) != ILKI_NONE) {
        uint32_t chunk = ilki_chunk_of(ilki_record_at(&storage->view.index, slot)->place);
        ilk_link* link = ilki_link_at(storage, relation, slot);
        ilki_touch(storage, ilki_block_at(relation->directory, chunk));
        link->depth = ilki_tree_depth(storage, relation, link->target.index) + 1;
    }
}

void ilki_tree_place(ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                     ilk_link* link) {
    const ilk_link* above = ilki_link_at(storage, relation, link->target.index);
    if (above && !above->count) return;
    uint32_t depth = above ? above->depth + 1 : 1;
    bool is_moved = link->depth != depth;
    link->depth = depth;
    if (is_moved && ilki_head_of(&relation->heads, slot).count) {
        deepen_below(storage, relation, slot);
    }
}

void ilki_tree_uproot(ilki_storage* storage, const ilki_relation* relation, uint32_t slot,
                      ilk_link* link) {
    link->depth = 0;
    deepen_below(storage, relation, slot);
}
