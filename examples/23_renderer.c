// Reading snapshots: one that is opened is a world of its own, which another thread may read. Here
// one draws a frame while the world plays the next. It prints
//     6000 balls were drawn, 6000 of them where they were in that frame
#include <ilk/ilk.h>
#include <pthread.h>
#include <stdio.h>

typedef struct Position {
    int x;
} Position;
ILK_COMPONENT(Position);

// What one thread hands to the other, one at a time: a frame to be drawn, which then goes back.
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ilk_world *wanted, *drawn;
    bool is_over;
} desk = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static int drawn, right;

static void draw(ilk_world* frame) {
    ilk_world_own(frame); // it is this thread's now
    ilk_query* query = ilk_query_create(frame, &(ilk_query_desc){.read = {&Position_type}});
    for (ilk_iter it = ilk_query_iter(frame, query); ilk_next(&it); drawn += (int)it.count) {
        const Position* at = ILK_READ(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) right += at[i].x == (int)ilk_time_of(frame).frames;
    }
}

static void* draw_all(void* unused) {
    pthread_mutex_lock(&desk.lock);
    for (; !desk.is_over; pthread_cond_wait(&desk.changed, &desk.lock)) {
        if (!desk.wanted) continue;
        draw(desk.drawn = desk.wanted);
        desk.wanted = NULL;
        pthread_cond_signal(&desk.changed);
    }
    pthread_mutex_unlock(&desk.lock);
    return unused;
}

// Closes the frame that was drawn, and hands in another one, or NULL for the end.
static void hand_over(ilk_world* frame) {
    pthread_mutex_lock(&desk.lock);
    while (desk.wanted) pthread_cond_wait(&desk.changed, &desk.lock);
    ilk_world_destroy(desk.drawn);
    desk.wanted = frame;
    desk.drawn = NULL;
    desk.is_over = !frame;
    pthread_cond_signal(&desk.changed);
    pthread_mutex_unlock(&desk.lock);
}

static void move(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* at = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) at[i].x++;
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_system_create(
        world, &(ilk_system_desc){.name = "move", .run = move, .query.write = {&Position_type}});
    for (int i = 0; i < 100; i++) ILK_SPAWN(world, ILK_VALUE(Position, 0));
    pthread_t artist;
    pthread_create(&artist, NULL, draw_all, NULL);
    for (int i = 0; i < 60; i++) {
        ilk_update(world, 1.0 / 60);
        ilk_snapshot* snapshot = ilk_snapshot_take(world);
        hand_over(ilk_snapshot_open(snapshot));
        ilk_snapshot_release(snapshot); // it goes when it is closed
    }
    hand_over(NULL);
    pthread_join(artist, NULL);
    printf("%d balls were drawn, %d of them where they were in that frame\n", drawn, right);
    ilk_world_destroy(world);
}
