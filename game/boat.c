// The boat: it is rowed, draws fireflies with its lanterns, and dazzles bats. What hangs on it
// moves along ("hang"), and the camera goes after it.
#include "game.h"

#define THRUST 190
#define DRAG 1.7f      // of the speed, a second
#define SIDE_DRAG 4.5f // the keel
#define TURNING 3.2f
#define BURNING 0.0125f // of the light, a second
#define CAUGHT_LIGHT 0.012f
#define CATCH_RADIUS 30
#define FLASH_RADIUS 150
#define FLASH_LIGHT 0.06f
#define DAZZLED 5 // seconds
#define MOST_BATS 32

static vec wanted_way(const Input* input) {
    vec way = {0};
    if (input->held & KEY_LEFT) way.x -= 1;
    if (input->held & KEY_RIGHT) way.x += 1;
    if (input->held & KEY_UP) way.y -= 1;
    if (input->held & KEY_DOWN) way.y += 1;
    return direction_of(way, (vec){0});
}

// Along the heading it glides, across it does not.
static vec slowed(vec velocity, vec heading, float dt) {
    vec side = right_of(heading);
    float ahead = dot(velocity, heading) * (1 - DRAG * dt);
    float across = dot(velocity, side) * (1 - SIDE_DRAG * dt);
    return plus(times(heading, ahead), times(side, across));
}

static void row_one(vec way, Position* at, Velocity* velocity, Heading* heading, float dt) {
    // Straight back is no way to turn to: then it turns to the right.
    vec turn = dot(way, *heading) < -0.98f ? right_of(*heading) : way;
    *heading = direction_of(plus(*heading, times(turn, TURNING * dt)), *heading);
    *velocity = plus(*velocity, times(way, THRUST * dt));
    *velocity = slowed(*velocity, *heading, dt);
    vec there = plus(*at, times(*velocity, dt));
    if (water_at(there) > 0.08f)
        *at = there;
    else
        *velocity = times(*velocity, -0.4f);
}

static void leave_wake(ilk_iter* it, vec at, vec velocity, uint32_t tick) {
    if (tick % 9 || length_of(velocity) < 25) return;
    vec still = {0};
    ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE_AT(Position, &at), ILK_VALUE_AT(Velocity, &still),
                                      ILK_VALUE(Particle, .kind = PARTICLE_RING, .life = 2.2f,
                                                .size = 22, .color = 0x9fc4d6)));
}

static void row(ilk_iter* it) {
    const Input* input = ILK_RESOURCE_GET(it->world, Input);
    uint32_t tick = ILK_RESOURCE_GET(it->world, Pond)->tick;
    float dt = (float)it->dt;
    while (ilk_next(it)) {
        Position* at = ILK_WRITE(it, Position);
        Velocity* velocity = ILK_WRITE(it, Velocity);
        Heading* heading = ILK_WRITE(it, Heading);
        for (uint32_t i = 0; i < it->count; i++) {
            row_one(wanted_way(input), &at[i], &velocity[i], &heading[i], dt);
            vec stern = minus(at[i], times(heading[i], 16));
            leave_wake(it, stern, velocity[i], tick);
        }
    }
}

// The lantern burns down; without light, or in the morning, the night is over.
static void burn(ilk_iter* it) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    float dt = (float)it->dt;
    while (ilk_next(it)) {
        Boat* boat = ILK_WRITE(it, Boat);
        for (uint32_t i = 0; i < it->count; i++) {
            boat[i].light = clamp(boat[i].light - BURNING * dt, 0, 1);
            boat[i].recovers = clamp(boat[i].recovers - dt, 0, 10);
            if (boat[i].light <= 0) ILK_EMIT(it->cmd, Ended, .how = ENDING_DARK);
            if (pond->tick >= pond->dawn) ILK_EMIT(it->cmd, Ended, .how = ENDING_DAWN);
        }
    }
}

static void flicker(ilk_iter* it) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    const Boat* boat = ILK_GET(it->world, pond->boat, Boat);
    if (!boat) return;
    while (ilk_next(it)) {
        Glow* glow = ILK_WRITE(it, Glow);
        for (uint32_t i = 0; i < it->count; i++) {
            float flame = chance_share(it->entities[i].index, pond->tick / 5);
            glow[i].radius = 46 + 105 * boat->light + 5 * flame;
            glow[i].strength = 0.35f + 0.6f * boat->light + 0.05f * flame;
        }
    }
}

// Fireflies that come near begin to follow, and feed the light.
static void catch (ilk_iter* it) {
    const game* g = it->user;
    while (ilk_next(it)) {
        Boat* boat = ILK_WRITE(it, Boat);
        const Position* at = ILK_READ(it, Position);
        ilk_entity self = it->entities[0]; // there is one boat
        uint32_t room = FOLLOWERS_MOST - ilk_source_count(it->world, self, &Follows_type);
        const ilk_ask ask = {.shape = ILK_SHAPE_SPHERE,
                             .at = {at->x, at->y},
                             .radius = CATCH_RADIUS,
                             .query = g->free_fireflies};
        ilk_hit hits[FOLLOWERS_MOST];
        uint32_t count = ilk_space_find(g->swarm, &ask, hits, room);
        for (uint32_t i = 0; i < count && i < room; i++) {
            const Position* there = ILK_GET(it->world, hits[i].entity, Position);
            ilk_cmd_relate(it->cmd, hits[i].entity, &Follows_type, self);
            ilk_cmd_emit(it->cmd, ILK_VALUE_AT(Caught, there));
            boat->light = clamp(boat->light + CAUGHT_LIGHT, 0, 1);
        }
    }
}

static void dazzle_bats(ilk_iter* it, vec at) {
    const game* g = it->user;
    const ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {at.x, at.y}, .radius = FLASH_RADIUS};
    ilk_hit hits[MOST_BATS];
    uint32_t count = ilk_space_find(g->bats, &ask, hits, MOST_BATS);
    for (uint32_t i = 0; i < count && i < MOST_BATS; i++) {
        Bat* bat = ILK_EDIT(it->world, hits[i].entity, Bat);
        Velocity* velocity = ILK_EDIT(it->world, hits[i].entity, Velocity);
        const Position* there = ILK_GET(it->world, hits[i].entity, Position);
        if (!bat || !velocity || !there) continue;
        bat->rests = DAZZLED;
        *velocity = times(direction_of(minus(*there, at), (vec){1, 0}), 320);
    }
}

static void flash(ilk_iter* it) {
    const Input* input = ILK_RESOURCE_GET(it->world, Input);
    while (ilk_next(it)) {
        Boat* boat = ILK_WRITE(it, Boat);
        const Position* at = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            bool is_ready = boat[i].recovers <= 0 && boat[i].light > 2 * FLASH_LIGHT;
            if (!is_ready || !(input->pressed & KEY_FLASH)) continue;
            boat[i].light -= FLASH_LIGHT;
            boat[i].recovers = 1;
            dazzle_bats(it, at[i]);
            ilk_cmd_emit(it->cmd, ILK_VALUE_AT(Flashed, &at[i]));
        }
    }
}

static void hang_one(const ilk_world* world, ilk_entity e, Position* at, Heading* heading) {
    ilk_entity parent = ilk_parent(world, e);
    const Position* there = ILK_GET(world, parent, Position);
    const Heading* ahead = ILK_GET(world, parent, Heading);
    const Local* local = ILK_GET(world, e, Local);
    if (!there || !ahead || !local || !at || !heading) return;
    vec away = plus(times(*ahead, local->x), times(right_of(*ahead), local->y));
    *at = plus(*there, away);
    *heading = *ahead;
}

// What is below the boat is where its parent is, turned as it is; parents come before their
// children.
static void hang(ilk_iter* it) {
    ilk_world* world = it->world;
    ilk_entity boat = ILK_RESOURCE_GET(world, Pond)->boat, e = ilk_next_below(world, boat, boat);
    for (; !ilk_is_null(e); e = ilk_next_below(world, e, boat)) {
        hang_one(world, e, ILK_EDIT(world, e, Position), ILK_EDIT(world, e, Heading));
    }
}

static void follow_boat(ilk_iter* it) {
    ilk_entity boat = ILK_RESOURCE_GET(it->world, Pond)->boat;
    const Position* there = ILK_GET(it->world, boat, Position);
    const Velocity* velocity = ILK_GET(it->world, boat, Velocity);
    if (!there || !velocity) return;
    vec goal = plus(*there, times(*velocity, 0.5f));
    while (ilk_next(it)) {
        Position* at = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            at[i] = plus(at[i], times(minus(goal, at[i]), 0.06f));
            at[i].x = clamp(at[i].x, VIEW_WIDTH / 2, POND_WIDTH - VIEW_WIDTH / 2);
            at[i].y = clamp(at[i].y, VIEW_HEIGHT / 2, POND_HEIGHT - VIEW_HEIGHT / 2);
        }
    }
}

// What moves the boat and what it has with it, by order: 20 and more, after all that flies.
static bool add_moving(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "row",
         .run = row,
         .phase = "fixed",
         .order = 20,
         .query = {.write = {&Position_type, &Velocity_type, &Heading_type}, .with = {&Boat_type}},
         .reads_resources = {&Input_type, &Pond_type}},
        {.name = "hang",
         .run = hang,
         .phase = "fixed",
         .order = 21,
         .reads = {&Local_type, &ilk_child_of_type},
         .writes = {&Position_type, &Heading_type},
         .reads_resources = {&Pond_type}},
        {.name = "follow_boat",
         .run = follow_boat,
         .phase = "fixed",
         .order = 22,
         .query = {.write = {&Position_type}, .with = {&Camera_type}},
         .reads = {&Velocity_type},
         .reads_resources = {&Pond_type}},
    };
    return add_systems(g, systems, sizeof systems / sizeof *systems);
}

static bool add_lights(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "flash",
         .run = flash,
         .phase = "fixed",
         .order = 30,
         .query = {.write = {&Boat_type}, .read = {&Position_type}},
         .writes = {&Bat_type, &Velocity_type},
         .reads_resources = {&Input_type}},
        {.name = "catch",
         .run = catch,
         .phase = "fixed",
         .order = 31,
         .query = {.write = {&Boat_type}, .read = {&Position_type}},
         .reads = {&Follows_type, &Firefly_type}},
        {.name = "burn",
         .run = burn,
         .phase = "fixed",
         .order = 32,
         .query = {.write = {&Boat_type}},
         .reads_resources = {&Pond_type}},
        {.name = "flicker",
         .run = flicker,
         .phase = "fixed",
         .order = 33,
         .query = {.write = {&Glow_type}, .with = {&Lantern_type}},
         .reads = {&Boat_type},
         .reads_resources = {&Pond_type}},
    };
    return add_systems(g, systems, sizeof systems / sizeof *systems);
}

bool add_boat(game* g) {
    return add_moving(g) && add_lights(g);
}
