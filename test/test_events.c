// Events: queues, readers, limits, commands.
#include "event/events.h"

#include "workers_support.h"

typedef struct Damage {
    ilk_entity who;
    int32_t points;
    uint32_t kind;
} Damage;
ILK_EVENT(Damage);

typedef struct Note {
    Owned owned;
} Note;
ILK_EVENT_WITH(Note, .hooks = OWNED_HOOKS);

typedef struct Step {
    uint32_t number;
} Step;
ILK_EVENT(Step);

typedef struct Bulky {
    uint32_t number;
    char bytes[5000];
} Bulky;
ILK_EVENT(Bulky);

typedef struct Aligned {
    _Alignas(256) uint32_t number;
} Aligned;
ILK_EVENT(Aligned);

ILK_TAG(Bell);

static ilk_reader* reader_of(ilk_world* world, ilk_reader_desc desc) {
    ilk_reader* reader = ilk_reader_create(world, &desc);
    if (!reader) print_error("%s\n", ilk_error(world).text);
    assert_non_null(reader);
    return reader;
}
#define READER(world, ...) reader_of((world), (ilk_reader_desc){.type = __VA_ARGS__})

static void send_steps(ilk_world* world, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) assert_ok(ILK_EMIT(world, Step, i));
}

// The next events that a reader reads are these.
static void reads_steps(ilk_reader* reader, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        const Step* step = ilk_read(reader, NULL);
        assert_non_null(step);
        assert_int_equal(step->number, i);
    }
}

static void reads_nothing(ilk_reader* reader) {
    assert_null(ilk_read(reader, NULL));
}

static ilk_value note_of(const char* text, Note* note) {
    note->owned.text = text_copy(text);
    return ILK_VALUE_AT(Note, note);
}

static void send_note(ilk_world* world, const char* text) {
    Note note;
    assert_ok(ilk_emit(world, note_of(text, &note)));
}

static void reads_note(ilk_reader* reader, const char* text) {
    const Note* note = ilk_read(reader, NULL);
    assert_non_null(note);
    assert_string_equal(note->owned.text, text);
}

// R003.21 C14: an event of the user's own carries its value, and is read later.
static void what_was_sent_is_read_in_order(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    ilk_reader* reader = READER(f->world, &Damage_type);
    reads_nothing(reader);
    assert_ok(ILK_EMIT(f->world, Damage, .who = e, .points = 30));
    assert_ok(ILK_EMIT_TO(f->world, e, Damage, .points = 12, .kind = 3));
    ilk_event event;
    const Damage* damage = ilk_read(reader, &event);
    assert_ptr_equal(damage, event.value);
    assert_int_equal(damage->points, 30);
    assert_entity(damage->who, e);
    assert_true(ilk_is_null(event.entity));
    assert_string_equal(event.type->name, "Damage");
    assert_int_equal(event.number, 1);
    damage = ilk_read(reader, &event);
    assert_int_equal(damage->points, 12);
    assert_int_equal(damage->kind, 3);
    assert_entity(event.entity, e);
    assert_int_equal(event.number, 2);
    reads_nothing(reader);
    reads_nothing(reader);
    assert_quiet(f);
}

// C14
static void a_reader_sees_what_is_sent_after_it_was_made(void** state) {
    fixture* f = *state;
    ilk_reader* first = READER(f->world, &Step_type);
    send_steps(f->world, 0, 300);
    ilk_reader* second = READER(f->world, &Step_type);
    send_steps(f->world, 300, 310);
    reads_steps(second, 300, 310);
    reads_nothing(second);
    reads_steps(first, 0, 310);
    reads_nothing(first);
}

static void each_reader_reads_at_its_own_pace(void** state) {
    fixture* f = *state;
    ilk_reader *eager = READER(f->world, &Step_type), *lazy = READER(f->world, &Step_type);
    for (uint32_t i = 0; i < 1000; i++) {
        send_steps(f->world, 3 * i, 3 * i + 3);
        reads_steps(eager, 3 * i, 3 * i + 3);
        reads_nothing(eager);
        reads_steps(lazy, i, i + 1);
        if (i % 50 == 0) assert_ok(ilk_update(f->world, 0)); // nothing is lost by frames going by
        if (i % 97 == 0) assert_valid(f->world);
    }
    assert_int_equal(ilk_event_stats_of(f->world, &Step_type).kept, 2000);
    reads_steps(lazy, 1000, 3000);
    reads_nothing(lazy);
    assert_int_equal(ilk_event_stats_of(f->world, &Step_type).kept, 0);
    assert_int_equal(ilk_reader_lost(lazy) + ilk_reader_lost(eager), 0);
}

static void what_nobody_waits_for_is_not_kept(void** state) {
    fixture* f = *state;
    send_note(f->world, "unheard");
    assert_hooks(0, 0, 1);
    assert_ok(ilk_emit(f->world, ILK_WITH(Note))); // not even made
    assert_hooks(0, 0, 0);
    ilk_reader* reader = READER(f->world, &Note_type);
    send_note(f->world, "heard");
    ilk_event_stats stats = ilk_event_stats_of(f->world, &Note_type);
    assert_int_equal(stats.emitted, 3);
    assert_int_equal(stats.kept, 1);
    assert_int_equal(stats.readers, 1);
    ilk_event event;
    assert_non_null(ilk_read(reader, &event));
    assert_int_equal(event.number, 3);
    ilk_reader_destroy(reader);
    assert_hooks(0, 0, 1);
    send_note(f->world, "unheard again");
    assert_hooks(0, 0, 1);
    stats = ilk_event_stats_of(f->world, &Note_type);
    assert_int_equal(stats.emitted, 4);
    assert_int_equal(stats.kept + stats.readers + stats.dropped, 0);
    assert_int_equal(ilk_event_stats_of(f->world, &Step_type).emitted, 0);
    assert_int_equal(ilk_event_stats_of(NULL, &Step_type).emitted, 0);
    assert_int_equal(ilk_event_stats_of(f->world, NULL).emitted, 0);
}

static void some_read_what_is_addressed_to_one(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    for (uint32_t i = 0; i < 3; i++) e[i] = ilk_create(f->world);
    ilk_reader *all = READER(f->world, &Step_type),
               *own = READER(f->world, &Step_type, .entity = e[1]);
    for (uint32_t i = 0; i < 600; i++) {
        ilk_value value = ILK_VALUE(Step, i);
        assert_ok(i % 4 == 3 ? ilk_emit(f->world, value) : ilk_emit_to(f->world, e[i % 4], value));
    }
    for (uint32_t i = 1; i < 600; i += 4) {
        ilk_event event;
        const Step* step = ilk_read(own, &event);
        assert_int_equal(step->number, i);
        assert_entity(event.entity, e[1]);
    }
    reads_nothing(own);
    reads_steps(all, 0, 600);
    assert_ok(ILK_EMIT_TO(f->world, e[1], Step, 600));
    assert_ok(ilk_destroy(f->world, e[1])); // the reader stays, and what it has not read
    assert_int_equal(((const Step*)ilk_read(own, NULL))->number, 600);
    assert_int_equal(ilk_emit_to(f->world, e[1], ILK_VALUE(Step, 1)), ILK_DEAD);
    reads_nothing(own);
}

static void what_cannot_be_sent_is_still_the_callers(void** state) {
    fixture* f = *state;
    ilk_reader* reader = READER(f->world, &Note_type);
    ilk_entity gone = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, gone));
    Note note;
    ilk_value value = note_of("mine", &note);
    assert_int_equal(ilk_emit_to(f->world, gone, value), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_emit_to");
    assert_non_null(strstr(f->told.text, "Note"));
    assert_int_equal(ilk_emit_to(f->world, (ilk_entity){0}, value), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_emit_to");
    assert_int_equal(ilk_emit(NULL, value), ILK_INVALID);
    assert_int_equal(ilk_emit_to(NULL, gone, value), ILK_INVALID);
    assert_hooks(0, 0, 0);
    reads_nothing(reader);
    free(note.owned.text);
}

static void unsound_types_are_refused(void** state) {
    fixture* f = *state;
    ilk_type nameless = {.size = 4}, other = {.name = "Step", .size = 8};
    READER(f->world, &Step_type);
    assert_int_equal(ilk_emit(f->world, (ilk_value){NULL, NULL}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_emit");
    assert_int_equal(ilk_emit(f->world, (ilk_value){&nameless, NULL}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_emit");
    assert_int_equal(ilk_emit(f->world, (ilk_value){&other, NULL}), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_emit");
    assert_null(ilk_reader_create(f->world, &(ilk_reader_desc){.type = NULL}));
    assert_told(f, ILK_INVALID, "ilk_reader_create");
    assert_null(ilk_reader_create(f->world, NULL));
    assert_told(f, ILK_INVALID, "ilk_reader_create");
    assert_null(ilk_reader_create(f->world, &(ilk_reader_desc){&Step_type, {7, 1}}));
    assert_told(f, ILK_DEAD, "ilk_reader_create");
    assert_null(ilk_reader_create(NULL, &(ilk_reader_desc){&Step_type, {0, 0}}));
    assert_int_equal(ilk_event_limit(f->world, &other, 3), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_event_limit");
    assert_int_equal(ilk_event_limit(NULL, &Step_type, 3), ILK_INVALID);
    assert_null(ilk_read(NULL, NULL));
    assert_int_equal(ilk_reader_lost(NULL), 0);
    ilk_reader_destroy(NULL);
    ilk_event_clear(NULL);
    assert_quiet(f);
}

static void variables_of_one_name_are_one_event_type(void** state) {
    fixture* f = *state;
    ilk_type again = {.name = "Step", .size = sizeof(Step), .align = _Alignof(Step)};
    ilk_reader* reader = READER(f->world, &Step_type);
    assert_ok(ilk_emit(f->world, (ilk_value){&again, &(Step){8}}));
    reads_steps(reader, 8, 9);
    ilk_type third = {.name = "Step", .size = sizeof(Step), .align = _Alignof(Step)};
    assert_int_equal(ilk_event_stats_of(f->world, &third).emitted, 1);
}

static void values_are_dropped_when_all_have_passed_them(void** state) {
    fixture* f = *state;
    ilk_reader *a = READER(f->world, &Note_type), *b = READER(f->world, &Note_type);
    send_note(f->world, "one");
    send_note(f->world, "two");
    reads_note(a, "one");
    reads_note(a, "two");
    reads_nothing(a);
    reads_note(b, "one");
    assert_ok(ilk_update(f->world, 0));
    assert_hooks(0, 0, 0); // b looks at the first
    reads_note(b, "two");
    assert_ok(ilk_update(f->world, 0));
    assert_hooks(0, 0, 1);
    reads_nothing(b);
    assert_ok(ilk_update(f->world, 0));
    assert_hooks(0, 0, 1);
    send_note(f->world, "three");
    send_note(f->world, "four");
    reads_note(a, "three");
    ilk_reader_destroy(b);
    assert_hooks(0, 0, 0);
    ilk_reader_destroy(a);
    assert_hooks(0, 0, 2);
}

static void what_is_kept_goes_with_the_world(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 3);
    ilk_reader* reader = READER(world, &Note_type);
    for (uint32_t i = 0; i < 300; i++) send_note(world, "kept");
    reads_note(reader, "kept");
    ilk_cmd* cmd = ilk_cmd_take(world);
    Note note;
    assert_ok(ilk_cmd_emit(cmd, note_of("recorded", &note)));
    ilk_world_destroy(world);
    assert_hooks(0, 0, 301);
}

// What a reader looks at stays where it is, though the limit has long dropped it.
static void what_a_reader_looks_at_stays(void** state) {
    fixture* f = *state;
    ilk_reader* a = READER(f->world, &Note_type);
    ilk_reader* b = READER(f->world, &Note_type);
    ilk_reader* c = READER(f->world, &Step_type);
    assert_ok(ilk_event_limit(f->world, &Note_type, 10));
    assert_ok(ilk_event_limit(f->world, &Step_type, 10));
    send_note(f->world, "first");
    send_note(f->world, "second");
    send_steps(f->world, 0, 1);
    const Note *first = ilk_read(a, NULL), *same = ilk_read(b, NULL), *second = ilk_read(b, NULL);
    const Step* step = ilk_read(c, NULL);
    assert_ptr_equal(first, same);
    for (uint32_t i = 0; i < 2000; i++) {
        send_note(f->world, "more");
        send_steps(f->world, 1, 2);
        if (i % 100 == 0) ilk_trim(f->world);
        if (i % 131 == 0) assert_valid(f->world);
    }
    assert_ok(ilk_update(f->world, 0));
    assert_string_equal(first->owned.text, "first");
    assert_string_equal(second->owned.text, "second");
    assert_int_equal(step->number, 0);
    assert_hooks(0, 0, 1990);
    assert_int_equal(ilk_reader_lost(a), 1991);
    assert_int_equal(ilk_reader_lost(b), 1990);
    reads_note(a, "more");
    assert_string_equal(second->owned.text, "second");
    assert_ok(ilk_update(f->world, 0));
    assert_hooks(0, 0, 1); // the first
    ilk_reader_destroy(b);
    assert_hooks(0, 0, 1); // the second
    ilk_event_clear(f->world);
    assert_hooks(0, 0, 9); // but for what the first reader looks at
    reads_nothing(a);
    assert_ok(ilk_update(f->world, 0));
    assert_hooks(0, 0, 1);
}

static void a_limit_drops_the_oldest_and_counts_them(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    ilk_reader *slow = READER(f->world, &Step_type), *quick = READER(f->world, &Step_type);
    ilk_reader* own = READER(f->world, &Step_type, .entity = e);
    assert_ok(ilk_event_limit(f->world, &Step_type, 5));
    send_steps(f->world, 0, 3);
    reads_steps(quick, 0, 3);
    assert_ok(ilk_emit_to(f->world, e, ILK_VALUE(Step, 3)));
    send_steps(f->world, 4, 8);
    assert_int_equal(ilk_reader_lost(slow), 3);
    assert_int_equal(ilk_reader_lost(quick), 0);
    assert_int_equal(ilk_reader_lost(own), 0);
    send_steps(f->world, 8, 10);
    assert_int_equal(ilk_reader_lost(slow), 5);
    assert_int_equal(ilk_reader_lost(quick), 2);
    assert_int_equal(ilk_reader_lost(own), 1);
    ilk_event_stats stats = ilk_event_stats_of(f->world, &Step_type);
    assert_int_equal(stats.dropped, 5);
    assert_int_equal(stats.kept, 5);
    assert_int_equal(stats.limit, 5);
    assert_int_equal(stats.emitted, 10);
    reads_nothing(own);
    reads_steps(slow, 5, 7);
    reads_steps(quick, 5, 10);
    assert_ok(ilk_event_limit(f->world, &Step_type, 1)); // at once
    reads_steps(slow, 9, 10);
    assert_int_equal(ilk_reader_lost(slow), 7);
    assert_ok(ilk_event_limit(f->world, &Step_type, 0));
    send_steps(f->world, 10, 1000);
    reads_steps(slow, 10, 1000);
    reads_steps(quick, 10, 1000);
    assert_int_equal(ilk_reader_lost(quick), 2);
}

static void what_is_passed_does_not_count_for_the_limit(void** state) {
    fixture* f = *state;
    ilk_reader* reader = READER(f->world, &Step_type);
    assert_ok(ilk_event_limit(f->world, &Step_type, 4));
    for (uint32_t i = 0; i < 1000; i++) {
        send_steps(f->world, 4 * i, 4 * i + 4);
        reads_steps(reader, 4 * i, 4 * i + 4);
    }
    assert_int_equal(ilk_reader_lost(reader), 0);
    assert_int_equal(ilk_event_stats_of(f->world, &Step_type).dropped, 0);
}

static void clearing_forgets_what_waits(void** state) {
    fixture* f = *state;
    ilk_reader *steps = READER(f->world, &Step_type), *notes = READER(f->world, &Note_type);
    send_steps(f->world, 0, 200);
    send_note(f->world, "forgotten");
    reads_steps(steps, 0, 10);
    ilk_event_clear(f->world);
    assert_hooks(0, 0, 1);
    reads_nothing(steps);
    reads_nothing(notes);
    assert_int_equal(ilk_reader_lost(steps), 0);
    send_steps(f->world, 5, 6);
    reads_steps(steps, 5, 6);
}

static void values_of_all_sizes_come_through(void** state) {
    fixture* f = *state;
    ilk_reader *bulky = READER(f->world, &Bulky_type), *aligned = READER(f->world, &Aligned_type);
    ilk_reader *bell = READER(f->world, &Bell_type), *fresh = READER(f->world, &Health_type);
    static Bulky big;
    for (uint32_t i = 0; i < 300; i++) {
        big.number = i;
        big.bytes[4999] = (char)i;
        assert_ok(ilk_emit(f->world, ILK_VALUE_AT(Bulky, &big)));
        assert_ok(ILK_EMIT(f->world, Aligned, i));
        assert_ok(ilk_emit(f->world, ILK_WITH(Bell)));
        assert_ok(ilk_emit(f->world, ILK_WITH(Health))); // a component may be an event, too
    }
    for (uint32_t i = 0; i < 300; i++) {
        ilk_event event;
        const Bulky* b = ilk_read(bulky, NULL);
        const Aligned* a = ilk_read(aligned, NULL);
        assert_true(b->number == i && b->bytes[4999] == (char)i);
        assert_int_equal(a->number, i);
        assert_int_equal((uintptr_t)a % 256, 0);
        assert_non_null(ilk_read(bell, &event));
        assert_int_equal(event.number, 4 * i + 3);
        assert_int_equal(((const Health*)ilk_read(fresh, NULL))->points, 100);
    }
    reads_nothing(bell);
    assert_int_equal(ilk_type_count(f->world), 0); // they are no components of the world
}

static void a_restricted_world_takes_every_event(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Position_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    ilk_reader* reader = READER(world, &Step_type);
    send_steps(world, 0, 3);
    reads_steps(reader, 0, 3);
    assert_int_equal(ilk_type_count(world), 1);
    ilk_world_destroy(world);
}

static void a_warm_queue_needs_no_memory(void** state) {
    fixture* f = *state;
    ilk_reader* reader = READER(f->world, &Damage_type);
    uint64_t calls = 0;
    for (uint32_t round = 0; round < 50; round++) {
        if (round == 2) calls = f->memory.calls;
        for (int32_t i = 0; i < 1000; i++) assert_ok(ILK_EMIT(f->world, Damage, .points = i));
        for (int32_t i = 0; i < 1000; i++) {
            assert_int_equal(((const Damage*)ilk_read(reader, NULL))->points, i);
        }
    }
    assert_int_equal(f->memory.calls, calls);
}

static void trimming_gives_back_what_queues_keep(void** state) {
    fixture* f = *state;
    ilk_reader* reader = READER(f->world, &Step_type);
    size_t before = f->memory.bytes;
    send_steps(f->world, 0, 10240);
    size_t full = ilk_event_stats_of(f->world, &Step_type).bytes;
    assert_true(full >= 10240 * sizeof(Step) && f->memory.bytes > before + 10240 * sizeof(Step));
    reads_steps(reader, 0, 10240);
    reads_nothing(reader);
    ilk_trim(f->world);
    assert_int_equal(f->memory.bytes, before);
    assert_true(ilk_event_stats_of(f->world, &Step_type).bytes < full / 10);
    send_steps(f->world, 1, 2);
    reads_steps(reader, 1, 2);
}

// Commands

static void commands_send_in_their_turn(void** state) {
    fixture* f = *state;
    ilk_reader *steps = READER(f->world, &Step_type), *damages = READER(f->world, &Damage_type);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_create(cmd);
    assert_ok(ILK_EMIT(cmd, Step, 1));
    assert_ok(ILK_EMIT_TO(cmd, e, Damage, .points = 4));
    assert_ok(ilk_cmd_destroy(cmd, e));
    assert_ok(ilk_cmd_emit_to(cmd, e, ILK_VALUE(Damage, .points = 5)));
    assert_ok(ILK_EMIT(cmd, Step, 2));
    assert_int_equal(ilk_cmd_count(cmd), 6);
    reads_nothing(steps);
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 5);
    assert_int_equal(applied.skipped, 1);
    ilk_event event;
    reads_steps(steps, 1, 3);
    assert_int_equal(((const Damage*)ilk_read(damages, &event))->points, 4);
    assert_entity(event.entity, e);
    assert_int_equal(event.number, 2);
    reads_nothing(damages);
    assert_quiet(f);
}

static void events_in_commands_are_dropped_or_moved(void** state) {
    fixture* f = *state;
    ilk_reader* reader = READER(f->world, &Note_type);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity gone = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, gone));
    Note notes[4];
    assert_ok(ilk_cmd_emit(cmd, note_of("cleared", &notes[0])));
    ilk_cmd_clear(cmd);
    assert_hooks(0, 0, 1);
    assert_ok(ilk_cmd_emit_to(cmd, gone, note_of("skipped", &notes[1])));
    assert_ok(ilk_cmd_emit(cmd, note_of("sent", &notes[2])));
    assert_int_equal(ilk_cmd_apply(cmd).skipped, 1);
    assert_hooks(0, 0, 1);
    reads_note(reader, "sent");
    ilk_cmd_be_strict(cmd, true);
    assert_ok(ilk_cmd_emit_to(cmd, gone, note_of("failed", &notes[3])));
    assert_int_equal(ilk_cmd_apply(cmd).result, ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_cmd_apply");
    assert_hooks(0, 0, 1);
    ilk_type nameless = {.size = 4};
    assert_int_equal(ilk_cmd_emit(cmd, (ilk_value){&nameless, NULL}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_emit");
    assert_int_equal(ilk_cmd_emit_to(cmd, gone, (ilk_value){NULL, NULL}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_emit_to");
    assert_int_equal(ilk_cmd_emit(NULL, ILK_WITH(Bell)), ILK_INVALID);
}

static void a_default_is_made_when_it_is_sent(void** state) {
    fixture* f = *state;
    ilk_reader* reader = READER(f->world, &Note_type);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_emit(f->world, ILK_WITH(Note)));
    assert_ok(ilk_cmd_emit(cmd, ILK_WITH(Note)));
    assert_hooks(1, 0, 0);
    assert_int_equal(ilk_cmd_apply(cmd).done, 1);
    assert_hooks(1, 0, 0);
    reads_note(reader, "fresh");
    reads_note(reader, "fresh");
}

// Systems

typedef struct inside {
    ilk_reader *reader, *made;
    ilk_result emitted, addressed, limited, dispatched, unsubscribed;
    ilk_subscription *subscribed, *old;
    uint32_t seen;
} inside;

static ilk_result hear_nothing(ilk_world* world, const ilk_event* event, void* user) {
    (void)world, (void)event, (void)user;
    return ILK_OK;
}

static void try_everything(ilk_iter* it) {
    inside* in = it->user;
    in->emitted = ILK_EMIT(it->world, Step, 1);
    in->addressed = ilk_emit_to(it->world, ILKI_NULL, ILK_VALUE(Step, 1));
    in->limited = ilk_event_limit(it->world, &Step_type, 1);
    in->dispatched = ilk_dispatch(it->world, 0);
    in->made = ilk_reader_create(it->world, &(ilk_reader_desc){.type = &Step_type});
    in->subscribed = ilk_subscribe(it->world, &(ilk_subscription_desc){.call = hear_nothing});
    in->unsubscribed = ilk_unsubscribe(in->old);
    ilk_event_clear(it->world);
    ilk_reader_destroy(in->reader);
    while (ilk_read(in->reader, NULL)) in->seen++;
    assert_ok(ILK_EMIT(it->cmd, Step, 2));
}

static void inside_a_system_events_go_through_its_commands(void** state) {
    fixture* f = *state;
    inside in = {.reader = READER(f->world, &Step_type)};
    in.old =
        ilk_subscribe(f->world, &(ilk_subscription_desc){.type = &Bell_type, .call = hear_nothing});
    SYSTEM(f->world, "inside", .run = try_everything, .user = &in);
    send_steps(f->world, 0, 2);
    assert_ok(ilk_update(f->world, 0));
    assert_int_equal(in.emitted, ILK_LOCKED);
    assert_int_equal(in.addressed, ILK_LOCKED);
    assert_int_equal(in.limited, ILK_LOCKED);
    assert_int_equal(in.dispatched, ILK_LOCKED);
    assert_int_equal(in.unsubscribed, ILK_LOCKED);
    assert_null(in.made);
    assert_null(in.subscribed);
    assert_int_equal(f->told.count, 9);
    assert_non_null(strstr(f->told.text, "inside"));
    assert_int_equal(in.seen, 2);
    reads_steps(in.reader, 2, 3);
    reads_nothing(in.reader);
}

// Workers

// Each row sends a few events, some addressed to itself, some after other commands.
static void chatter(ilk_iter* it) {
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t number = numbers[i].value;
            ilk_entity e = it->entities[i];
            for (uint32_t k = 0; k <= number % 3; k++) ILK_EMIT(it->cmd, Step, 8 * number + k);
            if (number % 5 == 0) ilk_cmd_emit_to(it->cmd, e, ILK_VALUE(Damage, e, 1, number));
            if (number % 97 == 0) ilk_cmd_destroy(it->cmd, e);
            if (number % 97 == 0) ilk_cmd_emit_to(it->cmd, e, ILK_VALUE(Damage, e, 2, number));
        }
    }
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t heard_of(ilk_reader* steps, ilk_reader* damages, uint64_t hash) {
    ilk_event event;
    const Step* step;
    const Damage* damage;
    while ((step = ilk_read(steps, &event))) hash = mix(mix(hash, step->number), event.number);
    while ((damage = ilk_read(damages, &event))) {
        hash = mix(mix(hash, damage->kind + (uint64_t)event.entity.index * 4096), event.number);
    }
    return hash;
}

static uint64_t chatter_with(uint32_t workers, uint64_t seed, uint64_t* events) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    hire_workers(f, workers);
    f->world->schedule->wave.seed = seed;
    spawn_numbers(f->world, 3000);
    SYSTEM(f->world, "chatter", .run = chatter, .is_parallel = true,
           .query = {.read = {&Number_type}});
    SYSTEM(f->world, "more", .run = chatter, .is_parallel = true,
           .query = {.read = {&Number_type}});
    ilk_reader *steps = READER(f->world, &Step_type), *damages = READER(f->world, &Damage_type);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 4; i++) {
        update(f->world);
        if (i % 2) hash = heard_of(steps, damages, hash);
    }
    *events = ilk_event_stats_of(f->world, &Step_type).emitted +
              ilk_event_stats_of(f->world, &Damage_type).emitted;
    close_world(&state);
    return hash;
}

// R001.55: events too come in the same order for any number of workers, and any order of jobs.
static void events_come_in_the_same_order_for_any_number_of_workers(void** state) {
    (void)state;
    static const uint32_t workers[] = {0, 1, 2, 3, 8};
    uint64_t events, alone = chatter_with(0, 0, &events);
    assert_true(events > 40000);
    for (uint32_t i = 0; i < COUNT_OF(workers); i++) {
        for (uint64_t seed = 0; seed < QUICK_OR_SLOW(10, 2); seed++) {
            uint64_t others, hash = chatter_with(workers[i], seed, &others);
            assert_true(hash == alone);
            assert_int_equal(others, events);
        }
    }
}

typedef struct listener {
    ilk_reader* reader;
    uint64_t heard, sum;
} listener;

// Reads all that there is, and sends half as many.
static void listen(ilk_iter* it) {
    listener* l = it->user;
    for (const Step* step; (step = ilk_read(l->reader, NULL)); l->heard++) {
        l->sum += step->number;
        if (l->heard % 2) ILK_EMIT(it->cmd, Damage, .points = 1);
    }
}

static void several_systems_read_and_send_at_the_same_time(void** state) {
    fixture* f = *state;
    enum {
        LISTENERS = 4
    };
    static const char* const names[LISTENERS] = {"a", "b", "c", "d"};
    listener listeners[LISTENERS] = {{0}};
    spawn_numbers(f->world, 500);
    for (uint32_t i = 0; i < LISTENERS; i++) {
        listeners[i].reader = READER(f->world, &Step_type);
        SYSTEM(f->world, names[i], .run = listen, .user = &listeners[i], .reads = {&Position_type});
    }
    SYSTEM(f->world, "chatter", .run = chatter, .is_parallel = true,
           .query = {.read = {&Number_type}});
    assert_int_equal(ilk_system_wave(ilk_system_named(f->world, "chatter")), 0);
    ilk_reader* damages = READER(f->world, &Damage_type);
    for (uint32_t i = 0; i < 50; i++) update(f->world);
    assert_true(listeners[0].heard > 40000);
    for (uint32_t i = 1; i < LISTENERS; i++) {
        assert_true(listeners[i].heard == listeners[0].heard);
        assert_true(listeners[i].sum == listeners[0].sum);
    }
    uint64_t kind_0 = 0;
    for (const Damage* d; (d = ilk_read(damages, NULL));) kind_0 += d->who.generation == 0;
    assert_int_equal(kind_0, LISTENERS * (listeners[0].heard / 2));
}

#ifdef ILK_CHECKED
static void two_systems_of_a_wave_cannot_share_a_reader(void** state) {
    fixture* f = *state;
    listener l = {.reader = READER(f->world, &Step_type)};
    SYSTEM(f->world, "a", .run = listen, .user = &l, .reads = {&Position_type});
    update(f->world);
    update(f->world);
    assert_quiet(f);
    SYSTEM(f->world, "b", .run = listen, .user = &l, .reads = {&Position_type},
           .stays_on_main = true);
    update(f->world);
    assert_told(f, ILK_INVALID, "ilk_read");
    assert_ok(ilk_system_set_order(ilk_system_named(f->world, "a"), -1));
    assert_ok(ilk_system_destroy(ilk_system_named(f->world, "b")));
    SYSTEM(f->world, "b", .run = listen, .user = &l, .reads = {&Position_type}, .after = {"a"});
    update(f->world); // of different waves
    assert_quiet(f);
}

static void a_parallel_system_cannot_read(void** state) {
    fixture* f = *state;
    listener l = {.reader = READER(f->world, &Step_type)};
    spawn_numbers(f->world, 10);
    SYSTEM(f->world, "cut", .run = listen, .user = &l, .is_parallel = true,
           .query = {.read = {&Number_type}});
    send_steps(f->world, 0, 1);
    update(f->world);
    assert_told(f, ILK_INVALID, "ilk_read");
    assert_non_null(strstr(f->told.text, "cut"));
    reads_steps(l.reader, 0, 1);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(what_was_sent_is_read_in_order),
        WORLD_TEST(a_reader_sees_what_is_sent_after_it_was_made),
        WORLD_TEST(each_reader_reads_at_its_own_pace),
        WORLD_TEST(what_nobody_waits_for_is_not_kept),
        WORLD_TEST(some_read_what_is_addressed_to_one),
        WORLD_TEST(what_cannot_be_sent_is_still_the_callers),
        WORLD_TEST(unsound_types_are_refused),
        WORLD_TEST(variables_of_one_name_are_one_event_type),
        WORLD_TEST(values_are_dropped_when_all_have_passed_them),
        WORLD_TEST(what_is_kept_goes_with_the_world),
        WORLD_TEST(what_a_reader_looks_at_stays),
        WORLD_TEST(a_limit_drops_the_oldest_and_counts_them),
        WORLD_TEST(what_is_passed_does_not_count_for_the_limit),
        WORLD_TEST(clearing_forgets_what_waits),
        WORLD_TEST(values_of_all_sizes_come_through),
        WORLD_TEST(a_restricted_world_takes_every_event),
        WORLD_TEST(a_warm_queue_needs_no_memory),
        WORLD_TEST(trimming_gives_back_what_queues_keep),
        WORLD_TEST(commands_send_in_their_turn),
        WORLD_TEST(events_in_commands_are_dropped_or_moved),
        WORLD_TEST(a_default_is_made_when_it_is_sent),
        WORLD_TEST(inside_a_system_events_go_through_its_commands),
        cmocka_unit_test(events_come_in_the_same_order_for_any_number_of_workers),
        CREW_TEST(several_systems_read_and_send_at_the_same_time),
#ifdef ILK_CHECKED
        CREW_TEST(two_systems_of_a_wave_cannot_share_a_reader),
        CREW_TEST(a_parallel_system_cannot_read),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
