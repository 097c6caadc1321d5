// Fixed steps: the phase "fixed" runs once for each tenth of a second that has gone by, however
// long the frames are, and comes to the same; what is drawn lies between two steps. It prints
//     a frame of 0.25 s: 2 steps, the ball is at 4, drawn at 3.0
//     a frame of 0.01 s: 0 steps, the ball is at 4, drawn at 3.2
//     a frame of 0.12 s: 1 steps, the ball is at 6, drawn at 5.6
//     a frame of 9.00 s: 5 steps, the ball is at 16, drawn at 15.6
//     paused: a frame of 0.10 s: 0 steps, the ball is at 16, drawn at 15.6
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Ball {
    int before, now; // where it was, a step ago and after the last one
} Ball;
ILK_COMPONENT(Ball);

static void move(ilk_iter* it) {
    while (ilk_next(it)) {
        Ball* ball = ILK_WRITE(it, Ball);
        for (uint32_t i = 0; i < it->count; i++) {
            ball[i].before = ball[i].now;
            ball[i].now += 2;
        }
    }
}

// Drawing is a step behind, and goes smoothly from the last but one to the last.
static void draw(ilk_iter* it) {
    ilk_time time = ilk_time_of(it->world);
    while (ilk_next(it)) {
        const Ball* ball = ILK_READ(it, Ball);
        for (uint32_t i = 0; i < it->count; i++) {
            double at = ball[i].before + (ball[i].now - ball[i].before) * time.fraction;
            printf("the ball is at %d, drawn at %.1f\n", ball[i].now, at);
        }
    }
}

static void play_frame(ilk_world* world, double seconds) {
    uint64_t before = ilk_time_of(world).fixed_steps;
    ilk_update(world, seconds);
    int steps = (int)(ilk_time_of(world).fixed_steps - before);
    printf("a frame of %.2f s: %d steps, ", seconds, steps);
    ilk_draw(world, NULL);
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    // At most five steps in a frame: of a longer one the rest is dropped.
    ilk_set_fixed_step(world, 0.1, 5);
    const ilk_system_desc systems[] = {
        {.name = "move", .run = move, .phase = "fixed", .query = {.write = {&Ball_type}}},
        {.name = "draw",
         .run = draw,
         .phase = "draw",
         .runs_paused = true,
         .query = {.read = {&Ball_type}}},
    };
    for (int i = 0; i < 2; i++) ilk_system_create(world, &systems[i]);
    ILK_SPAWN(world, ILK_VALUE(Ball, 0));
    play_frame(world, 0.25);
    play_frame(world, 0.01);
    play_frame(world, 0.12);
    play_frame(world, 9);
    ilk_pause(world, true); // no time goes by, and only what runs_paused does
    printf("paused: ");
    play_frame(world, 0.1);
    ilk_world_destroy(world);
}
