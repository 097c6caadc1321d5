#include "window.h"

#include <stdio.h>

#ifdef GAME_SDL
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 4 // that are played at once where a picture took too long

struct window {
    SDL_Window* window;
    SDL_Renderer* renderer;
    SDL_Texture* texture;
};

// Where there is no display, SDL may choose a driver that shows nothing to anybody.
static bool is_seen(void) {
    static const char* const unseen[] = {"offscreen", "dummy", "evdev"};
    const char* driver = SDL_GetCurrentVideoDriver();
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        if (!driver || strcmp(driver, unseen[i]) == 0) return false;
    }
    return true;
}

static bool make(window* w) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
    if (!is_seen()) {
        SDL_SetError("there is no display");
        return false;
    }
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    w->window = SDL_CreateWindow("Lantern", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 2 * VIEW_WIDTH, 2 * VIEW_HEIGHT, SDL_WINDOW_RESIZABLE);
    if (!w->window) return false;
    w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (!w->renderer) return false;
    SDL_RenderSetLogicalSize(w->renderer, VIEW_WIDTH, VIEW_HEIGHT);
    w->texture = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                   VIEW_WIDTH, VIEW_HEIGHT);
    return w->texture != NULL;
}

window* window_open(void) {
    window* w = calloc(1, sizeof *w);
    if (w && make(w)) return w;
    fprintf(stderr, "There is no window: %s\n", SDL_GetError());
    window_close(w);
    return NULL;
}

void window_close(window* w) {
    if (!w) return;
    if (w->texture) SDL_DestroyTexture(w->texture);
    if (w->renderer) SDL_DestroyRenderer(w->renderer);
    if (w->window) SDL_DestroyWindow(w->window);
    SDL_Quit();
    free(w);
}

static const struct {
    SDL_Scancode code;
    uint32_t key;
} keys[] = {
    {SDL_SCANCODE_UP, KEY_UP},       {SDL_SCANCODE_W, KEY_UP},
    {SDL_SCANCODE_DOWN, KEY_DOWN},   {SDL_SCANCODE_S, KEY_DOWN},
    {SDL_SCANCODE_LEFT, KEY_LEFT},   {SDL_SCANCODE_A, KEY_LEFT},
    {SDL_SCANCODE_RIGHT, KEY_RIGHT}, {SDL_SCANCODE_D, KEY_RIGHT},
    {SDL_SCANCODE_SPACE, KEY_FLASH}, {SDL_SCANCODE_RETURN, KEY_START},
    {SDL_SCANCODE_P, KEY_PAUSE},     {SDL_SCANCODE_ESCAPE, KEY_PAUSE},
    {SDL_SCANCODE_R, KEY_REWIND},    {SDL_SCANCODE_BACKSPACE, KEY_REWIND},
};

static uint32_t key_of(SDL_Scancode code) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].code == code) return keys[i].key;
    }
    return 0;
}

// What has happened since the last time: false if the window is to be closed. A key that was
// pressed and let go in between counts as held, too.
static bool look_at_events(uint32_t* tapped) {
    bool is_open = true;
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) is_open = false;
        if (event.type == SDL_KEYDOWN && !event.key.repeat) {
            *tapped |= key_of(event.key.keysym.scancode);
        }
    }
    return is_open;
}

static uint32_t held_keys(uint32_t* tapped) {
    const Uint8* state = SDL_GetKeyboardState(NULL);
    uint32_t held = *tapped;
    *tapped = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (state[keys[i].code]) held |= keys[i].key;
    }
    return held;
}

static void show(window* w, const picture* p) {
    SDL_UpdateTexture(w->texture, NULL, p->pixels, p->width * (int)sizeof(pixel));
    SDL_RenderClear(w->renderer);
    SDL_RenderCopy(w->renderer, w->texture, NULL, NULL);
    SDL_RenderPresent(w->renderer);
}

// How many frames are due, whatever the screen's own rate is; waits for the first.
static uint32_t due_frames(Uint64* last) {
    Uint64 frequency = SDL_GetPerformanceFrequency(), length = frequency / FRAMES_A_SECOND;
    Uint64 gone = SDL_GetPerformanceCounter() - *last;
    while (gone < length) {
        SDL_Delay((Uint32)((length - gone) * 1000 / frequency));
        gone = SDL_GetPerformanceCounter() - *last;
    }
    uint32_t frames = (uint32_t)(gone / length);
    *last += frames * length;
    return frames < MOST_FRAMES ? frames : MOST_FRAMES;
}

static uint32_t next_keys(tape* t, const options* o, uint32_t frame, uint32_t* tapped) {
    if (o->play) return tape_play(t, frame);
    uint32_t held = held_keys(tapped);
    tape_record(t, frame, held);
    return held;
}

int window_run(window* w, game* g, tape* t, const options* o) {
    Uint64 last = SDL_GetPerformanceCounter();
    uint32_t frame = 0, tapped = 0;
    while (!g->is_over && look_at_events(&tapped)) {
        for (uint32_t due = due_frames(&last); due > 0 && !g->is_over; due--) {
            frame++;
            game_frame(g, next_keys(t, o, frame, &tapped));
        }
        game_draw(g);
        show(w, &g->canvas.picture);
    }
    bool is_written = !o->record || o->play || tape_write(t, o->record);
    return is_written && !g->failures ? 0 : 1;
}

#else

window* window_open(void) {
    fprintf(stderr, "There is no window: the game was built without SDL2.\n");
    return NULL;
}

void window_close(window* w) {
    (void)w;
}

int window_run(window* w, game* g, tape* t, const options* o) {
    (void)w, (void)g, (void)t, (void)o;
    return 1;
}

#endif
