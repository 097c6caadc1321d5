// Whose turn is yet to come.
//
// Observers are told of a change one after the other, and what one of them causes is told at once,
// in a frame that is nested in the frame of the change. Those whose turn is yet to come in the
// outer frame do not know of the change yet: so the nested frame withholds from them what becomes
// of it. When their turn comes, they are told what is so then, or nothing if there is nothing left
// to tell. Only that an entity goes does not wait: whoever takes it for one that matches is told
// that it ceases to while it is still there, and has no turn any more.
// So what each observer is told, taken for itself, is a history without gaps and contradictions: a
// component is added before it is set or removed, and is never added twice; each old value is the
// last that was told; an entity begins and ceases to match in turns.
//
// What was told last in a frame is its turn. What comes after that is ordered as it is told: by
// kind, by type, by observer, by entity; for observers of one entity, by entity and then by
// observer.
#include "observers.h"

#define FEW 16u // entities that are looked through without a table

// Kinds of notices in the order in which a change is told.
static uint32_t rank_of(ilk_on on) {
    switch (on) {
    case ILK_ON_CREATE:
        return 1;
    case ILK_ON_CEASE:
        return 2;
    case ILK_ON_REMOVE:
    case ILK_ON_DESTROY:
        return 3;
    case ILK_ON_ADD:
    case ILK_ON_SET:
        return 4;
    case ILK_ON_ENABLE:
    case ILK_ON_DISABLE:
        return 5;
    default:
        return 6;
    }
}

void ilki_turns_begin(ilki_frame* frame, ilk_on on) {
    frame->turn = (ilki_progress){.rank = rank_of(on),
                                  .number = frame->directory ? frame->directory->number : 0};
}

bool ilki_is_about(const ilki_frame* frame, const ilki_directory* directory,
                   const ilk_observer* observer, ilk_on on) {
    const ilk_observer_desc* desc = &observer->desc;
    if (observer->base.is_gone || observer->serial > frame->newest) return false;
    if (!(desc->on & on) || !(desc->reasons & frame->reason)) return false;
    return !directory || !desc->type || desc->type == directory->type;
}

// A table of where the frame's entities are in its list, by index from the lowest on; 0: not there.
static void make_positions(ilki_frame* frame) {
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < frame->count; i++) {
        uint32_t index = frame->entities[i].index;
        low = index < low ? index : low;
        high = index > high ? index : high;
    }
    frame->low = low;
    frame->position_count = high - low + 1;
    frame->positions =
        ilki_alloc_zero(&frame->world->storage.memory, ILKI_OTHER,
                        frame->position_count * sizeof *frame->positions, _Alignof(uint32_t));
    for (uint32_t i = 0; frame->positions && i < frame->count; i++) {
        frame->positions[frame->entities[i].index - low] = i + 1;
    }
}

void ilki_positions_free(ilki_frame* frame) {
    ilki_free(&frame->world->storage.memory, ILKI_OTHER, frame->positions,
              frame->position_count * sizeof *frame->positions, _Alignof(uint32_t));
    frame->positions = NULL;
}

// Where an entity is in a frame's list, or ILKI_NONE. (Without memory for a table it is looked
// for.)
static uint32_t position_in(ilki_frame* frame, ilk_entity e) {
    if (frame->count > FEW && !frame->positions) make_positions(frame);
    if (frame->positions) {
        uint32_t at = e.index - frame->low;
        uint32_t position = at < frame->position_count ? frame->positions[at] : 0;
        bool is_there = position && ilk_same(frame->entities[position - 1], e);
        return is_there ? position - 1 : ILKI_NONE;
    }
    for (uint32_t i = 0; i < frame->count; i++) {
        if (ilk_same(frame->entities[i], e)) return i;
    }
    return ILKI_NONE;
}

// Whether an observer is told of an entity after another one of another, both at their places.
static bool is_told_after(const ilk_observer* observer, uint32_t at, const ilk_observer* other,
                          uint32_t other_at) {
    bool is_single = ilki_is_single(observer);
    if (is_single != ilki_is_single(other)) return is_single;
    if (is_single && at != other_at) return at > other_at;
    return ilki_is_called_after(observer, other->order, other->serial);
}

// Whether a turn is yet to come in a frame.
static bool is_to_come(const ilki_frame* frame, ilki_progress turn) {
    const ilki_progress* last = &frame->turn;
    if (turn.rank != last->rank) return turn.rank > last->rank;
    if (turn.number != last->number) return turn.number > last->number;
    if (last->is_stopped) return false;
    if (!last->observer) return true;
    if (last->observer == turn.observer) return turn.at >= last->end;
    return is_told_after(turn.observer, turn.at, last->observer, last->end - 1);
}

// What an observer must have been told before it is told this.
static uint32_t needed_for(ilk_on on) {
    switch (on) {
    case ILK_ON_DESTROY:
        return ILK_ON_CREATE;
    case ILK_ON_SET:
        return ILK_ON_ADD | ILK_ON_SET;
    case ILK_ON_ENABLE:
    case ILK_ON_DISABLE:
        return ILK_ON_ADD | ILK_ON_ENABLE | ILK_ON_DISABLE;
    case ILK_ON_ADD:
    case ILK_ON_REMOVE:
        return ILK_ON_ADD;
    default:
        return 0;
    }
}

// Whether a frame is still to tell an observer one of these of an entity or its component.
static bool is_still_to_tell(ilki_frame* frame, const ilki_directory* directory,
                             const ilk_observer* observer, uint32_t needed, ilk_entity e) {
    needed &= frame->announced & observer->desc.on;
    if (!needed || frame->is_over) return false;
    if (!frame->is_new && frame->directory != directory) return false;
    uint32_t at = ILKI_NONE;
    for (uint32_t on = 1; on <= needed; on <<= 1) {
        if (!(needed & on) || !ilki_is_about(frame, directory, observer, (ilk_on)on)) continue;
        if (at == ILKI_NONE && (at = position_in(frame, e)) == ILKI_NONE) return false;
        ilki_progress turn = {.rank = rank_of((ilk_on)on),
                              .number = directory ? directory->number : 0,
                              .observer = observer,
                              .at = at};
        if (is_to_come(frame, turn)) return true;
    }
    return false;
}

// The place of the change of a query for an entity among those of a frame, or ILKI_NONE. They are
// in the order in which they are told.
static uint32_t find_change(const ilki_frame* frame, const ilk_observer* observer, uint32_t at) {
    const ilki_match_change* changes = frame->world->observing->changes;
    uint32_t from = frame->first_change, end = frame->end_change, to = end;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const ilki_match_change* change = &changes[middle];
        bool is_before = change->observer == observer
                             ? change->at < at
                             : is_told_after(observer, at, change->observer, change->at);
        if (is_before)
            from = middle + 1;
        else
            to = middle;
    }
    bool is_found = from < end && changes[from].observer == observer && changes[from].at == at;
    return is_found ? from : ILKI_NONE;
}

// Whether a frame is still to tell an observer that an entity begins to match (ILK_ON_MATCH), or
// ceases to (ILK_ON_CEASE); 0 if neither.
static uint32_t match_due(ilki_frame* frame, const ilk_observer* observer, ilk_entity e) {
    if (frame->first_change == frame->end_change) return 0;
    uint32_t at = position_in(frame, e);
    uint32_t found = at == ILKI_NONE ? ILKI_NONE : find_change(frame, observer, at);
    if (found == ILKI_NONE) return 0;
    ilk_on on = frame->world->observing->changes[found].after ? ILK_ON_MATCH : ILK_ON_CEASE;
    if (!ilki_is_about(frame, NULL, observer, on)) return 0;
    bool is_of_turn = rank_of(on) == frame->turn.rank;
    bool is_due = is_of_turn ? found >= frame->next_change && !frame->turn.is_stopped
                             : rank_of(on) > frame->turn.rank;
    return is_due ? on : 0;
}

bool ilki_is_taken_to_match(const ilki_frame* frame, const ilki_match_change* change) {
    bool is_matching = change->before;
    for (ilki_frame* f = frame->outer; f; f = f->outer) {
        uint32_t due = match_due(f, change->observer, frame->entities[change->at]);
        if (due) is_matching = due == ILK_ON_CEASE;
    }
    return is_matching;
}

bool ilki_is_withheld(const ilki_frame* frame, const ilk_observer* observer, ilk_on on,
                      ilk_entity e) {
    for (ilki_frame* f = frame->outer; f; f = f->outer) {
        bool is_withheld = on & ILKI_ON_QUERY
                               ? match_due(f, observer, e) != 0
                               : is_still_to_tell(f, frame->directory, observer, needed_for(on), e);
        if (is_withheld) return true;
    }
    return false;
}

void ilki_turns_end(ilki_frame* frame) {
    for (ilki_frame* f = frame->outer; f; f = f->outer) {
        bool is_of_value = f->announced && !(f->announced & (ILK_ON_CREATE | ILK_ON_ADD));
        if (!is_of_value || f->directory != frame->directory) continue;
        if (position_in(frame, f->entities[0]) != ILKI_NONE) f->is_over = true;
    }
}
