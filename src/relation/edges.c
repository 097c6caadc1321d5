#include "edges.h"

#include <string.h>

void ilki_edges_init(ilki_edges* edges, const ilk_type* value, bool has_table) {
    *edges = (ilki_edges){.free = ILKI_NONE, .value = value, .has_table = has_table};
    if (!value) return;
    edges->value_at = (sizeof(ilki_edge_page) + value->align - 1) & ~(value->align - 1);
}

size_t ilki_edge_page_bytes(const ilki_edges* edges) {
    return edges->value ? edges->value_at + ILKI_PAGE_EDGES * edges->value->size
                        : sizeof(ilki_edge_page);
}

size_t ilki_edge_page_align(const ilki_edges* edges) {
    size_t align = edges->value ? edges->value->align : 1;
    return align > _Alignof(ilki_edge_page) ? align : _Alignof(ilki_edge_page);
}

static void free_edge_page(ilki_edges* edges, ilki_pool* pool) {
    ilki_guard_pass(&edges->guard, edges->page_count - 1);
    ilki_pool_free(pool, ILKI_EDGES, edges->pages[--edges->page_count], ilki_edge_page_bytes(edges),
                   ilki_edge_page_align(edges));
}

static void free_table(ilki_edges* edges, ilki_pool* pool) {
    ilki_pool_free(pool, ILKI_EDGES, edges->table, edges->table_capacity * sizeof *edges->table, 1);
    edges->table = NULL;
    edges->table_capacity = edges->entered = 0;
}

static void* value_in_page(const ilki_edges* edges, const ilki_edge_page* page, uint32_t at) {
    return (unsigned char*)(uintptr_t)page + edges->value_at + at * edges->value->size;
}

void ilki_edge_page_copy_values(const ilki_edges* edges, ilki_edge_page* to,
                                const ilki_edge_page* from) {
    for (uint32_t i = 0; edges->value && edges->value->hooks.copy && i < ILKI_PAGE_EDGES; i++) {
        if (from->edges[i].source == ILKI_NONE) continue;
        ilki_value_copy(edges->value, value_in_page(edges, to, i), value_in_page(edges, from, i));
    }
}

void ilki_edge_page_drop_values(const ilki_edges* edges, ilki_edge_page* page) {
    for (uint32_t i = 0; edges->value && edges->value->hooks.drop && i < ILKI_PAGE_EDGES; i++) {
        if (page->edges[i].source == ILKI_NONE) continue;
        ilki_value_drop(edges->value, value_in_page(edges, page, i));
    }
}

static void drop_carried(ilki_edges* edges) {
    ilki_guard_pass_from(&edges->guard, 0);
    for (uint32_t i = 0; i < edges->page_count; i++) {
        ilki_edge_page_drop_values(edges, edges->pages[i]);
    }
}

void ilki_edges_fini(ilki_edges* edges, ilki_pool* pool) {
    drop_carried(edges);
    while (edges->page_count) free_edge_page(edges, pool);
    ilki_free(pool->memory, ILKI_EDGES, edges->pages, edges->page_capacity * sizeof *edges->pages,
              _Alignof(max_align_t));
    free_table(edges, pool);
    ilki_guard guard = edges->guard;
    ilki_edges_init(edges, edges->value, edges->has_table);
    edges->guard = guard;
}

size_t ilki_edges_bytes(const ilki_edges* edges) {
    return edges->page_count * ilki_edge_page_bytes(edges) +
           edges->page_capacity * sizeof *edges->pages +
           edges->table_capacity * sizeof *edges->table;
}

static bool add_edge_page(ilki_edges* edges, ilki_pool* pool) {
    if (!ilki_grow(pool->memory, ILKI_EDGES, &edges->pages, &edges->page_capacity,
                   edges->page_count + 1, sizeof *edges->pages)) {
        return false;
    }
    ilki_edge_page* page =
        ilki_pool_alloc(pool, ILKI_EDGES, ilki_edge_page_bytes(edges), ilki_edge_page_align(edges));
    if (!page) return false;
    page->touched = 0;
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES; i++) page->edges[i].source = ILKI_NONE;
    edges->pages[edges->page_count++] = page;
    return true;
}

static uint32_t hash_of_ends(uint32_t source, uint32_t target) {
    uint64_t hash = ((uint64_t)source << 32 | target) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32 ^ hash >> 58);
}

static uint32_t hash_of_edge(const ilki_edges* edges, uint32_t edge) {
    const ilki_edge* at = ilki_edge_at(edges, edge);
    return hash_of_ends(at->source, at->target);
}

static void enter_table(ilki_edges* edges, uint32_t edge) {
    uint32_t mask = edges->table_capacity - 1, at = hash_of_edge(edges, edge) & mask;
    while (edges->table[at]) at = (at + 1) & mask;
    edges->table[at] = edge + 1;
    edges->entered++;
}

// Gives the table another size, and enters all again. False, and nothing changed, without memory.
static bool resize_table(ilki_edges* edges, ilki_pool* pool, uint32_t capacity) {
    size_t bytes = capacity * sizeof *edges->table;
    uint32_t* table = ilki_pool_alloc(pool, ILKI_EDGES, bytes, 1);
    if (!table) return false;
    free_table(edges, pool);
    memset(table, 0, bytes);
    edges->table = table;
    edges->table_capacity = capacity;
    for (uint32_t i = 0; i < edges->used; i++) {
        bool is_taken = ilki_edge_at(edges, i)->source != ILKI_NONE;
        if (is_taken && !ilki_edge_is_only(edges, i)) enter_table(edges, i);
    }
    return true;
}

static uint32_t table_size(uint64_t count) {
    uint32_t capacity = 16;
    while (capacity < count * 2) capacity *= 2;
    return capacity;
}

static bool table_ready(ilki_edges* edges, ilki_pool* pool, uint64_t count) {
    if (!edges->has_table || count * 2 <= edges->table_capacity) return true;
    return resize_table(edges, pool, table_size(count));
}

bool ilki_edges_ready_slow(ilki_edges* edges, ilki_pool* pool, uint32_t count) {
    uint64_t needed = (uint64_t)edges->count + count;
    if (needed >= ILKI_NONE / 4) return false;
    while ((uint64_t)edges->page_count * ILKI_PAGE_EDGES < needed) {
        if (!add_edge_page(edges, pool)) return false;
    }
    return table_ready(edges, pool, ilki_edges_entered(edges, count));
}

uint32_t ilki_edge_take(ilki_edges* edges, uint32_t source, uint32_t target, uint64_t tick) {
    uint32_t taken = edges->free;
    if (taken == ILKI_NONE)
        taken = edges->used++;
    else
        edges->free = ilki_edge_at(edges, taken)->target;
    ilki_edge* edge = ilki_edge_edit(edges, taken, tick);
    *edge = (ilki_edge){source, target, taken, taken, taken, taken};
    edges->count++;
    return taken;
}

uint32_t ilki_edge_find(const ilki_edges* edges, uint32_t source, uint32_t target) {
    uint32_t mask = edges->table_capacity - 1, at = hash_of_ends(source, target);
    if (!edges->entered) return ILKI_NONE;
    for (;; at++) {
        uint32_t found = edges->table[at & mask];
        if (!found) return ILKI_NONE;
        const ilki_edge* edge = ilki_edge_at(edges, found - 1);
        if (edge->source == source && edge->target == target) return found - 1;
    }
}

// Takes an edge out of the table: those after it that could not be found across the gap move up.
static void leave_table(ilki_edges* edges, uint32_t edge) {
    uint32_t mask = edges->table_capacity - 1, gap = hash_of_edge(edges, edge) & mask;
    while (edges->table[gap] != edge + 1) gap = (gap + 1) & mask;
    for (uint32_t at = (gap + 1) & mask; edges->table[at]; at = (at + 1) & mask) {
        uint32_t ideal = hash_of_edge(edges, edges->table[at] - 1) & mask;
        if (((at - ideal) & mask) < ((at - gap) & mask)) continue;
        edges->table[gap] = edges->table[at];
        gap = at;
    }
    edges->table[gap] = 0;
    edges->entered--;
}

void ilki_edge_free(ilki_edges* edges, uint32_t edge, uint64_t tick) {
    ilki_edge* at = ilki_edge_edit(edges, edge, tick);
    if (edges->value) ilki_value_drop(edges->value, ilki_edge_value(edges, edge));
    at->source = ILKI_NONE;
    at->target = edges->free;
    edges->free = edge;
    edges->count--;
}

void ilki_edge_join_source(ilki_edges* edges, uint32_t edge, uint32_t first, uint64_t tick) {
    uint32_t last = ilki_edge_at(edges, first)->previous_target;
    ilki_edge* at = ilki_edge_edit(edges, edge, tick);
    if (last == first) enter_table(edges, first);
    at->next_target = first;
    at->previous_target = last;
    ilki_edge_edit(edges, last, tick)->next_target = edge;
    ilki_edge_edit(edges, first, tick)->previous_target = edge;
    enter_table(edges, edge);
}

void ilki_edge_join_target(ilki_edges* edges, uint32_t edge, uint32_t first, uint64_t tick) {
    uint32_t last = ilki_edge_at(edges, first)->previous_source;
    ilki_edge* at = ilki_edge_edit(edges, edge, tick);
    at->next_source = first;
    at->previous_source = last;
    ilki_edge_edit(edges, last, tick)->next_source = edge;
    ilki_edge_edit(edges, first, tick)->previous_source = edge;
}

void ilki_edge_leave_source(ilki_edges* edges, uint32_t edge, uint64_t tick) {
    if (ilki_edge_is_only(edges, edge)) return;
    ilki_edge* at = ilki_edge_edit(edges, edge, tick);
    uint32_t next = at->next_target;
    leave_table(edges, edge);
    ilki_edge_edit(edges, at->previous_target, tick)->next_target = next;
    ilki_edge_edit(edges, next, tick)->previous_target = at->previous_target;
    at->next_target = at->previous_target = edge;
    if (ilki_edge_is_only(edges, next)) leave_table(edges, next);
}

void ilki_edge_leave_target(ilki_edges* edges, uint32_t edge, uint64_t tick) {
    ilki_edge* at = ilki_edge_edit(edges, edge, tick);
    ilki_edge_edit(edges, at->previous_source, tick)->next_source = at->next_source;
    ilki_edge_edit(edges, at->next_source, tick)->previous_source = at->previous_source;
    at->next_source = at->previous_source = edge;
}

// Makes the list of free edges anew, the lowest first.
static void relist(ilki_edges* edges) {
    edges->free = ILKI_NONE;
    for (uint32_t i = edges->used; i-- > 0;) {
        ilki_edge* at = ilki_edge_at(edges, i);
        if (at->source != ILKI_NONE) continue;
        ilki_guard_pass(&edges->guard, i / ILKI_PAGE_EDGES);
        at->target = edges->free;
        edges->free = i;
    }
}

void ilki_edges_trim(ilki_edges* edges, ilki_pool* pool) {
    while (edges->used && ilki_edge_at(edges, edges->used - 1)->source == ILKI_NONE) edges->used--;
    relist(edges);
    uint32_t needed = (edges->used + ILKI_PAGE_EDGES - 1) / ILKI_PAGE_EDGES;
    while (edges->page_count > needed) free_edge_page(edges, pool);
    if (!edges->count)
        ilki_edges_fini(edges, pool);
    else if (table_size(edges->entered) < edges->table_capacity)
        resize_table(edges, pool, table_size(edges->entered));
}

bool ilki_edges_ready_to_be(ilki_edges* edges, ilki_pool* pool, uint32_t pages, uint32_t entered) {
    while (edges->page_count < pages) {
        if (!add_edge_page(edges, pool)) return false;
    }
    return table_ready(edges, pool, entered);
}

void ilki_edge_page_vacate(ilki_edges* edges, uint32_t page) {
    ilki_edge_page* at = edges->pages[page];
    ilki_edge_page_drop_values(edges, at);
    at->touched = 0;
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES; i++) at->edges[i].source = ILKI_NONE;
}

void ilki_edges_become(ilki_edges* edges, const ilki_edges* was) {
    edges->used = was->used;
    edges->count = was->count;
    edges->free = was->free;
    edges->entered = 0;
    if (!edges->table) return;
    memset(edges->table, 0, edges->table_capacity * sizeof *edges->table);
    for (uint32_t i = 0; i < edges->used; i++) {
        bool is_taken = ilki_edge_at(edges, i)->source != ILKI_NONE;
        if (is_taken && !ilki_edge_is_only(edges, i)) enter_table(edges, i);
    }
}
