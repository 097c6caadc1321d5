// Replays: what was put into each frame is recorded, so that any frame can be played again, and the
// first one found that comes to something else. It prints
//     frame 100: the ball is at 97
//     frame 44: the ball is at 41
//     every frame is the same when it is played again: yes
//     another wall: ilk_replay_verify: frame 48 is not what it was when it was recorded
//     frame 48 differs first: entity 0:1 Ball.x is 51 in world "first", and 47 in world "second"
#include <ilk/ilk.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Ball {
    int x;
} Ball;
ILK_COMPONENT_WITH(Ball, .fields = ILK_FIELDS(ILK_FIELD(Ball, x)));

// A frame: the ball is pushed, up to a wall.
static void play(ilk_world* world, const void* input, size_t size, void* context) {
    const signed char* push = input;
    const int* wall = context;
    Ball* ball = ILK_EDIT(world, ilk_entity_at(world, 0), Ball);
    if (size && ball->x + *push <= *wall) ball->x += *push;
}

static ilk_world* make_world(const char* name) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = name});
    ILK_SPAWN(world, ILK_VALUE(Ball, 0));
    return world;
}

static ilk_replay* make_replay(ilk_world* world, int* wall) {
    ilk_replay_desc desc = {.play = play, .context = wall, .keep = {.frames = 100, .every = 10}};
    return ilk_replay_create(world, &desc);
}

static void record(ilk_replay* replay) {
    for (int i = 1; i <= 100; i++) {
        signed char push = (signed char)(i % 7 - 2);
        ilk_replay_record(replay, &push, sizeof push);
    }
}

static void show(const char* when, ilk_world* world) {
    printf("%s the ball is at %d\n", when, ILK_GET(world, ilk_entity_at(world, 0), Ball)->x);
}

int main(void) {
    int far = 1000, near = 50;
    ilk_world* world = make_world("first");
    ilk_replay* replay = make_replay(world, &far);
    record(replay);
    show("frame 100:", world);
    ilk_replay_go(replay, 44); // from frame 40, which is kept
    show("frame 44:", world);
    bool is_same = ilk_replay_verify(replay, 0, 100) == ILK_OK;
    printf("every frame is the same when it is played again: %s\n", is_same ? "yes" : "no");

    size_t size = ilk_replay_save(replay, NULL, 0);
    void* bytes = malloc(size);
    ilk_replay_save(replay, bytes, size);
    ilk_world* second = make_world("second");
    ilk_replay* other = make_replay(second, &near);
    ilk_replay_load(other, bytes, size);
    ilk_result result = ilk_replay_verify(other, 0, 100);
    printf("another wall: %s\n", result == ILK_CLASH ? ilk_error(second).text : "the same");
    free(bytes);

    uint64_t frame;
    ilk_divergence first;
    ilk_replay_go(other, 0);
    record(other);
    ilk_replay_diverge(replay, other, &frame, &first);
    printf("frame %d differs first: %s\n", (int)frame, first.text);
    ilk_world_destroy(world);
    ilk_world_destroy(second);
}
