// Settling: the only thing that moves values.
//
// It goes round the chunks in order of their numbers, from where it last stopped, and does for each
// what is to be done: frees guest blocks that hold nothing, and the chunk if it is empty; where
// all rows have one other set than their ilk's, makes it a chunk of that ilk in place (*adopting*);
// otherwise moves the rows that do not fit, party by party of equal sets, to the ilk of their set,
// unless they are too few for one; gives small guests that many rows have their natural form; and
// moves all rows of a chunk that is at least a quarter empty into the holes of the chunks that
// stand before it in its ilk, if they have room for all. A round without anything to do ends it.
// What it does depends on the history of the world alone.
//
// A call with a bound is patient: a row that does not fit is moved only if an earlier call has seen
// it so already (`waited` of its chunk), so that a component that is given in one frame and taken
// in the next moves nobody. Such a call ends with the round, or it would see its own misfits again.
#ifndef ILKI_SETTLE_H
#define ILKI_SETTLE_H

#include <ilk/world.h>

#include "storage.h"

// Settles until `blocks` blocks were looked at, or until there is nothing left if that is 0. Moving
// counts as well: 64 values as much as a block.
ilk_settled ilki_settle(ilki_storage* storage, uint32_t blocks);

#endif
