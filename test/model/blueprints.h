// Blueprints of a run. They belong to no world, but to whom they are registered with.
#ifndef BLUEPRINTS_H
#define BLUEPRINTS_H

#include "model_bp.h"
#include "supply.h"

#define RUN_BLUEPRINTS 8u

typedef struct run run;
typedef struct run_side run_side;

typedef struct run_blueprint {
    ilk_blueprint* ours; // NULL: this place is free
    model_bp* model;
} run_blueprint;

typedef struct run_blueprints {
    run_blueprint list[RUN_BLUEPRINTS];
    supply memory;
} run_blueprints;

// Each value that a blueprint of the list, or a child of it, has itself.
void run_compare_blueprints(run* r);
// A world is about to go, and those that are registered there with it.
void run_forget_named(run* r, const run_side* s);
// All go that are not registered.
void run_end_blueprints(run* r);

#endif
