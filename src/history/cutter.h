// Memory in one piece for many things: measured at first, without memory, then cut.
#ifndef ILKI_CUTTER_H
#define ILKI_CUTTER_H

#include <stddef.h>

typedef struct ilki_cutter {
    unsigned char* memory; // NULL: measuring
    size_t used;
} ilki_cutter;

// Room for so many elements; NULL while measuring.
void* ilki_cut(ilki_cutter* cutter, size_t count, size_t size);

#endif
