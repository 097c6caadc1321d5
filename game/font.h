// A font of dots: capitals, digits and some signs.
#ifndef FONT_H
#define FONT_H

#include <stdbool.h>

#define FONT_WIDTH 5
#define FONT_HEIGHT 7

// Whether a letter has a dot there; none has one if the font does not know it.
bool font_has_dot(char letter, int x, int y);

#endif
