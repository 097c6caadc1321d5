// The engine of a run: worlds, choosing what an operation is about, judging what came of it.
//
// The library is asked first. If it says that memory was refused, and it was, then nothing may have
// changed, and the model is not asked at all. Otherwise the model does the same, and both must give
// the same result. After each operation the tokens are counted; now and then all is compared.
#include "run.h"

#include "base/platform.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Failing

void run_fail(run* r, const char* format, ...) {
    if (r->outcome->failed) return;
    r->outcome->failed = true;
    r->outcome->kind = format;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->outcome->text, sizeof r->outcome->text, format, arguments);
    va_end(arguments);
}

void run_note(run* r, uint64_t number) {
    r->outcome->digest = (r->outcome->digest ^ number) * 0x100000001b3u;
    r->outcome->digest ^= r->outcome->digest >> 29;
}

// Calls and their messages

static void keep(char* to, size_t size, const char* from) {
    size_t length = from ? strlen(from) : 0;
    if (length >= size) length = size - 1;
    if (length) memcpy(to, from, length);
    to[length] = 0;
}

static void note_message(run_side* s, const ilk_message* message) {
    if (s->heard_count == s->heard_capacity) {
        s->heard_capacity = s->heard_capacity ? 2 * s->heard_capacity : 16;
        s->heard = realloc(s->heard, s->heard_capacity * sizeof *s->heard);
        if (!s->heard) abort();
    }
    run_message* note = &s->heard[s->heard_count++];
    note->result = message->result;
    note->entity = message->entity;
    note->known = ilk_type_count(s->world);
    keep(note->call, sizeof note->call, message->call);
    keep(note->type, sizeof note->type, message->type);
}

static void hear_beside(run_piece* p, const ilk_message* message) {
    p->messages++;
    p->told = message->result;
}

static void hear(void* context, const ilk_message* message) {
    run_side* s = context;
    if (run_piece_here()) {
        hear_beside(run_piece_here(), message);
        return;
    }
    // What a scene lists in vain depends on what its hooks did; unit tests have it.
    bool is_notice = strstr(message->text, "which is no system or phase yet") != NULL;
    s->is_error_open = is_notice;
    if (is_notice) return;
    note_message(s, message);
    s->messages++;
    s->told = message->result;
    s->told_entity = message->entity;
    keep(s->told_call, sizeof s->told_call, message->call);
    keep(s->told_type, sizeof s->told_type, message->type);
    keep(s->told_text, sizeof s->told_text, message->text);
}

const char* run_type_name(uint32_t type) {
    if (type == MODEL_NO_TYPE) return "NULL";
    const char* name = catalog_models()[type].name;
    return name ? name : "(no name)";
}

void run_begin(run* r, run_side* s, run_call call) {
    r->call = call;
    r->refused_before = r->plan.refused;
    if (!r->options.trace) return;
    printf("%6u  %-5s  %s(", r->outcome->at, s->name, call.name);
    if (call.about_entity) printf("{%u, %u} ", call.entity.index, call.entity.generation);
    if (call.about_type) printf("%s ", run_type_name(call.type));
    if (call.count) printf("count %u", call.count);
    for (uint32_t i = 0; call.set && i < call.set->count; i++)
        printf("%s%s", i ? ", " : ": ", run_type_name(call.set->types[i]));
    printf(")\n");
    fflush(stdout);
}

static void trace_result(const run* r, ilk_result result) {
    if (r->options.trace && result != ILK_OK) printf("%15s-> %s\n", "", ilk_result_name(result));
}

// A message names the type that the call is about, but for a world that is full of entities.
static bool names_type(const run_call* call, const run_side* s, ilk_result result) {
    if (!call->about_type || call->type == MODEL_NO_TYPE) return true;
    const char* name = catalog_models()[call->type].name;
    if (!name || !*name || result == ILK_FULL) return true;
    return strcmp(s->told_type, name) == 0 && strstr(s->told_text, name);
}

static void check_names(run* r, const run_side* s, ilk_result result) {
    const run_call* call = &r->call;
    RUN_CHECK(r, names_type(call, s, result), "%s: the message of %s does not name the type: %s",
              s->name, call->name, s->told_text);
    bool about_entity = result == ILK_DEAD || result == ILK_EXISTS || result == ILK_MISSING;
    if (call->about_entity && about_entity)
        RUN_CHECK(r, ilk_same(s->told_entity, call->entity),
                  "%s: the message of %s names another entity: %s", s->name, call->name,
                  s->told_text);
}

void run_follow_types(run* r, run_side* s, const run_set* set) {
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t type = set->types[i];
        if (type >= catalog_sound() || s->model->numbers[type] != UINT32_MAX) continue;
        uint32_t number = ilk_type_number(s->world, catalog_variable(type, false));
        if (number == UINT32_MAX) continue;
        RUN_CHECK(r, number == s->model->known_count, "%s: %s is number %u, not %u", s->name,
                  run_type_name(type), number, s->model->known_count);
        model_introduce(s->model, type);
    }
}

void run_follow_type(run_side* s, uint32_t type, uint32_t known) {
    if (type >= catalog_sound() || s->model->numbers[type] != UINT32_MAX) return;
    uint32_t number = ilk_type_number(s->world, catalog_variable(type, false));
    if (number < known && number == s->model->known_count) model_introduce(s->model, type);
}

// A call that failed may have introduced the types that it named.
static void follow_failure(run* r, run_side* s) {
    const run_call* call = &r->call;
    if (call->set) run_follow_types(r, s, call->set);
    if (call->about_type) run_follow_types(r, s, &(run_set){.count = 1, .types = {call->type}});
}

static void check_message(run* r, run_side* s, ilk_result result) {
    const run_call* call = &r->call;
    s->expected++;
    RUN_CHECK(r, s->messages == s->expected, "%s: %s gave %s and %u messages", s->name, call->name,
              ilk_result_name(result), s->messages + 1 - s->expected);
    RUN_CHECK(r, s->told == result, "%s: %s gave %s, and told %s", s->name, call->name,
              ilk_result_name(result), ilk_result_name(s->told));
    RUN_CHECK(r, strcmp(s->told_call, call->name) == 0, "%s: the message of %s is about %s",
              s->name, call->name, s->told_call);
    ilk_message error = ilk_error(s->world);
    RUN_CHECK(r, error.result == result && error.text && strcmp(error.text, s->told_text) == 0,
              "%s: the last failure of %s is %s", s->name, call->name,
              ilk_result_name(error.result));
    check_names(r, s, result);
    follow_failure(r, s);
}

bool run_excused(run* r, run_side* s, ilk_result result) {
    if (result != ILK_NO_MEMORY || r->plan.refused == r->refused_before) return false;
    trace_result(r, result);
    check_message(r, s, result);
    return true;
}

void run_expect(run* r, run_side* s, ilk_result result, model_faults faults) {
    trace_result(r, result);
    run_note(r, result);
    s->expected += model_take_messages(s->model);
    bool allowed = faults ? result != ILK_OK && (faults >> result & 1) : result == ILK_OK;
    if (!allowed) {
        ilk_result wanted = ILK_OK;
        while (faults && !(faults >> wanted & 1)) wanted = (ilk_result)(wanted + 1);
        run_fail(r, "%s: %s gave %s, not %s", s->name, r->call.name, ilk_result_name(result),
                 ilk_result_name(wanted));
    } else if (result != ILK_OK) {
        check_message(r, s, result);
    }
}

void run_hush(run_side* s) {
    s->expected = s->messages;
}

ilk_result run_yielded(run_side* s, bool something) {
    return something ? ILK_OK : ilk_error(s->world).result;
}

// Choosing

static ilk_entity wrong_entity(const run* r, const run_side* s, uint8_t mode, uint32_t pick) {
    const model_world* m = s->model;
    uint32_t index = m->slot_count ? pick % m->slot_count : 0;
    ilk_entity e = m->slot_count ? model_handle(m, index) : (ilk_entity){0, 1};
    const run_side* other = &r->sides[s == &r->sides[0]];
    switch (mode % 11) {
    case 0:
        return (ilk_entity){index, e.generation - 1};
    case 1:
        return (ilk_entity){index, e.generation + 1};
    case 2:
        return (ilk_entity){index, e.generation | 0x80000000u};
    case 3:
        return (ilk_entity){index, pick * 2654435761u};
    case 4:
        return (ilk_entity){m->slot_count + pick % 3, e.generation};
    case 5:
        return (ilk_entity){pick % 2 ? index : 0, 0};
    case 6:
        return (ilk_entity){pick, e.generation + (pick >> 16)};
    case 7:
        return (ilk_entity){index, (e.generation + 1) | 0x80000000u};
    case 8:
        return (ilk_entity){index, 0x80000000u};
    case 9:
        return run_pick_given(s, pick);
    default:
        return other->model->slot_count ? run_pick(r, other, 0, pick) : (ilk_entity){0};
    }
}

ilk_entity run_pick(const run* r, const run_side* s, uint8_t mode, uint32_t pick) {
    const model_world* m = s->model;
    if (mode >= 200 || m->slot_count == 0) return wrong_entity(r, s, mode, pick);
    if (mode >= 140) {
        ilk_entity passed = run_pick_passed(s, mode, pick);
        if (model_alive(m, passed)) return passed;
    }
    uint32_t index = pick % r->header.range;
    if (index >= m->slot_count) index %= m->slot_count;
    uint32_t at = index, late = m->slot_count - 1;
    for (uint32_t i = 0; i < 24; i++) {
        if (m->slots[at].alive) return model_handle(m, at);
        if (++at == m->slot_count) at = 0;
    }
    for (uint32_t i = 0; i < 24 && i < late; i++)
        if (m->slots[late - i].alive) return model_handle(m, late - i);
    return model_handle(m, index);
}

ilk_entity run_pick_fit(const run* r, const run_side* s, const script_op* op, uint32_t type,
                        bool has) {
    ilk_entity first = run_pick(r, s, op->mode, op->pick), e = first;
    if (op->mode >= 180) return first;
    for (uint32_t i = 0; i < 8; i++) {
        if ((model_find(s->model, e, type) != NULL) == has) return e;
        e = run_pick(r, s, 0, e.index + 1);
    }
    return first;
}

static uint32_t count_of(const model_world* m, uint32_t type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->slot_count; i++)
        count += m->slots[i].alive && model_find(m, model_handle(m, i), type);
    return count;
}

uint32_t run_type(const run_side* s, const script_op* op) {
    uint32_t type = catalog_choose(op->type);
    bool too_many = catalog_is_huge(type) && count_of(s->model, type) >= CATALOG_HUGE_LIMIT;
    return too_many ? catalog_common(0) : type;
}

// A type by one of its variables, by what the world says it is, or by a variable that will be gone
// after the call.
ilk_type* run_variable(run* r, const run_side* s, uint32_t type, uint32_t variant) {
    ilk_type* variable = catalog_variable(type, variant % 8 == 4);
    if (type == MODEL_NO_TYPE || type >= catalog_sound()) return variable;
    uint32_t number = s->model->numbers[type];
    if (variant % 8 == 5 && number != UINT32_MAX) return ilk_type_at(s->world, number);
    if (variant % 8 < 6 || r->throwaway_count == RUN_THROWAWAYS) return variable;
    ilk_type* throwaway = &r->throwaways[r->throwaway_count];
    char* name = r->throwaway_names[r->throwaway_count++];
    keep(name, sizeof r->throwaway_names[0], variable->name);
    *throwaway = *variable;
    throwaway->name = name;
    throwaway->id = 0;
    return throwaway;
}

static void scribble_throwaways(run* r) {
    if (!r->throwaway_count) return;
    memset(r->throwaways, 0xdd, r->throwaway_count * sizeof r->throwaways[0]);
    memset(r->throwaway_names, 0xdd, r->throwaway_count * sizeof r->throwaway_names[0]);
    r->throwaway_count = 0;
}

run_set run_choose_set(run* r, const run_side* s, const script_op* op) {
    run_set set = {0};
    for (uint32_t k = 0; k < 15; k++) {
        uint32_t bit = (k + op->seed) % 15;
        if (!(op->set >> bit & 1)) continue;
        set.types[set.count++] = bit < 14 ? catalog_common(bit) : run_type(s, op);
    }
    if (op->set >> 15) {
        bool twice = op->flags & 1 && set.count;
        set.types[set.count++] =
            twice ? set.types[0] : catalog_choose((uint8_t)(240 + op->flags % 16));
    }
    for (uint32_t i = 0; i < set.count; i++)
        set.variables[i] = run_variable(r, s, set.types[i], i + op->flags);
    return set;
}

bool run_crowded(const run* r, const run_side* s) {
    return s->model->alive + s->model->promised > 2 * (r->header.range + r->header.bulk);
}

uint32_t run_count(const run* r, const run_set* set, const script_op* op) {
    uint32_t count = op->count % (r->header.bulk + 1);
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->types[i] == MODEL_NO_TYPE) continue;
        size_t size = catalog_models()[set->types[i]].size;
        if (catalog_is_huge(set->types[i])) count %= 4;
        if (size && count > RUN_SCRATCH / size) count = (uint32_t)(RUN_SCRATCH / size);
    }
    return count;
}

// Worlds

static bool restricts(script_world world) {
    return (world.flags >> 4) % 8 == 7;
}

static bool allows(script_world world, uint32_t type) {
    return (world.tag * 2654435761u >> (type + world.max) % 29 & 3) != 0;
}

static uint32_t list_allowed(script_world world, ilk_type** list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < catalog_sound() && restricts(world); i++)
        if (allows(world, i)) list[count++] = catalog_variable(i, i % 2 == 0);
    list[count] = NULL;
    return count;
}

static void follow_allowed(run* r, run_side* s, script_world world) {
    for (uint32_t i = 0; i < catalog_sound(); i++) {
        if (!allows(world, i)) continue;
        model_world_allow(s->model, i);
        run_follow_types(r, s, &(run_set){.count = 1, .types = {i}});
    }
}

// Some worlds are made by a factory.
static ilk_world* create_world(run* r, const ilk_world_desc* desc) {
    uint32_t made = 0;
    bool is_built = desc->tag & 1;
    if (is_built) {
        ilk_result result = ilk_factory_install(&(ilk_world_factory){run_build, &made});
        RUN_CHECK(r, result == ILK_OK, "no factory: %s", ilk_result_name(result));
    }
    ilk_world* world = ilk_world_create(desc);
    ilk_result result = ilk_factory_remove();
    RUN_CHECK(r, result == (is_built ? ILK_OK : ILK_MISSING) && made == is_built,
              "a factory made %u worlds", made);
    return world;
}

static ilk_world* open_world(run* r, run_side* s, const ilk_world_desc* desc) {
    uint64_t refused = r->plan.refused;
    ilk_world* world = create_world(r, desc);
    if (world) return world;
    ilk_result wanted = desc->tag & 1 ? ILK_MISSING : ILK_NO_MEMORY; // a factory is told of, too
    s->expected += desc->tag & 1 ? 2 : 1;
    RUN_CHECK(r, r->plan.refused > refused && s->messages == s->expected && s->told == wanted,
              "%s: no world, and %u messages: %s", s->name, s->messages, s->told_text);
    RUN_CHECK(r, s->memory.blocks == 0, "%s: no world, but it kept memory", s->name);
    r->plan.paused = true;
    world = ilk_world_create(desc);
    r->plan.paused = false;
    RUN_CHECK(r, world, "%s: no world, with memory: %s", s->name, s->told_text);
    return world;
}

// The same script must give the same with another number of them.
static uint32_t workers_of(const run* r, const run_side* s) {
    return s->workers ? (s->workers + r->options.more_workers) % 4 : 0;
}

void run_open(run* r, run_side* s, script_world world) {
    ilk_type* allowed[128];
    bool has_max = (world.flags >> 2) % 4 == 3;
    bool no_recycling = world.flags % 4 == 3;
    uint32_t max = has_max ? world.max % (2 * r->header.range + r->header.bulk) : 0;
    uint32_t count = list_allowed(world, allowed);
    s->name = s == &r->sides[0] ? "left" : "right";
    s->memory = (supply){.plan = &r->plan};
    s->messages = s->expected = 0;
    if (r->options.trace)
        printf("        %-5s  a world: at most %u, tag %u%s%s%s\n", s->name, max, world.tag,
               no_recycling ? ", no recycling" : "", count ? ", restricted" : "",
               world.flags >> 7 ? ", workers" : "");
    s->workers = world.flags >> 7 ? 1 + world.tag % 3 : 0;
    s->is_error_open = false;
    s->model = model_world_create(catalog_models(), catalog_count(), max, no_recycling, world.tag);
    s->model->is_loose = r->header.is_loose;
    s->model->names = (ilk_names)(world.tag % 3);
    s->world = open_world(r, s,
                          &(ilk_world_desc){.name = s->name,
                                            .max_entities = max,
                                            .no_recycling = no_recycling,
                                            .tag = world.tag,
                                            .names = s->model->names,
                                            .workers = workers_of(r, s),
                                            .types = count ? allowed : NULL,
                                            .allocator = supply_allocator(&s->memory),
                                            .message = hear,
                                            .message_context = s});
    memset(allowed, 0xdd, sizeof allowed);
    s->messages = s->expected = 0;
    if (!s->world) return;
    if (count) follow_allowed(r, s, world);
    run_open_passes(r, s);
    run_observers_open(r, s);
    RUN_CHECK(r, strcmp(ilk_world_name(s->world), s->name) == 0, "the name of a world differs");
    RUN_CHECK(r, ilk_world_max_entities(s->world) == max, "the maximum of a world differs");
    RUN_CHECK(r, ilk_error(s->world).result == ILK_OK, "a fresh world has failed");
}

static bool has_lost_snapshots(const run* r) {
    for (int i = 0; i < 2; i++)
        if (r->sides[i].model && run_past_is_lost(&r->sides[i])) return true;
    return false;
}

static void check_tokens(run* r) {
    uint64_t owned = model_bp_owned, loose = 0;
    for (int i = 0; i < 2; i++) owned += r->sides[i].model ? r->sides[i].model->owned : 0;
    for (int i = 0; i < 2; i++)
        if (r->sides[i].schedule.unjudged) return; // pieces have made values of which nobody knows
    RUN_CHECK(r, !tokens_complaint(), "%s", tokens_complaint());
    if (tokens_held() == owned) return;
    for (int i = 0; i < 2; i++)
        if (r->sides[i].model)
            loose += model_loose(r->sides[i].model) + run_past_owned(&r->sides[i]);
    if (tokens_held() >= owned && tokens_held() <= owned + loose) return;
    RUN_CHECK(r, tokens_held() > owned && has_lost_snapshots(r),
              "%llu values own something, but %llu should", (unsigned long long)tokens_held(),
              (unsigned long long)owned);
}

void run_close(run* r, run_side* s) {
    run_forget_passes(s);
    run_schedule_ends(s);
    run_forbid(s);
    s->id_before = ilk_world_id(s->world);
    ilk_world_destroy(s->world);
    RUN_CHECK(r, !ilk_world_by_id(s->id_before), "%s: it is found after its end", s->name);
    RUN_CHECK(r, s->plugins.count == 0, "%s: not all plugins went", s->name);
    s->plugins = (run_plugins){0};
    s->user = NULL;
    run_observers_close(r, s);
    run_forget_named(r, s);
    run_forget_stage(r, s);
    run_forget_cmds(s);
    run_forget_schedule(r, s);
    s->listening = (run_listening){0};
    run_forget_past(s);
    RUN_CHECK(r, s->memory.blocks == 0, "%s: %llu blocks of memory were not given back", s->name,
              (unsigned long long)s->memory.blocks);
    RUN_CHECK(r, !s->memory.complaint, "%s: %s", s->name, s->memory.complaint);
    model_world_destroy(s->model);
    s->world = NULL;
    s->model = NULL;
    check_tokens(r);
}

// Running

static run_op_fn* const op_table[OP_COUNT] = {
    [OP_CREATE] = run_create,
    [OP_SPAWN] = run_spawn,
    [OP_COPY] = run_copy,
    [OP_CREATE_INACTIVE] = run_create,
    [OP_DEACTIVATE] = run_turn,
    [OP_ACTIVATE] = run_turn,
    [OP_DESTROY] = run_destroy,
    [OP_ALIVE] = run_alive,
    [OP_ADD] = run_add,
    [OP_SET] = run_set_value,
    [OP_REPLACE] = run_replace,
    [OP_ENSURE] = run_ensure,
    [OP_GET] = run_get,
    [OP_WRITE] = run_write,
    [OP_HAS] = run_has,
    [OP_REMOVE] = run_remove,
    [OP_REMOVE_ALL] = run_remove_all,
    [OP_ENABLE] = run_enable,
    [OP_DISABLE] = run_disable,
    [OP_TYPES_OF] = run_types_of,
    [OP_SIGNATURE] = run_signature,
    [OP_CREATE_MANY] = run_create_many,
    [OP_DESTROY_MANY] = run_destroy_many,
    [OP_ADD_MANY] = run_add_many,
    [OP_REMOVE_MANY] = run_remove_many,
    [OP_SPAWN_MANY] = run_spawn_many,
    [OP_RESERVE] = run_reserve,
    [OP_REGISTER] = run_register,
    [OP_UNREGISTER] = run_unregister,
    [OP_TYPE_TABLE] = run_type_table,
    [OP_SETTLE] = run_settle,
    [OP_TRIM] = run_trim,
    [OP_CLEAR] = run_clear,
    [OP_RENEW] = run_renew,
    [OP_WEAR] = run_wear,
    [OP_MARK] = run_mark,
    [OP_QUERY_MAKE] = run_query_make,
    [OP_QUERY_DROP] = run_query_drop,
    [OP_QUERY_ASK] = run_query_ask,
    [OP_QUERY_TELL] = run_query_tell,
    [OP_QUERY_SINCE] = run_query_since,
    [OP_QUERY_STATS] = run_query_stats,
    [OP_PASS_WHOLE] = run_pass_whole,
    [OP_PASS_EACH] = run_pass_each,
    [OP_PASS_SPLIT] = run_pass_split,
    [OP_ITER_BEGIN] = run_iter_begin,
    [OP_ITER_NEXT] = run_iter_next,
    [OP_ITER_COLUMN] = run_iter_column,
    [OP_ITER_END] = run_iter_end,
    [OP_CMD_TAKE] = run_cmd_take,
    [OP_CMD_GIVE_BACK] = run_cmd_give_back,
    [OP_CMD_CLEAR] = run_cmd_clear,
    [OP_CMD_STRICT] = run_cmd_be_strict,
    [OP_CMD_ASK] = run_cmd_ask,
    [OP_CMD_CREATE] = run_cmd_create,
    [OP_CMD_SPAWN] = run_cmd_spawn,
    [OP_CMD_CREATE_INACTIVE] = run_cmd_create,
    [OP_CMD_DEACTIVATE] = run_cmd_bare,
    [OP_CMD_ACTIVATE] = run_cmd_bare,
    [OP_CMD_DESTROY] = run_cmd_bare,
    [OP_CMD_REMOVE_ALL] = run_cmd_bare,
    [OP_CMD_ADD] = run_cmd_give,
    [OP_CMD_SET] = run_cmd_give,
    [OP_CMD_REPLACE] = run_cmd_give,
    [OP_CMD_ENSURE] = run_cmd_ensure,
    [OP_CMD_REMOVE] = run_cmd_name,
    [OP_CMD_ENABLE] = run_cmd_name,
    [OP_CMD_DISABLE] = run_cmd_name,
    [OP_CMD_MARK] = run_cmd_name,
    [OP_CMD_CALL] = run_cmd_call,
    [OP_CMD_SCENE] = run_cmd_scene,
    [OP_CMD_APPLY] = run_cmd_apply,
    [OP_SYS_MAKE] = run_sys_make,
    [OP_SYS_DROP] = run_sys_drop,
    [OP_SYS_TURN] = run_sys_turn,
    [OP_SYS_TIME] = run_sys_time,
    [OP_SYS_ASK] = run_sys_ask,
    [OP_SYS_UPDATE] = run_sys_update,
    [OP_SYS_DRAW] = run_sys_draw,
    [OP_SYS_RESET] = run_sys_reset,
    [OP_CMD_EMIT] = run_cmd_give,
    [OP_CMD_EMIT_TO] = run_cmd_give,
    [OP_EVENT_READ] = run_event_read,
    [OP_EVENT_ASK] = run_event_ask,
    [OP_EVENT_EMIT] = run_event_emit,
    [OP_EVENT_EMIT_TO] = run_event_emit,
    [OP_EVENT_LIMIT] = run_event_limit,
    [OP_EVENT_CLEAR] = run_event_clear,
    [OP_READER_MAKE] = run_reader_make,
    [OP_READER_DROP] = run_reader_drop,
    [OP_SUBSCRIBE] = run_subscribe,
    [OP_UNSUBSCRIBE] = run_unsubscribe,
    [OP_DISPATCH] = run_dispatch,
    [OP_SCENE_ADD] = run_scene_add,
    [OP_SCENE_CHANGE] = run_scene_change,
    [OP_SCENE_ASK] = run_scene_ask,
    [OP_RELATE] = run_relate,
    [OP_UNRELATE] = run_unrelate,
    [OP_SET_PARENT] = run_set_parent,
    [OP_CHILD_MOVE] = run_child_move,
    [OP_RELATION_VALUE] = run_relation_value,
    [OP_RELATION_ASK] = run_relation_ask,
    [OP_TREE_ASK] = run_tree_ask,
    [OP_CMD_RELATE] = run_cmd_relate,
    [OP_OBS_MAKE] = run_obs_make,
    [OP_OBS_DROP] = run_obs_drop,
    [OP_OBS_REASON] = run_obs_reason,
    [OP_CMD_RES_SET] = run_cmd_give,
    [OP_CMD_RES_REMOVE] = run_cmd_name,
    [OP_RES_SET] = run_res_set,
    [OP_RES_GET] = run_res_get,
    [OP_RES_EDIT] = run_res_edit,
    [OP_RES_ENSURE] = run_res_ensure,
    [OP_RES_REMOVE] = run_res_remove,
    [OP_WORLD_ASK] = run_world_ask,
    [OP_PLUGIN] = run_plugin,
    [OP_SET_NAME] = run_set_name,
    [OP_SET_ID] = run_set_id,
    [OP_NAME_ASK] = run_name_ask,
    [OP_CMD_SET_NAME] = run_cmd_own,
    [OP_CMD_SET_ID] = run_cmd_own,
    [OP_BP_MAKE] = run_bp_make,
    [OP_BP_GIVE] = run_bp_give,
    [OP_BP_EDIT] = run_bp_edit,
    [OP_BP_LOOK] = run_bp_look,
    [OP_BP_TREE] = run_bp_tree,
    [OP_BP_SPAWN] = run_bp_spawn,
    [OP_BP_TAKE] = run_bp_take,
    [OP_CMD_BLUEPRINT] = run_cmd_blueprint,
    [OP_TRAVEL] = run_travel,
    [OP_AIM] = run_point,
    [OP_HASH] = run_hash,
    [OP_EXCURSION] = run_excursion,
    [OP_REPLAY] = run_replay,
    [OP_DELTA] = run_delta,
    [OP_TAKE] = run_snapshot_take,
    [OP_RESTORE] = run_snapshot_restore,
    [OP_RELEASE] = run_snapshot_release,
    [OP_RING] = run_turn_ring,
};

// How long until everything is compared again: the more there is, the longer.
static bool compare_is_due(const run* r) {
    if (r->options.closely) return true;
    uint64_t much = 0;
    for (int i = 0; i < 2; i++) {
        const model_world* m = r->sides[i].model;
        much += m->is_loose ? 6 * m->alive + 2 * m->slot_count : 8 * m->slot_count;
    }
    return r->since >= r->header.every + much;
}

static void check_calm(run* r, run_side* s) {
    run_observers_check(r, s);
    if (s->memory.complaint) run_fail(r, "%s: %s", s->name, s->memory.complaint);
    if (s->messages != s->expected)
        run_fail(r, "%s: %s gave a message too many: %s", s->name, r->call.name, s->told_text);
    check_tokens(r);
}

static void run_one(run* r, script_op op) {
    run_side* s = &r->sides[op.side];
    uint64_t refused = r->plan.refused;
    r->sides[0].heard_count = r->sides[1].heard_count = 0;
    s->stage.busy = 0;
    op_table[op.kind](r, s, &op);
    scribble_throwaways(r);
    r->outcome->operations++;
    r->since++;
    check_calm(r, s);
    if (!r->outcome->failed) check_calm(r, &r->sides[!op.side]);
    if (r->outcome->failed) return;
    run_follow_passes(s);
    if (compare_is_due(r) || r->plan.refused != refused) run_compare(r);
}

void run_inside(run* r, run_side* s, script_op op) {
    run_call call = r->call;
    uint64_t refused = r->refused_before;
    bool was_inside = r->is_inside;
    r->is_inside = true;
    op_table[op.kind](r, s, &op);
    r->is_inside = was_inside;
    r->call = call;
    r->refused_before = refused;
    check_calm(r, s);
    if (!r->outcome->failed) run_follow_passes(s);
}

static void* scratch(size_t size) {
    void* memory = ilki_aligned_alloc(size, 128);
    if (!memory) abort();
    return memory;
}

static void start(run* r, const uint8_t* bytes) {
    r->header = script_read_header(bytes);
    r->plan.fail_at = r->header.fail_at;
    r->plan.forever = r->header.forever;
    r->ours = scratch(RUN_SCRATCH);
    r->theirs = scratch(RUN_SCRATCH);
    r->list = scratch((RUN_BULK_MAX + 1) * sizeof *r->list);
    r->made = scratch((RUN_BULK_MAX + 1) * sizeof *r->made);
    r->found_there = scratch((RUN_BULK_MAX + 1) * sizeof *r->found_there);
    r->hints = scratch((RUN_BULK_MAX + 1) * sizeof *r->hints);
    r->blueprints.memory = (supply){.plan = &r->plan};
    model_bp_owned = 0;
    r->taken = scratch((RUN_BULK_MAX + 1) * sizeof *r->taken);
    tokens_reset();
    if (r->options.trace && r->plan.fail_at)
        printf("        request %u for memory fails%s\n", r->header.fail_at,
               r->plan.forever ? ", and all that follow" : "");
    for (int i = 0; i < 2 && !r->outcome->failed; i++)
        run_open(r, &r->sides[i], r->header.worlds[i]);
}

static void finish(run* r) {
    if (!r->outcome->failed) run_compare(r);
    for (int i = 0; i < 2 && !r->outcome->failed; i++) run_close(r, &r->sides[i]);
    if (!r->outcome->failed) run_end_blueprints(r);
    if (!r->outcome->failed) check_tokens(r);
    ilki_aligned_free(r->ours);
    ilki_aligned_free(r->theirs);
    ilki_aligned_free(r->list);
    ilki_aligned_free(r->made);
    ilki_aligned_free(r->found_there);
    ilki_aligned_free(r->hints);
    ilki_aligned_free(r->taken);
    free(r->stamps);
    free(r->found);
    for (int i = 0; i < 2; i++) free(r->sides[i].heard);
    r->outcome->refused = r->plan.due;
}

// What a failed run leaves behind is left alone: it may be broken.
bool run_script(const uint8_t* bytes, size_t size, run_options options, run_outcome* outcome) {
    run r = {.options = options, .outcome = outcome};
    *outcome = (run_outcome){0};
    if (size < SCRIPT_STEP) return true;
    start(&r, bytes);
    for (size_t at = SCRIPT_STEP; at + SCRIPT_STEP <= size && !outcome->failed; at += SCRIPT_STEP) {
        outcome->at = (uint32_t)(at / SCRIPT_STEP - 1);
        run_one(&r, script_read_op(bytes + at));
    }
    finish(&r);
    return !outcome->failed;
}
