// Lodging: where the entities of a set go.
//
// Few entities of a set are not worth chunks of their own, which every query would have to visit:
// they lodge with the ilk that is nearest to theirs, as exceptions to its types and natural guests
// of its chunks. Once enough of them came, their ilk is founded, and later ones go there. How many
// are enough grows with the number of sets, so that a thousand combinations do not become a
// thousand ilks of a hundred entities each.
#ifndef ILKI_LODGE_H
#define ILKI_LODGE_H

#include "place.h"

// How many entities of a set are enough for an ilk of its own.
uint32_t ilki_enough(const ilki_storage* storage);

// Makes sure that an entity of an ilk can arrive: OK, FULL or NO_MEMORY.
ilk_result ilki_ready_to_arrive_slow(ilki_storage* storage, ilki_ilk* ilk);

ILKI_INLINE ilk_result ilki_ready_to_arrive(ilki_storage* storage, ilki_ilk* ilk) {
    if (ILKI_LIKELY(ilk->door && !storage->looking.count)) return ILK_OK;
    return ilki_ready_to_arrive_slow(storage, ilk);
}

// Makes sure that `count` rows of a chunk of another ilk can have the types of this one.
bool ilki_ready_to_lodge(ilki_storage* storage, const ilki_ilk* ilk, ilki_chunk* chunk,
                         uint32_t count);

// Sets the bits of a new row whose set is not that of its chunk's ilk.
void ilki_lodge(ilki_storage* storage, const ilki_ilk* ilk, ilki_chunk* chunk, uint32_t row);

// Gives an entity of an ilk a place, which must be ready, and returns its chunk. The caller enters
// the entity and fills its values.
ILKI_INLINE ilki_chunk* ilki_arrive(ilki_storage* storage, ilki_ilk* ilk, uint32_t* row) {
    ilki_ilk* host = ilk->host;
    ilki_chunk* chunk = ilki_ilk_door(storage, host);
    *row = ilki_row_take(storage, chunk);
    if (ILKI_UNLIKELY(host != ilk)) {
        ilk->lodgers++;
        ilki_lodge(storage, ilk, chunk, *row);
    }
    return chunk;
}

#endif
