// Scenes: which systems run now, and who is told when that changes.
//
//     static const char* const systems[] = {"move", "draw_level", NULL};
//     ilk_scene_add(world, &(ilk_scene_desc){
//         .name = "level", .systems = systems, .enter = build_level, .owns = &OfLevel_type});
//     ilk_scene_switch(world, "level");
//
// Scenes are known by their names, and lie on a stack. The one on top runs, and those below it as
// long as all above them are overlays: a display of the score leaves the game running, a menu does
// not. Systems that no running scene lists are passed over by ilk_update and ilk_draw, as are those
// that the `active` list of the call leaves out; no time goes by for them. On an empty stack, all
// systems run.
//
// A change of scenes counts at once: made by a command in the middle of an update, for the systems
// that run after it. Inside a system the verbs are LOCKED, and go through its commands. ilk_clear
// leaves the stack as it is. When the world is destroyed, the scenes on the stack exit, from the
// top down, before its systems do. Everything here is for the world's thread.
#ifndef ILK_SCENE_H
#define ILK_SCENE_H

#include "system.h"

#ifdef __cplusplus
extern "C" {
#endif

// Called when a scene comes, goes, or stops running for a while. The world may be changed; scenes
// only in the last hook that a change calls, which is `enter`, or the `resume` of the scene that is
// then on top. In the others that is LOCKED.
typedef void ilk_scene_hook(ilk_world* world, void* user);

// All zero but for a name is valid.
typedef struct ilk_scene_desc {
    const char* name;           // unique in the world; copied, as the names below are
    const char* const* systems; // names of systems, or of phases, which stand for all of their
                                // systems; ends with NULL. NULL: all systems. Names that nobody has
                                // are passed over until somebody has them; those that nobody has
                                // when the scene was entered are told to the callback, as MISSING
    ilk_type* owns;             // entities that have this are destroyed when the scene exits, until
                                // there is none but those that others need; most often a tag. NULL:
                                // none. One that is switched off does not count
    bool is_overlay;            // the scene below goes on running
    void* user;
    ilk_scene_hook* enter;  // it is on the stack now
    ilk_scene_hook* exit;   // it is about to leave the stack; what it owns is still there
    ilk_scene_hook* pause;  // another scene is about to be put on top, and it will not run
    ilk_scene_hook* resume; // it runs again
} ilk_scene_desc;

// Add a scene to those of a world. EXISTS for a name that another scene has; INVALID without a
// name, or for a type that is unsound; CLASH, LOCKED, NO_MEMORY.
ILK_API ilk_result ilk_scene_add(ilk_world* world, const ilk_scene_desc* desc);

// MISSING if there is no such scene, LOCKED while it is on the stack.
ILK_API ilk_result ilk_scene_remove(ilk_world* world, const char* name);

// What a scene was added with; NULL if there is none of that name. It lives as long as the scene.
ILK_API const ilk_scene_desc* ilk_scene_desc_of(const ilk_world* world, const char* name);

// Put a scene on top of the stack. Unless it is an overlay, the scenes that ran are paused, from
// the top down; then it enters. MISSING if there is no such scene, EXISTS if it is on the stack.
ILK_API ilk_result ilk_scene_push(ilk_world* world, const char* name);

#define ILK_SCENE_ROUNDS 8 // at most so many times what a scene owns is destroyed, and is not less

// Take the scene on top off the stack: its exit hook is called, and what it owns is destroyed, in
// the order of a query, with the reason ILK_REASON_UNLOAD (observer.h), whatever ilk_set_reason
// says. What observers make of that type meanwhile goes too; if there is no end to it, FULL is
// told, and the rest stays. Observers may change no scenes then: LOCKED. Then the scenes that run
// again resume, from the bottom up. MISSING if the stack is empty.
ILK_API ilk_result ilk_scene_pop(ilk_world* world);

// All scenes exit, from the top down, paused ones too, and this one enters, alone on the stack. It
// may have been there: then it starts anew. MISSING if there is no such scene; nobody exits then.
ILK_API ilk_result ilk_scene_switch(ilk_world* world, const char* name);

// How many are on the stack; the name of the one at a place, 0 being at the bottom; and of the one
// on top. NULL if there is none. Names live as long as their scenes.
ILK_API uint32_t ilk_scene_depth(const ilk_world* world);
ILK_API const char* ilk_scene_at(const ilk_world* world, uint32_t at);
ILK_API const char* ilk_scene_top(const ilk_world* world);

// The same, recorded as calls (ilk_cmd_call): OK, INVALID or NO_MEMORY are about recording. Whether
// there is such a scene is known when the command is applied, and then told as above.
ILK_API ilk_result ilk_cmd_scene_push(ilk_cmd* cmd, const char* name);
ILK_API ilk_result ilk_cmd_scene_pop(ilk_cmd* cmd);
ILK_API ilk_result ilk_cmd_scene_switch(ilk_cmd* cmd, const char* name);

#ifdef __cplusplus
}
#endif
#endif
