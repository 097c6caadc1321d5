// Scenes: a list of all, and a stack of those that were entered. Which systems may run is worked
// out when the stack or the list of systems changes, so that running a system costs one look at a
// flag.
//
// A change of the stack calls hooks, and observers of what is destroyed. While that is done and the
// change still has something to do, `calling` is set, and every other change is refused. So the
// stack is never changed in the middle of a change, and after the last hook nothing is taken to be
// as it was before.
#include "scenes.h"

#include <string.h>

#include "schedule.h"

static const ilki_scenes* scenes_of(const ilk_world* world) {
    return world && world->schedule ? &world->schedule->scenes : NULL;
}

static ilki_scene* find_scene(const ilk_world* world, const char* name) {
    const ilki_scenes* scenes = scenes_of(world);
    ilki_scene* scene = scenes && name ? scenes->first : NULL;
    while (scene && strcmp(scene->desc.name, name) != 0) scene = scene->next;
    return scene;
}

// The next scene further down that runs if this one does, or NULL.
static ilki_scene* runs_with(const ilki_scene* scene) {
    return scene->desc.is_overlay ? scene->below : NULL;
}

static bool scene_lists(const ilki_scene* scene, const char* system, const char* phase) {
    const char* const* name = scene->desc.systems;
    if (!name) return true;
    while (*name && strcmp(*name, system) != 0 && strcmp(*name, phase) != 0) name++;
    return *name != NULL;
}

void ilki_scenes_choose(ilki_schedule* schedule) {
    for (uint32_t i = 0; i < schedule->count; i++) {
        ilk_system* system = schedule->systems[i];
        const ilki_scene* scene = schedule->scenes.top;
        system->is_resting = scene != NULL && system->phase != 0; // "start" is no scene's matter
        for (; scene && system->is_resting; scene = runs_with(scene)) {
            system->is_resting =
                !scene_lists(scene, system->desc.name, schedule->phases[system->phase]);
        }
    }
}

// OK if scenes may be changed now.
static ilk_result begin_change(ilk_world* world, const char* call) {
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK || !world->schedule) return result;
    const ilki_scenes* scenes = &world->schedule->scenes;
    if (scenes->calling && !scenes->hook) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL,
                                 "what scene \"%s\" owns is being destroyed",
                                 scenes->calling->desc.name);
    }
    if (scenes->calling) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL,
                                 "the %s hook of scene \"%s\" is being called", scenes->hook,
                                 scenes->calling->desc.name);
    }
    if (world->schedule->is_ending) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL, "the world is being destroyed");
    }
    return ILK_OK;
}

// The same for a change that is about one scene, which must be there.
static ilk_result begin_change_of(ilk_world* world, const char* name, ilki_scene** scene,
                                  const char* call) {
    ilk_result result = begin_change(world, call);
    if (result != ILK_OK) return result;
    if (!name) return ilki_fail_because(world, ILK_INVALID, call, NULL, "a name is missing");
    *scene = find_scene(world, name);
    if (*scene) return ILK_OK;
    return ilki_fail_because(world, ILK_MISSING, call, NULL, "there is no scene \"%s\"", name);
}

// How many bytes a scene takes with its list and texts; how many names are in the list.
static size_t measure_scene(const ilk_scene_desc* desc, size_t* names) {
    size_t bytes = sizeof(ilki_scene) + strlen(desc->name) + 1;
    *names = 0;
    if (!desc->systems) return bytes;
    for (; desc->systems[*names]; ++*names) bytes += strlen(desc->systems[*names]) + 1;
    return bytes + (*names + 1) * sizeof(char*);
}

static const char* keep_text(char** to, const char* text) {
    char* kept = *to;
    strcpy(kept, text);
    *to += strlen(text) + 1;
    return kept;
}

static void free_scene(ilk_world* world, ilki_scene* scene) {
    ilk_query_destroy(scene->owned);
    ilki_free(&world->storage.memory, ILKI_OTHER, scene, scene->bytes, _Alignof(ilki_scene));
}

// A copy of a description, with all that it points to; NULL without memory.
static ilki_scene* copy_scene(ilk_world* world, const ilk_scene_desc* desc) {
    size_t count;
    size_t bytes = measure_scene(desc, &count);
    ilki_scene* scene =
        ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, bytes, _Alignof(ilki_scene));
    if (!scene) return NULL;
    scene->desc = *desc;
    scene->bytes = bytes;
    const char** names = (const char**)(scene + 1);
    char* texts = (char*)(desc->systems ? names + count + 1 : names);
    scene->desc.name = keep_text(&texts, desc->name);
    if (!desc->systems) return scene;
    for (size_t i = 0; i < count; i++) names[i] = keep_text(&texts, desc->systems[i]);
    scene->desc.systems = names;
    return scene;
}

ilk_result ilk_scene_add(ilk_world* world, const ilk_scene_desc* desc) {
    const char* call = "ilk_scene_add";
    ilk_result result = begin_change(world, call);
    if (result != ILK_OK) return result;
    if (!desc || !desc->name || !desc->name[0]) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "a scene needs a name");
    }
    if (find_scene(world, desc->name)) {
        return ilki_fail_because(world, ILK_EXISTS, call, NULL, "there is a scene \"%s\" already",
                                 desc->name);
    }
    ilki_schedule* schedule = ilki_schedule_of(world, call);
    if (!schedule) return ILK_NO_MEMORY;
    ilki_scene* scene = copy_scene(world, desc);
    if (!scene) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    if (desc->owns) {
        scene->owned = ilki_query_make(
            world,
            &(ilk_query_desc){.with = {desc->owns}, .without = {&ilk_dying_type}, .inactive = true},
            call);
        if (!scene->owned) {
            free_scene(world, scene);
            return world->failure.result;
        }
    }
    scene->next = schedule->scenes.first;
    schedule->scenes.first = scene;
    return ILK_OK;
}

ilk_result ilk_scene_remove(ilk_world* world, const char* name) {
    const char* call = "ilk_scene_remove";
    ilki_scene* scene;
    ilk_result result = begin_change_of(world, name, &scene, call);
    if (result != ILK_OK) return result;
    if (scene->is_stacked) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL, "scene \"%s\" is on the stack",
                                 name);
    }
    ilki_scene** link = &world->schedule->scenes.first;
    while (*link != scene) link = &(*link)->next;
    *link = scene->next;
    free_scene(world, scene);
    return ILK_OK;
}

static void call_hook(ilk_world* world, ilk_scene_hook* hook, void* user) {
    if (!hook) return;
    ilki_here place = ilki_place_of_call();
    hook(world, user);
    ilki_set_place_of_call(place);
}

// Calls a hook after which the change goes on.
static void call_within(ilk_world* world, const ilki_scene* scene, ilk_scene_hook* hook,
                        const char* name) {
    ilki_scenes* scenes = &world->schedule->scenes;
    scenes->calling = scene;
    scenes->hook = name;
    call_hook(world, hook, scene->desc.user);
    scenes->calling = NULL;
}

static void pause_running(ilk_world* world) {
    const ilki_scene* scene = world->schedule->scenes.top;
    for (; scene; scene = runs_with(scene)) call_within(world, scene, scene->desc.pause, "pause");
}

// Calls the resume hooks from the bottom up; in that of the top the change is over.
static void resume_running(ilk_world* world) {
    const ilki_scene* top = world->schedule->scenes.top;
    const ilki_scene* scene = top;
    while (scene && runs_with(scene)) scene = runs_with(scene);
    for (; scene != top; scene = scene->above) {
        call_within(world, scene, scene->desc.resume, "resume");
    }
    if (top) call_hook(world, top->desc.resume, top->desc.user);
}

// Tells of names that a scene lists and nobody has. Its enter hook was called before, for that may
// make systems; it may also have left the scene, and removed it.
static void tell_unlisted(ilk_world* world, const ilki_scene* scene, const char* call) {
    const ilki_scene* stacked = world->schedule->scenes.top;
    while (stacked && stacked != scene) stacked = stacked->below;
    if (!stacked || !scene->desc.systems) return;
    const char* const* list = scene->desc.systems;
    for (const char* name; (name = ilki_next_unknown(world, &list));) {
        ilki_fail_because(world, ILK_MISSING, call, NULL,
                          "scene \"%s\" lists \"%s\", which is no system or phase yet",
                          scene->desc.name, name);
    }
}

static void put_on_top(ilki_scenes* scenes, ilki_scene* scene) {
    scene->below = scenes->top;
    if (scenes->top) scenes->top->above = scene;
    scenes->top = scene;
    scenes->depth++;
    scene->is_stacked = true;
}

void ilki_scenes_become(ilk_world* world, const char* const* names, uint32_t count) {
    ilki_scenes* scenes = &world->schedule->scenes;
    for (; scenes->top; scenes->top = scenes->top->below) scenes->top->is_stacked = false;
    scenes->depth = 0;
    for (uint32_t i = 0; i < count; i++) put_on_top(scenes, find_scene(world, names[i]));
    ilki_scenes_choose(world->schedule);
}

static void enter_scene(ilk_world* world, ilki_scene* scene, const char* call) {
    put_on_top(&world->schedule->scenes, scene);
    ilki_scenes_choose(world->schedule);
    call_hook(world, scene->desc.enter, scene->desc.user);
    tell_unlisted(world, scene, call);
}

// Destroys what a scene owns, but for those that others need, and returns how many. What observers
// make meanwhile may be left.
static uint32_t destroy_found(ilk_world* world, const ilki_scene* scene, const char* call) {
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(world, scene->owned); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            ilk_entity e = it.entities[i];
            bool is_owned = ilk_query_matches(world, scene->owned, e); // still
            if (!is_owned || ilki_is_needed(world, e)) continue;
            count += ilki_destroy_as(world, e, ILK_REASON_UNLOAD, call) == ILK_OK;
        }
    }
    return count;
}

// Destroys what a scene owns, until nothing is left. If nothing can be destroyed, that was told.
static void destroy_owned(ilk_world* world, const ilki_scene* scene, const char* call) {
    ilki_scenes* scenes = &world->schedule->scenes;
    if (!scene->owned) return;
    scenes->calling = scene;
    scenes->hook = NULL;
    uint32_t round = 0, before = ilk_query_count(world, scene->owned), after;
    for (; round < ILK_SCENE_ROUNDS && destroy_found(world, scene, call); before = after) {
        after = ilk_query_count(world, scene->owned);
        round += after >= before; // less are left where others are needed by those that went
    }
    scenes->calling = NULL;
    uint32_t left = round < ILK_SCENE_ROUNDS ? 0 : ilk_query_count(world, scene->owned);
    if (!left) return;
    ilki_fail_because(world, ILK_FULL, call, scene->desc.owns,
                      "observers still make what scene \"%s\" owns after %d rounds: %u %s left",
                      scene->desc.name, ILK_SCENE_ROUNDS, left, left == 1 ? "is" : "are");
}

static void leave_top(ilk_world* world, const char* call) {
    ilki_scenes* scenes = &world->schedule->scenes;
    ilki_scene* scene = scenes->top;
    call_within(world, scene, scene->desc.exit, "exit");
    destroy_owned(world, scene, call);
    scenes->top = scene->below;
    scenes->depth--;
    scene->is_stacked = false;
    ilki_scenes_choose(world->schedule);
}

ilk_result ilk_scene_push(ilk_world* world, const char* name) {
    ilki_scene* scene;
    ilk_result result = begin_change_of(world, name, &scene, "ilk_scene_push");
    if (result != ILK_OK) return result;
    if (scene->is_stacked) {
        return ilki_fail_because(world, ILK_EXISTS, "ilk_scene_push", NULL,
                                 "scene \"%s\" is on the stack already", name);
    }
    if (!scene->desc.is_overlay) pause_running(world);
    enter_scene(world, scene, "ilk_scene_push");
    return ILK_OK;
}

ilk_result ilk_scene_pop(ilk_world* world) {
    ilk_result result = begin_change(world, "ilk_scene_pop");
    if (result != ILK_OK) return result;
    if (!ilk_scene_depth(world)) {
        return ilki_fail_because(world, ILK_MISSING, "ilk_scene_pop", NULL,
                                 "no scene is on the stack");
    }
    bool is_overlay = world->schedule->scenes.top->desc.is_overlay;
    leave_top(world, "ilk_scene_pop");
    if (!is_overlay) resume_running(world);
    return ILK_OK;
}

static void leave_all(ilk_world* world, const char* call) {
    while (world->schedule->scenes.top) leave_top(world, call);
}

ilk_result ilk_scene_switch(ilk_world* world, const char* name) {
    ilki_scene* scene;
    ilk_result result = begin_change_of(world, name, &scene, "ilk_scene_switch");
    if (result != ILK_OK) return result;
    leave_all(world, "ilk_scene_switch");
    enter_scene(world, scene, "ilk_scene_switch");
    return ILK_OK;
}

ilk_result ilki_scenes_leave(ilk_world* world, const char* call) {
    ilk_result result = begin_change(world, call);
    if (result == ILK_OK) leave_all(world, call);
    return result;
}

void ilki_scenes_free(ilk_world* world) {
    ilki_scenes* scenes = &world->schedule->scenes;
    leave_all(world, "ilk_world_destroy");
    while (scenes->first) {
        ilki_scene* scene = scenes->first;
        scenes->first = scene->next;
        free_scene(world, scene);
    }
}

const ilk_scene_desc* ilk_scene_desc_of(const ilk_world* world, const char* name) {
    const ilki_scene* scene = find_scene(world, name);
    return scene ? &scene->desc : NULL;
}

uint32_t ilk_scene_depth(const ilk_world* world) {
    const ilki_scenes* scenes = scenes_of(world);
    return scenes ? scenes->depth : 0;
}

const char* ilk_scene_at(const ilk_world* world, uint32_t at) {
    uint32_t depth = ilk_scene_depth(world);
    if (at >= depth) return NULL;
    const ilki_scene* scene = world->schedule->scenes.top;
    while (++at < depth) scene = scene->below;
    return scene->desc.name;
}

const char* ilk_scene_top(const ilk_world* world) {
    uint32_t depth = ilk_scene_depth(world);
    return depth ? ilk_scene_at(world, depth - 1) : NULL;
}

static void push_later(ilk_world* world, ilk_cmd* cmd, void* name) {
    (void)cmd;
    ilk_scene_push(world, name);
}

static void pop_later(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    (void)user;
    ilk_scene_pop(world);
}

static void switch_later(ilk_world* world, ilk_cmd* cmd, void* name) {
    (void)cmd;
    ilk_scene_switch(world, name);
}

// Records a call with a name, of which the buffer keeps a copy.
static ilk_result record_change(ilk_cmd* cmd, ilk_cmd_fn* fn, const char* name, const char* call) {
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result != ILK_OK) return result;
    ilk_world* world = cmd->world;
    if (!name) return ilki_fail_because(world, ILK_INVALID, call, NULL, "a name is missing");
    size_t bytes = strlen(name) + 1;
    char* copy = ilki_arena_take(cmd->arena, &world->storage.memory, bytes, 1);
    if (!copy) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    memcpy(copy, name, bytes);
    return ilki_cmd_call(cmd, fn, copy, call);
}

ilk_result ilk_cmd_scene_push(ilk_cmd* cmd, const char* name) {
    return record_change(cmd, push_later, name, "ilk_cmd_scene_push");
}

ilk_result ilk_cmd_scene_pop(ilk_cmd* cmd) {
    return ilki_cmd_call(cmd, pop_later, NULL, "ilk_cmd_scene_pop");
}

ilk_result ilk_cmd_scene_switch(ilk_cmd* cmd, const char* name) {
    return record_change(cmd, switch_later, name, "ilk_cmd_scene_switch");
}
