// The rows of the benchmark: what each does, what it is to reach, and what others reach.
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "measure.h"

typedef struct bench_row {
    const char* name;
    const bench_work* work;
    double goal;      // ilk divided by raw, at most; 0 if there is no such goal
    double limit;     // ilk itself, at most, in ns or bytes; 0 if there is none
    double share;     // ilk divided by the full work, at most; 0 if there is none
    double speedup;   // the full work divided by ilk, at least; 0 if there is none
    uint32_t goal_n;  // where it counts; 0 means 100,000
    uint32_t least_n; // not measured below
    bool once;        // does not depend on n
    double peer[2];   // best peer that checks its handles, at 100,000 and 1,000,000; 0: unknown
} bench_row;

extern const bench_row bench_rows[];
extern const uint32_t bench_row_count;

extern const bench_work work_create_empty;
extern const bench_work work_create_2;
extern const bench_work work_create_2_set;
extern const bench_work work_create_2_set_10;
extern const bench_work work_create_2_bulk;
extern const bench_work work_destroy_2;
extern const bench_work work_destroy_2_random;
extern const bench_work work_random_despawn_respawn;

extern const bench_work work_get_random;
extern const bench_work work_get_2_seq;
extern const bench_work work_has_random;

extern const bench_work work_add_remove_1;
extern const bench_work work_add_remove_tag;
extern const bench_work work_add_remove_5;
extern const bench_work work_settle;

extern const bench_work work_iter_1;
extern const bench_work work_iter_2;
extern const bench_work work_iter_3;
extern const bench_work work_iter_2_half;
extern const bench_work work_iter_churn;
extern const bench_work work_iter_settled;
extern const bench_work work_iter_toggle;
extern const bench_work work_iter_rare_1pct;
extern const bench_work work_frag_26;
extern const bench_work work_frag_1024;
extern const bench_work work_frag_1024_later;
extern const bench_work work_query_once;
extern const bench_work work_change_1pct;
extern const bench_work work_modified_1pct;
extern const bench_work work_observer_none;
extern const bench_work work_observer_add;

extern const bench_work work_snapshot_take;
extern const bench_work work_snapshot_restore;
extern const bench_work work_snapshot_open;
extern const bench_work work_snapshot_tax;
extern const bench_work work_rollback_8;
extern const bench_work work_write_barrier;
extern const bench_work work_hash_1pct;
extern const bench_work work_delta_1pct;
extern const bench_work work_hash_full;

extern const bench_work work_space_build;
extern const bench_work work_space_refresh_1pct;
extern const bench_work work_space_refresh_all;
extern const bench_work work_space_radius;
extern const bench_work work_space_nearest_8;
extern const bench_work work_space_build_clustered;
extern const bench_work work_space_refresh_1pct_clustered;
extern const bench_work work_space_refresh_all_clustered;
extern const bench_work work_space_radius_clustered;
extern const bench_work work_space_nearest_8_clustered;

extern const bench_work work_relate_1;
extern const bench_work work_relate_4000;
extern const bench_work work_relate_4000_bytes;
extern const bench_work work_children_50k;
extern const bench_work work_children_50k_iter;
extern const bench_work work_children_50k_parents;
extern const bench_work work_children_50k_bytes;
extern const bench_work work_transform_tree;
extern const bench_work work_name_lookup;
extern const bench_work work_name_set;
extern const bench_work work_query_related;
extern const bench_work work_spawn_blueprint;
extern const bench_work work_clone_1;
extern const bench_work work_transfer_100k;

extern const bench_work work_defer_spawn;
extern const bench_work work_cmd_set;
extern const bench_work work_event_emit_read;

extern const bench_work work_systems_7;
extern const bench_work work_empty_system;
extern const bench_work work_schedule_100;
extern const bench_work work_par_heavy;
extern const bench_work work_par_small;
extern const bench_work work_par_kinds;

extern const bench_work work_mem_3;
extern const bench_work work_mem_rare_1pct;
extern const bench_work work_world_empty_time;
extern const bench_work work_world_empty_heap;

#endif
