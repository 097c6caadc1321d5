// Packing by zstd.
#include <ilk/zstd.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#define MOST ((size_t)256 << 20)
#define LEVEL 3
#define ALIGN 16u

struct ilk_packer {
    ilk_packer_desc desc;
    ZSTD_CCtx* out;
    ZSTD_DCtx* in;
    void* room;
    size_t capacity;
    char error[120];
};

static void* plain_alloc(void* context, size_t size, size_t align) {
    (void)context;
    (void)align; // malloc's is enough
    return malloc(size);
}

static void plain_free(void* context, void* memory, size_t size, size_t align) {
    (void)context;
    (void)size;
    (void)align;
    free(memory);
}

ilk_packer* ilk_packer_create(const ilk_packer_desc* desc) {
    ilk_packer like = {0};
    if (desc) like.desc = *desc;
    ilk_allocator* allocator = &like.desc.allocator;
    if (!allocator->alloc != !allocator->free) return NULL;
    if (!allocator->alloc) *allocator = (ilk_allocator){plain_alloc, plain_free, NULL};
    if (!like.desc.level) like.desc.level = LEVEL;
    if (!like.desc.most) like.desc.most = MOST;
    ilk_packer* packer = allocator->alloc(allocator->context, sizeof *packer, ALIGN);
    if (!packer) return NULL;
    *packer = like;
    packer->out = ZSTD_createCCtx();
    packer->in = ZSTD_createDCtx();
    if (packer->out && packer->in) {
        ZSTD_CCtx_setParameter(packer->out, ZSTD_c_compressionLevel, packer->desc.level);
        ZSTD_CCtx_setParameter(packer->out, ZSTD_c_checksumFlag, 1);
        return packer;
    }
    ilk_packer_destroy(packer);
    return NULL;
}

static void free_room(ilk_packer* packer) {
    const ilk_allocator* allocator = &packer->desc.allocator;
    if (packer->room) allocator->free(allocator->context, packer->room, packer->capacity, ALIGN);
    packer->room = NULL;
    packer->capacity = 0;
}

void ilk_packer_destroy(ilk_packer* packer) {
    if (!packer) return;
    ZSTD_freeCCtx(packer->out);
    ZSTD_freeDCtx(packer->in);
    free_room(packer);
    ilk_allocator allocator = packer->desc.allocator;
    allocator.free(allocator.context, packer, sizeof *packer, ALIGN);
}

static ilk_result fail(ilk_packer* packer, ilk_result result, const char* call, const char* why) {
    snprintf(packer->error, sizeof packer->error, "%s: %s", call, why);
    return result;
}

// What went before is not needed any more.
static bool make_room(ilk_packer* packer, size_t size) {
    if (size <= packer->capacity) return true;
    const ilk_allocator* allocator = &packer->desc.allocator;
    free_room(packer);
    packer->room = allocator->alloc(allocator->context, size, ALIGN);
    if (packer->room) packer->capacity = size;
    return packer->room != NULL;
}

static ilk_result begin(ilk_packer* packer, const void* bytes, ilk_bytes* result,
                        const char* call) {
    if (!packer) return ILK_INVALID;
    packer->error[0] = 0;
    if (!result) return fail(packer, ILK_INVALID, call, "there is nowhere to note the result");
    *result = (ilk_bytes){0};
    return bytes ? ILK_OK : fail(packer, ILK_INVALID, call, "there are no bytes");
}

ilk_result ilk_pack(ilk_packer* packer, const void* bytes, size_t size, ilk_bytes* packed) {
    const char* call = "ilk_pack";
    ilk_result result = begin(packer, bytes, packed, call);
    if (result != ILK_OK) return result;
    size_t bound = ZSTD_compressBound(size);
    if (ZSTD_isError(bound)) return fail(packer, ILK_INVALID, call, "these are too many bytes");
    if (!make_room(packer, bound)) return fail(packer, ILK_NO_MEMORY, call, "no memory");
    size_t used = ZSTD_compress2(packer->out, packer->room, packer->capacity, bytes, size);
    // With room for the worst, nothing but memory can be lacking.
    if (ZSTD_isError(used)) return fail(packer, ILK_NO_MEMORY, call, ZSTD_getErrorName(used));
    *packed = (ilk_bytes){packer->room, used};
    return ILK_OK;
}

ilk_result ilk_unpack(ilk_packer* packer, const void* bytes, size_t size, ilk_bytes* unpacked) {
    const char* call = "ilk_unpack";
    ilk_result result = begin(packer, bytes, unpacked, call);
    if (result != ILK_OK) return result;
    unsigned long long whole = ZSTD_getFrameContentSize(bytes, size);
    if (whole == ZSTD_CONTENTSIZE_ERROR || whole == ZSTD_CONTENTSIZE_UNKNOWN) {
        return fail(packer, ILK_INVALID, call, "these are no bytes that ilk_pack has made");
    }
    if (whole > packer->desc.most) return fail(packer, ILK_FULL, call, "they would be too many");
    // (One more, so that there is room for nothing.)
    if (!make_room(packer, (size_t)whole + 1)) {
        return fail(packer, ILK_NO_MEMORY, call, "no memory");
    }
    size_t used = ZSTD_decompressDCtx(packer->in, packer->room, (size_t)whole, bytes, size);
    if (ZSTD_isError(used)) return fail(packer, ILK_INVALID, call, ZSTD_getErrorName(used));
    *unpacked = (ilk_bytes){packer->room, used};
    return ILK_OK;
}

const char* ilk_packer_error(const ilk_packer* packer) {
    return packer ? packer->error : "";
}
