// A link between two processes. Of the packets that one sends, the other loses a
// fifth, and gets the rest one to seven ticks late, in any order. So each holds the inputs of many
// frames. In each tick both send one and wait for the other's, so that every run is the same.
#ifndef ROLLBACK_LINK_H
#define ROLLBACK_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define PACKET_INPUTS 32
#define LATEST 8

typedef struct packet {
    int frame; // of the last input
    signed char inputs[PACKET_INPUTS];
} packet;

typedef struct lossy_link {
    int socket, tick;
    uint32_t seed;
    packet held[LATEST][LATEST]; // by the tick in which they arrive
    int count[LATEST];
} lossy_link;

static inline uint32_t link_chance(lossy_link* link, uint32_t bound) {
    link->seed = link->seed * 1664525 + 1013904223;
    return (link->seed >> 8) % bound;
}

static inline bool send_all(int socket, const void* bytes, size_t size) {
    return send(socket, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static inline bool receive_all(int socket, void* bytes, size_t size) {
    return recv(socket, bytes, size, 0) == (ssize_t)size;
}

// A tick passes: sends what was done up to a frame, and takes in a packet of the other's. False if
// the other is gone.
static inline bool link_tick(lossy_link* link, const signed char* inputs, int frame) {
    packet p = {.frame = frame};
    for (int i = 0; i < PACKET_INPUTS && i < frame; i++) p.inputs[i] = inputs[frame - i];
    if (!send_all(link->socket, &p, sizeof p)) return false;
    if (!receive_all(link->socket, &p, sizeof p)) return false;
    link->tick++;
    if (link_chance(link, 5) == 0) return true; // it is lost
    uint32_t due = ((uint32_t)link->tick + 1 + link_chance(link, LATEST - 1)) % LATEST;
    link->held[due][link->count[due]++] = p;
    return true;
}

// The next packet that arrives in this tick; false if there is no more.
static inline bool link_receive(lossy_link* link, packet* p) {
    int now = link->tick % LATEST;
    if (!link->count[now]) return false;
    *p = link->held[now][--link->count[now]];
    return true;
}

#endif
