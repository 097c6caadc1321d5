// Scenes: the title, the game, and what stops it; what each is made of, and the menu that leads
// from one to the other. The pond itself, with its plants and fireflies, belongs to none of them.
#include <string.h>

#include "font.h"
#include "game.h"

#define TITLE "LANTERN"
#define DOT 13      // pixels between two dots of the title
#define DOT_FLIES 4 // fireflies that fly around each
#define BATS 14

static void spawn_label(ilk_world* world, Label label, const char* text, ilk_type* owner) {
    strncpy(label.text, text, TEXT_SIZE - 1);
    ILK_SPAWN(world, ILK_VALUE_AT(Label, &label), {owner, NULL});
}

static void spawn_button(ilk_world* world, uint32_t place, uint32_t action, int32_t y,
                         const char* text, ilk_type* owner) {
    Label label = {
        .x = VIEW_WIDTH / 2, .y = y + 26 * (int32_t)place, .scale = 2, .color = 0xe8f0e0};
    strncpy(label.text, text, TEXT_SIZE - 1);
    ILK_SPAWN(world, ILK_VALUE_AT(Label, &label), ILK_VALUE(Button, action, place), {owner, NULL});
}

static void select_first(ilk_world* world) {
    ilk_resource_set(world, ILK_VALUE(Menu, .selected = 0));
}

// Title

// The nearest fireflies that follow nobody follow a dot.
static void gather_flies(game* g, ilk_entity dot, vec at) {
    const ilk_ask ask = {.at = {at.x, at.y}, .query = g->free_fireflies};
    ilk_hit hits[DOT_FLIES];
    uint32_t count = ilk_space_nearest(g->swarm, &ask, hits, DOT_FLIES);
    for (uint32_t i = 0; i < count; i++) {
        ilk_relate(g->world, hits[i].entity, &Follows_type, dot);
    }
}

static void write_letter(game* g, char letter, vec corner) {
    for (int y = 0; y < FONT_HEIGHT; y++) {
        for (int x = 0; x < FONT_WIDTH; x++) {
            if (!font_has_dot(letter, x, y)) continue;
            vec at = plus(corner, (vec){(float)(x * DOT), (float)(y * DOT)});
            ilk_entity dot = ILK_SPAWN(g->world, ILK_VALUE_AT(Position, &at),
                                       ILK_VALUE(Lure, .orbit = 3), ILK_WITH(OfTitle));
            gather_flies(g, dot, at);
        }
    }
}

// In fireflies.
static void write_title(game* g) {
    const int letters = (int)strlen(TITLE), pitch = (FONT_WIDTH + 1) * DOT;
    vec corner = {(float)(POND_WIDTH - letters * pitch + DOT) / 2, POND_HEIGHT / 2 - 125};
    for (int i = 0; i < letters; i++) {
        write_letter(g, TITLE[i], plus(corner, (vec){(float)(i * pitch), 0}));
    }
}

static void enter_title(ilk_world* world, void* user) {
    game* g = user;
    vec middle = {POND_WIDTH / 2, POND_HEIGHT / 2};
    ilk_set(world, g->camera, ILK_VALUE_AT(Position, &middle));
    write_title(g);
    const Label hint = {.x = VIEW_WIDTH / 2, .y = 218, .scale = 1, .color = 0x9fc0b0};
    spawn_label(world, hint, "BRING LIGHT TO SEVEN LOTUSES", &OfTitle_type);
    spawn_button(world, 0, ACTION_PLAY, 250, "ROW OUT", &OfTitle_type);
    spawn_button(world, 1, ACTION_QUIT, 250, "GO HOME", &OfTitle_type);
    const Label keys = {.x = VIEW_WIDTH / 2, .y = 338, .scale = 1, .color = 0x7f9f98};
    spawn_label(world, keys, "ARROWS  ENTER  SPACE  P  R", &OfTitle_type);
    select_first(world);
}

// Play

static const vec lotus_places[LOTUSES] = {{1130, 690}, {690, 470},  {1420, 420}, {420, 830},
                                          {960, 980},  {1550, 840}, {930, 300}};

static void spawn_at(ilk_world* world, const char* name, vec at) {
    ilk_entity e = ilk_blueprint_spawn(world, ilk_blueprint_named(world, name));
    ilk_set(world, e, ILK_VALUE_AT(Position, &at));
}

static ilk_entity spawn_boat(ilk_world* world) {
    ilk_entity boat = ilk_blueprint_spawn(world, ilk_blueprint_named(world, "boat"));
    ilk_set(world, boat, ILK_VALUE(Position, POND_WIDTH / 2, POND_HEIGHT / 2));
    return boat;
}

static void spawn_bats(ilk_world* world) {
    for (uint32_t i = 0; i < BATS; i++) {
        vec way = turned((float)i / BATS);
        vec at = {POND_WIDTH * (0.5f + 0.42f * way.x), POND_HEIGHT * (0.5f + 0.42f * way.y)};
        spawn_at(world, "bat", at);
    }
}

static void spawn_bar(ilk_world* world, int32_t x, quantity shows, uint32_t color,
                      const char* name) {
    const Label label = {.x = x + 60, .y = 10, .scale = 1, .color = 0xd8e4d0};
    spawn_label(world, label, name, &OfPlay_type);
    ILK_SPAWN(
        world,
        ILK_VALUE(Bar, .x = x, .y = 21, .width = 120, .height = 8, .shows = shows, .color = color),
        ILK_WITH(OfPlay));
}

static void spawn_counter(ilk_world* world, int32_t y, quantity shows) {
    ILK_SPAWN(world, ILK_VALUE(Label, .x = VIEW_WIDTH / 2, .y = y, .scale = 1, .color = 0xd8e4d0),
              ILK_VALUE(Counter, shows), ILK_WITH(OfPlay));
}

static void enter_play(ilk_world* world, void* user) {
    game* g = user;
    Pond* pond = ILK_RESOURCE_EDIT(world, Pond);
    pond->boat = spawn_boat(world);
    pond->dawn = pond->tick + NIGHT_SECONDS * FRAMES_A_SECOND;
    for (int i = 0; i < LOTUSES; i++) spawn_at(world, "lotus", lotus_places[i]);
    spawn_bats(world);
    spawn_bar(world, 14, QUANTITY_LIGHT, 0xffb45a, "LANTERN");
    spawn_bar(world, VIEW_WIDTH - 134, QUANTITY_NIGHT, 0x8fb0ff, "NIGHT");
    spawn_counter(world, 10, QUANTITY_LOTUSES);
    spawn_counter(world, 22, QUANTITY_FOLLOWERS);
    ILK_SPAWN(world, ILK_WITH(RewindBar), ILK_WITH(OfPlay));
    g->first_frame = ilk_ring_stats_of(g->ring).frame + 1;
}

static void exit_play(ilk_world* world, void* user) {
    (void)user;
    ILK_RESOURCE_EDIT(world, Pond)->boat = (ilk_entity){0};
}

// Pause, and the end

static void enter_pause(ilk_world* world, void* user) {
    (void)user;
    const Label label = {.x = VIEW_WIDTH / 2, .y = 110, .scale = 4, .color = 0xfff0c0};
    spawn_label(world, label, "PAUSE", &OfPause_type);
    spawn_button(world, 0, ACTION_RESUME, 175, "ROW ON", &OfPause_type);
    spawn_button(world, 1, ACTION_LEAVE, 175, "TO THE SHORE", &OfPause_type);
    select_first(world);
}

static void enter_end(ilk_world* world, void* user) {
    (void)user;
    spawn_button(world, 0, ACTION_PLAY, 200, "ANOTHER NIGHT", &OfEnd_type);
    spawn_button(world, 1, ACTION_LEAVE, 200, "TO THE SHORE", &OfEnd_type);
    const Label hint = {.x = VIEW_WIDTH / 2, .y = 165, .scale = 1, .color = 0xc0d0c8};
    spawn_label(world, hint, "OR HOLD R TO TURN BACK TIME", &OfEnd_type);
    select_first(world);
}

static ilk_result on_ended(ilk_world* world, const ilk_event* event, void* user) {
    static const char* const texts[] = {"THE POND IS AWAKE", "THE LANTERN IS OUT", "IT IS DAWN"};
    const Ended* ended = event->value;
    (void)user;
    if (strcmp(ilk_scene_top(world), "play") != 0) return ILK_OK; // told twice
    ilk_result result = ilk_scene_push(world, "end");
    const Label label = {.x = VIEW_WIDTH / 2, .y = 110, .scale = 4, .color = 0xfff0c0};
    if (result == ILK_OK) spawn_label(world, label, texts[ended->how], &OfEnd_type);
    return result;
}

// Menu

static ilk_result on_chosen(ilk_world* world, const ilk_event* event, void* user) {
    game* g = user;
    switch (((const Chosen*)event->value)->action) {
    case ACTION_PLAY:
        return ilk_scene_switch(world, "play");
    case ACTION_RESUME:
        return ilk_scene_pop(world);
    case ACTION_LEAVE:
        return ilk_scene_switch(world, "title");
    default:
        g->is_over = true;
        return ILK_OK;
    }
}

static void choose(ilk_iter* it, uint32_t selected) {
    while (ilk_next(it)) {
        const Button* button = ILK_READ(it, Button);
        for (uint32_t i = 0; i < it->count; i++) {
            if (button[i].place != selected) continue;
            ILK_EMIT(it->cmd, Chosen, .action = button[i].action);
        }
    }
}

static void menu(ilk_iter* it) {
    const game* g = it->user;
    uint32_t pressed = ILK_RESOURCE_GET(it->world, Input)->pressed;
    Menu* menu = ILK_RESOURCE_EDIT(it->world, Menu);
    uint32_t count = ilk_query_count(it->world, g->buttons);
    if (pressed & KEY_UP) menu->selected = (menu->selected + count - 1) % count;
    if (pressed & KEY_DOWN) menu->selected = (menu->selected + 1) % count;
    if (pressed & (KEY_START | KEY_FLASH)) choose(it, menu->selected);
}

// The key that stops the game, and lets it go on. The commands wait for the end of the frame, so
// that "resume" does not see the key that "stop" has seen.
static void stop(ilk_iter* it) {
    uint32_t pressed = ILK_RESOURCE_GET(it->world, Input)->pressed;
    if (pressed & KEY_PAUSE) ilk_cmd_scene_push(it->cmd, "pause");
}

static void resume(ilk_iter* it) {
    uint32_t pressed = ILK_RESOURCE_GET(it->world, Input)->pressed;
    if (pressed & KEY_PAUSE) ilk_cmd_scene_pop(it->cmd);
}

static bool add_menu(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "menu",
         .run = menu,
         .query = {.read = {&Button_type}},
         .reads_resources = {&Input_type},
         .writes_resources = {&Menu_type}},
        {.name = "stop", .run = stop, .apply = ILK_APPLY_FRAME, .reads_resources = {&Input_type}},
        {.name = "resume",
         .run = resume,
         .apply = ILK_APPLY_FRAME,
         .reads_resources = {&Input_type}},
    };
    g->buttons = ilk_query_create(g->world, &(ilk_query_desc){.with = {&Button_type}});
    const ilk_subscription_desc chosen = {
        .name = "menu", .type = &Chosen_type, .call = on_chosen, .user = g};
    const ilk_subscription_desc ended = {.name = "end", .type = &Ended_type, .call = on_ended};
    return g->buttons && ilk_subscribe(g->world, &chosen) && ilk_subscribe(g->world, &ended) &&
           add_systems(g, systems, sizeof systems / sizeof *systems);
}

bool add_scenes(game* g) {
    static const char* const in_title[] = {"sense",        "pass_time", "think", "steer", "hatch",
                                           "throw_sparks", "age",       "menu",  "draw",  NULL};
    static const char* const in_play[] = {"sense", "fixed", "hatch", "throw_sparks", "age", "stop",
                                          "post",  "draw",  NULL};
    static const char* const in_pause[] = {"menu", "resume", "draw", NULL};
    static const char* const in_end[] = {"menu", "draw", NULL};
    const ilk_scene_desc scenes[] = {
        {.name = "title", .systems = in_title, .enter = enter_title, .owns = &OfTitle_type},
        {.name = "play",
         .systems = in_play,
         .enter = enter_play,
         .exit = exit_play,
         .owns = &OfPlay_type},
        {.name = "pause", .systems = in_pause, .enter = enter_pause, .owns = &OfPause_type},
        {.name = "end", .systems = in_end, .enter = enter_end, .owns = &OfEnd_type},
    };
    for (uint32_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        ilk_scene_desc scene = scenes[i];
        scene.user = g;
        if (ilk_scene_add(g->world, &scene) != ILK_OK) return false;
    }
    return add_menu(g);
}
