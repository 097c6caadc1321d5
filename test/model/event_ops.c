// Operations on events: sending, reading, subscribing, dispatching.
#include "run.h"

#define KEPT_MAX 300u // events that wait in a world, about
#define BUSY_MAX 16u  // things that subscribers do in one dispatch

// A type for events. Those of the largest one are left to components.
static uint32_t event_type(const run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    return type < catalog_sound() && catalog_is_huge(type) ? catalog_common(0) : type;
}

// Sending

static bool emit_once(run* r, run_side* s, const script_op* op, uint32_t type, uint32_t seed) {
    bool is_to = op->kind == OP_EVENT_EMIT_TO, is_plain = type >= catalog_sound() || seed % 5 == 0;
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    if (!is_plain) catalog_make(type, seed, r->ours, r->theirs);
    ilk_value ours = {run_variable(r, s, type, op->flags), is_plain ? NULL : r->ours};
    model_value theirs = {type, is_plain ? NULL : r->theirs};
    run_begin(r, s,
              (run_call){.name = is_to ? "ilk_emit_to" : "ilk_emit",
                         .about_entity = is_to,
                         .entity = e,
                         .about_type = true,
                         .type = type});
    ilk_result result = is_to ? ilk_emit_to(s->world, e, ours) : ilk_emit(s->world, ours);
    bool is_done = !run_excused(r, s, result);
    if (is_done) {
        model_faults faults =
            is_to ? model_emit_to(s->model, e, theirs) : model_emit(s->model, theirs);
        run_expect(r, s, result, faults);
        is_done = !faults;
    }
    if (is_plain) return is_done;
    if (!is_done) catalog_discard(type, r->ours);
    memset(r->ours, 0xdd, catalog_models()[type].size);
    return is_done;
}

// One event, or several of a type.
void run_event_emit(run* r, run_side* s, const script_op* op) {
    uint32_t type = event_type(s, op), times = op->flags & 1 ? 1 + op->count % 50 : 1;
    if (s->model->events.count > KEPT_MAX) {
        run_event_clear(r, s, op);
        return;
    }
    if (type < catalog_sound() && catalog_models()[type].size > 1000) times = 1;
    for (uint32_t i = 0; i < times && !r->outcome->failed; i++)
        if (!emit_once(r, s, op, type, op->seed + i)) return;
}

void run_event_limit(run* r, run_side* s, const script_op* op) {
    uint32_t type = event_type(s, op), most = op->flags & 1 ? 0 : op->count % 40;
    run_begin(
        r, s,
        (run_call){.name = "ilk_event_limit", .about_type = true, .type = type, .count = most});
    ilk_result result = ilk_event_limit(s->world, run_variable(r, s, type, op->flags), most);
    if (!run_excused(r, s, result)) run_expect(r, s, result, model_limit(s->model, type, most));
}

void run_event_clear(run* r, run_side* s, const script_op* op) {
    (void)op;
    run_begin(r, s, (run_call){.name = "ilk_event_clear"});
    run_forbid(s);
    ilk_event_clear(s->world);
    run_permit(s);
    model_forget_events(s->model);
}

void run_event_ask(run* r, run_side* s, const script_op* op) {
    uint32_t type = event_type(s, op), readers = 0;
    if (type >= catalog_sound()) return;
    const model_channel* its = &s->model->events.channels[type];
    run_begin(r, s, (run_call){.name = "ilk_event_stats_of", .about_type = true, .type = type});
    ilk_event_stats stats = ilk_event_stats_of(s->world, run_variable(r, s, type, op->flags));
    RUN_CHECK(r, stats.emitted == its->emitted && stats.dropped == its->dropped,
              "%s: %llu events were emitted and %llu dropped, not %llu and %llu", s->name,
              (unsigned long long)stats.emitted, (unsigned long long)stats.dropped,
              (unsigned long long)its->emitted, (unsigned long long)its->dropped);
    uint64_t kept = model_kept(s->model, type);
    RUN_CHECK(r, stats.kept == kept, "%s: %llu events are kept, not %llu", s->name,
              (unsigned long long)stats.kept, (unsigned long long)kept);
    for (uint32_t i = 0; i < MODEL_READERS; i++) {
        const model_listener* reader = &s->model->events.readers[i];
        readers += reader->exists && reader->type == type;
        uint64_t lost = ilk_reader_lost(s->listening.readers[i]);
        RUN_CHECK(r, lost == (reader->exists ? reader->lost : 0), "%s: a reader lost %llu events",
                  s->name, (unsigned long long)lost);
    }
    bool is_same = stats.readers == readers && stats.limit == its->limit &&
                   stats.subscribers == model_subscribers_of(s->model, type);
    RUN_CHECK(r, is_same, "%s: %u readers, %u subscribers, limit %u", s->name, stats.readers,
              stats.subscribers, stats.limit);
}

// Reading

void run_reader_make(run* r, run_side* s, const script_op* op) {
    uint32_t place = 0, type = event_type(s, op);
    while (place < MODEL_READERS && s->listening.readers[place]) place++;
    if (place == MODEL_READERS) return;
    ilk_entity only = {0};
    if (op->flags & 1) only = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s,
              (run_call){.name = "ilk_reader_create",
                         .about_entity = true,
                         .entity = only,
                         .about_type = true,
                         .type = type});
    ilk_reader_desc desc = {run_variable(r, s, type, op->flags), only};
    ilk_reader* reader = ilk_reader_create(s->world, op->mode == 255 ? NULL : &desc);
    ilk_result result = run_yielded(s, reader != NULL);
    if (run_excused(r, s, result)) return;
    if (op->mode == 255) {
        r->call.about_type = false;
        run_expect(r, s, result, MODEL_FAULT(INVALID));
        return;
    }
    run_expect(r, s, result, model_reader_make(s->model, place, type, only));
    s->listening.readers[place] = reader;
    s->listening.looked_at[place] = NULL;
}

// Whoever uses a reader that is gone is told.
static void use_gone_reader(run* r, run_side* s, ilk_reader* reader) {
    ilk_event event;
    run_forbid(s);
    ilk_reader_destroy(reader);
    bool reads = ilk_read(reader, NULL) || ilk_read(reader, &event) || ilk_reader_lost(reader);
    run_permit(s);
    s->expected += 4;
    RUN_CHECK(r, !reads && s->messages == s->expected, "%s: a reader that is gone, and %s", s->name,
              reads ? "it reads" : "another message");
}

void run_reader_drop(run* r, run_side* s, const script_op* op) {
    uint32_t place = op->pick % MODEL_READERS;
    if (op->seed % 3 == 0) return;
    run_begin(r, s, (run_call){.name = "ilk_reader_destroy", .count = place + 1});
    run_forbid(s);
    ilk_reader_destroy(s->listening.readers[place]);
    run_permit(s);
    if (s->listening.readers[place]) {
        model_reader_drop(s->model, place);
        use_gone_reader(r, s, s->listening.readers[place]);
    }
    s->listening.readers[place] = NULL;
    s->listening.looked_at[place] = NULL;
}

static void check_event(run* r, const run_side* s, const ilk_event* event,
                        const model_event* wanted) {
    bool is_same = event->number == wanted->number && ilk_same(event->entity, wanted->entity) &&
                   strcmp(event->type->name, run_type_name(wanted->type)) == 0;
    RUN_CHECK(r, is_same, "%s: event %llu is %s, number %llu", s->name,
              (unsigned long long)wanted->number, event->type->name,
              (unsigned long long)event->number);
}

static void check_value(run* r, const run_side* s, const void* value, const model_event* wanted) {
    tokens_begin();
    RUN_CHECK(r, catalog_same(wanted->type, value, wanted->bytes), "%s: event %llu has other bytes",
              s->name, (unsigned long long)wanted->number);
    bool is_aligned =
        !catalog_models()[wanted->type].size || (uintptr_t)value % catalog_align(wanted->type) == 0;
    RUN_CHECK(r, is_aligned, "%s: an event is not aligned", s->name);
}

static bool read_once(run* r, run_side* s, uint32_t place, bool asks) {
    ilk_event event = {0};
    run_forbid(s);
    const void* value = ilk_read(s->listening.readers[place], asks ? &event : NULL);
    run_permit(s);
    const model_event* wanted = model_read(s->model, place);
    RUN_CHECK(r, !value == !wanted, "%s: reader %u read %s", s->name, place,
              value ? "what is not there" : "nothing");
    s->listening.looked_at[place] = value;
    if (!value || !wanted) return false;
    run_note(r, wanted->number);
    if (asks) {
        check_event(r, s, &event, wanted);
        RUN_CHECK(r, event.value == value, "%s: the event is elsewhere", s->name);
    }
    check_value(r, s, value, wanted);
    return !r->outcome->failed;
}

// A few events, or all that there are. A reader is read by one system only.
void run_event_read(run* r, run_side* s, const script_op* op) {
    uint32_t place = op->pick % MODEL_READERS, times = op->flags & 1 ? 1000 : op->count % 12;
    if (s->commands.own) place = (uint32_t)(s->commands.own - s->commands.buffers) - RUN_CMDS;
    if (place >= MODEL_READERS || !s->listening.readers[place]) return;
    run_begin(r, s, (run_call){.name = "ilk_read", .count = place + 1});
    for (uint32_t i = 0; i < times; i++)
        if (!read_once(r, s, place, op->seed >> i % 16 & 1)) return;
}

void run_compare_events(run* r, run_side* s) {
    for (uint32_t i = 0; i < MODEL_READERS; i++) {
        const model_event* held = model_held(s->model, i);
        const void* value = s->listening.looked_at[i];
        RUN_CHECK(r, !held == !value, "%s: reader %u looks at another event", s->name, i);
        if (held && value) check_value(r, s, value, held);
    }
    tokens_begin();
}

// Subscribing

static ilk_subscriber_fn be_called;

void run_subscribe(run* r, run_side* s, const script_op* op) {
    uint32_t place = 0;
    while (place < MODEL_SUBSCRIBERS && s->model->events.subscribers[place].exists) place++;
    if (place == MODEL_SUBSCRIBERS) return;
    uint32_t type = op->flags % 4 == 3 ? MODEL_NO_TYPE : event_type(s, op);
    run_subscription* its = &s->listening.subscriptions[place];
    bool is_empty = op->mode >= 250;
    *its = (run_subscription){.run = r, .side = s, .place = place, .op = *op};
    model_subscriber model = {.type = type, .order = op->count % 5, .stops = op->seed % 4 == 0};
    ilk_subscription_desc desc = {.name = op->seed & 16 ? "somebody" : NULL,
                                  .type = run_variable(r, s, type, op->flags),
                                  .call = is_empty ? NULL : be_called,
                                  .user = its,
                                  .order = model.order,
                                  .stops = model.stops};
    run_begin(
        r, s,
        (run_call){
            .name = "ilk_subscribe", .about_type = !is_empty, .type = type, .count = place + 1});
    its->subscription = ilk_subscribe(s->world, &desc);
    ilk_result result = run_yielded(s, its->subscription != NULL);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result,
               is_empty ? MODEL_FAULT(INVALID) : model_subscribe(s->model, place, model));
}

void run_unsubscribe(run* r, run_side* s, const script_op* op) {
    uint32_t place = op->pick % MODEL_SUBSCRIBERS;
    const model_subscriber* model = &s->model->events.subscribers[place];
    run_subscription* its = &s->listening.subscriptions[place];
    if (!model->exists) return;
    run_begin(r, s, (run_call){.name = "ilk_unsubscribe", .count = place + 1});
    bool was_gone = model->is_gone;
    run_forbid(s);
    ilk_result result = ilk_unsubscribe(its->subscription);
    run_permit(s);
    run_expect(r, s, result, was_gone ? MODEL_FAULT(INVALID) : MODEL_FINE);
    if (!was_gone) model_unsubscribe(s->model, place);
    if (op->flags & 1) return;
    run_expect(r, s, ilk_unsubscribe(its->subscription), MODEL_FAULT(INVALID));
}

// Dispatching

static void do_something(run* r, run_side* s, const run_subscription* its) {
    static const uint8_t kinds[32] = {
        OP_EVENT_EMIT,  OP_EVENT_EMIT,  OP_EVENT_EMIT,  OP_EVENT_EMIT_TO, OP_EVENT_EMIT_TO,
        OP_CMD_EMIT,    OP_CMD_EMIT_TO, OP_CMD_APPLY,   OP_EVENT_READ,    OP_EVENT_READ,
        OP_READER_MAKE, OP_READER_DROP, OP_SUBSCRIBE,   OP_SUBSCRIBE,     OP_SUBSCRIBE,
        OP_UNSUBSCRIBE, OP_UNSUBSCRIBE, OP_UNSUBSCRIBE, OP_EVENT_LIMIT,   OP_EVENT_CLEAR,
        OP_EVENT_ASK,   OP_DISPATCH,    OP_DISPATCH,    OP_CREATE,        OP_SPAWN,
        OP_DESTROY,     OP_ADD,         OP_REMOVE,      OP_SET,           OP_SYS_UPDATE,
        OP_SYS_DROP,    OP_TRIM};
    uint64_t state = its->op.seed + its->calls * 0x10001u;
    uint32_t steps = (uint32_t)(script_random(&state) % 4);
    for (uint32_t i = 0; i < steps && !r->outcome->failed; i++) {
        if (s->listening.busy++ >= BUSY_MAX) return;
        run_inside(r, s, run_aside(&its->op, &state, kinds));
    }
}

static ilk_result be_called(ilk_world* world, const ilk_event* event, void* user) {
    static const ilk_result failures[4] = {ILK_DEAD, ILK_MISSING, ILK_NO_MEMORY, ILK_BROKEN};
    run_subscription* its = user;
    run* r = its->run;
    run_side* s = its->side;
    if (r->outcome->failed) return ILK_OK;
    bool is_right =
        s->listening.is_on && world == s->world && model_dispatch_next(s->model) == its->place;
    RUN_CHECK(r, is_right, "%s: subscriber %u is called out of turn", s->name, its->place);
    if (r->outcome->failed) return ILK_OK;
    const model_event* now = &s->model->events.now;
    check_event(r, s, event, now);
    check_value(r, s, event->value, now);
    run_note(r, now->number << 8 | its->place);
    its->calls++;
    if (!r->outcome->failed) do_something(r, s, its);
    if (!r->outcome->failed) check_value(r, s, event->value, now); // nothing has moved
    uint32_t choice = its->op.seed + its->calls;
    ilk_result result = choice % 8 ? ILK_OK : failures[choice / 8 % 4];
    s->schedule.heard = s->heard_count + (result != ILK_OK);
    if (result == ILK_OK || r->outcome->failed) return result;
    s->expected++;
    model_dispatch_failed(s->model);
    if (s->listening.first == ILK_OK) s->listening.first = result;
    return result;
}

void run_dispatch_begins(run_side* s, uint32_t flags) {
    s->listening.busy = 0;
    s->listening.first = ILK_OK;
    s->listening.is_on = model_dispatch_begin(s->model, flags);
}

void run_dispatch_ends(run* r, run_side* s) {
    if (!s->listening.is_on) return;
    s->listening.is_on = false;
    RUN_CHECK(r, model_dispatch_next(s->model) == MODEL_SUBSCRIBERS,
              "%s: somebody was not called for event %llu", s->name,
              (unsigned long long)s->model->events.now.number);
    model_dispatch_end(s->model);
}

static void dispatch_wrong(run* r, run_side* s, uint32_t flags) {
    run_begin(r, s, (run_call){.name = "ilk_dispatch", .count = flags});
    run_expect(r, s, ilk_dispatch(s->world, flags), MODEL_FAULT(INVALID));
}

void run_dispatch(run* r, run_side* s, const script_op* op) {
    if (s->listening.is_on || op->mode >= 240) {
        dispatch_wrong(r, s, op->mode >= 240 ? 4 : 0);
        return;
    }
    run_begin(r, s, (run_call){.name = "ilk_dispatch", .count = op->flags & 3});
    run_dispatch_begins(s, op->flags & 3);
    ilk_result result = ilk_dispatch(s->world, op->flags & 3);
    if (r->outcome->failed) return;
    run_dispatch_ends(r, s);
    RUN_CHECK(r, result == s->listening.first, "%s: dispatching gave %s, not %s", s->name,
              ilk_result_name(result), ilk_result_name(s->listening.first));
}
