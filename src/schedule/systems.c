// Systems: making, reading, destroying; phases.
#include <string.h>

#include "schedule.h"

static char* copy_name(ilk_world* world, const char* name) {
    char* copy = ilki_alloc(&world->storage.memory, ILKI_OTHER, strlen(name) + 1, 1);
    if (copy) strcpy(copy, name);
    return copy;
}

static bool insert_phase(ilk_world* world, ilki_schedule* schedule, const char* name, uint32_t at) {
    if (!ilki_grow(&world->storage.memory, ILKI_OTHER, &schedule->phases, &schedule->phase_capacity,
                   schedule->phase_count + 1, sizeof *schedule->phases)) {
        return false;
    }
    char* copy = copy_name(world, name);
    if (!copy) return false;
    for (uint32_t i = schedule->phase_count++; i > at; i--) {
        schedule->phases[i] = schedule->phases[i - 1];
    }
    schedule->phases[at] = copy;
    return true;
}

static void free_schedule(ilk_world* world, ilki_schedule* schedule) {
    ilki_memory* memory = &world->storage.memory;
    for (uint32_t i = 0; i < schedule->phase_count; i++) {
        ilki_free(memory, ILKI_OTHER, schedule->phases[i], strlen(schedule->phases[i]) + 1, 1);
    }
    ilki_free(memory, ILKI_OTHER, schedule->phases,
              schedule->phase_capacity * sizeof *schedule->phases, _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, schedule->systems, schedule->capacity * sizeof *schedule->systems,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, schedule->sorted,
              schedule->sorted_capacity * sizeof *schedule->sorted, _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, schedule->trial,
              schedule->trial_capacity * sizeof *schedule->trial, _Alignof(max_align_t));
    ilki_trace_destroy(memory, schedule->trace);
    ilki_free(memory, ILKI_OTHER, schedule, sizeof *schedule, _Alignof(ilki_schedule));
}

void ilki_schedule_set_defaults(ilki_schedule* schedule) {
    schedule->is_started = schedule->is_paused = schedule->has_leftovers = false;
    schedule->scale = 1;
    schedule->longest = 0;
    schedule->step = 1000000000u / 60;
    schedule->lag = 0;
    schedule->most = 8;
    schedule->settles = 1024; // docs/performance.md says why
    schedule->settled = (ilk_settled){0};
    schedule->time = (ilk_time){0};
}

ilki_schedule* ilki_schedule_of(ilk_world* world, const char* call) {
    static const char* const names[] = {"start", "fixed", "update", "post", "draw"};
    if (world->schedule) return world->schedule;
    ilki_schedule* schedule = ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, sizeof *schedule,
                                              _Alignof(ilki_schedule));
    bool is_ready = schedule != NULL;
    for (uint32_t i = 0; is_ready && i < 5; i++) {
        is_ready = insert_phase(world, schedule, names[i], i);
    }
    if (!is_ready) {
        if (schedule) free_schedule(world, schedule);
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    ilki_schedule_set_defaults(schedule);
    ilki_wave_init(&schedule->wave, world);
    world->schedule = schedule;
    return schedule;
}

uint32_t ilki_phase_find(const ilki_schedule* schedule, const char* name) {
    for (uint32_t i = 0; i < schedule->phase_count; i++) {
        if (strcmp(schedule->phases[i], name) == 0) return i;
    }
    return ILKI_NONE;
}

ilk_result ilk_phase_add(ilk_world* world, const char* name, const char* after) {
    const char* call = "ilk_phase_add";
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    ilki_schedule* schedule = ilki_schedule_of(world, call);
    if (!schedule) return ILK_NO_MEMORY;
    if (schedule->is_running) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL, "the world is running");
    }
    if (!name || !name[0] || !after) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "a name is missing");
    }
    uint32_t at = ilki_phase_find(schedule, after);
    if (at == ILKI_NONE) {
        return ilki_fail_because(world, ILK_MISSING, call, NULL, "there is no phase \"%s\"", after);
    }
    if (ilki_phase_find(schedule, name) != ILKI_NONE) {
        return ilki_fail_because(world, ILK_EXISTS, call, NULL, "there is a phase \"%s\" already",
                                 name);
    }
    if (!insert_phase(world, schedule, name, at + 1)) {
        return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (schedule->systems[i]->phase > at) schedule->systems[i]->phase++;
    }
    return ILK_OK;
}

// Calls `visit` with each text of a description.
static void visit_texts(ilk_system_desc* desc, void (*visit)(const char** text, void* context),
                        void* context) {
    visit(&desc->name, context);
    visit(&desc->phase, context);
    visit(&desc->query.where, context);
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        visit(&desc->before[i], context);
        visit(&desc->after[i], context);
    }
}

static void measure_text(const char** text, void* context) {
    if (*text) *(size_t*)context += strlen(*text) + 1;
}

static void move_text(const char** text, void* context) {
    if (!*text) return;
    char** to = context;
    strcpy(*to, *text);
    *text = *to;
    *to += strlen(*to) + 1;
}

static bool keep_texts(ilk_system* system) {
    measure_text(&(const char*){""}, &system->text_bytes);
    visit_texts(&system->desc, measure_text, &system->text_bytes);
    system->texts = ilki_alloc(&system->world->storage.memory, ILKI_OTHER, system->text_bytes, 1);
    if (!system->texts) return false;
    char* to = system->texts;
    visit_texts(&system->desc, move_text, &to);
    return true;
}

static void system_free(ilk_system* system) {
    ilk_world* world = system->world;
    if (system->query) system->query->is_owned = false;
    ilk_query_destroy(system->query);
    ilki_cmd_give_back(system->cmd);
    ilki_free(&world->storage.memory, ILKI_OTHER, system->texts, system->text_bytes, 1);
    ilki_free(&world->storage.memory, ILKI_OTHER, system->wants,
              system->want_capacity * sizeof *system->wants, _Alignof(max_align_t));
    ilki_free(&world->storage.memory, ILKI_OTHER, system, sizeof *system, _Alignof(ilk_system));
}

static bool has_query(const ilk_system_desc* desc) {
    return desc->is_for_all || !ilki_query_asks_nothing(&desc->query);
}

// Makes sure that the types of a list have their numbers; or the failure is noted.
static bool number_list(ilk_world* world, ilk_type* const* list, const char* call) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] && !ilki_type_for(world, list[i], call)) return false;
    }
    return true;
}

// The same for the types that a system declares beside its query.
static bool number_types(ilk_world* world, const ilk_system_desc* desc, const char* call) {
    return number_list(world, desc->reads, call) && number_list(world, desc->writes, call) &&
           number_list(world, desc->reads_resources, call) &&
           number_list(world, desc->writes_resources, call);
}

// A system, not yet of the schedule; NULL, and the failure is noted.
static ilk_system* make_system(ilk_world* world, const ilk_system_desc* desc, uint32_t phase,
                               const char* call) {
    ilk_system* system =
        ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, sizeof *system, _Alignof(ilk_system));
    if (!system) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    system->world = world;
    system->desc = *desc;
    system->first_order = desc->order;
    system->is_first_disabled = desc->is_disabled;
    system->phase = phase;
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        system->names_later |= desc->before[i] != NULL;
        system->names_earlier |= desc->after[i] != NULL;
    }
    bool is_made = keep_texts(system);
    if (!is_made) ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    const char* concerned = world->concerned; // one whose command makes this one, or NULL
    world->concerned = desc->name;
    is_made = is_made && number_types(world, desc, call);
    is_made = is_made && (system->cmd = ilki_cmd_take(world, ILKI_OF_SYSTEM, call)) != NULL;
    if (is_made && has_query(desc)) {
        system->query = ilki_query_make(world, &desc->query, call);
        is_made = system->query != NULL;
        if (is_made) system->query->is_owned = true;
    }
    world->concerned = concerned;
    system->desc.query.terms = NULL; // the caller's, which may go; the query has them
    if (is_made) return system;
    system_free(system);
    return NULL;
}

ilk_system* ilk_system_named(ilk_world* world, const char* name) {
    const ilki_schedule* schedule = world ? world->schedule : NULL;
    for (uint32_t i = 0; schedule && name && i < schedule->count; i++) {
        ilk_system* system = schedule->systems[i];
        if (!system->is_gone && strcmp(system->desc.name, name) == 0) return system;
    }
    return NULL;
}

static bool is_anybody(ilk_world* world, const char* name) {
    return ilk_system_named(world, name) || ilki_phase_find(world->schedule, name) != ILKI_NONE;
}

const char* ilki_next_unknown(ilk_world* world, const char* const** list) {
    while (**list) {
        const char* name = *(*list)++;
        if (!is_anybody(world, name)) return name;
    }
    return NULL;
}

// A name in a list of a description that no system and no phase has; or NULL.
static const char* unknown_name(ilk_world* world, const char* const* list) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i] && !is_anybody(world, list[i])) return list[i];
    }
    return NULL;
}

static bool has_types(ilk_type* const* list) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        if (list[i]) return true;
    }
    return false;
}

// What is wrong with a description by itself, or NULL.
static const char* fault_of_desc(const ilk_system_desc* desc) {
    if (!desc || !desc->name || !desc->name[0]) return "a system needs a name";
    if (!desc->run == !desc->each) return "it needs one of run and each";
    if ((unsigned)desc->apply > ILK_APPLY_FRAME) return "there is no such time to apply commands";
    if (!(desc->interval >= 0)) return "its interval is negative, or no number";
    if (desc->is_parallel && !has_query(desc)) return "it is parallel, and has no query to cut";
    if (desc->is_parallel && has_types(desc->writes)) {
        return "it is parallel, and may write in the rows of its query only";
    }
    if (desc->is_parallel && has_types(desc->writes_resources)) {
        return "it is parallel, and its pieces would write a resource at the same time";
    }
    return NULL;
}

// Checks what can be told before a system is made. Its phase, or ILKI_NONE.
static uint32_t check_desc(ilk_world* world, const ilk_system_desc* desc, const char* call) {
    const char* why = fault_of_desc(desc);
    if (why) {
        bool is_named = desc && desc->name;
        ilki_fail_because(world, ILK_INVALID, call, NULL, "%s%s%s%s", is_named ? "system \"" : "",
                          is_named ? desc->name : "", is_named ? "\": " : "", why);
        return ILKI_NONE;
    }
    const char* phase = desc->phase ? desc->phase : "update";
    uint32_t number = ilki_phase_find(world->schedule, phase);
    const char* unknown = unknown_name(world, desc->before);
    if (!unknown) unknown = unknown_name(world, desc->after);
    if (number == ILKI_NONE || unknown) {
        ilki_fail_because(
            world, ILK_MISSING, call, NULL, "system \"%s\": there is no phase%s \"%s\"%s",
            desc->name, number == ILKI_NONE ? "" : " or system",
            number == ILKI_NONE ? phase : unknown,
            number != ILKI_NONE && strcmp(unknown, desc->name) == 0 ? " but itself" : "");
        return ILKI_NONE;
    }
    return number;
}

static bool ready_for_system(ilk_world* world, ilki_schedule* schedule) {
    ilki_memory* memory = &world->storage.memory;
    return ilki_grow(memory, ILKI_OTHER, &schedule->systems, &schedule->capacity,
                     schedule->count + 1, sizeof *schedule->systems) &&
           ilki_grow(memory, ILKI_OTHER, &schedule->sorted, &schedule->sorted_capacity,
                     schedule->count + 1, sizeof *schedule->sorted) &&
           ilki_grow(memory, ILKI_OTHER, &schedule->trial, &schedule->trial_capacity,
                     schedule->count + 1, sizeof *schedule->trial) &&
           ilki_wave_ready(&schedule->wave, schedule->count + 1);
}

static void take_out(ilki_schedule* schedule, const ilk_system* system) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (schedule->systems[i] != system) schedule->systems[kept++] = schedule->systems[i];
    }
    schedule->count = kept;
}

// An order that was tried is adopted now or, while systems run, when they have.
static void adopt_soon(ilki_schedule* schedule) {
    bool is_busy = schedule->is_running || schedule->leaving;
    schedule->is_outdated |= is_busy;
    if (!is_busy) ilki_schedule_adopt(schedule);
}

// Ends a system. The hook may end others; all of them go when the outermost is done.
static void leave(ilk_system* system) {
    ilk_world* world = system->world;
    ilki_schedule* schedule = world->schedule;
    system->is_gone = true;
    schedule->leaving++;
    if (system->desc.exit) system->desc.exit(world, system->desc.user);
    schedule->leaving--;
    schedule->is_outdated = true;
    if (!schedule->is_running && !schedule->leaving) ilki_schedule_tidy(world);
}

// Makes a system, in place of an old one if there is one. On failure that one stays.
static ilk_system* create_system(ilk_world* world, const ilk_system_desc* desc, ilk_system* old,
                                 const char* call) {
    uint32_t phase = check_desc(world, desc, call);
    if (phase == ILKI_NONE) return NULL;
    ilki_schedule* schedule = world->schedule;
    if (schedule->is_ending) {
        ilki_fail_because(world, ILK_LOCKED, call, NULL, "the world is being destroyed");
        return NULL;
    }
    ilk_system* system = make_system(world, desc, phase, call);
    if (!system) return NULL;
    if (!ready_for_system(world, schedule)) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        system_free(system);
        return NULL;
    }
    system->made = old ? old->made : schedule->made++;
    system->plugin = ilki_plugin_now(world);
    system->serial = ++schedule->last_serial;
    schedule->systems[schedule->count++] = system;
    if (old) old->is_gone = true;
    char cycle[ILKI_CYCLE_TEXT];
    if (ilki_schedule_sort(schedule, cycle, sizeof cycle) != ILK_OK) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "a cycle: %s", cycle);
        take_out(schedule, system);
        if (old) old->is_gone = false;
        system_free(system);
        return NULL;
    }
    adopt_soon(schedule);
    if (old) leave(old);
    if (desc->init) desc->init(world, desc->user);
    return system;
}

ilk_system* ilk_system_create(ilk_world* world, const ilk_system_desc* desc) {
    const char* call = "ilk_system_create";
    if (ilki_enter(world, call) != ILK_OK || !ilki_schedule_of(world, call)) return NULL;
    if (desc && desc->name && ilk_system_named(world, desc->name)) {
        ilki_fail_because(world, ILK_EXISTS, call, NULL, "there is a system \"%s\" already",
                          desc->name);
        return NULL;
    }
    return create_system(world, desc, NULL, call);
}

ilk_system* ilk_system_replace(ilk_world* world, const ilk_system_desc* desc) {
    const char* call = "ilk_system_replace";
    if (ilki_enter(world, call) != ILK_OK || !ilki_schedule_of(world, call)) return NULL;
    ilk_system* old = desc ? ilk_system_named(world, desc->name) : NULL;
    return create_system(world, desc, old, call);
}

ilk_result ilk_system_destroy(ilk_system* system) {
    if (!system || system->is_gone) return ILK_INVALID;
    ilk_result result = ilki_enter(system->world, "ilk_system_destroy");
    if (result == ILK_OK) leave(system);
    return result;
}

static ilk_system* find_of_plugin(const ilki_schedule* schedule, const char* plugin) {
    for (uint32_t i = schedule ? schedule->count : 0; i-- > 0;) {
        ilk_system* system = schedule->systems[i];
        if (system->plugin == plugin && !system->is_gone) return system;
    }
    return NULL;
}

void ilki_systems_of_plugin(ilk_world* world, const char* plugin, bool go) {
    ilk_system* system;
    while ((system = find_of_plugin(world->schedule, plugin)) != NULL) {
        system->plugin = NULL;
        if (go) leave(system);
    }
}

void ilki_schedule_tidy(ilk_world* world) {
    ilki_schedule* schedule = world->schedule;
    for (uint32_t i = schedule->count; i-- > 0;) {
        ilk_system* system = schedule->systems[i];
        if (!system->is_gone) continue;
        take_out(schedule, system);
        system_free(system);
    }
    char cycle[ILKI_CYCLE_TEXT];
    schedule->is_outdated = false;
    ilki_schedule_sort(schedule, cycle, sizeof cycle); // what is left has no cycle
    ilki_schedule_adopt(schedule);
}

bool ilki_is_running(const ilk_world* world) {
    const ilki_schedule* schedule = world->schedule;
    return schedule && (schedule->is_running || schedule->is_ending || schedule->scenes.calling);
}

void ilki_schedule_free(ilk_world* world) {
    ilki_schedule* schedule = world->schedule;
    if (!schedule) return;
    schedule->is_ending = true;
    ilki_scenes_free(world);
    while (schedule->count) leave(schedule->systems[schedule->count - 1]);
    ilki_wave_fini(&schedule->wave);
    free_schedule(world, schedule);
    world->schedule = NULL;
}

uint32_t ilk_system_count(const ilk_world* world) {
    return world && world->schedule ? world->schedule->sorted_count : 0;
}

ilk_system* ilk_system_at(ilk_world* world, uint32_t at) {
    return at < ilk_system_count(world) ? world->schedule->sorted[at] : NULL;
}

const ilk_system_desc* ilk_system_desc_of(const ilk_system* system) {
    return system ? &system->desc : NULL;
}

ilk_query* ilk_system_query(const ilk_system* system) {
    return system ? system->query : NULL;
}

uint32_t ilk_system_wave(const ilk_system* system) {
    return system ? system->wave : 0;
}

void ilk_system_enable(ilk_system* system, bool is_enabled) {
    const ilki_desk* desk = system ? ilki_desk_in(system->world) : NULL;
    bool is_own = desk && desk->system == system && !system->desc.is_parallel;
    bool is_free = system && (is_own || ilki_enter(system->world, "ilk_system_enable") == ILK_OK);
    if (is_free) system->desc.is_disabled = !is_enabled;
}

ilk_result ilk_system_set_order(ilk_system* system, int order) {
    if (!system || system->is_gone) return ILK_INVALID;
    ilk_result result = ilki_enter(system->world, "ilk_system_set_order");
    if (result != ILK_OK) return result;
    char cycle[ILKI_CYCLE_TEXT];
    system->desc.order = order; // an order number closes no cycle
    ilki_schedule_sort(system->world->schedule, cycle, sizeof cycle);
    adopt_soon(system->world->schedule);
    return ILK_OK;
}

ilk_system_stats ilk_system_stats_of(const ilk_system* system) {
    if (!system) return (ilk_system_stats){0};
    ilk_system_stats stats = system->stats;
    uint64_t now = ilki_now();
    stats.second = ilki_window_read(&system->window, ILKI_SECOND, now);
    stats.minute = ilki_window_read(&system->window, ILKI_MINUTE, now);
    stats.five_minutes = ilki_window_read(&system->window, ILKI_FIVE_MINUTES, now);
    return stats;
}

void ilk_system_stats_reset(ilk_system* system) {
    if (!system) return;
    system->stats = (ilk_system_stats){0};
    system->window = (ilki_window){0};
}
