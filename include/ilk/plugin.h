// Plugins: functions with a name that give a world types, systems, observers and scenes, each once.
//
//     static const ilk_plugin physics = {.name = "physics", .install = install_physics};
//     static const ilk_plugin game = {.name = "game",
//                                     .install = install_game,
//                                     .needs = (const ilk_plugin* const[]){&physics, NULL}};
//     ilk_plugin_install(world, &game); // physics first
//
// For the world's thread.
#ifndef ILK_PLUGIN_H
#define ILK_PLUGIN_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Gives the world what the plugin has. It may install further plugins. What it returns other than
// OK is a failure; what it did until then is its own to undo.
typedef ilk_result ilk_plugin_install_fn(ilk_world* world, void* user);

// Called when the plugin is removed, or the world is about to be destroyed, with all that it has
// still there; then of the plugin that was installed last first. It may change the world as anybody
// may, but plugins are neither installed nor removed meanwhile (LOCKED).
typedef void ilk_plugin_exit_fn(ilk_world* world, void* user);

// What a plugin is: a name, a function, and who is to be there before.
typedef struct ilk_plugin {
    const char* name; // unique in the world; copied
    ilk_plugin_install_fn* install;
    ilk_plugin_exit_fn* exit;              // or NULL
    const struct ilk_plugin* const* needs; // ends with NULL: those that are to be there before
    void* user;
} ilk_plugin;

// Install a plugin in a world, after those that it needs and that are not there yet, in the order
// of their lists, each once. OK also if it is there already; nothing is done then. EXISTS if
// another one, with another function or user, has its name. INVALID if it, or one that it needs, is
// NULL or lacks a name or a function; and for a cycle, whose members are listed. FULL if they need
// each other more than 256 deep. LOCKED inside a system, while a plugin is being removed and while
// the world is being destroyed. NO_MEMORY. In all these cases nothing is installed. If the function
// of one fails, its result is returned, with a sentence that names the plugin, and what was
// installed before it stays. So it is with EXISTS if the function of one installed another of a
// name that was still to come.
ILK_API ilk_result ilk_plugin_install(ilk_world* world, const ilk_plugin* plugin);

// Remove a plugin. Its exit function is called; then the systems and observers go that its function
// made. What else it gave the world (types, scenes, resources, blueprints) is its exit function's
// to take back. NEEDED while another one that is installed lists it under `needs`, and the sentence
// says which; MISSING if there is none of that name, INVALID without a name. LOCKED inside a
// system, while the function of a plugin is being called and while the world is being destroyed.
// Never needs memory.
ILK_API ilk_result ilk_plugin_remove(ilk_world* world, const char* name);

// Whether a plugin of that name is installed; how many are; the name of one, in the order in which
// they were installed, or NULL. The name lives until the plugin is removed.
ILK_API bool ilk_plugin_has(const ilk_world* world, const char* name);
ILK_API uint32_t ilk_plugin_count(const ilk_world* world);
ILK_API const char* ilk_plugin_at(const ilk_world* world, uint32_t at);

#ifdef __cplusplus
}
#endif
#endif
