// Scenes say which systems run: those of a title, of a game with the score over it, or of a menu
// that freezes the game. It prints, for each key, what ran:
//     key ' ': title
//     key 'p': move level score
//     key 'm': menu level score
//     key 'b': move level score
//     key 'q': title
//     the level was built 1 time, and 0 of its 100 stones are left
#include <ilk/ilk.h>
#include <stdio.h>

ILK_TAG(Stone);
ILK_TAG(OfGame); // goes with the game

static void say_name(ilk_iter* it) {
    printf(" %s", ilk_system_desc_of(it->system)->name);
}

// What the player presses: each key changes scenes, by a command.
static void obey(ilk_iter* it) {
    char* key = it->user;
    if (*key == 'p') ilk_cmd_scene_switch(it->cmd, "game");
    if (*key == 'm') ilk_cmd_scene_push(it->cmd, "menu");
    if (*key == 'b') ilk_cmd_scene_pop(it->cmd);
    if (*key == 'q') ilk_cmd_scene_switch(it->cmd, "title");
    *key = 0;
}

static void build_level(ilk_world* world, void* user) {
    ilk_batch stones; // for filling in their values: a tag has none
    ilk_spawn_many(world, &stones, 100, ILK_TYPES(&Stone_type, &OfGame_type));
    ilk_scene_push(world, "score");
    ++*(int*)user;
}

int main(void) {
    char key = 0;
    int built = 0;
    ilk_world* world = ilk_world_create(NULL);
    const ilk_system_desc systems[] = {
        {.name = "obey", .run = obey, .user = &key},
        {.name = "title", .run = say_name},
        {.name = "menu", .run = say_name},
        {.name = "move", .run = say_name},
        {.name = "level", .run = say_name, .phase = "draw"},
        {.name = "score", .run = say_name, .phase = "draw"},
    };
    for (int i = 0; i < 6; i++) ilk_system_create(world, &systems[i]);

    const char* const in_title[] = {"obey", "title", NULL};
    const char* const in_game[] = {"obey", "move", "level", NULL};
    const char* const in_score[] = {"score", NULL};
    const char* const in_menu[] = {"obey", "menu", "draw", NULL}; // all that draws
    const ilk_scene_desc scenes[] = {
        {.name = "title", .systems = in_title},
        {.name = "game",
         .systems = in_game,
         .enter = build_level,
         .user = &built,
         .owns = &OfGame_type},
        {.name = "score", .systems = in_score, .is_overlay = true},
        {.name = "menu", .systems = in_menu},
    };
    for (int i = 0; i < 4; i++) ilk_scene_add(world, &scenes[i]);
    ilk_scene_push(world, "title");

    for (int i = 0; i < 5; i++) {
        key = " pmbq"[i];
        printf("key '%c':", key);
        ilk_update(world, 1.0 / 60);
        ilk_draw(world, NULL);
        printf("\n");
    }
    printf("the level was built %d time, and %u of its 100 stones are left\n", built,
           ilk_stats(world).alive);
    ilk_world_destroy(world);
}
