// Change: a query with .changed visits what was written since it last looked, and one with .added
// what was given. It prints, of five pawns,
//     at first: moved 0 1 2 3 4, new 0 1 2 3 4
//     nothing happened: moved, new
//     3 moved, 1 was looked at: moved 3, new
//     5 came: moved 5, new 5
//     2 is marked: moved 2, new
//     looking at everything again: moved 0 1 2 3 4 5, new
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Place {
    int x, y;
} Place;
// With .track, changes are noted for each value; without, for each block of values.
ILK_COMPONENT_WITH(Place, .track = true);

static const ilk_query_desc moved = {.read = {&Place_type}, .changed = {&Place_type}};
static const ilk_query_desc added = {.added = {&Place_type}};

static void print_index(void* user, ilk_entity pawn, void* const* values) {
    (void)user, (void)values; // the columns in the order in which the query declares them
    printf(" %u", pawn.index);
}

// Each query remembers for itself when it last looked.
static void look(const char* when, ilk_world* world, ilk_query* movers, ilk_query* newcomers) {
    printf("%s: moved", when);
    ilk_each(world, movers, print_index, NULL); // calls the function for each entity
    printf(", new");
    ilk_each(world, newcomers, print_index, NULL);
    printf("\n");
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_query* movers = ilk_query_create(world, &moved);
    ilk_query* newcomers = ilk_query_create(world, &added);
    ilk_entity pawns[5];
    for (int i = 0; i < 5; i++) pawns[i] = ILK_SPAWN(world, ILK_VALUE(Place, .x = i));
    look("at first", world, movers, newcomers);
    look("nothing happened", world, movers, newcomers);

    ILK_EDIT(world, pawns[3], Place)->y += ILK_GET(world, pawns[1], Place)->x; // reading is none
    look("3 moved, 1 was looked at", world, movers, newcomers);
    ILK_SPAWN(world, ILK_VALUE(Place, .x = 5));
    look("5 came", world, movers, newcomers);
    ilk_mark(world, pawns[2], &Place_type); // as if it had been written
    look("2 is marked", world, movers, newcomers);
    ilk_query_since(movers, 0);
    look("looking at everything again", world, movers, newcomers);
    ilk_world_destroy(world);
}
