// Particles: what happens is read from events, and each kind throws some. They fly, age and go.
#include "game.h"

typedef struct effect {
    ilk_type* event; // whose value is a place
    uint32_t kind, count, color;
    float speed, life, size;
} effect;

static const effect effects[EFFECTS] = {
    {&Caught_type, PARTICLE_SPARK, 5, 0xfff0a0, 40, 0.6f, 5},
    {&Eaten_type, PARTICLE_SPARK, 9, 0xff7050, 55, 0.7f, 5},
    {&Woken_type, PARTICLE_SPARK, 110, 0xff9ad8, 170, 1.8f, 8},
    {&Flashed_type, PARTICLE_SPARK, 90, 0xfff8e0, 330, 0.6f, 9},
    {&Bumped_type, PARTICLE_SPARK, 34, 0xffa040, 130, 0.9f, 6},
};

static void throw_one(ilk_cmd* cmd, const effect* e, vec at, uint32_t seed, uint32_t number) {
    vec way = turned(chance_share(seed, 3 * number));
    vec velocity = times(way, e->speed * between(0.15f, 1, chance_share(seed, 3 * number + 1)));
    float share = chance_share(seed, 3 * number + 2);
    ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Position, &at), ILK_VALUE_AT(Velocity, &velocity),
                                  ILK_VALUE(Particle, .kind = e->kind, .color = e->color,
                                            .life = e->life * between(0.5f, 1, share),
                                            .size = e->size * between(0.5f, 1, share))));
}

static void throw_ring(ilk_cmd* cmd, vec at, float size, uint32_t color) {
    vec still = {0};
    ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Position, &at), ILK_VALUE_AT(Velocity, &still),
                                  ILK_VALUE(Particle, .kind = PARTICLE_RING, .life = 1.1f,
                                            .size = size, .color = color)));
}

static void throw_sparks(ilk_iter* it) {
    const game* g = it->user;
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    for (uint32_t i = 0; i < EFFECTS; i++) {
        const effect* e = &effects[i];
        ilk_event event;
        const vec* at;
        while ((at = ilk_read(g->readers[i], &event))) {
            uint32_t seed = chance(pond->tick, (uint32_t)event.number);
            for (uint32_t k = 0; k < e->count; k++) throw_one(it->cmd, e, *at, seed, k);
            if (e->count > 30) throw_ring(it->cmd, *at, e->speed * 0.6f, e->color);
        }
    }
}

static void age(ilk_iter* it) {
    float dt = (float)it->dt;
    while (ilk_next(it)) {
        Particle* particle = ILK_WRITE(it, Particle);
        Position* at = ILK_WRITE(it, Position);
        const Velocity* velocity = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            particle[i].age += dt;
            float left = 1 - particle[i].age / particle[i].life;
            at[i] = plus(at[i], times(velocity[i], dt * clamp(left, 0, 1)));
            if (left <= 0) ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

bool add_effects(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "throw_sparks", .run = throw_sparks, .reads_resources = {&Pond_type}},
        {.name = "age",
         .run = age,
         .is_parallel = true,
         .query = {.write = {&Particle_type, &Position_type}, .read = {&Velocity_type}}},
    };
    for (uint32_t i = 0; i < EFFECTS; i++) {
        g->readers[i] = ilk_reader_create(g->world, &(ilk_reader_desc){.type = effects[i].event});
        if (!g->readers[i]) return false;
    }
    return add_systems(g, systems, sizeof systems / sizeof *systems);
}
