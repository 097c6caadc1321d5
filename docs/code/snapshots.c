// What docs/snapshots.md leaves out of history: pictures that lie on a card. A world goes back; who
// was there keeps the picture, and who comes back makes it anew. It prints
//     picture 2 is dropped
//     the rook is at 0 again, with picture 1
//     the pawn is back, without a picture
//     picture 1 is dropped
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Square {
    int row;
} Square;
ILK_COMPONENT(Square);

typedef struct Picture {
    unsigned on_card;
} Picture;

// Called for the default, too: 0 is no picture.
static void picture_drop(void* value, void* context) {
    const Picture* picture = value;
    (void)context;
    if (picture->on_card) printf("picture %u is dropped\n", picture->on_card);
}

ILK_COMPONENT_WITH(Picture, .unrecorded = true, .hooks = {.drop = picture_drop});

static ilk_entity put(ilk_world* world, unsigned picture) {
    return ILK_SPAWN(world, ILK_VALUE(Square, 0), ILK_VALUE(Picture, picture));
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity rook = put(world, 1), pawn = put(world, 2);
    ilk_snapshot* before = ilk_snapshot_take(world);
    ILK_EDIT(world, rook, Square)->row = 2;
    ilk_destroy(world, pawn);

    ilk_result result = ilk_snapshot_restore(before);
    printf("the rook is at %d again, with picture %u\n", ILK_GET(world, rook, Square)->row,
           ILK_GET(world, rook, Picture)->on_card);
    unsigned picture = ILK_GET(world, pawn, Picture)->on_card;
    printf("the pawn is back, with%s a picture\n", picture ? "" : "out");
    ilk_snapshot_release(before);
    ilk_world_destroy(world);
    return result == ILK_OK ? 0 : 1;
}
