// Copies of many entities, and moving between worlds.
//
// Those who travel are listed, each once, with all that are below them. They come to the other
// world as a party; runs of rows that lie side by side in both worlds are copied as one, type by
// type. Their relations are made anew there: to each other, and in the same world to others too.
#include "travel.h"

#include "../relation/names.h"
#include "../relation/tree.h"
#include "blueprint.h"
#include "party.h"

static ilki_record* record_in(const ilk_world* world, ilk_entity e) {
    return ilki_record_at(&world->storage.view.index, e.index);
}

// Whether an entity is there, and neither dying nor about to be destroyed.
static bool is_able(const ilk_world* world, ilk_entity e) {
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    return record && !ilki_is_dying(&world->storage, record->place) &&
           !ilki_is_doomed(&world->relations, e.index);
}

// The relation of children to their parents; or NULL if nobody is a child.
static const ilki_relation* children_in(const ilk_world* world) {
    const ilki_directory* directory = world->storage.child_of;
    return directory && directory->relation->edges.count ? directory->relation : NULL;
}

// Enters all anew where there is room for more. False without memory.
static bool enter_travellers(ilki_travellers* all, uint32_t bound) {
    size_t slots = ilki_lookup_slots(all->capacity, bound);
    ilki_lookup_slot* memory = ilki_scratch_take(all->from, slots, sizeof *memory);
    if (!memory) return false;
    ilki_lookup_init(&all->positions, memory, slots, bound);
    for (uint32_t i = 0; i < all->count; i++) {
        ilki_lookup_put(&all->positions, all->list[i].index, i);
    }
    return true;
}

// Makes room for so many. How many are below those of a list is not known before all are found, for
// who is listed may be below another one who is. False without memory.
static bool make_room_for(ilki_travellers* all, uint64_t count) {
    uint32_t bound = all->from->storage.view.index.slots;
    if (count > bound) count = bound; // each travels once
    if (count < all->capacity) return true;
    return ilki_scratch_grow(all->from, &all->list, &all->capacity, (uint32_t)count + 1,
                             sizeof *all->list) &&
           enter_travellers(all, bound);
}

static void add_traveller(ilki_travellers* all, ilk_entity e) {
    if (!ilki_lookup_put(&all->positions, e.index, all->count)) return;
    all->list[all->count++] = e;
}

static void leave_behind(ilki_travellers* all, ilk_entity e) {
    if (!all->has_dead) all->dead = e;
    all->has_dead = true;
}

// False without memory.
static bool add_children_of(ilki_travellers* all, const ilki_relation* relation, uint32_t slot) {
    ilki_head head = ilki_head_of(&relation->heads, slot);
    if (!make_room_for(all, (uint64_t)all->count + head.count)) return false;
    for (uint32_t i = 0, edge = head.first; i < head.count; i++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        ilk_entity child = ilki_entity_in(&all->from->storage, at->source);
        if (is_able(all->from, child)) add_traveller(all, child);
        edge = at->next_source;
    }
    return true;
}

bool ilki_travellers_init(ilki_travellers* all, ilk_world* world, const ilk_entity* entities,
                          uint32_t count) {
    *all = (ilki_travellers){.from = world};
    if (!make_room_for(all, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (is_able(world, entities[i]))
            add_traveller(all, entities[i]);
        else
            leave_behind(all, entities[i]);
    }
    all->listed = all->count;
    const ilki_relation* relation = children_in(world);
    for (uint32_t i = 0; relation && i < all->count; i++) {
        if (!add_children_of(all, relation, all->list[i].index)) return false;
    }
    return true;
}

static ilk_result doom_all(const ilki_travellers* all, ilki_doomed_list* list, const char* call) {
    ilk_world* world = all->from;
    ilki_need need;
    *list = (ilki_doomed_list){.entities = all->list, .count = all->count};
    ilk_result result = ilki_doom_list(&world->relations, &world->storage, list, &need);
    if (result == ILK_NEEDED) return ilki_fail_needed(world, ILKI_NULL, &need, call);
    return result == ILK_OK ? ILK_OK : ilki_fail(world, result, call, ILKI_NULL, NULL);
}

ilk_result ilki_travellers_needed(const ilki_travellers* all, const char* call) {
    ilki_doomed_list list;
    ilk_result result = doom_all(all, &list, call);
    if (result == ILK_OK) {
        ilki_doom_list_is_done(&all->from->relations, &all->from->storage, &list);
    }
    return result;
}

// Ends those relations of a type to one who leaves whose sources stay.
static void end_from_outside(const ilki_travellers* all, ilki_relation* relation, ilk_entity e,
                             const char* call) {
    ilki_head head = ilki_head_of(&relation->heads, e.index);
    for (uint32_t i = 0, edge = head.first, next; i < head.count; i++, edge = next) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        ilk_entity source = ilki_entity_in(&all->from->storage, at->source);
        next = at->next_source;
        if (ilki_traveller_at(all, source) == ILKI_NONE) {
            ilki_end_edge(all->from, relation, source, edge, call);
        }
    }
}

// Those who stay, and relate to those who leave, are destroyed or lose the relation.
static void end_outside(const ilki_travellers* all, const ilki_doomed_list* list,
                        const char* call) {
    ilki_relations* relations = &all->from->relations;
    ilki_destroy_doomed(all->from, list->others, ILK_REASON_DESTROY, call);
    for (uint32_t i = 0; i < relations->count; i++) {
        for (uint32_t k = 0; relations->list[i]->edges.count && k < all->count; k++) {
            end_from_outside(all, relations->list[i], all->list[k], call);
        }
    }
    ilki_doom_list_is_done(relations, &all->from->storage, list);
}

static ilk_result leave_observed(const ilki_travellers* all, ilki_leaving* leaving,
                                 const char* call) {
    ilki_frame* frame = &leaving->frame;
    ilk_world* world = all->from;
    ilki_doomed_list list;
    if (!ilki_frame_begin(frame, world, NULL, all->list, all->count, ILK_REASON_UNLOAD, call)) {
        return ilki_last_result(world);
    }
    bool is_ready = ilki_frame_ready_inside(frame) && doom_all(all, &list, call) == ILK_OK;
    if (is_ready) {
        ilki_frame_hold(frame);
        end_outside(all, &list, call);
        ilki_frame_hold_no_more(frame);
        if (world->tells_end) is_ready = ilki_tell_end(frame);
    }
    if (!is_ready) ilki_frame_end(frame);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

ilk_result ilki_leave(const ilki_travellers* all, ilki_leaving* leaving, const char* call) {
    ilki_doomed_list list;
    leaving->all = all;
    leaving->is_told = all->from->observers > 0;
    if (leaving->is_told) return leave_observed(all, leaving, call);
    ilk_result result = doom_all(all, &list, call);
    if (result == ILK_OK) end_outside(all, &list, call);
    return result;
}

void ilki_have_left(ilki_leaving* leaving) {
    if (!leaving->is_told) return;
    ilki_frame_done(&leaving->frame);
    ilki_frame_end(&leaving->frame);
}

typedef struct journey {
    ilk_world *from, *to;
    const char* call;
    bool moves;
    ilki_travellers all;
    const ilk_entity* there; // who they are now
    bool has_names;          // texts are used for them
    bool is_done;
} journey;

// Where a relation leads to there. False if to nobody.
static bool find_target(const journey* j, uint32_t slot, ilki_bond* bond) {
    ilk_entity target = ilki_entity_in(&j->from->storage, slot);
    uint32_t at = ilki_traveller_at(&j->all, target);
    bond->is_outside = at == ILKI_NONE;
    bond->target = bond->is_outside ? slot : at;
    return !bond->is_outside || (j->from == j->to && ilki_is_relatable(j->to, target));
}

// Whether one of the relations of a link leads to somebody there.
static bool leads_there(const journey* j, const ilki_relation* relation, const ilk_link* link) {
    ilki_bond bond;
    for (uint32_t i = 0, edge = link->first; i < link->count; i++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        if (find_target(j, at->target, &bond)) return true;
        edge = at->next_target;
    }
    return false;
}

// Sets

// INVALID if a type of a set cannot be copied. (Values of relations are copied in any case.)
static ilk_result refuse_single(const journey* j, const uint32_t* set, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const ilk_type* type = j->from->storage.types[set[i]]->type;
        if (type->relation && type->relation->value)
            type = type->relation->value;
        else if (j->moves)
            continue;
        if (!type->hooks.drop || type->hooks.copy) continue;
        return ilki_fail_because(j->from, ILK_INVALID, j->call, type,
                                 "%s has a drop hook, but none to copy it", type->name);
    }
    return ILK_OK;
}

// The ilk in the other world of a set of this one; NULL, and the failure is noted there, if it does
// not take a type, or there is no memory.
static ilki_ilk* ilk_there(const journey* j, const uint32_t* set, uint32_t count) {
    ilki_storage* to = &j->to->storage;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ilki_directory* directory =
            ilki_directory_for(j->to, j->from->storage.types[set[i]]->type, j->call);
        if (!directory || !ilki_may_give(j->to, directory, j->call)) return NULL;
        if (j->from != j->to) ilki_set_insert(to->set, &found, directory->number);
    }
    ilki_ilk* ilk = ilki_ilk_of(to, j->from == j->to ? set : to->set, count);
    if (!ilk) ilki_fail(j->to, ILK_NO_MEMORY, j->call, ILKI_NULL, NULL);
    return ilk;
}

// Names

// Names go along to where they are free.
static bool brings_names(const journey* j) {
    return j->to->names == ILK_NAMES_FREE;
}

// The text of a value, where it comes from; and its number where it goes, where it is used already.
static const ilki_word* text_of(const journey* j, const ilk_name* name) {
    return ilki_word_at(&j->from->storage.names->glossary, name->text);
}

static uint32_t number_there(const journey* j, const ilk_name* name) {
    const ilki_word* word = text_of(j, name);
    return ilki_word_find(&j->to->storage.names->glossary, word->text, word->length);
}

static uint32_t count_named(const journey* j) {
    uint32_t count = 0;
    for (uint32_t i = 0; j->from->storage.name && i < j->all.count; i++) {
        count += ilki_name_at(&j->from->storage, j->all.list[i].index) != NULL;
    }
    return count;
}

// The texts of the first so many travellers are not used after all.
static void forget_texts(const journey* j, uint32_t count) {
    ilki_storage* to = &j->to->storage;
    for (uint32_t i = 0; i < count; i++) {
        const ilk_name* name = ilki_name_at(&j->from->storage, j->all.list[i].index);
        if (name) ilki_word_drop(&to->names->glossary, &to->memory, number_there(j, name));
    }
}

// Uses the texts of all for those who are to come. How many travellers were looked at: all, or the
// memory ran out.
static uint32_t use_texts(const journey* j) {
    ilki_storage* to = &j->to->storage;
    uint32_t i = 0;
    for (; i < j->all.count; i++) {
        const ilk_name* name = ilki_name_at(&j->from->storage, j->all.list[i].index);
        const ilki_word* word = name ? text_of(j, name) : NULL;
        if (word && !ilki_word_take(&to->names->glossary, &to->memory, word->text, word->length)) {
            break;
        }
    }
    return i;
}

static ilk_result expect_names(journey* j) {
    uint32_t named = brings_names(j) ? count_named(j) : 0;
    if (!named) return ILK_OK;
    bool is_ready = ilki_names_ready(&j->to->storage, named);
    uint32_t used = is_ready ? use_texts(j) : 0;
    j->has_names = is_ready && used == j->all.count;
    if (j->has_names) return ILK_OK;
    if (is_ready) forget_texts(j, used);
    return ilki_fail(j->to, ILK_NO_MEMORY, j->call, ILKI_NULL, &ilk_name_type);
}

// Brings the names of rows that are side by side where they come from. They are found later.
static void bring_names(const journey* j, const ilki_run* run, const ilki_directory* directory,
                        uint32_t place) {
    const ilki_directory* source = j->from->storage.name;
    const ilki_block* old = ilki_block_at(source, ilki_chunk_of(place));
    const ilki_block* new = ilki_block_at(directory, run->chunk->number);
    ilki_run_give(&j->to->storage, run, directory);
    for (uint32_t i = 0; i < run->count; i++) {
        ilk_name* name = ilki_value_at(directory, new, run->row + i);
        *name =
            (ilk_name){.text = number_there(j, ilki_value_at(source, old, ilki_row_of(place) + i))};
    }
}

static void find_by_names(const journey* j) {
    ilki_storage* to = &j->to->storage;
    for (uint32_t i = 0; j->has_names && i < j->all.count; i++) {
        if (ilki_name_at(to, j->there[i].index)) ilki_name_arrived(to, j->there[i].index);
    }
}

// Leaves out relations that lead to nobody there; and ids, and names where they are not free.
static uint32_t leave_out_links(const journey* j, ilk_entity e, uint32_t* set, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ilki_directory* directory = j->from->storage.types[set[i]];
        const ilki_relation* relation = directory->relation;
        bool is_name = directory == j->from->storage.name;
        bool is_own = is_name ? !brings_names(j) : ilki_is_indexed(&j->from->storage, directory);
        if (is_own) continue;
        const ilk_link* link = relation ? ilki_link_at(&j->from->storage, relation, e.index) : NULL;
        if (!relation || leads_there(j, relation, link)) set[kept++] = set[i];
    }
    return kept;
}

// The ilk where a traveller goes, NULL if it has no components.
static ilk_result destination(const journey* j, ilk_entity e, ilki_ilk** ilk) {
    ilki_storage* storage = &j->from->storage;
    uint32_t place = record_in(j->from, e)->place;
    *ilk = NULL;
    if (ilki_is_nowhere(place)) return ILK_OK;
    const ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    const uint32_t* set = chunk->ilk->types;
    uint32_t count = chunk->ilk->type_count;
    if (chunk->is_odd) {
        set = storage->set;
        count = ilki_row_set(storage, chunk, ilki_row_of(place), storage->set);
        count = leave_out_links(j, e, storage->set, count);
    }
    if (!count) return ILK_OK;
    ilk_result result = refuse_single(j, set, count);
    if (result != ILK_OK) return result;
    *ilk = ilk_there(j, set, count);
    return *ilk ? ILK_OK : ilki_last_result(j->to);
}

// How many travellers from one on are in chunks of the same ilk that have nothing but its set.
static uint32_t count_of_one_set(const journey* j, uint32_t from) {
    const ilki_storage* storage = &j->from->storage;
    const ilki_chunk* first = NULL;
    uint32_t at = from, known = ILKI_NONE; // the last chunk that was looked at
    for (; at < j->all.count; at++) {
        uint32_t place = record_in(j->from, j->all.list[at])->place;
        if (ilki_chunk_of(place) == known) continue;
        known = ilki_chunk_of(place);
        const ilki_chunk* chunk = ilki_is_nowhere(place) ? NULL : storage->chunks[known];
        if (at == from) first = chunk;
        if (!chunk || chunk->is_odd || chunk->ilk != first->ilk) break;
    }
    return at == from ? 1 : at - from;
}

static ilk_result expect_all_of(const journey* j, ilki_party* comers) {
    ilk_result result = ILK_OK;
    uint32_t waiting = 0;
    ilki_ilk *ilk = NULL, *next;
    for (uint32_t i = 0, count; i < j->all.count && result == ILK_OK; i += count) {
        count = count_of_one_set(j, i);
        result = destination(j, j->all.list[i], &next);
        if (result == ILK_OK && next != ilk) {
            result = ilki_party_expect(comers, ilk, waiting);
            waiting = 0;
        }
        ilk = next;
        waiting += count;
    }
    return result == ILK_OK ? ilki_party_expect(comers, ilk, waiting) : result;
}

// Relations

// Notes the relations of one who may have several; or, of one only, that to somebody outside.
static ilk_result bind_source(const journey* j, ilki_party* comers, const ilki_relation* relation,
                              ilki_relation* there, uint32_t at) {
    const ilk_link* link = ilki_link_at(&j->from->storage, relation, j->all.list[at].index);
    ilk_result result = ILK_OK;
    for (uint32_t i = 0, edge = link ? link->first : 0; link && i < link->count; i++) {
        ilki_bond bond = {
            .relation = there, .source = at, .value = ilki_edge_carried(&relation->edges, edge)};
        bool is_meant = find_target(j, ilki_edge_at(&relation->edges, edge)->target, &bond);
        if (relation->rule->is_exclusive && !bond.is_outside) is_meant = false;
        if (is_meant && result == ILK_OK) result = ilki_party_bind(comers, bond);
        edge = ilki_edge_at(&relation->edges, edge)->next_target;
    }
    return result;
}

// Notes who relates to one, in order, by a relation of which each has one only.
static ilk_result bind_target(const journey* j, ilki_party* comers, const ilki_relation* relation,
                              ilki_relation* there, uint32_t at) {
    ilki_head head = ilki_head_of(&relation->heads, j->all.list[at].index);
    ilk_result result = ILK_OK;
    for (uint32_t i = 0, edge = head.first; i < head.count && result == ILK_OK; i++) {
        const ilki_edge* found = ilki_edge_at(&relation->edges, edge);
        ilk_entity source = ilki_entity_in(&j->from->storage, found->source);
        ilki_bond bond = {there, ilki_traveller_at(&j->all, source), at, false,
                          ilki_edge_carried(&relation->edges, edge)};
        if (bond.source != ILKI_NONE) result = ilki_party_bind(comers, bond);
        edge = found->next_source;
    }
    return result;
}

// So that the targets of one who has several, and the sources of one whose sources have one each,
// are in the same order there.
static ilk_result bind_by(const journey* j, ilki_party* comers, const ilki_relation* relation) {
    ilki_relation* there =
        ilki_directory_of(&j->to->storage.view, relation->directory->type)->relation;
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; there && i < j->all.count && result == ILK_OK; i++) {
        if (relation->rule->is_exclusive) result = bind_target(j, comers, relation, there, i);
    }
    for (uint32_t i = 0; there && i < j->all.count && result == ILK_OK; i++) {
        result = bind_source(j, comers, relation, there, i);
    }
    return result;
}

static ilk_result bind_all(const journey* j, ilki_party* comers) {
    const ilki_relations* relations = &j->from->relations;
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < relations->count && result == ILK_OK; i++) {
        if (relations->list[i]->edges.count) result = bind_by(j, comers, relations->list[i]);
    }
    return result == ILK_OK ? ilki_party_ready_to_relate(comers) : result;
}

// Values

static ilk_entity rename_traveller(void* context, ilk_entity e) {
    const journey* j = context;
    uint32_t at = ilk_is_null(e) ? ILKI_NONE : ilki_traveller_at(&j->all, e);
    if (at != ILKI_NONE) return j->there[at];
    return j->from == j->to ? e : ILKI_NULL;
}

// Switches off what is off in rows that are side by side where they come from.
static void bring_switches(const journey* j, const ilki_run* run, const ilki_directory* directory,
                           const ilki_block* old, uint32_t row) {
    ilki_block* new = ilki_block_at(directory, run->chunk->number);
    for (uint32_t i = 0; old->off && i < run->count; i++) {
        if (!ilki_block_is_off(old, row + i)) continue;
        ilki_value_switch(&j->to->storage, directory, new,
                          ilki_place(run->chunk->number, run->row + i), false);
    }
}

// Copies or moves the values of one type.
static void bring_values(journey* j, const ilki_run* run, const ilki_directory* directory,
                         const ilki_directory* source, uint32_t place) {
    const ilk_type* type = directory->type;
    const ilki_block* old = ilki_block_at(source, ilki_chunk_of(place));
    const ilki_block* new = ilki_block_at(directory, run->chunk->number);
    void* values = ilki_run_give(&j->to->storage, run, directory);
    bool is_plain = values && old->kind != ILKI_SMALL && (j->moves || !type->hooks.copy);
    bool has_names = type->fields && ilki_type_has_names(type);
    if (is_plain) {
        memcpy(values, ilki_natural_at(source, old, ilki_row_of(place)), run->count * type->size);
    }
    for (uint32_t i = 0; (!is_plain || has_names) && i < run->count; i++) {
        const void* value = ilki_value_at(source, old, ilki_row_of(place) + i);
        void* to = ilki_value_at(directory, new, run->row + i);
        if (!is_plain && j->moves) memcpy(to, value, type->size);
        if (!is_plain && !j->moves) ilki_value_copy(type, to, value);
        if (has_names) ilki_value_rename(type, to, rename_traveller, j);
    }
}

// Brings a column of rows that are side by side where they come from.
static void bring_column(journey* j, const ilki_run* run, const ilki_directory* directory,
                         uint32_t place) {
    const ilki_directory* source = j->from->storage.view.by_id[directory->type->id];
    if (directory->relation)
        ilki_run_give_links(&j->to->storage, run, directory);
    else if (directory == j->to->storage.name)
        bring_names(j, run, directory, place);
    else
        bring_values(j, run, directory, source, place);
    bring_switches(j, run, directory, ilki_block_at(source, ilki_chunk_of(place)),
                   ilki_row_of(place));
}

// How many of some travellers are side by side.
static uint32_t count_side_by_side(const journey* j, uint32_t first, uint32_t most,
                                   uint32_t place) {
    uint32_t count = 1;
    while (count < most && ilki_row_of(place) + count <= ILKI_ROWS_MAX - 1 &&
           record_in(j->from, j->all.list[first + count])->place == place + count) {
        count++;
    }
    return count;
}

// Brings the values of a run's entities, who are those from the first traveller on.
static void bring_run(journey* j, const ilki_run* run, uint32_t first) {
    ilki_storage* to = &j->to->storage;
    for (uint32_t i = 0, count; run->chunk && i < run->count; i += count) {
        uint32_t place = record_in(j->from, j->all.list[first + i])->place;
        count = count_side_by_side(j, first + i, run->count - i, place);
        ilki_run part = {run->chunk, run->row + i, count, run->ilk};
        for (uint32_t k = 0; k < run->ilk->type_count; k++) {
            bring_column(j, &part, to->types[run->ilk->types[k]], place);
        }
    }
    if (run->chunk) ilki_run_is_full(to, run);
}

static void bring_all(journey* j) {
    for (uint32_t i = 0, at = 0; i < j->to->run_count; i++) {
        bring_run(j, &j->to->runs[i], at);
        at += j->to->runs[i].count;
    }
}

// Departure

// Observers of one world must not change the other one while its rows are taken.
static void lock(ilk_world* world, const char* by) {
    world->running = world->receiving = by;
    world->storage.view.fresh = by ? ILKI_LOCKED : world->storage.view.tick;
    world->storage.wave++;
}

static ilk_result let_depart(const journey* j, ilki_leaving* leaving) {
    lock(j->to, j->call);
    ilk_result result = ilki_leave(&j->all, leaving, j->call);
    lock(j->to, NULL);
    return result;
}

static void travel(journey* j, ilki_party* comers) {
    ilki_party_arrive(comers);
    j->there = comers->entities;
    bring_all(j);
    ilki_party_relate(comers, rename_traveller, j);
    find_by_names(j);
    if (j->moves) ilki_depart(j->from, j->all.list, j->all.count);
    ilki_party_announce(comers);
}

// Everything is ready but those who stay, and who observe the departure.
static ilk_result set_out(journey* j, ilki_party* comers) {
    ilki_leaving leaving;
    ilk_result result = j->moves ? let_depart(j, &leaving) : ILK_OK;
    if (result != ILK_OK) return result;
    travel(j, comers);
    if (!j->moves) return ILK_OK;
    if (comers->is_told && !j->to->reason) comers->frame.reason = ILK_REASON_LOAD;
    ilki_have_left(&leaving);
    return ILK_OK;
}

static ilk_result make_journey(journey* j, const ilk_entity* entities, uint32_t count,
                               ilk_entity* there) {
    ilki_party comers;
    if (!ilki_travellers_init(&j->all, j->from, entities, count)) {
        return ilki_fail(j->from, ILK_NO_MEMORY, j->call, ILKI_NULL, NULL);
    }
    ilk_result result = j->moves ? ilki_travellers_needed(&j->all, j->call) : ILK_OK;
    if (result == ILK_OK)
        result = ilki_party_begin(&comers, j->to, j->all.count, NULL, NULL, j->call);
    if (result != ILK_OK) return result;
    result = expect_all_of(j, &comers);
    if (result == ILK_OK) result = bind_all(j, &comers);
    if (result == ILK_OK) result = expect_names(j);
    if (result == ILK_OK) result = set_out(j, &comers);
    if (result != ILK_OK) {
        if (j->has_names) forget_texts(j, j->all.count);
        ilki_party_cancel(&comers);
        return result;
    }
    bool is_same = j->all.listed == count; // nobody was dead, or there twice
    if (there && is_same) memcpy(there, j->there, count * sizeof *there);
    for (uint32_t i = 0; there && !is_same && i < count; i++) {
        uint32_t at = ilki_traveller_at(&j->all, entities[i]);
        there[i] = at == ILKI_NONE ? ILKI_NULL : j->there[at];
    }
    j->is_done = true;
    ilki_party_tell(&comers);
    ilki_party_end(&comers);
    return ILK_OK;
}

static ilk_result begin_journey(journey* j, const ilk_entity* entities, uint32_t count,
                                ilk_entity* there) {
    ilk_result result =
        j->moves ? ilki_enter(j->from, j->call) : ilki_enter_to_copy(j->from, ILKI_NULL, j->call);
    if (result == ILK_OK) result = ilki_enter(j->to, j->call);
    if (result != ILK_OK) return result;
    const char* why = count && !entities ? "the list of entities is NULL" : NULL;
    if (j->moves && j->from == j->to) why = "it is the world where they are";
    if (why) return ilki_fail_because(j->from, ILK_INVALID, j->call, NULL, "%s", why);
    if (!count) return ILK_OK;
    ilki_scratch_begin(j->from);
    result = make_journey(j, entities, count, there);
    ilki_scratch_end(j->from);
    if (result != ILK_OK || !j->all.has_dead) return result;
    return ilki_fail(j->from, ILK_DEAD, j->call, j->all.dead, NULL);
}

// Nobody is there if nothing was done. (The two lists may be one.)
static ilk_result start(journey* j, const ilk_entity* entities, uint32_t count, ilk_entity* there) {
    ilk_result result = begin_journey(j, entities, count, there);
    for (uint32_t i = 0; there && !j->is_done && i < count; i++) there[i] = ILKI_NULL;
    return result;
}

ilk_result ilk_copy_to(ilk_world* from, const ilk_entity* entities, uint32_t count, ilk_world* to,
                       ilk_entity* there) {
    journey j = {.from = from, .to = to, .call = "ilk_copy_to"};
    return start(&j, entities, count, there);
}

ilk_result ilk_transfer(ilk_world* from, const ilk_entity* entities, uint32_t count, ilk_world* to,
                        ilk_entity* there) {
    journey j = {.from = from, .to = to, .call = "ilk_transfer", .moves = true};
    return start(&j, entities, count, there);
}

ilk_entity ilk_copy_tree(ilk_world* world, ilk_entity e) {
    journey j = {.from = world, .to = world, .call = "ilk_copy_tree"};
    ilk_entity copy = ILKI_NULL;
    if (start(&j, &e, 1, &copy) != ILK_OK || ilki_alive(world, copy)) return copy;
    ilki_fail_for(world, ILK_DEAD, j.call, copy, NULL,
                  "an observer destroyed it as soon as it was there");
    return ILKI_NULL;
}
