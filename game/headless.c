#define _POSIX_C_SOURCE 200809L
#include "headless.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#ifdef GAME_PNG
#include <png.h>
#endif

#define PROGRESS 100 // frames between two lines

#ifdef GAME_PNG
static bool write_png(const picture* p, const char* path) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height,
                       .format = PNG_FORMAT_RGBA};
    if (png_image_write_to_file(&image, path, 0, p->pixels, 0, NULL)) return true;
    fprintf(stderr, "%s: %s\n", path, image.message);
    return false;
}

// Where pictures go, or NULL. What is wrong with it shows when it is written to.
static const char* make_folder(const options* o) {
    if (o->out) mkdir(o->out, 0777);
    return o->out;
}
#else
static bool write_png(const picture* p, const char* path) {
    (void)p, (void)path;
    return false;
}

static const char* make_folder(const options* o) {
    if (o->out) fprintf(stderr, "There are no pictures: the game was built without libpng.\n");
    return NULL;
}
#endif

static bool write_picture(game* g, const char* folder, uint32_t frame) {
    char path[1024];
    game_draw(g);
    snprintf(path, sizeof path, "%s/frame-%05u.png", folder, frame);
    return write_png(&g->canvas.picture, path);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show_progress(const game* g, uint32_t frame, double* since) {
    if (frame % PROGRESS) return;
    double time = now();
    printf("frame %u: %s, %u entities, %.1f MB of history, %.1f ms a frame\n", frame,
           ilk_scene_top(g->world), ilk_stats(g->world).alive,
           (double)ilk_ring_stats_of(g->ring).owned / 1e6, (time - *since) * 1000 / PROGRESS);
    *since = time;
}

int headless_run(game* g, tape* t, const options* o) {
    double since = now();
    uint32_t pictures = 0;
    bool is_written = true;
    const char* folder = make_folder(o);
    for (uint32_t frame = 1; frame <= o->frames && !g->is_over && is_written; frame++) {
        game_frame(g, tape_play(t, frame));
        if (folder && o->every && frame % o->every == 0) {
            is_written = write_picture(g, folder, frame);
            pictures++;
        }
        show_progress(g, frame, &since);
    }
    if (pictures && is_written) printf("%u pictures are in %s\n", pictures, folder);
    printf("hash %016" PRIx64 "\n", ilk_hash(g->world));
    return is_written && !g->failures ? 0 : 1;
}
