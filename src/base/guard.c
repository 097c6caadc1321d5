#include "guard.h"

#include "bits.h"

ILKI_NOINLINE void ilki_guard_save(ilki_guard* guard, uint32_t page) {
    if (page >= guard->pages || !ilki_bit(guard->shared, page)) return;
    ilki_bit_clear(guard->shared, page);
    guard->save(guard, page);
}

void ilki_guard_pass_from(ilki_guard* guard, uint32_t page) {
    for (; guard->shared && page < guard->pages; page++) ilki_guard_save(guard, page);
}
