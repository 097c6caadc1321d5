// The C file that shares its components with the test of the C++ header.
#include "c_side.h"

#include <stdlib.h>
#include <string.h>

ILK_COMPONENT(Position);

int titles;

Title title_of(const char* text) {
    Title title = {malloc(strlen(text) + 1)};
    if (!title.text) abort();
    strcpy(title.text, text);
    titles++;
    return title;
}

static void title_copy(void* to, const void* from, void* context) {
    (void)context;
    *(Title*)to = title_of(((const Title*)from)->text);
}

static void title_drop(void* value, void* context) {
    (void)context;
    if (!((Title*)value)->text) return;
    free(((Title*)value)->text);
    titles--;
}

ILK_COMPONENT_WITH(Title, .hooks = {.copy = title_copy, .drop = title_drop});

ilk_entity spawn_in_c(ilk_world* world, float x) {
    return ILK_SPAWN(world, ILK_VALUE(Position, .x = x));
}

float sum_in_c(ilk_world* world) {
    float sum = 0;
    ilk_query* query = ilk_query_create(world, &(ilk_query_desc){.read = {&Position_type}});
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        const Position* p = ILK_READ(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) sum += p[i].x;
    }
    ilk_query_destroy(query);
    return sum;
}

ilk_result set_in_c(ilk_world* world, ilk_entity e, float x) {
    return ilk_set(world, e, ILK_VALUE(Position, .x = x));
}
