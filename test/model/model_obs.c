// Observers of the naive model.
//
// Every notice has a key, by which all notices of a change are ordered: a list of numbers that are
// compared from the first on. A frame knows the key of its last notice. Whether somebody is still
// to be told of something is asked by making the key that the notice would have.
#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

static bool is_observed(const model_world* m) {
    return m->observing && model_observer_count(m) > 0;
}

uint32_t model_observer_count(const model_world* m) {
    uint32_t count = 0;
    for (uint32_t i = 0; m->observing && i < MODEL_OBSERVERS; i++)
        count += m->observing->list[i].exists;
    return count;
}

void model_observer_make(model_world* m, uint32_t place, model_observer observer) {
    observer.made = ++m->observing->made;
    observer.exists = true;
    m->observing->list[place] = observer;
}

static bool is_single(const model_observer* o) {
    return !ilk_is_null(o->entity);
}

void model_observers_leave(model_world* m, ilk_entity e) {
    for (uint32_t i = 0; m->observing && i < MODEL_OBSERVERS; i++)
        if (ilk_same(m->observing->list[i].entity, e)) m->observing->list[i].exists = false;
}

uint32_t model_take_messages(model_world* m) {
    uint32_t messages = m->observing ? m->observing->messages : 0;
    if (m->observing) m->observing->messages = 0;
    return messages;
}

// Keys

static uint64_t rank_of(ilk_on on) {
    static const ilk_on ranks[5][2] = {{ILK_ON_CREATE, ILK_ON_CREATE},
                                       {ILK_ON_CEASE, ILK_ON_CEASE},
                                       {ILK_ON_ADD, ILK_ON_SET},
                                       {ILK_ON_ENABLE, ILK_ON_DISABLE},
                                       {ILK_ON_MATCH, ILK_ON_MATCH}};
    for (uint32_t i = 0; i < 5; i++)
        if (ranks[i][0] == on || ranks[i][1] == on) return i + 1;
    return 0;
}

static void make_key(const model_world* m, uint64_t key[6], ilk_on on, uint32_t type,
                     const model_observer* o, uint64_t at) {
    uint64_t order = (uint64_t)((int64_t)o->order + INT32_MAX + 1);
    key[0] = rank_of(on);
    key[1] = type == MODEL_NO_TYPE ? 0 : m->numbers[type];
    key[2] = is_single(o);
    key[3] = is_single(o) ? at : order;
    key[4] = is_single(o) ? order : o->made;
    key[5] = is_single(o) ? o->made : at;
}

static bool is_later(const uint64_t a[6], const uint64_t b[6]) {
    for (uint32_t i = 0; i < 6; i++)
        if (a[i] != b[i]) return a[i] > b[i];
    return false;
}

// Whether a notice with this key is yet to come.
static bool is_to_come(const model_frame* f, const uint64_t key[6]) {
    bool is_same_kind = key[0] == f->turn[0] && key[1] == f->turn[1];
    return is_later(key, f->turn) && !(f->is_stopped && is_same_kind);
}

static void begin_kind(const model_world* m, model_frame* f, ilk_on on, uint32_t type) {
    memset(f->turn, 0, sizeof f->turn);
    f->turn[0] = rank_of(on);
    f->turn[1] = type == MODEL_NO_TYPE ? 0 : m->numbers[type];
    f->is_stopped = false;
}

// Who is told

static bool is_about(const model_frame* f, const model_observer* o, ilk_on on, uint32_t type) {
    bool is_reason = !o->reasons || o->reasons & f->reason;
    bool is_type = type == MODEL_NO_TYPE || o->type == MODEL_NO_TYPE || o->type == type;
    return o->exists && o->made <= f->newest && o->on & on && is_reason && is_type;
}

static uint32_t position_of(const model_frame* f, ilk_entity e) {
    for (uint32_t i = 0; i < f->count; i++)
        if (ilk_same(f->entities[i], e)) return i;
    return UINT32_MAX;
}

static bool is_match(ilk_on on) {
    return on == ILK_ON_MATCH || on == ILK_ON_CEASE;
}

// Whether an outer frame is still to tell this.
static bool is_due(const model_world* m, const model_frame* f, uint32_t observer, ilk_on on,
                   ilk_entity e, uint32_t type) {
    const model_observer* o = &m->observing->list[observer];
    uint32_t at = position_of(f, e);
    uint64_t key[6];
    if (at == UINT32_MAX || !is_about(f, o, on, type)) return false;
    if (is_match(on)) {
        if (!f->is_noted) return false;
        int8_t wanted = on == ILK_ON_MATCH ? 1 : -1;
        if (f->changes[observer * f->count + at] != wanted) return false;
    } else {
        if (!(f->announced & on) || f->is_over) return false;
        if (!f->is_new && type != f->type) return false;
    }
    make_key(m, key, on, type, o, at);
    return is_to_come(f, key);
}

// What must have been told before this can be.
static uint32_t conditions_of(ilk_on on) {
    switch (on) {
    case ILK_ON_DESTROY:
        return ILK_ON_CREATE;
    case ILK_ON_ADD:
    case ILK_ON_REMOVE:
        return ILK_ON_ADD;
    case ILK_ON_SET:
        return ILK_ON_ADD | ILK_ON_SET;
    case ILK_ON_ENABLE:
    case ILK_ON_DISABLE:
        return ILK_ON_ADD | ILK_ON_ENABLE | ILK_ON_DISABLE;
    case ILK_ON_MATCH:
    case ILK_ON_CEASE:
        return ILK_ON_MATCH | ILK_ON_CEASE;
    default:
        return 0;
    }
}

static bool is_withheld(const model_world* m, const model_frame* inner, uint32_t observer,
                        ilk_on on, ilk_entity e, uint32_t type) {
    for (const model_frame* f = inner->outer; f; f = f->outer)
        for (uint32_t bit = 1; bit <= ILK_ON_CEASE; bit <<= 1)
            if (conditions_of(on) & bit && is_due(m, f, observer, (ilk_on)bit, e, type))
                return true;
    return false;
}

static bool matches(const model_world* m, const model_observer* o, ilk_entity e) {
    return !o->query || model_match(m, o->query, e, 0) == MODEL_MATCHES;
}

// Whether what is to be told of an entity is so.
static bool is_so(const model_world* m, const model_frame* f, uint32_t observer, ilk_on on,
                  uint32_t at, uint32_t type) {
    const model_observer* o = &m->observing->list[observer];
    ilk_entity e = f->entities[at];
    if (is_match(on)) {
        if (!f->is_noted) return false;
        int8_t wanted = on == ILK_ON_MATCH ? 1 : -1;
        bool should_be = f->is_done == (on == ILK_ON_MATCH); // what goes still matches
        if (f->changes[observer * f->count + at] != wanted || !model_alive(m, e)) return false;
        return f->is_end || matches(m, o, e) == should_be;
    }
    if (!model_alive(m, e) || !matches(m, o, e)) return false;
    if (type == MODEL_NO_TYPE) return true;
    const model_component* c = model_find(m, e, type);
    if (!c || f->is_over) return false;
    return c->off ? on != ILK_ON_ENABLE : on != ILK_ON_DISABLE;
}

static bool is_to_be_told(const model_world* m, const model_frame* f, uint32_t observer, ilk_on on,
                          uint32_t at, uint32_t type) {
    return is_about(f, &m->observing->list[observer], on, type) &&
           is_so(m, f, observer, on, at, type) &&
           ((f->is_end && is_match(on)) || !is_withheld(m, f, observer, on, f->entities[at], type));
}

// Telling

static void apply_waiting(model_world* m, model_frame* f) {
    model_hearing* h = &m->observing->hearing;
    if (model_cmd_count(&f->cmd)) h->go_on(h->user);
    while (model_cmd_count(&f->cmd)) {
        model_faults faults = model_cmd_do(m, &f->cmd);
        m->observing->messages += faults && faults != MODEL_FAULT(DEAD);
        h->go_on(h->user);
    }
}

// So many from one on go into one notice. What is not about values goes together wherever it can.
static uint32_t length_of(const model_world* m, const model_frame* f, uint32_t observer, ilk_on on,
                          uint32_t at, uint32_t type) {
    const model_hearing* h = &m->observing->hearing;
    uint32_t longest = 1, told = h->length(h->user);
    if (!m->observing->list[observer].is_many || is_single(&m->observing->list[observer])) return 1;
    while (at + longest < f->count && is_to_be_told(m, f, observer, on, at + longest, type))
        longest++;
    return type == MODEL_NO_TYPE || told == 0 || told > longest ? longest : told;
}

// The target that a notice is about, and what the relation to it carries.
static void name_target(const model_world* m, const model_frame* f, model_notice* n) {
    if (!model_relates(m, n->type) || n->count != 1) return;
    if (n->on == ILK_ON_SET) {
        if (f->edge_changes == m->edge_changes[n->type]) n->target = f->target;
    } else if (model_count_from(m, n->entities[0], n->type) == 1) {
        n->target = model_edge_from(m, n->entities[0], n->type, 0)->target;
    }
    const model_edge* edge = model_edge_between(m, n->entities[0], n->type, n->target);
    if (edge) n->carried = edge->bytes;
}

// Tells one observer of one entity, or of some. How many.
static uint32_t tell_some(model_world* m, model_frame* f, uint32_t observer, ilk_on on, uint32_t at,
                          uint32_t type, const void* old) {
    const model_observer o = m->observing->list[observer];
    model_hearing* h = &m->observing->hearing;
    uint32_t count = length_of(m, f, observer, on, at, type);
    make_key(m, f->turn, on, type, &o, at + count - 1);
    model_notice notice = {observer, on, f->reason, type, f->entities + at, count, old, {0}, NULL};
    name_target(m, f, &notice);
    model_frame* held = m->observing->held;
    bool is_failed = !h->hear(h->user, &notice, held ? &held->cmd : &f->cmd);
    f->is_stopped = is_failed && o.stops;
    if (f->is_done && !held) apply_waiting(m, f);
    return count;
}

// The observer of this that comes after a key: one of any entity, or of the one at a place; or
// NONE.
static uint32_t next_observer(const model_world* m, const model_frame* f, ilk_on on, uint32_t type,
                              uint32_t at, const uint64_t after[6]) {
    bool is_of_one = at < f->count;
    uint32_t next = UINT32_MAX;
    uint64_t best[6] = {UINT64_MAX}, key[6];
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        const model_observer* o = &m->observing->list[i];
        if (!is_about(f, o, on, type) || is_single(o) != is_of_one) continue;
        if (is_of_one && !ilk_same(o->entity, f->entities[at])) continue;
        make_key(m, key, on, type, o, at);
        if (!is_later(key, after) || !is_later(best, key)) continue;
        memcpy(best, key, sizeof best);
        next = i;
    }
    return next;
}

static void tell_lists(model_world* m, model_frame* f, ilk_on on, uint32_t type, const void* old) {
    uint64_t last[6] = {rank_of(on), type == MODEL_NO_TYPE ? 0 : m->numbers[type]};
    uint32_t i;
    while ((i = next_observer(m, f, on, type, f->count, last)) != UINT32_MAX) {
        make_key(m, last, on, type, &m->observing->list[i], f->count);
        for (uint32_t at = 0; at < f->count;) {
            uint32_t count = 1;
            if (is_to_be_told(m, f, i, on, at, type)) count = tell_some(m, f, i, on, at, type, old);
            if (f->is_stopped) return;
            at += count;
        }
    }
}

static void tell_singles(model_world* m, model_frame* f, ilk_on on, uint32_t type,
                         const void* old) {
    for (uint32_t at = 0; at < f->count; at++) {
        uint64_t last[6] = {rank_of(on), type == MODEL_NO_TYPE ? 0 : m->numbers[type], 1, at};
        uint32_t i;
        while ((i = next_observer(m, f, on, type, at, last)) != UINT32_MAX) {
            make_key(m, last, on, type, &m->observing->list[i], at);
            if (is_to_be_told(m, f, i, on, at, type)) tell_some(m, f, i, on, at, type, old);
            if (f->is_stopped) return;
        }
    }
}

// A component that goes takes along what was still to be told of its value.
static void end_values(model_world* m, const model_frame* f, uint32_t type) {
    for (model_frame* outer = f->outer; outer; outer = outer->outer) {
        bool is_of_value = !(outer->announced & (ILK_ON_CREATE | ILK_ON_ADD)) && outer->announced;
        if (is_of_value && outer->type == type && position_of(f, outer->entities[0]) != UINT32_MAX)
            outer->is_over = true;
    }
    (void)m;
}

// Whether a kind of notices is of no concern: nobody asks for it, or a lone entity lacks the type.
static bool is_idle(const model_world* m, const model_frame* f, ilk_on on, uint32_t type) {
    bool is_lone = f->count == 1 && type != MODEL_NO_TYPE;
    return !(f->awaited & on) || (is_lone && !model_find(m, f->entities[0], type));
}

// Whether somebody may be told, of one entity alone or of any. Whoever comes later is not.
static bool is_awaited(const model_world* m, const model_frame* f, ilk_on on, uint32_t type,
                       bool is_of_one) {
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        const model_observer* o = &m->observing->list[i];
        if (is_about(f, o, on, type) && is_single(o) == is_of_one) return true;
    }
    return false;
}

static void tell(model_world* m, model_frame* f, ilk_on on, uint32_t type, const void* old) {
    if (on == ILK_ON_REMOVE) end_values(m, f, type);
    begin_kind(m, f, on, type);
    if (is_idle(m, f, on, type)) return;
    if (is_awaited(m, f, on, type, false)) tell_lists(m, f, on, type, old);
    if (f->is_stopped || !is_awaited(m, f, on, type, true)) return;
    tell_singles(m, f, on, type, old);
}

// For each type in order of numbers; more may become known meanwhile.
static void tell_types(model_world* m, model_frame* f, ilk_on on) {
    for (uint32_t i = 0; i < m->known_count; i++) tell(m, f, on, m->known[i], NULL);
}

// Changes

void model_frame_begin(model_world* m, model_frame* f, const ilk_entity* entities, uint32_t count,
                       uint32_t type, ilk_reason reason) {
    *f = (model_frame){.entities = entities, .count = count, .type = type, .reason = reason};
    if (!is_observed(m)) return;
    f->outer = m->observing->top;
    m->observing->top = f;
    f->newest = m->observing->made;
    if (m->observing->reason) f->reason = m->observing->reason;
    f->changes = must(calloc(MODEL_OBSERVERS, count + 1));
    model_frame_look(m, f);
}

void model_frame_look(const model_world* m, model_frame* f) {
    f->is_noted = false;
    for (uint32_t i = 0; f->changes && i < MODEL_OBSERVERS; i++) {
        const model_observer* o = &m->observing->list[i];
        if (o->exists) f->awaited |= o->on;
        for (uint32_t at = 0; at < f->count && o->exists && o->query; at++)
            f->changes[i * f->count + at] = matches(m, o, f->entities[at]);
    }
}

void model_frame_end(model_world* m, model_frame* f) {
    if (!f->changes) return;
    m->observing->top = f->outer;
    model_cmd_forget(m, &f->cmd);
    free(f->changes);
}

// Who matches now and did not, or the other way round.
static void note_changes(const model_world* m, model_frame* f) {
    f->is_noted = true;
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        const model_observer* o = &m->observing->list[i];
        for (uint32_t at = 0; at < f->count; at++) {
            int8_t* change = &f->changes[i * f->count + at];
            bool is_its = !is_single(o) || ilk_same(o->entity, f->entities[at]);
            bool is_now = o->exists && o->query && m->veil != MODEL_VEIL_ENTITY &&
                          matches(m, o, f->entities[at]);
            *change = is_its ? (int8_t)(is_now - *change) : 0;
        }
    }
}

void model_tell_new(model_world* m, const ilk_entity* entities, uint32_t count) {
    model_tell_new_as(m, entities, count, ILK_REASON_SPAWN);
}

void model_tell_new_as(model_world* m, const ilk_entity* entities, uint32_t count,
                       ilk_reason reason) {
    model_frame f;
    model_frame_begin(m, &f, entities, count, MODEL_NO_TYPE, reason);
    if (!f.changes) return;
    memset(f.changes, 1, MODEL_OBSERVERS * count); // each may match when its turn comes
    f.is_new = f.is_done = f.is_noted = true;
    f.announced = ILK_ON_CREATE | ILK_ON_ADD | ILK_ON_DISABLE;
    tell(m, &f, ILK_ON_CREATE, MODEL_NO_TYPE, NULL);
    tell_types(m, &f, ILK_ON_ADD);
    tell_types(m, &f, ILK_ON_DISABLE);
    tell(m, &f, ILK_ON_MATCH, MODEL_NO_TYPE, NULL);
    model_frame_end(m, &f);
}

void model_tell_changed(model_world* m, model_frame* f, uint32_t announced, const void* old) {
    static const ilk_on kinds[4] = {ILK_ON_ADD, ILK_ON_SET, ILK_ON_ENABLE, ILK_ON_DISABLE};
    if (!f->changes) return;
    f->announced = announced & ILK_ON_ADD ? announced | ILK_ON_DISABLE : announced;
    note_changes(m, f);
    f->is_done = true;
    tell(m, f, ILK_ON_CEASE, MODEL_NO_TYPE, NULL);
    for (uint32_t i = 0; i < 4; i++)
        if (f->announced & kinds[i])
            tell(m, f, kinds[i], f->type, kinds[i] == ILK_ON_SET ? old : NULL);
    tell(m, f, ILK_ON_MATCH, MODEL_NO_TYPE, NULL);
}

static bool goes(const model_world* m, const model_frame* f, model_veil veil, uint32_t type) {
    bool is_own = type == m->inactive || type == m->dying;
    if (veil == MODEL_VEIL_TYPE) return type == f->type;
    if (veil == MODEL_VEIL_DEATH) return !m->types[type].outlives;
    return veil == MODEL_VEIL_ENTITY || !is_own;
}

// Whoever goes ceases to match for those who believe that it matches: for so they were told last.
static void look_who_believes(const model_world* m, model_frame* f) {
    f->is_end = true;
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        const model_observer* o = &m->observing->list[i];
        for (uint32_t at = 0; at < f->count && o->exists && o->query; at++) {
            ilk_entity e = f->entities[at];
            if (is_single(o) && !ilk_same(o->entity, e)) continue;
            int8_t* matched = &f->changes[i * f->count + at];
            for (const model_frame* outer = f->outer; outer; outer = outer->outer) {
                if (is_due(m, outer, i, ILK_ON_MATCH, e, MODEL_NO_TYPE)) *matched = 0;
                if (is_due(m, outer, i, ILK_ON_CEASE, e, MODEL_NO_TYPE)) *matched = 1;
            }
        }
    }
}

void model_tell_going(model_world* m, model_frame* f, model_veil veil) {
    if (!f->changes) return;
    if (veil == MODEL_VEIL_ENTITY) look_who_believes(m, f);
    m->veil = veil;
    m->veiled = f->type;
    note_changes(m, f);
    m->veil = MODEL_VEIL_NONE;
    tell(m, f, ILK_ON_CEASE, MODEL_NO_TYPE, NULL);
    for (uint32_t i = 0; i < m->known_count; i++)
        if (goes(m, f, veil, m->known[i])) tell(m, f, ILK_ON_REMOVE, m->known[i], NULL);
    if (veil == MODEL_VEIL_ENTITY) tell(m, f, ILK_ON_DESTROY, MODEL_NO_TYPE, NULL);
}

void model_tell_gone(model_world* m, model_frame* f) {
    if (!f->changes) return;
    f->is_done = true;
    begin_kind(m, f, ILK_ON_CEASE, MODEL_NO_TYPE);
    memset(f->turn + 1, 0xff, sizeof f->turn - sizeof *f->turn);
    apply_waiting(m, f);
    if (f->announced) tell(m, f, ILK_ON_ADD, f->type, NULL); // that it is dying
    tell(m, f, ILK_ON_MATCH, MODEL_NO_TYPE, NULL);
}

// Entity by entity, in one frame: what observers ask for is done when all is gone.
void model_tell_unload(model_world* m, model_frame* f) {
    model_frame_begin(m, f, NULL, 0, MODEL_NO_TYPE, ILK_REASON_UNLOAD);
    if (!f->changes) return;
    model_frame all = *f;
    for (uint32_t i = 0; i < m->slot_count; i++) {
        ilk_entity e = model_entity_at(m, i);
        if (ilk_is_null(e)) continue;
        model_frame one;
        model_frame_begin(m, &one, &e, 1, MODEL_NO_TYPE, ILK_REASON_UNLOAD);
        if (!one.changes) continue;
        one.reason = ILK_REASON_UNLOAD;
        one.newest = all.newest;
        one.outer = all.outer;
        one.cmd = f->cmd;
        model_tell_going(m, &one, MODEL_VEIL_ENTITY);
        f->cmd = one.cmd;
        one.cmd = (model_cmd){0};
        one.outer = f;
        model_frame_end(m, &one);
    }
}
