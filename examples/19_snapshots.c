// Snapshots: a world goes back to what it was, bit for bit; a ring keeps its last frames, and
// rewinds to any of them. It prints
//     after 30 frames: 31 alive, the ball is at 30
//     back at the start: 1 alive, the ball is at 0, its picture is still 7
//     frame 90: 91 alive, the ball is at 90
//     frame 60 again: 61 alive, the ball is at 60; 60 of 60 frames were kept
//     played anew, frame 90 is the same: yes
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    int x;
} Position;
ILK_COMPONENT(Position);

// What a renderer has for an entity: it stays when the world goes back.
typedef struct Picture {
    unsigned on_card;
} Picture;
static void picture_drop(void* value, void* context) {
    (void)context;
    ((Picture*)value)->on_card = 0; // where it would be given back
}
ILK_COMPONENT_WITH(Picture, .unrecorded = true, .hooks = {.drop = picture_drop});

static ilk_entity ball;

// A frame: the ball moves, and leaves a mark where it was.
static void play(ilk_world* world) {
    Position* at = ILK_EDIT(world, ball, Position);
    Position mark = *at;
    at->x++;
    ilk_spawn(world, (ilk_value[]){{&Position_type, &mark}}, 1);
}

static void show(ilk_world* world, const char* when) {
    printf("%s: %u alive, the ball is at %d", when, ilk_stats(world).alive,
           ILK_GET(world, ball, Position)->x);
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ball = ILK_SPAWN(world, ILK_VALUE(Position, 0), ILK_VALUE(Picture, 0));

    ilk_snapshot* before = ilk_snapshot_take(world);
    for (int i = 0; i < 30; i++) play(world);
    ILK_EDIT(world, ball, Picture)->on_card = 7;
    show(world, "after 30 frames");
    ilk_snapshot_restore(before);
    show(world, "\nback at the start");
    printf(", its picture is still %u", ILK_GET(world, ball, Picture)->on_card);
    ilk_snapshot_release(before);

    ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 60});
    for (int i = 0; i < 90; i++) {
        play(world);
        ilk_ring_push(ring);
    }
    show(world, "\nframe 90");
    uint32_t kept = ilk_ring_stats_of(ring).count;
    ilk_entity last = ilk_entity_at(world, 90);

    ilk_ring_rewind(ring, 60);
    show(world, "\nframe 60 again");
    printf("; %u of 60 frames were kept\n", kept);
    for (int i = 60; i < 90; i++) play(world);
    bool is_same =
        ilk_same(ilk_entity_at(world, 90), last) && ILK_GET(world, last, Position)->x == 89;
    printf("played anew, frame 90 is the same: %s\n", is_same ? "yes" : "no");
    ilk_world_destroy(world);
}
