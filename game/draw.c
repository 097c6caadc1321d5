// Drawing: systems of the draw phase, in layers by their orders. They only read the world. All are
// declared to write the resource Canvas, so that each is a wave of its own, and none paints at the
// same time as another.
//
//     0 water   10 shadows   20 sprites   25 light   30 what shines   100 what is on the screen
#include "game.h"
#include "sprites.h"

// Where the camera looks.
static void look(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        c->left = (int)at[0].x - VIEW_WIDTH / 2;
        c->top = (int)at[0].y - VIEW_HEIGHT / 2;
    }
}

static void draw_water(ilk_iter* it) {
    canvas_water(it->surface, ILK_RESOURCE_GET(it->world, Pond)->tick);
}

// The moon is at the upper right: what is higher above the water throws its shadow farther.
static void draw_shadows(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        const Shadow* shadow = ILK_READ(it, Shadow);
        for (uint32_t i = 0; i < it->count; i++) {
            vec there = plus(at[i], (vec){-0.5f * shadow[i].height, shadow[i].height});
            if (!canvas_shows(c, there, shadow[i].radius)) continue;
            paint_shade(&c->picture, canvas_place(c, there), 1.35f * shadow[i].radius, 0.6f);
        }
    }
}

// Those that fly look where they go.
static vec heading_of(const Heading* heading, const Velocity* velocity, uint32_t i) {
    if (heading) return heading[i];
    return velocity ? direction_of(velocity[i], (vec){1, 0}) : (vec){1, 0};
}

static void draw_sprites(ilk_iter* it) {
    canvas* c = it->surface;
    const sprite_layer* layer = it->user;
    uint32_t tick = ILK_RESOURCE_GET(it->world, Pond)->tick;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        const Sprite* sprite = ILK_READ(it, Sprite);
        const Heading* heading = ILK_MAYBE(it, Heading);
        const Velocity* velocity = ILK_MAYBE(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            if (!canvas_shows(c, at[i], 40)) continue;
            subject s = {.size = sprite[i].size,
                         .at = canvas_place(c, at[i]),
                         .heading = heading_of(heading, velocity, i),
                         .tick = tick,
                         .entity = it->entities[i],
                         .is_awake = ilk_has(it->world, it->entities[i], &Bloomed_type)};
            layer->paint(&c->picture, &s);
        }
    }
}

// Light

static void darken(ilk_iter* it) {
    canvas_darken(it->surface);
}

static void gather_light(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        const Glow* glow = ILK_READ(it, Glow);
        for (uint32_t i = 0; i < it->count; i++) {
            if (!canvas_shows(c, at[i], glow[i].radius)) continue;
            canvas_light(c, at[i], glow[i].radius, glow[i].color, glow[i].strength);
        }
    }
}

// A firefly fades in and out, each in its own time.
static float brightness(ilk_entity firefly, uint32_t tick) {
    uint32_t period = 90 + firefly.index % 60;
    float beat = wave((float)((tick + firefly.index * 13) % period) / (float)period);
    return 0.62f + 0.38f * beat;
}

static uint32_t color_of(ilk_entity firefly, bool follows) {
    static const uint32_t colors[] = {0xd0ff40, 0xf0f040, 0xa8ff50, 0xffc840};
    return follows ? 0xffd850 : colors[firefly.index % 4];
}

static void gather_fireflies(ilk_iter* it) {
    canvas* c = it->surface;
    uint32_t tick = ILK_RESOURCE_GET(it->world, Pond)->tick;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            if (!canvas_shows(c, at[i], 24)) continue;
            float strength = 0.07f * brightness(it->entities[i], tick);
            canvas_light(c, at[i], 24, 0xf0e060, strength);
        }
    }
}

static void shine(ilk_iter* it) {
    canvas_shine(it->surface);
}

// What shines by itself

static void draw_fireflies(ilk_iter* it) {
    canvas* c = it->surface;
    uint32_t tick = ILK_RESOURCE_GET(it->world, Pond)->tick;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        bool follows = ILK_MAYBE(it, Follows) != NULL;
        for (uint32_t i = 0; i < it->count; i++) {
            if (!canvas_shows(c, at[i], 8)) continue;
            float strength = brightness(it->entities[i], tick);
            uint32_t color = color_of(it->entities[i], follows);
            vec place = canvas_place(c, at[i]);
            paint_glow(&c->picture, place, 5.5f, color, 0.44f * strength);
            paint_glow(&c->picture, place, 2, 0xf8ff90, 0.85f * strength);
        }
    }
}

static void draw_halos(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        const Glow* glow = ILK_READ(it, Glow);
        for (uint32_t i = 0; i < it->count; i++) {
            float radius = 0.85f * glow[i].radius;
            if (!canvas_shows(c, at[i], radius)) continue;
            vec place = canvas_place(c, at[i]);
            paint_glow(&c->picture, place, radius, glow[i].color, 0.17f * glow[i].strength);
            paint_glow(&c->picture, place, 0.3f * radius, glow[i].color, 0.2f * glow[i].strength);
        }
    }
}

static void draw_particle(canvas* c, const Particle* particle, vec at) {
    float left = 1 - particle->age / particle->life;
    vec place = canvas_place(c, at);
    if (particle->kind == PARTICLE_RING) {
        float radius = particle->size * (1.15f - left);
        paint_ring(&c->picture, place, radius, 1.2f, particle->color, 0.3f * left);
    } else {
        paint_glow(&c->picture, place, particle->size, particle->color, 0.6f * left);
        paint_glow(&c->picture, place, 0.35f * particle->size, 0xffffff, 0.6f * left);
    }
}

static void draw_particles(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        const Particle* particle = ILK_READ(it, Particle);
        for (uint32_t i = 0; i < it->count; i++) {
            if (!canvas_shows(c, at[i], 1.2f * particle[i].size)) continue;
            draw_particle(c, &particle[i], at[i]);
        }
    }
}

bool add_layers(game* g, const ilk_system_desc* systems, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        ilk_system_desc system = systems[i];
        system.phase = "draw";
        system.writes_resources[0] = &Canvas_type;
        if (!add_systems(g, &system, 1)) return false;
    }
    return true;
}

// A system for each kind, with the function that paints it; what lies below others is painted
// first.
static bool add_sprites(game* g) {
    for (int i = 0; sprite_layers[i].name; i++) {
        const sprite_layer* layer = &sprite_layers[i];
        const ilk_system_desc system = {.name = layer->name,
                                        .run = draw_sprites,
                                        .user = (void*)(uintptr_t)layer,
                                        .order = 20,
                                        .query = {.read = {&Position_type, &Sprite_type},
                                                  .with = {layer->type},
                                                  .maybe = {&Heading_type, &Velocity_type}},
                                        .reads_resources = {&Pond_type}};
        if (!add_layers(g, &system, 1)) return false;
    }
    return true;
}

static bool add_pond(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "look",
         .run = look,
         .order = -10,
         .query = {.read = {&Position_type}, .with = {&Camera_type}}},
        {.name = "draw_water", .run = draw_water, .order = 0, .reads_resources = {&Pond_type}},
        {.name = "draw_shadows",
         .run = draw_shadows,
         .order = 10,
         .query = {.read = {&Position_type, &Shadow_type}}},
    };
    return add_layers(g, systems, sizeof systems / sizeof *systems);
}

static bool add_light(game* g) {
    const ilk_query_desc glowing = {.read = {&Position_type, &Glow_type}};
    const ilk_query_desc fireflies = {
        .read = {&Position_type}, .with = {&Firefly_type}, .maybe = {&Follows_type}};
    const ilk_system_desc systems[] = {
        {.name = "darken", .run = darken, .order = 22},
        {.name = "gather_light", .run = gather_light, .order = 23, .query = glowing},
        {.name = "gather_fireflies",
         .run = gather_fireflies,
         .order = 24,
         .query = fireflies,
         .reads_resources = {&Pond_type}},
        {.name = "shine", .run = shine, .order = 25},
        {.name = "draw_fireflies",
         .run = draw_fireflies,
         .order = 30,
         .query = fireflies,
         .reads_resources = {&Pond_type}},
        {.name = "draw_halos", .run = draw_halos, .order = 31, .query = glowing},
        {.name = "draw_particles",
         .run = draw_particles,
         .order = 32,
         .query = {.read = {&Position_type, &Particle_type}}},
    };
    return add_layers(g, systems, sizeof systems / sizeof *systems);
}

bool add_drawing(game* g) {
    return add_pond(g) && add_sprites(g) && add_light(g) && add_screen(g);
}
