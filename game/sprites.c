// One short function for each kind of sprite, and the table of them.
#include "sprites.h"

static vec beside(const subject* s, float ahead, float right) {
    return plus(s->at, plus(times(s->heading, ahead), times(right_of(s->heading), right)));
}

static void paint_lily_pad(picture* p, const subject* s) {
    float size = s->size;
    paint_pad(p, s->at, s->heading, size, 0x2f6f4a, 1);
    paint_pad(p, s->at, s->heading, size * 0.82f, 0x3f8a58, 1);
    for (int i = 0; i < 5; i++) {
        vec way = turned((float)i / 6 + 0.16f);
        vec rim = beside(s, way.x * size * 0.75f, way.y * size * 0.75f);
        paint_line(p, s->at, rim, 0.6f, 0x6fb878, 0.5f);
    }
}

// Stalks that sway.
static void paint_reed(picture* p, const subject* s) {
    for (uint32_t i = 0; i < 4; i++) {
        float lean = chance_share(s->entity.index, i) - 0.5f;
        float sway = wave((float)((s->tick + 40 * i + s->entity.index) % 256) / 256) * 2;
        float height = s->size * between(0.6f, 1, chance_share(i, s->entity.index));
        vec foot = plus(s->at, (vec){(float)i * 3 - 5, lean * 4});
        vec tip = plus(foot, (vec){lean * 14 + sway, -height});
        paint_line(p, foot, tip, 1.4f, i & 1 ? 0x5f7f45 : 0x48683c, 1);
        if (i == 1) paint_line(p, tip, plus(tip, (vec){0, 6}), 3, 0x6a4a30, 1);
    }
}

static void paint_petals(picture* p, const subject* s, int count, float reach, float turn,
                         uint32_t color) {
    for (int i = 0; i < count; i++) {
        vec way = turned((float)i / (float)count + turn);
        vec middle = plus(s->at, times(way, reach));
        paint_leaf(p, middle, way, reach, reach * 0.42f, color, 1);
    }
}

static void paint_lotus(picture* p, const subject* s) {
    float size = s->size, open = s->is_awake ? 1 : 0.55f;
    paint_pad(p, s->at, s->heading, size, 0x27614a, 1);
    paint_pad(p, s->at, s->heading, size * 0.88f, 0x347a56, 1);
    paint_petals(p, s, 8, size * 0.42f * open, 0, s->is_awake ? 0xd868a8 : 0x8a4a78);
    paint_petals(p, s, 8, size * 0.32f * open, 0.06f, s->is_awake ? 0xf8a0d0 : 0xa86090);
    paint_petals(p, s, 6, size * 0.2f * open, 0.02f, s->is_awake ? 0xffd8ec : 0xc084a8);
    paint_disc(p, s->at, size * 0.12f, 0xffe080, 1);
}

static void paint_oar(picture* p, const subject* s, float side) {
    float stroke = wave((float)(s->tick % 64) / 64) * 5;
    vec blade = beside(s, -3 - stroke, side * 19);
    paint_line(p, beside(s, 1, side * 4), blade, 1.6f, 0x8a6a40, 1);
    paint_leaf(p, blade, right_of(s->heading), 4.5f, 2, 0xa88050, 1);
}

static void paint_boat(picture* p, const subject* s) {
    float size = s->size;
    paint_oar(p, s, 1);
    paint_oar(p, s, -1);
    paint_leaf(p, s->at, s->heading, size, size * 0.4f, 0x5a3a22, 1);
    paint_leaf(p, s->at, s->heading, size * 0.9f, size * 0.32f, 0x9a6a3c, 1);
    paint_leaf(p, s->at, s->heading, size * 0.78f, size * 0.22f, 0x6e4728, 1);
    for (int i = -1; i <= 1; i++) {
        float ahead = (float)i * 9;
        paint_line(p, beside(s, ahead, -6), beside(s, ahead, 6), 2.4f, 0xb8844c, 1);
    }
    paint_disc(p, beside(s, -2, 0), 4.6f, 0x3a5068, 1);    // the rower's coat
    paint_disc(p, beside(s, -1.2f, 0), 3.4f, 0xd8b060, 1); // and a straw hat
    paint_ring(p, beside(s, -1.2f, 0), 2, 0.8f, 0xa07838, 1);
}

static void paint_pole(picture* p, const subject* s) {
    paint_line(p, beside(s, 0, -s->size), beside(s, 0, s->size), 1.4f, 0x4a3220, 1);
}

static void paint_lantern(picture* p, const subject* s) {
    paint_disc(p, s->at, s->size, 0x7a3a18, 1);
    paint_disc(p, s->at, s->size - 1, 0xffb850, 1);
    paint_disc(p, s->at, s->size - 3, 0xfff4c8, 1);
}

// Wings that beat, seen from above: they get shorter and longer.
static void paint_bat(picture* p, const subject* s) {
    float beat = wave((float)((s->tick * 5 + s->entity.index * 37) % 128) / 128);
    float span = s->size * (0.86f + 0.22f * beat);
    paint_wing(p, s->at, s->heading, span, s->size * 0.42f, 0x58467c, 1);
    paint_wing(p, beside(s, -0.6f, 0), s->heading, span * 0.86f, s->size * 0.3f, 0x7a66a4, 1);
    paint_leaf(p, s->at, s->heading, 8, 3.6f, 0x3c3060, 1);
    paint_disc(p, beside(s, 6, 0), 3, 0x3c3060, 1);
    paint_disc(p, beside(s, 7.4f, 1.5f), 0.8f, 0xff6048, 1);
    paint_disc(p, beside(s, 7.4f, -1.5f), 0.8f, 0xff6048, 1);
}

const sprite_layer sprite_layers[] = {
    {"draw_pads", &Pad_type, paint_lily_pad},   {"draw_reeds", &Reed_type, paint_reed},
    {"draw_lotuses", &Lotus_type, paint_lotus}, {"draw_boat", &Boat_type, paint_boat},
    {"draw_poles", &Pole_type, paint_pole},     {"draw_lanterns", &Lantern_type, paint_lantern},
    {"draw_bats", &Bat_type, paint_bat},        {NULL, NULL, NULL},
};
