// The functions of loops.cpp, written in C. One is compared with those of the same name there, to
// which a word may be added: move with move, move_each and move_each_by_reference.
#include "loops.h"

ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);

void move(ilk_world* world, ilk_query* query, float dt) {
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        const Velocity* v = ILK_READ(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            p[i].x += v[i].x * dt;
            p[i].y += v[i].y * dt;
        }
    }
}

void system(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        const uint32_t count = it->count;
        const float dt = (float)it->dt;
        for (uint32_t i = 0; i < count; i++) {
            p[i].x += v[i].x * dt;
            p[i].y += v[i].y * dt;
        }
    }
}

const Position* get(const ilk_world* world, ilk_entity e) { return ILK_GET(world, e, Position); }

Position* edit(ilk_world* world, ilk_entity e) { return ILK_EDIT(world, e, Position); }

bool has(const ilk_world* world, ilk_entity e) { return ilk_has(world, e, &Position_type); }
