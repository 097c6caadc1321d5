#include "components.h"

#include <string.h>

ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_COMPONENT(Comflab);
ILK_COMPONENT(Health);
ILK_COMPONENT(Mat);
ILK_COMPONENT(Tagdata);
ILK_COMPONENT(Data);
ILK_COMPONENT_WITH(Tracked, .track = true);
ILK_TAG(Marked);

#define FOUR_BYTES(n) {.name = n, .size = sizeof(float), .align = _Alignof(float)}
#define EIGHT_BYTES(n) {.name = n, .size = sizeof(Kind), .align = _Alignof(Kind)}

ilk_type letter_types[LETTERS] = {
    FOUR_BYTES("A"), FOUR_BYTES("B"), FOUR_BYTES("C"), FOUR_BYTES("D"), FOUR_BYTES("E"),
    FOUR_BYTES("F"), FOUR_BYTES("G"), FOUR_BYTES("H"), FOUR_BYTES("I"), FOUR_BYTES("J"),
    FOUR_BYTES("K"), FOUR_BYTES("L"), FOUR_BYTES("M"), FOUR_BYTES("N"), FOUR_BYTES("O"),
    FOUR_BYTES("P"), FOUR_BYTES("Q"), FOUR_BYTES("R"), FOUR_BYTES("S"), FOUR_BYTES("T"),
    FOUR_BYTES("U"), FOUR_BYTES("V"), FOUR_BYTES("W"), FOUR_BYTES("X"), FOUR_BYTES("Y"),
    FOUR_BYTES("Z"),
};

ilk_type bit_types[BITS] = {
    FOUR_BYTES("Bit0"), FOUR_BYTES("Bit1"), FOUR_BYTES("Bit2"), FOUR_BYTES("Bit3"),
    FOUR_BYTES("Bit4"), FOUR_BYTES("Bit5"), FOUR_BYTES("Bit6"), FOUR_BYTES("Bit7"),
    FOUR_BYTES("Bit8"), FOUR_BYTES("Bit9"),
};

ilk_type kind_types[KINDS] = {
    EIGHT_BYTES("Kind0"), EIGHT_BYTES("Kind1"), EIGHT_BYTES("Kind2"), EIGHT_BYTES("Kind3"),
    EIGHT_BYTES("Kind4"), EIGHT_BYTES("Kind5"), EIGHT_BYTES("Kind6"), EIGHT_BYTES("Kind7"),
    EIGHT_BYTES("Kind8"), EIGHT_BYTES("Kind9"),
};

void component_fill(void* value, size_t size, uint32_t i) {
    for (size_t word = 0; word < size / sizeof(float); word++) {
        const float number = (float)(1 + i % 1021 + word);
        memcpy((char*)value + word * sizeof(float), &number, sizeof(float));
    }
}
