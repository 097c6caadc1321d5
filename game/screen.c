// What is on the screen: bars, labels and buttons are entities like all others, and the bar of time
// shows the frames that are kept, with where the game is among them.
#include <stdio.h>

#include "font.h"
#include "game.h"

#define TIME_WIDTH 400
#define TIME_Y (VIEW_HEIGHT - 20)

static void paint_centred(picture* p, int x, int y, int scale, uint32_t color, const char* text) {
    paint_text(p, x - text_width(text, scale) / 2, y, scale, color, text);
}

static void draw_backdrop(ilk_iter* it) {
    canvas* c = it->surface;
    if (ILK_RESOURCE_GET(it->world, Rewind)->is_on) {
        canvas_age(c, (uint32_t)ILK_RESOURCE_GET(it->world, Rewind)->present);
    }
    if (ilk_next(it)) paint_box(&c->picture, 0, 0, VIEW_WIDTH, VIEW_HEIGHT, 0x04060c, 0.5f);
    ilk_iter_end(it);
}

static float share_of(const ilk_iter* it, uint32_t shows) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    const Boat* boat = ILK_GET(it->world, pond->boat, Boat);
    if (shows == QUANTITY_LIGHT) return boat ? boat->light : 0;
    float left = (float)(pond->dawn > pond->tick ? pond->dawn - pond->tick : 0);
    return left / (NIGHT_SECONDS * FRAMES_A_SECOND);
}

static void draw_bars(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Bar* bar = ILK_READ(it, Bar);
        for (uint32_t i = 0; i < it->count; i++) {
            const Bar* b = &bar[i];
            int filled = (int)((float)b->width * share_of(it, b->shows));
            paint_box(&c->picture, b->x - 2, b->y - 2, b->width + 4, b->height + 4, 0x04080c, 0.7f);
            paint_box(&c->picture, b->x, b->y, filled, b->height, b->color, 0.9f);
            paint_box(&c->picture, b->x, b->y, filled, b->height / 3, 0xffffff, 0.25f);
        }
    }
}

static void draw_labels(ilk_iter* it) {
    canvas* c = it->surface;
    while (ilk_next(it)) {
        const Label* label = ILK_READ(it, Label);
        for (uint32_t i = 0; i < it->count; i++) {
            const Label* l = &label[i];
            int width = text_width(l->text, (int)l->scale), height = FONT_HEIGHT * (int)l->scale;
            paint_box(&c->picture, l->x - width / 2 - 5, l->y - 3, width + 10, height + 6, 0x04080c,
                      0.4f);
            paint_centred(&c->picture, l->x, l->y, (int)l->scale, l->color, l->text);
        }
    }
}

static void draw_button(picture* p, const Label* label, bool is_selected) {
    int width = 190, x = label->x - width / 2, y = label->y - 5;
    paint_box(p, x, y, width, 24, is_selected ? 0xffb45a : 0x101820, is_selected ? 0.28f : 0.45f);
    if (is_selected) {
        paint_box(p, x, y, 3, 24, 0xffc870, 1);
        paint_box(p, x + width - 3, y, 3, 24, 0xffc870, 1);
    }
    paint_centred(p, label->x, label->y, (int)label->scale, is_selected ? 0xfff4d0 : 0x8fa8a0,
                  label->text);
}

static void draw_buttons(ilk_iter* it) {
    canvas* c = it->surface;
    uint32_t selected = ILK_RESOURCE_GET(it->world, Menu)->selected;
    while (ilk_next(it)) {
        const Label* label = ILK_READ(it, Label);
        const Button* button = ILK_READ(it, Button);
        for (uint32_t i = 0; i < it->count; i++) {
            draw_button(&c->picture, &label[i], button[i].place == selected);
        }
    }
}

// Time. The bar is as long as what can be kept; what is kept is filled up to the present frame, and
// paler after it, where time was turned back.

static void paint_time(picture* p, const Rewind* r) {
    int left = (VIEW_WIDTH - TIME_WIDTH) / 2;
    int past = (int)((r->present - r->oldest) * TIME_WIDTH / KEPT_FRAMES);
    int all = (int)((r->newest - r->oldest) * TIME_WIDTH / KEPT_FRAMES);
    paint_box(p, left - 2, TIME_Y - 2, TIME_WIDTH + 4, 12, 0x04080c, 0.7f);
    paint_box(p, left, TIME_Y, all, 8, 0x6a5a90, 0.6f);
    paint_box(p, left, TIME_Y, past, 8, r->is_on ? 0xffc870 : 0xa890e8, 0.9f);
    for (int second = 1; second < KEPT_FRAMES / FRAMES_A_SECOND; second++) {
        int x = left + second * FRAMES_A_SECOND * TIME_WIDTH / KEPT_FRAMES;
        paint_box(p, x, TIME_Y + 5, 1, 3, 0x04080c, 0.6f);
    }
    paint_box(p, left + past - 1, TIME_Y - 4, 3, 16, 0xffffff, 1);
}

static void write_time(picture* p, const Rewind* r) {
    char text[64];
    double back = (double)(r->newest - r->present) / FRAMES_A_SECOND;
    double kept = (double)(r->newest - r->oldest) / FRAMES_A_SECOND;
    if (r->is_on)
        snprintf(text, sizeof text, "<< %.1f S BACK", back);
    else
        snprintf(text, sizeof text, "HOLD R: %.1f S KEPT IN %.0f MB", kept, (double)r->bytes / 1e6);
    uint32_t color = r->is_on ? 0xffe0a0 : 0xc8b8f0;
    paint_centred(p, VIEW_WIDTH / 2, TIME_Y - 14, 1, color, text);
}

static void draw_time(ilk_iter* it) {
    canvas* c = it->surface;
    const Rewind* rewind = ILK_RESOURCE_GET(it->world, Rewind);
    bool is_kept = rewind->newest >= rewind->oldest && rewind->present >= rewind->oldest;
    if (ilk_next(it) && is_kept) {
        paint_time(&c->picture, rewind);
        write_time(&c->picture, rewind);
        if (rewind->is_on) paint_centred(&c->picture, VIEW_WIDTH / 2, 60, 4, 0xfff0d0, "<<");
    }
    ilk_iter_end(it);
}

bool add_screen(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "draw_backdrop",
         .run = draw_backdrop,
         .order = 90,
         .query = {.read = {&Label_type}, .any = {&OfPause_type, &OfEnd_type}},
         .reads_resources = {&Rewind_type}},
        {.name = "draw_bars",
         .run = draw_bars,
         .order = 100,
         .query = {.read = {&Bar_type}},
         .reads = {&Boat_type},
         .reads_resources = {&Pond_type}},
        {.name = "draw_labels",
         .run = draw_labels,
         .order = 101,
         .query = {.read = {&Label_type}, .without = {&Button_type}}},
        {.name = "draw_buttons",
         .run = draw_buttons,
         .order = 102,
         .query = {.read = {&Label_type, &Button_type}},
         .reads_resources = {&Menu_type}},
        {.name = "draw_time",
         .run = draw_time,
         .order = 103,
         .query = {.with = {&RewindBar_type}},
         .reads_resources = {&Rewind_type}},
    };
    return add_layers(g, systems, sizeof systems / sizeof *systems);
}
