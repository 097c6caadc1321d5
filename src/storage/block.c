#include "block.h"

#include <string.h>

size_t ilki_block_front(uint32_t rows, size_t align) {
    size_t bits = ilki_words(rows) * 2 * sizeof(uint64_t);
    if (align < ILKI_LINE) align = ILKI_LINE;
    return (bits + align - 1) & ~(align - 1);
}

#ifdef ILK_CHECKED
#define POISON 0xdb

void ilki_poison(void* memory, size_t size) {
    memset(memory, POISON, size);
}

bool ilki_is_poisoned(const void* memory, size_t size) {
    const unsigned char* bytes = memory;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != POISON) return false;
    }
    return true;
}
#endif
