// The record of what ran, and its JSON.
#include "json_support.h"
#include "schedule/schedule.h"
#include "text_support.h"

#define JSON(world) json_of((world), __FILE__, __LINE__)
static char* json_of(const ilk_world* world, const char* file, int line) {
    char* text = text_of(ilk_trace_json, world);
    if (!json_is_sound(text)) print_error("no JSON: %s\n", text);
    _assert_true(json_is_sound(text), "the text is JSON", file, line);
    return text;
}

static void the_check_of_json_is_strict(void** state) {
    (void)state;
    const char* const sound[] = {"{}",    "[]",         " [1, -0.5e+3 ,\"a\\n\\u00e4\"] ",
                                 "0",     "{\"a\":{}}", "[true,false,null,\"\xc3\xa4\"]",
                                 "1e5\n", "\"\""};
    const char* const unsound[] = {"",
                                   "{",
                                   "[1,]",
                                   "{\"a\":}",
                                   "{\"a\" 1}",
                                   "{a:1}",
                                   "01",
                                   "1.",
                                   ".5",
                                   "+1",
                                   "-",
                                   "1e",
                                   "\"\n\"",
                                   "\"\\x\"",
                                   "\"\\u12g4\"",
                                   "\"a",
                                   "[1] 2",
                                   "nul",
                                   "[1 2]",
                                   "\"\xff\"",
                                   "\"\xc0\x80\"",
                                   "\"\xed\xa0\x80\"",
                                   "'a'"};
    for (uint32_t i = 0; i < COUNT_OF(sound); i++) assert_true(json_is_sound(sound[i]));
    for (uint32_t i = 0; i < COUNT_OF(unsound); i++) assert_false(json_is_sound(unsound[i]));
}

// An event as the text has it: one on each line.
typedef struct event {
    char name[64], kind[16];
    double begin, length;
    unsigned world, worker, rows, commands;
    unsigned long frame;
} event;

static uint32_t events_of(const char* text, event* events, uint32_t capacity) {
    uint32_t count = 0;
    for (const char* at = strstr(text, "\n{\"name\":"); at; at = strstr(at + 1, "\n{\"name\":")) {
        event e = {0};
        int found = sscanf(at,
                           "\n{\"name\":\"%63[^\"]\",\"cat\":\"%15[^\"]\",\"ph\":\"X\",\"ts\":%lf,"
                           "\"dur\":%lf,\"pid\":%u,\"tid\":%u,\"args\":{\"frame\":%lu,\"rows\":%u,"
                           "\"commands\":%u",
                           e.name, e.kind, &e.begin, &e.length, &e.world, &e.worker, &e.frame,
                           &e.rows, &e.commands);
        if (found < 7) continue; // a name of the world or of a thread
        assert_true(found == 7 || found == 9);
        assert_true(count < capacity);
        events[count++] = e;
    }
    return count;
}

// The event of a kind and a name; there is one.
static const event* event_of(const event* events, uint32_t count, const char* kind,
                             const char* name) {
    const event* found = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(events[i].kind, kind) || strcmp(events[i].name, name)) continue;
        assert_null(found);
        found = &events[i];
    }
    if (!found) print_error("no %s %s\n", kind, name);
    assert_non_null(found);
    return found;
}

static void assert_inside(const event* inner, const event* outer) {
    assert_true(inner->begin >= outer->begin);
    assert_true(inner->begin + inner->length <= outer->begin + outer->length + 0.0011);
}

static void spawn_two(ilk_iter* it) {
    while (ilk_next(it)) {
    }
    for (int i = 0; i < 2; i++) ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Health)));
}

static void everything_that_ran_is_an_event(void** state) {
    fixture* f = *state;
    ilk_entity e[7];
    spawn_positions(f->world, e, 7);
    SYSTEM(f->world, "walk", .run = walk, .query = {.write = {&Position_type}});
    SYSTEM(f->world, "spawn", .run = spawn_two, .query = {.read = {&Position_type}});
    SYSTEM(f->world, "late", .run = spawn_two, .phase = "post", .is_for_all = true,
           .apply = ILK_APPLY_FRAME);
    SYSTEM(f->world, "paint", .run = walk, .phase = "draw", .is_for_all = true);
    SYSTEM(f->world, "off", .is_disabled = true, .phase = "post", .is_for_all = true);
    assert_ok(ilk_update(f->world, 1)); // before it starts
    assert_ok(ilk_trace_start(f->world, 10));
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_draw(f->world, NULL));
    char* text = JSON(f->world);
    event events[40];
    uint32_t count = events_of(text, events, COUNT_OF(events));
    const event* frame = event_of(events, count, "frame", "frame");
    const event* update = event_of(events, count, "phase", "update");
    const event* post = event_of(events, count, "phase", "post");
    const event* draw = event_of(events, count, "phase", "draw");
    const event* walked = event_of(events, count, "system", "walk");
    const event* spawned = event_of(events, count, "system", "spawn");
    const event* painted = event_of(events, count, "system", "paint");
    const event* applied = event_of(events, count, "apply", "apply spawn");
    const event* applied_late = event_of(events, count, "apply", "apply late");
    const event* settled = event_of(events, count, "settle", "settle");
    const event* second = event_of(events, count, "wave", "wave 1");
    (void)event_of(events, count, "system", "late");
    assert_int_equal(walked->rows, 7);
    assert_int_equal(walked->commands, 0);
    assert_int_equal(spawned->rows, 7);
    assert_int_equal(spawned->commands, 2);
    assert_int_equal(applied->commands, 2);
    assert_int_equal(painted->rows, 7 + 2 * 4);
    assert_inside(update, frame);
    assert_inside(post, frame);
    assert_inside(settled, frame);
    assert_inside(applied_late, frame);
    assert_inside(walked, update);
    assert_inside(spawned, second);
    assert_inside(applied, second);
    assert_inside(second, update);
    assert_inside(painted, draw);
    assert_true(walked->begin + walked->length <= spawned->begin + 0.0011);
    assert_true(spawned->begin + spawned->length <= applied->begin + 0.0011);
    assert_true(draw->begin >= frame->begin + frame->length - 0.0011);
    // A frame, three phases, four waves, four systems, two that were applied, settling.
    assert_int_equal(count, 1 + 3 + 4 + 4 + 2 + 1);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(events[i].world, ilk_world_id(f->world));
        assert_int_equal(events[i].worker, 0);
        assert_int_equal(events[i].frame, 2);
    }
    free(text);
}

static void the_last_frames_are_kept(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .run = walk);
    assert_ok(ilk_trace_start(f->world, 3));
    for (unsigned frames = 1; frames <= 12; frames++) {
        assert_ok(ilk_update(f->world, 1));
        char* text = JSON(f->world);
        char wanted[80];
        unsigned kept = frames < 3 ? frames : 3;
        snprintf(wanted, sizeof(wanted), "\"frames\":%u,\"frames_dropped\":%u,\"events_lost\":0",
                 kept, frames - kept);
        assert_has(text, wanted);
        event events[40];
        uint32_t count = events_of(text, events, COUNT_OF(events));
        assert_int_equal(count, kept * 5); // phase, wave, system, settle, frame
        assert_int_equal(events[0].frame, frames - kept + 1);
        assert_int_equal(events[count - 1].frame, frames);
        free(text);
    }
}

static void an_update_that_is_refused_is_no_frame(void** state) {
    fixture* f = *state;
    assert_ok(ilk_trace_start(f->world, 2));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_update(f->world, -1), ILK_INVALID);
    assert_shows(ilk_trace_json, f->world, "\"frames\":1,\"frames_dropped\":0");
}

// Before the first update, a drawing is of the frame before.
static void a_drawing_needs_no_frame(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "paint", .run = walk, .phase = "draw");
    assert_ok(ilk_trace_start(f->world, 1));
    assert_shows(ilk_trace_json, f->world, "\"frames\":0,");
    assert_ok(ilk_draw(f->world, NULL));
    assert_shows(ilk_trace_json, f->world, "\"args\":{\"frame\":0,\"rows\":0");
    assert_ok(ilk_update(f->world, 1));
    assert_shows_not(ilk_trace_json, f->world, "\"args\":{\"frame\":0,\"rows\":0");
}

// A full ring gives up its oldest frames; one frame that is too large alone, its last events.
static void a_full_ring_forgets_the_oldest_frame(void** state) {
    fixture* f = *state;
    ilki_memory* memory = &f->world->storage.memory;
    ilki_trace* trace = ilki_trace_create(memory, &(ilki_clock){0}, 4, 3, 100);
    assert_non_null(trace);
    assert_int_equal(trace->capacity, 12);
    for (uint32_t frame = 1; frame <= 5; frame++) {
        ilki_trace_frame(trace);
        for (uint32_t i = 0; i < 5; i++) {
            ilki_trace_add(trace, ILKI_TRACE_SYSTEM, "s", 0, i, i + 1, 0, 0);
        }
        assert_int_equal(trace->end - trace->first, frame == 1 ? 5 : 10);
        assert_int_equal(trace->frames_dropped, frame < 3 ? 0 : frame - 2);
    }
    assert_int_equal(trace->events_lost, 0);
    assert_int_equal(trace->entries[trace->first % 12].frame, 104);
    ilki_trace_frame(trace);
    for (uint32_t i = 0; i < 20; i++) {
        ilki_trace_add(trace, ILKI_TRACE_PIECE, "p", i, i, i + 1, 0, 0);
    }
    assert_int_equal(trace->frames_dropped, 5);
    assert_int_equal(trace->events_lost, 8);
    assert_int_equal(trace->end - trace->first, 12);
    for (uint64_t i = trace->first; i < trace->end; i++) {
        assert_int_equal(trace->entries[i % 12].frame, 106);
        assert_int_equal(trace->entries[i % 12].worker, i - trace->first);
    }
    ilki_trace_destroy(memory, trace);
}

static void without_a_trace_nothing_is_noted(void** state) {
    (void)state;
    ilki_trace_frame(NULL);
    ilki_trace_add(NULL, ILKI_TRACE_SYSTEM, "s", 0, 1, 2, 3, 4);
    ilki_trace_wave(NULL, 1, 2);
    assert_int_equal(ilki_trace_now(NULL), 0);
}

// Pieces come from workers, each of which has a name.
static void workers_have_names(void** state) {
    fixture* f = *state;
    assert_ok(ilk_trace_start(f->world, 2));
    ilki_trace* trace = f->world->schedule->trace;
    uint64_t t = trace->origin_ns;
    ilki_trace_add(trace, ILKI_TRACE_PIECE, "p", 2, t + 1500, t + 3999, 128, 9);
    ilki_trace_add(trace, ILKI_TRACE_PIECE, "p", 2, t + 5000, t + 4000, 128, 9); // no time at all
    ilki_trace_add(trace, ILKI_TRACE_PIECE, "p", 0, 0, 1, 64, 0);                // before it began
    char* text = JSON(f->world);
    assert_has(text, "\"tid\":2,\"args\":{\"name\":\"worker 2\"}");
    assert_has(text, "\"tid\":0,\"args\":{\"name\":\"the world's thread\"}");
    assert_has(text, "{\"name\":\"p\",\"cat\":\"piece\",\"ph\":\"X\",\"ts\":1.500,\"dur\":2.499,");
    assert_has(text, "\"ts\":5.000,\"dur\":0.000,");
    assert_has(text, "\"ts\":0.000,\"dur\":0.001,");
    assert_has(text, "\"rows\":128,\"commands\":9}}");
    assert_has(text, "\"frames\":1,");
    free(text);
}

enum {
    MANY = 6000
};

// A world with workers that are woken for the least work, and many entities.
static ilk_world* busy_world(fixture* f) {
    ilk_world_desc desc = fixture_desc(f);
    desc.workers = 2;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    ilk_entity e[MANY];
    spawn_positions(world, e, MANY);
    ilk_pause(world, false); // which makes a schedule
    world->schedule->wave.worth = 0;
    return world;
}

static void mark_first(ilk_iter* it) {
    while (ilk_next(it)) {
    }
    ilk_cmd_create(it->cmd);
}

// A system that is cut shows as its pieces, each where it ran; what one worker did lies side by
// side.
static void pieces_are_events_of_their_workers(void** state) {
    fixture* f = *state;
    ilk_world* world = busy_world(f);
    SYSTEM(world, "cut", .run = mark_first, .is_parallel = true, .piece_rows = 512,
           .query = {.write = {&Position_type}});
    SYSTEM(world, "whole", .run = walk, .query = {.with = {&Position_type}});
    assert_ok(ilk_trace_start(world, 3));
    for (int i = 0; i < 3; i++) assert_ok(ilk_update(world, 1));
    char* text = JSON(world);
    event events[300];
    uint32_t count = events_of(text, events, COUNT_OF(events));
    uint32_t rows[3] = {0}, commands[3] = {0}, wholes = 0, pieces = 0;
    const event* waves[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(events[i].kind, "wave") == 0) waves[events[i].frame - 1] = &events[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const event* e = &events[i];
        bool is_piece = strcmp(e->kind, "piece") == 0, is_system = strcmp(e->kind, "system") == 0;
        if (!is_piece && !is_system) continue;
        assert_string_equal(e->name, is_piece ? "cut" : "whole");
        assert_in_range(e->worker, 0, 2);
        assert_inside(e, waves[e->frame - 1]);
        pieces += is_piece;
        wholes += is_system;
        rows[e->frame - 1] += is_piece ? e->rows : 0;
        commands[e->frame - 1] += is_piece ? e->commands : 0;
        for (uint32_t k = 0; k < i; k++) {
            bool is_job = strcmp(events[k].kind, "piece") == 0 || !strcmp(events[k].kind, "system");
            if (!is_job || events[k].worker != e->worker) continue;
            assert_true(events[k].begin + events[k].length <= e->begin + 0.0011 ||
                        e->begin + e->length <= events[k].begin + 0.0011);
        }
    }
    assert_int_equal(wholes, 3);
    assert_true(pieces >= 3 * (MANY / 512) && pieces % 3 == 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rows[i], MANY);
        assert_int_equal(commands[i], pieces / 3);
    }
    free(text);
    ilk_world_destroy(world);
}

static void names_are_escaped_and_cut(void** state) {
    fixture* f = *state;
    char name[101], cut[ILKI_TRACE_NAME + 8];
    memset(name, 'n', 100);
    memcpy(name + 45, "\xf0\x9f\x8d\x8e", 4); // where it is cut
    name[100] = 0;
    snprintf(cut, sizeof(cut), "\"name\":\"%.45s\",", name);
    SYSTEM(f->world, name, .run = walk);
    SYSTEM(f->world, "a \"b\"\\\n\x01\xff", .run = walk);
    SYSTEM(f->world, "\xc3\xa4pfel", .run = spawn_two);
    assert_ok(ilk_trace_start(f->world, 1));
    assert_ok(ilk_update(f->world, 1));
    char* text = JSON(f->world);
    assert_has(text, cut);
    assert_has(text, "\"name\":\"a \\\"b\\\"\\\\\\u000a\\u0001\\ufffd\",");
    assert_has(text, "\"name\":\"\xc3\xa4pfel\",");
    assert_has(text, "\"name\":\"apply \xc3\xa4pfel\",");
    free(text);
}

// Names are the trace's own.
static void what_ran_is_told_when_the_system_is_gone(void** state) {
    fixture* f = *state;
    ilk_system* goer = SYSTEM(f->world, "goer", .run = walk);
    assert_ok(ilk_trace_start(f->world, 1));
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_system_destroy(goer));
    assert_shows(ilk_trace_json, f->world, "\"name\":\"goer\"");
}

static void any_size_of_memory_will_do(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .run = walk);
    assert_ok(ilk_trace_start(f->world, 2));
    assert_any_size_will_do(ilk_trace_json, f->world); // nothing ran
    for (int i = 0; i < 3; i++) assert_ok(ilk_update(f->world, 1));
    assert_any_size_will_do(ilk_trace_json, f->world);
    assert_no_world_is_no_text(ilk_trace_json);
}

static void a_trace_needs_no_memory_once_it_is_started(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .run = walk);
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_trace_start(f->world, 5));
    uint64_t calls = f->memory.calls;
    for (int i = 0; i < 100; i++) assert_ok(ilk_update(f->world, 1));
    char* text = JSON(f->world);
    assert_int_equal(f->memory.calls, calls);
    free(text);
}

static void stopping_gives_the_memory_back(void** state) {
    fixture* f = *state;
    assert_ok(ilk_trace_stop(f->world)); // there is none, nor a schedule
    SYSTEM(f->world, "one", .run = walk);
    assert_ok(ilk_update(f->world, 1));
    size_t bytes = f->memory.bytes;
    assert_ok(ilk_trace_start(f->world, 5));
    assert_true(f->memory.bytes > bytes);
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_trace_stop(f->world));
    assert_ok(ilk_trace_stop(f->world));
    assert_int_equal(f->memory.bytes, bytes);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_trace_json(f->world, NULL, 0), 0);
    assert_quiet(f);
}

static void started_again_it_begins_anew(void** state) {
    fixture* f = *state;
    assert_ok(ilk_trace_start(f->world, 1));
    for (int i = 0; i < 3; i++) assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_trace_start(f->world, 2));
    assert_shows(ilk_trace_json, f->world, "\"frames\":0,\"frames_dropped\":0,");
    for (int i = 0; i < 3; i++) assert_ok(ilk_update(f->world, 1));
    assert_shows(ilk_trace_json, f->world, "\"frames\":2,\"frames_dropped\":1,");
}

static void start_and_stop(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    (void)user;
    assert_int_equal(ilk_trace_start(world, 1), ILK_LOCKED);
    assert_int_equal(ilk_trace_stop(world), ILK_LOCKED);
    note("applied");
}

static void start_stop_and_write(ilk_iter* it) {
    start_and_stop(it->world, it->cmd, NULL);
    assert_int_equal(ilk_trace_write(it->world, NULL), ILK_INVALID);
    assert_shows(ilk_trace_json, it->world, "\"frames\":"); // reading is allowed
    ilk_cmd_call(it->cmd, start_and_stop, NULL);
}

static void a_running_world_refuses(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "starter", .run = start_stop_and_write);
    assert_ok(ilk_trace_start(f->world, 1));
    assert_ok(ilk_update(f->world, 1));
    noted("applied applied");
    assert_int_equal(f->told.count, 5);
    f->told.count = 0;
}

static void what_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_trace_start(NULL, 1), ILK_INVALID);
    assert_int_equal(ilk_trace_stop(NULL), ILK_INVALID);
    assert_int_equal(ilk_trace_write(NULL, "x"), ILK_INVALID);
    assert_quiet(f);
    assert_int_equal(ilk_trace_start(f->world, 0), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_trace_start");
    assert_int_equal(ilk_trace_write(f->world, "x"), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_trace_write");
    assert_int_equal(ilk_trace_start(f->world, UINT32_MAX), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_trace_start");
    assert_int_equal(ilk_trace_json(f->world, NULL, 0), 0);
}

static void without_memory_the_old_one_stays(void** state) {
    fixture* f = *state;
    ilk_result result = ILK_NO_MEMORY;
    for (uint64_t left = 0; result != ILK_OK; left++) {
        size_t bytes = f->memory.bytes;
        f->memory.left = left;
        result = ilk_trace_start(f->world, 3);
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_told(f, ILK_NO_MEMORY, "ilk_trace_start");
        assert_int_equal(ilk_trace_json(f->world, NULL, 0), 0);
        assert_true(f->memory.bytes == bytes || f->world->schedule);
    }
    assert_ok(ilk_update(f->world, 1));
    f->memory.left = 0;
    assert_int_equal(ilk_trace_start(f->world, 3), ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_told(f, ILK_NO_MEMORY, "ilk_trace_start");
    assert_shows(ilk_trace_json, f->world, "\"frames\":1,");
}

static void a_file_has_the_same_text(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .run = spawn_two);
    assert_ok(ilk_trace_start(f->world, 4));
    for (int i = 0; i < 6; i++) assert_ok(ilk_update(f->world, 1));
    char path[64];
    snprintf(path, sizeof(path), "ilk_trace_%u_%p.json", ilk_world_id(f->world), (void*)f);
    assert_ok(ilk_trace_write(f->world, path));
    assert_ok(ilk_trace_write(f->world, path)); // over the old one
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = JSON(f->world);
    char* copy = calloc(1, strlen(text) + 2);
    assert_non_null(copy);
    size_t length = fread(copy, 1, strlen(text) + 1, file);
    fclose(file);
    remove(path);
    assert_int_equal(length, strlen(text));
    assert_string_equal(copy, text);
    free(copy);
    free(text);
}

static void a_file_that_cannot_be_written_is_reported(void** state) {
    fixture* f = *state;
    assert_ok(ilk_trace_start(f->world, 4));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_trace_write(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_trace_write");
    assert_int_equal(ilk_trace_write(f->world, "no/such/folder/trace.json"), ILK_INVALID);
    assert_has(f->told.text, "\"no/such/folder/trace.json\" cannot be written: ");
    f->told.count = 0;
}

// A disk that is full, where there is one.
static void a_full_disk_is_reported(void** state) {
    fixture* f = *state;
    FILE* full = fopen("/dev/full", "wb");
    if (!full) skip();
    fclose(full);
    assert_ok(ilk_trace_start(f->world, 400));
    for (int i = 0; i < 2; i++) { // what fits into a buffer, and what does not
        assert_ok(ilk_update(f->world, 1));
        assert_int_equal(ilk_trace_write(f->world, "/dev/full"), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_trace_write");
        for (int k = 0; k < 399; k++) assert_ok(ilk_update(f->world, 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(the_check_of_json_is_strict),
        SCHEDULE_TEST(everything_that_ran_is_an_event),
        SCHEDULE_TEST(the_last_frames_are_kept),
        SCHEDULE_TEST(an_update_that_is_refused_is_no_frame),
        SCHEDULE_TEST(a_drawing_needs_no_frame),
        SCHEDULE_TEST(a_full_ring_forgets_the_oldest_frame),
        SCHEDULE_TEST(without_a_trace_nothing_is_noted),
        SCHEDULE_TEST(workers_have_names),
        SCHEDULE_TEST(pieces_are_events_of_their_workers),
        SCHEDULE_TEST(names_are_escaped_and_cut),
        SCHEDULE_TEST(what_ran_is_told_when_the_system_is_gone),
        SCHEDULE_TEST(any_size_of_memory_will_do),
        SCHEDULE_TEST(a_trace_needs_no_memory_once_it_is_started),
        SCHEDULE_TEST(stopping_gives_the_memory_back),
        SCHEDULE_TEST(started_again_it_begins_anew),
        SCHEDULE_TEST(a_running_world_refuses),
        SCHEDULE_TEST(what_makes_no_sense_is_refused),
        SCHEDULE_TEST(without_memory_the_old_one_stays),
        SCHEDULE_TEST(a_file_has_the_same_text),
        SCHEDULE_TEST(a_file_that_cannot_be_written_is_reported),
        SCHEDULE_TEST(a_full_disk_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
