#include <ilk/hash.h>

#include "../component/registry.h"
#include "../event/events.h"
#include "hashes.h"

// What the parts of a sum begin with, so that none is taken for another.
#define KEY_OFF 0x1f83d9abfb41bd6bu
#define KEY_ORDER 0x5be0cd19137e2179u
#define KEY_RESOURCE 0xcbbb9d5dc1059ed8u
#define KEY_KEPT 0x629a292a367cd507u
#define KEY_COLUMN 0x152fecd8f70e5939u

uint64_t ilki_key_of(const ilk_type* type) {
    return ilki_mix_end(ilki_mix_text(ILKI_ROOT_7, type->name));
}

// What is kept.

static void free_hashes(ilki_memory* memory, ilki_hash_list* list) {
    ilki_free(memory, ILKI_OTHER, list->list, list->capacity * sizeof *list->list,
              _Alignof(max_align_t));
}

void ilki_hashes_free(ilk_world* world) {
    ilki_hashes* kept = world->hashes;
    ilki_memory* memory = &world->storage.memory;
    if (!kept) return;
    free_hashes(memory, &kept->handles);
    free_hashes(memory, &kept->columns);
    for (uint32_t i = 0; i < kept->type_capacity; i++) {
        free_hashes(memory, &kept->types[i].blocks);
        free_hashes(memory, &kept->types[i].pages);
    }
    ilki_free(memory, ILKI_OTHER, kept->types, kept->type_capacity * sizeof *kept->types,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, kept, sizeof *kept, _Alignof(ilki_hashes));
    world->hashes = NULL;
}

static void forget_one(const ilki_hash_list* list, uint32_t at) {
    if (at < list->capacity) list->list[at].is_kept = false;
}

static void forget_list(const ilki_hash_list* list) {
    for (uint32_t i = 0; i < list->capacity; i++) list->list[i].is_kept = false;
}

void ilki_hashes_forget(ilk_world* world, uint32_t type, uint32_t chunk) {
    const ilki_hashes* kept = world->hashes;
    if (!kept) return;
    forget_one(&kept->handles, chunk);
    forget_one(&kept->columns, chunk);
    if (type >= kept->type_capacity) return;
    forget_one(&kept->types[type].blocks, chunk);
    forget_list(&kept->types[type].pages);
}

static void forget_since(const ilki_hash_list* list, uint64_t tick) {
    for (uint32_t i = 0; i < list->capacity; i++) {
        ilki_hash_entry* entry = &list->list[i];
        if (entry->stamp.touched >= tick || entry->stamp.rows >= tick) entry->is_kept = false;
    }
}

void ilki_hashes_forget_since(ilk_world* world, uint64_t tick) {
    const ilki_hashes* kept = world->hashes;
    if (!kept) return;
    forget_since(&kept->handles, tick);
    forget_since(&kept->columns, tick);
    for (uint32_t i = 0; i < kept->type_capacity; i++) {
        forget_since(&kept->types[i].blocks, tick);
        forget_list(&kept->types[i].pages);
    }
}

void ilki_hashes_forget_naming(ilk_world* world) {
    const ilki_hashes* kept = world->hashes;
    const ilki_storage* storage = &world->storage;
    for (uint32_t i = 0; kept && i < kept->type_capacity && i < storage->type_count; i++) {
        const ilki_directory* directory = storage->types[i];
        bool is_naming = directory->relation || directory == storage->name;
        if (is_naming) forget_list(&kept->types[i].blocks);
    }
}

ilki_hashing ilki_hashing_anew(const ilk_world* world) {
    return (ilki_hashing){world, NULL};
}

// Makes what is kept hold all types. NULL without memory. (To keep hashes changes nothing that can
// be seen of a world, so that it may be done to one that is only looked at; but by one thread.)
ilki_hashing ilki_hashing_begin(const ilk_world* world) {
    ilk_world* keeper = (ilk_world*)(uintptr_t)world;
    ilki_memory* memory = &keeper->storage.memory;
    if (world->running) return ilki_hashing_anew(world);
    if (!keeper->hashes) {
        keeper->hashes =
            ilki_alloc_zero(memory, ILKI_OTHER, sizeof(ilki_hashes), _Alignof(ilki_hashes));
    }
    ilki_hashes* kept = keeper->hashes;
    bool is_ready = kept && ilki_grow(memory, ILKI_OTHER, &kept->types, &kept->type_capacity,
                                      world->storage.type_count, sizeof *kept->types);
    return (ilki_hashing){world, is_ready ? kept : NULL};
}

// The entry of a list, for which there is room from now on; or NULL.
static ilki_hash_entry* hash_entry_at(const ilki_hashing* hashing, ilki_hash_list* list,
                                      uint32_t at, uint32_t count) {
    ilk_world* keeper = (ilk_world*)(uintptr_t)hashing->world;
    bool is_ready =
        at < list->capacity || ilki_grow(&keeper->storage.memory, ILKI_OTHER, &list->list,
                                         &list->capacity, count, sizeof *list->list);
    return is_ready ? &list->list[at] : NULL;
}

static bool is_hash_good(const ilki_hash_entry* entry, ilki_hash_stamp stamp) {
    return entry && entry->is_kept && entry->stamp.touched == stamp.touched &&
           entry->stamp.rows == stamp.rows;
}

static uint64_t keep_hash(const ilki_hashing* hashing, ilki_hash_entry* entry,
                          ilki_hash_stamp stamp, uint64_t hash) {
    uint64_t tick = hashing->world->storage.view.tick;
    bool is_past = stamp.touched < tick && stamp.rows < tick;
    if (entry) *entry = (ilki_hash_entry){stamp, hash, is_past};
    return hash;
}

static ilki_hash_entry* block_entry(const ilki_hashing* hashing, uint32_t type, uint32_t chunk) {
    if (!hashing->kept) return NULL;
    return hash_entry_at(hashing, &hashing->kept->types[type].blocks, chunk,
                         hashing->world->storage.chunk_count);
}

// Components.

uint32_t ilki_edge_before(const ilki_relation* relation, uint32_t edge) {
    const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
    bool is_first = ilki_head_of(&relation->heads, at->target).first == edge;
    return is_first ? ILKI_NONE : at->previous_source;
}

ilk_entity ilki_named_before(const ilki_storage* storage, uint32_t slot) {
    uint32_t before = ilki_name_at(storage, slot)->previous;
    bool is_first = ilki_name_at(storage, before)->next == ILKI_NONE;
    return is_first ? ILKI_NULL : ilki_entity_in(storage, before);
}

static uint64_t mix_entity(uint64_t hash, ilk_entity e) {
    return ilki_mix(hash, (uint64_t)e.generation << 32 | e.index);
}

static uint64_t mix_link(const ilki_hashing* hashing, const ilki_relation* relation, uint64_t hash,
                         const ilk_link* link) {
    const ilki_edges* edges = &relation->edges;
    ilki_shape carried = edges->value ? ilki_shape_of(edges->value) : (ilki_shape){0};
    for (uint32_t i = 0, edge = link->first; i < link->count; i++) {
        const ilki_edge* at = ilki_edge_at(edges, edge);
        hash = mix_entity(hash, ilki_entity_in(&hashing->world->storage, at->target));
        if (carried.type) hash = ilki_mix_value(&carried, hash, ilki_edge_value(edges, edge));
        edge = at->next_target;
    }
    return hash;
}

static uint64_t mix_name(const ilki_storage* storage, uint64_t hash, ilk_entity e,
                         const ilk_name* name) {
    const ilki_word* word = ilki_word_at(&storage->names->glossary, name->text);
    return mix_entity(ilki_mix_text(hash, word->text), ilki_named_before(storage, e.index));
}

// Whether the values of a type are more than their bytes.
static bool is_special(const ilki_storage* storage, const ilki_directory* directory) {
    return directory->relation || directory == storage->name;
}

static uint64_t mix_component(const ilki_hashing* hashing, const ilki_directory* directory,
                              const ilki_shape* shape, uint64_t hash, ilk_entity e,
                              const void* value) {
    const ilki_storage* storage = &hashing->world->storage;
    if (directory->relation) return mix_link(hashing, directory->relation, hash, value);
    if (directory == storage->name) return mix_name(storage, hash, e, value);
    return ilki_mix_value(shape, hash, value);
}

static uint64_t hash_row(const ilki_hashing* hashing, const ilki_directory* directory,
                         const ilki_shape* shape, const ilki_block* block, ilk_entity e,
                         uint32_t row) {
    uint64_t key = shape->key ^ (ilki_block_is_off(block, row) ? KEY_OFF : 0);
    const void* value = ilki_value_at(directory, block, row);
    return ilki_mix_end(mix_component(hashing, directory, shape, ilki_mix_begin(key, e), e, value));
}

// The rows of one word, all of which have a value, one by one.
static uint64_t hash_scattered(const ilki_hashing* hashing, const ilki_directory* directory,
                               const ilki_shape* shape, const ilki_chunk* chunk, uint32_t word,
                               uint64_t rows) {
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    uint64_t sum = 0;
    for (; rows; rows &= rows - 1) {
        uint32_t row = word * 64 + ilki_lowest(rows);
        sum += hash_row(hashing, directory, shape, block, chunk->entities[row], row);
    }
    return sum;
}

static uint64_t hash_side_by_side(const ilki_directory* directory, const ilki_shape* shape,
                                  const ilki_chunk* chunk, uint32_t row, uint32_t count) {
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    return ilki_hash_rows(shape, chunk->entities + row, ilki_natural_at(directory, block, row),
                          count);
}

// Whether the values of a block can be hashed in one go where they lie side by side.
static bool is_even(const ilki_storage* storage, const ilki_directory* directory,
                    const ilki_block* block) {
    return block->kind != ILKI_SMALL && !block->off && !is_special(storage, directory);
}

static uint64_t sum_of_block(const ilki_hashing* hashing, const ilki_directory* directory,
                             const ilki_shape* shape, const ilki_chunk* chunk) {
    const ilki_storage* storage = &hashing->world->storage;
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    bool is_side_by_side = is_even(storage, directory, block);
    uint64_t sum = 0;
    if (is_side_by_side && ilki_block_is_plain(block) && chunk->alive == chunk->used) {
        return hash_side_by_side(directory, shape, chunk, 0, chunk->used);
    }
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = ilki_block_word(block, word, chunk->live[word]);
        sum += is_side_by_side && rows == UINT64_MAX
                   ? hash_side_by_side(directory, shape, chunk, word * 64, 64)
                   : hash_scattered(hashing, directory, shape, chunk, word, rows);
    }
    return sum;
}

static uint64_t hash_block(const ilki_hashing* hashing, const ilki_directory* directory,
                           const ilki_shape* shape, const ilki_chunk* chunk) {
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    ilki_hash_stamp stamp = {block->touched, chunk->touched};
    ilki_hash_entry* entry = block_entry(hashing, directory->number, chunk->number);
    if (is_hash_good(entry, stamp)) return entry->hash;
    return keep_hash(hashing, entry, stamp, sum_of_block(hashing, directory, shape, chunk));
}

uint64_t ilki_hash_block(const ilki_hashing* hashing, const ilki_directory* directory,
                         uint32_t chunk) {
    if (!ilki_block_at(directory, chunk)->base) return 0;
    ilki_shape shape = ilki_shape_of(directory->type);
    return hash_block(hashing, directory, &shape, hashing->world->storage.chunks[chunk]);
}

static uint64_t hash_blocks(const ilki_hashing* hashing, const ilki_directory* directory) {
    ilki_shape shape = ilki_shape_of(directory->type);
    uint64_t sum = 0;
    for (uint32_t word = 0; word < ilki_words(directory->bound); word++) {
        for (uint64_t chunks = directory->present[word]; chunks; chunks &= chunks - 1) {
            uint32_t chunk = word * 64 + ilki_lowest(chunks);
            sum += hash_block(hashing, directory, &shape, hashing->world->storage.chunks[chunk]);
        }
    }
    return sum;
}

// The order of those who relate to the same target.

static uint64_t hash_order(const ilki_storage* storage, const ilki_relation* relation, uint64_t key,
                           uint32_t edge) {
    uint32_t before = ilki_edge_before(relation, edge);
    if (before == ILKI_NONE) return 0;
    uint32_t source = ilki_edge_at(&relation->edges, edge)->source;
    uint64_t hash = ilki_mix_begin(key ^ KEY_ORDER, ilki_entity_in(storage, source));
    hash = mix_entity(hash, ilki_entity_in(storage, ilki_edge_at(&relation->edges, edge)->target));
    uint32_t other = ilki_edge_at(&relation->edges, before)->source;
    return ilki_mix_end(mix_entity(hash, ilki_entity_in(storage, other)));
}

static uint64_t sum_of_page(const ilki_storage* storage, const ilki_relation* relation,
                            uint64_t key, uint32_t page) {
    uint32_t first = page * ILKI_PAGE_EDGES, left = relation->edges.used - first;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES && i < left; i++) {
        bool is_free = ilki_edge_at(&relation->edges, first + i)->source == ILKI_NONE;
        if (!is_free) sum += hash_order(storage, relation, key, first + i);
    }
    return sum;
}

static uint64_t hash_page(const ilki_hashing* hashing, const ilki_relation* relation, uint64_t key,
                          uint32_t page) {
    ilki_hash_entry* entry = NULL;
    ilki_hash_stamp stamp = {.touched = relation->edges.pages[page]->touched};
    if (hashing->kept) {
        entry = hash_entry_at(hashing, &hashing->kept->types[relation->directory->number].pages,
                              page, relation->edges.page_count);
    }
    if (is_hash_good(entry, stamp)) return entry->hash;
    uint64_t sum = sum_of_page(&hashing->world->storage, relation, key, page);
    return keep_hash(hashing, entry, stamp, sum);
}

uint64_t ilki_hash_orders(const ilki_hashing* hashing, const ilki_relation* relation) {
    uint32_t pages = (relation->edges.used + ILKI_PAGE_EDGES - 1) / ILKI_PAGE_EDGES;
    uint64_t key = ilki_key_of(relation->directory->type), sum = 0;
    for (uint32_t i = 0; i < pages; i++) sum += hash_page(hashing, relation, key, i);
    return sum;
}

uint64_t ilki_hash_type(const ilki_hashing* hashing, const ilki_directory* directory) {
    uint64_t sum = hash_blocks(hashing, directory);
    if (directory->relation) sum += ilki_hash_orders(hashing, directory->relation);
    return sum;
}

// Who is alive.

static uint64_t hash_alive(ilk_entity e) {
    return ilki_mix_end(ilki_mix_begin(ILKI_KEY_ALIVE, e));
}

static uint64_t sum_of_handles(const ilki_chunk* chunk) {
    uint64_t sum = 0;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        for (uint64_t rows = chunk->live[word]; rows; rows &= rows - 1) {
            sum += hash_alive(chunk->entities[word * 64 + ilki_lowest(rows)]);
        }
    }
    return sum;
}

static uint64_t hash_handles(const ilki_hashing* hashing, const ilki_chunk* chunk) {
    ilki_hash_entry* entry = NULL;
    ilki_hash_stamp stamp = {.rows = chunk->touched};
    if (hashing->kept) {
        entry = hash_entry_at(hashing, &hashing->kept->handles, chunk->number,
                              hashing->world->storage.chunk_count);
    }
    if (is_hash_good(entry, stamp)) return entry->hash;
    return keep_hash(hashing, entry, stamp, sum_of_handles(chunk));
}

uint64_t ilki_hash_chunk(const ilki_hashing* hashing, const ilki_chunk* chunk) {
    uint64_t sum = hash_handles(hashing, chunk);
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(&hashing->world->storage, chunk, i);
        sum += ilki_hash_block(hashing, directory, chunk->number);
    }
    return sum;
}

uint32_t ilki_count_placeless(const ilki_storage* storage) {
    uint32_t count = storage->view.index.alive;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) count -= storage->chunks[i]->alive;
    }
    return count;
}

uint64_t ilki_hash_placeless(const ilk_world* world) {
    const ilki_index* index = &world->storage.view.index;
    uint32_t left = ilki_count_placeless(&world->storage);
    uint64_t sum = 0;
    for (uint32_t slot = 0; left && slot < index->slots; slot++) {
        ilki_record record = *ilki_record_at(index, slot);
        if (record.generation & ILKI_DEAD_BIT || !ilki_is_nowhere(record.place)) continue;
        sum += hash_alive((ilk_entity){slot, record.generation});
        left--;
    }
    return sum;
}

// What belongs to no entity, or waits for its type to come back.

uint64_t ilki_hash_resources(const ilk_world* world) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->resources.count; i++) {
        const ilki_resource* resource = &world->resources.list[i];
        ilki_shape shape = ilki_shape_of(resource->type);
        uint64_t hash = ilki_mix(shape.key, KEY_RESOURCE);
        sum += ilki_mix_end(ilki_mix_value(&shape, hash, resource->value));
    }
    return sum;
}

bool ilki_next_kept(const ilk_world* world, uint32_t* at, ilki_aside* aside) {
    while (ilki_kept_at(world, *at, aside)) {
        if (ilki_record_of(&world->storage.view.index, aside->entity)) return true;
        ++*at;
    }
    return false;
}

uint64_t ilki_hash_kept(const ilk_world* world) {
    ilki_aside aside;
    uint64_t sum = 0;
    for (uint32_t i = 0; ilki_next_kept(world, &i, &aside); i++) {
        ilki_shape shape = ilki_shape_of(aside.directory->type);
        uint64_t key = shape.key ^ KEY_KEPT ^ (aside.is_off ? KEY_OFF : 0);
        uint64_t hash = ilki_mix_begin(key, aside.entity);
        sum += ilki_mix_end(ilki_mix_value(&shape, hash, aside.value));
    }
    return sum;
}

// The whole.

static uint64_t finish(uint64_t sum, uint64_t key) {
    return ilki_mix_end(ilki_mix(sum, key));
}

// Without what is kept aside.
static uint64_t sum_of_state(const ilki_hashing* hashing) {
    const ilk_world* world = hashing->world;
    const ilki_storage* storage = &world->storage;
    uint64_t sum = ilki_hash_placeless(world) + ilki_hash_resources(world);
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) sum += hash_handles(hashing, storage->chunks[i]);
    }
    for (uint32_t i = 0; i < storage->type_count; i++) {
        sum += ilki_hash_type(hashing, storage->types[i]);
    }
    return sum;
}

uint64_t ilki_hash_state(const ilki_hashing* hashing) {
    return finish(sum_of_state(hashing) + ilki_hash_kept(hashing->world), ILKI_KEY_STATE);
}

uint64_t ilki_hash_in_use(const ilki_hashing* hashing) {
    return finish(sum_of_state(hashing), ILKI_KEY_STATE);
}

static uint64_t sum_of_column(const ilki_chunk* chunk) {
    uint64_t sum = 0;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        for (uint64_t rows = chunk->live[word]; rows; rows &= rows - 1) {
            uint32_t row = word * 64 + ilki_lowest(rows);
            sum += ilki_mix_end(ilki_mix_begin(KEY_COLUMN + row, chunk->entities[row]));
        }
    }
    return sum;
}

uint64_t ilki_hash_column(const ilki_hashing* hashing, const ilki_chunk* chunk) {
    ilki_hash_entry* entry = NULL;
    ilki_hash_stamp stamp = {.rows = chunk->touched};
    if (hashing->kept) {
        entry = hash_entry_at(hashing, &hashing->kept->columns, chunk->number,
                              hashing->world->storage.chunk_count);
    }
    if (is_hash_good(entry, stamp)) return entry->hash;
    return keep_hash(hashing, entry, stamp, sum_of_column(chunk));
}

uint64_t ilk_hash(const ilk_world* world) {
    if (!world || ilki_show_all(world, "ilk_hash") != ILK_OK) return 0;
    ilki_hashing hashing = ilki_hashing_begin(world);
    return ilki_hash_state(&hashing);
}

uint64_t ilk_hash_of(const ilk_world* world, ilk_type* type) {
    if (!world || !type || !type->name) return 0;
    ilki_type_recall(type);
    if (ilki_show(world, type, "ilk_hash_of") != ILK_OK) return 0;
    const ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    ilki_hashing hashing = ilki_hashing_begin(world);
    uint64_t sum = directory == &ilki_no_directory ? 0 : ilki_hash_type(&hashing, directory);
    return finish(sum, ilki_key_of(type));
}
