// Plugins: what was installed, in order; and how the order is found.
//
// First all that is to be installed is put in order, and what is wrong with it found out; only then
// is something called. A function that is called may install further plugins, which are then there
// before its own, so the plugins whose functions are being called are a chain of their own.
#include <ilk/plugin.h>
#include <stdio.h>

#include "../base/text.h"
#include "world.h"

#define DEEPEST 256u
#define CYCLE_TEXT 300u

// A plugin that is waiting for what it needs, and who needs it.
typedef struct plugin_need {
    const ilk_plugin* plugin;
    const struct plugin_need* outer;
    uint32_t depth;
} plugin_need;

// What is to be installed, in order, with names of its own.
typedef struct plugin_order {
    ilk_world* world;
    const char* call;
    ilk_plugin* list;
    uint32_t count, capacity;
} plugin_order;

static bool is_same_plugin(const ilk_plugin* a, const ilk_plugin* b) {
    return a->install == b->install && a->user == b->user;
}

static const ilk_plugin* find_named(const ilk_plugin* list, uint32_t count, const char* name) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) return &list[i];
    }
    return NULL;
}

static const ilk_plugin* find_installed(const ilki_plugins* plugins, const char* name) {
    return find_named(plugins->list, plugins->count, name);
}

// One that is to be installed, or is.
static const ilk_plugin* find_chosen(const plugin_order* o, const char* name) {
    const ilk_plugin* chosen = find_named(o->list, o->count, name);
    return chosen ? chosen : find_installed(&o->world->plugins, name);
}

// A plugin of that name that waits, or NULL.
static const plugin_need* find_waiting(const plugin_need* w, const char* name) {
    while (w && strcmp(w->plugin->name, name) != 0) w = w->outer;
    return w;
}

static bool is_being_installed(const ilki_plugins* plugins, const char* name) {
    const ilki_installing* installing = plugins->installing;
    while (installing && strcmp(installing->plugin->name, name) != 0)
        installing = installing->outer;
    return installing != NULL;
}

static const char* fault_of_plugin(const ilk_plugin* plugin) {
    if (!plugin) return "the plugin is NULL";
    if (!plugin->name || !plugin->name[0]) return "a plugin needs a name";
    return plugin->install ? NULL : "it has no function to install it";
}

static bool refuse_plugin(const plugin_order* o, ilk_result result, const ilk_plugin* plugin,
                          const char* why) {
    bool is_named = plugin && plugin->name;
    ilki_fail_because(o->world, result, o->call, NULL, "%s%s%s%s", is_named ? "plugin \"" : "",
                      is_named ? plugin->name : "", is_named ? "\": " : "", why);
    return false;
}

// Names those from the first one on that waits to the last, in the order in which they need each
// other.
static void put_needs(ilki_text* to, const plugin_need* w, const plugin_need* first) {
    if (w != first) put_needs(to, w->outer, first);
    ilki_text_put(to, w->plugin->name);
    ilki_text_put(to, " needs ");
}

static bool refuse_cycle(const plugin_order* o, const plugin_need* last, const plugin_need* first) {
    char text[CYCLE_TEXT];
    ilki_text to = ilki_text_begin(text, sizeof text);
    put_needs(&to, last, first);
    ilki_text_put(&to, first->plugin->name);
    ilki_fail_because(o->world, ILK_INVALID, o->call, NULL, "a cycle: %s", text);
    return false;
}

// EXISTS if the plugin that is there by a name is another one.
static ilk_result refuse_other(const plugin_order* o, const ilk_plugin* there,
                               const ilk_plugin* plugin) {
    if (!there || is_same_plugin(there, plugin)) return ILK_OK;
    refuse_plugin(o, ILK_EXISTS, plugin, "another one has its name");
    return ILK_EXISTS;
}

// What is wrong with a plugin that is to be there before the last that waits; or nothing.
static bool check_plugin(const plugin_order* o, const ilk_plugin* plugin, const plugin_need* last) {
    const char* fault = fault_of_plugin(plugin);
    if (fault) return refuse_plugin(o, ILK_INVALID, plugin, fault);
    const plugin_need* again = find_waiting(last, plugin->name);
    if (again) return refuse_cycle(o, last, again);
    if (is_being_installed(&o->world->plugins, plugin->name)) {
        return refuse_plugin(o, ILK_INVALID, plugin, "a cycle: it is being installed");
    }
    const ilk_plugin* chosen = find_chosen(o, plugin->name);
    if (refuse_other(o, chosen, plugin) != ILK_OK) return false;
    bool is_too_deep = !chosen && last && last->depth == DEEPEST;
    return !is_too_deep || refuse_plugin(o, ILK_FULL, plugin, "those that need it are too many");
}

static size_t name_bytes(const char* name) {
    return strlen(name) + 1;
}

// A name is kept with the names of those that it needs behind it, and an empty one at the end.
static size_t kept_bytes(const char* name) {
    const char* at = name;
    while (*at) at += name_bytes(at);
    return (size_t)(at - name) + 1;
}

static size_t bytes_to_keep(const ilk_plugin* plugin) {
    size_t bytes = name_bytes(plugin->name) + 1;
    for (const ilk_plugin* const* needed = plugin->needs; needed && *needed; needed++) {
        bytes += name_bytes((*needed)->name);
    }
    return bytes;
}

static char* put_name(char* to, const char* name) {
    memcpy(to, name, name_bytes(name));
    return to + name_bytes(name);
}

static void keep_names(char* to, const ilk_plugin* plugin) {
    to = put_name(to, plugin->name);
    for (const ilk_plugin* const* needed = plugin->needs; needed && *needed; needed++) {
        to = put_name(to, (*needed)->name);
    }
    *to = 0;
}

static void free_name(ilk_world* world, const char* name) {
    ilki_free(&world->storage.memory, ILKI_OTHER, (char*)(uintptr_t)name, kept_bytes(name), 1);
}

static bool append_plugin(plugin_order* o, const ilk_plugin* plugin) {
    ilki_memory* memory = &o->world->storage.memory;
    bool is_ready =
        ilki_grow(memory, ILKI_OTHER, &o->list, &o->capacity, o->count + 1, sizeof *o->list);
    char* name = is_ready ? ilki_alloc(memory, ILKI_OTHER, bytes_to_keep(plugin), 1) : NULL;
    if (!name) return refuse_plugin(o, ILK_NO_MEMORY, plugin, "no memory for it");
    o->list[o->count] = *plugin;
    o->list[o->count].needs = NULL;
    keep_names(name, plugin);
    o->list[o->count++].name = name;
    return true;
}

// Puts a plugin at the end of the order, after all that it needs. False, and the failure is noted.
static bool choose_plugin(plugin_order* o, const ilk_plugin* plugin, const plugin_need* outer) {
    if (!check_plugin(o, plugin, outer)) return false;
    if (find_chosen(o, plugin->name)) return true;
    plugin_need w = {plugin, outer, outer ? outer->depth + 1 : 1};
    for (const ilk_plugin* const* needed = plugin->needs; needed && *needed; needed++) {
        if (!choose_plugin(o, *needed, &w)) return false;
    }
    return append_plugin(o, plugin);
}

// Makes sure that all of them can be entered, and those that other calls have yet to enter.
static bool ready_to_enter(const plugin_order* o) {
    ilki_plugins* plugins = &o->world->plugins;
    uint32_t needed = plugins->count + plugins->expected + o->count;
    bool is_ready = ilki_grow(&o->world->storage.memory, ILKI_OTHER, &plugins->list,
                              &plugins->capacity, needed, sizeof *plugins->list);
    if (is_ready) plugins->expected += o->count;
    return is_ready || refuse_plugin(o, ILK_NO_MEMORY, &o->list[o->count - 1], "no memory for it");
}

static ilk_result call_install(ilk_world* world, const ilk_plugin* plugin) {
    ilki_plugins* plugins = &world->plugins;
    ilki_installing installing = {plugin, plugins->installing};
    ilki_here place = ilki_place_of_call();
    plugins->installing = &installing;
    plugins->busy++;
    ilk_result result = plugin->install(world, plugin->user);
    plugins->busy--;
    plugins->installing = installing.outer;
    ilki_set_place_of_call(place);
    return result;
}

// Tells that the function of a plugin failed and, if it is so because of a failure that the world
// knows, why.
static void refuse_failed(const plugin_order* o, const ilk_plugin* plugin, ilk_result result,
                          uint32_t failures) {
    char why[sizeof((ilki_failure*)0)->text];
    ilk_message last = ilk_error(o->world);
    bool is_cause = ilki_failures(o->world) != failures && last.result == result;
    snprintf(why, sizeof why, "%s", is_cause ? last.text : ilk_result_text(result));
    refuse_plugin(o, result, plugin, why);
}

// Calls the function of a plugin. If it fails, what it made is its own no more.
static ilk_result try_install(const plugin_order* o, const ilk_plugin* plugin) {
    uint32_t failures = ilki_failures(o->world);
    ilk_result result = call_install(o->world, plugin);
    if (result == ILK_OK) return ILK_OK;
    refuse_failed(o, plugin, result, failures);
    ilki_systems_of_plugin(o->world, plugin->name, false);
    ilki_observers_of_plugin(o->world, plugin->name, false);
    return result;
}

// Installs one of the order, or sees that the function of one before it did. It belongs to the
// world if it is OK, and is gone if not.
static ilk_result install_plugin(const plugin_order* o, const ilk_plugin* plugin) {
    ilki_plugins* plugins = &o->world->plugins;
    const ilk_plugin* there = find_installed(plugins, plugin->name);
    ilk_result result = there ? refuse_other(o, there, plugin) : try_install(o, plugin);
    if (there || result != ILK_OK)
        free_name(o->world, plugin->name);
    else
        plugins->list[plugins->count++] = *plugin;
    plugins->expected--;
    return result;
}

static ilk_result install_in_order(const plugin_order* o) {
    ilk_result result = ILK_OK;
    uint32_t done = 0;
    while (done < o->count && result == ILK_OK) result = install_plugin(o, &o->list[done++]);
    o->world->plugins.expected -= o->count - done;
    for (; done < o->count; done++) free_name(o->world, o->list[done].name);
    return result;
}

static void free_order(const plugin_order* o) {
    ilki_free(&o->world->storage.memory, ILKI_OTHER, o->list, o->capacity * sizeof *o->list,
              _Alignof(max_align_t));
}

// Whoever needs a plugin must not come while that one goes.
static const char* why_nothing_comes(const ilki_plugins* plugins) {
    if (plugins->is_ending) return "the world is being destroyed";
    return plugins->is_removing ? "a plugin is being removed" : NULL;
}

ilk_result ilk_plugin_install(ilk_world* world, const ilk_plugin* plugin) {
    plugin_order o = {.world = world, .call = "ilk_plugin_install"};
    ilk_result result = ilki_enter(world, o.call);
    if (result != ILK_OK) return result;
    const char* why = why_nothing_comes(&world->plugins);
    if (why) return ilki_fail_because(world, ILK_LOCKED, o.call, NULL, "%s", why);
    bool is_ready = choose_plugin(&o, plugin, NULL) && (!o.count || ready_to_enter(&o));
    result = is_ready ? install_in_order(&o) : ilki_last_result(world);
    for (uint32_t i = 0; !is_ready && i < o.count; i++) free_name(world, o.list[i].name);
    free_order(&o);
    return result;
}

// Whether a plugin that is installed lists another.
static bool lists_plugin(const ilk_plugin* plugin, const char* name) {
    const char* needed = plugin->name + name_bytes(plugin->name);
    while (*needed && strcmp(needed, name) != 0) needed += name_bytes(needed);
    return *needed != 0;
}

static ilk_result check_removal(ilk_world* world, const char* name, const char* call) {
    const ilki_plugins* plugins = &world->plugins;
    if (plugins->busy) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL,
                                 "the function of a plugin is being called");
    }
    if (!name) return ilki_fail_because(world, ILK_INVALID, call, NULL, "a name is missing");
    if (!find_installed(plugins, name)) {
        return ilki_fail_because(world, ILK_MISSING, call, NULL, "there is no plugin \"%s\"", name);
    }
    for (uint32_t i = 0; i < plugins->count; i++) {
        if (!lists_plugin(&plugins->list[i], name)) continue;
        return ilki_fail_because(world, ILK_NEEDED, call, NULL, "plugin \"%s\": \"%s\" needs it",
                                 name, plugins->list[i].name);
    }
    return ILK_OK;
}

// Calls the exit function of a plugin, and lets go what it made.
static void let_go_of(ilk_world* world, const ilk_plugin* plugin) {
    ilki_plugins* plugins = &world->plugins;
    ilki_here place = ilki_place_of_call();
    plugins->busy++;
    plugins->is_removing = true;
    if (plugin->exit) plugin->exit(world, plugin->user);
    ilki_set_place_of_call(place);
    ilki_systems_of_plugin(world, plugin->name, true);
    ilki_observers_of_plugin(world, plugin->name, true);
    plugins->is_removing = false;
    plugins->busy--;
}

ilk_result ilk_plugin_remove(ilk_world* world, const char* name) {
    const char* call = "ilk_plugin_remove";
    ilk_result result = ilki_enter(world, call);
    if (result == ILK_OK) result = check_removal(world, name, call);
    if (result != ILK_OK) return result;
    ilki_plugins* plugins = &world->plugins;
    uint32_t at = (uint32_t)(find_installed(plugins, name) - plugins->list);
    ilk_plugin gone = plugins->list[at];
    let_go_of(world, &gone);
    plugins->count--;
    memmove(&plugins->list[at], &plugins->list[at + 1],
            (plugins->count - at) * sizeof *plugins->list);
    free_name(world, gone.name);
    return ILK_OK;
}

bool ilk_plugin_has(const ilk_world* world, const char* name) {
    return world && name && find_installed(&world->plugins, name);
}

uint32_t ilk_plugin_count(const ilk_world* world) {
    return world ? world->plugins.count : 0;
}

const char* ilk_plugin_at(const ilk_world* world, uint32_t at) {
    return at < ilk_plugin_count(world) ? world->plugins.list[at].name : NULL;
}

void ilki_plugins_free(ilk_world* world) {
    ilki_plugins* plugins = &world->plugins;
    ilki_memory* memory = &world->storage.memory;
    plugins->is_ending = true;
    plugins->busy++;
    for (uint32_t i = plugins->count; i-- > 0;) {
        if (plugins->list[i].exit) plugins->list[i].exit(world, plugins->list[i].user);
    }
    for (uint32_t i = 0; i < plugins->count; i++) free_name(world, plugins->list[i].name);
    ilki_free(memory, ILKI_OTHER, plugins->list, plugins->capacity * sizeof *plugins->list,
              _Alignof(max_align_t));
    plugins->list = NULL;
    plugins->count = plugins->capacity = 0;
}
