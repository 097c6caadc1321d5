// Rollback: two processes play one game (rollback/game.h) over a link that loses a fifth of what is
// sent, and delays and reorders the rest (rollback/link.h). Each plays on with a guess at what the
// other does; where that was wrong, it goes back and plays the frames since again. It prints
//     process 0 went back 139 times, by 9 frames at most
//     process 1 went back 110 times, by 8 frames at most
//     after 600 frames both have the hash of a world that knew all: yes
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>
#include "rollback/game.h"
#include "rollback/link.h"

#define FRAMES 600

static signed char moves[2][FRAMES + 1]; // of each player
static bool is_known[FRAMES + 1];        // what the other did; otherwise it is a guess

typedef struct tally {
    int times, deepest; // that it went back
    uint64_t hash;      // in the end
} tally;

// Inputs have come: the first frame that was played with a wrong guess, or the next one.
static int hear(const packet* p, int next, signed char* other) {
    for (int i = 0; i < PACKET_INPUTS && p->frame - i > 0; i++) {
        int frame = p->frame - i;
        if (is_known[frame]) continue;
        if (frame < next && other[frame] != p->inputs[i]) next = frame;
        other[frame] = p->inputs[i];
        is_known[frame] = true;
    }
    return next;
}

static void play_on(ilk_world* world, ilk_ring* ring, int from, int to, signed char* other) {
    if (ilk_ring_stats_of(ring).frame >= (uint64_t)from) ilk_ring_rewind(ring, (uint64_t)from - 1);
    for (int frame = from; frame <= to; frame++) {
        if (!is_known[frame]) other[frame] = other[frame - 1];
        play(world, moves[0][frame], moves[1][frame]);
        ilk_ring_push(ring);
    }
}

static tally run(lossy_link* link, int me) {
    tally t = {0};
    ilk_world* world = make_game();
    ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 60});
    for (int tick = 1; tick <= FRAMES + 60; tick++) { // until the last input has come
        packet p;
        int last = tick < FRAMES ? tick : FRAMES, next = tick <= FRAMES ? tick : FRAMES + 1;
        moves[me][last] = (signed char)(last * (me + 3) / 16 % 3);
        if (!link_tick(link, moves[me], last)) break;
        int from = next;
        while (link_receive(link, &p)) from = hear(&p, from, moves[!me]);
        play_on(world, ring, from, last, moves[!me]);
        t.times += from < next;
        if (t.deepest < next - from) t.deepest = next - from;
    }
    t.hash = ilk_hash_layout(world);
    ilk_world_destroy(world);
    return t;
}

int main(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends)) return 1;
    int me = fork() != 0;
    close(ends[!me]);
    tally mine = run(&(lossy_link){.socket = ends[me], .seed = (uint32_t)me + 1}, me), other;
    if (!me) return !send_all(ends[me], &mine, sizeof mine);
    if (!receive_all(ends[me], &other, sizeof other)) return 1;
    printf("process 0 went back %d times, by %d frames at most\n", other.times, other.deepest);
    printf("process 1 went back %d times, by %d frames at most\n", mine.times, mine.deepest);
    ilk_world* world = make_game();
    for (int i = 1; i <= FRAMES; i++) play(world, moves[0][i], moves[1][i]);
    printf("after %d frames both have the hash of a world that knew all: %s\n", FRAMES,
           ilk_hash_layout(world) == mine.hash && mine.hash == other.hash ? "yes" : "no");
    ilk_world_destroy(world);
}
