// Goals and peers. Goals are for ilk divided by raw at 100,000 unless a limit is given, a share of
// the full work, or a speed-up over it; rows without a goal are there to be looked at. The peers are the better of flecs,
// EnTT and gaia, in ns (or bytes) on one machine; on another they are an indication, no more. For
// iter_churn that is EnTT: flecs walks such entities in 0.28, but only after 118 ns for each change.
// EnTT's figure for defer_spawn is for direct changes, without a queue; bevy has the quickest empty
// system.
#include "rows.h"

const bench_row bench_rows[] = {
    {"create_empty", &work_create_empty, .goal = 2, .peer = {10.7, 11.9}},
    {"create_2", &work_create_2, .goal = 2, .peer = {32, 36}},
    {"create_2_set", &work_create_2_set, .goal = 4, .peer = {42, 49}},
    {"create_2_set_10", &work_create_2_set_10, .goal = 4},
    {"create_2_bulk", &work_create_2_bulk, .goal = 1.5, .peer = {14, 22}},
    {"destroy_2", &work_destroy_2, .goal = 8, .peer = {24, 25}},
    {"destroy_2_random", &work_destroy_2_random, .goal = 4, .peer = {61, 226}},
    {"get_random", &work_get_random, .goal = 2.2, .peer = {2.7, 11}},
    {"get_2_seq", &work_get_2_seq, .goal = 2, .peer = {1.7, 2.3}},
    {"has_random", &work_has_random, .goal = 2.5, .peer = {1.6, 3.1}},
    {"add_remove_1", &work_add_remove_1, .goal = 4, .peer = {19, 20}},
    {"add_remove_tag", &work_add_remove_tag, .goal = 4, .peer = {15, 15}},
    {"add_remove_5", &work_add_remove_5, .goal = 4},
    {"iter_1", &work_iter_1, .goal = 1.03, .peer = {0.23, 0.31}},
    {"iter_2", &work_iter_2, .goal = 1.03, .peer = {0.40, 0.57}},
    {"iter_3", &work_iter_3, .goal = 1.03, .peer = {0.97, 1.9}},
    {"iter_2_half", &work_iter_2_half, .goal = 1.05, .peer = {0.28, 0.53}},
    {"iter_churn", &work_iter_churn, .goal = 4.3, .peer = {2.1, 4.0}},
    {"iter_settled", &work_iter_settled, .goal = 1.05, .peer = {0.28, 0}},
    {"iter_toggle", &work_iter_toggle, .goal = 0},
    {"iter_rare_1pct", &work_iter_rare_1pct, .goal = 0},
    {"settle", &work_settle, .limit = 60},
    {"frag_26", &work_frag_26, .goal = 1.2, .peer = {0.08, 0.14}},
    {"frag_1024", &work_frag_1024, .goal = 1.1, .peer = {0.97, 0.72}},
    {"frag_1024_later", &work_frag_1024_later, .goal = 1.1, .peer = {0.97, 0.72}},
    {"query_once", &work_query_once, .goal = 0},
    {"change_1pct", &work_change_1pct, .share = 0.03, .goal_n = 1000000},
    {"modified_1pct", &work_modified_1pct, .goal = 0},
    {"observer_none", &work_observer_none, .share = 1.03},
    {"observer_add", &work_observer_add, .goal = 0},
    {"random_despawn_respawn", &work_random_despawn_respawn, .goal = 2.5, .peer = {118, 427}},
    {"defer_spawn", &work_defer_spawn, .goal = 2.5, .peer = {37, 46}},
    {"cmd_set", &work_cmd_set, .goal = 0},
    {"event_emit_read", &work_event_emit_read, .goal = 0},
    {"systems_7", &work_systems_7, .goal = 1, .peer = {12.7, 20}},
    {"empty_system", &work_empty_system, .limit = 30, .once = true, .peer = {32, 0}},
    {"schedule_100", &work_schedule_100, .goal = 0},
    {"par_heavy", &work_par_heavy, .speedup = 1.95},
    {"par_small", &work_par_small, .share = 1.05, .once = true},
    {"par_kinds", &work_par_kinds, .speedup = 1.9, .once = true},
    {"mem_3", &work_mem_3, .goal = 1.45, .least_n = 100000, .peer = {61, 60}},
    {"mem_rare_1pct", &work_mem_rare_1pct, .limit = 400, .goal_n = 1000000, .least_n = 100000,
     .peer = {0, 470}},
    {"world_empty_time", &work_world_empty_time, .limit = 10e3, .once = true, .peer = {1.5e6, 0}},
    {"world_empty_heap", &work_world_empty_heap, .limit = 16 * 1024, .once = true,
     .peer = {1180 * 1024, 0}},
};

const uint32_t bench_row_count = sizeof bench_rows / sizeof *bench_rows;
