// Relations in a snapshot: edges and heads are guarded by page; tables are made anew.
#include <string.h>

#include "history.h"

static size_t bytes_of_edges(const void* owner) {
    const ilki_edges* edges = owner;
    uint32_t pages = (edges->used + ILKI_PAGE_EDGES - 1) / ILKI_PAGE_EDGES;
    return pages * ilki_edge_page_bytes(edges);
}

static size_t room_of_edges(const void* owner) {
    const ilki_edges* edges = owner;
    return edges->page_count * ilki_edge_page_bytes(edges);
}

static void* edges_at(void* owner, uint32_t page) {
    const ilki_edges* edges = owner;
    return page < edges->page_count ? edges->pages[page] : NULL;
}

static bool ready_edges(ilk_world* world, void* owner, uint32_t page) {
    return ilki_edges_ready_to_be(owner, &world->storage.pool, page + 1, 0);
}

static void vacate_edges(void* owner, uint32_t page) {
    ilki_edge_page_vacate(owner, page);
}

static void copy_edges(const void* owner, void* to, const void* from) {
    ilki_edge_page_copy_values(owner, to, from);
}

static void drop_edges(const void* owner, void* page) {
    ilki_edge_page_drop_values(owner, page);
}

static size_t bytes_of_heads(const void* owner) {
    return ((const ilki_heads*)owner)->page_capacity * sizeof(ilki_head_page);
}

static void* heads_at(void* owner, uint32_t page) {
    const ilki_heads* heads = owner;
    return page < heads->page_capacity ? heads->pages[page] : NULL;
}

static bool ready_heads(ilk_world* world, void* owner, uint32_t page) {
    return ilki_heads_ready(owner, &world->storage.pool, page * ILKI_PAGE_HEADS);
}

static void vacate_heads(void* owner, uint32_t page) {
    memset(((ilki_heads*)owner)->pages[page], 0, sizeof(ilki_head_page));
}

static bool meet_relation(ilki_history* history, ilki_relation* relation) {
    ilki_edges* edges = &relation->edges;
    return ilki_sheet_meet(history, (ilki_sheet){.guard = &edges->guard,
                                                 .owner = edges,
                                                 .page_bytes = ilki_edge_page_bytes(edges),
                                                 .align = ilki_edge_page_align(edges),
                                                 .bytes = bytes_of_edges,
                                                 .room = room_of_edges,
                                                 .at = edges_at,
                                                 .ready = ready_edges,
                                                 .vacate = vacate_edges,
                                                 .copy = copy_edges,
                                                 .drop = drop_edges}) &&
           ilki_sheet_meet(history, (ilki_sheet){.guard = &relation->heads.guard,
                                                 .owner = &relation->heads,
                                                 .page_bytes = sizeof(ilki_head_page),
                                                 .align = _Alignof(ilki_head_page),
                                                 .bytes = bytes_of_heads,
                                                 .room = bytes_of_heads,
                                                 .at = heads_at,
                                                 .ready = ready_heads,
                                                 .vacate = vacate_heads});
}

bool ilki_relations_meet(ilki_history* history) {
    const ilki_relations* relations = &history->world->relations;
    uint32_t met = (history->sheet_count - ILKI_SHEETS_BEFORE) / 2;
    for (uint32_t i = met; i < relations->count; i++) {
        if (meet_relation(history, relations->list[i])) continue;
        history->sheet_count = ILKI_SHEETS_BEFORE + 2 * i;
        return false;
    }
    return true;
}

void ilki_relations_cut(const ilk_world* world, ilk_snapshot* snapshot, ilki_cutter* cutter) {
    uint32_t count = world->relations.count;
    snapshot->relation_count = count;
    snapshot->edges = ilki_cut(cutter, count, sizeof *snapshot->edges);
    for (uint32_t i = 0; snapshot->edges && i < count; i++) {
        snapshot->edges[i] = world->relations.list[i]->edges;
    }
}

bool ilki_relations_ready_to_restore(ilk_world* world, const ilk_snapshot* snapshot) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < snapshot->relation_count; i++) edges += snapshot->edges[i].count;
    if (edges && !ilki_ready_for_dooms(&world->relations, &world->storage, edges,
                                       snapshot->storage.index.slots)) {
        return false;
    }
    for (uint32_t i = 0; i < snapshot->relation_count; i++) {
        if (!ilki_edges_ready_to_be(&world->relations.list[i]->edges, &world->storage.pool, 0,
                                    snapshot->edges[i].entered)) {
            return false;
        }
    }
    return true;
}

// After the pages are as they were. Relations that were made since have no edges.
void ilki_relations_restore(ilk_world* world, const ilk_snapshot* snapshot) {
    static const ilki_edges none = {.free = ILKI_NONE};
    for (uint32_t i = 0; i < world->relations.count; i++) {
        bool was_there = i < snapshot->relation_count;
        ilki_edges_become(&world->relations.list[i]->edges,
                          was_there ? &snapshot->edges[i] : &none);
    }
}
