// The traces of docs/seeing.md: of the last frames, and of one that took too long. It prints
//     trace.json is written
//     slow.json is written
//     without a trace: it is not there
#include <ilk/ilk.h>
#include <stdio.h>

static void work(ilk_iter* it) {
    ++*(int*)it->user;
}

static void frame(ilk_world* world, double dt, bool too_slow) {
    ilk_update(world, dt);
    if (too_slow) ilk_trace_write(world, "slow.json"); // the frames before it are in it, too
}

// Says whether a trace was written, and leaves no file behind.
static void look_for(const char* path) {
    FILE* file = fopen(path, "r");
    bool is_written = file && fgetc(file) == '{';
    if (file) fclose(file);
    remove(path);
    printf("%s is %s\n", path, is_written ? "written" : "not there");
}

int main(void) {
    int calls = 0;
    ilk_world* world = ilk_world_create(NULL);
    ilk_system_create(world, &(ilk_system_desc){.name = "work", .run = work, .user = &calls});

    ilk_trace_start(world, 2); // the last two frames
    for (int i = 0; i < 4; i++) frame(world, 1.0 / 60, i == 2);
    ilk_trace_write(world, "trace.json");
    look_for("trace.json");
    look_for("slow.json");

    ilk_trace_stop(world);
    ilk_result result = ilk_trace_write(world, "trace.json");
    printf("without a trace: %s\n", ilk_result_text(result));
    ilk_world_destroy(world);
    return calls == 4 ? 0 : 1;
}
