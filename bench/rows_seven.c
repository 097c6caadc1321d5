// systems_7: seven systems over a mixed population, one tick.
//
// raw runs the same seven loops over the arrays of each group that has what the loop needs. A cell
// of the screen holds who was drawn there last, which depends on the order of the walk; so what is
// compared is which cells were drawn to. What is drawn there is compared as the sprites' values.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#define TIME_STEP 0.015625
#define SCREEN_WIDTH 320
#define SCREEN_HEIGHT 240
#define TURN 10 // counts from one change of velocity to the next

typedef struct Fate {
    uint32_t count, drawn;
    float weights[10];
} Fate;

typedef struct Role {
    int kind;
} Role;

typedef struct Life {
    int hp, max, state;
} Life;

typedef struct Blow {
    int attack, defence;
} Blow;

typedef struct Sprite {
    int character;
} Sprite;

ILK_DECLARE(Fate);
ILK_DECLARE(Role);
ILK_DECLARE(Life);
ILK_DECLARE(Blow);
ILK_DECLARE(Sprite);
ILK_COMPONENT(Fate);
ILK_COMPONENT(Role);
ILK_COMPONENT(Life);
ILK_COMPONENT(Blow);
ILK_COMPONENT(Sprite);

enum {
    HERO,
    MONSTER
};

enum {
    SPAWNING,
    ALIVE,
    DEAD
};

// Columns of raw, and bits of masks.
enum {
    POSITION,
    VELOCITY,
    FATE,
    ROLE,
    LIFE,
    BLOW,
    SPRITE,
    TYPES
};

static ilk_type* const types[TYPES] = {&Position_type, &Velocity_type, &Fate_type,  &Role_type,
                                       &Life_type,     &Blow_type,     &Sprite_type};

#define MOVING 7u       // the mask of Position, Velocity and Fate
#define CHARACTER 0x78u // the mask of Role, Life, Blow and Sprite
#define LACKS 4         // nothing, or one of the three

// What an entity lacks: one in ten of the third quarter lacks each of the three.
static uint32_t lack_of(uint32_t i, uint32_t n) {
    const bool is_third = i >= n / 2 && i < n / 4 * 3;
    const uint32_t turn = i / 2 % 10;
    return is_third && turn < 3 ? turn + 1 : 0;
}

static uint32_t born_with(uint32_t i, uint32_t n) {
    const uint32_t lack = lack_of(i, n);
    return (MOVING & ~(1u << lack >> 1)) | (i % 2 ? 0 : CHARACTER);
}

static uint32_t group_of(uint32_t i, uint32_t n) {
    return i % 2 * LACKS + lack_of(i, n);
}

static void fill_position(Position* p, uint32_t i) {
    const uint32_t hash = stage_hash(i);
    p->x = (float)(hash % SCREEN_WIDTH);
    p->y = (float)(hash / SCREEN_WIDTH % SCREEN_HEIGHT);
}

static void fill_fate(Fate* f, uint32_t i) {
    component_fill(f->weights, sizeof f->weights, i);
    f->count = i % TURN;
    f->drawn = stage_hash(i) | 1;
}

static void fill(const ilk_type* type, void* value, uint32_t i) {
    const int size = (int)(i / 2 % 16);
    if (type == &Position_type)
        fill_position(value, i);
    else if (type == &Fate_type)
        fill_fate(value, i);
    else if (type == &Role_type)
        *(Role*)value = (Role){i % 6 ? MONSTER : HERO};
    else if (type == &Life_type)
        *(Life*)value = (Life){.max = 20 + size * 10, .state = SPAWNING};
    else if (type == &Blow_type)
        *(Blow*)value = (Blow){.attack = 4 + size % 5, .defence = 2 + size % 3};
    else if (type == &Sprite_type)
        *(Sprite*)value = (Sprite){'_'};
    else
        *(Velocity*)value = (Velocity){(float)(i % 3), (float)(i % 5)};
}

static const population people = {
    types, TYPES, .born = born_with, .group = group_of, .groups = 2 * LACKS, .fill = fill,
};

static ALWAYS_INLINE void move(Position* restrict p, const Velocity* restrict v, uint32_t count,
                               float dt) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
    }
}

static ALWAYS_INLINE void draw_number(Fate* restrict f, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t drawn = f[i].drawn;
        drawn ^= drawn << 13;
        drawn ^= drawn >> 17;
        drawn ^= drawn << 5;
        f[i].drawn = drawn;
        f[i].count++;
    }
}

// Towards the middle of the screen.
static ALWAYS_INLINE void steer(Velocity* restrict v, const Position* restrict p,
                                const Fate* restrict f, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (f[i].count % TURN != 0) continue;
        const float x = (float)(f[i].drawn & 15), y = (float)(f[i].drawn >> 4 & 15);
        v[i].x = p[i].x > SCREEN_WIDTH / 2 ? -x : x;
        v[i].y = p[i].y > SCREEN_HEIGHT / 2 ? -y : y;
    }
}

static ALWAYS_INLINE void live(Life* restrict l, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (l[i].state == SPAWNING) {
            l[i].hp = l[i].max;
            l[i].state = ALIVE;
        } else if (l[i].state == ALIVE && l[i].hp <= 0) {
            l[i].state = DEAD;
        } else if (l[i].state == DEAD) {
            l[i].state = SPAWNING;
        }
    }
}

static ALWAYS_INLINE void hurt(Life* restrict l, const Blow* restrict b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const int loss = b[i].attack - b[i].defence;
        const int left = l[i].hp - (loss > 0 ? loss : 0);
        l[i].hp = left > 0 ? left : 0;
    }
}

static ALWAYS_INLINE int look_of(int kind, const Life* life) {
    if (life->state == SPAWNING) return '_';
    if (life->state == DEAD) return '|';
    if (kind == HERO) return life->hp * 4 < life->max ? 'o' : '@';
    return life->hp * 4 < life->max ? 'k' : 'K';
}

static ALWAYS_INLINE void dress(Sprite* restrict s, const Role* restrict r, const Life* restrict l,
                                uint32_t count) {
    for (uint32_t i = 0; i < count; i++) s[i].character = look_of(r[i].kind, &l[i]);
}

static ALWAYS_INLINE void show(char* restrict screen, const Position* restrict p,
                               const Sprite* restrict s, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t x = (uint32_t)(int)p[i].x, y = (uint32_t)(int)p[i].y;
        if (x < SCREEN_WIDTH && y < SCREEN_HEIGHT) {
            screen[y * SCREEN_WIDTH + x] = (char)s[i].character;
        }
    }
}

static char* screen_create(void) {
    char* screen = stage_alloc(SCREEN_HEIGHT, SCREEN_WIDTH);
    memset(screen, 0, SCREEN_HEIGHT * SCREEN_WIDTH);
    return screen;
}

static uint64_t screen_checksum(const char* screen) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SCREEN_HEIGHT * SCREEN_WIDTH; i++) {
        if (screen[i]) sum += stage_hash(i);
    }
    return sum;
}

typedef struct raw_state {
    raw_stage* stage;
    char* screen;
    float dt;
} raw_state;

static void* raw_setup(const void* about, uint32_t n) {
    raw_state* s = stage_alloc(1, sizeof *s);
    *s = (raw_state){raw_stage_full(about, n), screen_create(), (float)TIME_STEP};
    return s;
}

static void raw_teardown(void* state) {
    raw_state* s = state;
    raw_stage_free(s->stage);
    free(s->screen);
    free(s);
}

static uint64_t raw_checksum(const void* state) {
    const raw_state* s = state;
    return raw_stage_checksum(s->stage) + screen_checksum(s->screen);
}

typedef void raw_system(const raw_state* s, void* const* columns, uint32_t count);

// Runs a system over the groups that have all columns of a mask.
static ALWAYS_INLINE void raw_for_each(const raw_state* s, raw_system* system, uint32_t mask) {
    for (uint32_t g = 0; g < s->stage->group_count; g++) {
        const raw_world* group = &s->stage->groups[g];
        if (group->used && (group->mask[0] & mask) == mask) system(s, group->columns, group->used);
    }
}

static ALWAYS_INLINE void raw_move(const raw_state* s, void* const* columns, uint32_t count) {
    move(columns[POSITION], columns[VELOCITY], count, s->dt);
}

static ALWAYS_INLINE void raw_draw_number(const raw_state* s, void* const* columns,
                                          uint32_t count) {
    (void)s;
    draw_number(columns[FATE], count);
}

static ALWAYS_INLINE void raw_steer(const raw_state* s, void* const* columns, uint32_t count) {
    (void)s;
    steer(columns[VELOCITY], columns[POSITION], columns[FATE], count);
}

static ALWAYS_INLINE void raw_live(const raw_state* s, void* const* columns, uint32_t count) {
    (void)s;
    live(columns[LIFE], count);
}

static ALWAYS_INLINE void raw_hurt(const raw_state* s, void* const* columns, uint32_t count) {
    (void)s;
    hurt(columns[LIFE], columns[BLOW], count);
}

static ALWAYS_INLINE void raw_dress(const raw_state* s, void* const* columns, uint32_t count) {
    (void)s;
    dress(columns[SPRITE], columns[ROLE], columns[LIFE], count);
}

static ALWAYS_INLINE void raw_show(const raw_state* s, void* const* columns, uint32_t count) {
    show(s->screen, columns[POSITION], columns[SPRITE], count);
}

static uint64_t raw_seven(void* state) {
    const raw_state* s = state;
    raw_for_each(s, raw_move, 1u << POSITION | 1u << VELOCITY);
    raw_for_each(s, raw_draw_number, 1u << FATE);
    raw_for_each(s, raw_steer, 1u << POSITION | 1u << VELOCITY | 1u << FATE);
    raw_for_each(s, raw_live, 1u << LIFE);
    raw_for_each(s, raw_hurt, 1u << LIFE | 1u << BLOW);
    raw_for_each(s, raw_dress, 1u << ROLE | 1u << LIFE | 1u << SPRITE);
    raw_for_each(s, raw_show, 1u << POSITION | 1u << SPRITE);
    return s->stage->n;
}

static void ilk_move(ilk_iter* it) {
    while (ilk_next(it)) {
        move(ILK_WRITE(it, Position), ILK_READ(it, Velocity), it->count, (float)it->dt);
    }
}

static void ilk_draw_number(ilk_iter* it) {
    while (ilk_next(it)) draw_number(ILK_WRITE(it, Fate), it->count);
}

static void ilk_steer(ilk_iter* it) {
    while (ilk_next(it)) {
        steer(ILK_WRITE(it, Velocity), ILK_READ(it, Position), ILK_READ(it, Fate), it->count);
    }
}

static void ilk_live(ilk_iter* it) {
    while (ilk_next(it)) live(ILK_WRITE(it, Life), it->count);
}

static void ilk_hurt(ilk_iter* it) {
    while (ilk_next(it)) hurt(ILK_WRITE(it, Life), ILK_READ(it, Blow), it->count);
}

static void ilk_dress(ilk_iter* it) {
    while (ilk_next(it)) {
        dress(ILK_WRITE(it, Sprite), ILK_READ(it, Role), ILK_READ(it, Life), it->count);
    }
}

static void ilk_show(ilk_iter* it) {
    while (ilk_next(it)) {
        show(it->user, ILK_READ(it, Position), ILK_READ(it, Sprite), it->count);
    }
}

static const ilk_system_desc systems[] = {
    {.name = "move",
     .run = ilk_move,
     .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
    {.name = "draw number", .run = ilk_draw_number, .query = {.write = {&Fate_type}}},
    {.name = "steer",
     .run = ilk_steer,
     .query = {.write = {&Velocity_type}, .read = {&Position_type, &Fate_type}}},
    {.name = "live", .run = ilk_live, .query = {.write = {&Life_type}}},
    {.name = "hurt", .run = ilk_hurt, .query = {.write = {&Life_type}, .read = {&Blow_type}}},
    {.name = "dress",
     .run = ilk_dress,
     .query = {.write = {&Sprite_type}, .read = {&Role_type, &Life_type}}},
    {.name = "show", .run = ilk_show, .query = {.read = {&Position_type, &Sprite_type}}},
};

typedef struct ilk_state {
    ilk_stage* stage;
    char* screen;
} ilk_state;

static void* ilk_setup(const void* about, uint32_t n) {
    ilk_state* s = stage_alloc(1, sizeof *s);
    *s = (ilk_state){ilk_stage_full(about, n), screen_create()};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        ilk_system_desc desc = systems[i];
        desc.user = s->screen;
        ilk_system_create(s->stage->world, &desc);
    }
    return s;
}

static void ilk_teardown(void* state) {
    ilk_state* s = state;
    ilk_stage_free(s->stage);
    free(s->screen);
    free(s);
}

static uint64_t ilk_checksum(const void* state) {
    const ilk_state* s = state;
    return ilk_stage_checksum(s->stage) + screen_checksum(s->screen);
}

static uint64_t ilk_seven(void* state) {
    const ilk_state* s = state;
    ilk_update(s->stage->world, TIME_STEP);
    return s->stage->n;
}

const bench_work work_systems_7 = {
    .about = &people,
    .raw = {raw_setup, raw_seven, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup, ilk_seven, ilk_checksum, ilk_teardown, NULL},
};
