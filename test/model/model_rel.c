// Relations of the naive model. Everything is found by looking through all edges; the links of
// sources are written anew from the edges whenever one changes.
#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

ilk_entity model_aim(const void* bytes) {
    ilk_link link;
    memcpy(&link, bytes, sizeof link);
    return link.target;
}

// Edges

model_edge* model_edge_between(const model_world* m, ilk_entity source, uint32_t type,
                               ilk_entity target) {
    for (uint32_t i = 0; i < m->edge_count; i++) {
        model_edge* e = &m->edges[i];
        if (e->type == type && ilk_same(e->source, source) && ilk_same(e->target, target)) return e;
    }
    return NULL;
}

uint32_t model_count_from(const model_world* m, ilk_entity source, uint32_t type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->edge_count; i++)
        count += m->edges[i].type == type && ilk_same(m->edges[i].source, source);
    return count;
}

uint32_t model_count_to(const model_world* m, ilk_entity target, uint32_t type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->edge_count; i++)
        count += m->edges[i].type == type && ilk_same(m->edges[i].target, target);
    return count;
}

// The first after a time, among those of a source or to a target.
static model_edge* next_edge(const model_world* m, ilk_entity of, uint32_t type, bool is_from,
                             uint64_t after) {
    model_edge* next = NULL;
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < m->edge_count; i++) {
        model_edge* e = &m->edges[i];
        uint64_t at = is_from ? e->by_source : e->by_target;
        if (e->type != type || !ilk_same(is_from ? e->source : e->target, of)) continue;
        if (at <= after || at >= best) continue;
        best = at;
        next = e;
    }
    return next;
}

static model_edge* nth_edge(const model_world* m, ilk_entity of, uint32_t type, bool is_from,
                            uint32_t n) {
    model_edge* e = next_edge(m, of, type, is_from, 0);
    for (; e && n; n--) e = next_edge(m, of, type, is_from, is_from ? e->by_source : e->by_target);
    return e;
}

model_edge* model_edge_from(const model_world* m, ilk_entity source, uint32_t type, uint32_t n) {
    return nth_edge(m, source, type, true, n);
}

model_edge* model_edge_to(const model_world* m, ilk_entity target, uint32_t type, uint32_t n) {
    return nth_edge(m, target, type, false, n);
}

// Values

static bool owns(const model_world* m, const model_edge* e) {
    uint32_t first = 0, value = m->types[e->type].value;
    if (value != MODEL_NO_TYPE && m->types[value].owner) memcpy(&first, e->bytes, sizeof first);
    return first != 0;
}

static void fill_edge(model_world* m, model_edge* e, const void* bytes) {
    uint32_t value = m->types[e->type].value;
    e->bytes = NULL;
    if (value == MODEL_NO_TYPE) return;
    size_t size = m->types[value].size;
    if (!bytes) bytes = m->types[value].fresh;
    e->bytes = must(calloc(1, size + 1));
    if (bytes) memcpy(e->bytes, bytes, size);
    m->owned += owns(m, e);
}

static void empty_edge(model_world* m, model_edge* e) {
    if (e->bytes) m->owned -= owns(m, e);
    free(e->bytes);
}

static void remove_edge(model_world* m, model_edge* e) {
    m->edge_changes[e->type]++;
    empty_edge(m, e);
    *e = m->edges[--m->edge_count];
}

void model_relations_free(model_world* m) {
    while (m->edge_count) remove_edge(m, &m->edges[0]);
    free(m->edges);
    free(m->doomed);
}

// Links

uint32_t model_depth(const model_world* m, ilk_entity e, uint32_t type) {
    uint32_t depth = 0;
    for (const model_edge* up; (up = next_edge(m, e, type, true, 0)) != NULL; depth++)
        e = up->target;
    return depth;
}

// Writes the link of a source by its edges. Its time is the caller's to note.
static void relink_one(model_world* m, ilk_entity source, uint32_t type) {
    model_component* c = model_find(m, source, type);
    const model_edge* first = next_edge(m, source, type, true, 0);
    if (!c || !first) return;
    ilk_link link = {.target = first->target, .count = model_count_from(m, source, type)};
    if (m->types[type].is_tree) link.depth = model_depth(m, source, type);
    memcpy(c->bytes, &link, sizeof link);
}

static void relink(model_world* m, ilk_entity source, uint32_t type) {
    relink_one(m, source, type);
    for (uint32_t i = 0; i < m->edge_count && m->types[type].is_tree; i++)
        if (m->edges[i].type == type) relink_one(m, m->edges[i].source, type);
}

void model_edge_add(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                    const void* bytes) {
    if (m->edge_count == m->edge_capacity) {
        m->edge_capacity = m->edge_capacity ? 2 * m->edge_capacity : 16;
        m->edges = must(realloc(m->edges, m->edge_capacity * sizeof *m->edges));
    }
    model_edge* e = &m->edges[m->edge_count++];
    m->edge_clock++;
    m->edge_changes[type]++;
    *e = (model_edge){type, source, target, m->edge_clock, m->edge_clock, NULL};
    fill_edge(m, e, bytes);
    relink(m, source, type);
    if (type == m->child_of) model_rename_here(m, source);
}

void model_cut(model_world* m, ilk_entity source, uint32_t type) {
    model_edge* e;
    while ((e = next_edge(m, source, type, true, 0)) != NULL) remove_edge(m, e);
    relink(m, source, type);
    if (type == m->child_of) model_rename_here(m, source);
}

void model_copy_edges(model_world* m, ilk_entity from, ilk_entity to, uint32_t type) {
    uint32_t count = model_count_from(m, from, type);
    for (uint32_t i = 0; i < count; i++) {
        const model_edge* e = model_edge_from(m, from, type, i);
        model_edge_add(m, to, type, ilk_same(e->target, from) ? to : e->target, e->bytes);
        unsigned char* bytes = m->edges[m->edge_count - 1].bytes;
        if (bytes) model_rename(&m->types[m->types[type].value], bytes, from, to);
    }
}

model_faults model_copy_faults(const model_world* m, ilk_entity e, uint32_t type) {
    model_faults faults = MODEL_FINE;
    uint32_t value = m->types[type].value;
    for (uint32_t i = 0; i < m->edge_count; i++)
        if (m->edges[i].type == type && ilk_same(m->edges[i].source, e) &&
            !ilk_same(m->edges[i].target, e) && !model_is_relatable(m, m->edges[i].target))
            faults |= MODEL_FAULT(DEAD);
    return value != MODEL_NO_TYPE && m->types[value].single ? faults | MODEL_FAULT(INVALID)
                                                            : faults;
}

// Relating

bool model_is_doomed(const model_world* m, ilk_entity e) {
    for (uint32_t i = 0; i < m->doomed_count; i++)
        if (ilk_same(m->doomed[i], e)) return true;
    return false;
}

bool model_is_relatable(const model_world* m, ilk_entity target) {
    return model_alive(m, target) && !model_is_dying(m, target) && !model_is_doomed(m, target);
}

model_faults model_aim_faults(const model_world* m, model_value value) {
    if (!model_relates(m, value.type)) return MODEL_FINE;
    if (!value.bytes) return MODEL_FAULT(INVALID);
    return model_is_relatable(m, model_aim(value.bytes)) ? MODEL_FINE : MODEL_FAULT(DEAD);
}

// Whether one is another, or below it.
static bool is_within(const model_world* m, ilk_entity e, ilk_entity above, uint32_t type) {
    const model_edge* up = NULL;
    for (; !ilk_same(e, above) && (up = next_edge(m, e, type, true, 0)) != NULL;) e = up->target;
    return ilk_same(e, above);
}

static model_faults source_faults(const model_world* m, ilk_entity source, uint32_t type,
                                  model_policy how) {
    model_faults faults = model_type_faults(m, type);
    bool is_dying = how != MODEL_REPLACE && model_is_dying(m, source);
    if (!model_alive(m, source) || is_dying) faults |= MODEL_FAULT(DEAD);
    return model_relates(m, type) ? faults : faults | MODEL_FAULT(INVALID);
}

static model_faults link_faults(const model_world* m, ilk_entity source, uint32_t type,
                                ilk_entity target, model_policy how) {
    bool has = model_find(m, source, type) != NULL;
    bool is_so = model_edge_between(m, source, type, target) != NULL;
    if (!has) return how == MODEL_REPLACE ? MODEL_FAULT(MISSING) : MODEL_FINE;
    bool is_kept = how == MODEL_ADD && m->types[type].is_exclusive;
    if (how == MODEL_REPLACE && !is_so && !m->types[type].is_exclusive) return MODEL_FAULT(MISSING);
    bool is_refused = is_so && (how == MODEL_ADD || how == MODEL_RELATE);
    return is_refused || is_kept ? MODEL_FAULT(EXISTS) : MODEL_FINE;
}

static void begin_link(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                       const void* bytes) {
    model_frame f;
    model_frame_begin(m, &f, &source, 1, type, ILK_REASON_CHANGE);
    model_give_quietly(m, source.index, (model_value){type, NULL});
    model_edge_add(m, source, type, target, bytes);
    model_tell_changed(m, &f, ILK_ON_ADD, NULL);
    model_frame_end(m, &f);
}

static void turn_edge(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                      const void* bytes) {
    model_edge* e = next_edge(m, source, type, true, 0);
    empty_edge(m, e);
    fill_edge(m, e, bytes);
    e->target = target;
    e->by_target = ++m->edge_clock;
    m->edge_changes[type]++;
    relink(m, source, type);
    if (type == m->child_of) model_rename_here(m, source);
}

typedef enum link_change {
    LINK_TO,    // another target
    LINK_END,   // one less
    LINK_VALUE, // another value
} link_change;

static void change_link(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                        const void* bytes, link_change what) {
    model_component* c = model_find(m, source, type);
    bool is_on_again = c->off && what != LINK_END;
    ilk_link old;
    model_frame f;
    memcpy(&old, c->bytes, sizeof old);
    model_frame_begin(m, &f, &source, 1, type, ILK_REASON_CHANGE);
    c->changed = ++m->now;
    if (is_on_again) m->slots[source.index].shifted = m->now;
    if (is_on_again) c->off = false;
    model_edge* edge = model_edge_between(m, source, type, target);
    if (what == LINK_END)
        remove_edge(m, edge);
    else if (what == LINK_VALUE)
        empty_edge(m, edge), fill_edge(m, edge, bytes);
    else if (m->types[type].is_exclusive)
        turn_edge(m, source, type, target, bytes);
    else
        model_edge_add(m, source, type, target, bytes);
    relink(m, source, type);
    f.target = target;
    f.edge_changes = m->edge_changes[type];
    model_tell_changed(m, &f, is_on_again ? ILK_ON_SET | ILK_ON_ENABLE : ILK_ON_SET, &old);
    model_frame_end(m, &f);
}

model_faults model_relate(model_world* m, ilk_entity source, uint32_t type, ilk_entity target,
                          const void* bytes, model_policy how) {
    model_faults faults = source_faults(m, source, type, how);
    if (!model_is_relatable(m, target)) faults |= MODEL_FAULT(DEAD);
    if (model_relates(m, type) && bytes && m->types[type].value == MODEL_NO_TYPE)
        faults |= MODEL_FAULT(INVALID);
    if (faults) return faults;
    faults = link_faults(m, source, type, target, how);
    if (faults) return faults;
    if (model_edge_between(m, source, type, target)) { // ilk_set: it is so
        bool has_value = m->types[type].value != MODEL_NO_TYPE;
        if (how == MODEL_PUT && has_value) change_link(m, source, type, target, bytes, LINK_VALUE);
        return MODEL_FINE;
    }
    if (m->types[type].is_tree && is_within(m, target, source, type)) return MODEL_FAULT(INVALID);
    if (type == m->child_of) faults = model_parent_clash(m, source, target);
    if (faults) return faults;
    if (model_find(m, source, type))
        change_link(m, source, type, target, bytes, LINK_TO);
    else
        begin_link(m, source, type, target, bytes);
    return MODEL_FINE;
}

static void end_edge(model_world* m, ilk_entity source, uint32_t type, ilk_entity target) {
    if (model_count_from(m, source, type) == 1)
        model_take_told(m, source, type);
    else
        change_link(m, source, type, target, NULL, LINK_END);
}

model_faults model_unrelate(model_world* m, ilk_entity source, uint32_t type, ilk_entity target) {
    model_faults faults = model_type_faults(m, type);
    if (!model_relates(m, type)) faults |= MODEL_FAULT(INVALID);
    if (!model_alive(m, source)) return faults | MODEL_FAULT(DEAD);
    if (!model_edge_between(m, source, type, target)) return faults | MODEL_FAULT(MISSING);
    if (faults) return faults;
    if (type == m->child_of) faults = model_parent_clash(m, source, (ilk_entity){0});
    if (faults) return faults;
    end_edge(m, source, type, target);
    return MODEL_FINE;
}

// The hierarchy

model_faults model_set_parent(model_world* m, ilk_entity e, ilk_entity parent) {
    if (!ilk_is_null(parent)) return model_relate(m, e, m->child_of, parent, NULL, MODEL_RELATE);
    const model_edge* up = next_edge(m, e, m->child_of, true, 0);
    return model_unrelate(m, e, m->child_of, up ? up->target : (ilk_entity){0});
}

model_faults model_child_move(model_world* m, ilk_entity child, ilk_entity before) {
    if (!model_alive(m, child)) return MODEL_FAULT(DEAD);
    model_edge* edge = next_edge(m, child, m->child_of, true, 0);
    const model_edge* other = next_edge(m, before, m->child_of, true, 0);
    if (!edge) return MODEL_FAULT(MISSING);
    bool is_last = ilk_is_null(before);
    if (!is_last && !model_alive(m, before)) return MODEL_FAULT(DEAD);
    if (!is_last && (!other || !ilk_same(other->target, edge->target))) return MODEL_FAULT(INVALID);
    if (edge == other) return MODEL_FINE;
    ilk_entity parent = edge->target;
    m->edge_changes[m->child_of]++;
    uint32_t count = model_count_to(m, parent, m->child_of);
    ilk_entity* order = must(calloc(count + 1, sizeof *order));
    uint32_t filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        ilk_entity sibling = model_edge_to(m, parent, m->child_of, i)->source;
        if (ilk_same(sibling, before)) order[filled++] = child;
        if (!ilk_same(sibling, child)) order[filled++] = sibling;
    }
    if (is_last) order[filled++] = child;
    for (uint32_t i = 0; i < count; i++)
        next_edge(m, order[i], m->child_of, true, 0)->by_target = ++m->edge_clock;
    free(order);
    return MODEL_FINE;
}

static void below(const model_world* m, ilk_entity e, uint32_t type, ilk_entity* list,
                  uint32_t* count) {
    list[(*count)++] = e;
    for (const model_edge* at = next_edge(m, e, type, false, 0); at;
         at = next_edge(m, e, type, false, at->by_target))
        below(m, at->source, type, list, count);
}

uint32_t model_below(const model_world* m, ilk_entity root, uint32_t type, ilk_walk how,
                     ilk_entity* list) {
    uint32_t count = 0;
    if (!model_alive(m, root)) return 0;
    if (how == ILK_WALK_DEPTH) {
        below(m, root, type, list, &count);
        return count;
    }
    list[count++] = root;
    for (uint32_t i = 0; i < count; i++)
        for (const model_edge* at = next_edge(m, list[i], type, false, 0); at;
             at = next_edge(m, list[i], type, false, at->by_target))
            list[count++] = at->source;
    return count;
}

// Destroying

static void doom_one(model_world* m, ilk_entity e) {
    if (model_is_doomed(m, e)) return;
    if (m->doomed_count == m->doomed_capacity) {
        m->doomed_capacity = m->doomed_capacity ? 2 * m->doomed_capacity : 16;
        m->doomed = must(realloc(m->doomed, m->doomed_capacity * sizeof *m->doomed));
    }
    m->doomed[m->doomed_count++] = e;
}

// Dooms those who go with the ones that were doomed from one on.
static void doom_with(model_world* m, uint32_t first) {
    for (uint32_t i = first; i < m->doomed_count; i++)
        for (uint32_t k = 0; k < m->known_count; k++) {
            uint32_t type = m->known[k];
            if (!model_relates(m, type) || m->types[type].at_end != ILK_END_SOURCE) continue;
            ilk_entity target = m->doomed[i];
            for (const model_edge* at = next_edge(m, target, type, false, 0); at;
                 at = next_edge(m, target, type, false, at->by_target))
                doom_one(m, at->source);
        }
}

static void doom_all(model_world* m, ilk_entity e) {
    uint32_t first = m->doomed_count;
    doom_one(m, e);
    doom_with(m, first);
}

// Whether somebody who is not doomed needs one of those that were doomed last.
static bool are_needed(const model_world* m, uint32_t first) {
    for (uint32_t i = first; i < m->doomed_count; i++)
        for (uint32_t k = 0; k < m->edge_count; k++) {
            const model_edge* e = &m->edges[k];
            bool is_need = m->types[e->type].at_end == ILK_END_REFUSED;
            if (is_need && ilk_same(e->target, m->doomed[i]) && !model_is_doomed(m, e->source))
                return true;
        }
    return false;
}

bool model_is_needed(const model_world* m, ilk_entity e) {
    model_world* changed = (model_world*)(uintptr_t)m; // for a moment
    uint32_t first = m->doomed_count;
    doom_all(changed, e);
    bool is_needed = are_needed(m, first);
    changed->doomed_count = first;
    return is_needed;
}

// The first relation to an entity, in order of types; or NULL.
static const model_edge* first_to(const model_world* m, ilk_entity target) {
    for (uint32_t k = 0; k < m->known_count; k++) {
        const model_edge* e = next_edge(m, target, m->known[k], false, 0);
        if (e) return e;
    }
    return NULL;
}

// Destroys those who were doomed from one on, the last one first; or the world is cleared.
static void destroy_doomed(model_world* m, uint32_t first) {
    while (m->doomed_count > first) {
        ilk_entity last = m->doomed[m->doomed_count - 1];
        const model_edge* to = first_to(m, last);
        if (to) {
            end_edge(m, to->source, to->type, last);
        } else {
            m->doomed_count--;
            model_destroy_alone(m, last);
        }
    }
}

model_faults model_destroy(model_world* m, ilk_entity e) {
    if (!model_alive(m, e) || model_is_dying(m, e) || model_is_doomed(m, e))
        return MODEL_FAULT(DEAD);
    if (model_is_needed(m, e)) return MODEL_FAULT(NEEDED);
    uint32_t first = m->doomed_count;
    if (first_to(m, e)) doom_all(m, e);
    if (m->doomed_count == first) {
        model_destroy_alone(m, e);
        return MODEL_FINE;
    }
    destroy_doomed(m, first);
    return MODEL_FINE;
}

static bool is_related(const model_world* m, ilk_entity e) {
    for (uint32_t i = 0; i < m->edge_count; i++)
        if (ilk_same(m->edges[i].source, e) || ilk_same(m->edges[i].target, e)) return true;
    return false;
}

static void doom_no_more(model_world* m, ilk_entity e) {
    for (uint32_t i = 0; i < m->doomed_count; i++)
        if (ilk_same(m->doomed[i], e)) {
            memmove(&m->doomed[i], &m->doomed[i + 1], (m->doomed_count - i - 1) * sizeof e);
            m->doomed_count--;
            return;
        }
}

// One of a list, in its turn.
static model_faults destroy_listed(model_world* m, ilk_entity e) {
    const model_edge* to;
    if (!model_alive(m, e) || !model_is_doomed(m, e)) return model_destroy(m, e);
    while (model_is_doomed(m, e) && (to = first_to(m, e)) != NULL)
        end_edge(m, to->source, to->type, e);
    if (!model_is_doomed(m, e)) return MODEL_FAULT(DEAD); // the world was cleared
    doom_no_more(m, e);
    model_destroy_alone(m, e);
    return MODEL_FINE;
}

// Those without relations are doomed only if others are being destroyed already: the library has no
// room for them otherwise.
model_faults model_destroy_list(model_world* m, const ilk_entity* list, uint32_t count) {
    uint32_t first = m->doomed_count, listed;
    bool is_nested = first > 0;
    model_faults faults = MODEL_FINE;
    for (uint32_t i = count; i-- > 0;) {
        bool is_able = model_alive(m, list[i]) && !model_is_dying(m, list[i]);
        if (!is_able || model_is_doomed(m, list[i]))
            faults = MODEL_FAULT(DEAD);
        else if (is_nested || is_related(m, list[i]))
            doom_one(m, list[i]);
    }
    listed = is_nested ? first : m->doomed_count;
    doom_with(m, first);
    if (are_needed(m, first)) {
        m->doomed_count = first;
        return MODEL_FAULT(NEEDED);
    }
    destroy_doomed(m, listed);
    for (uint32_t i = 0; i < count && !is_nested; i++) {
        model_faults its = destroy_listed(m, list[i]);
        if (!faults) faults = its;
    }
    return faults;
}

model_faults model_doom_list(model_world* m, const ilk_entity* list, uint32_t count) {
    uint32_t first = m->doomed_count;
    for (uint32_t i = count; i-- > 0;) doom_one(m, list[i]);
    doom_with(m, first);
    if (!are_needed(m, first)) return MODEL_FINE;
    m->doomed_count = first;
    return MODEL_FAULT(NEEDED);
}

static bool is_in(const ilk_entity* list, uint32_t count, ilk_entity e) {
    for (uint32_t i = 0; i < count; i++)
        if (ilk_same(list[i], e)) return true;
    return false;
}

void model_end_outside(model_world* m, const ilk_entity* list, uint32_t count, uint32_t first) {
    destroy_doomed(m, first + count);
    for (uint32_t k = 0; k < m->known_count; k++)
        for (uint32_t i = 0; i < count && model_relates(m, m->known[k]); i++) {
            uint32_t type = m->known[k], sources = model_count_to(m, list[i], type);
            for (uint32_t n = 0, at = 0; n < sources; n++) {
                ilk_entity source = model_edge_to(m, list[i], type, at)->source;
                if (is_in(list, count, source))
                    at++;
                else
                    end_edge(m, source, type, list[i]);
            }
        }
    m->doomed_count = first;
}
