// Relations: making, asking and ending them, and the end of entities that others relate to.
//
// A relation changes by its edges, and the component of its source with it: that is one change,
// told as any of a component. Whatever needs memory is had before: room for the edge, the head of
// the target, the list of who may have to go with it; then the component, if the source lacks it,
// as any component is given; then nothing can fail any more.
#include "../component/registry.h"
#include "../relation/tree.h"
#include "world.h"

static const ilki_index* index_of(const ilk_world* world) {
    return &world->storage.view.index;
}

ilk_result ilki_refuse_relation(ilk_world* world, const ilk_type* type, const char* call) {
    return ilki_fail_because(world, ILK_INVALID, call, type,
                             "%s is a relation, which changes by ilk_relate and ILK_TO alone",
                             type ? type->name : "one of the types");
}

bool ilki_is_relatable(const ilk_world* world, ilk_entity target) {
    const ilki_record* record = ilki_record_of(index_of(world), target);
    return record && !ilki_is_dying(&world->storage, record->place) &&
           !ilki_is_doomed(&world->relations, target.index);
}

ilk_result ilki_check_target(ilk_world* world, ilk_value value, const char* call) {
    const ilk_link* link = value.bytes;
    if (!link) {
        return ilki_fail_because(world, ILK_INVALID, call, value.type,
                                 "%s is a relation, and needs a target: ILK_TO", value.type->name);
    }
    if (ilki_is_relatable(world, link->target)) return ILK_OK;
    return ilki_fail(world, ILK_DEAD, call, link->target, value.type);
}

// The relation of a type, introduced if it is new; or NULL, and the failure is noted.
static ilki_relation* relation_for(ilk_world* world, ilk_type* type, const char* call) {
    const ilki_directory* directory = ilki_directory_for(world, type, call);
    if (!directory) return NULL;
    if (!directory->relation) {
        ilki_fail_because(world, ILK_INVALID, call, type, "%s is no relation", type->name);
    }
    return directory->relation;
}

// The relation of a type, for a verb that only takes: OK; MISSING if the world does not know it;
// or what is wrong with the type. The failure is noted.
static ilk_result known_relation(ilk_world* world, ilk_entity source, ilk_type* type,
                                 ilki_relation** relation, const char* call) {
    *relation = type ? ilki_directory_of(&world->storage.view, type)->relation : NULL;
    if (ILKI_LIKELY(*relation)) return ILK_OK;
    if (ilki_refuse(world, type, call)) return ilki_last_result(world);
    *relation = ilki_directory_of(&world->storage.view, type)->relation;
    if (*relation) return ILK_OK;
    if (type->relation) return ilki_fail(world, ILK_MISSING, call, source, type);
    return ilki_fail_because(world, ILK_INVALID, call, type, "%s is no relation", type->name);
}

// The relation of a type that a world knows, to be asked; or NULL.
static const ilki_relation* relation_in(const ilk_world* world, ilk_type* type, const char* call) {
    (void)call;
    if (!world || !type || !ilki_may_use(world, type, false, call)) return NULL;
    ilki_type_recall(type);
    return ilki_directory_of(&world->storage.view, type)->relation;
}

// The link of a source, or NULL if it has none or is not alive.
static ilk_link* link_of(const ilk_world* world, const ilki_relation* relation, ilk_entity source) {
    if (!relation || !ilki_record_of(index_of(world), source)) return NULL;
    return ilki_link_at(&world->storage, relation, source.index);
}

// The edge between two entities, or ILKI_NONE.
static uint32_t edge_between(const ilk_world* world, const ilki_relation* relation,
                             ilk_entity source, ilk_entity target) {
    const ilk_link* link = link_of(world, relation, source);
    if (!link || !ilki_record_of(index_of(world), target)) return ILKI_NONE;
    return ilki_link_find(relation, source.index, link, target.index);
}

bool ilki_ready_to_relate_new(ilk_world* world, ilki_relation* relation, uint32_t target,
                              uint32_t count) {
    return ilki_ready_to_link(&world->storage, relation, target, count) &&
           ilki_ready_for_doom(&world->relations, &world->storage, index_of(world)->slots, target);
}

static ilki_spot spot_of(const ilk_world* world, const ilki_relation* relation, ilk_entity e) {
    uint32_t place = ilki_record_of(index_of(world), e)->place;
    return (ilki_spot){relation->directory,
                       ilki_block_at(relation->directory, ilki_chunk_of(place)), place};
}

// What is to become of the relations of a source.
typedef struct relating {
    ilki_relation* relation;
    ilk_entity source;
    uint32_t target;     // to be related to; or ILKI_NONE, and
    uint32_t edge;       // is to end; with a target, it is to have another value
    const void* carried; // value of the new relation, or NULL
} relating;

// Gives a relation another value. One may be given to itself.
static void carry(const ilki_relation* relation, uint32_t edge, const void* bytes) {
    void* value = ilki_edge_carried(&relation->edges, edge);
    if (!value || value == bytes) return;
    ilki_value_drop(relation->edges.value, value);
    ilki_value_fill(relation->edges.value, value, bytes);
}

// Changes a link that is there. Whoever is related anew has the component switched on.
static void make_change(ilk_world* world, const relating* c, const ilki_spot* at, ilk_link* link) {
    ilki_storage* storage = &world->storage;
    ilki_relation* relation = c->relation;
    ilki_mark(storage, relation->directory, at->block, at->place, false);
    if (c->target == ILKI_NONE) {
        ilki_link_drop(storage, relation, link, c->edge);
        return;
    }
    ilki_value_switch(storage, relation->directory, at->block, at->place, true);
    if (c->edge != ILKI_NONE) {
        ilki_edge_edit(&relation->edges, c->edge, storage->view.tick);
        carry(relation, c->edge, c->carried);
        return;
    }
    if (!relation->rule->is_exclusive) {
        ilki_link_add(storage, relation, c->source.index, link, c->target, c->carried, true);
        return;
    }
    ilki_link_turn(storage, relation, c->source.index, link, c->target);
    ilki_has_come_below(world, relation->directory, c->source.index);
    carry(relation, link->first, c->carried);
}

// The entity that a change is about.
static ilk_entity target_of_change(const ilk_world* world, const relating* c) {
    bool is_end = c->target == ILKI_NONE;
    uint32_t slot = is_end ? ilki_edge_at(&c->relation->edges, c->edge)->target : c->target;
    return ilki_entity_in(&world->storage, slot);
}

// The same, and tells whoever observes it.
static ilk_result make_change_observed(ilk_world* world, const relating* c, const ilki_spot* at,
                                       ilk_link* link, const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, at->directory, c->source, ILK_REASON_CHANGE, call)) {
        return ilki_last_result(world);
    }
    bool is_ready = ilki_frame_before(&frame);
    if (is_ready) {
        ilk_link old = *link;
        uint32_t row = ilki_row_of(at->place);
        bool was_off = ilki_block_is_off(at->block, row);
        frame.target = target_of_change(world, c);
        make_change(world, c, at, link);
        frame.changes = c->relation->changes;
        bool is_on_again = was_off && !ilki_block_is_off(at->block, row);
        ilki_tell_change(&frame, is_on_again ? ILK_ON_SET | ILK_ON_ENABLE : ILK_ON_SET, &old);
    }
    ilki_frame_end(&frame);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

static ilk_result change_link(ilk_world* world, const relating* c, const char* call) {
    ilki_spot at = spot_of(world, c->relation, c->source);
    ilk_link* link = ilki_value_at(at.directory, at.block, ilki_row_of(at.place));
    if (ilki_is_watched(world, at.directory, ILK_ON_SET | ILK_ON_ENABLE)) {
        return make_change_observed(world, c, &at, link, call);
    }
    make_change(world, c, &at, link);
    return ILK_OK;
}

// Gives a source the component, with its first relation.
static bool give_link(ilk_world* world, const relating* c, const char* call) {
    static const ilk_link none;
    ilk_value value = {c->relation->directory->type, &none};
    ilk_link* link = ilki_give(world, c->source, value, call);
    if (!link) return false;
    ilki_link_add(&world->storage, c->relation, c->source.index, link, c->target, c->carried, true);
    ilki_has_come_below(world, c->relation->directory, c->source.index);
    return true;
}

static ilk_result give_link_observed(ilk_world* world, const relating* c, const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, c->relation->directory, c->source, ILK_REASON_CHANGE,
                              call)) {
        return ilki_last_result(world);
    }
    bool is_given = ilki_frame_before(&frame) && give_link(world, c, call);
    ilk_result result = is_given ? ILK_OK : ilki_last_result(world);
    if (is_given) ilki_tell_change(&frame, ILK_ON_ADD, NULL);
    ilki_frame_end(&frame);
    return result;
}

static ilk_result begin_link(ilk_world* world, const relating* c, const char* call) {
    if (ilki_is_watched(world, c->relation->directory, ILK_ON_ADD)) {
        return give_link_observed(world, c, call);
    }
    return give_link(world, c, call) ? ILK_OK : ilki_last_result(world);
}

static ilk_result fail_related(ilk_world* world, const relating* c, ilk_result result,
                               const char* call) {
    return ilki_fail(world, result, call, c->source, c->relation->directory->type);
}

// EXISTS or MISSING, of a relation between two entities.
static ilk_result fail_between(ilk_world* world, ilk_entity source, const ilk_type* type,
                               ilk_entity target, ilk_result result, const char* call) {
    char text[300];
    ilki_text to = ilki_text_begin(text, sizeof text);
    ilki_put_entity(&to, world, target);
    return ilki_fail_for(world, result, call, source, type,
                         result == ILK_EXISTS ? "it is related to entity %s already"
                                              : "it is not related to entity %s",
                         text);
}

// Whether a link stands in the way of a relation: OK if it does not. A relation that is there and
// is to have a value becomes the edge of the change.
static ilk_result look_at_link(ilk_world* world, relating* c, const ilk_link* link, ilki_policy how,
                               bool* is_done, const char* call) {
    if (!link) return how == ILKI_REPLACE ? fail_related(world, c, ILK_MISSING, call) : ILK_OK;
    uint32_t edge = ilki_link_find(c->relation, c->source.index, link, c->target);
    bool is_so = edge != ILKI_NONE, is_kept = how == ILKI_ADD && c->relation->rule->is_exclusive;
    if (how == ILKI_PUT && c->relation->edges.value) c->edge = edge;
    const ilk_type* type = c->relation->directory->type;
    if (how == ILKI_REPLACE && !is_so && !c->relation->rule->is_exclusive) {
        ilk_entity target = ilki_entity_in(&world->storage, c->target);
        return fail_between(world, c->source, type, target, ILK_MISSING, call);
    }
    *is_done = is_so && how != ILKI_ADD && how != ILKI_RELATE && c->edge == ILKI_NONE;
    bool is_refused = is_so && (how == ILKI_ADD || how == ILKI_RELATE);
    if (!is_refused && !is_kept) return ILK_OK;
    ilk_entity other = is_so ? ilki_entity_in(&world->storage, c->target) : link->target;
    return fail_between(world, c->source, type, other, ILK_EXISTS, call);
}

// INVALID if the target is the source, or below it, in a tree. (Below one without children is
// nobody: who builds a tree from the root down does not walk back up.)
static ilk_result look_for_cycle(ilk_world* world, const relating* c, const char* call) {
    if (!c->relation->rule->is_tree) return ILK_OK;
    bool has_children = ilki_head_of(&c->relation->heads, c->source.index).count;
    if (!has_children && c->target != c->source.index) return ILK_OK;
    if (!ilki_tree_is_within(&world->storage, c->relation, c->target, c->source.index)) {
        return ILK_OK;
    }
    const ilk_type* type = c->relation->directory->type;
    return ilki_fail_for(world, ILK_INVALID, call, c->source, type,
                         c->target == c->source.index
                             ? "nothing is below itself, and %s is a tree"
                             : "the other is below it already, and %s is a tree",
                         type->name);
}

// Makes sure that relating needs no memory, but for the component.
static bool ready_to_change(ilk_world* world, const relating* c, const ilk_link* link) {
    uint32_t edges = link && c->relation->rule->is_exclusive ? 0 : 1;
    return ilki_ready_to_link(&world->storage, c->relation, c->target, edges) &&
           ilki_ready_for_doom(&world->relations, &world->storage, c->source.index, c->target);
}

ilk_result ilki_relate_as(ilk_world* world, ilk_entity source, ilk_value value, const void* carried,
                          ilki_policy how, const char* call) {
    const ilki_record* record = ilki_record_of(index_of(world), source);
    bool is_giving = how != ILKI_REPLACE; // whoever is dying has no relation to be replaced
    bool is_dead = !record || (is_giving && ilki_is_dying(&world->storage, record->place));
    if (is_dead) return ilki_fail(world, ILK_DEAD, call, source, value.type);
    ilki_relation* relation = relation_for(world, value.type, call);
    if (!relation) return ilki_last_result(world);
    ilk_result result = ilki_check_target(world, value, call);
    if (result != ILK_OK) return result;
    if (carried && !relation->edges.value) {
        return ilki_fail_for(world, ILK_INVALID, call, source, value.type,
                             "a relation %s carries no value", value.type->name);
    }
    uint32_t target = ((const ilk_link*)value.bytes)->target.index;
    relating c = {relation, source, target, ILKI_NONE, carried};
    const ilk_link* link = ilki_link_at(&world->storage, relation, source.index);
    bool is_done = false;
    result = look_at_link(world, &c, link, how, &is_done, call);
    if (result != ILK_OK || is_done) return result;
    if (c.edge != ILKI_NONE) return change_link(world, &c, call);
    result = look_for_cycle(world, &c, call);
    if (result == ILK_OK) {
        result = ilki_may_come_below(world, source, relation->directory, target, call);
    }
    if (result != ILK_OK) return result;
    if (!ready_to_change(world, &c, link)) return fail_related(world, &c, ILK_NO_MEMORY, call);
    return link ? change_link(world, &c, call) : begin_link(world, &c, call);
}

static ilk_result relate(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target,
                         const void* carried, ilki_policy how, const char* call) {
    ilk_result result = ilki_enter_for(world, source, type, call);
    if (result != ILK_OK) return result;
    ilk_link link = {.target = target};
    return ilki_relate_as(world, source, (ilk_value){type, &link}, carried, how, call);
}

ilk_result ilk_relate(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target) {
    return relate(world, source, type, target, NULL, ILKI_RELATE, "ilk_relate");
}

ilk_result ilk_relate_value(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target,
                            const void* bytes) {
    return relate(world, source, type, target, bytes, ILKI_RELATE, "ilk_relate_value");
}

ilk_result ilk_relation_set(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target,
                            const void* bytes) {
    return relate(world, source, type, target, bytes, ILKI_PUT, "ilk_relation_set");
}

ilk_result ilki_end_edge(ilk_world* world, ilki_relation* relation, ilk_entity source,
                         uint32_t edge, const char* call) {
    ilki_spot at = spot_of(world, relation, source);
    const ilk_link* link = ilki_link_at(&world->storage, relation, source.index);
    if (link->count == 1) return ilki_take_as(world, source, &at, call);
    return change_link(world, &(relating){relation, source, ILKI_NONE, edge, NULL}, call);
}

ilk_result ilki_unrelate_as(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target,
                            const char* call) {
    ilk_result result = ilki_enter_for(world, source, type, call);
    if (result != ILK_OK) return result;
    if (!ilki_alive(world, source)) return ilki_fail(world, ILK_DEAD, call, source, type);
    ilki_relation* relation;
    result = known_relation(world, source, type, &relation, call);
    if (result != ILK_OK) return result;
    uint32_t edge = edge_between(world, relation, source, target);
    if (edge == ILKI_NONE) return fail_between(world, source, type, target, ILK_MISSING, call);
    result = ilki_may_come_below(world, source, relation->directory, ILKI_NONE, call);
    return result == ILK_OK ? ilki_end_edge(world, relation, source, edge, call) : result;
}

ilk_result ilk_unrelate(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target) {
    return ilki_unrelate_as(world, source, type, target, "ilk_unrelate");
}

bool ilk_related(const ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target) {
    const ilki_relation* relation = relation_in(world, type, "ilk_related");
    return relation && edge_between(world, relation, source, target) != ILKI_NONE;
}

ilk_entity ilk_target(const ilk_world* world, ilk_entity source, ilk_type* type) {
    const ilk_link* link = link_of(world, relation_in(world, type, "ilk_target"), source);
    return link ? link->target : ILKI_NULL;
}

uint32_t ilk_target_count(const ilk_world* world, ilk_entity source, ilk_type* type) {
    const ilk_link* link = link_of(world, relation_in(world, type, "ilk_target_count"), source);
    return link ? link->count : 0;
}

uint32_t ilk_targets(const ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity* targets,
                     uint32_t capacity) {
    const ilki_relation* relation = relation_in(world, type, "ilk_targets");
    const ilk_link* link = link_of(world, relation, source);
    if (!link) return 0;
    uint32_t edge = link->first;
    for (uint32_t i = 0; targets && i < link->count && i < capacity; i++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        targets[i] = ilki_entity_in(&world->storage, at->target);
        edge = at->next_target;
    }
    return link->count;
}

// The head of a target; one without edges if it is not alive.
static ilki_head head_of(const ilk_world* world, const ilki_relation* relation, ilk_entity target) {
    bool is_there = relation && ilki_record_of(index_of(world), target);
    return is_there ? ilki_head_of(&relation->heads, target.index) : (ilki_head){0, 0};
}

uint32_t ilk_source_count(const ilk_world* world, ilk_entity target, ilk_type* type) {
    return head_of(world, relation_in(world, type, "ilk_source_count"), target).count;
}

static ilk_entity source_of(const ilk_world* world, const ilki_relation* relation, uint32_t edge) {
    return ilki_entity_in(&world->storage, ilki_edge_at(&relation->edges, edge)->source);
}

uint32_t ilk_sources(const ilk_world* world, ilk_entity target, ilk_type* type, ilk_entity* sources,
                     uint32_t capacity) {
    const ilki_relation* relation = relation_in(world, type, "ilk_sources");
    ilki_head head = head_of(world, relation, target);
    uint32_t edge = head.first;
    for (uint32_t i = 0; sources && i < head.count && i < capacity; i++) {
        sources[i] = source_of(world, relation, edge);
        edge = ilki_edge_at(&relation->edges, edge)->next_source;
    }
    return head.count;
}

ilk_entity ilk_first_source(const ilk_world* world, ilk_entity target, ilk_type* type) {
    const ilki_relation* relation = relation_in(world, type, "ilk_first_source");
    ilki_head head = head_of(world, relation, target);
    return head.count ? source_of(world, relation, head.first) : ILKI_NULL;
}

ilk_entity ilk_next_source(const ilk_world* world, ilk_entity target, ilk_type* type,
                           ilk_entity source) {
    const ilki_relation* relation = relation_in(world, type, "ilk_next_source");
    uint32_t edge = relation ? edge_between(world, relation, source, target) : ILKI_NONE;
    if (edge == ILKI_NONE) return ILKI_NULL;
    uint32_t next = ilki_edge_at(&relation->edges, edge)->next_source;
    bool is_last = next == ilki_head_of(&relation->heads, target.index).first;
    return is_last ? ILKI_NULL : source_of(world, relation, next);
}

const void* ilk_relation_get(const ilk_world* world, ilk_entity source, ilk_type* type,
                             ilk_entity target) {
    const ilki_relation* relation = relation_in(world, type, "ilk_relation_get");
    if (!relation || !relation->edges.value) return NULL;
    uint32_t edge = edge_between(world, relation, source, target);
    return edge == ILKI_NONE ? NULL : ilki_edge_value(&relation->edges, edge);
}

ilk_entity ilk_up(const ilk_world* world, ilk_entity e, ilk_type* tree, ilk_type* having) {
    const ilki_relation* relation = relation_in(world, tree, "ilk_up");
    bool can_ask = relation && relation->rule->is_tree && having &&
                   ilki_may_use(world, having, false, "ilk_up");
    if (!can_ask) return ILKI_NULL;
    ilki_type_recall(having);
    if (ilki_show(world, having, "ilk_up") != ILK_OK) return ILKI_NULL;
    const ilk_link* link;
    while ((link = link_of(world, relation, e)) != NULL) {
        e = link->target;
        uint32_t place = ilki_record_of(index_of(world), e)->place;
        if (ilki_place_has(&world->storage, having, place)) return e;
    }
    return ILKI_NULL;
}

// Why the value of a relation cannot be written; OK if it can.
static ilk_result look_at_value(ilk_world* world, const ilki_relation* relation, ilk_entity source,
                                uint32_t edge, const char* call) {
    const ilk_type* type = relation->directory->type;
    if (!ilki_alive(world, source)) return ilki_fail(world, ILK_DEAD, call, source, type);
    if (!relation->edges.value) {
        return ilki_fail_for(world, ILK_INVALID, call, source, type,
                             "a relation %s carries no value", type->name);
    }
    return edge == ILKI_NONE ? ilki_fail(world, ILK_MISSING, call, source, type) : ILK_OK;
}

void* ilk_relation_edit(ilk_world* world, ilk_entity source, ilk_type* type, ilk_entity target) {
    const char* call = "ilk_relation_edit";
    if (ilki_enter_to_write(world, source, type, call) != ILK_OK) return NULL;
    ilki_relation* relation;
    if (known_relation(world, source, type, &relation, call) != ILK_OK) return NULL;
    uint32_t edge = edge_between(world, relation, source, target);
    if (look_at_value(world, relation, source, edge, call) != ILK_OK) return NULL;
    ilki_spot at = spot_of(world, relation, source);
    ilki_mark(&world->storage, at.directory, at.block, at.place, false);
    ilki_edge_edit(&relation->edges, edge, world->storage.view.tick);
    return ilki_edge_value(&relation->edges, edge);
}

bool ilki_has_targets(const ilk_world* world, const ilk_entity* entities, uint32_t count) {
    for (uint32_t i = 0; world->storage.target_words && i < count; i++) {
        uint32_t slot = entities[i].index;
        if (!ilki_alive(world, entities[i])) continue;
        if (ilki_is_doomed(&world->relations, slot)) return true;
        bool is_target = ilki_is_target(&world->storage, slot);
        if (is_target && ilki_has_sources(&world->relations, slot)) return true;
    }
    return false;
}

bool ilki_is_needed(ilk_world* world, ilk_entity e) {
    ilki_relations* relations = &world->relations;
    ilki_need need;
    uint32_t first = relations->doomed_count;
    if (!ilki_has_targets(world, &e, 1) || ilki_is_doomed(relations, e.index)) return false;
    ilk_result result = ilki_doom(relations, &world->storage, e, &need);
    while (relations->doomed_count > first) ilki_doom_is_done(relations);
    return result == ILK_NEEDED;
}

// For one that was to go, or for whoever is needed if that is null.
ilk_result ilki_fail_needed(ilk_world* world, ilk_entity e, const ilki_need* need,
                            const char* call) {
    const ilk_type* type = need->relation->directory->type;
    ilk_entity source = ilki_entity_in(&world->storage, need->source);
    ilk_entity target = ilki_entity_in(&world->storage, need->target);
    char text[300];
    ilki_text to = ilki_text_begin(text, sizeof text);
    ilki_text_put(&to, "entity ");
    ilki_put_entity(&to, world, source);
    ilki_text_put(&to, " needs ");
    if (ilk_is_null(e) || ilk_same(e, target)) {
        ilki_text_put(&to, "it");
    } else {
        ilki_text_put(&to, "entity ");
        ilki_put_entity(&to, world, target);
        ilki_text_put(&to, ", which would go with it");
    }
    return ilki_fail_for(world, ILK_NEEDED, call, ilk_is_null(e) ? target : e, type, "%s, by %s",
                         text, type->name);
}

// Ends a relation to an entity. False if there is none.
static bool end_one_to(ilk_world* world, ilk_entity e, const char* call) {
    for (uint32_t i = 0; i < world->relations.count; i++) {
        ilki_relation* relation = world->relations.list[i];
        ilki_head head = ilki_head_of(&relation->heads, e.index);
        if (!head.count) continue;
        ilki_end_edge(world, relation, source_of(world, relation, head.first), head.first, call);
        return true;
    }
    return false;
}

// Destroys those who were doomed from one on, the last one first; or an observer has the world
// cleared.
void ilki_destroy_doomed(ilk_world* world, uint32_t first, ilk_reason reason, const char* call) {
    ilki_relations* relations = &world->relations;
    while (relations->doomed_count > first) {
        ilk_entity last = relations->doomed[relations->doomed_count - 1];
        if (end_one_to(world, last, call)) continue;
        ilki_doom_is_done(relations);
        ilki_destroy_alone(world, last, reason, call);
    }
}

ilk_result ilki_destroy_related(ilk_world* world, ilk_entity e, ilk_reason reason,
                                const char* call) {
    ilki_relations* relations = &world->relations;
    uint32_t first = relations->doomed_count;
    ilki_need need;
    if (!ilki_frames_ready(world, call)) return ilki_last_result(world);
    ilk_result result = ilki_doom(relations, &world->storage, e, &need);
    if (result == ILK_NEEDED) return ilki_fail_needed(world, e, &need, call);
    if (result != ILK_OK) return ilki_fail(world, result, call, e, NULL);
    ilki_destroy_doomed(world, first, reason, call);
    return ILK_OK;
}

// Destroys one of a list that is not nested, in its turn: it is marked, or without relations.
static ilk_result destroy_listed(ilk_world* world, ilk_entity e, const char* call) {
    ilki_relations* relations = &world->relations;
    bool is_marked = ilki_alive(world, e) && ilki_is_doomed(relations, e.index);
    if (!is_marked) return ilki_destroy_as(world, e, ILK_REASON_DESTROY, call);
    while (ilki_is_doomed(relations, e.index) && end_one_to(world, e, call)) continue;
    if (!ilki_is_doomed(relations, e.index)) return ILK_DEAD; // the world was cleared
    ilki_doom_unlist(relations, e.index);
    return ilki_destroy_alone(world, e, ILK_REASON_DESTROY, call);
}

// The first failure, and whose it was, if nobody was passed over before.
static ilk_result destroy_all_listed(ilk_world* world, ilki_doomed_list* list, const char* call) {
    ilk_result first = list->has_passed ? ILK_DEAD : ILK_OK;
    bool was_muted = world->is_muted;
    for (uint32_t i = 0; !list->is_nested && i < list->count; i++) {
        world->is_muted = true;
        ilk_result result = destroy_listed(world, list->entities[i], call);
        world->is_muted = was_muted;
        if (first != ILK_OK || result == ILK_OK) continue;
        first = result;
        list->passed = list->entities[i];
    }
    return first;
}

ilk_result ilki_destroy_list(ilk_world* world, const ilk_entity* entities, uint32_t count,
                             const char* call) {
    ilki_doomed_list list = {.entities = entities, .count = count};
    ilki_need need;
    if (!ilki_frames_ready(world, call)) return ilki_last_result(world);
    ilk_result result = ilki_doom_list(&world->relations, &world->storage, &list, &need);
    if (result == ILK_NEEDED) return ilki_fail_needed(world, ILKI_NULL, &need, call);
    if (result != ILK_OK) return ilki_fail(world, result, call, ILKI_NULL, NULL);
    ilki_destroy_doomed(world, list.first, ILK_REASON_DESTROY, call);
    result = destroy_all_listed(world, &list, call);
    return result == ILK_OK ? ILK_OK : ilki_fail(world, result, call, list.passed, NULL);
}
