// The functions of loops.c, written with ilk.hpp.
#include "loops.h"

#include <ilk/ilk.hpp>

ILK_CPP_COMPONENT(Position);
ILK_CPP_COMPONENT(Velocity);

using Moving = ilk::query<Position, const Velocity>;

extern "C" {

void move(const Moving& moving, float dt) {
    moving.run([dt](ilk_iter&, Position* p, const Velocity* v, uint32_t count) {
        for (uint32_t i = 0; i < count; i++) {
            p[i].x += v[i].x * dt;
            p[i].y += v[i].y * dt;
        }
    });
}

void move_each(const Moving& moving, float dt) {
    moving.each([dt](Position& p, const Velocity& v) {
        p.x += v.x * dt;
        p.y += v.y * dt;
    });
}

void move_each_by_reference(const Moving& moving, float dt) {
    moving.each([&](Position& p, const Velocity& v) {
        p.x += v.x * dt;
        p.y += v.y * dt;
    });
}

void move_own(const Moving& moving, float dt) {
    for (ilk_iter it = moving.iter(); ilk_next(&it);) {
        Position* p = ilk::column<Position>(it);
        const Velocity* v = ilk::column<const Velocity>(it);
        for (uint32_t i = 0; i < it.count; i++) {
            p[i].x += v[i].x * dt;
            p[i].y += v[i].y * dt;
        }
    }
}

const Position* get(const ilk_world* world, ilk_entity e) { return ilk::get<Position>(world, e); }

Position* edit(ilk_world* world, ilk_entity e) { return ilk::edit<Position>(world, e); }

bool has(const ilk_world* world, ilk_entity e) { return ilk::has<Position>(world, e); }

void make_systems(ilk_world* world) {
    const ilk::system<Position, const Velocity> move("system");
    move.run(world, [](ilk_iter& it, Position* p, const Velocity* v, uint32_t count) {
        const float dt = float(it.dt);
        for (uint32_t i = 0; i < count; i++) {
            p[i].x += v[i].x * dt;
            p[i].y += v[i].y * dt;
        }
    });
}

} // extern "C"
