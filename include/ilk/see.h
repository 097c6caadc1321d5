// Seeing: what a world holds, in which order its systems run and why, and what ran when.
//
//     char text[4096];
//     ilk_world_dump(world, text, sizeof text);
//     puts(text);
//
// Functions that give text write at most `size` bytes with the final zero (NULL and 0 are allowed)
// and return the whole length without it; 0 without a world. They only read, need no memory, and
// may be called inside a system; where the world has workers, in one that runs alone because it
// declares nothing. The same world gives the same text, but for times.
// Everything here is for the world's thread.
#ifndef ILK_SEE_H
#define ILK_SEE_H

#include "system.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a world holds: entities, memory, plugins and scenes, then a table of each: ilks, components,
// resources (with their values, as ilk_entity_text shows them), queries, systems.
ILK_API size_t ilk_world_dump(const ilk_world* world, char* text, size_t size);

// An entity with its components, in order of first use, and the values of the fields that a type
// describes: "entity 12:3 Position {x 1, y 2.5}, Velocity, Enemy (off)". Of an array the first 16
// elements are shown, of characters 64; of pointers whether they are NULL; of bytes how many there
// are; of a relation the first 16 targets: "Likes {to 3:1, 4:1}". One that is dead is shown as
// such. A handle is shown as its index and how often that was used; with its tag if that is not the
// world's, "12:3 (tag 5)"; and with its name if it has one, 12:3 "door", here and in messages.
ILK_API size_t ilk_entity_text(const ilk_world* world, ilk_entity e, char* text, size_t size);

// Which chunks and how many entities each system would visit now; and for each ilk, the systems
// that visit it.
ILK_API size_t ilk_matches_text(const ilk_world* world, char* text, size_t size);

// The systems by phase and wave, what each reads and writes, and why each wave had to begin.
ILK_API size_t ilk_schedule_text(const ilk_world* world, char* text, size_t size);

// The same as a graph for Graphviz: a solid edge where a system is declared to run before another;
// a dashed one where it runs before for what they both use, with the names of components and
// resources. Of
// these, each system has those from the last wave that it must not run beside.
ILK_API size_t ilk_schedule_dot(const ilk_world* world, char* text, size_t size);

// Record what runs, in the last `frames` frames, the one being run included. (A frame is an update,
// and the drawing after it.) The memory is had now and never while running: room for 64 events a
// frame, and 8 for each system that there is; where frames have more, fewer of them are kept.
// Started again, it begins anew. LOCKED while the world is running, INVALID for no frames,
// NO_MEMORY.
ILK_API ilk_result ilk_trace_start(ilk_world* world, uint32_t frames);

// Forget the record, and give its memory back. OK also if there is none; LOCKED while the world is
// running.
ILK_API ilk_result ilk_trace_stop(ilk_world* world);

// The record as trace events in JSON, as Perfetto (ui.perfetto.dev) and Chrome show them: frames,
// phases, waves, systems or their pieces, the applying of commands, settling; as text of length 0
// if none was started. Or into a file: MISSING if none was started, INVALID for a path that cannot
// be written (the sentence says why).
ILK_API size_t ilk_trace_json(const ilk_world* world, char* text, size_t size);
ILK_API ilk_result ilk_trace_write(ilk_world* world, const char* path);

#ifdef __cplusplus
}
#endif
#endif
