// Gathering values, children and bases.
//
// A blueprint has its values one by one, each in memory of its own, so that a pointer to one stays
// good while others come and go. All is found by looking through short lists.
#include "blueprint.h"

#include "../component/registry.h"
#include "../containers/lookup.h"

static uint32_t last_blueprint, last_walk;

ilk_blueprint* ilki_blueprint_make(const ilki_memory* from) {
    ilki_memory memory = {.allocator = from->allocator};
    ilk_blueprint* made =
        ilki_alloc_zero(&memory, ILKI_OTHER, sizeof *made, _Alignof(ilk_blueprint));
    if (!made) return NULL;
    made->memory = memory;
    made->id = ilki_atomic_next(&last_blueprint);
    made->users = 1;
    return made;
}

ilk_blueprint* ilk_blueprint_create(const ilk_allocator* allocator) {
    static const ilk_allocator standard;
    if (!allocator) allocator = &standard;
    if (!allocator->alloc != !allocator->free) return NULL;
    ilki_memory memory;
    ilki_memory_init(&memory, allocator);
    return ilki_blueprint_make(&memory);
}

// Values

static size_t bytes_of(const ilk_type* type) {
    return type->size ? type->size : 1;
}

static void free_bytes(ilk_blueprint* b, const ilki_part* part) {
    ilki_free(&b->memory, ILKI_OTHER, part->bytes, bytes_of(part->type), part->type->align);
}

static ilki_part* own_part(const ilk_blueprint* b, const ilk_type* type) {
    for (uint32_t i = 0; i < b->part_count; i++) {
        if (b->parts[i].type->id == type->id) return &b->parts[i];
    }
    return NULL;
}

const ilki_part* ilki_blueprint_find(const ilk_blueprint* b, const ilk_type* type) {
    const ilki_part* part = NULL;
    for (; b && !part; b = b->base) part = own_part(b, type);
    return part;
}

// Whether one of those that extend `base`, from a blueprint on, has a type itself.
static bool is_overridden(const ilk_blueprint* b, const ilk_blueprint* base, const ilk_type* type) {
    for (; b != base; b = b->base) {
        if (own_part(b, type)) return true;
    }
    return false;
}

const ilki_part* ilki_part_next(const ilk_blueprint* b, ilki_part_walk* walk) {
    if (!walk->at) *walk = (ilki_part_walk){b, 0};
    for (; walk->at; *walk = (ilki_part_walk){walk->at->base, 0}) {
        while (walk->next < walk->at->part_count) {
            const ilki_part* part = &walk->at->parts[walk->next++];
            if (!is_overridden(b, walk->at, part->type)) return part;
        }
        if (!walk->at->base) return NULL;
    }
    return NULL;
}

ilki_part* ilki_blueprint_room(ilk_blueprint* b, ilk_type* type) {
    if (!ilki_grow(&b->memory, ILKI_OTHER, &b->parts, &b->part_capacity, b->part_count + 1,
                   sizeof *b->parts)) {
        return NULL;
    }
    void* bytes = ilki_alloc(&b->memory, ILKI_OTHER, bytes_of(type), type->align);
    if (!bytes) return NULL;
    b->parts[b->part_count] = (ilki_part){.type = type, .bytes = bytes};
    return &b->parts[b->part_count++];
}

// The process-wide type, for a verb that names one.
static ilk_result know(const ilk_blueprint* b, ilk_type* type, ilk_type** known) {
    const char* why;
    return b && type ? ilki_type_resolve(type, true, known, &why) : ILK_INVALID;
}

// The same, for a verb that gives one.
static ilk_result know_to_give(const ilk_blueprint* b, ilk_type* type, ilk_type** known) {
    ilk_result result = know(b, type, known);
    if (result != ILK_OK) return result;
    bool is_dying = ilk_same_type(*known, &ilk_dying_type);
    bool is_managed = (*known)->relation || ilki_type_is_indexed(*known);
    return is_dying || is_managed ? ILK_INVALID : ILK_OK;
}

static ilk_result give_part(ilk_blueprint* b, ilk_type* type, const void* bytes) {
    const ilki_part* part = ilki_blueprint_room(b, type);
    if (!part) return ILK_NO_MEMORY;
    ilki_value_fill(type, part->bytes, bytes);
    return ILK_OK;
}

static ilk_result overwrite_part(ilki_part* part, const void* bytes) {
    part->is_off = false;
    part->origin = 0;
    if (bytes == part->bytes) return ILK_OK;
    ilki_value_drop(part->type, part->bytes);
    ilki_value_fill(part->type, part->bytes, bytes);
    return ILK_OK;
}

ilk_result ilk_blueprint_add(ilk_blueprint* b, ilk_value value) {
    ilk_type* type;
    ilk_result result = know_to_give(b, value.type, &type);
    if (result != ILK_OK) return result;
    return own_part(b, type) ? ILK_EXISTS : give_part(b, type, value.bytes);
}

ilk_result ilk_blueprint_set(ilk_blueprint* b, ilk_value value) {
    ilk_type* type;
    ilk_result result = know_to_give(b, value.type, &type);
    if (result != ILK_OK) return result;
    ilki_part* part = own_part(b, type);
    return part ? overwrite_part(part, value.bytes) : give_part(b, type, value.bytes);
}

ilk_result ilk_blueprint_replace(ilk_blueprint* b, ilk_value value) {
    ilk_type* type;
    ilk_result result = know(b, value.type, &type);
    if (result != ILK_OK) return result;
    ilki_part* part = own_part(b, type);
    return part ? overwrite_part(part, value.bytes) : ILK_MISSING;
}

ilk_result ilk_blueprint_remove(ilk_blueprint* b, ilk_type* type) {
    ilk_type* known;
    ilk_result result = know(b, type, &known);
    if (result != ILK_OK) return result;
    ilki_part* part = own_part(b, known);
    if (!part) return ILK_MISSING;
    ilki_value_drop(known, part->bytes);
    free_bytes(b, part);
    const ilki_part* end = b->parts + b->part_count--;
    for (; part + 1 < end; part++) *part = part[1];
    return ILK_OK;
}

const void* ilk_blueprint_get(const ilk_blueprint* b, ilk_type* type) {
    ilk_type* known;
    const ilki_part* part = know(b, type, &known) == ILK_OK ? ilki_blueprint_find(b, known) : NULL;
    return part ? part->bytes : NULL;
}

bool ilk_blueprint_has(const ilk_blueprint* b, ilk_type* type) {
    return ilk_blueprint_get(b, type) != NULL;
}

static bool is_single(const ilk_type* type) {
    return type->hooks.drop && !type->hooks.copy;
}

// Gives a blueprint a copy of somebody's part, which it does not have itself; NULL if that cannot
// be.
static ilki_part* copy_part(ilk_blueprint* b, const ilki_part* from) {
    ilki_part* part = is_single(from->type) ? NULL : ilki_blueprint_room(b, from->type);
    if (!part) return NULL;
    ilki_value_copy(part->type, part->bytes, from->bytes);
    part->origin = from->origin;
    part->is_off = from->is_off;
    return part;
}

void* ilk_blueprint_edit(ilk_blueprint* b, ilk_type* type) {
    ilk_type* known;
    if (know(b, type, &known) != ILK_OK) return NULL;
    const ilki_part *part = own_part(b, known), *inherited = ilki_blueprint_find(b, known);
    if (!part && inherited) part = copy_part(b, inherited);
    return part ? part->bytes : NULL;
}

void* ilk_blueprint_ensure(ilk_blueprint* b, ilk_type* type) {
    if (ilk_blueprint_has(b, type)) return ilk_blueprint_edit(b, type);
    return ilk_blueprint_add(b, (ilk_value){type, NULL}) == ILK_OK ? ilk_blueprint_edit(b, type)
                                                                   : NULL;
}

uint32_t ilk_blueprint_types(const ilk_blueprint* b, ilk_type** types, uint32_t capacity) {
    ilki_part_walk walk = {NULL, 0};
    uint32_t count = 0;
    const ilki_part* part;
    while (b && (part = ilki_part_next(b, &walk)) != NULL) {
        if (types && count < capacity) types[count] = part->type;
        count++;
    }
    return count;
}

ilk_entity ilk_blueprint_entity(const ilk_blueprint* b) {
    return b ? (ilk_entity){b->id, ILKI_STANDS_FOR} : ILKI_NULL;
}

// The end of blueprints

const char* ilki_blueprint_owned(const ilk_blueprint* b) {
    if (b->parent) return "a child";
    if (b->world) return "registered already";
    return b->is_going ? "being put" : NULL;
}

void ilki_blueprint_forget(ilk_blueprint* b) {
    for (uint32_t i = 0; i < b->part_count; i++) free_bytes(b, &b->parts[i]);
    b->part_count = 0;
}

static void free_parts(ilk_blueprint* b) {
    for (uint32_t i = 0; i < b->part_count; i++) {
        ilki_value_drop(b->parts[i].type, b->parts[i].bytes);
    }
    ilki_blueprint_forget(b);
    ilki_free(&b->memory, ILKI_OTHER, b->parts, b->part_capacity * sizeof *b->parts,
              _Alignof(max_align_t));
}

static void leave_parent(ilk_blueprint* b) {
    if (!b->parent) return;
    *(b->previous ? &b->previous->next : &b->parent->first_child) = b->next;
    *(b->next ? &b->next->previous : &b->parent->last_child) = b->previous;
    b->parent = b->previous = b->next = NULL;
}

// Somebody does not need a blueprint any more, which is in no list; if nobody does, it is put in
// front of those that go.
static void let_go(ilk_blueprint* b, ilk_blueprint** going) {
    if (--b->users) return;
    b->next = *going;
    *going = b;
}

// Frees all that nobody needs. (A list, and no recursion: a tree may be a hundred thousand deep.)
static void free_unneeded(ilk_blueprint* going) {
    while (going) {
        ilk_blueprint* b = going;
        going = b->next;
        while (b->first_child) {
            ilk_blueprint* child = b->first_child;
            leave_parent(child);
            let_go(child, &going);
        }
        if (b->base) let_go(b->base, &going);
        free_parts(b);
        ilki_memory memory = b->memory;
        ilki_free(&memory, ILKI_OTHER, b, sizeof *b, _Alignof(ilk_blueprint));
    }
}

static void end_blueprint(ilk_blueprint* b) {
    ilk_blueprint* going = NULL;
    let_go(b, &going);
    free_unneeded(going);
}

void ilk_blueprint_destroy(ilk_blueprint* b) {
    if (!b || b->is_going) return;
    leave_parent(b);
    if (b->world) ilki_blueprint_unregister(b);
    end_blueprint(b);
}

// Bases and children

// Puts a blueprint in front of those that a walk is to visit, unless it was there before.
static void walk_on_to(ilk_blueprint* b, uint32_t mark, ilk_blueprint** waiting) {
    if (!b || b->mark == mark) return;
    b->mark = mark;
    b->walk = *waiting;
    *waiting = b;
}

// Whether a blueprint is made of another: it is that one, or extends it, or has it below. (One that
// is no child, and that nobody extends, is part of nothing else.)
static bool is_made_of(ilk_blueprint* b, const ilk_blueprint* other) {
    if (b != other && !other->parent && other->users == 1) return false;
    uint32_t mark = ilki_atomic_next(&last_walk);
    ilk_blueprint* waiting = NULL;
    walk_on_to(b, mark, &waiting);
    while (waiting && waiting != other) {
        const ilk_blueprint* at = waiting;
        waiting = at->walk;
        walk_on_to(at->base, mark, &waiting);
        for (ilk_blueprint* child = at->first_child; child; child = child->next) {
            walk_on_to(child, mark, &waiting);
        }
    }
    return waiting != NULL;
}

ilk_result ilk_blueprint_extend(ilk_blueprint* b, ilk_blueprint* base) {
    if (!b || (base && is_made_of(base, b))) return ILK_INVALID;
    ilk_blueprint* old = b->base;
    if (base) base->users++;
    b->base = base;
    if (old) end_blueprint(old);
    return ILK_OK;
}

void ilki_blueprint_adopt(ilk_blueprint* b, ilk_blueprint* child) {
    child->parent = b;
    child->previous = b->last_child;
    *(b->last_child ? &b->last_child->next : &b->first_child) = child;
    b->last_child = child;
}

ilk_result ilk_blueprint_add_child(ilk_blueprint* b, ilk_blueprint* child) {
    if (!b || !child || ilki_blueprint_owned(child) || is_made_of(child, b)) return ILK_INVALID;
    ilki_blueprint_adopt(b, child);
    return ILK_OK;
}

ilk_blueprint* ilk_blueprint_parent(const ilk_blueprint* b) {
    return b ? b->parent : NULL;
}

ilk_blueprint* ilk_blueprint_first_child(const ilk_blueprint* b) {
    return b ? b->first_child : NULL;
}

ilk_blueprint* ilk_blueprint_next_child(const ilk_blueprint* b) {
    return b ? b->next : NULL;
}

// Clones

ilk_blueprint* ilki_blueprint_after(const ilk_blueprint* root, ilk_blueprint* b) {
    return b->first_child ? b->first_child : ilki_blueprint_past(root, b);
}

ilk_blueprint* ilki_blueprint_past(const ilk_blueprint* root, ilk_blueprint* b) {
    while (b != root && !b->next) b = b->parent;
    return b == root ? NULL : b->next;
}

// Another one with the same values and base, without children; NULL if that cannot be.
static ilk_blueprint* clone_one(const ilk_blueprint* from) {
    ilk_blueprint* made = ilki_blueprint_make(&from->memory);
    for (uint32_t i = 0; made && i < from->part_count; i++) {
        if (copy_part(made, &from->parts[i])) continue;
        ilk_blueprint_destroy(made);
        return NULL;
    }
    if (made && from->base) from->base->users++;
    if (made) made->base = from->base;
    return made;
}

// The same with children. Each blueprint of the tree notes its clone.
static ilk_blueprint* clone_tree(ilk_blueprint* root, uint32_t* count) {
    ilk_blueprint* first = NULL;
    for (ilk_blueprint* b = root; b; b = ilki_blueprint_after(root, b)) {
        b->walk = clone_one(b);
        if (b->walk && b != root) ilki_blueprint_adopt(b->parent->walk, b->walk);
        if (b == root) first = b->walk;
        ++*count;
        if (b->walk) continue;
        ilk_blueprint_destroy(first);
        return NULL;
    }
    return first;
}

// What stands for a blueprint of the tree stands for its clone in the clones' values.
static ilk_entity rename_clone(void* context, ilk_entity e) {
    uint32_t id = ilki_stands_for(e) ? ilki_lookup_find(context, e.index) : ILKI_NONE;
    return id == ILKI_NONE ? e : (ilk_entity){id, ILKI_STANDS_FOR};
}

static bool has_names(const ilk_blueprint* b) {
    for (uint32_t i = 0; i < b->part_count; i++) {
        if (ilki_type_has_names(b->parts[i].type)) return true;
    }
    return false;
}

static bool rename_clones(ilk_blueprint* root, ilk_blueprint* clone, uint32_t count) {
    size_t slots = ilki_lookup_slots(count, UINT32_MAX), bytes = slots * sizeof(ilki_lookup_slot);
    ilki_lookup_slot* memory = ilki_alloc(&clone->memory, ILKI_OTHER, bytes, sizeof(uint32_t));
    if (!memory) return false;
    ilki_lookup ids;
    ilki_lookup_init(&ids, memory, slots, UINT32_MAX);
    for (ilk_blueprint* b = root; b; b = ilki_blueprint_after(root, b)) {
        ilki_lookup_put(&ids, b->id, b->walk->id);
    }
    for (ilk_blueprint* b = clone; b; b = ilki_blueprint_after(clone, b)) {
        for (uint32_t i = 0; i < b->part_count; i++) {
            ilki_value_rename(b->parts[i].type, b->parts[i].bytes, rename_clone, &ids);
        }
    }
    ilki_free(&clone->memory, ILKI_OTHER, memory, bytes, sizeof(uint32_t));
    return true;
}

ilk_blueprint* ilk_blueprint_clone(const ilk_blueprint* b) {
    if (!b) return NULL;
    ilk_blueprint* root = (ilk_blueprint*)(uintptr_t)b; // only what its walks note is written
    uint32_t count = 0;
    bool is_named = false;
    ilk_blueprint* clone = clone_tree(root, &count);
    for (ilk_blueprint* at = clone; at && !is_named; at = ilki_blueprint_after(clone, at)) {
        is_named = has_names(at);
    }
    if (!is_named || rename_clones(root, clone, count)) return clone;
    ilk_blueprint_destroy(clone);
    return NULL;
}
