// Queries and passes of a run: what the library was told to look for, how far each walk has come,
// and what it owes until its end.
//
// Passes stay open from one operation to the next, so that whatever a script does is also done
// inside of loops. The judge of a pass knows what matched when it began; after each operation it is
// told what ceased to, and what came to match ahead of it. So it can say of each entity whether it
// had to come, could, or must not.
#ifndef PASSES_H
#define PASSES_H

#include "model.h"
#include "script.h"

#define RUN_QUERIES 8u                                      // of a world at a time
#define RUN_SYSTEM_QUERY(place) (RUN_QUERIES + 1 + (place)) // of a system: others leave it alone
#define RUN_CONDITIONS 200u                                 // words in the condition of a query
#define RUN_PASSES 16u // that are followed; the library may have others open, which were left
#define RUN_OPEN 12u   // iterators that a world keeps open

typedef struct run run;
typedef struct run_side run_side;

typedef struct run_query {
    ilk_query* query; // NULL: this place is free
    model_query model;
    model_condition conditions[RUN_CONDITIONS]; // the model's `where` is made of these
    uint64_t passes, rows;                      // as its statistics must say
    uint64_t number;                            // the how many-th of its world
} run_query;

typedef struct run_pass {
    bool exists;
    bool is_pinned;   // it must stay until the operation is done
    bool is_open;     // as far as the library should know
    bool is_over;     // ilk_next, or ilk_iter_end, has come to its end
    bool is_cut;      // into parts, which are walked in any order
    bool is_by_rows;  // the last run came by ilk_next_rows
    bool is_doubtful; // its end may be told in more than one way
    ilk_result end;   // the result, once there are no more rows
    ilk_iter it;
    uint32_t query;  // its place; RUN_QUERIES once it is destroyed
    uint32_t serial; // passes begun in this world before
    uint64_t begun, since;
    uint64_t refused; // requests for memory, before it began
    uint32_t slots;   // when it began
    uint8_t* marks;   // by slot
    uint32_t* ranks;  // by slot, from 1, for a query with an order
    uint32_t rank;    // of the last one that came
    uint32_t abreast; // its place, if those of the same rank come in order of places
    uint32_t* places; // by slot, from 1, as the library would walk everything; NULL: not known
    uint32_t front;   // the place of the last one that came
    uint32_t bare; // 1 above the index of the last one that came without ever having had components
    ilk_entity* seen; // all that came
    uint32_t seen_count;
    uint32_t run_count; // the last ones of them, which came together
} run_pass;

// An iterator that the library should have open, followed or left.
typedef struct run_open_iter {
    uint32_t serial, query;
} run_open_iter;

typedef struct run_passes {
    ilk_query* all; // matches every entity, and tells in which order they lie
    run_query queries[RUN_SYSTEM_QUERY(MODEL_SYSTEMS)];
    run_pass passes[RUN_PASSES];
    run_open_iter open[RUN_OPEN]; // in the order of beginning
    uint32_t open_count;
    uint32_t serial;
    uint64_t made;            // queries
    uint64_t followed;        // the time of the model up to which passes were told what changed
    uint64_t tick, tick_time; // the last tick that was asked for, and when that was
} run_passes;

// A query that there is, or RUN_QUERIES.
uint32_t run_pick_query(const run_side* s, uint32_t pick);
// A pass that there is, or NULL.
run_pass* run_pick_pass(run_side* s, uint32_t pick);
// An entity that a pass gave, or has yet to give, or null.
// What an open pass asks of relations, or any query; or NULL.
const model_asked* run_pick_asked(const run_side* s, uint32_t pick);
ilk_entity run_pick_passed(const run_side* s, uint32_t mode, uint32_t pick);

// Judge a pass that begins now. One that is followed already may be left for it.
run_pass* run_pass_start(run* r, run_side* s, uint32_t query, uint32_t seed);
// Learn where everybody lies, for a pass inside of which things will happen.
void run_pass_survey(run_side* s, run_pass* p);
// The library opened its iterator, which may end another.
void run_pass_opened(run_side* s, run_pass* p);
// The library opens an iterator of its own and closes it: that may end another.
void run_pass_in_passing(run_side* s);
// The library closed it.
void run_pass_closed(run_side* s, run_pass* p);
// An entity came. False if it should not have.
bool run_pass_see(run* r, run_side* s, run_pass* p, ilk_entity e);
// It came to its end.
void run_pass_finish(run* r, run_side* s, run_pass* p);
void run_pass_forget(run_pass* p);

// One run of a pass, judged, with its columns. False at the end.
bool run_pass_step(run* r, run_side* s, run_pass* p, bool is_by_rows, const script_op* op);

// Tell all open passes what an operation changed.
void run_follow_passes(run_side* s);
// All open passes of a query (RUN_QUERIES: of any) are ended.
void run_end_passes(run_side* s, uint32_t query);
void run_open_passes(run* r, run_side* s);
void run_forget_passes(run_side* s);

// All that a query matches now, by ilk_query_collect, judged. They live until the next call.
const ilk_entity* run_collect(run* r, run_side* s, uint32_t query, uint32_t* count);

// A condition as text and as a tree. The faults that it has are added to `faults`, those that it
// may be taken for to `doubts`.
typedef struct run_wording {
    uint64_t state; // of random numbers
    char text[4096];
    size_t length;
    model_condition* words;
    uint32_t count;
    model_faults faults, doubts;
} run_wording;
typedef uint32_t run_choose_fn(void* user, uint64_t random);
const model_condition* run_word_condition(run_wording* w, const model_world* m, bool wrong,
                                          run_choose_fn* choose, void* user);

#endif
