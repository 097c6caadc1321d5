// Parallel systems of a run: what their pieces saw and did, until the model does the same.
//
// Pieces run at the same time, on any thread, so they leave the model alone. What a piece does is
// made up from its rows, never from what others do; it is logged, and once all systems of the wave
// are done the model goes through the logs, in the order of the pieces. That order is known from a
// list of all that matches, which is asked for when the library asks whether the system is to run.
//
// Of lanes, which give handles to pieces, the model knows that each handle is new (see
// model_take_over), and that there are as many as there are commands that make one; not which slots
// they choose. That they do not depend on the number of workers is told by the digest of a run.
#ifndef PIECES_H
#define PIECES_H

#include "cmds.h"
#include "model.h"

#define PIECE_DEEDS 8u   // commands of a piece
#define PIECE_VALUES 4u  // of a command
#define PIECE_ERRANDS 2u // functions that all pieces of a run queue together

typedef struct run_system run_system;
typedef struct run_occasion run_occasion;

// A command that a piece recorded, or tried to.
typedef struct run_deed {
    model_verb verb;
    ilk_entity entity; // null if it makes one
    ilk_entity made;
    model_value values[PIECE_VALUES]; // their bytes are the log's
    uint32_t count;
    void* user;
    uint32_t change; // of scenes
    ilk_result result;
} run_deed;

typedef struct run_piece {
    struct run_piece* next;
    run_occasion* of;
    ilk_entity* rows;
    uint64_t* looks; // of the values of each
    uint32_t count, capacity;
    bool is_left; // before its end
    double dt;
    run_deed deeds[PIECE_DEEDS];
    uint32_t deed_count;
    uint32_t messages;     // that came
    uint32_t expected;     // that should have come
    ilk_result told;       // by the last one
    const char* complaint; // the first thing that was wrong, or NULL
} run_piece;

// A time that a parallel system runs.
struct run_occasion {
    run_occasion* next;
    run_system* system;
    const model_query* query;
    uint64_t seed;
    ilk_entity* all; // what matches, in order
    uint32_t count;
    bool may_create, is_writing, is_by_rows;
    run_errand* errands[PIECE_ERRANDS];
    ilk_entity asker[PIECE_ERRANDS]; // whose piece queues it
    run_piece* pieces;               // those that are done, in any order
};

// The library asks whether a parallel system is to run, and it is.
void run_occasion_begin(run_system* its);
// The functions of parallel systems.
ilk_system_fn run_parallel_run;
ilk_each_fn run_parallel_each;
// The log of the piece that this thread runs, or NULL.
run_piece* run_piece_here(void);
// The model does what the pieces of the system did the first time of those that are not judged yet;
// so many nanoseconds went by for it.
void run_judge_pieces(run* r, run_side* s, uint32_t place, uint64_t ns);
void run_forget_pieces(run_system* its);

// What both sides must agree upon: whether a value is written to, and with what; and what the
// values of a row look like.
bool run_is_scrawled(const run_occasion* o, ilk_entity e);
uint32_t run_scrawl_seed(const run_occasion* o, ilk_entity e);
void run_look(uint64_t* look, uint32_t type, const void* value);

#endif
