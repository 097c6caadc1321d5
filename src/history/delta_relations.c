// Relations in a delta: for each relation that differs, who relates to whom, and in which order.
//
// Edges have other numbers in other worlds, so they are not sent: for each target whose sources,
// and each source whose targets, are others or in another order, it is sent what the list has in
// place of the middle of the old one; then the values of relations that are new, or differ. A list
// that is not sent is what it was. Links, heads, depths and marks of targets follow.
//
// A ring is told by its edges and by which of them is the first: of two snapshots both are
// compared.
#include <string.h>

#include "delta.h"

static uint32_t sheet_of_edges(const ilki_relation* relation) {
    return relation->edges.guard.number;
}

static uint32_t sheet_of_heads(const ilki_relation* relation) {
    return relation->heads.guard.number;
}

// Writing

// One relation that is being written.
typedef struct tie_writing {
    ilki_differ* d;
    const ilki_relation* relation;
    uint64_t *sources, *targets; // slots that may have other edges
    uint32_t slots;
} tie_writing;

static const ilki_edge free_edge = {.source = ILKI_NONE};

static const ilki_edge* past_edge(const tie_writing* w, ilk_snapshot* snapshot, uint32_t edge) {
    const ilki_edge_page* page =
        ilki_past_page(snapshot, sheet_of_edges(w->relation), edge / ILKI_PAGE_EDGES);
    return page ? &page->edges[edge % ILKI_PAGE_EDGES] : &free_edge;
}

static const unsigned char* past_edge_value(const tie_writing* w, ilk_snapshot* snapshot,
                                            uint32_t edge) {
    const unsigned char* page =
        ilki_past_page(snapshot, sheet_of_edges(w->relation), edge / ILKI_PAGE_EDGES);
    const ilki_edges* edges = &w->relation->edges;
    return page + edges->value_at + edge % ILKI_PAGE_EDGES * edges->value->size;
}

static ilki_head past_head(const tie_writing* w, ilk_snapshot* snapshot, uint32_t slot) {
    const ilki_head_page* page =
        ilki_past_page(snapshot, sheet_of_heads(w->relation), slot / ILKI_PAGE_HEADS);
    return page ? page->heads[slot % ILKI_PAGE_HEADS] : (ilki_head){0, 0};
}

static void mark_ends(const tie_writing* w, const ilki_edge* edge) {
    if (edge->source == ILKI_NONE) return;
    ilki_bit_set(w->sources, edge->source);
    ilki_bit_set(w->targets, edge->target);
}

static bool same_edges(const tie_writing* w, uint32_t edge, const ilki_edge* a,
                       const ilki_edge* b) {
    if (memcmp(a, b, sizeof *a) != 0) return false;
    const ilk_type* value = w->relation->edges.value;
    return a->source == ILKI_NONE || !value ||
           memcmp(past_edge_value(w, w->d->from, edge), past_edge_value(w, w->d->to, edge),
                  value->size) == 0;
}

static uint32_t edges_used(const ilk_snapshot* snapshot, uint32_t relation) {
    return snapshot && relation < snapshot->relation_count ? snapshot->edges[relation].used : 0;
}

// Marks the ends of all edges that differ. Whether there are any.
static bool mark_edges(const tie_writing* w, uint32_t number) {
    uint32_t a = edges_used(w->d->from, number), b = edges_used(w->d->to, number);
    bool is_any = false;
    for (uint32_t edge = 0; edge < a || edge < b; edge++) {
        uint32_t page = edge / ILKI_PAGE_EDGES;
        bool is_same = ilki_same_page(w->d->from, w->d->to, sheet_of_edges(w->relation), page);
        if (edge % ILKI_PAGE_EDGES == 0 && is_same) {
            edge += ILKI_PAGE_EDGES - 1;
            continue;
        }
        const ilki_edge* was = edge < a ? past_edge(w, w->d->from, edge) : &free_edge;
        const ilki_edge* is = edge < b ? past_edge(w, w->d->to, edge) : &free_edge;
        if (same_edges(w, edge, was, is)) continue;
        mark_ends(w, was);
        mark_ends(w, is);
        is_any = true;
    }
    return is_any;
}

static bool mark_heads_in(const tie_writing* w, uint32_t page) {
    bool is_any = false;
    if (ilki_same_page(w->d->from, w->d->to, sheet_of_heads(w->relation), page)) return false;
    for (uint32_t i = 0; i < ILKI_PAGE_HEADS; i++) {
        uint32_t slot = page * ILKI_PAGE_HEADS + i;
        ilki_head was = past_head(w, w->d->from, slot), is = past_head(w, w->d->to, slot);
        bool is_same = was.count == is.count && (!was.count || was.first == is.first);
        if (is_same) continue;
        ilki_bit_set(w->targets, slot);
        is_any = true;
    }
    return is_any;
}

static uint32_t head_pages(const tie_writing* w, const ilk_snapshot* snapshot) {
    uint32_t sheet = sheet_of_heads(w->relation);
    return snapshot && sheet < snapshot->leaf_count ? snapshot->leaves[sheet].pages : 0;
}

// Marks the targets whose heads differ. Whether there are any.
static bool mark_heads(const tie_writing* w) {
    uint32_t a = head_pages(w, w->d->from), b = head_pages(w, w->d->to);
    bool is_any = false;
    for (uint32_t page = 0; page < a || page < b; page++) is_any |= mark_heads_in(w, page);
    return is_any;
}

static const ilk_link* past_link(const tie_writing* w, ilk_snapshot* snapshot, uint32_t slot) {
    return ilki_past_value(snapshot, w->relation->directory, slot);
}

// Marks the sources in a chunk whose links begin with another edge.
static void mark_links_in(const tie_writing* w, uint32_t number) {
    const ilki_directory* directory = w->relation->directory;
    const ilki_block* block = ilki_past_block(w->d->to, number, directory->number);
    ilki_chunk chunk;
    if (!block || ilki_same_block(w->d->from, w->d->to, number, directory->number)) return;
    if (!ilki_past_chunk(w->d->to, number, &chunk)) return;
    for (uint32_t row = 0; row < chunk.used; row++) {
        if (!ilki_bit(chunk.live, row) || !ilki_block_has(block, row)) continue;
        uint32_t slot = chunk.entities[row].index;
        const ilk_link *was = past_link(w, w->d->from, slot),
                       *is = ilki_value_at(directory, block, row);
        if (!was || was->first != is->first) ilki_bit_set(w->sources, slot);
    }
}

// Marks whose relations may differ. Whether there are any.
static bool mark_all(const tie_writing* w, uint32_t number) {
    bool has_stirred = ilki_bit(w->d->stirred, w->relation->directory->number);
    for (uint32_t i = 0; has_stirred && i < w->d->to->storage.chunk_count; i++) mark_links_in(w, i);
    bool has_edges = mark_edges(w, number), has_heads = mark_heads(w);
    return has_edges || has_heads || has_stirred;
}

// Edges in the order of a ring, of which there are `count`, in memory that goes with the delta.
static uint32_t* ring_of(const tie_writing* w, ilk_snapshot* snapshot, uint32_t first,
                         uint32_t count, bool of_source) {
    uint32_t* ring = ilki_differ_take(w->d, count, sizeof *ring);
    for (uint32_t i = 0; ring && i < count; i++) {
        const ilki_edge* edge = past_edge(w, snapshot, first);
        ring[i] = first;
        first = of_source ? edge->next_target : edge->next_source;
    }
    return ring;
}

typedef struct past_list {
    uint32_t *edges, *others; // and who is at the other end of each
    uint32_t count;
} past_list;

static past_list past_list_of(const tie_writing* w, ilk_snapshot* snapshot, uint32_t slot,
                              bool of_source) {
    past_list list = {0};
    uint32_t first = 0;
    if (of_source) {
        const ilk_link* link = past_link(w, snapshot, slot);
        list.count = link ? link->count : 0;
        first = link ? link->first : 0;
    } else {
        ilki_head head = past_head(w, snapshot, slot);
        list.count = head.count;
        first = head.first;
    }
    list.edges = ring_of(w, snapshot, first, list.count, of_source);
    list.others = ilki_differ_take(w->d, list.count, sizeof *list.others);
    for (uint32_t i = 0; list.edges && list.others && i < list.count; i++) {
        const ilki_edge* edge = past_edge(w, snapshot, list.edges[i]);
        list.others[i] = of_source ? edge->target : edge->source;
    }
    return list;
}

static bool same_lists(const past_list* a, const past_list* b) {
    return a->count == b->count &&
           (!a->count || memcmp(a->others, b->others, a->count * sizeof *a->others) == 0);
}

static void put_orders(const tie_writing* w) {
    uint32_t after = 0;
    for (uint32_t slot = 0; slot < w->slots && !w->d->is_short; slot++) {
        if (!ilki_bit(w->targets, slot)) continue;
        past_list was = past_list_of(w, w->d->from, slot, false),
                  is = past_list_of(w, w->d->to, slot, false);
        if (w->d->is_short || same_lists(&was, &is)) continue;
        ilki_put_number(w->d->out, slot + 1 - after);
        ilki_put_list(w->d->out, was.others, was.count, is.others, is.count);
        after = slot + 1;
    }
    ilki_put_number(w->d->out, 0);
}

// The edges of a list that are new, or have other values.
static void put_carried(const tie_writing* w, const past_list* was, const past_list* is) {
    const ilk_type* type = w->relation->edges.value;
    uint32_t head = 0, after = 0;
    uint32_t fewer = was->count < is->count ? was->count : is->count, tail = 0;
    while (head < fewer && was->others[head] == is->others[head]) head++;
    while (tail < fewer - head &&
           was->others[was->count - 1 - tail] == is->others[is->count - 1 - tail]) {
        tail++;
    }
    for (uint32_t i = 0; i < is->count; i++) {
        bool is_new = i >= head && i < is->count - tail;
        uint32_t before = i < head ? i : i - is->count + was->count;
        const unsigned char* value = past_edge_value(w, w->d->to, is->edges[i]);
        if (!is_new &&
            memcmp(value, past_edge_value(w, w->d->from, was->edges[before]), type->size) == 0) {
            continue;
        }
        if (!ilki_wire_fits(type)) w->d->unfit = type;
        ilki_put_number(w->d->out, i + 1 - after);
        ilki_put_value_of(w->d, type, value);
        after = i + 1;
    }
    ilki_put_number(w->d->out, 0);
}

static void put_ties(const tie_writing* w) {
    bool carries = w->relation->edges.value && w->relation->edges.value->size;
    uint32_t after = 0;
    for (uint32_t slot = 0; slot < w->slots && !w->d->is_short; slot++) {
        if (!ilki_bit(w->sources, slot)) continue;
        past_list was = past_list_of(w, w->d->from, slot, true),
                  is = past_list_of(w, w->d->to, slot, true);
        if (w->d->is_short || (same_lists(&was, &is) && !carries)) continue;
        ilki_put_number(w->d->out, slot + 1 - after);
        ilki_put_list(w->d->out, was.others, was.count, is.others, is.count);
        if (carries) put_carried(w, &was, &is);
        after = slot + 1;
    }
    ilki_put_number(w->d->out, 0);
}

static void put_relation(ilki_differ* d, uint32_t number) {
    const ilki_relation* relation = d->world->relations.list[number];
    uint32_t a = d->from ? d->from->storage.index.slots : 0, b = d->to->storage.index.slots;
    tie_writing w = {.d = d, .relation = relation, .slots = a > b ? a : b};
    w.sources = ilki_differ_take(d, ilki_words(w.slots), sizeof *w.sources);
    w.targets = ilki_differ_take(d, ilki_words(w.slots), sizeof *w.targets);
    if (!w.sources || !w.targets || !mark_all(&w, number)) return;
    const ilk_type* value = relation->edges.value;
    bool is_empty = !edges_used(d->from, number) && !edges_used(d->to, number);
    bool owns = value && !ilki_wire_fits(value) && !is_empty;
    if (owns) d->unfit = value; // edges are made anew
    ilki_put_type(d, relation->directory->number);
    put_orders(&w);
    put_ties(&w);
}

void ilki_put_relations(ilki_differ* d) {
    uint32_t a = d->from ? d->from->relation_count : 0, b = d->to->relation_count;
    ilki_put_marks(d);
    for (uint32_t i = 0; i < a || i < b; i++) put_relation(d, i);
    ilki_put_number(d->out, 0);
}

// Reading

// A relation that is being read: a copy of that of the world, to be changed.
typedef struct tie_reading {
    ilki_patch* p;
    ilki_relation* relation; // of the world
    ilki_edges edges;
    ilki_heads heads;
    uint32_t slots;
    uint32_t* firsts; // by slot: the first edge of a source; ILKI_NONE: it has none
    uint32_t* counts;
    uint32_t* depths;    // one more than there are above; 0: not known yet
    uint64_t* stirred;   // sources that have other edges, or values: their links count as written
    uint64_t* shaken;    // targets to which edges came, or from which they went
    unsigned char* wire; // room for what is sent of a value
} tie_reading;

// Who is to relate to a target, in order.
typedef struct target_order {
    struct target_order* next;
    uint32_t target, count;
    uint32_t sources[];
} target_order;

static bool bad_tie(const tie_reading* t, uint32_t slot, const char* what) {
    return ilki_patch_refuse(t->p, ILK_INVALID, "%s: slot %u: %s",
                             t->relation->directory->type->name, slot, what);
}

static bool no_memory_for_ties(const tie_reading* t) {
    return ilki_patch_refuse(t->p, ILK_NO_MEMORY, "no memory");
}

static void end_reading(tie_reading* t) {
    ilki_pool* pool = &t->p->world->storage.pool;
    ilki_edges_fini(&t->edges, pool);
    ilki_heads_fini(&t->heads, pool);
}

static bool copy_heads(tie_reading* t) {
    ilki_pool* pool = &t->p->world->storage.pool;
    const ilki_heads* from = &t->relation->heads;
    for (uint32_t i = 0; i < from->page_capacity; i++) {
        if (!from->pages[i]) continue;
        if (!ilki_heads_ready(&t->heads, pool, i * ILKI_PAGE_HEADS)) return no_memory_for_ties(t);
        *t->heads.pages[i] = *from->pages[i];
    }
    return true;
}

static bool copy_ties(tie_reading* t) {
    ilki_pool* pool = &t->p->world->storage.pool;
    const ilki_edges* from = &t->relation->edges;
    if (!ilki_edges_ready_to_be(&t->edges, pool, from->page_count, from->entered)) {
        return no_memory_for_ties(t);
    }
    for (uint32_t i = 0; i < from->page_count; i++) {
        memcpy(t->edges.pages[i], from->pages[i], ilki_edge_page_bytes(from));
    }
    ilki_edges_become(&t->edges, from);
    return copy_heads(t);
}

// Edges that come or go need no hook: nothing is sent of what carries one.
static bool begin_reading(tie_reading* t) {
    const ilki_edges* from = &t->relation->edges;
    ilki_edges_init(&t->edges, from->value, from->has_table);
    uint32_t had = t->p->world->storage.view.index.slots;
    uint32_t has = t->p->image->storage.index.slots;
    t->slots = had > has ? had : has;
    t->firsts = ilki_patch_take(t->p, t->slots, sizeof *t->firsts);
    t->counts = ilki_patch_take(t->p, t->slots, sizeof *t->counts);
    t->depths = ilki_patch_take(t->p, t->slots, sizeof *t->depths);
    t->stirred = ilki_patch_take(t->p, ilki_words(t->slots), sizeof *t->stirred);
    t->shaken = ilki_patch_take(t->p, ilki_words(t->slots), sizeof *t->shaken);
    size_t sent = from->value ? ilki_wire_size(from->value) : 0;
    t->wire = ilki_patch_take(t->p, sent, 1);
    if (!t->firsts || !t->counts || !t->depths || !t->stirred || !t->shaken || !t->wire) {
        return false;
    }
    if (t->slots) memset(t->firsts, 0xff, t->slots * sizeof *t->firsts);
    if (from->count && from->value && !ilki_wire_fits(from->value)) {
        return ilki_patch_refuse(t->p, ILK_INVALID, "%s: what it carries owns something",
                                 t->relation->directory->type->name);
    }
    return t->p->is_whole || copy_ties(t);
}

// What the sources of the world have now.
static void note_sources(const tie_reading* t) {
    const ilki_storage* storage = &t->p->world->storage;
    for (uint32_t i = 0; i < t->edges.used; i++) {
        uint32_t source = ilki_edge_at(&t->edges, i)->source;
        if (source == ILKI_NONE || t->counts[source]) continue;
        const ilk_link* link = ilki_link_at(storage, t->relation, source);
        t->firsts[source] = link->first;
        t->counts[source] = link->count;
    }
}

// Whether a slot is not that of the entity any more that is alive there in the world.
static bool is_another(const ilki_patch* p, uint32_t slot) {
    const ilki_index* base = &p->world->storage.view.index;
    if (p->is_whole || slot >= base->slots || slot >= p->image->storage.index.slots) return true;
    return ilki_record_at(base, slot)->generation != ilki_patch_record(p, slot).generation;
}

static bool tie_can_end_at(const tie_reading* t, uint32_t slot) {
    return ilki_patch_alive(t->p, slot);
}

// The edge from a source to a target, or ILKI_NONE.
static uint32_t find_tie(const tie_reading* t, uint32_t source, uint32_t target) {
    if (!t->counts[source]) return ILKI_NONE;
    if (t->counts[source] > 1) return ilki_edge_find(&t->edges, source, target);
    uint32_t first = t->firsts[source];
    return ilki_edge_at(&t->edges, first)->target == target ? first : ILKI_NONE;
}

// Lists of sources, which begin with those that the world has.

static uint32_t sources_now(const tie_reading* t, uint32_t target) {
    return t->p->is_whole ? 0 : ilki_head_of(&t->relation->heads, target).count;
}

// With the head and the tail of what the world has, and a gap for the middle.
static target_order* order_with(const tie_reading* t, uint32_t target, ilki_list_change change) {
    uint64_t count = (uint64_t)change.head + change.middle + change.tail;
    target_order* order =
        ilki_patch_take(t->p, 1, sizeof *order + (size_t)count * sizeof *order->sources);
    if (!order) return NULL;
    order->target = target;
    order->count = (uint32_t)count;
    uint32_t now = sources_now(t, target), to = 0;
    uint32_t edge = ilki_head_of(&t->relation->heads, target).first;
    for (uint32_t i = 0; i < now; i++) {
        const ilki_edge* at = ilki_edge_at(&t->relation->edges, edge);
        if (i == change.head) to = change.head + change.middle;
        if (i < change.head || i >= now - change.tail) order->sources[to++] = at->source;
        edge = at->next_source;
    }
    return order;
}

static target_order* take_order(const tie_reading* t, uint32_t target) {
    ilki_list_change change = ilki_take_list(&t->p->in, sources_now(t, target));
    target_order* order = order_with(t, target, change);
    for (uint32_t i = 0; order && i < change.middle; i++) {
        order->sources[change.head + i] = ilki_take_small(&t->p->in, UINT32_MAX);
    }
    return order;
}

static bool take_orders(const tie_reading* t, target_order** orders) {
    uint32_t after = 0, step;
    while ((step = ilki_take_small(&t->p->in, UINT32_MAX - 1 - after)) != 0) {
        after += step;
        target_order* order = take_order(t, after - 1);
        if (!order || !ilki_patch_is_well(t->p)) return false;
        order->next = *orders;
        *orders = order;
    }
    return ilki_patch_is_well(t->p);
}

// Sources.

static void leave_head(tie_reading* t, uint32_t edge) {
    const ilki_edge* at = ilki_edge_at(&t->edges, edge);
    ilki_head head = ilki_head_of(&t->heads, at->target);
    if (head.first == edge) head.first = at->next_source;
    head.count--;
    ilki_bit_set(t->shaken, at->target);
    ilki_head_set(&t->heads, at->target, head, t->p->tick);
    ilki_edge_leave_target(&t->edges, edge, t->p->tick);
}

static void join_head(tie_reading* t, uint32_t edge, uint32_t target) {
    ilki_head head = ilki_head_of(&t->heads, target);
    if (head.count++)
        ilki_edge_join_target(&t->edges, edge, head.first, t->p->tick);
    else
        head.first = edge;
    ilki_bit_set(t->shaken, target);
    ilki_head_set(&t->heads, target, head, t->p->tick);
}

static void drop_tie(tie_reading* t, uint32_t source, uint32_t edge) {
    leave_head(t, edge);
    if (t->firsts[source] == edge) t->firsts[source] = ilki_edge_at(&t->edges, edge)->next_target;
    ilki_edge_leave_source(&t->edges, edge, t->p->tick);
    ilki_edge_free(&t->edges, edge, t->p->tick);
    if (!--t->counts[source]) t->firsts[source] = ILKI_NONE;
}

// What the relation of two carries that the world has already, or NULL: of that, what is not sent
// stays.
static const void* value_now(const tie_reading* t, uint32_t source, uint32_t target) {
    if (is_another(t->p, source) || is_another(t->p, target)) return NULL;
    const ilki_storage* storage = &t->p->world->storage;
    ilk_entity e = ilki_entity_in(storage, source);
    const void* link = ilki_value_now(storage, t->relation->directory, e);
    uint32_t edge = link ? ilki_link_find(t->relation, source, link, target) : ILKI_NONE;
    return edge == ILKI_NONE ? NULL : ilki_edge_value(&t->relation->edges, edge);
}

static void begin_value(const tie_reading* t, uint32_t edge) {
    const ilki_edge* at = ilki_edge_at(&t->edges, edge);
    const void* now = value_now(t, at->source, at->target);
    void* value = ilki_edge_value(&t->edges, edge);
    if (now)
        memcpy(value, now, t->edges.value->size);
    else
        memset(value, 0, t->edges.value->size);
}

// Adds an edge before another one of the source, or at the end if that is ILKI_NONE.
static bool add_tie(tie_reading* t, uint32_t source, uint32_t target, uint32_t before) {
    ilki_pool* pool = &t->p->world->storage.pool;
    if (!tie_can_end_at(t, target)) return bad_tie(t, target, "it is related to, and not alive");
    bool owns = t->edges.value && !ilki_wire_fits(t->edges.value);
    if (owns) return bad_tie(t, source, "what the relation carries owns something");
    if (find_tie(t, source, target) != ILKI_NONE) return bad_tie(t, target, "it is there twice");
    if (!ilki_edges_ready(&t->edges, pool, 1) || !ilki_heads_ready(&t->heads, pool, target)) {
        return no_memory_for_ties(t);
    }
    uint32_t edge = ilki_edge_take(&t->edges, source, target, t->p->tick);
    if (t->edges.value) begin_value(t, edge);
    uint32_t first = t->firsts[source];
    if (first != ILKI_NONE) {
        ilki_edge_join_source(&t->edges, edge, before == ILKI_NONE ? first : before, t->p->tick);
    }
    if (first == ILKI_NONE || before == first) t->firsts[source] = edge;
    t->counts[source]++;
    join_head(t, edge, target);
    return true;
}

static uint32_t nth_tie(const tie_reading* t, uint32_t source, uint32_t n) {
    uint32_t edge = t->firsts[source];
    while (n--) edge = ilki_edge_at(&t->edges, edge)->next_target;
    return edge;
}

static bool take_carried(const tie_reading* t, uint32_t source, const ilki_list_change* change) {
    const ilk_type* type = t->edges.value;
    uint32_t count = t->counts[source], after = 0, step, edge = t->firsts[source], given = 0;
    while ((step = ilki_take_small(&t->p->in, count - after)) != 0) {
        for (uint32_t i = after ? step : step - 1; i; i--) {
            edge = ilki_edge_at(&t->edges, edge)->next_target;
        }
        after += step;
        if (!ilki_take_value_of(t->p, type, ilki_edge_value(&t->edges, edge))) return false;
        given += after - 1 >= change->head && after - 1 < change->head + change->middle;
    }
    if (given != change->middle) return bad_tie(t, source, "it lacks a value");
    return ilki_patch_is_well(t->p);
}

static bool take_source(tie_reading* t, uint32_t source) {
    uint32_t count = t->counts[source];
    ilki_list_change change = ilki_take_list(&t->p->in, count);
    ilki_bit_set(t->stirred, source);
    uint64_t left = (uint64_t)change.head + change.middle + change.tail;
    if (left && !tie_can_end_at(t, source))
        return bad_tie(t, source, "it relates, and is not alive");
    if (left > 1 && t->relation->rule->is_exclusive) return bad_tie(t, source, "it relates twice");
    uint32_t edge = count ? nth_tie(t, source, change.head) : ILKI_NONE;
    for (uint32_t i = change.head + change.tail; i < count; i++) {
        uint32_t next = ilki_edge_at(&t->edges, edge)->next_target;
        drop_tie(t, source, edge);
        edge = next;
    }
    uint32_t before = change.tail ? edge : ILKI_NONE;
    for (uint32_t i = 0; i < change.middle; i++) {
        uint32_t target = ilki_take_small(&t->p->in, UINT32_MAX);
        if (!ilki_patch_is_well(t->p)) return false;
        if (!add_tie(t, source, target, before)) return false;
    }
    bool carries = t->edges.value && t->edges.value->size;
    return !carries || take_carried(t, source, &change);
}

static bool take_sources(tie_reading* t) {
    uint32_t after = 0, step;
    while ((step = ilki_take_small(&t->p->in, t->slots - after)) != 0) {
        after += step;
        if (!take_source(t, after - 1)) return false;
    }
    return ilki_patch_is_well(t->p);
}

// Orders.

// Lists that are not sent are to be what they were, whatever became of their edges.
static bool keep_orders(const tie_reading* t, target_order** orders) {
    for (const target_order* order = *orders; order; order = order->next) {
        if (order->target < t->slots) ilki_bit_clear(t->shaken, order->target);
    }
    for (uint32_t slot = 0; slot < t->slots; slot++) {
        if (!ilki_bit(t->shaken, slot)) continue;
        target_order* order = order_with(t, slot, (ilki_list_change){.head = sources_now(t, slot)});
        if (!order) return false;
        order->next = *orders;
        *orders = order;
    }
    return true;
}

static bool has_order(const tie_reading* t, const target_order* order) {
    ilki_head head = ilki_head_of(&t->heads, order->target);
    uint32_t edge = head.first;
    if (head.count != order->count) return false;
    for (uint32_t i = 0; i < order->count; i++) {
        const ilki_edge* at = ilki_edge_at(&t->edges, edge);
        if (at->source != order->sources[i]) return false;
        edge = at->next_source;
    }
    return true;
}

// The sources are others than those of a list, or one is there twice.
static bool bad_order(const tie_reading* t, const target_order* order) {
    return bad_tie(t, order->target, "a list of sources is not that of those who relate to it");
}

static bool relink(tie_reading* t, const target_order* order, uint64_t* seen) {
    uint32_t first = ILKI_NONE;
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t source = order->sources[i];
        bool is_new = source < t->slots && !ilki_bit(seen, source);
        uint32_t edge = is_new ? find_tie(t, source, order->target) : ILKI_NONE;
        if (edge == ILKI_NONE) return bad_order(t, order);
        ilki_bit_set(seen, source);
        ilki_edge* at = ilki_edge_edit(&t->edges, edge, t->p->tick);
        at->next_source = at->previous_source = edge;
        if (first == ILKI_NONE)
            first = edge;
        else
            ilki_edge_join_target(&t->edges, edge, first, t->p->tick);
    }
    ilki_head_set(&t->heads, order->target, (ilki_head){first, order->count}, t->p->tick);
    return true;
}

static bool put_in_order(tie_reading* t, const target_order* order, uint64_t* seen) {
    if (has_order(t, order)) return true;
    if (ilki_head_of(&t->heads, order->target).count != order->count) return bad_order(t, order);
    bool is_right = relink(t, order, seen);
    for (uint32_t i = 0; i < order->count; i++) {
        if (order->sources[i] < t->slots) ilki_bit_clear(seen, order->sources[i]);
    }
    return is_right;
}

static bool put_all_in_order(tie_reading* t, const target_order* orders) {
    uint64_t* seen = ilki_patch_take(t->p, ilki_words(t->slots) + 1, sizeof *seen);
    if (!seen) return false;
    for (; orders; orders = orders->next) {
        if (!put_in_order(t, orders, seen)) return false;
    }
    return true;
}

// Depths.

static uint32_t above(const tie_reading* t, uint32_t slot) {
    uint32_t first = t->firsts[slot];
    return first == ILKI_NONE ? ILKI_NONE : ilki_edge_at(&t->edges, first)->target;
}

// Climbs to somebody whose depth is known, or to the top, and down again.
static bool find_depth(const tie_reading* t, uint32_t slot) {
    uint32_t steps = 0, at = slot;
    for (; !t->depths[at] && above(t, at) != ILKI_NONE; at = above(t, at)) {
        if (++steps > t->edges.count) return bad_tie(t, slot, "it is below itself");
    }
    uint32_t depth = t->depths[at] ? t->depths[at] : 1;
    for (at = slot; steps; at = above(t, at)) t->depths[at] = depth + steps--;
    return true;
}

// Links, and marks of targets.

// What is not sent of a value that now is another's becomes zero.
static void forget_unsent(const tie_reading* t, uint32_t edge) {
    const ilk_type* type = t->edges.value;
    if (!type || !type->size) return;
    void* value = ilki_edge_value(&t->edges, edge);
    ilki_wire_put(type, value, t->wire);
    memset(value, 0, type->size);
    ilki_wire_take(type, t->wire, value);
}

// Whether a source, or any of those that it relates to, is another entity than the one that was in
// its slot.
static bool relates_anew(const tie_reading* t, uint32_t source) {
    bool is_new = is_another(t->p, source), is_any = is_new;
    uint32_t edge = t->firsts[source];
    for (uint32_t i = 0; i < t->counts[source]; i++) {
        const ilki_edge* at = ilki_edge_at(&t->edges, edge);
        if (is_new || is_another(t->p, at->target)) {
            forget_unsent(t, edge);
            is_any = true;
        }
        edge = at->next_target;
    }
    return is_any;
}

static bool edit_link(const tie_reading* t, ilk_entity e, const ilk_link* is) {
    ilk_link link = {.count = t->counts[e.index], .first = t->firsts[e.index]};
    uint32_t target = ilki_edge_at(&t->edges, link.first)->target;
    link.target = (ilk_entity){target, ilki_patch_record(t->p, target).generation};
    if (t->relation->rule->is_tree) {
        if (!find_depth(t, e.index)) return false;
        link.depth = t->depths[e.index] - 1;
    }
    bool is_new = relates_anew(t, e.index) || ilki_bit(t->stirred, e.index);
    if (!is_new && memcmp(is, &link, sizeof link) == 0) return true;
    ilk_link* own = ilki_patch_edit(t->p, t->relation->directory, e.index);
    if (own) *own = link;
    return own != NULL;
}

static bool edit_links_in(const tie_reading* t, const ilki_chunk_image* image, uint64_t* edges) {
    const ilki_directory* directory = t->relation->directory;
    const ilki_chunk* rows = ilki_patch_rows(t->p, image);
    const ilki_block_image* at = ilki_patch_block_of(image, directory->number);
    for (uint32_t row = 0; at && row < image->head.used; row++) {
        const ilki_block* block = ilki_patch_block(t->p, image, at);
        if (!ilki_bit(rows->live, row) || !ilki_block_has(block, row)) continue;
        ilk_entity e = rows->entities[row];
        if (t->firsts[e.index] == ILKI_NONE) return bad_tie(t, e.index, "it relates to nobody");
        *edges += t->counts[e.index];
        if (!edit_link(t, e, ilki_value_at(directory, block, row))) return false;
    }
    return true;
}

static bool edit_links(const tie_reading* t) {
    uint64_t edges = 0;
    for (uint32_t i = 0; i < t->p->image->storage.chunk_count; i++) {
        const ilki_chunk_image* image = &t->p->image->storage.chunks[i];
        if (image->head.rows && !edit_links_in(t, image, &edges)) return false;
    }
    if (edges == t->edges.count) return true;
    return ilki_patch_refuse(t->p, ILK_INVALID, "%s: somebody relates and does not have it",
                             t->relation->directory->type->name);
}

static bool targets_are_right(const tie_reading* t) {
    for (uint32_t i = 0; i < t->heads.page_capacity; i++) {
        const ilki_head_page* page = t->heads.pages[i];
        for (uint32_t k = 0; page && k < ILKI_PAGE_HEADS; k++) {
            uint32_t slot = i * ILKI_PAGE_HEADS + k;
            if (!page->heads[k].count) continue;
            if (!tie_can_end_at(t, slot)) return bad_tie(t, slot, "it is related to, and gone");
            if (!ilki_patch_is_target(t->p, slot))
                return bad_tie(t, slot, "it is not marked as a target");
        }
    }
    return true;
}

// The pages become those of the image.

static bool leaf_of_edges(const tie_reading* t) {
    uint32_t sheet = sheet_of_edges(t->relation);
    uint32_t pages = (t->edges.used + ILKI_PAGE_EDGES - 1) / ILKI_PAGE_EDGES;
    size_t bytes = ilki_edge_page_bytes(&t->edges);
    if (!ilki_patch_leaf(t->p, sheet, pages, pages * bytes)) return false;
    for (uint32_t i = 0; i < pages; i++) {
        void* page = ilki_patch_page(t->p, sheet, i);
        if (!page) return false;
        memcpy(page, t->edges.pages[i], bytes);
    }
    return true;
}

static bool leaf_of_heads(const tie_reading* t) {
    uint32_t sheet = sheet_of_heads(t->relation), pages = t->heads.page_capacity;
    size_t bytes = sizeof(ilki_head_page);
    if (!ilki_patch_leaf(t->p, sheet, pages, pages * bytes)) return false;
    for (uint32_t i = 0; i < pages; i++) {
        if (!t->heads.pages[i]) {
            t->p->image->leaves[sheet].own[i] = ILKI_ABSENT_PAGE;
            continue;
        }
        void* page = ilki_patch_page(t->p, sheet, i);
        if (!page) return false;
        memcpy(page, t->heads.pages[i], bytes);
    }
    return true;
}

static uint32_t number_of_relation(const ilki_patch* p, const ilki_relation* relation) {
    uint32_t i = 0;
    while (p->world->relations.list[i] != relation) i++;
    return i;
}

static bool take_relation(tie_reading* t) {
    target_order* orders = NULL;
    bool is_begun = begin_reading(t);
    if (is_begun) note_sources(t);
    bool is_taken = is_begun && take_orders(t, &orders) && take_sources(t) &&
                    keep_orders(t, &orders) && put_all_in_order(t, orders) && edit_links(t) &&
                    targets_are_right(t) && leaf_of_edges(t) && leaf_of_heads(t);
    if (is_taken) {
        ilki_edges* numbers = &t->p->image->edges[number_of_relation(t->p, t->relation)];
        *numbers = (ilki_edges){.used = t->edges.used,
                                .count = t->edges.count,
                                .free = t->edges.free,
                                .entered = t->edges.entered};
    }
    end_reading(t);
    return is_taken;
}

// A relation that the delta does not mention: nobody who has come or gone may have to do with it.
static bool is_untouched(ilki_patch* p, const ilki_relation* relation) {
    const ilki_edges* edges = &relation->edges;
    const char* name = relation->directory->type->name;
    for (uint32_t i = 0; i < p->image->storage.chunk_count; i++) {
        const ilki_block_image* block =
            ilki_patch_block_of(&p->image->storage.chunks[i], relation->directory->number);
        if (block && block->is_own) {
            return ilki_patch_refuse(p, ILK_INVALID, "%s: it is not said who relates", name);
        }
    }
    if (p->is_whole) return true;
    for (uint32_t i = 0; i < edges->used; i++) {
        const ilki_edge* edge = ilki_edge_at(edges, i);
        if (edge->source == ILKI_NONE) continue;
        bool is_known = !is_another(p, edge->source) && !is_another(p, edge->target) &&
                        ilki_patch_is_target(p, edge->target);
        if (!is_known) {
            return ilki_patch_refuse(p, ILK_INVALID, "%s: an end of a relation is gone", name);
        }
    }
    return true;
}

// In an image of a whole world, a relation that is not mentioned has no edges.
static bool share_relation(ilki_patch* p, uint32_t number) {
    const ilki_relation* relation = p->world->relations.list[number];
    static const ilki_edges none = {.free = ILKI_NONE};
    if (!is_untouched(p, relation)) return false;
    p->image->edges[number] = p->is_whole ? none : relation->edges;
    if (!p->is_whole) return true;
    return ilki_patch_leaf(p, sheet_of_edges(relation), 0, 0) &&
           ilki_patch_leaf(p, sheet_of_heads(relation), 0, 0);
}

bool ilki_take_relations(ilki_patch* p) {
    const ilki_relations* relations = &p->world->relations;
    uint64_t* read = ilki_patch_take(p, ilki_words(relations->count) + 1, sizeof *read);
    if (!read || !ilki_take_marks(p)) return false;
    const ilki_directory* directory;
    while ((directory = ilki_take_type(p)) != NULL) {
        if (!directory->relation) return ilki_patch_refuse(p, ILK_INVALID, "no relation");
        uint32_t number = number_of_relation(p, directory->relation);
        if (ilki_bit(read, number)) return ilki_patch_refuse(p, ILK_INVALID, "a relation is twice");
        ilki_bit_set(read, number);
        tie_reading t = {.p = p, .relation = directory->relation};
        if (!take_relation(&t)) return false;
    }
    for (uint32_t i = 0; i < relations->count; i++) {
        if (!ilki_bit(read, i) && !share_relation(p, i)) return false;
    }
    return ilki_patch_is_well(p);
}
