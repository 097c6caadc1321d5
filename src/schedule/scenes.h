// The scenes of a schedule. The stack is a list through them, so that changing it needs no memory.
#ifndef ILKI_SCENES_H
#define ILKI_SCENES_H

#include <ilk/scene.h>

typedef struct ilki_scene {
    struct ilki_scene* next;          // of all
    struct ilki_scene *above, *below; // on the stack; nothing above the top is looked at
    ilk_scene_desc desc;              // its texts lie behind the scene
    size_t bytes;                     // of all of it
    ilk_query* owned;                 // finds what it owns; or NULL
    bool is_stacked;
} ilki_scene;

typedef struct ilki_scenes {
    ilki_scene *first, *top;
    uint32_t depth;
    const ilki_scene* calling; // the scene whose hook is called, or whose entities are destroyed,
                               // while that may change no scenes
    const char* hook;          // its name; NULL while entities are destroyed
} ilki_scenes;

struct ilki_schedule;

// Marks the systems that no scene lets run. Called when the stack or the list of systems changed.
void ilki_scenes_choose(struct ilki_schedule* schedule);

// All scenes exit, from the top down. LOCKED while a change of scenes is under way.
ilk_result ilki_scenes_leave(ilk_world* world, const char* call);

// The stack becomes these scenes, which are there, from the bottom up. No hook is called.
void ilki_scenes_become(ilk_world* world, const char* const* names, uint32_t count);

// At the end of the world: all scenes exit, and are freed.
void ilki_scenes_free(ilk_world* world);

#endif
