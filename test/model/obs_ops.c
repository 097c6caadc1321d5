// Operations on observers, and what observers do.
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

#define ACTS_MAX 20u // in one operation: so they cannot be nested too deeply

static _Alignas(128) unsigned char our_value[4096], their_value[4096];

static uint32_t place_of(const run_side* s, const run_observer* o) {
    return (uint32_t)(o - s->observing.observers);
}

static uint32_t dice(run_observer* o, uint32_t sides) {
    return (uint32_t)(script_random(&o->state) % sides);
}

// One of a single entity goes with it, and the library frees it.
static bool is_there(const run_side* s, const run_observer* o) {
    if (!o->is_used || !o->observer) return false;
    return ilk_is_null(o->model.entity) || ilk_alive(s->world, o->model.entity);
}

// Digests

static uint64_t mix(uint64_t digest, uint64_t number) {
    digest = (digest ^ number) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
}

static uint64_t digest_entities(const ilk_entity* entities, uint32_t count) {
    uint64_t digest = count;
    for (uint32_t i = 0; i < count; i++)
        digest = mix(digest, (uint64_t)entities[i].index << 32 | entities[i].generation);
    return digest;
}

// What an entity has, as the library says it; and as the model does.
static uint64_t state_in_library(const run_side* s, ilk_entity e) {
    uint64_t digest = ilk_alive(s->world, e);
    for (uint32_t i = 0; i < ilk_type_count(s->world); i++) {
        ilk_type* type = ilk_type_at(s->world, i);
        if (!ilk_has(s->world, e, type)) continue;
        digest = mix(digest, 2 * i + ilk_enabled(s->world, e, type));
    }
    return digest;
}

static uint64_t state_in_model(const model_world* m, ilk_entity e) {
    uint64_t digest = model_alive(m, e);
    for (uint32_t i = 0; i < m->known_count; i++) {
        const model_component* c = model_find(m, e, m->known[i]);
        if (c) digest = mix(digest, 2 * i + !c->off);
    }
    return digest;
}

static uint32_t type_of(const ilk_type* type) {
    for (uint32_t i = 0; type && i < catalog_sound(); i++)
        if (strcmp(catalog_models()[i].name, type->name) == 0) return i;
    return MODEL_NO_TYPE;
}

// What an observer does, in the library

static ilk_entity some_entity(run_observer* o, const ilk_notice* n) {
    uint32_t slots = ilk_stats(n->world).slots;
    for (uint32_t i = 0; i < 4 && slots && dice(o, 3) == 0; i++) {
        ilk_entity e = ilk_entity_at(n->world, dice(o, slots));
        if (!ilk_is_null(e)) return e;
    }
    return n->entities[dice(o, n->count)];
}

// One that the world knows, and mostly the one that is spoken of.
static uint32_t some_known(run_observer* o, const ilk_notice* n) {
    uint32_t count = ilk_type_count(n->world);
    uint32_t type = dice(o, 2) ? type_of(n->type) : MODEL_NO_TYPE;
    if (type == MODEL_NO_TYPE && count) type = type_of(ilk_type_at(n->world, dice(o, count)));
    bool is_wrong =
        type != MODEL_NO_TYPE && (catalog_is_huge(type) || type == o->side->model->dying);
    return is_wrong ? MODEL_NO_TYPE : type;
}

static const void* make_value(const run_act* act) {
    if (!act->seed) return NULL;
    catalog_make(act->type, act->seed, our_value, their_value);
    if (catalog_models()[act->type].relation) memcpy(our_value, &act->target, sizeof act->target);
    return our_value;
}

static void discard_value(const run_act* act, bool is_recorded) {
    if (act->seed && !is_recorded) catalog_discard(act->type, our_value);
    memset(our_value, 0xdd, catalog_models()[act->type].size);
}

static void record_in_library(ilk_cmd* cmd, run_act* act) {
    ilk_type* variable = catalog_variable(act->type, act->seed & 1);
    ilk_value value = {variable, NULL};
    bool takes = act->verb == MODEL_CMD_SPAWN || act->verb == MODEL_CMD_ADD ||
                 act->verb == MODEL_CMD_SET || act->verb == MODEL_CMD_REPLACE ||
                 act->verb == MODEL_CMD_RES_SET;
    if (takes) value.bytes = make_value(act);
    bool is_recorded = true;
    switch (act->verb) {
    case MODEL_CMD_CREATE:
        act->entity = ilk_cmd_create(cmd);
        break;
    case MODEL_CMD_SPAWN:
        act->entity = ilk_cmd_spawn(cmd, &value, 1);
        is_recorded = !ilk_is_null(act->entity);
        break;
    case MODEL_CMD_DESTROY:
        ilk_cmd_destroy(cmd, act->entity);
        break;
    case MODEL_CMD_ADD:
        is_recorded = ilk_cmd_add(cmd, act->entity, value) == ILK_OK;
        break;
    case MODEL_CMD_SET:
        is_recorded = ilk_cmd_set(cmd, act->entity, value) == ILK_OK;
        break;
    case MODEL_CMD_REPLACE:
        is_recorded = ilk_cmd_replace(cmd, act->entity, value) == ILK_OK;
        break;
    case MODEL_CMD_RES_SET:
        is_recorded = ilk_cmd_resource_set(cmd, value) == ILK_OK;
        break;
    case MODEL_CMD_RES_REMOVE:
        ilk_cmd_resource_remove(cmd, variable);
        break;
    case MODEL_CMD_ENSURE:
        ilk_cmd_ensure(cmd, act->entity, variable);
        break;
    case MODEL_CMD_REMOVE:
        ilk_cmd_remove(cmd, act->entity, variable);
        break;
    case MODEL_CMD_REMOVE_ALL:
        ilk_cmd_remove_all(cmd, act->entity);
        break;
    case MODEL_CMD_ENABLE:
        ilk_cmd_enable(cmd, act->entity, variable);
        break;
    case MODEL_CMD_DISABLE:
        ilk_cmd_disable(cmd, act->entity, variable);
        break;
    default:
        ilk_cmd_mark(cmd, act->entity, variable);
    }
    if (takes) discard_value(act, is_recorded);
}

// Beside others, handles are given out in another order.
static bool may_make(const run_observer* o, const ilk_notice* n) {
    const run_side* s = o->side;
    if (s->schedule.is_running && !o->run->header.are_alone) return false;
    return ilk_stats(n->world).alive < o->run->header.range + o->run->header.bulk;
}

static bool choose_command(run_observer* o, const ilk_notice* n, run_act* act) {
    static const uint8_t verbs[20] = {
        MODEL_CMD_CREATE,  MODEL_CMD_SPAWN,   MODEL_CMD_SPAWN,      MODEL_CMD_DESTROY,
        MODEL_CMD_DESTROY, MODEL_CMD_ADD,     MODEL_CMD_ADD,        MODEL_CMD_ADD,
        MODEL_CMD_SET,     MODEL_CMD_SET,     MODEL_CMD_REPLACE,    MODEL_CMD_ENSURE,
        MODEL_CMD_REMOVE,  MODEL_CMD_REMOVE,  MODEL_CMD_REMOVE,     MODEL_CMD_REMOVE_ALL,
        MODEL_CMD_ENABLE,  MODEL_CMD_RES_SET, MODEL_CMD_RES_REMOVE, MODEL_CMD_DISABLE};
    *act = (run_act){.kind = RUN_ACT_COMMAND,
                     .verb = (model_verb)verbs[dice(o, 20)],
                     .entity = some_entity(o, n),
                     .type = some_known(o, n),
                     .target = some_entity(o, n),
                     .seed = dice(o, 4) ? 1 + dice(o, 1u << 30) : 0};
    if (act->type == MODEL_NO_TYPE) return false;
    if (catalog_models()[act->type].relation && act->verb == MODEL_CMD_ENSURE) return false;
    if (catalog_models()[act->type].relation && !act->seed) act->seed = 1;
    bool makes = act->verb == MODEL_CMD_CREATE || act->verb == MODEL_CMD_SPAWN;
    return !makes || may_make(o, n);
}

static ilk_result observe(ilk_notice* n);

static run_observer* free_place(run* r, run_side* s) {
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        run_observer* o = &s->observing.observers[i];
        if (o->is_used) continue;
        *o = (run_observer){.run = r, .side = s, .is_used = true};
        return o;
    }
    return NULL;
}

static ilk_observer_desc describe(run_observer* o) {
    const model_observer* m = &o->model;
    return (ilk_observer_desc){.on = m->on,
                               .type = catalog_variable(m->type, o->state & 1),
                               .entity = m->entity,
                               .reasons = m->reasons,
                               .order = m->order,
                               .run = observe,
                               .user = o,
                               .is_many = m->is_many,
                               .stops = m->stops};
}

// A new observer of the same sort, without a query.
static bool make_another(run_observer* o, const ilk_notice* n, run_act* act) {
    run_observer* other = free_place(o->run, o->side);
    if (!other) return false;
    other->state = script_random(&o->state);
    other->model = o->model;
    other->model.query = NULL;
    other->model.on &= ~(uint32_t)(ILK_ON_MATCH | ILK_ON_CEASE);
    other->model.on |= ILK_ON_ADD;
    other->model.order = (int32_t)dice(o, 3) - 1;
    other->model.entity = dice(o, 3) ? (ilk_entity){0} : n->entity;
    if (!ilk_alive(n->world, n->entity)) other->model.entity = (ilk_entity){0};
    ilk_observer_desc desc = describe(other);
    other->observer = ilk_observer_create(n->world, &desc);
    RUN_CHECK(o->run, other->observer, "%s: no observer inside of another", o->side->name);
    *act = (run_act){.kind = RUN_ACT_MAKE, .place = place_of(o->side, other)};
    return true;
}

static bool drop_one(run_observer* o, run_act* act) {
    run_observer* other = &o->side->observing.observers[dice(o, MODEL_OBSERVERS)];
    if (dice(o, 3) == 0) other = o;
    if (!is_there(o->side, other)) return false;
    ilk_observer_destroy(other->observer);
    other->observer = NULL;
    *act = (run_act){.kind = RUN_ACT_DROP, .place = place_of(o->side, other)};
    return true;
}

static bool act_once(run_observer* o, const ilk_notice* n, run_act* act) {
    uint32_t what = dice(o, 40);
    if (what == 0) return make_another(o, n, act);
    if (what == 1) return drop_one(o, act);
    if (!choose_command(o, n, act)) return false;
    record_in_library(n->cmd, act);
    return true;
}

static void act_some(run_observer* o, const ilk_notice* n, run_told* t) {
    run_observing* observing = &o->side->observing;
    if (observing->operation != o->run->outcome->operations) observing->acts = 0;
    observing->operation = o->run->outcome->operations;
    for (uint32_t i = dice(o, RUN_ACTS + 1); i && observing->acts < ACTS_MAX; i--) {
        if (!act_once(o, n, &t->acts[t->act_count])) continue;
        t->act_count++;
        observing->acts++;
    }
    if (dice(o, 32) == 0)
        RUN_CHECK(o->run, ilk_destroy(n->world, n->entity) == ILK_LOCKED,
                  "%s: an observer may destroy", o->side->name);
    t->is_failed = dice(o, 24) == 0;
}

static void trace_notice(const run* r, const run_told* t, const char* who) {
    if (!r->options.trace) return;
    printf("%15s%s observer %u: on %u, reason %u, {%u, %u} and %u more, %s, %u acts%s\n", "", who,
           t->observer, t->on, t->reason, t->entity.index, t->entity.generation, t->count - 1,
           run_type_name(t->type), t->act_count, t->is_failed ? ", fails" : "");
    for (uint32_t i = 0; i < t->act_count; i++)
        printf("%18sact %u: verb %u {%u, %u} %s, place %u\n", "", t->acts[i].kind, t->acts[i].verb,
               t->acts[i].entity.index, t->acts[i].entity.generation,
               run_type_name(t->acts[i].type), t->acts[i].place);
    fflush(stdout);
}

static run_told* next_told(run_observing* observing) {
    if (observing->told_count == observing->told_capacity) {
        observing->told_capacity = observing->told_capacity ? 2 * observing->told_capacity : 64;
        observing->told =
            realloc(observing->told, observing->told_capacity * sizeof *observing->told);
        if (!observing->told) abort();
    }
    observing->told[observing->told_count] = (run_told){0};
    return &observing->told[observing->told_count++];
}

static void write_down(const run_observer* o, const ilk_notice* n, run_told* t) {
    const unsigned char* values = n->value;
    *t = (run_told){.observer = place_of(o->side, o),
                    .on = n->on,
                    .reason = n->reason,
                    .type = type_of(n->type),
                    .entity = n->entity,
                    .count = n->count};
    t->entities = digest_entities(n->entities, n->count);
    t->state = state_in_library(o->side, n->entity);
    for (uint32_t i = 0; n->type && i < n->count; i++)
        t->values = mix(t->values, catalog_digest(t->type, values + i * n->type->size));
    if (n->old) t->old = catalog_digest(t->type, n->old);
    t->target = n->target;
    if (n->carried) t->carried = catalog_digest(catalog_models()[t->type].value, n->carried);
}

static ilk_result observe(ilk_notice* n) {
    run_observer* o = n->user;
    run_side* s = o->side;
    run_told told;
    if (o->run->outcome->failed) return ILK_OK;
    bool is_right = n->world == s->world && n->observer == o->observer && n->cmd &&
                    ilk_same(n->entity, n->entities[0]) && (n->value != NULL) == (n->type != NULL);
    RUN_CHECK(o->run, is_right, "%s: an observer is called with something else", s->name);
    uint32_t messages = s->messages;
    write_down(o, n, &told);
    if (!o->is_quiet) act_some(o, n, &told);
    told.messages = s->messages - messages;
    trace_notice(o->run, &told, "told");
    *next_told(&s->observing) = told;
    s->observing.all++;
    return told.is_failed ? ILK_STALE : ILK_OK;
}

// What an observer did, in the model

static void record_in_model(run* r, run_side* s, const run_act* act, model_cmd* cmd) {
    model_value value = {act->type, NULL};
    const model_type* type = &catalog_models()[act->type];
    bool has_value = act->verb != MODEL_CMD_CREATE && act->verb != MODEL_CMD_DESTROY &&
                     act->verb != MODEL_CMD_REMOVE_ALL;
    bool takes = act->verb == MODEL_CMD_SPAWN || act->verb == MODEL_CMD_ADD ||
                 act->verb == MODEL_CMD_SET || act->verb == MODEL_CMD_REPLACE ||
                 act->verb == MODEL_CMD_RES_SET;
    if (takes && act->seed) {
        catalog_make_model(act->type, act->seed, their_value);
        if (type->relation) memcpy(their_value, &act->target, sizeof act->target);
        value.bytes = their_value;
    } else if (act->verb == MODEL_CMD_ENSURE) { // the default is made when it is recorded
        memset(their_value, 0, type->size);
        if (type->fresh) memcpy(their_value, type->fresh, type->size);
        value.bytes = their_value;
    }
    bool makes = act->verb == MODEL_CMD_CREATE || act->verb == MODEL_CMD_SPAWN;
    model_command command = {.verb = act->verb, .values = &value, .count = has_value};
    ilk_entity made = {0};
    if (!makes) command.entity = act->entity;
    model_faults faults = model_cmd_record(s->model, cmd, command, &made);
    if (faults) made = (ilk_entity){0};
    RUN_CHECK(r, !makes || ilk_same(made, act->entity),
              "%s: an observer's command made {%u, %u}, not {%u, %u}", s->name, act->entity.index,
              act->entity.generation, made.index, made.generation);
}

static void follow_act(run* r, run_side* s, const run_act* act, model_cmd* cmd) {
    run_observing* observing = &s->observing;
    if (act->kind == RUN_ACT_COMMAND)
        record_in_model(r, s, act, cmd);
    else if (act->kind == RUN_ACT_MAKE)
        model_observer_make(s->model, act->place, observing->observers[act->place].model);
    else
        observing->model.list[act->place].exists = false;
}

static run_told wanted_by(const run_side* s, const model_notice* n) {
    run_told wanted = {.observer = n->observer,
                       .on = n->on,
                       .reason = n->reason,
                       .type = n->type,
                       .entity = n->entities[0],
                       .count = n->count};
    wanted.entities = digest_entities(n->entities, n->count);
    wanted.state = state_in_model(s->model, n->entities[0]);
    for (uint32_t i = 0; n->type != MODEL_NO_TYPE && i < n->count; i++) {
        const model_component* c = model_find(s->model, n->entities[i], n->type);
        wanted.values = mix(wanted.values, catalog_digest(n->type, c->bytes));
    }
    if (n->old) wanted.old = catalog_digest(n->type, n->old);
    wanted.target = n->target;
    if (n->carried) wanted.carried = catalog_digest(catalog_models()[n->type].value, n->carried);
    return wanted;
}

static const char* difference(const run_told* a, const run_told* b) {
    if (a->observer != b->observer) return "the observer";
    if (a->on != b->on) return "what happened";
    if (a->type != b->type) return "the type";
    if (a->count != b->count) return "the count";
    if (!ilk_same(a->entity, b->entity) || a->entities != b->entities) return "the entity";
    if (a->reason != b->reason) return "the reason";
    if (a->values != b->values) return "the value";
    if (a->old != b->old) return "the old value";
    if (!ilk_same(a->target, b->target)) return "the target";
    if (a->carried != b->carried) return "what the relation carries";
    return a->state != b->state ? "what the entity has" : NULL;
}

static bool hear(void* user, const model_notice* notice, model_cmd* cmd) {
    run_side* s = user;
    run* r = s->observing.run;
    run_observing* observing = &s->observing;
    if (r->outcome->failed) return true;
    run_told wanted = wanted_by(s, notice);
    if (observing->heard == observing->told_count) {
        trace_notice(r, &wanted, "not told");
        run_fail(r, "%s: observer %u was not told of {%u, %u}: on %u", s->name, wanted.observer,
                 wanted.entity.index, wanted.entity.generation, wanted.on);
        return true;
    }
    const run_told told = observing->told[observing->heard++];
    const char* what = difference(&told, &wanted);
    if (what) {
        trace_notice(r, &wanted, "should be told");
        run_fail(r, "%s: observers: %s differs: %u was told %u of {%u, %u}, not %u %u of {%u, %u}",
                 s->name, what, told.observer, told.on, told.entity.index, told.entity.generation,
                 wanted.observer, wanted.on, wanted.entity.index, wanted.entity.generation);
        return true;
    }
    observing->model.messages += told.messages + told.is_failed;
    for (uint32_t i = 0; i < told.act_count; i++) follow_act(r, s, &told.acts[i], cmd);
    return !told.is_failed;
}

static uint32_t length(void* user) {
    const run_observing* observing = &((run_side*)user)->observing;
    return observing->heard < observing->told_count ? observing->told[observing->heard].count : 0;
}

static void go_on(void* user) {
    run_side* s = user;
    if (!s->observing.run->outcome->failed) run_follow_passes(s);
}

void run_observers_open(run* r, run_side* s) {
    s->observing = (run_observing){.run = r};
    s->observing.model.hearing = (model_hearing){s, length, hear, go_on};
    s->model->observing = &s->observing.model;
}

static void check_told(run* r, run_side* s) {
    run_observing* observing = &s->observing;
    s->expected += model_take_messages(s->model);
    if (observing->heard != observing->told_count) {
        const run_told* t = &observing->told[observing->heard];
        run_fail(r, "%s: observer %u was told too much of {%u, %u}: on %u", s->name, t->observer,
                 t->entity.index, t->entity.generation, t->on);
    }
    observing->heard = observing->told_count = 0;
}

void run_observers_check(run* r, run_side* s) {
    run_observing* observing = &s->observing;
    if (!s->world || r->outcome->failed) return;
    check_told(r, s);
    if (observing->model.made) run_trim_cmds(s); // they may use what was given back
    uint32_t count = ilk_observer_count(s->world), wanted = model_observer_count(s->model);
    RUN_CHECK(r, count == wanted, "%s: %u observers, not %u", s->name, count, wanted);
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        if (observing->model.list[i].exists) continue;
        observing->observers[i].is_used = false;
        observing->observers[i].observer = NULL;
    }
}

void run_observers_close(run* r, run_side* s) {
    model_frame f;
    if (!r->outcome->failed) {
        model_tell_unload(s->model, &f);
        model_frame_end(s->model, &f);
        check_told(r, s);
    }
    free(s->observing.told);
    s->observing = (run_observing){0};
    s->model->observing = NULL;
}

// Operations

static uint32_t some_kinds(uint32_t seed) {
    static const uint32_t kinds[8] = {
        ILK_ON_ADD,
        ILK_ON_ADD | ILK_ON_REMOVE,
        ILK_ON_CREATE | ILK_ON_DESTROY,
        ILK_ON_SET | ILK_ON_ENABLE | ILK_ON_DISABLE,
        ILK_ON_MATCH | ILK_ON_CEASE,
        ILK_ON_MATCH | ILK_ON_CEASE | ILK_ON_ADD | ILK_ON_REMOVE | ILK_ON_SET,
        ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD | ILK_ON_REMOVE | ILK_ON_SET | ILK_ON_ENABLE |
            ILK_ON_DISABLE,
        ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD | ILK_ON_REMOVE | ILK_ON_SET | ILK_ON_ENABLE |
            ILK_ON_DISABLE | ILK_ON_MATCH | ILK_ON_CEASE};
    return seed % 4 ? kinds[seed / 4 % 8] : seed / 4 % 512;
}

static ilk_result make_with_query(void* user, run_side* s, const ilk_query_desc* query) {
    run_observer* o = user;
    ilk_observer_desc desc = describe(o);
    char name[16];
    snprintf(name, sizeof name, "obs%u", place_of(s, o));
    desc.name = o->state & 2 ? name : NULL;
    desc.type = run_variable(o->run, s, o->model.type, (uint32_t)(o->state >> 2) & 7);
    if (query) desc.query = *query;
    o->has_condition = query && query->where;
    o->observer = ilk_observer_create(s->world, &desc);
    return run_yielded(s, o->observer != NULL);
}

// A condition may be blank: then everybody matches.
static bool asks_something(const run_observer* o) {
    const model_query* q = &o->query.model;
    return q->count || q->relates_count || o->has_condition || model_query_is_ordered(q) ||
           q->inactive;
}

static model_faults faults_of(const run_side* s, const run_observer* o, bool has_query) {
    const model_observer* m = &o->model;
    model_faults faults = MODEL_FINE;
    bool asks = has_query && asks_something(o);
    const uint32_t typed = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE;
    if (!m->on) faults |= MODEL_FAULT(INVALID);
    if (m->type != MODEL_NO_TYPE && !(m->on & typed)) faults |= MODEL_FAULT(INVALID);
    if (m->on & (ILK_ON_MATCH | ILK_ON_CEASE) && !asks) faults |= MODEL_FAULT(INVALID);
    if (has_query && model_query_is_lately(&o->query.model)) faults |= MODEL_FAULT(INVALID);
    bool is_of_others = has_query && o->query.model.relates_count;
    if (m->on & (ILK_ON_MATCH | ILK_ON_CEASE) && is_of_others) faults |= MODEL_FAULT(INVALID);
    if (!ilk_is_null(m->entity) && !model_alive(s->model, m->entity)) faults |= MODEL_FAULT(DEAD);
    if (m->type != MODEL_NO_TYPE) faults |= model_type_faults(s->model, m->type);
    return faults;
}

static void check_name(run* r, const run_side* s, const run_observer* o) {
    char wanted[40];
    if (o->state & 2)
        snprintf(wanted, sizeof wanted, "obs%u", place_of(s, o));
    else
        snprintf(wanted, sizeof wanted, "observer-%llu",
                 (unsigned long long)s->observing.model.made);
    RUN_CHECK(r, strcmp(ilk_observer_name(o->observer), wanted) == 0, "%s: an observer is %s",
              s->name, ilk_observer_name(o->observer));
}

static void choose_observer(run* r, const run_side* s, const script_op* op, run_observer* o) {
    uint64_t x = (uint64_t)op->seed << 16 | op->set;
    o->state = x;
    x = script_random(&x);
    o->is_quiet = x % 3 == 0;
    o->model = (model_observer){.on = some_kinds(op->seed >> 8),
                                .type = x >> 8 & 1 ? run_type(s, op) : MODEL_NO_TYPE,
                                .reasons = (x >> 9) % 4 ? 0 : (uint32_t)(x >> 12) & 31,
                                .order = (int32_t)((x >> 20) % 5) - 2,
                                .is_many = x >> 24 & 1,
                                .stops = (x >> 25) % 4 == 0};
    if ((x >> 32) % 4 == 0) o->model.entity = run_pick(r, s, op->mode, op->pick);
}

void run_obs_make(run* r, run_side* s, const script_op* op) {
    if (r->header.is_scarce || r->plan.fail_at || !r->header.is_observed) return;
    run_observer* o = free_place(r, s);
    if (!o) {
        run_obs_drop(r, s, op);
        return;
    }
    choose_observer(r, s, op, o);
    run_set set = {.count = 1, .types = {o->model.type}};
    bool has_query = o->model.on & (ILK_ON_MATCH | ILK_ON_CEASE) || op->count % 3 == 0;
    run_wished wished = {ILK_OK, MODEL_FINE};
    script_op query_op = *op;
    if (query_op.mode >= 200) query_op.mode = 0;
    run_begin(r, s, (run_call){.name = "ilk_observer_create", .set = &set});
    if (has_query)
        wished = run_wish_query(r, s, &query_op, &o->query, make_with_query, o);
    else
        wished.result = make_with_query(o, s, NULL);
    model_faults faults = wished.faults | faults_of(s, o, has_query);
    run_expect(r, s, wished.result, faults);
    o->is_used = !faults;
    if (faults || r->outcome->failed) return;
    run_follow_types(r, s, &set);
    if (has_query && asks_something(o)) o->model.query = &o->query.model;
    model_observer_make(s->model, place_of(s, o), o->model);
    check_name(r, s, o);
}

// One of them, or none; now and then all, so that few are left to hide what others miss.
void run_obs_drop(run* r, run_side* s, const script_op* op) {
    uint32_t place = op->pick % MODEL_OBSERVERS;
    run_begin(r, s, (run_call){.name = "ilk_observer_destroy", .count = place});
    for (uint32_t i = 0; i < MODEL_OBSERVERS; i++) {
        if (i != place && op->seed % 4) continue;
        ilk_observer* observer = s->observing.observers[i].observer;
        ilk_observer_destroy(observer);
        s->observing.model.list[i].exists = false;
        if (!observer) continue;
        ilk_observer_destroy(observer);
        s->expected++;
        RUN_CHECK(r, s->messages == s->expected,
                  "%s: an observer that is gone, and another message", s->name);
    }
}

void run_obs_reason(run* r, run_side* s, const script_op* op) {
    model_observing* m = &s->observing.model;
    ilk_reason reason = op->seed % 3 ? (ilk_reason)0 : (ilk_reason)(1u << op->seed / 3 % 5);
    if (!r->header.is_observed) return;
    run_begin(r, s, (run_call){.name = "ilk_set_reason", .count = reason});
    RUN_CHECK(r, ilk_set_reason(s->world, reason) == m->reason, "%s: another reason", s->name);
    m->reason = reason;
}
