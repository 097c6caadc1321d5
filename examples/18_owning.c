// Owning: a component whose values own something, here memory, says how one is copied and dropped.
// It prints
//     the copy is called Ada
//     2 names made, 2 dropped
#include <ilk/ilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Name {
    char* text; // NULL: there was no memory for it
} Name;

static int made, dropped;

static char* text_of(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (!copy) return NULL;
    made++;
    return memcpy(copy, text, size);
}

static void name_copy(void* to, const void* from, void* context) {
    (void)context;
    const Name* name = from;
    *(Name*)to = (Name){name->text ? text_of(name->text) : NULL};
}

static void name_drop(void* value, void* context) {
    (void)context;
    Name* name = value;
    if (name->text) dropped++;
    free(name->text);
}

ILK_COMPONENT_WITH(Name, .hooks = {.copy = name_copy, .drop = name_drop});

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity ada = ilk_create(world);

    Name name = {text_of("Ada")};
    ilk_result result = ilk_add(world, ada, ILK_VALUE_AT(Name, &name));
    if (result != ILK_OK) name_drop(&name, NULL); // only then is it still ours

    ilk_entity twin = ilk_copy(world, ada);
    const Name* copied = ILK_GET(world, twin, Name);
    printf("the copy is called %s\n", copied && copied->text ? copied->text : "nothing");

    ilk_world_destroy(world); // drops every value that is left
    printf("%d names made, %d dropped\n", made, dropped);
}
