// Blueprints of the naive model.
#include "model_bp.h"

#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

uint64_t model_bp_owned;

// Values

static bool owns(const model_type* type, const unsigned char* bytes) {
    uint32_t first = 0;
    if (type->owner) memcpy(&first, bytes, sizeof first);
    return first != 0;
}

static void fill_part(const model_type* type, model_bp_part* part, const void* bytes) {
    if (!bytes) bytes = type->fresh;
    part->bytes = must(calloc(1, type->size ? type->size : 1));
    if (bytes) memcpy(part->bytes, bytes, type->size);
    model_bp_owned += owns(type, part->bytes);
}

static void empty_part(const model_type* type, model_bp_part* part) {
    model_bp_owned -= owns(type, part->bytes);
    free(part->bytes);
}

static model_bp_part* push_part(const model_type* types, model_bp* b, model_value value) {
    b->parts = must(realloc(b->parts, (b->count + 1) * sizeof *b->parts));
    model_bp_part* part = &b->parts[b->count++];
    *part = (model_bp_part){.type = value.type};
    fill_part(&types[value.type], part, value.bytes);
    return part;
}

model_bp* model_bp_create(ilk_entity stand_in) {
    model_bp* b = must(calloc(1, sizeof *b));
    b->stand_in = stand_in;
    b->users = 1;
    return b;
}

model_bp_part* model_bp_own(const model_bp* b, uint32_t type) {
    for (uint32_t i = 0; i < b->count; i++)
        if (b->parts[i].type == type) return &b->parts[i];
    return NULL;
}

model_bp_part* model_bp_find(const model_bp* b, uint32_t type) {
    model_bp_part* own = model_bp_own(b, type);
    return own || !b->base ? own : model_bp_find(b->base, type);
}

uint32_t model_bp_types(const model_bp* b, uint32_t* types) {
    uint32_t count = 0;
    for (const model_bp* at = b; at; at = at->base)
        for (uint32_t i = 0; i < at->count; i++)
            if (model_bp_find(b, at->parts[i].type) == &at->parts[i])
                types[count++] = at->parts[i].type;
    return count;
}

static model_faults type_faults(const model_type* types, uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    return types[type].fault == ILK_OK ? MODEL_FINE : 1u << types[type].fault;
}

static model_faults giving_faults(const model_type* types, uint32_t type) {
    model_faults faults = type_faults(types, type);
    bool is_managed = !faults && (types[type].relation || types[type].is_name || types[type].is_id);
    bool is_no_value = is_managed || (!faults && types[type].is_dying);
    return is_no_value ? MODEL_FAULT(INVALID) : faults;
}

static void refill(const model_type* types, model_bp_part* part, const void* bytes) {
    empty_part(&types[part->type], part);
    fill_part(&types[part->type], part, bytes);
    part->off = false;
    part->origin = 0;
}

model_faults model_bp_add(const model_type* types, model_bp* b, model_value value) {
    model_faults faults = giving_faults(types, value.type);
    if (faults) return faults;
    if (model_bp_own(b, value.type)) return MODEL_FAULT(EXISTS);
    push_part(types, b, value);
    return MODEL_FINE;
}

model_faults model_bp_set(const model_type* types, model_bp* b, model_value value) {
    model_faults faults = giving_faults(types, value.type);
    if (faults) return faults;
    if (!model_bp_own(b, value.type)) return model_bp_add(types, b, value);
    refill(types, model_bp_own(b, value.type), value.bytes);
    return MODEL_FINE;
}

model_faults model_bp_replace(const model_type* types, model_bp* b, model_value value) {
    model_faults faults = type_faults(types, value.type);
    if (faults) return faults;
    if (!model_bp_own(b, value.type)) return MODEL_FAULT(MISSING);
    refill(types, model_bp_own(b, value.type), value.bytes);
    return MODEL_FINE;
}

model_faults model_bp_remove(const model_type* types, model_bp* b, uint32_t type) {
    model_faults faults = type_faults(types, type);
    if (faults) return faults;
    model_bp_part* part = model_bp_own(b, type);
    if (!part) return MODEL_FAULT(MISSING);
    empty_part(&types[type], part);
    size_t after = (size_t)(b->parts + b->count - part - 1);
    memmove(part, part + 1, after * sizeof *part);
    b->count--;
    return MODEL_FINE;
}

static void copy_part(const model_type* types, model_bp* b, const model_bp_part* from) {
    model_bp_part* part = push_part(types, b, (model_value){from->type, from->bytes});
    part->origin = from->origin;
    part->off = from->off;
}

model_bp_part* model_bp_edit(const model_type* types, model_bp* b, uint32_t type) {
    if (type_faults(types, type)) return NULL;
    const model_bp_part* inherited = model_bp_find(b, type);
    if (!model_bp_own(b, type)) {
        if (!inherited || types[type].single) return NULL;
        copy_part(types, b, inherited);
    }
    return model_bp_own(b, type);
}

// Trees

static void forget_child(model_bp* b) {
    if (!b->parent) return;
    model_bp** link = &b->parent->child;
    while (*link != b) link = &(*link)->sibling;
    *link = b->sibling;
    b->parent = b->sibling = NULL;
}

static void forget_name(model_bp* b) {
    if (!b->world) return;
    model_bp** link = &b->world->blueprints;
    while (*link != b) link = &(*link)->next_named;
    *link = b->next_named;
    b->world = NULL;
}

static void release(const model_type* types, model_bp* b) {
    if (--b->users) return;
    while (b->child) {
        model_bp* child = b->child;
        forget_child(child);
        release(types, child);
    }
    if (b->base) release(types, b->base);
    for (uint32_t i = 0; i < b->count; i++) empty_part(&types[b->parts[i].type], &b->parts[i]);
    free(b->parts);
    free(b);
}

void model_bp_destroy(const model_type* types, model_bp* b) {
    forget_child(b);
    forget_name(b);
    release(types, b);
}

bool model_bp_is_made_of(const model_bp* b, const model_bp* other) {
    if (b == other || (b->base && model_bp_is_made_of(b->base, other))) return true;
    for (const model_bp* child = b->child; child; child = child->sibling)
        if (model_bp_is_made_of(child, other)) return true;
    return false;
}

model_faults model_bp_extend(const model_type* types, model_bp* b, model_bp* base) {
    if (base && model_bp_is_made_of(base, b)) return MODEL_FAULT(INVALID);
    model_bp* old = b->base;
    if (base) base->users++;
    b->base = base;
    if (old) release(types, old);
    return MODEL_FINE;
}

static void adopt(model_bp* b, model_bp* child) {
    model_bp** link = &b->child;
    while (*link) link = &(*link)->sibling;
    *link = child;
    child->parent = b;
}

model_faults model_bp_add_child(model_bp* b, model_bp* child) {
    if (child->parent || child->world || model_bp_is_made_of(child, b)) return MODEL_FAULT(INVALID);
    adopt(b, child);
    return MODEL_FINE;
}

model_bp* model_bp_named(const model_world* m, const char* name) {
    model_bp* b = m->blueprints;
    while (b && strcmp(b->name, name) != 0) b = b->next_named;
    return b;
}

model_bp* model_bp_of_id(const model_world* m, uint32_t id) {
    model_bp* b = m->blueprints;
    while (b && b->stand_in.index != id) b = b->next_named;
    return b;
}

model_faults model_bp_register(model_world* m, const char* name, model_bp* b) {
    model_faults faults = b->parent || b->world || !*name ? MODEL_FAULT(INVALID) : MODEL_FINE;
    if (model_bp_named(m, name)) faults |= MODEL_FAULT(EXISTS);
    if (faults) return faults;
    strcpy(b->name, name);
    b->world = m;
    b->next_named = m->blueprints;
    m->blueprints = b;
    return MODEL_FINE;
}

void model_bps_free(model_world* m) {
    while (m->blueprints) model_bp_destroy(m->types, m->blueprints);
}

// Clones

model_bp* model_bp_after(const model_bp* root, model_bp* b) {
    if (b->child) return b->child;
    while (b != root && !b->sibling) b = b->parent;
    return b == root ? NULL : b->sibling;
}

model_bp* model_bp_clone(const model_type* types, const model_bp* b) {
    model_bp* clone = model_bp_create(b->stand_in);
    bool can = true;
    for (uint32_t i = 0; i < b->count; i++) can = can && !types[b->parts[i].type].single;
    for (uint32_t i = 0; i < b->count && can; i++) copy_part(types, clone, &b->parts[i]);
    if (b->base) b->base->users++;
    clone->base = b->base;
    for (const model_bp* child = b->child; child && can; child = child->sibling) {
        model_bp* copy = model_bp_clone(types, child);
        if (copy) adopt(clone, copy);
        can = copy != NULL;
    }
    if (can) return clone;
    model_bp_destroy(types, clone);
    return NULL;
}

static void rename_all(const model_type* types, model_bp* root, ilk_entity from, ilk_entity to) {
    for (model_bp* b = root; b; b = model_bp_after(root, b))
        for (uint32_t i = 0; i < b->count; i++)
            model_rename(&types[b->parts[i].type], b->parts[i].bytes, from, to);
}

void model_bp_rename_clone(const model_type* types, const model_bp* from, model_bp* to) {
    model_bp *a = (model_bp*)(uintptr_t)from, *b = to;
    for (; a && b; a = model_bp_after(from, a), b = model_bp_after(to, b))
        rename_all(types, to, a->stand_in, b->stand_in);
}

// Spawning

typedef struct sprout {
    model_bp* blueprint;
    uint32_t parent; // or UINT32_MAX
    bool is_own;
} sprout;

typedef struct sprouts {
    sprout* list;
    uint32_t count;
} sprouts;

static void push_sprout(sprouts* all, sprout one) {
    all->list = must(realloc(all->list, (all->count + 1) * sizeof *all->list));
    all->list[all->count++] = one;
}

// The blueprint, then its children, then theirs; before those of a base its own.
static sprouts sprouts_of(model_bp* b) {
    sprouts all = {0};
    push_sprout(&all, (sprout){b, UINT32_MAX, true});
    for (uint32_t i = 0; i < all.count; i++) {
        bool is_own = all.list[i].is_own && all.list[i].blueprint->users == 1;
        for (model_bp* at = all.list[i].blueprint; at; at = at->base, is_own = false)
            for (model_bp* child = at->child; child; child = child->sibling)
                push_sprout(&all, (sprout){child, i, is_own});
    }
    return all;
}

uint32_t model_bp_size(const model_bp* b) {
    sprouts all = sprouts_of((model_bp*)(uintptr_t)b);
    free(all.list);
    return all.count;
}

static bool is_moved(const sprout* s, const model_bp_part* part, bool moves) {
    return moves && s->is_own && s->blueprint->users == 1 &&
           model_bp_own(s->blueprint, part->type) == part;
}

static uint32_t child_of(const model_world* m) {
    uint32_t type = 0;
    while (!m->types[type].is_child_of) type++;
    return type;
}

static model_faults sprout_faults(const model_world* m, const sprout* s, bool moves) {
    uint32_t types[128], count = model_bp_types(s->blueprint, types);
    model_faults faults = MODEL_FINE;
    for (uint32_t i = 0; i < count; i++) {
        const model_bp_part* part = model_bp_find(s->blueprint, types[i]);
        if (m->types[types[i]].single && !is_moved(s, part, moves)) faults |= MODEL_FAULT(INVALID);
        faults |= model_withheld(m, types[i]);
    }
    return faults;
}

static bool is_made_by(const model_bp* b, ilk_entity stand_in) {
    while (b && !ilk_same(b->stand_in, stand_in)) b = b->base;
    return b != NULL;
}

// The only one that is made of a blueprint; of several the nearest.
static uint32_t who_is(const sprouts* all, uint32_t from, ilk_entity stand_in) {
    uint32_t first = UINT32_MAX, count = 0;
    for (uint32_t i = all->count; i-- > 0;) {
        if (!is_made_by(all->list[i].blueprint, stand_in)) continue;
        first = i;
        count++;
    }
    if (count < 2) return first;
    first = UINT32_MAX;
    for (uint32_t at = from; at != UINT32_MAX; at = all->list[at].parent) {
        if (is_made_by(all->list[at].blueprint, stand_in)) return at;
        for (uint32_t i = at + 1; i < all->count; i++) {
            if (!is_made_by(all->list[i].blueprint, stand_in)) continue;
            if (all->list[i].parent == at) return i;
            if (first == UINT32_MAX) first = i;
        }
    }
    return first;
}

static void put_names(const model_world* m, const sprouts* all, uint32_t at, uint32_t times,
                      uint32_t turn, const ilk_entity* made, const model_bp_part* part,
                      unsigned char* bytes) {
    const model_type* type = &m->types[part->type];
    for (uint32_t i = 0; i < type->names; i++) {
        ilk_entity e;
        unsigned char* where = bytes + type->names_at + i * sizeof e;
        memcpy(&e, part->bytes + type->names_at + i * sizeof e, sizeof e);
        if (e.generation == UINT32_MAX) {
            uint32_t who = who_is(all, at, e);
            e = who == UINT32_MAX ? (ilk_entity){0} : made[who * times + turn];
        } else if (part->origin && part->origin != m->serial) {
            e = (ilk_entity){0};
        }
        memcpy(where, &e, sizeof e);
    }
}

static void give_parts(model_world* m, const sprouts* all, uint32_t at, uint32_t times,
                       uint32_t turn, const ilk_entity* made) {
    const model_bp* b = all->list[at].blueprint;
    uint32_t types[128], count = model_bp_types(b, types);
    for (uint32_t i = 0; i < count; i++) {
        const model_bp_part* part = model_bp_find(b, types[i]);
        model_component* c =
            model_place(m, made[at * times + turn], (model_value){types[i], part->bytes});
        c->off = part->off;
        put_names(m, all, at, times, turn, made, part, c->bytes);
    }
    if (all->list[at].parent != UINT32_MAX)
        model_place(m, made[at * times + turn], (model_value){child_of(m), NULL});
}

static void give_parents(model_world* m, const sprouts* all, uint32_t times,
                         const ilk_entity* made) {
    for (uint32_t i = times; i < all->count * times; i++) {
        uint32_t parent = all->list[i / times].parent * times + i % times;
        model_edge_add(m, made[i], child_of(m), made[parent], NULL);
    }
}

model_faults model_bp_spawn(model_world* m, model_bp* b, uint32_t times, bool moves,
                            const ilk_entity* promised, ilk_entity* roots) {
    sprouts all = sprouts_of(b);
    uint32_t total = all.count * times;
    model_faults faults = model_no_room(m, total - (promised != NULL));
    for (uint32_t i = 0; i < all.count; i++) faults |= sprout_faults(m, &all.list[i], moves);
    ilk_entity* made = must(calloc(total + 1, sizeof *made));
    for (uint32_t i = 0; i < total && !faults; i++) {
        made[i] = promised && i == 0 ? *promised : model_make(m);
        if (promised && i == 0) model_enliven(m, *promised);
    }
    for (uint32_t i = 0; i < total && !faults; i++)
        give_parts(m, &all, i / times, times, i % times, made);
    if (!faults) give_parents(m, &all, times, made);
    if (!faults) memcpy(roots, made, times * sizeof *roots);
    if (!faults && moves) model_bp_destroy(m->types, b);
    if (!faults) model_tell_new(m, made, total);
    free(made);
    free(all.list);
    return faults;
}

// Who travels

typedef struct travellers {
    ilk_entity *list, *there;
    uint32_t count;
} travellers;

static uint32_t where_in(const travellers* all, ilk_entity e) {
    for (uint32_t i = 0; i < all->count; i++)
        if (ilk_same(all->list[i], e)) return i;
    return UINT32_MAX;
}

static bool is_able(const model_world* m, ilk_entity e) {
    return !model_gone(m, e) && !model_is_doomed(m, e);
}

static void add_traveller(const model_world* m, travellers* all, bool* seen, ilk_entity e) {
    if (!is_able(m, e) || seen[e.index]) return;
    seen[e.index] = true;
    all->list[all->count++] = e;
}

// Those of a list, then their children, then theirs.
static travellers travellers_of(const model_world* m, const ilk_entity* list, uint32_t count) {
    travellers all = {must(calloc(m->slot_count + 1, sizeof *list)),
                      must(calloc(m->slot_count + 1, sizeof *list)), 0};
    bool* seen = must(calloc(m->slot_count + 1, sizeof *seen));
    for (uint32_t i = 0; i < count; i++) add_traveller(m, &all, seen, list[i]);
    for (uint32_t i = 0; i < all.count; i++) {
        const model_edge* edge;
        for (uint32_t n = 0; (edge = model_edge_to(m, all.list[i], child_of(m), n)) != NULL; n++)
            add_traveller(m, &all, seen, edge->source);
    }
    free(seen);
    return all;
}

static void forget_travellers(travellers* all) {
    free(all->list);
    free(all->there);
}

// Whether somebody who stays needs one of them.
static bool are_needed(const model_world* m, const travellers* all) {
    model_world* changed = (model_world*)(uintptr_t)m; // for a moment
    uint32_t first = m->doomed_count;
    bool is_needed = model_doom_list(changed, all->list, all->count) != MODEL_FINE;
    changed->doomed_count = first;
    return is_needed;
}

static bool is_single(const model_world* m, ilk_entity e) {
    const model_entity* slot = &m->slots[e.index];
    for (uint32_t i = 0; i < slot->count; i++)
        if (m->types[slot->components[i].type].single) return true;
    return false;
}

static void leave(model_world* m, const travellers* all) {
    model_frame f;
    uint32_t first = m->doomed_count;
    model_frame_begin(m, &f, all->list, all->count, MODEL_NO_TYPE, ILK_REASON_UNLOAD);
    f.reason = ILK_REASON_UNLOAD; // whatever the program says
    model_doom_list(m, all->list, all->count);
    if (f.changes) m->observing->held = &f;
    model_end_outside(m, all->list, all->count, first);
    if (f.changes) m->observing->held = NULL;
    model_frame_look(m, &f);
    model_tell_going(m, &f, MODEL_VEIL_ENTITY);
    for (uint32_t i = 0; i < all->count; i++) model_end(m, all->list[i]);
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

// Taking

static bool is_left_out(const model_world* m, ilk_entity e) {
    const model_entity* slot = &m->slots[e.index];
    for (uint32_t i = 0; i < slot->count; i++)
        if (m->types[slot->components[i].type].saving == ILK_UNSAVED_ENTITY) return true;
    return false;
}

static model_bp* bp_of(const model_world* m, ilk_entity e, bool saves) {
    uint32_t types[128], count = model_types_of(m, e, types);
    model_bp* made = model_bp_create(e);
    made->taken = e;
    for (uint32_t i = 0; i < count; i++) {
        const model_component* c = model_find(m, e, types[i]);
        if (m->types[c->type].relation || model_is_indexed(m, c->type)) continue;
        if (saves && m->types[c->type].saving != ILK_SAVED) continue;
        model_bp_part* part = push_part(m->types, made, (model_value){c->type, c->bytes});
        part->off = c->off;
        part->origin = m->serial;
        bool is_altered = saves && m->types[c->type].is_altered;
        if (is_altered) part->bytes[m->types[c->type].size - 1] = 0x5a;
    }
    return made;
}

// NULL if it was left out.
static model_bp* taken_from(model_bp* root, ilk_entity e) {
    model_bp* b = root;
    while (b && !ilk_same(b->taken, e)) b = model_bp_after(root, b);
    return b;
}

static void forget_left_out(const model_world* m, model_bp* root, const travellers* all) {
    for (uint32_t i = 0; i < all->count; i++)
        if (!taken_from(root, all->list[i]))
            rename_all(m->types, root, all->list[i], (ilk_entity){0});
}

// Whether one who is not the first goes into a blueprint for a save.
static bool is_saved(const model_world* m, model_bp* root, ilk_entity e) {
    const model_edge* up = model_edge_from(m, e, child_of(m), 0);
    return !is_left_out(m, e) && taken_from(root, up->target);
}

model_faults model_bp_save(const model_world* m, ilk_entity e, model_bp** made) {
    travellers all = travellers_of(m, &e, 1);
    model_faults faults = all.count ? MODEL_FINE : MODEL_FAULT(DEAD);
    if (all.count && is_left_out(m, e)) {
        *made = model_bp_create(e);
        (*made)->taken = e;
        all.count = 0;
    }
    for (uint32_t i = 0; i < all.count; i++) {
        if (i && !is_saved(m, *made, all.list[i])) continue;
        if (is_single(m, all.list[i])) faults |= MODEL_FAULT(INVALID);
        model_bp* b = bp_of(m, all.list[i], true);
        if (i == 0) *made = b;
        if (i) adopt(taken_from(*made, model_edge_from(m, all.list[i], child_of(m), 0)->target), b);
    }
    if (*made) forget_left_out(m, *made, &all);
    if (*made && faults) {
        model_bp_destroy(m->types, *made);
        *made = NULL;
    }
    forget_travellers(&all);
    return faults;
}

model_faults model_bp_take(model_world* m, ilk_entity e, bool moves, model_bp** made) {
    travellers all = travellers_of(m, &e, 1);
    model_faults faults = all.count ? MODEL_FINE : MODEL_FAULT(DEAD);
    if (moves && are_needed(m, &all)) faults = MODEL_FAULT(NEEDED);
    for (uint32_t i = 0; i < all.count && !moves; i++)
        if (is_single(m, all.list[i])) faults |= MODEL_FAULT(INVALID);
    for (uint32_t i = 0; i < all.count && !faults; i++) {
        model_bp* b = bp_of(m, all.list[i], false);
        if (i == 0) *made = b;
        if (i) adopt(taken_from(*made, model_edge_from(m, all.list[i], child_of(m), 0)->target), b);
    }
    if (!faults && moves) leave(m, &all);
    forget_travellers(&all);
    return faults;
}

void model_bp_rename_taken(const model_type* types, model_bp* root) {
    for (model_bp* b = root; b; b = model_bp_after(root, b))
        rename_all(types, root, b->taken, b->stand_in);
}

// Travelling

static void rename_traveller(const model_world* from, const model_world* to, const travellers* all,
                             const model_type* type, unsigned char* value) {
    for (uint32_t i = 0; i < type->names; i++) {
        ilk_entity e;
        unsigned char* where = value + type->names_at + i * sizeof e;
        memcpy(&e, where, sizeof e);
        uint32_t at = model_alive(from, e) ? where_in(all, e) : UINT32_MAX;
        if (at != UINT32_MAX)
            e = all->there[at];
        else if (from != to)
            e = (ilk_entity){0};
        memcpy(where, &e, sizeof e);
    }
}

// Whether a relation leads to somebody there, and to whom.
static bool leads_there(const model_world* from, const model_world* to, const travellers* all,
                        const model_edge* edge, ilk_entity* target) {
    uint32_t at = where_in(all, edge->target);
    *target = at == UINT32_MAX ? edge->target : all->there[at];
    return at != UINT32_MAX || (from == to && model_is_relatable(to, edge->target));
}

// Whether one who travels has a component there, too.
static bool is_brought(const model_world* from, const model_world* to, const travellers* all,
                       ilk_entity e, uint32_t type) {
    ilk_entity target;
    if (type == from->name_type) return to->names == ILK_NAMES_FREE;
    if (model_is_indexed(from, type)) return false;
    if (!from->types[type].relation) return true;
    const model_edge* edge;
    for (uint32_t n = 0; (edge = model_edge_from(from, e, type, n)) != NULL; n++)
        if (leads_there(from, to, all, edge, &target)) return true;
    return false;
}

static void bring(const model_world* from, model_world* to, const travellers* all, uint32_t at) {
    uint32_t types[128], count = model_types_of(from, all->list[at], types);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_brought(from, to, all, all->list[at], types[i])) continue;
        const model_component* c = model_find(from, all->list[at], types[i]);
        bool off = c->off, is_related = from->types[types[i]].relation;
        model_value value = {types[i], is_related ? NULL : c->bytes};
        model_component* made = model_place(to, all->there[at], value);
        made->off = off;
        if (!is_related) rename_traveller(from, to, all, &to->types[types[i]], made->bytes);
    }
}

static void bring_edge(const model_world* from, model_world* to, const travellers* all,
                       const model_edge* edge, ilk_entity source, ilk_entity target) {
    uint32_t type = edge->type;
    model_edge_add(to, source, type, target, edge->bytes);
    unsigned char* bytes = to->edges[to->edge_count - 1].bytes;
    if (bytes) rename_traveller(from, to, all, &to->types[to->types[type].value], bytes);
}

// Relations of which each source has one are brought by target, others by source.
static void bring_edges(const model_world* from, model_world* to, const travellers* all,
                        uint32_t type) {
    bool is_exclusive = from->types[type].is_exclusive;
    const model_edge* edge;
    for (uint32_t i = 0; i < all->count && is_exclusive; i++) {
        for (uint32_t n = 0; (edge = model_edge_to(from, all->list[i], type, n)) != NULL; n++) {
            uint32_t source = where_in(all, edge->source);
            if (source != UINT32_MAX)
                bring_edge(from, to, all, edge, all->there[source], all->there[i]);
        }
    }
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t count = model_count_from(from, all->list[i], type);
        for (uint32_t n = 0; n < count; n++) {
            ilk_entity target;
            edge = model_edge_from(from, all->list[i], type, n);
            bool is_inside = where_in(all, edge->target) != UINT32_MAX;
            if (leads_there(from, to, all, edge, &target) && !(is_exclusive && is_inside))
                bring_edge(from, to, all, edge, all->there[i], target);
        }
    }
}

static model_faults travel_faults(const model_world* from, const model_world* to,
                                  const travellers* all, bool moves) {
    model_faults faults = model_no_room(to, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const model_entity* slot = &from->slots[all->list[i].index];
        for (uint32_t k = 0; k < slot->count; k++) {
            uint32_t type = slot->components[k].type;
            if (is_brought(from, to, all, all->list[i], type) && type != from->name_type)
                faults |= model_withheld(to, type);
        }
        if (!moves && is_single(from, all->list[i])) faults |= MODEL_FAULT(INVALID);
    }
    return moves && are_needed(from, all) ? MODEL_FAULT(NEEDED) : faults;
}

static void introduce_in_order(const model_world* from, model_world* to, const travellers* all) {
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t types[128], count = model_types_of(from, all->list[i], types);
        for (uint32_t k = 0; k < count; k++)
            if (is_brought(from, to, all, all->list[i], types[k])) model_introduce(to, types[k]);
    }
}

model_faults model_travel(model_world* from, const ilk_entity* list, uint32_t count,
                          model_world* to, bool moves, ilk_entity* there) {
    if (moves && from == to) return MODEL_FAULT(INVALID);
    travellers all = travellers_of(from, list, count);
    model_faults faults = travel_faults(from, to, &all, moves);
    bool is_passed_over = false;
    for (uint32_t i = 0; i < count && !faults; i++) is_passed_over |= !is_able(from, list[i]);
    if (!faults) introduce_in_order(from, to, &all);
    for (uint32_t i = 0; i < all.count && !faults; i++) all.there[i] = model_make(to);
    for (uint32_t i = 0; i < all.count && !faults; i++) bring(from, to, &all, i);
    for (uint32_t type = 0; type < from->type_total && !faults; type++)
        if (from->types[type].relation) bring_edges(from, to, &all, type);
    for (uint32_t i = 0; i < all.count && !faults; i++) model_rename_here(to, all.there[i]);
    for (uint32_t i = 0; i < count && !faults; i++) {
        uint32_t at = where_in(&all, list[i]);
        there[i] = at == UINT32_MAX ? (ilk_entity){0} : all.there[at];
    }
    if (!faults && moves) leave(from, &all);
    if (!faults)
        model_tell_new_as(to, all.there, all.count, moves ? ILK_REASON_LOAD : ILK_REASON_SPAWN);
    forget_travellers(&all);
    return is_passed_over ? MODEL_FAULT(DEAD) : faults;
}
