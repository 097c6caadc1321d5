// What happens when: everything that a world calls says so, in the order in which it is called. It
// prints the log that docs/frame.md is about:
//     frame 1: 0.3 s go by
//     start   launch   records a ship; alive: no
//     apply   observer the ship came; alive: yes
//     fixed   step     dt 0.125
//     fixed   step     dt 0.125
//     update  watch    before hit, hulls changed: 1
//     update  fire     records a shot
//     update  listen   beside fire, shots read: 0
//     update  drift    a piece of 64 rows
//     update  drift    a piece of 36 rows
//     update  hear     after fire, shots read: 1
//     update  hit      is asked: yes
//     update  hit      writes a hull
//     post    look     after hit, hulls changed: 1
//     post    menu     runs while paused too: dt 0.3
//     end     settling done: no
//     draw    draw     on paper, dt 0.0, fraction 0.4
//     frame 2: 0.3 s once more, and nobody is hit
//     first   dispatch a shot; who fired is alive: yes
//     fixed   step     dt 0.125
//     fixed   step     dt 0.125
//     update  watch    before hit, hulls changed: 1
//     update  fire     records a shot
//     update  listen   beside fire, shots read: 1
//     update  drift    a piece of 64 rows
//     update  drift    a piece of 36 rows
//     update  hear     after fire, shots read: 1
//     update  hit      is asked: no
//     post    look     after hit, hulls changed: 0
//     post    radar    interval 0.5: dt 0.6
//     post    menu     runs while paused too: dt 0.3
//     end     settling done: yes
//     frame 3: paused
//     first   dispatch a shot; who fired is alive: yes
//     post    menu     runs while paused too: dt 0.0
//     end     settling done: yes
//     frame 4: 5 s are cut to 0.1, and go by twice as fast; the ship leaves
//     fixed   step     dt 0.125
//     fixed   step     dt 0.125
//     update  watch    before hit, hulls changed: 0
//     update  fire     records a shot
//     update  listen   beside fire, shots read: 1
//     update  drift    a piece of 64 rows
//     update  drift    a piece of 36 rows
//     update  hear     after fire, shots read: 1
//     update  hit      is asked: no
//     post    look     after hit, hulls changed: 0
//     post    leave    records the end of the ship, for the end of the frame
//     post    menu     runs while paused too: dt 0.2
//     apply   observer the ship goes; alive: yes
//     end     settling done: no
//     back after frame 1: no observer is told
//     frame 2: 0.3 s once more, and nobody is hit
//     first   dispatch a shot; who fired is alive: yes
//     fixed   step     dt 0.125
//     fixed   step     dt 0.125
//     update  watch    before hit, hulls changed: 1
//     update  fire     records a shot
//     update  listen   beside fire, shots read: 1
//     update  drift    a piece of 64 rows
//     update  drift    a piece of 36 rows
//     update  hear     after fire, shots read: 1
//     update  hit      is asked: no
//     post    look     after hit, hulls changed: 0
//     post    radar    interval 0.5: dt 0.6
//     post    menu     runs while paused too: dt 0.3
//     end     settling done: yes
//     the same as the first time: yes
//     destroy observer the ship goes; alive: yes
#include <ilk/ilk.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Hull {
    int strength;
} Hull;
typedef struct Place {
    float x;
} Place;
typedef struct Fired {
    ilk_entity by;
} Fired;
ILK_COMPONENT(Hull);
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, x)));
ILK_EVENT(Fired);

static ilk_entity ship;
static ilk_reader *early_shots, *late_shots;
static bool is_hit;

static void say(const char* when, const char* who, const char* format, ...) {
    va_list values;
    va_start(values, format);
    printf("%-7s %-8s ", when, who);
    vprintf(format, values);
    putchar('\n');
    va_end(values);
}

static const char* yes_or_no(bool is_yes) {
    return is_yes ? "yes" : "no";
}

static void launch(ilk_iter* it) {
    ship = ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Hull, 10)));
    say("start", "launch", "records a ship; alive: %s", yes_or_no(ilk_alive(it->world, ship)));
}

static void step(ilk_iter* it) {
    say("fixed", "step", "dt %.3f", it->dt);
}

// Both are in the same wave: neither writes what the other uses.
static void drift(ilk_iter* it) {
    uint32_t rows = 0;
    while (ilk_next(it)) {
        Place* place = ILK_WRITE(it, Place);
        for (uint32_t i = 0; i < it->count; i++) place[i].x += (float)it->dt;
        rows += it->count;
    }
    say("update", "drift", "a piece of %u rows", rows);
}

static void fire(ilk_iter* it) {
    while (ilk_next(it)) ILK_EMIT(it->cmd, Fired, .by = it->entities[0]);
    say("update", "fire", "records a shot");
}

static uint32_t read_all(ilk_reader* reader) {
    uint32_t count = 0;
    while (ilk_read(reader, NULL)) count++;
    return count;
}

static void listen(ilk_iter* it) {
    (void)it;
    say("update", "listen", "beside fire, shots read: %u", read_all(early_shots));
}

static void hear(ilk_iter* it) {
    (void)it;
    say("update", "hear", "after fire, shots read: %u", read_all(late_shots));
}

static uint32_t count_rows(ilk_iter* it) {
    uint32_t rows = 0;
    while (ilk_next(it)) rows += it->count;
    return rows;
}

static void watch(ilk_iter* it) {
    say("update", "watch", "before hit, hulls changed: %u", count_rows(it));
}

static void look(ilk_iter* it) {
    say("post", "look", "after hit, hulls changed: %u", count_rows(it));
}

static bool when_hit(ilk_world* world, void* user) {
    (void)world, (void)user;
    say("update", "hit", "is asked: %s", yes_or_no(is_hit));
    return is_hit;
}

static void hit(ilk_iter* it) {
    while (ilk_next(it)) ILK_WRITE(it, Hull)[0].strength--;
    say("update", "hit", "writes a hull");
}

static void radar(ilk_iter* it) {
    say("post", "radar", "interval 0.5: dt %.1f", it->dt);
}

static void leave(ilk_iter* it) {
    ilk_cmd_destroy(it->cmd, ship);
    say("post", "leave", "records the end of the ship, for the end of the frame");
}

static void menu(ilk_iter* it) {
    say("post", "menu", "runs while paused too: dt %.1f", it->dt);
}

static void draw(ilk_iter* it) {
    ilk_time time = ilk_time_of(it->world);
    say("draw", "draw", "on %s, dt %.1f, fraction %.1f", (const char*)it->surface, it->dt,
        time.fraction);
}

static ilk_result tell_ship(ilk_notice* n) {
    bool comes = n->on == ILK_ON_ADD, ends = n->reason == ILK_REASON_UNLOAD;
    say(ends ? "destroy" : "apply", "observer", "the ship %s; alive: %s", comes ? "came" : "goes",
        yes_or_no(ilk_alive(n->world, n->entity)));
    return ILK_OK;
}

static ilk_result tell_shot(ilk_world* world, const ilk_event* event, void* user) {
    (void)user;
    const Fired* shot = event->value;
    say("first", "dispatch", "a shot; who fired is alive: %s",
        yes_or_no(ilk_alive(world, shot->by)));
    return ILK_OK;
}

static void make_systems(ilk_world* world) {
    const ilk_system_desc systems[] = {
        {.name = "launch", .run = launch, .phase = "start"},
        {.name = "step", .run = step, .phase = "fixed"},
        {.name = "watch", .run = watch, .query = {.changed = {&Hull_type}}},
        {.name = "fire", .run = fire, .query = {.read = {&Hull_type}}},
        {.name = "listen", .run = listen, .reads = {&Hull_type}},
        {.name = "drift",
         .run = drift,
         .is_parallel = true,
         .piece_rows = 64,
         .query = {.write = {&Place_type}}},
        {.name = "hear", .run = hear, .reads = {&Hull_type}, .after = {"fire"}},
        {.name = "hit", .run = hit, .when = when_hit, .query = {.write = {&Hull_type}}},
        {.name = "look", .run = look, .phase = "post", .query = {.changed = {&Hull_type}}},
        {.name = "radar", .run = radar, .phase = "post", .interval = 0.5},
        {.name = "leave", .run = leave, .phase = "post", .apply = ILK_APPLY_FRAME},
        {.name = "menu", .run = menu, .phase = "post", .runs_paused = true},
        {.name = "draw", .run = draw, .phase = "draw", .runs_paused = true},
    };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        ilk_system_create(world, &systems[i]);
    }
    ilk_system_enable(ilk_system_named(world, "leave"), false);
}

static ilk_world* make_world(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_set_fixed_step(world, 0.125, 8);
    ilk_reader_desc shots = {.type = &Fired_type};
    early_shots = ilk_reader_create(world, &shots);
    late_shots = ilk_reader_create(world, &shots);
    ilk_subscribe(world, &(ilk_subscription_desc){.type = &Fired_type, .call = tell_shot});
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_REMOVE,
                                                    .type = &Hull_type,
                                                    .run = tell_ship});
    make_systems(world);
    ilk_batch dust;
    ilk_spawn_many(world, &dust, 100, ILK_TYPES(&Place_type));
    return world;
}

static void frame(ilk_world* world, double dt, const char* what) {
    printf("frame %u: %s\n", (unsigned)ilk_time_of(world).frames + 1, what);
    ilk_update(world, dt);
    say("end", "settling", "done: %s", yes_or_no(ilk_last_settling(world).done));
}

static void second_frame(ilk_world* world) {
    is_hit = false;
    frame(world, 0.3, "0.3 s once more, and nobody is hit");
}

static void paused_frame(ilk_world* world) {
    ilk_pause(world, true);
    frame(world, 0.3, "paused");
    ilk_pause(world, false);
}

static void long_frame(ilk_world* world) {
    ilk_set_longest_frame(world, 0.1);
    ilk_set_time_scale(world, 2);
    ilk_system_enable(ilk_system_named(world, "leave"), true);
    frame(world, 5, "5 s are cut to 0.1, and go by twice as fast; the ship leaves");
}

int main(void) {
    ilk_world* world = make_world();
    is_hit = true;
    frame(world, 0.3, "0.3 s go by");
    ilk_draw(world, "paper");
    ilk_snapshot* after_first = ilk_snapshot_take(world);
    second_frame(world);
    uint64_t hash = ilk_hash_layout(world);
    paused_frame(world);
    long_frame(world);
    ilk_snapshot_restore(after_first);
    printf("back after frame %u: no observer is told\n", (unsigned)ilk_time_of(world).frames);
    second_frame(world);
    bool is_same = ilk_hash_layout(world) == hash;
    printf("the same as the first time: %s\n", yes_or_no(is_same));
    ilk_snapshot_release(after_first);
    ilk_world_destroy(world);
    return is_same ? 0 : 1;
}
