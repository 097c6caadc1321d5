// The components of the benchmark, and the values that set-up gives them.
#ifndef BENCH_COMPONENTS_H
#define BENCH_COMPONENTS_H

#include "ilk/ilk.h"

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

typedef struct Comflab {
    float a;
    int b, c;
} Comflab;

typedef struct Health {
    int hp, max;
} Health;

typedef struct Mat {
    float m[16];
} Mat;

typedef struct Tagdata {
    int v;
} Tagdata;

// Notes its changes by row.
typedef struct Tracked {
    float x, y;
} Tracked;

typedef struct Data {
    float value;
} Data;

// A value of one of the ten types of create_2_set_10.
typedef struct Kind {
    float x, y;
} Kind;

ILK_DECLARE(Position);
ILK_DECLARE(Velocity);
ILK_DECLARE(Comflab);
ILK_DECLARE(Health);
ILK_DECLARE(Mat);
ILK_DECLARE(Tagdata);
ILK_DECLARE(Data);
ILK_DECLARE(Tracked);
ILK_DECLARE(Marked); // a tag

#define LETTERS 26 // four-byte types of frag_26
#define BITS 10    // four-byte types of frag_1024; add_remove_5 uses the first five
#define KINDS 10   // eight-byte types of create_2_set_10
extern ilk_type letter_types[LETTERS];
extern ilk_type bit_types[BITS];
extern ilk_type kind_types[KINDS];

// The value that entity i starts with: every four bytes are a float that is small and normal.
void component_fill(void* value, size_t size, uint32_t i);

#endif
