// The pictures of docs/space.md: a space of an even crowd, and one of clusters.
#include <ilk/space.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Place {
    float x, y;
} Place;
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, x), ILK_FIELD(Place, y)));

static unsigned seed = 1;
static float part(void) {
    seed = seed * 1664525 + 1013904223;
    return (float)(seed >> 8) / 16777216.0f;
}

static int draw(const char* folder, const char* name, bool is_clustered) {
    ilk_world* world = ilk_world_create(NULL);
    for (int i = 0; i < 700; i++) {
        Place at = {part() * 100, part() * 100};
        if (is_clustered) {
            float turn = part() * 6.2832f, far = part() * part() * part() * 14;
            int cluster = i % 4;
            at.x = (float)(cluster * 37 % 100) + cosf(turn) * far;
            at.y = (float)(cluster * 61 % 90) + sinf(turn) * far;
        }
        ILK_SPAWN(world, ILK_VALUE_AT(Place, &at));
    }
    ilk_space* space = ilk_space_create(world, &(ilk_space_desc){.type = &Place_type});
    size_t size = ilk_space_draw(space, NULL, 0) + 1;
    char* text = malloc(size);
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    if (!text || !file) return 1;
    ilk_space_draw(space, text, size);
    fputs(text, file);
    fclose(file);
    free(text);
    ilk_space_destroy(space);
    ilk_world_destroy(world);
    return 0;
}

int main(int count, char** arguments) {
    const char* folder = count > 1 ? arguments[1] : ".";
    return draw(folder, "space-grid.svg", false) | draw(folder, "space-tree.svg", true);
}
