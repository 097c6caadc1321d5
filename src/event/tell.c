// Telling observers what happens, and doing what they ask for.
#include "../base/text.h"
#include "observers.h"

static ilki_record* record_of(const ilk_world* world, ilk_entity e) {
    return ilki_record_of(&world->storage.view.index, e);
}

// Names the last observers that cause each other, the innermost first.
static bool fail_nested(ilk_world* world, const char* call) {
    char names[200];
    ilki_text to = ilki_text_begin(names, sizeof names);
    const ilki_frame* frame = world->observing->innermost;
    for (uint32_t i = 0; i < 4 && frame; i++, frame = frame->outer) {
        ilki_text_format(&to, "%s\"%s\"", i ? " because of " : "", frame->told ? frame->told : "");
    }
    ilki_fail_because(world, ILK_FULL, call, NULL, "observers are nested %u deep: %s",
                      ILKI_NESTED_MAX, names);
    return false;
}

// A buffer for the observers of a frame at a depth; NULL, and the failure is noted, without memory.
static ilk_cmd* cmd_at(ilk_world* world, uint32_t depth, const char* call) {
    ilki_observing* observing = world->observing;
    if (observing->cmds[depth]) return observing->cmds[depth];
    return observing->cmds[depth] = ilki_cmd_take(world, ILKI_OF_OBSERVER, call);
}

// The reason that the program says, or that of the verb. What is unloaded is, whatever it says.
static ilk_reason said_or(const ilk_world* world, ilk_reason reason) {
    return world->reason && reason != ILK_REASON_UNLOAD ? world->reason : reason;
}

bool ilki_frames_ready(ilk_world* world, const char* call) {
    const ilki_observing* observing = world->observing;
    if (!world->observers) return true;
    if (observing->depth == ILKI_NESTED_MAX) return fail_nested(world, call);
    if (!cmd_at(world, observing->depth, call)) return false;
    if (ilki_notes_ready(world, world->observers)) return true;
    ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    return false;
}

bool ilki_frame_begin(ilki_frame* frame, ilk_world* world, ilki_directory* directory,
                      const ilk_entity* entities, uint32_t count, ilk_reason reason,
                      const char* call) {
    ilki_observing* observing = world->observing;
    if (observing->depth == ILKI_NESTED_MAX) return fail_nested(world, call);
    uint32_t types = observing->number_count + world->storage.type_count;
    if (!cmd_at(world, observing->depth, call)) return false;
    if (!ilki_grow(&world->storage.memory, ILKI_OTHER, &observing->numbers,
                   &observing->number_capacity, types + 1, sizeof *observing->numbers)) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return false;
    }
    if (observing->innermost) observing->innermost->is_meddled = true;
    *frame = (ilki_frame){.world = world,
                          .outer = observing->innermost,
                          .call = call,
                          .directory = directory,
                          .entities = entities,
                          .count = count,
                          .reason = said_or(world, reason),
                          .depth = observing->depth++,
                          .first_change = observing->change_count,
                          .end_change = observing->change_count,
                          .first_number = observing->number_count,
                          .newest = observing->last};
    observing->innermost = frame;
    return true;
}

bool ilki_frame_begin_one(ilki_frame* frame, ilk_world* world, ilki_directory* directory,
                          ilk_entity e, ilk_reason reason, const char* call) {
    if (!ilki_frame_begin(frame, world, directory, NULL, 1, reason, call)) return false;
    frame->one = e;
    frame->entities = &frame->one;
    return true;
}

void ilki_frame_end(ilki_frame* frame) {
    ilki_observing* observing = frame->world->observing;
    ilki_positions_free(frame);
    observing->innermost = frame->outer;
    observing->depth = frame->depth;
    observing->change_count = frame->first_change;
    observing->number_count = frame->first_number;
    if (!observing->depth && observing->gone) ilki_observers_bury(frame->world);
}

bool ilki_frame_ready_inside(const ilki_frame* frame) {
    ilk_world* world = frame->world;
    uint64_t notes = ((uint64_t)frame->count + 1) * world->observers;
    if (!ilki_frames_ready(world, frame->call)) return false;
    if (notes < UINT32_MAX && ilki_notes_ready(world, (uint32_t)notes)) return true;
    ilki_fail(world, ILK_NO_MEMORY, frame->call, ILKI_NULL, NULL);
    return false;
}

void ilki_frame_hold(ilki_frame* frame) {
    frame->world->observing->held = frame;
}

void ilki_frame_hold_no_more(const ilki_frame* frame) {
    frame->world->observing->held = NULL;
}

// The frame that has to be done before what is asked for in another one is.
static ilki_frame* awaited_by(ilki_frame* frame) {
    ilki_frame* held = frame->world->observing->held;
    return held ? held : frame;
}

// The buffer into which those who are told in a frame record.
static ilk_cmd* cmd_of(ilki_frame* frame) {
    return frame->world->observing->cmds[awaited_by(frame)->depth];
}

// Applies the commands of observers. If memory runs out, those that are left are dropped.
static void apply_commands_of(ilki_frame* frame, const char* author) {
    ilk_world* world = frame->world;
    ilk_cmd* cmd = world->observing->cmds[frame->depth];
    if (!cmd->count) return;
    cmd->is_taken = true;
    const char* concerned = world->concerned;
    bool was_observer = world->is_observer, was_muted = world->is_muted;
    world->is_muted = false;
    world->concerned = author;
    world->is_observer = author != NULL;
    ilk_applied applied = ilk_cmd_apply(cmd);
    if (applied.left) {
        ilk_cmd_clear(cmd);
        ilki_fail_because(world, ILK_NO_MEMORY, frame->call, NULL,
                          "no memory for %u commands of observers, which are dropped",
                          applied.left);
    }
    world->concerned = concerned;
    cmd->is_taken = false;
    world->is_observer = was_observer;
    world->is_muted = was_muted;
}

// Does what an observer asks for, or lets it wait until the change is complete.
static void attend_to(ilki_frame* frame, const ilk_observer* observer) {
    ilki_frame* awaited = awaited_by(frame);
    if (awaited->is_done) {
        ilki_news_send(frame->world, frame->call);
        apply_commands_of(frame, observer->name);
    } else if (cmd_of(frame)->count) {
        bool is_first = !awaited->author || awaited->author == observer->name;
        awaited->author = is_first ? observer->name : "several observers";
    }
}

void ilki_frame_done(ilki_frame* frame) {
    frame->is_done = true;
    if (awaited_by(frame)->is_done) ilki_news_send(frame->world, frame->call);
    apply_commands_of(frame, frame->author);
}

// Calls an observer, for which the world is locked.
static ilk_result call_observer(ilki_frame* frame, const ilk_observer* observer,
                                ilk_notice* notice) {
    ilk_world* world = frame->world;
    ilki_here place = ilki_place_of_call();
    world->running = world->told = observer->name;
    world->storage.view.fresh = ILKI_LOCKED;
    world->storage.wave++;
    ilk_result result = observer->desc.run(notice);
    world->running = world->told = NULL;
    world->storage.view.fresh = world->storage.view.tick;
    world->storage.wave++;
    ilki_set_place_of_call(place);
    return result;
}

// Calls an observer with a notice, reports its failure, and attends to it. False if it is the last
// one to be told.
static bool notify(ilki_frame* frame, ilk_observer* observer, ilk_notice* notice) {
    ilk_world* world = frame->world;
    bool was_muted = world->is_muted, stops = observer->desc.stops;
    notice->world = world;
    notice->observer = observer;
    notice->user = observer->desc.user;
    notice->cmd = cmd_of(frame);
    notice->cmd->is_taken = true;
    notice->reason = frame->reason;
    notice->entity = notice->entities[0];
    world->is_muted = false;
    frame->told = observer->name;
    ilk_result result = call_observer(frame, observer, notice);
    cmd_of(frame)->is_taken = false; // whoever keeps it is to be told
    if (result != ILK_OK) {
        ilki_fail_for(world, result, frame->call, notice->entity, notice->type,
                      "observer \"%s\" failed: %s", observer->name, ilk_result_text(result));
    }
    frame->turn.is_stopped = result != ILK_OK && stops;
    attend_to(frame, observer);
    world->is_muted = was_muted;
    return !frame->turn.is_stopped;
}

// The value of a component of an entity, and where it is; NULL if it is not there, or not as is
// told: switched on, or off.
static const void* value_in(const ilki_frame* frame, ilk_on on, ilk_entity e, uint32_t* place) {
    const ilki_record* record = record_of(frame->world, e);
    if (!record || ilki_is_nowhere(record->place)) return NULL;
    *place = record->place;
    uint32_t row = ilki_row_of(record->place);
    const ilki_block* block = ilki_block_at(frame->directory, ilki_chunk_of(record->place));
    if (!ilki_block_has(block, row)) return NULL;
    bool is_other = on == (ilki_block_is_off(block, row) ? ILK_ON_ENABLE : ILK_ON_DISABLE);
    return is_other ? NULL : ilki_value_at(frame->directory, block, row);
}

static bool matches(const ilk_world* world, const ilk_query* query, ilk_entity e) {
    const ilki_record* record = record_of(world, e);
    return record && ilki_match_place(query, record->place, 0);
}

// Whether an observer is still to be told of an entity, and with what value.
static bool is_to_be_told(const ilki_frame* frame, const ilk_observer* observer, ilk_on on,
                          ilk_entity e, const void** value, uint32_t* place) {
    *value = NULL;
    if (observer->base.is_gone || frame->is_over || !record_of(frame->world, e)) return false;
    if (frame->outer && ilki_is_withheld(frame, observer, on, e)) return false;
    if (frame->directory && !(*value = value_in(frame, on, e, place))) return false;
    return !observer->query || matches(frame->world, observer->query, e);
}

// How many entities from the first on, whose value this is, go into one notice.
static uint32_t run_length(const ilki_frame* frame, const ilk_observer* observer, ilk_on on,
                           uint32_t first, uint32_t end, uint32_t place) {
    uint32_t count = 1;
    while (observer->desc.is_many && first + count < end) {
        const void* value;
        uint32_t next = place + count;
        ilk_entity e = frame->entities[first + count];
        if (!is_to_be_told(frame, observer, on, e, &value, &next)) break;
        bool is_beside = next == place + count && ilki_chunk_of(next) == ilki_chunk_of(place);
        if (frame->directory && !is_beside) break;
        count++;
    }
    return count;
}

// Values that lie in slots of their own are told one by one.
static bool lies_apart(const ilki_frame* frame, uint32_t place) {
    if (!frame->directory) return false;
    return ilki_block_at(frame->directory, ilki_chunk_of(place))->kind == ILKI_SMALL;
}

// The target that is told of: the only one, or the one that a relation was set because of, if no
// other one was since.
static ilk_entity target_to_tell(const ilki_frame* frame, ilk_on on, const ilk_link* link) {
    const ilki_relation* relation = frame->directory->relation;
    if (on == ILK_ON_SET) return frame->changes == relation->changes ? frame->target : ILKI_NULL;
    return link->count == 1 ? link->target : ILKI_NULL;
}

// Names the target of a relation, and what it carries.
static void name_target(const ilki_frame* frame, ilk_notice* notice) {
    const ilki_relation* relation = frame->directory ? frame->directory->relation : NULL;
    if (!relation || notice->count != 1) return;
    const ilk_link* link = notice->value;
    notice->target = target_to_tell(frame, notice->on, link);
    if (ilk_is_null(notice->target) || !relation->edges.value) return;
    uint32_t edge = ilki_link_find(relation, notice->entities[0].index, link, notice->target.index);
    if (edge != ILKI_NONE) notice->carried = ilki_edge_value(&relation->edges, edge);
}

// Whether an observer is to be told this of the frame's entities, or of the event.
static bool hears(const ilki_frame* frame, const ilk_observer* observer, ilk_on on) {
    if (!ilki_is_about(frame, frame->directory, observer, on)) return false;
    if (on != ILK_ON_EVENT) return true;
    if (observer->desc.type && observer->desc.type != frame->event) return false;
    return !observer->query || matches(frame->world, observer->query, frame->one);
}

static bool has_no_target(const ilki_frame* frame) {
    return !ilk_is_null(frame->one) && !record_of(frame->world, frame->one);
}

// Tells an observer of an event. False if nobody else is to be told.
static bool tell_of_event(ilki_frame* frame, ilk_observer* observer, const void* value) {
    ilk_notice notice = {.on = ILK_ON_EVENT,
                         .entities = &frame->one,
                         .count = 1,
                         .type = frame->event,
                         .value = value};
    bool goes_on = notify(frame, observer, &notice);
    frame->is_cancelled = notice.cancel;
    return goes_on && !notice.cancel && !has_no_target(frame);
}

// Tells an observer of some entities. False if nobody else is to be told.
static bool tell_of_entities(ilki_frame* frame, ilk_observer* observer, ilk_on on, const void* old,
                             uint32_t first, uint32_t end) {
    for (uint32_t i = first, count; i < end; i += count) {
        uint32_t place = 0;
        ilk_notice notice = {.on = on, .old = old};
        count = 1;
        ilk_entity e = frame->entities[i];
        if (!is_to_be_told(frame, observer, on, e, &notice.value, &place)) continue;
        if (!lies_apart(frame, place)) count = run_length(frame, observer, on, i, end, place);
        frame->turn.observer = observer;
        frame->turn.end = i + count;
        notice.entities = frame->entities + i;
        notice.count = count;
        notice.type = frame->directory ? frame->directory->type : NULL;
        name_target(frame, &notice);
        if (!notify(frame, observer, &notice)) return false;
    }
    return true;
}

// The same of what it is, with the value that was there before, or that of the event.
static bool tell_one(ilki_frame* frame, ilk_observer* observer, ilk_on on, const void* value,
                     uint32_t first, uint32_t end) {
    return on == ILK_ON_EVENT ? tell_of_event(frame, observer, value)
                              : tell_of_entities(frame, observer, on, value, first, end);
}

// Tells those who observe one entity alone. (One that is gone still knows who comes next.)
static void tell_singles(ilki_frame* frame, ilk_on on, const void* value) {
    for (uint32_t i = 0; i < frame->count; i++) {
        ilk_observer* o = ilki_single_of(frame->world->observing, frame->entities[i].index);
        for (; o; o = o->next_single) {
            if (!ilk_same(o->desc.entity, frame->entities[i]) || !hears(frame, o, on)) continue;
            if (!tell_one(frame, o, on, value, i, i + 1)) return;
        }
    }
}

// The list of those who may be told; it may change while they are.
static const ilki_watch* watch_of(const ilki_frame* frame, ilk_on on) {
    const ilki_observing* observing = frame->world->observing;
    if (on == ILK_ON_EVENT) return &observing->events;
    return frame->directory ? &observing->by_type[frame->directory->number] : &observing->entities;
}

// Tells all who are to hear of it, one after the other.
static void tell_all(ilki_frame* frame, ilk_on on, const void* value) {
    int64_t order = INT64_MIN;
    uint64_t serial = 0;
    ilk_observer* o;
    while ((o = ilki_watch_after(watch_of(frame, on), order, serial)) != NULL) {
        order = o->order;
        serial = o->serial;
        if (!hears(frame, o, on)) continue;
        if (!tell_one(frame, o, on, value, 0, frame->count)) return;
    }
    if (frame->world->observing->single_count) tell_singles(frame, on, value);
}

void ilki_tell(ilki_frame* frame, ilk_on on, const void* old) {
    if (on == ILK_ON_REMOVE) ilki_turns_end(frame);
    ilki_turns_begin(frame, on);
    tell_all(frame, on, old);
}

bool ilki_tell_event(ilk_world* world, ilk_entity e, ilk_type* type, const void* value,
                     const char* call, bool* is_cancelled) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, NULL, e, ILK_REASON_CHANGE, call)) return false;
    frame.event = type;
    frame.is_done = true;
    tell_all(&frame, ILK_ON_EVENT, value);
    *is_cancelled = frame.is_cancelled;
    ilki_frame_end(&frame);
    return true;
}

static bool note_change(ilki_frame* frame, ilk_observer* observer, uint32_t at, bool before) {
    ilki_observing* observing = frame->world->observing;
    if (!ilki_grow(&frame->world->storage.memory, ILKI_OTHER, &observing->changes,
                   &observing->change_capacity, observing->change_count + 1,
                   sizeof *observing->changes)) {
        ilki_fail(frame->world, ILK_NO_MEMORY, frame->call, ILKI_NULL, NULL);
        return false;
    }
    observing->changes[observing->change_count++] =
        (ilki_match_change){.observer = observer, .at = at, .before = before};
    return true;
}

// Notes the queries of a list whose matching may change for the frame's entities.
static bool note_all(ilki_frame* frame, const ilki_watch* watch) {
    for (uint32_t i = 0; i < watch->count; i++) {
        ilk_observer* o = watch->list[i];
        if (!(o->desc.on & ILKI_ON_QUERY)) continue;
        for (uint32_t at = 0; at < frame->count; at++) {
            bool before = matches(frame->world, o->query, frame->entities[at]);
            if (!note_change(frame, o, at, before)) return false;
        }
    }
    return true;
}

static bool note_singles(ilki_frame* frame) {
    for (uint32_t at = 0; at < frame->count; at++) {
        ilk_observer* o = ilki_single_of(frame->world->observing, frame->entities[at].index);
        for (; o; o = o->next_single) {
            if (!(o->desc.on & ILKI_ON_QUERY)) continue;
            bool before = matches(frame->world, o->query, o->desc.entity);
            if (!note_change(frame, o, at, before)) return false;
        }
    }
    return true;
}

bool ilki_frame_before(ilki_frame* frame) {
    const ilki_observing* observing = frame->world->observing;
    const ilki_watch* watch =
        frame->directory ? &observing->by_type[frame->directory->number] : &observing->matchers;
    return note_all(frame, watch) && (!observing->single_count || note_singles(frame));
}

void ilki_frame_after(ilki_frame* frame) {
    ilki_observing* observing = frame->world->observing;
    uint32_t kept = frame->first_change;
    for (uint32_t i = kept; i < observing->change_count; i++) {
        ilki_match_change change = observing->changes[i];
        change.after = matches(frame->world, change.observer->query, frame->entities[change.at]);
        if (change.after != change.before) observing->changes[kept++] = change;
    }
    observing->change_count = frame->end_change = kept;
}

// Whether a change of what matches is still so, or about to be. (Of whoever is dead all was told.)
static bool is_still_so(const ilki_frame* frame, const ilki_match_change* change) {
    bool is_now = frame->is_done ? change->after : change->before;
    ilk_entity e = frame->entities[change->at];
    if (!record_of(frame->world, e)) return false;
    return matches(frame->world, change->observer->query, e) == is_now;
}

static bool is_change_to_tell(const ilki_frame* frame, uint32_t at, ilk_on on) {
    const ilki_match_change* change = &frame->world->observing->changes[at];
    ilk_observer* o = change->observer;
    if (change->after != (on == ILK_ON_MATCH) || !ilki_is_about(frame, NULL, o, on)) return false;
    if (!is_still_so(frame, change)) return false;
    if (frame->is_end || !frame->outer) return true;
    return !ilki_is_withheld(frame, o, on, frame->entities[change->at]);
}

// How many changes from one on go into one notice.
static uint32_t match_run(const ilki_frame* frame, uint32_t first, ilk_on on) {
    const ilki_match_change* changes = frame->world->observing->changes + first;
    uint32_t count = 1;
    while (changes->observer->desc.is_many && first + count < frame->end_change &&
           changes[count].observer == changes->observer &&
           changes[count].at == changes->at + count &&
           is_change_to_tell(frame, first + count, on)) {
        count++;
    }
    return count;
}

void ilki_tell_matches(ilki_frame* frame, ilk_on on) {
    const ilki_observing* observing = frame->world->observing;
    frame->next_change = frame->first_change;
    ilki_turns_begin(frame, on);
    for (uint32_t i = frame->first_change, count; i < frame->end_change; i += count) {
        count = 1;
        if (!is_change_to_tell(frame, i, on)) continue;
        const ilki_match_change* change = &observing->changes[i];
        count = match_run(frame, i, on);
        frame->next_change = i + count;
        ilk_notice notice = {.on = on, .entities = frame->entities + change->at, .count = count};
        if (!notify(frame, change->observer, &notice)) return;
    }
}

void ilki_tell_change(ilki_frame* frame, uint32_t announced, const void* old) {
    static const ilk_on kinds[] = {ILK_ON_ADD, ILK_ON_SET, ILK_ON_ENABLE, ILK_ON_DISABLE};
    frame->announced = announced & ILK_ON_ADD ? announced | ILK_ON_DISABLE : announced;
    ilki_frame_after(frame);
    ilki_frame_done(frame);
    ilki_tell_matches(frame, ILK_ON_CEASE);
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool is_wanted = announced & kinds[i];
        if (kinds[i] == ILK_ON_DISABLE && announced & ILK_ON_ADD) is_wanted = frame->is_meddled;
        if (is_wanted) ilki_tell(frame, kinds[i], kinds[i] == ILK_ON_SET ? old : NULL);
    }
    ilki_tell_matches(frame, ILK_ON_MATCH);
}

// Notes the types of the frame's first entity, and returns how many.
static uint32_t note_types(ilki_frame* frame) {
    ilki_observing* observing = frame->world->observing;
    const ilki_storage* storage = &frame->world->storage;
    const ilki_record* record = record_of(frame->world, frame->entities[0]);
    if (!record || ilki_is_nowhere(record->place)) return 0;
    uint32_t count =
        ilki_row_set(storage, storage->chunks[ilki_chunk_of(record->place)],
                     ilki_row_of(record->place), observing->numbers + frame->first_number);
    observing->number_count = frame->first_number + count;
    return count;
}

static ilki_directory* noted_type(const ilki_frame* frame, uint32_t at) {
    const ilki_observing* observing = frame->world->observing;
    return frame->world->storage.types[observing->numbers[frame->first_number + at]];
}

// Tells of the components whose types were noted.
static void tell_types(ilki_frame* frame, ilk_on on, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        frame->directory = noted_type(frame, i);
        if (ilki_is_watched(frame->world, frame->directory, on)) ilki_tell(frame, on, NULL);
    }
    frame->directory = NULL;
}

// Notes the queries that new entities may match when that is told. The room was made when the frame
// began.
static void note_new(ilki_frame* frame) {
    ilki_observing* observing = frame->world->observing;
    for (uint32_t i = 0; i < observing->matchers.count; i++) {
        ilk_observer* o = observing->matchers.list[i];
        if (!(o->desc.on & ILK_ON_MATCH)) continue;
        for (uint32_t at = 0; at < frame->count; at++) {
            observing->changes[observing->change_count++] =
                (ilki_match_change){.observer = o, .at = at, .after = true};
        }
    }
    frame->end_change = observing->change_count;
}

bool ilki_frame_begin_new(ilki_frame* frame, ilk_world* world, uint32_t count, const char* call) {
    ilki_observing* observing = world->observing;
    if (!ilki_frame_begin(frame, world, NULL, NULL, 0, ILK_REASON_SPAWN, call)) return false;
    uint64_t needed = observing->change_count + (uint64_t)count * observing->matchers.count;
    bool is_ready =
        needed <= UINT32_MAX &&
        ilki_grow(&world->storage.memory, ILKI_OTHER, &observing->changes,
                  &observing->change_capacity, (uint32_t)needed, sizeof *observing->changes);
    if (is_ready) return true;
    ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    ilki_frame_end(frame);
    return false;
}

// The lowest number from one on of a type that the entities may have, or ILKI_NONE: one of those
// that were noted, unless they have different ones, or observers could have given them more.
static uint32_t next_type(const ilki_frame* frame, uint32_t from, uint32_t types) {
    const uint32_t* noted = frame->world->observing->numbers + frame->first_number;
    if (frame->is_meddled || frame->is_mixed) {
        return from < frame->world->storage.type_count ? from : ILKI_NONE;
    }
    for (uint32_t i = 0; i < types; i++) {
        if (noted[i] >= from) return noted[i];
    }
    return ILKI_NONE;
}

// Tells of the components that the entities have when their type's turn comes.
static void tell_components(ilki_frame* frame, ilk_on on, uint32_t types) {
    uint32_t number = next_type(frame, 0, types);
    for (; number != ILKI_NONE; number = next_type(frame, number + 1, types)) {
        frame->directory = frame->world->storage.types[number];
        if (ilki_is_watched(frame->world, frame->directory, on)) ilki_tell(frame, on, NULL);
    }
    frame->directory = NULL;
}

void ilki_frame_announce(ilki_frame* frame, const ilk_entity* entities, uint32_t count) {
    if (!count) return;
    frame->entities = entities;
    frame->count = count;
    frame->is_new = true;
    frame->announced = ILK_ON_CREATE | ILK_ON_ADD | ILK_ON_DISABLE;
    note_new(frame);
    note_types(frame);
}

void ilki_tell_announced(ilki_frame* frame) {
    if (!frame->is_new) return;
    uint32_t types = frame->world->observing->number_count - frame->first_number;
    ilki_frame_done(frame);
    ilki_tell(frame, ILK_ON_CREATE, NULL);
    tell_components(frame, ILK_ON_ADD, types);
    if (frame->is_copy || frame->is_meddled) tell_components(frame, ILK_ON_DISABLE, types);
    ilki_tell_matches(frame, ILK_ON_MATCH);
}

void ilki_tell_new(ilki_frame* frame, const ilk_entity* entities, uint32_t count) {
    ilki_frame_announce(frame, entities, count);
    ilki_tell_announced(frame);
}

bool ilki_frame_is_whole(const ilki_frame* frame, ilk_entity e, uint32_t* place) {
    const ilk_world* world = frame->world;
    const ilki_record* record = record_of(world, e);
    if (!record || ilki_is_nowhere(record->place)) return false;
    *place = record->place;
    for (uint32_t i = frame->first_number; i < world->observing->number_count; i++) {
        const ilki_directory* directory = world->storage.types[world->observing->numbers[i]];
        if (!ilki_place_has(&world->storage, directory->type, *place)) return false;
    }
    return true;
}

static void tell_removed(ilki_frame* frame) {
    frame->is_mixed = frame->count != 1;
    tell_components(frame, ILK_ON_REMOVE, frame->is_mixed ? 0 : note_types(frame));
}

// Flips whether the frame's entity has a type.
static void flip(const ilki_frame* frame, const ilki_directory* directory) {
    uint32_t place = record_of(frame->world, frame->one)->place;
    ilki_block* block = ilki_block_at(directory, ilki_chunk_of(place));
    ilki_row_flip_briefly(&frame->world->storage, block, place);
}

// Notes the types that the frame's entity is about to lose, and returns how many.
static uint32_t note_losses(ilki_frame* frame, bool dies) {
    const ilki_storage* storage = &frame->world->storage;
    uint32_t types = note_types(frame), count = 0;
    uint32_t* numbers = frame->world->observing->numbers + frame->first_number;
    for (uint32_t i = 0; i < types; i++) {
        const ilki_directory* directory = storage->types[numbers[i]];
        bool is_own = directory == storage->inactive || directory == storage->dying;
        if (dies ? !directory->type->outlives : !is_own) numbers[count++] = numbers[i];
    }
    frame->world->observing->number_count = frame->first_number + count;
    return count;
}

// What will match then is found out by taking it all away for a moment: nobody can see that.
void ilki_tell_stripped(ilki_frame* frame, bool dies) {
    uint32_t count = note_losses(frame, dies);
    for (uint32_t i = 0; i < count; i++) flip(frame, noted_type(frame, i));
    if (dies) flip(frame, frame->world->storage.dying);
    ilki_frame_after(frame);
    if (dies) flip(frame, frame->world->storage.dying);
    for (uint32_t i = 0; i < count; i++) flip(frame, noted_type(frame, i));
    ilki_tell_matches(frame, ILK_ON_CEASE);
    tell_types(frame, ILK_ON_REMOVE, count);
}

// Whoever goes ceases to match whatever it is taken to match.
static void keep_matching(ilki_frame* frame) {
    ilki_observing* observing = frame->world->observing;
    uint32_t kept = frame->first_change;
    for (uint32_t i = kept; i < observing->change_count; i++) {
        const ilki_match_change change = observing->changes[i];
        if (ilki_is_taken_to_match(frame, &change)) observing->changes[kept++] = change;
    }
    observing->change_count = frame->end_change = kept;
}

bool ilki_tell_end(ilki_frame* frame) {
    if (!ilki_frame_before(frame)) return false;
    frame->is_end = true;
    keep_matching(frame);
    ilki_tell_matches(frame, ILK_ON_CEASE);
    tell_removed(frame);
    ilki_tell(frame, ILK_ON_DESTROY, NULL);
    return true;
}

bool ilki_tell_unload(ilk_world* world, ilki_frame* frame, const char* call) {
    const ilki_index* index = &world->storage.view.index;
    if (!ilki_frame_begin_one(frame, world, NULL, ILKI_NULL, ILK_REASON_UNLOAD, call)) return false;
    if (!ilki_notes_ready(world, world->observers)) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        ilki_frame_end(frame);
        return false;
    }
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        frame->one = ilk_entity_at(world, slot);
        if (!ilk_is_null(frame->one)) ilki_tell_end(frame);
        world->observing->change_count = frame->first_change;
        world->observing->number_count = frame->first_number;
    }
    return true;
}
