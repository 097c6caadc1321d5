// Each block is preceded by a label: its size, its alignment and a magic number that freeing it
// destroys. The block ends where the memory from the C library ends, if its size is a multiple of
// its alignment, so that the address sanitizer sees an overrun of one byte. Fresh memory is full of
// rubbish, so that nobody can lean on zeros.
#include "supply.h"

#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x696c6b2d74657374u

typedef struct label {
    size_t size, align;
    uint64_t magic;
    uint64_t pad;
} label;

static _Thread_local bool works_beside;

void supply_work_beside(bool is_beside) {
    works_beside = is_beside;
}

static void complain(supply* s, const char* complaint) {
    if (!s->complaint) s->complaint = complaint;
}

static bool refused(supply* s, size_t size) {
    supply_plan* plan = s->plan;
    if (plan->paused) return false;
    plan->asked++;
    bool past = plan->forever ? plan->asked >= plan->fail_at : plan->asked == plan->fail_at;
    bool due = plan->fail_at && past;
    bool over = s->limit && (size > s->limit || s->bytes > s->limit - size);
    plan->due += due;
    plan->refused += due || over;
    return due || over;
}

static bool is_plain(size_t align) {
    return align <= 16;
}

// The distance from the start of the C library's block to ours: room for the label, aligned.
static size_t lead_of(size_t align) {
    return (sizeof(label) + align - 1) & ~(align - 1);
}

static void* supply_alloc(void* context, size_t size, size_t align) {
    supply* s = context;
    if (!works_beside && s->forbidden)
        complain(s, "memory was asked for by a call that needs none");
    if (size == 0) complain(s, "an allocation of no bytes");
    if (align == 0 || (align & (align - 1))) complain(s, "an alignment is no power of two");
    if (s->complaint || (!works_beside && s->starved) || refused(s, size)) return NULL;
    size_t lead = lead_of(align);
    size_t whole = (lead + size + align - 1) & ~(align - 1);
    char* start = is_plain(align) ? malloc(lead + size) : ilki_aligned_alloc(whole, align);
    if (!start) return NULL;
    char* memory = start + lead;
    *(label*)(void*)(memory - sizeof(label)) = (label){size, align, MAGIC, 0};
    memset(memory, 0xa5, size);
    s->bytes += size;
    s->blocks++;
    return memory;
}

static void supply_free(void* context, void* memory, size_t size, size_t align) {
    supply* s = context;
    if (!memory) {
        complain(s, "NULL was freed");
        return;
    }
    label* l = (label*)(void*)((char*)memory - sizeof(label));
    if (l->magic != MAGIC) {
        complain(s, "a block was freed twice, or is none");
        return;
    }
    if (l->size != size) complain(s, "a block was freed with another size");
    if (l->align != align) complain(s, "a block was freed with another alignment");
    s->bytes -= l->size;
    s->blocks--;
    l->magic = 0;
    char* start = (char*)memory - lead_of(l->align);
    if (is_plain(l->align))
        free(start);
    else
        ilki_aligned_free(start);
}

ilk_allocator supply_allocator(supply* s) {
    return (ilk_allocator){supply_alloc, supply_free, s};
}
