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
        *images++ = (ilki_query_image){query->number, query->seen};
    }
}

// Queries and their images are both the youngest first. Orders are of what was. A query that is
// younger than the snapshot has seen nothing.
void ilki_queries_restore(ilk_world* world, const ilk_snapshot* snapshot) {
    uint32_t at = 0;
    for (ilk_query* query = world->queries; query; query = query->next) {
        while (at < snapshot->query_count && snapshot->queries[at].number > query->number) at++;
        bool was_there =
            at < snapshot->query_count && snapshot->queries[at].number == query->number;
        query->seen = was_there ? snapshot->queries[at].seen : 0;
        ilki_order_release(&world->storage, query->order);
        query->order = NULL;
    }
}
