// What a C file shares with the test of the C++ header.
#ifndef C_SIDE_H
#define C_SIDE_H

#include <ilk/ilk.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Position {
    float x, y;
} Position;

// Owns its text; C knows how to copy and drop it.
typedef struct Title {
    char* text;
} Title;

ILK_DECLARE(Title);

// How many titles were made and not dropped.
extern int titles;

Title title_of(const char* text);
ilk_entity spawn_in_c(ilk_world* world, float x);
float sum_in_c(ilk_world* world);
ilk_result set_in_c(ilk_world* world, ilk_entity e, float x);

#ifdef __cplusplus
}
#endif
#endif
