// Deltas: what happened in a world, as bytes for another one that was the same. It prints
//     the whole of 10000 entities, for who joins: more than 100000 bytes
//     one frame in which 3 of them moved: fewer than 300 bytes
//     there, crate 5000 is at 2
//     both worlds are the same: yes
//     the same bytes again: ilk_delta_apply: the delta: entities, names or resources of world
//         "there" are not what it begins with
//     a bit was lost on the way: ilk_delta_apply: the delta: its bytes are damaged
#include <ilk/ilk.h>
#include <stdio.h>
#include <string.h>

typedef struct Crate {
    int x, y;
} Crate;
ILK_COMPONENT_WITH(Crate, .fields = ILK_FIELDS(ILK_FIELD(Crate, x), ILK_FIELD(Crate, y)));

static unsigned char wire[1 << 20]; // what was sent

// Sends what makes one snapshot another, or all of it; returns the number of bytes.
static size_t send_delta(ilk_snapshot* from, ilk_snapshot* to) {
    size_t size;
    const void* bytes = ilk_delta_make(from, to, &size);
    if (!bytes || size > sizeof wire) return 0;
    memcpy(wire, bytes, size);
    return size;
}

static void receive(ilk_world* world, const char* what, size_t size) {
    if (ilk_delta_apply(world, wire, size) == ILK_OK) return;
    printf("%s: %s\n", what, ilk_error(world).text);
}

static void play(ilk_world* world) {
    for (uint32_t i = 4999; i < 5002; i++) {
        ILK_EDIT(world, ilk_entity_at(world, i), Crate)->x += 2;
    }
}

int main(void) {
    ilk_world* here = ilk_world_create(&(ilk_world_desc){.name = "here"});
    ilk_world* there = ilk_world_create(&(ilk_world_desc){.name = "there"});
    for (int i = 0; i < 10000; i++) ILK_SPAWN(here, ILK_VALUE(Crate, .y = i));

    ilk_snapshot* before = ilk_snapshot_take(here);
    size_t size = send_delta(NULL, before);
    printf("the whole of 10000 entities, for who joins: %s than 100000 bytes\n",
           size > 100000 ? "more" : "fewer");
    receive(there, "the whole", size);

    play(here);
    ilk_snapshot* after = ilk_snapshot_take(here);
    size = send_delta(before, after);
    ilk_snapshot_release(before);
    printf("one frame in which 3 of them moved: %s than 300 bytes\n",
           size < 300 ? "fewer" : "more");
    receive(there, "one frame", size);
    printf("there, crate 5000 is at %d\n", ILK_GET(there, ilk_entity_at(there, 5000), Crate)->x);
    bool is_same = ilk_hash_layout(here) == ilk_hash_layout(there);
    printf("both worlds are the same: %s\n", is_same ? "yes" : "no");

    receive(there, "the same bytes again", size);
    wire[size / 2] ^= 1;
    receive(there, "a bit was lost on the way", size);
    ilk_world_destroy(here);
    ilk_world_destroy(there);
}
