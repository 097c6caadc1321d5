// The checked build: define ILK_CHECKED for the library and for the program, and ilk reports misuse
// that C cannot return, with the place of the call: a world used by a thread that does not own it
// (WRONG_THREAD), a value written through a pointer after it was removed (STALE; found when its
// place is used again, and by ilk_world_validate), a handle of a destroyed entity (DEAD, with the
// place where it was destroyed). STALE is a notice to the callback: the call that finds it goes on.
//
// Each name below is a macro that notes the caller's place and calls the function of that name.
// Where one such call is an argument of another, the outer one is reported at the place of the
// inner.
#ifndef ILK_CHECKED_H
#define ILK_CHECKED_H

#include "event.h"
#include "blueprint.h"
#include "scene.h"
#include "resource.h"
#include "see.h"
#include "worlds.h"
#include "plugin.h"

#ifdef ILK_CHECKED
#ifdef __cplusplus
extern "C" {
#endif

// Note the place of the call that follows, for this thread.
ILK_API void ilk_here(const char* file, int line);

#ifdef __cplusplus
}
#endif

#define ILK_HERE_(call) (ilk_here(__FILE__, __LINE__), call)
#define ilk_world_create(...) ILK_HERE_(ilk_world_create(__VA_ARGS__))
#define ilk_world_make(...) ILK_HERE_(ilk_world_make(__VA_ARGS__))
#define ilk_world_set_user(...) ILK_HERE_(ilk_world_set_user(__VA_ARGS__))
#define ilk_plugin_install(...) ILK_HERE_(ilk_plugin_install(__VA_ARGS__))
#define ilk_register(...) ILK_HERE_(ilk_register(__VA_ARGS__))
#define ilk_unregister(...) ILK_HERE_(ilk_unregister(__VA_ARGS__))
#define ilk_clear(...) ILK_HERE_(ilk_clear(__VA_ARGS__))
#define ilk_trim(...) ILK_HERE_(ilk_trim(__VA_ARGS__))
#define ilk_settle(...) ILK_HERE_(ilk_settle(__VA_ARGS__))
#define ilk_create(...) ILK_HERE_(ilk_create(__VA_ARGS__))
#define ilk_spawn(...) ILK_HERE_(ilk_spawn(__VA_ARGS__))
#define ilk_copy(...) ILK_HERE_(ilk_copy(__VA_ARGS__))
#define ilk_deactivate(...) ILK_HERE_(ilk_deactivate(__VA_ARGS__))
#define ilk_activate(...) ILK_HERE_(ilk_activate(__VA_ARGS__))
#define ilk_create_inactive(...) ILK_HERE_(ilk_create_inactive(__VA_ARGS__))
#define ilk_destroy(...) ILK_HERE_(ilk_destroy(__VA_ARGS__))
#define ilk_add(...) ILK_HERE_(ilk_add(__VA_ARGS__))
#define ilk_set(...) ILK_HERE_(ilk_set(__VA_ARGS__))
#define ilk_replace(...) ILK_HERE_(ilk_replace(__VA_ARGS__))
#define ilk_ensure(...) ILK_HERE_(ilk_ensure(__VA_ARGS__))
#define ilk_edit(...) ILK_HERE_(ilk_edit(__VA_ARGS__))
#define ilk_remove(...) ILK_HERE_(ilk_remove(__VA_ARGS__))
#define ilk_remove_all(...) ILK_HERE_(ilk_remove_all(__VA_ARGS__))
#define ilk_disable(...) ILK_HERE_(ilk_disable(__VA_ARGS__))
#define ilk_enable(...) ILK_HERE_(ilk_enable(__VA_ARGS__))
#define ilk_set_name(...) ILK_HERE_(ilk_set_name(__VA_ARGS__))
#define ilk_set_id(...) ILK_HERE_(ilk_set_id(__VA_ARGS__))
#define ilk_create_many(...) ILK_HERE_(ilk_create_many(__VA_ARGS__))
#define ilk_destroy_many(...) ILK_HERE_(ilk_destroy_many(__VA_ARGS__))
#define ilk_add_many(...) ILK_HERE_(ilk_add_many(__VA_ARGS__))
#define ilk_remove_many(...) ILK_HERE_(ilk_remove_many(__VA_ARGS__))
#define ilk_spawn_many(...) ILK_HERE_(ilk_spawn_many(__VA_ARGS__))
#define ilk_query_create(...) ILK_HERE_(ilk_query_create(__VA_ARGS__))
#define ilk_query_iter(...) ILK_HERE_(ilk_query_iter(__VA_ARGS__))
#define ilk_iter_split(...) ILK_HERE_(ilk_iter_split(__VA_ARGS__))
#define ilk_column_write(...) ILK_HERE_(ilk_column_write(__VA_ARGS__))
#define ilk_column_read(...) ILK_HERE_(ilk_column_read(__VA_ARGS__))
#define ilk_column_maybe(...) ILK_HERE_(ilk_column_maybe(__VA_ARGS__))
#define ilk_each(...) ILK_HERE_(ilk_each(__VA_ARGS__))
#define ilk_query_collect(...) ILK_HERE_(ilk_query_collect(__VA_ARGS__))
#define ilk_mark(...) ILK_HERE_(ilk_mark(__VA_ARGS__))
#define ilk_cmd_take(...) ILK_HERE_(ilk_cmd_take(__VA_ARGS__))
#define ilk_cmd_give_back(...) ILK_HERE_(ilk_cmd_give_back(__VA_ARGS__))
#define ilk_cmd_clear(...) ILK_HERE_(ilk_cmd_clear(__VA_ARGS__))
#define ilk_cmd_be_strict(...) ILK_HERE_(ilk_cmd_be_strict(__VA_ARGS__))
#define ilk_cmd_create(...) ILK_HERE_(ilk_cmd_create(__VA_ARGS__))
#define ilk_cmd_spawn(...) ILK_HERE_(ilk_cmd_spawn(__VA_ARGS__))
#define ilk_cmd_create_inactive(...) ILK_HERE_(ilk_cmd_create_inactive(__VA_ARGS__))
#define ilk_cmd_deactivate(...) ILK_HERE_(ilk_cmd_deactivate(__VA_ARGS__))
#define ilk_cmd_activate(...) ILK_HERE_(ilk_cmd_activate(__VA_ARGS__))
#define ilk_cmd_destroy(...) ILK_HERE_(ilk_cmd_destroy(__VA_ARGS__))
#define ilk_cmd_add(...) ILK_HERE_(ilk_cmd_add(__VA_ARGS__))
#define ilk_cmd_set(...) ILK_HERE_(ilk_cmd_set(__VA_ARGS__))
#define ilk_cmd_ensure(...) ILK_HERE_(ilk_cmd_ensure(__VA_ARGS__))
#define ilk_cmd_replace(...) ILK_HERE_(ilk_cmd_replace(__VA_ARGS__))
#define ilk_cmd_remove(...) ILK_HERE_(ilk_cmd_remove(__VA_ARGS__))
#define ilk_cmd_remove_all(...) ILK_HERE_(ilk_cmd_remove_all(__VA_ARGS__))
#define ilk_cmd_enable(...) ILK_HERE_(ilk_cmd_enable(__VA_ARGS__))
#define ilk_cmd_disable(...) ILK_HERE_(ilk_cmd_disable(__VA_ARGS__))
#define ilk_cmd_mark(...) ILK_HERE_(ilk_cmd_mark(__VA_ARGS__))
#define ilk_resource_set(...) ILK_HERE_(ilk_resource_set(__VA_ARGS__))
#define ilk_resource_get(...) ILK_HERE_(ilk_resource_get(__VA_ARGS__))
#define ilk_resource_edit(...) ILK_HERE_(ilk_resource_edit(__VA_ARGS__))
#define ilk_resource_ensure(...) ILK_HERE_(ilk_resource_ensure(__VA_ARGS__))
#define ilk_resource_remove(...) ILK_HERE_(ilk_resource_remove(__VA_ARGS__))
#define ilk_resource_changed(...) ILK_HERE_(ilk_resource_changed(__VA_ARGS__))
#define ilk_cmd_resource_set(...) ILK_HERE_(ilk_cmd_resource_set(__VA_ARGS__))
#define ilk_cmd_resource_remove(...) ILK_HERE_(ilk_cmd_resource_remove(__VA_ARGS__))
#define ilk_cmd_set_name(...) ILK_HERE_(ilk_cmd_set_name(__VA_ARGS__))
#define ilk_cmd_set_id(...) ILK_HERE_(ilk_cmd_set_id(__VA_ARGS__))
#define ilk_cmd_call(...) ILK_HERE_(ilk_cmd_call(__VA_ARGS__))
#define ilk_cmd_apply(...) ILK_HERE_(ilk_cmd_apply(__VA_ARGS__))
#define ilk_cmd_emit(...) ILK_HERE_(ilk_cmd_emit(__VA_ARGS__))
#define ilk_cmd_emit_to(...) ILK_HERE_(ilk_cmd_emit_to(__VA_ARGS__))
#define ilk_emit(...) ILK_HERE_(ilk_emit(__VA_ARGS__))
#define ilk_emit_to(...) ILK_HERE_(ilk_emit_to(__VA_ARGS__))
#define ilk_reader_create(...) ILK_HERE_(ilk_reader_create(__VA_ARGS__))
#define ilk_reader_destroy(...) ILK_HERE_(ilk_reader_destroy(__VA_ARGS__))
#define ilk_read(...) ILK_HERE_(ilk_read(__VA_ARGS__))
#define ilk_event_limit(...) ILK_HERE_(ilk_event_limit(__VA_ARGS__))
#define ilk_event_clear(...) ILK_HERE_(ilk_event_clear(__VA_ARGS__))
#define ilk_subscribe(...) ILK_HERE_(ilk_subscribe(__VA_ARGS__))
#define ilk_unsubscribe(...) ILK_HERE_(ilk_unsubscribe(__VA_ARGS__))
#define ilk_dispatch(...) ILK_HERE_(ilk_dispatch(__VA_ARGS__))
#ifndef __cplusplus
#undef ILK_EMIT
#define ILK_EMIT(to, T, ...)                                                                       \
    ILK_HERE_((_Generic((to), ilk_world *: ilk_emit, ilk_cmd *: ilk_cmd_emit)(                     \
        (to), ILK_VALUE(T, __VA_ARGS__))))
#undef ILK_EMIT_TO
#define ILK_EMIT_TO(to, e, T, ...)                                                                 \
    ILK_HERE_((_Generic((to), ilk_world *: ilk_emit_to, ilk_cmd *: ilk_cmd_emit_to)(               \
        (to), (e), ILK_VALUE(T, __VA_ARGS__))))
#endif
#define ilk_observer_create(...) ILK_HERE_(ilk_observer_create(__VA_ARGS__))
#define ilk_observer_destroy(...) ILK_HERE_(ilk_observer_destroy(__VA_ARGS__))
#define ilk_system_create(...) ILK_HERE_(ilk_system_create(__VA_ARGS__))
#define ilk_system_replace(...) ILK_HERE_(ilk_system_replace(__VA_ARGS__))
#define ilk_system_destroy(...) ILK_HERE_(ilk_system_destroy(__VA_ARGS__))
#define ilk_system_set_order(...) ILK_HERE_(ilk_system_set_order(__VA_ARGS__))
#define ilk_phase_add(...) ILK_HERE_(ilk_phase_add(__VA_ARGS__))
#define ilk_update(...) ILK_HERE_(ilk_update(__VA_ARGS__))
#define ilk_update_only(...) ILK_HERE_(ilk_update_only(__VA_ARGS__))
#define ilk_reset(...) ILK_HERE_(ilk_reset(__VA_ARGS__))
#define ilk_draw(...) ILK_HERE_(ilk_draw(__VA_ARGS__))
#define ilk_draw_only(...) ILK_HERE_(ilk_draw_only(__VA_ARGS__))
#define ilk_set_fixed_step(...) ILK_HERE_(ilk_set_fixed_step(__VA_ARGS__))
#define ilk_set_longest_frame(...) ILK_HERE_(ilk_set_longest_frame(__VA_ARGS__))
#define ilk_scene_add(...) ILK_HERE_(ilk_scene_add(__VA_ARGS__))
#define ilk_scene_remove(...) ILK_HERE_(ilk_scene_remove(__VA_ARGS__))
#define ilk_scene_push(...) ILK_HERE_(ilk_scene_push(__VA_ARGS__))
#define ilk_scene_pop(...) ILK_HERE_(ilk_scene_pop(__VA_ARGS__))
#define ilk_scene_switch(...) ILK_HERE_(ilk_scene_switch(__VA_ARGS__))
#define ilk_cmd_scene_push(...) ILK_HERE_(ilk_cmd_scene_push(__VA_ARGS__))
#define ilk_cmd_scene_pop(...) ILK_HERE_(ilk_cmd_scene_pop(__VA_ARGS__))
#define ilk_cmd_scene_switch(...) ILK_HERE_(ilk_cmd_scene_switch(__VA_ARGS__))
#define ilk_query_count(...) ILK_HERE_(ilk_query_count(__VA_ARGS__))
#define ilk_query_first(...) ILK_HERE_(ilk_query_first(__VA_ARGS__))
#define ilk_query_is_empty(...) ILK_HERE_(ilk_query_is_empty(__VA_ARGS__))
#define ilk_trace_start(...) ILK_HERE_(ilk_trace_start(__VA_ARGS__))
#define ilk_trace_stop(...) ILK_HERE_(ilk_trace_stop(__VA_ARGS__))
#define ilk_trace_write(...) ILK_HERE_(ilk_trace_write(__VA_ARGS__))
#define ilk_blueprint_register(...) ILK_HERE_(ilk_blueprint_register(__VA_ARGS__))
#define ilk_blueprint_named(...) ILK_HERE_(ilk_blueprint_named(__VA_ARGS__))
#define ilk_blueprint_spawn(...) ILK_HERE_(ilk_blueprint_spawn(__VA_ARGS__))
#define ilk_blueprint_spawn_many(...) ILK_HERE_(ilk_blueprint_spawn_many(__VA_ARGS__))
#define ilk_blueprint_put(...) ILK_HERE_(ilk_blueprint_put(__VA_ARGS__))
#define ilk_cmd_blueprint_spawn(...) ILK_HERE_(ilk_cmd_blueprint_spawn(__VA_ARGS__))
#define ilk_blueprint_of(...) ILK_HERE_(ilk_blueprint_of(__VA_ARGS__))
#define ilk_blueprint_take(...) ILK_HERE_(ilk_blueprint_take(__VA_ARGS__))
#define ilk_copy_tree(...) ILK_HERE_(ilk_copy_tree(__VA_ARGS__))
#define ilk_copy_to(...) ILK_HERE_(ilk_copy_to(__VA_ARGS__))
#define ilk_transfer(...) ILK_HERE_(ilk_transfer(__VA_ARGS__))
#define ilk_relate(...) ILK_HERE_(ilk_relate(__VA_ARGS__))
#define ilk_relate_value(...) ILK_HERE_(ilk_relate_value(__VA_ARGS__))
#define ilk_relation_set(...) ILK_HERE_(ilk_relation_set(__VA_ARGS__))
#define ilk_unrelate(...) ILK_HERE_(ilk_unrelate(__VA_ARGS__))
#define ilk_cmd_relate(...) ILK_HERE_(ilk_cmd_relate(__VA_ARGS__))
#define ilk_cmd_relate_value(...) ILK_HERE_(ilk_cmd_relate_value(__VA_ARGS__))
#define ilk_cmd_relation_set(...) ILK_HERE_(ilk_cmd_relation_set(__VA_ARGS__))
#define ilk_cmd_unrelate(...) ILK_HERE_(ilk_cmd_unrelate(__VA_ARGS__))
#define ilk_related(...) ILK_HERE_(ilk_related(__VA_ARGS__))
#define ilk_target(...) ILK_HERE_(ilk_target(__VA_ARGS__))
#define ilk_target_count(...) ILK_HERE_(ilk_target_count(__VA_ARGS__))
#define ilk_targets(...) ILK_HERE_(ilk_targets(__VA_ARGS__))
#define ilk_source_count(...) ILK_HERE_(ilk_source_count(__VA_ARGS__))
#define ilk_sources(...) ILK_HERE_(ilk_sources(__VA_ARGS__))
#define ilk_first_source(...) ILK_HERE_(ilk_first_source(__VA_ARGS__))
#define ilk_next_source(...) ILK_HERE_(ilk_next_source(__VA_ARGS__))
#define ilk_relation_get(...) ILK_HERE_(ilk_relation_get(__VA_ARGS__))
#define ilk_relation_edit(...) ILK_HERE_(ilk_relation_edit(__VA_ARGS__))
#define ilk_set_parent(...) ILK_HERE_(ilk_set_parent(__VA_ARGS__))
#define ilk_cmd_set_parent(...) ILK_HERE_(ilk_cmd_set_parent(__VA_ARGS__))
#define ilk_child_move(...) ILK_HERE_(ilk_child_move(__VA_ARGS__))
#define ilk_cmd_child_move(...) ILK_HERE_(ilk_cmd_child_move(__VA_ARGS__))
#define ilk_parent(...) ILK_HERE_(ilk_parent(__VA_ARGS__))
#define ilk_first_child(...) ILK_HERE_(ilk_first_child(__VA_ARGS__))
#define ilk_next_child(...) ILK_HERE_(ilk_next_child(__VA_ARGS__))
#define ilk_previous_child(...) ILK_HERE_(ilk_previous_child(__VA_ARGS__))
#define ilk_child_count(...) ILK_HERE_(ilk_child_count(__VA_ARGS__))
#define ilk_children(...) ILK_HERE_(ilk_children(__VA_ARGS__))
#define ilk_root_of(...) ILK_HERE_(ilk_root_of(__VA_ARGS__))
#define ilk_is_below(...) ILK_HERE_(ilk_is_below(__VA_ARGS__))
#define ilk_depth(...) ILK_HERE_(ilk_depth(__VA_ARGS__))
#define ilk_up(...) ILK_HERE_(ilk_up(__VA_ARGS__))
#define ilk_next_below(...) ILK_HERE_(ilk_next_below(__VA_ARGS__))
#define ilk_below(...) ILK_HERE_(ilk_below(__VA_ARGS__))
#define ilk_visit_below(...) ILK_HERE_(ilk_visit_below(__VA_ARGS__))
#define ilk_reserve(...) ILK_HERE_(ilk_reserve(__VA_ARGS__))
#define ilk_get(...) ILK_HERE_(ilk_get(__VA_ARGS__))
#define ilk_next(...) ILK_HERE_(ilk_next(__VA_ARGS__))
#define ilk_next_rows(...) ILK_HERE_(ilk_next_rows(__VA_ARGS__))
#define ilk_tick(...) ILK_HERE_(ilk_tick(__VA_ARGS__))
#define ilk_query_destroy(...) ILK_HERE_(ilk_query_destroy(__VA_ARGS__))
#define ilk_world_destroy(...) ILK_HERE_(ilk_world_destroy(__VA_ARGS__))
#define ilk_pause(...) ILK_HERE_(ilk_pause(__VA_ARGS__))
#define ilk_set_time_scale(...) ILK_HERE_(ilk_set_time_scale(__VA_ARGS__))
#define ilk_set_settling(...) ILK_HERE_(ilk_set_settling(__VA_ARGS__))
#define ilk_system_enable(...) ILK_HERE_(ilk_system_enable(__VA_ARGS__))
#endif
#endif
