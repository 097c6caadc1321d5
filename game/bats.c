// Bats: each hunts the nearest firefly, or the lantern where it is crowded, eats, and rests. There
// are few of them, so that one thread does. Two bats may catch one firefly in the same tick: the
// second event is addressed to a dead entity, and skipped.
#include "game.h"

#define SPEED 118
#define REACH 8        // pixels
#define SIGHT 220      // for fireflies
#define LURE_SIGHT 420 // for a lantern with a crowd
#define CROWD 6        // so many fireflies make one
#define MEAL 2.2f      // seconds of rest
#define SCATTERED 8    // fireflies that leave a boat that is bumped into

// Large circles, each around a place of its own.
static vec glide(ilk_entity self, vec at, uint32_t tick) {
    uint32_t mood = (tick + self.index * 31) / 240;
    vec goal = {POND_WIDTH * between(0.15f, 0.85f, chance_share(self.index, mood)),
                POND_HEIGHT * between(0.15f, 0.85f, chance_share(mood, self.index))};
    vec way = direction_of(minus(goal, at), (vec){1, 0});
    return times(plus(way, times(right_of(way), self.index & 1 ? 0.5f : -0.5f)), 0.62f * SPEED);
}

static void eat(ilk_iter* it, Bat* bat, ilk_entity prey, vec at) {
    ilk_cmd_emit_to(it->cmd, prey, ILK_VALUE_AT(Eaten, &at));
    ilk_cmd_destroy(it->cmd, prey);
    bat->rests = MEAL;
}

static vec hunt_nearest(ilk_iter* it, Bat* bat, vec at, vec otherwise) {
    const game* g = it->user;
    const ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {at.x, at.y}, .radius = SIGHT};
    ilk_hit prey;
    if (!ilk_space_nearest(g->swarm, &ask, &prey, 1)) return otherwise;
    const Position* there = ILK_GET(it->world, prey.entity, Position);
    if (!there) return otherwise;
    vec way = minus(*there, at);
    if (length_of(way) < REACH) eat(it, bat, prey.entity, at);
    return times(direction_of(way, otherwise), SPEED);
}

static void scatter(ilk_iter* it, ilk_entity boat) {
    ilk_entity followers[SCATTERED];
    uint32_t count = ilk_sources(it->world, boat, &Follows_type, followers, SCATTERED);
    for (uint32_t i = 0; i < count && i < SCATTERED; i++) {
        ilk_cmd_unrelate(it->cmd, followers[i], &Follows_type, boat);
    }
}

static void bump(ilk_iter* it, Bat* bat, ilk_entity boat, vec at) {
    Boat* lamp = ILK_EDIT(it->world, boat, Boat);
    lamp->light = clamp(lamp->light - 0.07f, 0, 1);
    scatter(it, boat);
    ilk_cmd_emit(it->cmd, ILK_VALUE_AT(Bumped, &at));
    bat->rests = 2 * MEAL;
}

// Every other bat is drawn to a lantern that a crowd follows. False if there is none near.
static bool hunt_boat(ilk_iter* it, ilk_entity self, Bat* bat, vec at, vec* wish) {
    ilk_entity boat = ILK_RESOURCE_GET(it->world, Pond)->boat;
    const Position* there = ILK_GET(it->world, boat, Position);
    if (!there || self.index & 1 || bat->tires <= 0) return false;
    vec way = minus(*there, at);
    float distance = length_of(way);
    bool is_crowded = ilk_source_count(it->world, boat, &Follows_type) >= CROWD;
    if (!is_crowded || distance > LURE_SIGHT) return false;
    if (distance < 18) bump(it, bat, boat, at);
    *wish = times(direction_of(way, (vec){1, 0}), SPEED);
    return true;
}

static vec decide(ilk_iter* it, ilk_entity self, Bat* bat, vec at) {
    float dt = (float)it->dt;
    vec wish = glide(self, at, ILK_RESOURCE_GET(it->world, Pond)->tick);
    bat->tires = bat->tires > 0 ? bat->tires - dt : bat->tires - dt < -6 ? 9 : bat->tires - dt;
    if (bat->rests > 0) {
        bat->rests -= dt;
        return wish;
    }
    if (hunt_boat(it, self, bat, at, &wish)) return wish;
    return hunt_nearest(it, bat, at, wish);
}

static void hunt(ilk_iter* it) {
    while (ilk_next(it)) {
        Wish* wish = ILK_WRITE(it, Wish);
        Bat* bat = ILK_WRITE(it, Bat);
        const Position* at = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            wish[i] = decide(it, it->entities[i], &bat[i], at[i]);
        }
    }
}

bool add_bats(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "hunt",
         .run = hunt,
         .phase = "fixed",
         .order = 1,
         .query = {.write = {&Wish_type, &Bat_type}, .read = {&Position_type}},
         .reads = {&Follows_type},
         .writes = {&Boat_type},
         .reads_resources = {&Pond_type}},
    };
    return add_systems(g, systems, sizeof systems / sizeof *systems);
}
