// An allocator of one's own: all memory of a world comes from one arena of a megabyte. When it is
// used up, that is a result like any other, and the world is as it was. It prints
//     after more than 10000 crates: no memory could be had
//     the world is sound, and the last crate is where it was put: yes
//     one goes, another comes: yes
//     afterwards, 0 bytes of the arena are still in use
#include <ilk/ilk.h>
#include <stdio.h>

static _Alignas(16) unsigned char memory[1 << 20];

typedef struct arena {
    size_t end;    // what lies beyond was never handed out, or is free again
    size_t in_use; // bytes that were not given back
} arena;

static void* arena_alloc(void* context, size_t size, size_t align) {
    arena* a = context;
    uintptr_t at = ((uintptr_t)memory + a->end + align - 1) & ~(uintptr_t)(align - 1);
    size_t start = (size_t)(at - (uintptr_t)memory);
    if (start > sizeof memory || size > sizeof memory - start) return NULL;
    a->end = start + size;
    a->in_use += size;
    return memory + start;
}

// Only the last piece makes room for others. Everything goes when the world does.
static void arena_free(void* context, void* piece, size_t size, size_t align) {
    (void)align;
    arena* a = context;
    a->in_use -= size;
    size_t start = (size_t)((unsigned char*)piece - memory);
    if (start + size == a->end) a->end = start;
}

typedef struct Crate {
    int number;
} Crate;
ILK_COMPONENT(Crate);

int main(void) {
    arena a = {0};
    ilk_world* world = ilk_world_create(
        &(ilk_world_desc){.allocator = {.alloc = arena_alloc, .free = arena_free, .context = &a}});
    ilk_entity last = {0};
    int count = 0;
    for (;; count++) {
        ilk_entity crate = ILK_SPAWN(world, ILK_VALUE(Crate, count));
        if (ilk_is_null(crate)) break;
        last = crate;
    }
    printf("after %s than 10000 crates: %s\n", count > 10000 ? "more" : "fewer",
           ilk_result_text(ilk_error(world).result));

    bool is_sound = ilk_world_validate(world, NULL, 0) == ILK_OK;
    is_sound = is_sound && ILK_GET(world, last, Crate)->number == count - 1;
    printf("the world is sound, and the last crate is where it was put: %s\n",
           is_sound ? "yes" : "no");
    ilk_destroy(world, last);
    ilk_entity crate = ILK_SPAWN(world, ILK_VALUE(Crate, 0));
    printf("one goes, another comes: %s\n", ilk_alive(world, crate) ? "yes" : "no");

    ilk_world_destroy(world);
    printf("afterwards, %d bytes of the arena are still in use\n", (int)a.in_use);
}
