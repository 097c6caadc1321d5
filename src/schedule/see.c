// What a world holds, as text.
#include <inttypes.h>

#include <ilk/see.h>

#include "../base/text.h"
#include "schedule.h"

typedef void table_fn(ilki_table* table, const ilk_world* world);

// A heading and the lines below it.
static void put_section(ilki_text* to, const char* heading, table_fn* lines,
                        const ilk_world* world) {
    ilki_table table = {0};
    ilki_text_format(to, "\n%s\n", heading);
    lines(&table, world);
    table.to = to;
    lines(&table, world);
}

static void put_titles(ilki_table* table, const char* const* titles) {
    for (; *titles; titles++) ilki_table_right(table, *titles);
}

// The last thing on a line, whose width does not matter.
static void put_last(ilki_table* table, const char* text) {
    if (!table->to) return;
    ilki_text_put(table->to, "  ");
    ilki_text_put(table->to, text);
}

static const ilki_schedule* schedule_in(const ilk_world* world) {
    static const ilki_schedule none;
    return world->schedule ? world->schedule : &none;
}

static void put_head(ilki_text* to, const ilk_world* world, const ilk_world_stats* stats) {
    const ilki_schedule* schedule = schedule_in(world);
    ilki_text_put(to, "world ");
    ilki_text_quote(to, world->name);
    ilki_text_format(to, ", id %" PRIu32 "\n", world->id);
    ilki_text_format(
        to, "    entities: %" PRIu32 " alive, %" PRIu64 " ever, %" PRIu32 " without a component\n",
        stats->alive, stats->ever, stats->empty);
    ilki_text_format(to,
                     "    chunks: %" PRIu32 " with %" PRIu32 " rows, %" PRIu32 " holes; %" PRIu32
                     " blocks of values, %" PRIu32 " of them guests\n",
                     stats->chunks, stats->rows, stats->holes, stats->blocks, stats->guests);
    if (world->relations.count) {
        ilki_text_format(to, "    relations: %" PRIu32 "\n", stats->relations);
    }
    ilki_text_format(to,
                     "    bytes: %zu (%zu values, %zu entities, %zu records, %zu directories, "
                     "%zu relations, %zu other, %zu history, %zu spare)\n",
                     stats->bytes, stats->bytes_values, stats->bytes_entities, stats->bytes_records,
                     stats->bytes_directories, stats->bytes_relations, stats->bytes_other,
                     stats->bytes_history, stats->bytes_spare);
    if (schedule->time.frames) {
        uint64_t ms = schedule->time.nanoseconds / 1000000u;
        ilki_text_format(to, "    time: %" PRIu64 " frames, %" PRIu64 ".%03u s%s\n",
                         schedule->time.frames, ms / 1000, (unsigned)(ms % 1000),
                         schedule->is_paused ? ", paused" : "");
    }
    if (world->workers) {
        ilki_text_format(to, "    threads: %" PRIu32 " of %" PRIu32 "\n", ilk_threads(world),
                         world->workers + 1);
    }
}

// The stack of scenes, from the bottom up.
static void put_scenes(ilki_text* to, const ilk_world* world) {
    for (uint32_t i = 0; i < ilk_scene_depth(world); i++) {
        ilki_text_put(to, i ? ", " : "    scenes: ");
        ilki_text_put(to, ilk_scene_at(world, i));
    }
    if (ilk_scene_depth(world)) ilki_text_put(to, "\n");
}

static uint32_t alive_in(const ilki_ilk* ilk) {
    uint32_t alive = 0;
    for (uint32_t i = 0; i < ilk->chunk_count; i++) alive += ilk->chunks[i]->alive;
    return alive;
}

// Whether values of a type are guests in chunks of an ilk.
static bool has_guest(const ilki_directory* directory, const ilki_ilk* ilk) {
    for (uint32_t i = 0; i < ilk->chunk_count; i++) {
        const ilki_block* block = ilki_block_at(directory, ilk->chunks[i]->number);
        if (block->kind != ILKI_HOME && block->count) return true;
    }
    return false;
}

// "Position, Velocity; guests Frozen"
static void put_ilk(ilki_text* to, const ilki_storage* storage, const ilki_ilk* ilk) {
    uint32_t guests = 0;
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        ilki_text_put(to, i ? ", " : "");
        ilki_text_put(to, storage->types[ilk->types[i]]->type->name);
    }
    for (uint32_t i = 0; i < storage->type_count; i++) {
        if (!has_guest(storage->types[i], ilk)) continue;
        ilki_text_put(to, guests++ ? ", " : "; guests ");
        ilki_text_put(to, storage->types[i]->type->name);
    }
}

static void put_ilks(ilki_table* table, const ilk_world* world) {
    static const char* const titles[] = {"entities", "chunks", "rows", NULL};
    const ilki_storage* storage = &world->storage;
    put_titles(table, titles);
    put_last(table, "components");
    ilki_table_end(table);
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        const ilki_ilk* ilk = storage->ilks[i];
        if (!ilk->chunk_count) continue;
        ilki_table_number(table, alive_in(ilk));
        ilki_table_number(table, ilk->chunk_count);
        ilki_table_number(table, ilk->rows);
        put_last(table, "");
        if (table->to) put_ilk(table->to, storage, ilk);
        ilki_table_end(table);
    }
}

static void put_components(ilki_table* table, const ilk_world* world) {
    static const char* const titles[] = {"size", "blocks", "guests", "bytes", NULL};
    ilki_table_left(table, "component: entities");
    put_titles(table, titles);
    ilki_table_end(table);
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        ilk_type* type = world->storage.types[i]->type;
        ilk_type_stats stats = ilk_stats_of(world, type);
        ilki_table_count(table, type->name, stats.count);
        ilki_table_number(table, type->size);
        ilki_table_number(table, stats.blocks);
        ilki_table_number(table, stats.guests);
        ilki_table_number(table, stats.bytes);
        ilki_table_end(table);
    }
}

// In order of making.
static void put_resources(ilki_table* table, const ilk_world* world) {
    static const char* const titles[] = {"size", "changed", NULL};
    put_titles(table, titles);
    put_last(table, "resource");
    ilki_table_end(table);
    for (uint32_t i = 0; i < world->resources.count; i++) {
        const ilki_resource* resource = &world->resources.list[i];
        ilki_table_number(table, resource->type->size);
        ilki_table_number(table, resource->changed);
        put_last(table, "");
        if (table->to) ilki_put_value(table->to, world, resource->type, resource->value);
        ilki_table_end(table);
    }
}

// The plugins, in the order in which they were installed.
static void put_plugins(ilki_text* to, const ilk_world* world) {
    for (uint32_t i = 0; i < ilk_plugin_count(world); i++) {
        ilki_text_put(to, i ? ", " : "    plugins: ");
        ilki_text_put(to, world->plugins.list[i].name);
    }
    if (ilk_plugin_count(world)) ilki_text_put(to, "\n");
}

static const char* owner_of(const ilk_world* world, const ilk_query* query) {
    const ilki_schedule* schedule = schedule_in(world);
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (schedule->systems[i]->query == query) return schedule->systems[i]->desc.name;
    }
    return "-";
}

static void put_query(ilki_table* table, const ilk_world* world, const ilk_query* query) {
    ilki_table_number(table, query->stats.passes);
    ilki_table_number(table, query->stats.chunks);
    ilki_table_number(table, query->stats.skipped);
    ilki_table_number(table, query->stats.rows);
    ilki_table_left(table, owner_of(world, query));
    put_last(table, "");
    if (table->to) {
        size_t size;
        char* rest = ilki_text_rest(table->to, &size);
        table->to->length += ilk_query_text(query, rest, size);
    }
    ilki_table_end(table);
}

// The world has the youngest first.
static void put_queries(ilki_table* table, const ilk_world* world) {
    static const char* const titles[] = {"passes", "chunks", "skipped", "rows", NULL};
    put_titles(table, titles);
    ilki_table_left(table, "system");
    put_last(table, "query");
    ilki_table_end(table);
    const ilk_query* query = world->queries;
    while (query->next) query = query->next;
    for (; query; query = query->previous) put_query(table, world, query);
}

static void put_time_cell(ilki_table* table, uint64_t ns) {
    char cell[32];
    snprintf(cell, sizeof cell, "%" PRIu64 ".%u", ns / 1000, (unsigned)(ns / 100 % 10));
    ilki_table_right(table, cell);
}

static void put_systems(ilki_table* table, const ilk_world* world) {
    static const char* const titles[] = {"wave",           "calls",    "rows",
                                         "chunks skipped", "commands", "allocations",
                                         "mean us",        "worst us", NULL};
    const ilki_schedule* schedule = world->schedule;
    ilki_table_left(table, "phase");
    put_titles(table, titles);
    put_last(table, "system");
    ilki_table_end(table);
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        const ilk_system* system = schedule->sorted[i];
        const ilk_system_stats* stats = &system->stats;
        ilki_table_left(table, schedule->phases[system->phase]);
        ilki_table_number(table, system->wave);
        ilki_table_number(table, stats->calls);
        ilki_table_number(table, stats->rows);
        ilki_table_number(table, stats->chunks_skipped);
        ilki_table_number(table, stats->commands);
        ilki_table_number(table, stats->allocations);
        put_time_cell(table, stats->calls ? stats->total_ns / stats->calls : 0);
        put_time_cell(table, stats->worst_ns);
        put_last(table, system->desc.name);
        ilki_table_end(table);
    }
}

size_t ilk_world_dump(const ilk_world* world, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    if (!world || ilki_show_all(world, "ilk_world_dump") != ILK_OK) return 0;
    ilk_world_stats stats = ilk_stats(world);
    put_head(&to, world, &stats);
    put_plugins(&to, world);
    put_scenes(&to, world);
    if (stats.ilks) put_section(&to, "ilks", put_ilks, world);
    if (stats.types) put_section(&to, "components", put_components, world);
    if (world->resources.count) put_section(&to, "resources", put_resources, world);
    if (world->queries) put_section(&to, "queries", put_queries, world);
    if (schedule_in(world)->sorted_count) put_section(&to, "systems", put_systems, world);
    return to.length;
}

// How many entities of a chunk a query would visit now.
static uint32_t matches_in(const ilk_query* query, const ilki_chunk* chunk) {
    ilki_tests tests;
    ilki_share share = ilki_match_chunk(query, chunk, query->seen, &tests);
    if (share != ILKI_SOME_ROWS) return share == ILKI_ALL_ROWS ? chunk->alive : 0;
    uint32_t count = 0;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = chunk->live[word];
        if (rows) rows = ilki_match_word(query, chunk, query->seen, &tests, word, rows);
        for (; rows; rows &= rows - 1) count++;
    }
    return count;
}

// Entities and chunks that a query would visit.
typedef struct visits {
    uint32_t entities, chunks;
} visits;

static visits visits_to(const ilk_query* query, const ilki_ilk* ilk) {
    visits found = {0};
    for (uint32_t i = 0; i < ilk->chunk_count; i++) {
        uint32_t entities = matches_in(query, ilk->chunks[i]);
        found.entities += entities;
        found.chunks += entities != 0;
    }
    return found;
}

// The numbers of the chunks of an ilk that a query would visit: "0-3, 7".
static void put_chunks(ilki_text* to, const ilk_query* query, const ilki_ilk* ilk) {
    uint32_t first = ILKI_NONE, last = ILKI_NONE, said = 0;
    for (uint32_t i = 0; i <= ilk->chunk_count; i++) {
        bool is_end = i == ilk->chunk_count;
        if (!is_end && !matches_in(query, ilk->chunks[i])) continue;
        uint32_t number = is_end ? ILKI_NONE : ilk->chunks[i]->number;
        if (first != ILKI_NONE && number == last + 1) {
            last = number;
            continue;
        }
        if (first != ILKI_NONE) {
            ilki_text_format(to, "%s%" PRIu32, said++ ? ", " : " ", first);
            if (last > first) ilki_text_format(to, "-%" PRIu32, last);
        }
        first = last = number;
    }
}

static void add_visits(visits* to, visits more) {
    to->entities += more.entities;
    to->chunks += more.chunks;
}

static visits visits_of(const ilk_query* query) {
    visits all = {0};
    for (uint32_t i = 0; i < query->storage->ilk_count; i++) {
        add_visits(&all, visits_to(query, query->storage->ilks[i]));
    }
    return all;
}

static const char* plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void put_visits(ilki_text* to, const ilk_query* query, uint32_t empty) {
    const ilki_storage* storage = query->storage;
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        const ilki_ilk* ilk = storage->ilks[i];
        visits found = visits_to(query, ilk);
        if (!found.chunks) continue;
        ilki_text_format(to, "        %" PRIu32 " of %" PRIu32 " in chunk%s", found.entities,
                         alive_in(ilk), plural(found.chunks));
        put_chunks(to, query, ilk);
        ilki_text_put(to, " of ");
        put_ilk(to, storage, ilk);
        ilki_text_put(to, "\n");
    }
    if (query->is_wide && empty) {
        ilki_text_format(to, "        %" PRIu32 " without a component\n", empty);
    }
}

static void put_visitor(ilki_text* to, const ilk_system* system, uint32_t empty) {
    const ilk_query* query = system->query;
    ilki_text_put(to, "    ");
    ilki_text_put(to, system->desc.name);
    if (!query) {
        ilki_text_put(to, ": has no query\n");
        return;
    }
    visits all = visits_of(query);
    if (query->is_wide) all.entities += empty;
    ilki_text_format(to, ": %" PRIu32 " entit%s, %" PRIu32 " chunk%s\n", all.entities,
                     all.entities == 1 ? "y" : "ies", all.chunks, plural(all.chunks));
    put_visits(to, query, empty);
}

// The systems that visit an ilk; or, if it is NULL, entities without a component.
static void put_visitors(ilki_text* to, const ilki_schedule* schedule, const ilki_ilk* ilk) {
    uint32_t said = 0;
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        const ilk_query* query = schedule->sorted[i]->query;
        bool is_visited = query && (ilk ? visits_to(query, ilk).chunks != 0 : query->is_wide);
        if (!is_visited) continue;
        ilki_text_put(to, said++ ? ", " : ": ");
        ilki_text_put(to, schedule->sorted[i]->desc.name);
    }
    ilki_text_put(to, said ? "\n" : ": nobody\n");
}

size_t ilk_matches_text(const ilk_world* world, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    if (!world || ilki_show_all(world, "ilk_matches_text") != ILK_OK) return 0;
    const ilki_storage* storage = &world->storage;
    const ilki_schedule* schedule = schedule_in(world);
    uint32_t empty = ilk_stats(world).empty;
    ilki_text_put(&to, "what each system visits\n");
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        put_visitor(&to, schedule->sorted[i], empty);
    }
    ilki_text_put(&to, "\nwho visits each ilk\n");
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        if (!alive_in(storage->ilks[i])) continue;
        ilki_text_put(&to, "    ");
        put_ilk(&to, storage, storage->ilks[i]);
        put_visitors(&to, schedule, storage->ilks[i]);
    }
    if (empty) {
        ilki_text_put(&to, "    without a component");
        put_visitors(&to, schedule, NULL);
    }
    return to.length;
}
