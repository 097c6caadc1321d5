#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ilk/see.h>

#include "../base/text.h"
#include "schedule.h"

#define EVENTS_OF_FRAME 64u // that a trace has room for, and more for each system
#define EVENTS_OF_SYSTEM 8u

static size_t trace_bytes(uint64_t capacity) {
    return sizeof(ilki_trace) + (size_t)capacity * sizeof(ilki_trace_entry);
}

ilki_trace* ilki_trace_create(ilki_memory* memory, const ilki_clock* clock, uint32_t frames,
                              uint64_t events, uint64_t frame) {
    uint64_t most = (SIZE_MAX - sizeof(ilki_trace)) / sizeof(ilki_trace_entry);
    if (events > most / frames) return NULL;
    uint64_t capacity = frames * events;
    ilki_trace* trace = ilki_alloc(memory, ILKI_OTHER, trace_bytes(capacity), _Alignof(ilki_trace));
    if (!trace) return NULL;
    *trace = (ilki_trace){.clock = clock,
                          .origin_ns = ilki_clock_now(clock),
                          .frame = frame,
                          .frames = frames,
                          .capacity = capacity};
    return trace;
}

void ilki_trace_destroy(ilki_memory* memory, ilki_trace* trace) {
    if (!trace) return;
    ilki_free(memory, ILKI_OTHER, trace, trace_bytes(trace->capacity), _Alignof(ilki_trace));
}

static ilki_trace_entry* entry_at(ilki_trace* trace, uint64_t at) {
    return &trace->entries[at % trace->capacity];
}

// Takes out the oldest frame. There is one.
static void drop_frame(ilki_trace* trace) {
    uint64_t frame = entry_at(trace, trace->first)->frame;
    while (trace->first < trace->end && entry_at(trace, trace->first)->frame == frame) {
        trace->first++;
    }
    trace->frames_dropped++;
}

void ilki_trace_begin_frame(ilki_trace* trace) {
    trace->frame++;
    while (trace->first < trace->end &&
           trace->frame - entry_at(trace, trace->first)->frame >= trace->frames) {
        drop_frame(trace);
    }
}

// Copies a name as far as it fits, without a part of a character at its end.
static void copy_trace_name(char* to, const char* name) {
    size_t length = strlen(name);
    if (length >= ILKI_TRACE_NAME) {
        length = ILKI_TRACE_NAME - 1;
        while (length && ((unsigned char)name[length] & 0xc0u) == 0x80u) length--;
    }
    memcpy(to, name, length);
    to[length] = 0;
}

void ilki_trace_note(ilki_trace* trace, ilki_trace_kind kind, const char* name, uint32_t worker,
                     uint64_t begin_ns, uint64_t end_ns, uint64_t rows, uint64_t commands) {
    if (trace->end - trace->first == trace->capacity) {
        if (entry_at(trace, trace->first)->frame == trace->frame) {
            trace->events_lost++;
            return;
        }
        drop_frame(trace);
    }
    ilki_trace_entry* entry = entry_at(trace, trace->end++);
    entry->begin_ns = begin_ns;
    entry->end_ns = end_ns;
    entry->frame = trace->frame;
    entry->rows = rows;
    entry->commands = commands;
    entry->worker = worker;
    entry->kind = kind;
    copy_trace_name(entry->name, name);
}

void ilki_trace_note_wave(ilki_trace* trace, uint32_t wave, uint64_t begin_ns) {
    char name[ILKI_TRACE_NAME];
    snprintf(name, sizeof name, "wave %" PRIu32, wave);
    ilki_trace_note(trace, ILKI_TRACE_WAVE, name, 0, begin_ns, ilki_clock_now(trace->clock), 0, 0);
}

static ilk_result refuse_while_running(ilk_world* world, const char* call) {
    if (!ilki_is_running(world)) return ILK_OK;
    return ilki_fail_because(world, ILK_LOCKED, call, NULL, "the world is running");
}

ilk_result ilk_trace_start(ilk_world* world, uint32_t frames) {
    const char* call = "ilk_trace_start";
    ilk_result result = ilki_enter(world, call);
    if (result == ILK_OK) result = refuse_while_running(world, call);
    if (result != ILK_OK) return result;
    if (!frames) return ilki_fail_because(world, ILK_INVALID, call, NULL, "it has no frames");
    ilki_schedule* schedule = ilki_schedule_of(world, call);
    if (!schedule) return ILK_NO_MEMORY;
    ilki_memory* memory = &world->storage.memory;
    uint64_t events = EVENTS_OF_FRAME + (uint64_t)EVENTS_OF_SYSTEM * schedule->count;
    ilki_trace* trace =
        ilki_trace_create(memory, &schedule->wave.clock, frames, events, schedule->time.frames);
    if (!trace) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    ilki_trace_destroy(memory, schedule->trace);
    schedule->trace = trace;
    return ILK_OK;
}

ilk_result ilk_trace_stop(ilk_world* world) {
    const char* call = "ilk_trace_stop";
    ilk_result result = ilki_enter(world, call);
    if (result == ILK_OK) result = refuse_while_running(world, call);
    if (result != ILK_OK || !world->schedule) return result;
    ilki_trace_destroy(&world->storage.memory, world->schedule->trace);
    world->schedule->trace = NULL;
    return ILK_OK;
}

// Nanoseconds as microseconds; never by a floating-point format, which goes by the locale.
static void put_microseconds(ilki_text* to, uint64_t ns) {
    ilki_text_format(to, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}

static uint64_t ns_after(uint64_t begin, uint64_t end) {
    return end > begin ? end - begin : 0;
}

static void put_event(ilki_text* to, const ilk_world* world, const ilki_trace_entry* entry) {
    static const char* const kinds[] = {"frame", "phase", "wave",  "system",
                                        "piece", "apply", "settle"};
    bool applies = entry->kind == ILKI_TRACE_APPLY;
    char name[ILKI_TRACE_NAME + 8];
    snprintf(name, sizeof name, "%s%s", applies ? "apply " : "", entry->name);
    ilki_text_put(to, ",\n{\"name\":");
    ilki_text_quote(to, name);
    ilki_text_format(to, ",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":", kinds[entry->kind]);
    put_microseconds(to, ns_after(world->schedule->trace->origin_ns, entry->begin_ns));
    ilki_text_put(to, ",\"dur\":");
    put_microseconds(to, ns_after(entry->begin_ns, entry->end_ns));
    ilki_text_format(to, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"args\":{\"frame\":%" PRIu64,
                     world->id, entry->worker, entry->frame);
    if (entry->kind >= ILKI_TRACE_SYSTEM) {
        ilki_text_format(to, ",\"rows\":%" PRIu64 ",\"commands\":%" PRIu64, entry->rows,
                         entry->commands);
    }
    ilki_text_put(to, "}}");
}

static bool is_first_of_worker(ilki_trace* trace, uint64_t at) {
    for (uint64_t i = trace->first; i < at; i++) {
        if (entry_at(trace, i)->worker == entry_at(trace, at)->worker) return false;
    }
    return true;
}

// What a viewer calls the world and its threads.
static void put_names(ilki_text* to, const ilk_world* world, ilki_trace* trace) {
    ilki_text_format(to,
                     "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%" PRIu32
                     ",\"tid\":0,\"args\":{\"name\":",
                     world->id);
    ilki_text_quote(to, world->name);
    ilki_text_put(to, "}}");
    for (uint64_t i = trace->first; i < trace->end; i++) {
        uint32_t worker = entry_at(trace, i)->worker;
        if (!is_first_of_worker(trace, i)) continue;
        ilki_text_format(to,
                         ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%" PRIu32
                         ",\"tid\":%" PRIu32 ",\"args\":{\"name\":\"",
                         world->id, worker);
        if (worker)
            ilki_text_format(to, "worker %" PRIu32, worker);
        else
            ilki_text_put(to, "the world's thread");
        ilki_text_put(to, "\"}}");
    }
}

static uint64_t frames_kept(ilki_trace* trace) {
    uint64_t kept = 0;
    for (uint64_t i = trace->first; i < trace->end; i++) {
        kept += i == trace->first || entry_at(trace, i)->frame != entry_at(trace, i - 1)->frame;
    }
    return kept;
}

static void put_trace(ilki_text* to, const ilk_world* world, ilki_trace* trace) {
    ilki_text_put(to, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"world\":");
    ilki_text_quote(to, world->name);
    ilki_text_format(to,
                     ",\"frames\":%" PRIu64 ",\"frames_dropped\":%" PRIu64
                     ",\"events_lost\":%" PRIu64 "},\n\"traceEvents\":[\n",
                     frames_kept(trace), trace->frames_dropped, trace->events_lost);
    put_names(to, world, trace);
    for (uint64_t i = trace->first; i < trace->end; i++) put_event(to, world, entry_at(trace, i));
    ilki_text_put(to, "\n]}\n");
}

static ilki_trace* trace_of(const ilk_world* world) {
    return world && world->schedule ? world->schedule->trace : NULL;
}

size_t ilk_trace_json(const ilk_world* world, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    if (trace_of(world)) put_trace(&to, world, trace_of(world));
    return to.length;
}

ilk_result ilk_trace_write(ilk_world* world, const char* path) {
    const char* call = "ilk_trace_write";
    ilk_result result = ilki_enter_to_look(world, call);
    if (result != ILK_OK) return result;
    if (!path) return ilki_fail_because(world, ILK_INVALID, call, NULL, "there is no path");
    if (!trace_of(world)) {
        return ilki_fail_because(world, ILK_MISSING, call, NULL, "no trace was started");
    }
    errno = 0;
    ilki_text to = {.file = fopen(path, "wb")};
    if (to.file) put_trace(&to, world, trace_of(world));
    bool is_written = to.file && !ferror(to.file);
    if (to.file && fclose(to.file) != 0) is_written = false;
    if (is_written) return ILK_OK;
    return ilki_fail_because(world, ILK_INVALID, call, NULL, "\"%s\" cannot be written: %s", path,
                             strerror(errno));
}
