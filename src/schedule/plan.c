// The order of systems as text and as a graph: which run beside each other, and why others do not.
//
// The reasons are looked for as graph.c does that cuts the order into waves, so that they are the
// true ones.
#include <inttypes.h>

#include <ilk/see.h>

#include "../base/text.h"
#include "schedule.h"

static bool is_one_wave(const ilk_system* a, const ilk_system* b) {
    return a->phase == b->phase && a->wave == b->wave;
}

// Where the wave of the system at a place begins.
static uint32_t wave_begin(const ilki_schedule* schedule, uint32_t at) {
    while (at && is_one_wave(schedule->sorted[at - 1], schedule->sorted[at])) at--;
    return at;
}

// Whether a phase, or a wave, begins with the system at a place.
static bool is_phase_begin(const ilki_schedule* schedule, uint32_t at) {
    return !at || schedule->sorted[at - 1]->phase != schedule->sorted[at]->phase;
}

static bool is_wave_begin(const ilki_schedule* schedule, uint32_t at) {
    return wave_begin(schedule, at) == at;
}

// What a system declares, by number; some of it is nothing.
static uint32_t declared_count(const ilk_system* system) {
    uint32_t types = system->query ? system->query->term_count + ILKI_FURTHER_TYPES : 0;
    return 4 * ILK_LIST + types;
}

// The types of a query: of its terms, then the further ones.
static const ilk_type* asked_at(const ilk_query* query, uint32_t at) {
    if (at < query->term_count) return query->terms[at].type;
    return ilki_further_type(query, at - query->term_count);
}

static ilki_good declared_at(const ilk_system* system, uint32_t at) {
    const ilk_system_desc* desc = &system->desc;
    uint32_t place = at % ILK_LIST, terms = declared_count(system) - 2 * ILK_LIST;
    if (at < ILK_LIST) return (ilki_good){desc->writes[place], false};
    if (at < 2 * ILK_LIST) return (ilki_good){desc->reads[place], false};
    if (at < terms) return (ilki_good){asked_at(system->query, at - 2 * ILK_LIST), false};
    at -= terms;
    return (ilki_good){
        at < ILK_LIST ? desc->writes_resources[at] : desc->reads_resources[at - ILK_LIST], true};
}

static bool is_declared_before(const ilk_system* system, uint32_t at, ilki_good good) {
    for (uint32_t i = 0; i < at; i++) {
        ilki_good other = declared_at(system, i);
        if (!other.type || other.is_resource != good.is_resource) continue;
        if (ILKI_ID(other.type) == ILKI_ID(good.type)) return true;
    }
    return false;
}

static void put_good(ilki_text* to, ilki_good good) {
    if (good.is_resource) ilki_text_put(to, "resource ");
    ilki_text_put(to, good.type->name);
}

// What a system writes, or only reads, each once.
static void put_accesses(ilki_text* to, const ilk_system* system, bool is_writing) {
    uint32_t said = 0;
    for (uint32_t i = 0; i < declared_count(system); i++) {
        ilki_good good = declared_at(system, i);
        if (!good.type || !ilki_system_uses(system, good, is_writing)) continue;
        if (!is_writing && ilki_system_uses(system, good, true)) continue;
        if (is_declared_before(system, i, good)) continue;
        ilki_text_put(to, said++ ? ", " : is_writing ? "  writes " : "  reads ");
        put_good(to, good);
    }
}

static void put_system(ilki_text* to, const ilk_system* system) {
    static const char* const times[] = {"", "  commands at the end of the phase",
                                        "  commands at the end of the frame"};
    size_t begin = to->length;
    if (ilki_is_unbound(system)) {
        ilki_text_put(to, "  declares nothing, and may use everything");
    } else {
        put_accesses(to, system, true);
        put_accesses(to, system, false);
        if (to->length == begin) ilki_text_put(to, "  reads and writes nothing");
    }
    if (system->desc.is_parallel && system->query) ilki_text_put(to, "  in pieces");
    if (system->desc.stays_on_main) ilki_text_put(to, "  on the world's thread");
    ilki_text_put(to, times[system->desc.apply]);
    if (system->desc.is_disabled) ilki_text_put(to, "  switched off");
    if (system->is_resting) ilki_text_put(to, "  rests in this scene");
    if (system->is_gone) ilki_text_put(to, "  goes at the end of the update");
}

static void put_reason(ilki_text* to, uint32_t* reasons, const char* a, const char* says,
                       const char* b) {
    ilki_text_put(to, (*reasons)++ ? ", and " : ", because ");
    ilki_text_put(to, a);
    ilki_text_put(to, says);
    ilki_text_put(to, b);
}

// What one system writes and the other uses; what both write is told by the first one.
static void put_shared(ilki_text* to, const ilk_system* writer, const ilk_system* other,
                       bool is_first, uint32_t* reasons) {
    uint32_t at = 0;
    ilki_good good;
    while ((good = ilki_next_shared(writer, other, &at)).type) {
        bool is_written_twice = ilki_system_uses(other, good, true);
        if (is_written_twice && !is_first) continue;
        put_reason(to, reasons, writer->desc.name, " writes ", "");
        put_good(to, good);
        ilki_text_put(to, ", which ");
        ilki_text_put(to, other->desc.name);
        ilki_text_put(to, is_written_twice ? " writes too" : " reads");
    }
}

// Why a wave begins with the system at a place: what keeps it from those of the wave before.
static void put_why(ilki_text* to, const ilki_schedule* schedule, uint32_t at) {
    const ilk_system* system = schedule->sorted[at];
    bool is_unbound = ilki_is_unbound(system);
    uint32_t reasons = 0;
    if (is_unbound) put_reason(to, &reasons, system->desc.name, " declares nothing", "");
    for (uint32_t i = wave_begin(schedule, at - 1); i < at; i++) {
        const ilk_system* earlier = schedule->sorted[i];
        if (ilki_is_before(schedule, earlier, system)) {
            put_reason(to, &reasons, system->desc.name, " comes after ", earlier->desc.name);
        } else if (ilki_is_unbound(earlier)) {
            put_reason(to, &reasons, earlier->desc.name, " declares nothing", "");
        } else if (!is_unbound) {
            put_shared(to, earlier, system, true, &reasons);
            put_shared(to, system, earlier, false, &reasons);
        }
    }
}

static void put_schedule(ilki_table* table, const ilki_schedule* schedule) {
    ilki_text* to = table->to;
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        const ilk_system* system = schedule->sorted[i];
        bool is_new_phase = is_phase_begin(schedule, i);
        if (to && is_new_phase) {
            ilki_text_put(to, i ? "\nphase " : "phase ");
            ilki_text_put(to, schedule->phases[system->phase]);
            ilki_text_put(to, "\n");
        }
        if (to && is_wave_begin(schedule, i)) {
            ilki_text_format(to, "  wave %" PRIu32, system->wave);
            if (!is_new_phase) put_why(to, schedule, i);
            ilki_text_put(to, "\n");
        }
        ilki_table_left(table, system->desc.name);
        if (to) put_system(to, system);
        ilki_table_end(table);
    }
}

size_t ilk_schedule_text(const ilk_world* world, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    if (!world || !world->schedule) return 0;
    ilki_table table = {0};
    put_schedule(&table, world->schedule);
    table.to = &to;
    put_schedule(&table, world->schedule);
    return to.length;
}

// The phases, their waves and systems, as nodes that lie in them.
static void put_nodes(ilki_text* to, const ilki_schedule* schedule) {
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        const ilk_system* system = schedule->sorted[i];
        if (is_phase_begin(schedule, i)) {
            ilki_text_format(to, "  subgraph cluster_%" PRIu32 " {\n    label=", system->phase);
            ilki_text_quote(to, schedule->phases[system->phase]);
            ilki_text_put(to, ";\n");
        }
        if (is_wave_begin(schedule, i)) ilki_text_put(to, "    { rank=same;");
        ilki_text_format(to, " s%" PRIu32 " [label=", i);
        ilki_text_quote(to, system->desc.name);
        ilki_text_put(to, "];");
        bool is_last = i + 1 == schedule->sorted_count;
        if (is_last || is_wave_begin(schedule, i + 1)) ilki_text_put(to, " }\n");
        if (is_last || is_phase_begin(schedule, i + 1)) ilki_text_put(to, "  }\n");
    }
}

static void put_edge(ilki_text* to, uint32_t from, uint32_t at, const char* style) {
    ilki_text_format(to, "  s%" PRIu32 " -> s%" PRIu32 "%s", from, at, style);
}

// What keeps two systems apart; what both write is told by the first one.
static uint32_t put_labels(ilki_text* to, const ilk_system* a, const ilk_system* b, bool is_first,
                           uint32_t said) {
    uint32_t at = 0;
    ilki_good good;
    while ((good = ilki_next_shared(a, b, &at)).type) {
        if (!is_first && ilki_system_uses(b, good, true)) continue;
        ilki_text_put(to, said++ ? ", " : "");
        if (good.is_resource) ilki_text_put(to, "resource ");
        ilki_text_escape(to, good.type->name);
    }
    return said;
}

static bool share_something(const ilk_system* a, const ilk_system* b) {
    return ilki_next_shared(a, b, &(uint32_t){0}).type ||
           ilki_next_shared(b, a, &(uint32_t){0}).type;
}

// An edge for what two systems use, if they may not run beside each other for that. Whether so.
static bool put_conflict(ilki_text* to, const ilki_schedule* schedule, uint32_t from, uint32_t at) {
    const ilk_system *a = schedule->sorted[from], *b = schedule->sorted[at];
    bool is_bound = !ilki_is_unbound(a) && !ilki_is_unbound(b);
    if (ilki_is_before(schedule, a, b) || (is_bound && !share_something(a, b))) return false;
    put_edge(to, from, at, " [style=dashed, label=\"");
    if (is_bound) {
        uint32_t said = put_labels(to, a, b, true, 0);
        put_labels(to, b, a, false, said);
    } else {
        ilki_text_put(to, "everything");
    }
    ilki_text_put(to, "\"];\n");
    return true;
}

// Edges to a system from those of the last wave of its phase that it may not run beside.
static void put_conflicts(ilki_text* to, const ilki_schedule* schedule, uint32_t at) {
    uint32_t end = wave_begin(schedule, at);
    for (bool is_found = false; !is_found && end && !is_phase_begin(schedule, end);) {
        uint32_t begin = wave_begin(schedule, end - 1);
        for (uint32_t i = begin; i < end; i++) is_found |= put_conflict(to, schedule, i, at);
        end = begin;
    }
}

static void put_edges(ilki_text* to, const ilki_schedule* schedule, uint32_t at) {
    for (uint32_t i = 0; i < at; i++) {
        if (ilki_is_before(schedule, schedule->sorted[i], schedule->sorted[at])) {
            put_edge(to, i, at, ";\n");
        }
    }
    put_conflicts(to, schedule, at);
    // So that a phase is drawn below the one before.
    if (at && is_phase_begin(schedule, at)) put_edge(to, at - 1, at, " [style=invis];\n");
}

size_t ilk_schedule_dot(const ilk_world* world, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    if (!world) return 0;
    ilki_text_put(&to, "digraph ");
    ilki_text_quote(&to, world->name);
    ilki_text_put(&to, " {\n  newrank=true;\n  node [shape=box];\n");
    const ilki_schedule* schedule = world->schedule;
    if (schedule) put_nodes(&to, schedule);
    for (uint32_t i = 0; schedule && i < schedule->sorted_count; i++) put_edges(&to, schedule, i);
    ilki_text_put(&to, "}\n");
    return to.length;
}
