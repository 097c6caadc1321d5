// Order and waves.
#include <string.h>

#include "../base/text.h"
#include "schedule.h"

bool ilki_is_named(const char* const* list, const char* name) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] && strcmp(list[i], name) == 0) return true;
    }
    return false;
}

bool ilki_is_before(const ilki_schedule* schedule, const ilk_system* a, const ilk_system* b) {
    if (!a->names_later && !b->names_earlier) return false;
    return ilki_is_named(a->desc.before, b->desc.name) ||
           ilki_is_named(b->desc.after, a->desc.name) ||
           ilki_is_named(a->desc.before, schedule->phases[b->phase]) ||
           ilki_is_named(b->desc.after, schedule->phases[a->phase]);
}

// Whether a must have run before b can.
static bool precedes(const ilki_schedule* schedule, const ilk_system* a, const ilk_system* b) {
    return a->phase < b->phase || ilki_is_before(schedule, a, b);
}

// Which of two systems that need not wait comes first.
static bool comes_first(const ilk_system* a, const ilk_system* b) {
    if (a->phase != b->phase) return a->phase < b->phase;
    if (a->desc.order != b->desc.order) return a->desc.order < b->desc.order;
    return a->made < b->made;
}

// A system that must run before this one and is not placed yet, or NULL.
static ilk_system* waits_for(const ilki_schedule* schedule, const ilk_system* system) {
    for (uint32_t i = 0; i < schedule->count; i++) {
        ilk_system* other = schedule->systems[i];
        bool is_left = other != system && !other->is_gone && !other->is_placed;
        if (is_left && precedes(schedule, other, system)) return other;
    }
    return NULL;
}

// Counts, for each system, those that must run before it.
static void count_waits(const ilki_schedule* schedule) {
    for (uint32_t i = 0; i < schedule->count; i++) {
        ilk_system* system = schedule->systems[i];
        system->is_placed = system->is_gone;
        system->waits = 0;
        for (uint32_t k = 0; k < schedule->count; k++) {
            const ilk_system* other = schedule->systems[k];
            if (other == system || other->is_gone) continue;
            system->waits += precedes(schedule, other, system);
        }
    }
}

// The system to run next: the first of those that wait for nobody. NULL if all wait.
static ilk_system* next_system(const ilki_schedule* schedule) {
    ilk_system* next = NULL;
    for (uint32_t i = 0; i < schedule->count; i++) {
        ilk_system* system = schedule->systems[i];
        if (system->is_placed || system->waits) continue;
        if (!next || comes_first(system, next)) next = system;
    }
    return next;
}

static void place_next(ilki_schedule* schedule, ilk_system* system) {
    schedule->trial[schedule->trial_count++] = system;
    system->is_placed = true;
    for (uint32_t i = 0; i < schedule->count; i++) {
        ilk_system* other = schedule->systems[i];
        if (!other->is_placed && precedes(schedule, system, other)) other->waits--;
    }
}

static const ilk_system* any_left(const ilki_schedule* schedule) {
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (!schedule->systems[i]->is_placed) return schedule->systems[i];
    }
    return NULL;
}

// Why a system must wait for another.
static void put_why_it_waits(ilki_text* to, const ilki_schedule* schedule, const ilk_system* system,
                             const ilk_system* other) {
    const char *name = system->desc.name, *phase = schedule->phases[system->phase];
    const char *earlier = other->desc.name, *earlier_phase = schedule->phases[other->phase];
    if (ilki_is_named(system->desc.after, earlier))
        ilki_text_format(to, "%s is after %s", name, earlier);
    else if (ilki_is_named(other->desc.before, name))
        ilki_text_format(to, "%s is before %s", earlier, name);
    else if (ilki_is_named(system->desc.after, earlier_phase))
        ilki_text_format(to, "%s is after phase %s of %s", name, earlier_phase, earlier);
    else if (ilki_is_named(other->desc.before, phase))
        ilki_text_format(to, "%s is before phase %s of %s", earlier, phase, name);
    else
        ilki_text_format(to, "phase %s of %s follows phase %s of %s", phase, name, earlier_phase,
                         earlier);
}

// Names the members of a cycle: going from one to whom it waits for, one comes round.
static void name_cycle(const ilki_schedule* schedule, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    const ilk_system* system = any_left(schedule);
    for (uint32_t i = 0; i < schedule->count; i++) system = waits_for(schedule, system);
    const ilk_system* first = system;
    do {
        const ilk_system* other = waits_for(schedule, system);
        ilki_text_format(&to, "%s%s waits for %s (", to.length ? ", " : "", system->desc.name,
                         other->desc.name);
        put_why_it_waits(&to, schedule, system, other);
        ilki_text_put(&to, ")");
        system = other;
    } while (system != first && to.length < size);
}

static bool reads(ilk_access access) {
    return access == ILK_ACCESS_READ || access == ILK_ACCESS_MAYBE ||
           access == ILK_ACCESS_CHANGED || access == ILK_ACCESS_ADDED;
}

static bool lists(ilk_type* const* list, uint32_t id) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] && ILKI_ID(list[i]) == id) return true;
    }
    return false;
}

// Whether the query of a system writes, or at least reads, a type.
static bool asks_for(const ilk_query* query, uint32_t id, bool writes) {
    for (uint32_t i = 0; i < ILKI_FURTHER_TYPES && !writes; i++) {
        const ilk_type* type = ilki_further_type(query, i);
        if (type && ILKI_ID(type) == id) return true;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        bool is_used = term->access == ILK_ACCESS_WRITE || (!writes && reads(term->access));
        if (is_used && term->id == id) return true;
    }
    return false;
}

bool ilki_is_unbound(const ilk_system* system) {
    bool declares = system->query != NULL;
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        declares |= system->desc.reads[i] || system->desc.writes[i];
        declares |= system->desc.reads_resources[i] || system->desc.writes_resources[i];
    }
    return !declares;
}

static bool uses(const ilk_system* system, uint32_t id, bool writes) {
    return (system->query && asks_for(system->query, id, writes)) ||
           lists(system->desc.writes, id) || (!writes && lists(system->desc.reads, id));
}

static bool uses_resource(const ilk_system* system, uint32_t id, bool writes) {
    return lists(system->desc.writes_resources, id) ||
           (!writes && lists(system->desc.reads_resources, id));
}

bool ilki_system_uses(const ilk_system* system, ilki_good good, bool writes) {
    uint32_t id = ILKI_ID(good.type);
    return good.is_resource ? uses_resource(system, id, writes) : uses(system, id, writes);
}

// Pieces of a system that write to a type run at the same time: none may look at the rows of
// another.
bool ilki_system_may(const ilk_system* system, const ilk_type* type, bool writes) {
    uint32_t id = ILKI_ID(type);
    bool is_risky = system->desc.is_parallel && (writes || uses(system, id, true));
    return ilki_is_unbound(system) || (!is_risky && uses(system, id, writes));
}

// No parallel system declares to write a resource.
bool ilki_system_may_resource(const ilk_system* system, const ilk_type* type, bool writes) {
    return ilki_is_unbound(system) || uses_resource(system, ILKI_ID(type), writes);
}

// What a system writes, by number: its lists, then the columns of its query. Nothing where a number
// stands for what it does not write, or for what came already.
static ilki_good written_at(const ilk_system* system, uint32_t at) {
    if (at < ILK_LIST) return (ilki_good){system->desc.writes[at], false};
    at -= ILK_LIST;
    if (at < ILK_LIST) return (ilki_good){system->desc.writes_resources[at], true};
    const ilki_term* term = &system->query->terms[at - ILK_LIST];
    bool is_new = term->access == ILK_ACCESS_WRITE && !lists(system->desc.writes, term->id);
    return (ilki_good){is_new ? term->type : NULL, false};
}

ilki_good ilki_next_shared(const ilk_system* a, const ilk_system* b, uint32_t* at) {
    uint32_t terms = a->query ? a->query->column_count : 0;
    while (*at < 2 * ILK_LIST + terms) {
        ilki_good good = written_at(a, (*at)++);
        if (good.type && ilki_system_uses(b, good, false)) return good;
    }
    return (ilki_good){0};
}

static bool writes_what_is_used(const ilk_system* a, const ilk_system* b) {
    return ilki_next_shared(a, b, &(uint32_t){0}).type != NULL;
}

// Whether two systems may not be of one wave.
static bool conflict(const ilki_schedule* schedule, const ilk_system* a, const ilk_system* b) {
    return ilki_is_unbound(a) || ilki_is_unbound(b) || ilki_is_before(schedule, a, b) ||
           writes_what_is_used(a, b) || writes_what_is_used(b, a);
}

// Notes what is asked of each system in every update: where its wave ends, and when the commands of
// which are applied.
static void note_waves(ilki_schedule* schedule) {
    memset(schedule->applies, 0, sizeof schedule->applies);
    for (uint32_t i = schedule->sorted_count; i-- > 0;) {
        ilk_system* system = schedule->sorted[i];
        const ilk_system* next = i + 1 < schedule->sorted_count ? schedule->sorted[i + 1] : NULL;
        bool is_last = !next || next->phase != system->phase || next->wave != system->wave;
        system->after = is_last ? i + 1 : next->after;
        schedule->applies[system->desc.apply]++;
    }
}

void ilki_schedule_adopt(ilki_schedule* schedule) {
    uint32_t wave = 0, first = 0;
    schedule->sorted_count = schedule->trial_count;
    for (uint32_t i = 0; i < schedule->trial_count; i++) schedule->sorted[i] = schedule->trial[i];
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        ilk_system* system = schedule->sorted[i];
        bool is_new_phase = i == 0 || schedule->sorted[i - 1]->phase != system->phase;
        bool conflicts = false;
        for (uint32_t k = first; k < i && !is_new_phase; k++) {
            conflicts |= conflict(schedule, schedule->sorted[k], system);
        }
        if (is_new_phase || conflicts) {
            first = i;
            wave = is_new_phase ? 0 : wave + 1;
        }
        system->wave = wave;
    }
    note_waves(schedule);
    ilki_scenes_choose(schedule);
}

ilk_result ilki_schedule_sort(ilki_schedule* schedule, char* text, size_t size) {
    schedule->trial_count = 0;
    count_waits(schedule);
    for (ilk_system* next = next_system(schedule); next; next = next_system(schedule)) {
        place_next(schedule, next);
    }
    if (!any_left(schedule)) return ILK_OK;
    name_cycle(schedule, text, size);
    return ILK_INVALID;
}
