// Fireflies: each looks at its nearest neighbours and decides where it would like to fly ("think"),
// and everything that flies turns towards what it would like ("steer"). Both systems run in pieces
// on all workers: "think" reads what "steer" writes, and writes only its own wish.
#include "game.h"

#define THINK_EVERY 4 // ticks: each tick another quarter of them thinks
#define NEIGHBOURS 8  // itself among them
#define SIGHT 22      // pixels
#define FEAR 62
#define SPEED 46
#define FLEEING_SPEED 125
#define AGILITY 4.5f // how much of the way to its wish a flyer turns in a second

// What each wish weighs, in pixels a second.
#define APART 130        // from a neighbour that is one pixel away, about
#define ALONG 0.85f      // of the speed of the others
#define TOGETHER 0.6f    // of the way to their middle
#define PANIC 1.15f      // of FLEEING_SPEED, right at the bat; less by the share of FEAR in between
#define NEAR_ORBIT 0.35f // of the orbit of whom it follows
#define FAR_ORBIT 1.1f

// Away from those too near, along with the others, and towards their middle.
static vec flock(const ilk_iter* it, ilk_entity self, vec at) {
    const game* g = it->user;
    const ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {at.x, at.y}, .radius = SIGHT};
    ilk_hit hits[NEIGHBOURS];
    uint32_t count = ilk_space_nearest(g->swarm, &ask, hits, NEIGHBOURS);
    vec apart = {0}, along = {0}, middle = {0};
    uint32_t others = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (ilk_same(hits[i].entity, self)) continue;
        const Position* there = ILK_GET(it->world, hits[i].entity, Position);
        const Velocity* velocity = ILK_GET(it->world, hits[i].entity, Velocity);
        if (!there || !velocity) continue; // gone since the space was refreshed
        vec away = minus(at, *there);
        apart = plus(apart, times(away, 1 / (dot(away, away) + 6)));
        along = plus(along, *velocity);
        middle = plus(middle, *there);
        others++;
    }
    if (!others) return (vec){0};
    float share = 1 / (float)others;
    vec together = times(minus(times(middle, share), at), TOGETHER);
    return plus(plus(times(apart, APART), times(along, ALONG * share)), together);
}

// A direction of its own, which changes every second or so.
static vec wander(ilk_entity self, uint32_t tick) {
    uint32_t mood = (tick + self.index * 7) / 70;
    return times(turned(chance_share(self.index, mood)), 15);
}

// Back to the water, the more so the farther it is on land.
static vec homesick(vec at) {
    float water = water_at(at);
    if (water > 0.06f) return (vec){0};
    vec middle = {POND_WIDTH / 2, POND_HEIGHT / 2};
    return times(direction_of(minus(middle, at), (vec){1, 0}), 60 * (0.06f - water) * 10);
}

// Towards the lantern, as far as it shines, but not too near.
static vec lured(const ilk_iter* it, ilk_entity boat, vec at) {
    const Position* there = ILK_GET(it->world, boat, Position);
    const Boat* lamp = ILK_GET(it->world, boat, Boat);
    if (!there || !lamp) return (vec){0};
    vec way = minus(*there, at);
    float reach = 70 + 110 * lamp->light, distance = length_of(way);
    if (distance > reach || distance < 1) return (vec){0};
    return times(way, 34 * clamp((distance - 60) / 50, -0.3f, 1) / distance);
}

// Away from the nearest bat. False if none is near.
static bool flee(const ilk_iter* it, vec at, vec* wish) {
    const game* g = it->user;
    const ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {at.x, at.y}, .radius = FEAR};
    ilk_hit bat;
    if (!ilk_space_nearest(g->bats, &ask, &bat, 1)) return false;
    const Position* there = ILK_GET(it->world, bat.entity, Position);
    if (!there) return false;
    vec away = direction_of(minus(at, *there), (vec){1, 0});
    *wish = times(away, FLEEING_SPEED * (PANIC - length_of(minus(at, *there)) / FEAR));
    return true;
}

static vec roam(const ilk_iter* it, const Pond* pond, ilk_entity self, vec at) {
    vec wish;
    if (flee(it, at, &wish)) return plus(wish, homesick(at));
    wish = plus(flock(it, self, at), wander(self, pond->tick));
    wish = plus(wish, plus(homesick(at), lured(it, pond->boat, at)));
    return at_most(wish, SPEED);
}

// Around whom it follows, at a distance and in a sense of its own.
static vec circle(const ilk_iter* it, ilk_entity self, vec at, ilk_entity leader) {
    const Position* there = ILK_GET(it->world, leader, Position);
    const Lure* lure = ILK_GET(it->world, leader, Lure);
    if (!there || !lure) return (vec){0};
    float orbit = lure->orbit * between(NEAR_ORBIT, FAR_ORBIT, chance_share(self.index, 1));
    vec way = minus(*there, at);
    vec inwards = times(direction_of(way, (vec){1, 0}), length_of(way) - orbit);
    vec around = times(right_of(direction_of(way, (vec){1, 0})), self.index & 1 ? 1.3f : -1.3f);
    return at_most(plus(times(inwards, 3), times(around, orbit)), 2.6f * SPEED);
}

static void think(ilk_iter* it) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    while (ilk_next(it)) {
        Wish* wish = ILK_WRITE(it, Wish);
        const Position* at = ILK_READ(it, Position);
        const Follows* follows = ILK_MAYBE(it, Follows);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity self = it->entities[i];
            if ((self.index + pond->tick) % THINK_EVERY) continue;
            wish[i] =
                follows ? circle(it, self, at[i], follows[i].target) : roam(it, pond, self, at[i]);
        }
    }
}

static void steer(ilk_iter* it) {
    float dt = (float)it->dt;
    while (ilk_next(it)) {
        Position* at = ILK_WRITE(it, Position);
        Velocity* velocity = ILK_WRITE(it, Velocity);
        const Wish* wish = ILK_READ(it, Wish);
        for (uint32_t i = 0; i < it->count; i++) {
            vec turn = times(minus(wish[i], velocity[i]), AGILITY * dt);
            velocity[i] = plus(velocity[i], turn);
            at[i] = plus(at[i], times(velocity[i], dt));
        }
    }
}

static void pass_time(ilk_iter* it) {
    ILK_RESOURCE_EDIT(it->world, Pond)->tick++;
}

// Where the reeds are, somewhere along the shore.
static vec hatchery(uint32_t number, uint32_t tick) {
    vec way = turned(chance_share(number, tick));
    vec middle = {POND_WIDTH / 2, POND_HEIGHT / 2};
    return plus(middle, (vec){way.x * POND_WIDTH * 0.44f, way.y * POND_HEIGHT * 0.44f});
}

// As many as are missing hatch, a few at a time.
static void hatch(ilk_iter* it) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    uint32_t alive = ilk_stats_of(it->world, &Firefly_type).count;
    const ilk_blueprint* firefly = ilk_blueprint_named(it->world, "firefly");
    for (uint32_t i = 0; i < 8 && alive + i < pond->fireflies; i++) {
        vec place = hatchery(i, pond->tick);
        ilk_entity e = ilk_cmd_blueprint_spawn(it->cmd, firefly);
        ilk_cmd_set(it->cmd, e, ILK_VALUE_AT(Position, &place));
    }
}

static bool add_spaces(game* g) {
    g->swarm = ilk_space_create(g->world, &(ilk_space_desc){.type = &Position_type,
                                                            .query = {.with = {&Firefly_type}},
                                                            .phase = "sense",
                                                            .name = "swarm"});
    g->bats = ilk_space_create(g->world, &(ilk_space_desc){.type = &Position_type,
                                                           .query = {.with = {&Bat_type}},
                                                           .phase = "sense",
                                                           .cell = 2 * FEAR,
                                                           .name = "bats"});
    g->free_fireflies = ilk_query_create(
        g->world, &(ilk_query_desc){.with = {&Firefly_type}, .without = {&Follows_type}});
    return g->swarm && g->bats && g->free_fireflies;
}

bool add_agents(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "pass_time", .run = pass_time, .phase = "fixed", .writes_resources = {&Pond_type}},
        {.name = "think",
         .run = think,
         .phase = "fixed",
         .is_parallel = true,
         .query = {.write = {&Wish_type},
                   .read = {&Position_type, &Velocity_type},
                   .with = {&Firefly_type},
                   .maybe = {&Follows_type}},
         .reads = {&Boat_type, &Lure_type},
         .reads_resources = {&Pond_type}},
        {.name = "steer",
         .run = steer,
         .phase = "fixed",
         .order = 10,
         .is_parallel = true,
         .query = {.write = {&Position_type, &Velocity_type}, .read = {&Wish_type}}},
        {.name = "hatch",
         .run = hatch,
         .interval = 0.5,
         .reads = {&Firefly_type},
         .reads_resources = {&Pond_type}},
    };
    return add_spaces(g) && add_systems(g, systems, sizeof systems / sizeof *systems);
}
