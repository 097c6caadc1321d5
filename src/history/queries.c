// What queries have seen, in a snapshot.
#include "history.h"

static uint32_t count_queries(const ilk_world* world) {
    uint32_t count = 0;
    for (const ilk_query* query = world->queries; query; query = query->next) count++;
    return count;
}

void ilki_queries_cut(const ilk_world* world, ilk_snapshot* snapshot, ilki_cutter* cutter) {
    uint32_t count = count_queries(world);
    ilki_query_image* images = ilki_cut(cutter, count, sizeof *images);
    snapshot->queries = images;
    snapshot->query_count = count;
    if (!images) return;
    for (const ilk_query* query = world->queries; query; query = query->next) {
        *images++ = (ilki_query_image){query, query->serial, query->seen};
    }
}

// What a query had seen, looked for from a place on; ILKI_NONE: it is younger than the snapshot.
static uint32_t find_image(const ilk_snapshot* snapshot, const ilk_query* query, uint32_t from) {
    for (uint32_t i = from; i < snapshot->query_count; i++) {
        const ilki_query_image* image = &snapshot->queries[i];
        if (image->query == query && image->serial == query->serial) return i;
    }
    return ILKI_NONE;
}

// Orders are of what was. A query that is younger than the snapshot has seen nothing.
void ilki_queries_restore(ilk_world* world, const ilk_snapshot* snapshot) {
    uint32_t from = 0;
    for (ilk_query* query = world->queries; query; query = query->next) {
        uint32_t at = find_image(snapshot, query, from);
        query->seen = at == ILKI_NONE ? 0 : snapshot->queries[at].seen;
        if (at != ILKI_NONE) from = at + 1;
        ilki_order_release(&world->storage, query->order);
        query->order = NULL;
    }
}
