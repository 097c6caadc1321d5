// Packing: deltas and replays made smaller by zstd, to send or to keep. An addon: link ilk::zstd
// too.
//
//     ilk_bytes small;
//     ilk_pack(packer, delta, size, &small);                                // here
//     …
//     ilk_bytes whole;
//     if (ilk_unpack(packer, small.bytes, small.size, &whole) == ILK_OK) {  // there
//         ilk_delta_apply(world, whole.bytes, whole.size);
//     }
//
// What is packed is one frame of zstd with a checksum, which any zstd can read. What is unpacked is
// not trusted: damaged bytes are refused, and so is what would be larger than a limit, before
// memory is asked for. Whether it is a delta is for ilk_delta_apply to say.
#ifndef ILK_ZSTD_H
#define ILK_ZSTD_H

#include <ilk/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// Packs and unpacks, with memory of its own.
typedef struct ilk_packer ilk_packer;

// All zero is valid and means the defaults.
typedef struct ilk_packer_desc {
    int level;   // of zstd: more is smaller and slower; 0: 3
    size_t most; // bytes that are unpacked at once; 0: 256 MB
    // Of what is packed and unpacked; zstd's own memory comes from the C library.
    ilk_allocator allocator;
} ilk_packer_desc;

// Make a packer, which serves any number of calls, by one thread at a time, and keeps its memory
// for the next one. NULL for the defaults. NULL without memory, or if the allocator is half there.
ILK_API ilk_packer* ilk_packer_create(const ilk_packer_desc* desc);
ILK_API void ilk_packer_destroy(ilk_packer* packer); // NULL is allowed

// They belong to the packer, and live until the next call.
typedef struct ilk_bytes {
    const void* bytes;
    size_t size;
} ilk_bytes;

// Pack bytes. INVALID without a packer, bytes or somewhere to note the result; NO_MEMORY.
ILK_API ilk_result ilk_pack(ilk_packer* packer, const void* bytes, size_t size, ilk_bytes* packed);

// Unpack them. INVALID also for bytes that were not packed so, or are damaged; FULL if they would
// be more than `most`; NO_MEMORY.
ILK_API ilk_result ilk_unpack(ilk_packer* packer, const void* bytes, size_t size,
                              ilk_bytes* unpacked);

// What was wrong with the last call, as a sentence; "" if nothing was.
ILK_API const char* ilk_packer_error(const ilk_packer* packer);

#ifdef __cplusplus
}
#endif
#endif
