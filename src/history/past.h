// What a snapshot holds, wherever it lies: in the world, in itself, or in one taken after it. NULL
// stands for a world in which nothing ever was.
#ifndef ILKI_PAST_H
#define ILKI_PAST_H

#include "history.h"

// A page of a sheet; NULL if it is absent. Whether two snapshots have the same bytes for it.
const void* ilki_past_page(ilk_snapshot* snapshot, uint32_t sheet, uint32_t page);
bool ilki_same_page(ilk_snapshot* a, ilk_snapshot* b, uint32_t sheet, uint32_t page);

// The record of a slot: that of nobody where there is none.
ilki_record ilki_past_record(ilk_snapshot* snapshot, uint32_t slot);

// The head of a chunk, with its rows; false if there is none. Whether two have the same rows.
bool ilki_past_chunk(ilk_snapshot* snapshot, uint32_t number, ilki_chunk* head);
bool ilki_same_rows(ilk_snapshot* a, ilk_snapshot* b, uint32_t chunk);

// The block of a type in a chunk; NULL if there is none. Whether two have the same.
const ilki_block* ilki_past_block(ilk_snapshot* snapshot, uint32_t chunk, uint32_t type);
bool ilki_same_block(ilk_snapshot* a, ilk_snapshot* b, uint32_t chunk, uint32_t type);

// The value of an entity, by slot; NULL if it is not alive or has none.
const void* ilki_past_value(ilk_snapshot* snapshot, const ilki_directory* directory, uint32_t slot);

// The value that an entity has now; NULL if it is not alive or has none.
unsigned char* ilki_value_now(const ilki_storage* storage, const ilki_directory* directory,
                              ilk_entity e);

// The value of a resource; NULL if there is none.
const void* ilki_past_resource(ilk_snapshot* snapshot, const ilk_type* type);

#endif
