// What a world holds, counted when asked.
#include "world.h"

static void count_chunk(const ilki_storage* storage, const ilki_chunk* chunk,
                        ilk_world_stats* stats) {
    stats->chunks++;
    stats->rows += chunk->rows;
    stats->holes += chunk->used - chunk->alive;
    stats->blocks += ilki_block_count(chunk);
    stats->guests += chunk->guest_count;
    for (uint32_t i = 0; i < chunk->ilk->type_count; i++) {
        stats->exceptions +=
            ilki_block_at(storage->types[chunk->ilk->types[i]], chunk->number)->count;
    }
}

// Every entity has a row or is placeless.
static uint32_t count_placed(const ilki_storage* storage) {
    uint32_t placed = 0;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) placed += storage->chunks[i]->alive;
    }
    return placed;
}

static void count_bytes(const ilki_memory* memory, ilk_world_stats* stats) {
    stats->bytes_values = memory->bytes[ILKI_VALUES];
    stats->bytes_entities = memory->bytes[ILKI_ENTITIES];
    stats->bytes_records = memory->bytes[ILKI_RECORDS];
    stats->bytes_directories = memory->bytes[ILKI_DIRECTORIES];
    stats->bytes_relations = memory->bytes[ILKI_EDGES];
    stats->bytes_other = memory->bytes[ILKI_OTHER];
    stats->bytes_history = memory->bytes[ILKI_HISTORY];
    stats->bytes_spare = memory->bytes[ILKI_SPARE];
    for (uint32_t i = 0; i < ILKI_USES; i++) stats->bytes += memory->bytes[i];
}

ilk_world_stats ilk_stats(const ilk_world* world) {
    ilk_world_stats stats = {0};
    if (!world || ilki_show_all(world, "ilk_stats") != ILK_OK) return stats;
    const ilki_storage* storage = &world->storage;
    stats.alive = storage->view.index.alive;
    stats.ever = storage->view.index.ever;
    stats.slots = storage->view.index.slots;
    // Slots of pages that are not there yet count as retired in the index, and will be used.
    const ilki_index* index = &storage->view.index;
    stats.retired = index->retired - index->absent_count * ILKI_PAGE_RECORDS;
    stats.empty = storage->view.index.alive - count_placed(storage);
    stats.types = storage->type_count;
    for (uint32_t i = 0; i < storage->ilk_count; i++) stats.ilks += !!storage->ilks[i]->chunk_count;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) count_chunk(storage, storage->chunks[i], &stats);
    }
    for (uint32_t i = 0; i < world->relations.count; i++) {
        stats.relations += world->relations.list[i]->edges.count;
    }
    count_bytes(&storage->memory, &stats);
    return stats;
}

ilk_type_stats ilk_stats_of(const ilk_world* world, ilk_type* type) {
    ilk_type_stats stats = {0};
    uint32_t number = ilk_type_number(world, type);
    if (number == UINT32_MAX || ilki_show(world, type, "ilk_stats_of") != ILK_OK) return stats;
    const ilki_storage* storage = &world->storage;
    const ilki_directory* directory = storage->types[number];
    stats.bytes = sizeof *directory + ilki_directory_bytes(directory);
    if (directory->relation) {
        stats.bytes += sizeof *directory->relation + ilki_edges_bytes(&directory->relation->edges) +
                       ilki_heads_bytes(&directory->relation->heads);
    }
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        const ilki_chunk* chunk = storage->chunks[i];
        const ilki_block* block = ilki_block_at(directory, i);
        if (!block->base) continue;
        stats.count += ilki_block_values(block, chunk->alive);
        stats.blocks++;
        stats.guests += block->kind != ILKI_HOME;
        stats.bytes += ilki_block_bytes(directory, block, chunk->rows);
    }
    return stats;
}
