// Ids as values: made of bytes, written, and read.
#include <ilk/name.h>

#define DIGITS 32u

// Every bit of the number decides about every bit of what comes back.
static uint64_t stir_well(uint64_t number) {
    number = (number ^ number >> 32) * 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 29) * 0xd6e8feb86659fd93u;
    return number ^ number >> 32;
}

// Up to eight bytes, the lowest first, whatever the machine.
static uint64_t eight_of(const unsigned char* bytes, size_t size) {
    uint64_t word = 0;
    for (size_t i = 0; i < size && i < 8; i++) word |= (uint64_t)bytes[i] << i * 8;
    return word;
}

static ilk_id stir_in(ilk_id id, uint64_t word) {
    id.high = stir_well(id.high ^ word);
    id.low = stir_well(id.low + (word << 32 | word >> 32)) ^ id.high;
    return id;
}

ilk_id ilk_make_id(const void* bytes, size_t size) {
    ilk_id id = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    if (!bytes) size = 0;
    for (size_t at = 0; at < size; at += 8) {
        id = stir_in(id, eight_of((const unsigned char*)bytes + at, size - at));
    }
    id = stir_in(id, size);
    return id.high | id.low ? id : (ilk_id){0, 1};
}

size_t ilk_id_text(ilk_id id, char* text, size_t size) {
    if (!text) size = 0;
    for (uint32_t i = 0; i < DIGITS && i + 1 < size; i++) {
        uint64_t half = i < DIGITS / 2 ? id.high : id.low;
        text[i] = "0123456789abcdef"[half >> (DIGITS / 2 - 1 - i % (DIGITS / 2)) * 4 & 15];
    }
    if (size) text[size <= DIGITS ? size - 1 : DIGITS] = 0;
    return DIGITS;
}

// The value of a hexadecimal digit; 16 for any other character.
static uint64_t digit_of(char c) {
    if (c >= '0' && c <= '9') return (uint64_t)(c - '0');
    if (c >= 'a' && c <= 'f') return (uint64_t)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (uint64_t)(c - 'A') + 10 : 16;
}

ilk_result ilk_id_parse(const char* text, ilk_id* id) {
    ilk_id read = {0, 0};
    bool is_sound = text && id;
    for (uint32_t i = 0; is_sound && i < DIGITS; i++) {
        uint64_t digit = digit_of(text[i]);
        uint64_t* half = i < DIGITS / 2 ? &read.high : &read.low;
        *half = *half << 4 | (digit & 15);
        is_sound = digit < 16;
    }
    is_sound = is_sound && !text[DIGITS];
    if (id) *id = is_sound ? read : (ilk_id){0, 0};
    return is_sound ? ILK_OK : ILK_INVALID;
}
