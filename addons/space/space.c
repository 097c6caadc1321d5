// Spaces: how one is made, and of what.
#include <stdio.h>
#include <string.h>

#include "space.h"

static const char refreshing[] = "ilk_space_refresh";

// Why nothing in it may be moved, also by its own systems: a sentence, or NULL.
static const char* why_in_use(const ilk_space* space) {
    if (space->is_following) return "it is being refreshed, and asks where somebody is";
    return space->callers ? "a question is under way, of which this is a filter or what it calls"
                          : NULL;
}

// Why it can be neither refreshed nor destroyed.
static const char* why_not_now(const ilk_space* space) {
    return ilk_is_locked(space->world) ? "the world is locked" : why_in_use(space);
}

ilk_result ilk_space_refresh(ilk_space* space) {
    if (!space) return ILK_INVALID;
    const char* why = why_not_now(space);
    return why ? ilk_fail(space->world, ILK_LOCKED, refreshing, why)
               : ilks_follow(space, false, refreshing);
}

// Systems

// (Asked once, before the workers begin.)
static bool begin_gathering(ilk_world* world, void* user) {
    (void)world;
    ilks_begin_gathering(user);
    return true;
}

static void gather(ilk_iter* it) {
    ilks_compare_rows(it->user, it);
}

// (An update in what a question calls must not change what that goes through.)
static void move_gathered(ilk_iter* it) {
    ilk_space* space = it->user;
    const char* why = why_in_use(space);
    if (why)
        ilk_fail(space->world, ILK_LOCKED, refreshing, why);
    else
        ilks_follow(space, ilks_is_gathered(space), refreshing);
}

static void drop_observers(ilk_space* space) {
    ilk_observer_destroy(space->observer);
    space->observer = NULL;
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        ilk_observer_destroy(space->others[i]);
        space->others[i] = NULL;
    }
}

// Systems may be taken away by others. If that was the plugin's removal, whose function made the
// space, the observers go next: without them everybody is looked at.
static void forget_gatherer(ilk_world* world, void* user) {
    (void)world;
    ((ilk_space*)user)->gatherer = NULL;
}

static void forget_mover(ilk_world* world, void* user) {
    (void)world;
    ((ilk_space*)user)->mover = NULL;
    drop_observers(user);
}

static const char call[] = "ilk_space_create", no_memory[] = "no memory could be had";

static void take_apart(ilk_space* space) {
    ilk_system_destroy(space->mover);
    ilk_system_destroy(space->gatherer);
    drop_observers(space);
    ilk_query_destroy(space->changed);
    ilk_query_destroy(space->all);
    ilks_memory* memory = &space->memory;
    ilks_store_fini(&space->store, memory);
    ilks_slots_fini(&space->slots, memory);
    ilks_free(memory, space->grid.cells, space->grid.capacity * sizeof *space->grid.cells);
    ilks_free(memory, space->tree.nodes, space->tree.capacity * sizeof *space->tree.nodes);
    ilks_free(memory, space->stirred, space->stirred_capacity * sizeof *space->stirred);
    ilks_free(memory, space->moved, space->moved_capacity * sizeof *space->moved);
    ilks_memory own = *memory;
    ilks_free(&own, space, sizeof *space);
}

// A type that a query is to look at, in the first free place of a list.
static bool add_type(ilk_type** list, ilk_type* type) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] == type) return true;
        if (list[i]) continue;
        list[i] = type;
        return true;
    }
    return false;
}

static bool is_listed(ilk_type* const* list, const ilk_type* type) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] && ilk_same_type(list[i], type)) return true;
    }
    return false;
}

static bool is_term(const ilk_query_desc* query, const ilk_type* type, ilk_access access) {
    for (const ilk_term* term = query->terms; term && term->access; term++) {
        if (term->access == access && ilk_same_type(term->type, type)) return true;
    }
    return false;
}

// Whether a query gives a column of a type as it is.
static bool has_column(const ilk_query_desc* query, const ilk_type* type) {
    return is_listed(query->read, type) || is_listed(query->write, type) ||
           is_term(query, type, ILK_ACCESS_READ) || is_term(query, type, ILK_ACCESS_WRITE);
}

static bool fail_for_room(ilk_space* space) {
    ilk_fail(space->world, ILK_INVALID, call, "a list has no room for its type");
    return false;
}

// The query of everybody who may be in it, and that of those who may have moved.
static bool make_queries(ilk_space* space) {
    ilk_query_desc* all = &space->desc.query;
    ilk_type* type = space->desc.type;
    bool is_room = !type || has_column(all, type) || add_type(all->read, type);
    if (!is_room) return fail_for_room(space);
    space->all = ilk_query_create(space->world, all);
    if (!space->all) return false;
    ilk_query_desc changed = *all;
    if (type) add_type(changed.changed, type);
    for (uint32_t i = 0; space->desc.where && i < ILK_LIST; i++) {
        ilk_type* read = space->desc.reads[i];
        if (read && !add_type(changed.changed, read)) return fail_for_room(space);
    }
    if (!changed.changed[0]) return true; // a function that says nothing: everybody, always
    space->changed = ilk_query_create(space->world, &changed);
    return space->changed != NULL;
}

static bool make_observer(ilk_space* space) {
    bool is_related = false;
    for (uint32_t i = 0; i < ILK_RELATES; i++) {
        is_related |= space->desc.query.relates[i].relation != NULL;
    }
    if (is_related || !space->changed) return true; // then everybody is looked at
    space->observer =
        ilk_observer_create(space->world, &(ilk_observer_desc){.on = ILK_ON_MATCH | ILK_ON_CEASE,
                                                               .query = space->desc.query,
                                                               .run = ilks_note_stirred,
                                                               .user = space,
                                                               .is_many = true});
    bool is_made = space->observer != NULL;
    for (uint32_t i = 0; i < ILK_LIST && is_made; i++) {
        if (!space->desc.where || !space->desc.reads[i]) continue;
        space->others[i] = ilk_observer_create(
            space->world,
            &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE,
                                 .type = space->desc.reads[i],
                                 .run = ilks_note_stirred,
                                 .user = space,
                                 .is_many = true});
        is_made = space->others[i] != NULL;
    }
    return is_made;
}

// Looks at what changed, on the workers.
static bool make_gatherer(ilk_space* space) {
    ilk_query_desc query = space->desc.query;
    add_type(query.changed, space->desc.type);
    space->gatherer = ilk_system_create(space->world, &(ilk_system_desc){.name = space->gather_name,
                                                                         .phase = space->desc.phase,
                                                                         .run = gather,
                                                                         .user = space,
                                                                         .when = begin_gathering,
                                                                         .exit = forget_gatherer,
                                                                         .query = query,
                                                                         .is_parallel = true});
    return space->gatherer != NULL;
}

static bool make_systems(ilk_space* space) {
    if (!space->desc.phase) return true;
    snprintf(space->gather_name, sizeof space->gather_name, "%s: what has moved", space->name);
    snprintf(space->move_name, sizeof space->move_name, "%s: moving it", space->name);
    bool is_gathered = space->observer && !space->desc.where;
    if (is_gathered && !make_gatherer(space)) return false;
    space->mover = ilk_system_create(
        space->world, &(ilk_system_desc){.name = space->move_name,
                                         .phase = space->desc.phase,
                                         .run = move_gathered,
                                         .user = space,
                                         .exit = forget_mover,
                                         .after = {is_gathered ? space->gather_name : NULL}});
    return space->mover != NULL;
}

static bool asks_for_change(const ilk_query_desc* query) {
    bool asks = false;
    for (uint32_t i = 0; i < ILK_LIST; i++) asks |= query->changed[i] || query->added[i];
    for (const ilk_term* term = query->terms; term && term->access; term++) {
        asks |= term->access == ILK_ACCESS_CHANGED || term->access == ILK_ACCESS_ADDED;
    }
    return asks;
}

// What cannot be: a sentence, or NULL.
static const char* complaint(const ilk_space_desc* desc) {
    if (!desc->type && !desc->where) return "there is neither a type nor a function";
    if (asks_for_change(&desc->query)) return "it asks for what changed";
    if ((uint32_t)desc->kind > ILK_SPACE_TREE) return "it is of no kind";
    if (!(desc->cell >= 0 && desc->cell <= ILKS_FAR)) return "its cells have no size";
    if (desc->name && strlen(desc->name) >= sizeof((ilk_space*)0)->name)
        return "its name is too long";
    if (!desc->allocator.alloc != !desc->allocator.free) return "its allocator is half there";
    return NULL;
}

static void set_sizes(ilk_space* space) {
    ilks_store* store = &space->store;
    if (space->desc.where) {
        store->dims = space->desc.is_flat ? 2 : 3;
        store->numbers = 2 * store->dims;
    }
    store->bytes = sizeof(ilks_bucket) + store->numbers * ILKS_BUCKET * sizeof(double);
    ilks_slots* slots = &space->slots;
    slots->numbers = store->numbers;
    slots->are_floats = !space->desc.where && space->kind == ILK_KIND_F32;
    slots->bytes =
        sizeof(ilks_slot) + slots->numbers * (slots->are_floats ? sizeof(float) : sizeof(double));
    ilks_store_clear(store);
}

// False, and told.
static bool make_parts(ilk_space* space) {
    if (!space->desc.where && !ilks_set_field(space)) {
        ilk_fail(space->world, ILK_INVALID, call,
                 "the type describes no such field of two or three floats or doubles");
        return false;
    }
    set_sizes(space);
    if (!make_queries(space) || !make_observer(space) || !make_systems(space)) return false;
    if (ilks_grid_ready(space, 1)) return ilks_follow(space, false, call) == ILK_OK;
    ilk_fail(space->world, ILK_NO_MEMORY, call, no_memory);
    return false;
}

ilk_space* ilk_space_create(ilk_world* world, const ilk_space_desc* desc) {
    if (!world) return NULL;
    const char* why = desc ? complaint(desc) : "there is no description";
    if (why) {
        ilk_fail(world, ILK_INVALID, call, why);
        return NULL;
    }
    ilks_memory memory = ilks_memory_of(&desc->allocator);
    ilk_space* space = ilks_alloc(&memory, sizeof *space);
    if (!space) {
        ilk_fail(world, ILK_NO_MEMORY, call, no_memory);
        return NULL;
    }
    memset(space, 0, sizeof *space);
    space->world = world;
    space->desc = *desc;
    space->memory = memory;
    space->is_lost = true;
    space->gathered_at = ILKS_NEVER;
    snprintf(space->name, sizeof space->name, "%s", desc->name ? desc->name : "space");
    if (make_parts(space)) return space;
    take_apart(space);
    return NULL;
}

void ilk_space_destroy(ilk_space* space) {
    const char* why = space ? why_not_now(space) : NULL;
    if (why) ilk_fail(space->world, ILK_LOCKED, "ilk_space_destroy", why);
    if (space && !why) take_apart(space);
}
