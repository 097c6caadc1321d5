// The record of what ran in the last frames: a ring of events, whose memory is had when it begins.
//
// Events are noted by the world's thread alone, frame by frame. When the ring is full, or there are
// as many frames as were asked for, the oldest frame goes; when one frame fills the ring alone, its
// further events are lost. Both are counted.
#ifndef ILKI_TRACE_H
#define ILKI_TRACE_H

#include "../base/clock.h"
#include "../base/memory.h"

typedef enum ilki_trace_kind {
    ILKI_TRACE_FRAME,
    ILKI_TRACE_PHASE,
    ILKI_TRACE_WAVE,
    ILKI_TRACE_SYSTEM,
    ILKI_TRACE_PIECE,
    ILKI_TRACE_APPLY,
    ILKI_TRACE_SETTLE
} ilki_trace_kind;

#define ILKI_TRACE_NAME 48u // bytes of a name, with the final zero

typedef struct ilki_trace_entry {
    uint64_t begin_ns, end_ns;
    uint64_t frame;
    uint64_t rows, commands;
    uint32_t worker;
    ilki_trace_kind kind;
    char name[ILKI_TRACE_NAME]; // copied, for systems go
} ilki_trace_entry;

typedef struct ilki_trace {
    const ilki_clock* clock;
    uint64_t origin_ns;            // the time 0
    uint64_t frame;                // that is being recorded, by its number in the world
    uint32_t frames;               // to keep
    uint64_t capacity, first, end; // entries there are, and those kept, by how many came before
    uint64_t frames_dropped, events_lost;
    ilki_trace_entry entries[];
} ilki_trace;

// A record of so many frames with about so many events each, after the frame with this number, with
// times by this clock. NULL without memory.
ilki_trace* ilki_trace_create(ilki_memory* memory, const ilki_clock* clock, uint32_t frames,
                              uint64_t events, uint64_t frame);
void ilki_trace_destroy(ilki_memory* memory, ilki_trace* trace); // NULL is allowed

void ilki_trace_begin_frame(ilki_trace* trace);
void ilki_trace_note(ilki_trace* trace, ilki_trace_kind kind, const char* name, uint32_t worker,
                     uint64_t begin_ns, uint64_t end_ns, uint64_t rows, uint64_t commands);
void ilki_trace_note_wave(ilki_trace* trace, uint32_t wave, uint64_t begin_ns);

// The four below are for whoever runs systems, on the world's thread. Without a trace each is a
// comparison with NULL.

// A frame begins.
ILKI_INLINE void ilki_trace_frame(ilki_trace* trace) {
    if (ILKI_UNLIKELY(trace != NULL)) ilki_trace_begin_frame(trace);
}

// The time now, if it is to be recorded.
ILKI_INLINE uint64_t ilki_trace_now(const ilki_trace* trace) {
    return ILKI_UNLIKELY(trace != NULL) ? ilki_clock_now(trace->clock) : 0;
}

// Something is over. Worker 0 is the world's thread. Rows and commands: of a system or a piece,
// those handed out and recorded; of applying, commands done; of settling, rows moved.
ILKI_INLINE void ilki_trace_add(ilki_trace* trace, ilki_trace_kind kind, const char* name,
                                uint32_t worker, uint64_t begin_ns, uint64_t end_ns, uint64_t rows,
                                uint64_t commands) {
    if (ILKI_LIKELY(trace == NULL)) return;
    ilki_trace_note(trace, kind, name, worker, begin_ns, end_ns, rows, commands);
}

// A wave is over now.
ILKI_INLINE void ilki_trace_wave(ilki_trace* trace, uint32_t wave, uint64_t begin_ns) {
    if (ILKI_UNLIKELY(trace != NULL)) ilki_trace_note_wave(trace, wave, begin_ns);
}

#endif
