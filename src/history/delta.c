// Making and applying deltas: the head, the types, and the order of sections.
//
// The head has 56 bytes: "ilkd", the version in two bytes, the tag of the worlds in one, and one
// that is 0; then in words of eight bytes the hashes of the first snapshot, of its storage and of
// all else, the same of the second one (or 0: from nothing, and nothing is promised), how long the
// rest is, and a check over everything else. The rest is the types that are named, and the
// sections.
#include <ilk/delta.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../component/registry.h"
#include "delta.h"
#include "hashes.h"
#include "shown.h"

#define VERSION 1u

#define BYTES_FOR_ONE 4096u // of memory, for one that is read

// Memory

void* ilki_differ_take(ilki_differ* d, size_t count, size_t size) {
    size_t bytes = (count + 1) * size;
    void* room = ilki_arena_take(d->arena, &d->world->storage.memory, bytes, 16);
    if (!room) d->is_short = true;
    return room ? memset(room, 0, bytes) : NULL;
}

bool ilki_patch_spend(ilki_patch* p, uint64_t bytes) {
    if (bytes > p->left) return ilki_patch_refuse(p, ILK_INVALID, "it asks for too much memory");
    p->left -= bytes;
    return true;
}

void* ilki_patch_take(ilki_patch* p, size_t count, size_t size) {
    uint64_t bytes =
        (uint64_t)count < UINT64_MAX / 2 / size ? ((uint64_t)count + 1) * size : UINT64_MAX;
    if (!ilki_patch_spend(p, bytes)) return NULL;
    void* room = bytes < SIZE_MAX / 2
                     ? ilki_arena_take(p->arena, &p->world->storage.memory, (size_t)bytes, 16)
                     : NULL;
    if (!room) ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    return room ? memset(room, 0, (count + 1) * size) : NULL;
}

bool ilki_patch_refuse(ilki_patch* p, ilk_result result, const char* format, ...) {
    if (p->result != ILK_OK) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->why, sizeof p->why, format, arguments);
    va_end(arguments);
    p->result = result;
    return false;
}

bool ilki_patch_is_well(ilki_patch* p) {
    if (p->in.is_bad) ilki_patch_refuse(p, ILK_INVALID, "it ends too early, or a number is none");
    return p->result == ILK_OK;
}

// Types

void ilki_put_any_type(ilki_differ* d, ilk_type* type) {
    ilki_memory* memory = &d->world->storage.memory;
    bool is_ready = ilki_grow(memory, ILKI_OTHER, &d->numbers, &d->id_capacity, type->id + 1,
                              sizeof *d->numbers) &&
                    ilki_grow(memory, ILKI_OTHER, &d->types, &d->type_capacity, d->type_count + 1,
                              sizeof *d->types);
    if (!is_ready) {
        d->is_short = true;
        return;
    }
    uint32_t* number = &d->numbers[type->id];
    if (!*number) {
        d->types[d->type_count++] = (ilki_sent_type){type, false};
        *number = d->type_count;
    }
    ilki_put_number(d->out, *number);
}

void ilki_put_type(ilki_differ* d, uint32_t number) {
    ilk_type* type = d->world->storage.types[number]->type;
    ilki_put_any_type(d, type);
    if (!d->is_short) d->types[d->numbers[type->id] - 1].is_component = true;
}

ilk_type* ilki_take_any_type(ilki_patch* p) {
    uint32_t number = ilki_take_small(&p->in, p->type_count);
    return number ? p->types[number - 1] : NULL;
}

ilki_directory* ilki_take_type(ilki_patch* p) {
    uint32_t number = ilki_take_small(&p->in, p->type_count);
    if (number && !p->directories[number - 1]) {
        ilki_patch_refuse(p, ILK_INVALID, "%s is of no components", p->types[number - 1]->name);
    }
    return number ? p->directories[number - 1] : NULL;
}

static void put_types(const ilki_differ* d, ilki_writer* out) {
    ilki_put_number(out, d->type_count);
    for (uint32_t i = 0; i < d->type_count; i++) {
        const ilk_type* type = d->types[i].type;
        ilki_put_string(out, type->name, strlen(type->name));
        ilki_put_number(out, d->types[i].is_component);
        ilki_put_number(out, type->size);
        ilki_put_number(out, ilki_wire_size(type));
    }
}

static bool take_one_type(ilki_patch* p, uint32_t at, const char* call) {
    uint32_t length = ilki_take_small(&p->in, UINT16_MAX);
    const unsigned char* bytes = ilki_take_bytes(&p->in, length);
    char* name = bytes ? ilki_patch_take(p, length + 1u, 1) : NULL;
    bool is_component = ilki_take_small(&p->in, 1);
    uint64_t size = ilki_take_number(&p->in), sent = ilki_take_number(&p->in);
    if (!ilki_patch_is_well(p) || !name) return false;
    memcpy(name, bytes, length);
    ilk_type* type = p->types[at] = ilki_type_find(name);
    if (!type) return ilki_patch_refuse(p, ILK_MISSING, "nobody here uses a type %.80s", name);
    if (type->size != size || ilki_wire_size(type) != sent) {
        return ilki_patch_refuse(p, ILK_CLASH, "%.80s is another type here", name);
    }
    if (!is_component) return true;
    p->directories[at] = ilki_directory_for(p->world, type, call);
    return p->directories[at] ||
           ilki_patch_refuse(p, ilki_last_result(p->world), "the world does not take %.80s", name);
}

static bool take_types(ilki_patch* p, const char* call) {
    uint64_t left = (uint64_t)(p->in.end - p->in.at);
    uint32_t count = ilki_take_small(&p->in, left < UINT32_MAX ? (uint32_t)left : UINT32_MAX);
    p->types = ilki_patch_take(p, count, sizeof *p->types);
    p->directories = ilki_patch_take(p, count, sizeof *p->directories);
    if (!p->types || !p->directories) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!take_one_type(p, i, call)) return false;
    }
    p->type_count = count;
    return true;
}

// Values

void ilki_put_value_of(ilki_differ* d, const ilk_type* type, const void* value) {
    unsigned char* room = ilki_put_room(d->out, ilki_wire_size(type));
    if (room) ilki_wire_put(type, value, room);
}

bool ilki_take_value_of(ilki_patch* p, const ilk_type* type, void* value) {
    const unsigned char* bytes = ilki_take_bytes(&p->in, ilki_wire_size(type));
    if (bytes) ilki_wire_take(type, bytes, value);
    return ilki_patch_is_well(p);
}

// The head

typedef struct delta_head {
    uint8_t tag;
    ilki_snapshot_hash from, to;
    uint64_t size, check;
} delta_head;

static bool is_nothing(ilki_snapshot_hash hash) {
    return !hash.storage && !hash.rest;
}

// As one number; 0 for nothing.
static uint64_t whole_hash(ilki_snapshot_hash hash) {
    uint64_t whole = ilki_mix_end(ilki_mix(hash.storage, hash.rest));
    return is_nothing(hash) ? 0 : whole | !whole;
}

uint64_t ilki_delta_check(const unsigned char* bytes, size_t size) {
    uint64_t hash = ilki_mix_bytes(ILKI_ROOT_2, bytes, ILKI_DELTA_CHECK);
    hash = ilki_mix_bytes(hash, bytes + ILKI_DELTA_HEAD, size - ILKI_DELTA_HEAD);
    return ilki_mix_end(ilki_mix(hash, size));
}

static uint8_t tag_of(const ilk_world* world) {
    return (uint8_t)(world->storage.view.index.tag >> ILKI_TAG_SHIFT);
}

static void write_head(unsigned char* bytes, const delta_head* head) {
    memcpy(bytes, "ilkd", 4);
    bytes[4] = VERSION;
    bytes[5] = 0;
    bytes[ILKI_DELTA_TAG] = head->tag;
    bytes[7] = 0;
    ilki_word_to(bytes + ILKI_DELTA_FROM, head->from.storage);
    ilki_word_to(bytes + ILKI_DELTA_FROM + 8, head->from.rest);
    ilki_word_to(bytes + ILKI_DELTA_TO, head->to.storage);
    ilki_word_to(bytes + ILKI_DELTA_TO + 8, head->to.rest);
    ilki_word_to(bytes + ILKI_DELTA_SIZE, head->size);
}

// NULL, or what is wrong.
static const char* read_head(const unsigned char* bytes, size_t size, delta_head* head) {
    if (!bytes || size < ILKI_DELTA_HEAD || memcmp(bytes, "ilkd", 4) != 0)
        return "its bytes are none";
    if (bytes[4] != VERSION || bytes[5]) return "it is of another version";
    *head = (delta_head){
        .tag = bytes[ILKI_DELTA_TAG],
        .from = {ilki_word_from(bytes + ILKI_DELTA_FROM),
                 ilki_word_from(bytes + ILKI_DELTA_FROM + 8)},
        .to = {ilki_word_from(bytes + ILKI_DELTA_TO), ilki_word_from(bytes + ILKI_DELTA_TO + 8)},
        .size = ilki_word_from(bytes + ILKI_DELTA_SIZE),
        .check = ilki_word_from(bytes + ILKI_DELTA_CHECK)};
    if (head->check != ilki_delta_check(bytes, size)) return "its bytes are damaged";
    if (bytes[7]) return "it says what is not known here";
    return head->size == size - ILKI_DELTA_HEAD ? NULL : "its length is wrong";
}

bool ilk_delta_look(const void* bytes, size_t size, ilk_delta_info* info) {
    delta_head head;
    if (!info || read_head(bytes, size, &head)) return false;
    *info = (ilk_delta_info){.from = whole_hash(head.from), .to = whole_hash(head.to)};
    return true;
}

// What a world keeps for the next delta that is made or applied.
typedef struct ilki_deltas {
    ilki_writer made, body, aside;
    ilki_arena arena;
} ilki_deltas;

void ilki_deltas_free(ilk_world* world) {
    ilki_deltas* deltas = world->deltas;
    if (!deltas) return;
    ilki_memory* memory = &world->storage.memory;
    ilki_writer_fini(&deltas->made);
    ilki_writer_fini(&deltas->body);
    ilki_writer_fini(&deltas->aside);
    ilki_arena_fini(&deltas->arena, memory);
    ilki_free(memory, ILKI_OTHER, deltas, sizeof *deltas, _Alignof(ilki_deltas));
    world->deltas = NULL;
}

static ilki_deltas* deltas_of(ilk_world* world) {
    ilki_memory* memory = &world->storage.memory;
    if (world->deltas) return world->deltas;
    ilki_deltas* deltas =
        ilki_alloc_zero(memory, ILKI_OTHER, sizeof *deltas, _Alignof(ilki_deltas));
    if (!deltas) return NULL;
    deltas->made.memory = deltas->body.memory = deltas->aside.memory = memory;
    return world->deltas = deltas;
}

static void put_storage(ilki_differ* d) {
    d->stirred = ilki_differ_take(d, ilki_words(d->world->storage.type_count), sizeof *d->stirred);
    if (!d->stirred) return;
    ilki_put_chunks(d);
    ilki_put_ilks(d);
    ilki_put_index(d);
    ilki_put_relations(d);
    ilki_put_names(d);
    ilki_put_resources(d);
}

static ilki_differ begin_differ(ilk_world* world, ilki_deltas* deltas, ilki_writer* out,
                                ilk_snapshot* from, ilk_snapshot* to) {
    out->used = 0;
    out->is_short = false;
    return (ilki_differ){
        .world = world, .from = from, .to = to, .out = out, .arena = &deltas->arena};
}

// False without memory for something.
static bool end_differ(ilki_differ* d) {
    ilki_memory* memory = &d->world->storage.memory;
    ilki_free(memory, ILKI_OTHER, d->numbers, d->id_capacity * sizeof *d->numbers,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, d->types, d->type_capacity * sizeof *d->types,
              _Alignof(max_align_t));
    return !d->is_short && !d->out->is_short;
}

// Hashes of what a snapshot holds

// Of flags of chunks, ilks, marks of targets, time and events, by what would be sent of them.
static bool hash_rest(ilk_world* world, ilki_deltas* deltas, ilk_snapshot* snapshot,
                      uint64_t* hash) {
    ilki_differ d = begin_differ(world, deltas, &deltas->aside, NULL, snapshot);
    d.is_for_hash = true;
    ilki_put_flags(&d);
    ilki_put_ilks(&d);
    ilki_put_marks(&d);
    ilki_put_rest(&d);
    *hash = 0;
    for (uint32_t i = 0; i < d.type_count; i++) *hash = ilki_mix_text(*hash, d.types[i].type->name);
    *hash = ilki_mix_bytes(*hash, d.out->bytes, d.out->used);
    return end_differ(&d);
}

// What would be sent of the storage to get from one snapshot to another.
static bool write_storage(ilk_world* world, ilki_deltas* deltas, ilki_writer* out,
                          ilk_snapshot* from, ilk_snapshot* to) {
    ilki_differ d = begin_differ(world, deltas, out, from, to);
    put_storage(&d);
    return end_differ(&d);
}

// Whether the storage of the world is still what a snapshot holds: whether the way to that is the
// same as the way to itself.
static bool is_present(ilk_world* world, ilki_deltas* deltas, ilk_snapshot* snapshot) {
    const ilki_writer *a = &deltas->body, *b = &deltas->aside;
    ilk_snapshot* now = ilki_take_snapshot(world);
    bool is_same = now && write_storage(world, deltas, &deltas->body, now, snapshot) &&
                   write_storage(world, deltas, &deltas->aside, now, now) && a->used == b->used &&
                   memcmp(a->bytes, b->bytes, a->used) == 0;
    if (now) ilki_snapshot_give_back(now);
    return is_same;
}

static bool hash_opened(ilk_snapshot* snapshot, uint64_t* hash) {
    ilk_world* past = ilki_snapshot_open(snapshot, "ilk_delta_make");
    bool is_shown = past && ilki_show_all(past, "ilk_delta_make") == ILK_OK;
    if (is_shown) *hash = ilki_hash_storage(past);
    ilk_world_destroy(past);
    return is_shown;
}

// The hash of a snapshot, which is kept with it. False without memory.
static bool hash_snapshot(ilki_deltas* deltas, ilk_snapshot* snapshot, bool is_now) {
    ilk_world* world = snapshot->history->world;
    ilki_snapshot_hash hash = {0};
    if (!is_nothing(snapshot->hash)) return true;
    if (is_now || is_present(world, deltas, snapshot))
        hash.storage = ilki_hash_storage(world);
    else if (!hash_opened(snapshot, &hash.storage))
        return false;
    if (!hash_rest(world, deltas, snapshot, &hash.rest)) return false;
    snapshot->hash = hash;
    return true;
}

// Making

static bool write_delta(ilki_differ* d, ilki_deltas* deltas) {
    ilki_writer* made = &deltas->made;
    if (!hash_snapshot(deltas, d->to, false)) return false;
    if (d->from && !hash_snapshot(deltas, d->from, false)) return false;
    delta_head head = {.tag = tag_of(d->world), .to = d->to->hash};
    if (d->from) head.from = d->from->hash;
    *d = begin_differ(d->world, deltas, &deltas->body, d->from, d->to);
    made->used = 0;
    made->is_short = false;
    put_storage(d);
    ilki_put_running(d);
    ilki_put_events(d);
    if (!ilki_put_room(made, ILKI_DELTA_HEAD)) return false;
    put_types(d, made);
    ilki_put_bytes(made, deltas->body.bytes, deltas->body.used);
    if (made->is_short) return false;
    head.size = made->used - ILKI_DELTA_HEAD;
    write_head(made->bytes, &head);
    ilki_word_to(made->bytes + ILKI_DELTA_CHECK, ilki_delta_check(made->bytes, made->used));
    return true;
}

// Whether a type was taken out between two snapshots, or brought back.
static const ilk_type* type_between(const ilk_snapshot* from, const ilk_snapshot* to) {
    const ilki_storage* storage = &to->history->world->storage;
    const ilki_storage_image *a = from ? &from->storage : NULL, *b = &to->storage;
    for (uint32_t i = 0; i < storage->type_count; i++) {
        uint32_t was = a && i < a->type_count ? a->outs[i] : 0;
        uint32_t is = i < b->type_count ? b->outs[i] : 0;
        if (was != is) return storage->types[i]->type;
    }
    return NULL;
}

static ilk_result may_make(ilk_snapshot* from, ilk_snapshot* to, const char* call) {
    ilk_world* world = to->history->world;
    ilk_result result = ilki_moment_for_history(world, call);
    if (result != ILK_OK) return result;
    if (from && from->history != to->history) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "the snapshots are of two worlds");
    }
    if (to->is_lost || (from && from->is_lost)) {
        return ilki_fail_because(world, ILK_STALE, call, NULL, "a snapshot was lost");
    }
    const ilk_type* type = type_between(from, to);
    if (!type) return ILK_OK;
    return ilki_fail_because(world, ILK_CLASH, call, type,
                             "between the snapshots, %s was taken out of world \"%s\", or brought "
                             "back",
                             type->name, world->name);
}

static const void* make_delta(ilki_differ* d, size_t* size, const char* call) {
    ilki_deltas* deltas = deltas_of(d->world);
    bool is_made = deltas && write_delta(d, deltas);
    if (deltas) ilki_arena_reset(&deltas->arena);
    if (d->out && !end_differ(d)) is_made = false;
    if (!is_made) {
        ilki_fail(d->world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    if (d->unfit) {
        ilki_fail_because(d->world, ILK_INVALID, call, d->unfit,
                          "values of %s own something, and cannot be sent", d->unfit->name);
        return NULL;
    }
    *size = deltas->made.used;
    return deltas->made.bytes;
}

const void* ilk_delta_make(ilk_snapshot* from, ilk_snapshot* to, size_t* size) {
    const char* call = "ilk_delta_make";
    if (size) *size = 0;
    if (!to) return NULL;
    ilk_world* world = to->history->world;
    if (!size) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "there is nowhere to note the size");
        return NULL;
    }
    if (may_make(from, to, call) != ILK_OK) return NULL;
    ilki_differ d = {.world = world, .from = from, .to = to};
    return make_delta(&d, size, call);
}

// Applying: the image

bool ilki_patch_leaf(ilki_patch* p, uint32_t sheet, uint32_t pages, size_t bytes) {
    ilki_leaf* leaf = &p->image->leaves[sheet];
    void** own = ilki_patch_take(p, pages, sizeof *own);
    if (!own) return false;
    *leaf = (ilki_leaf){pages, bytes, own};
    return true;
}

void* ilki_patch_page(ilki_patch* p, uint32_t number, uint32_t page) {
    const ilki_leaf* leaf = &p->image->leaves[number];
    if (leaf->own[page] && leaf->own[page] != ILKI_ABSENT_PAGE) return leaf->own[page];
    const ilki_sheet* sheet = &p->image->history->sheets[number];
    if (!ilki_patch_spend(p, sheet->page_bytes)) return NULL;
    void* own =
        ilki_alloc_zero(&p->world->storage.memory, ILKI_HISTORY, sheet->page_bytes, sheet->align);
    if (!own) {
        ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
        return NULL;
    }
    size_t begin = page * sheet->page_bytes, room = sheet->room(sheet->owner);
    const void* now = room > begin ? sheet->at(sheet->owner, page) : NULL;
    size_t there = room - begin < sheet->page_bytes ? room - begin : sheet->page_bytes;
    if (now && !p->is_whole) memcpy(own, now, there);
    return leaf->own[page] = own;
}

void ilki_patch_free_leaves(ilki_patch* p) {
    for (uint32_t i = 0; i < p->image->leaf_count; i++) {
        const ilki_sheet* sheet = &p->image->history->sheets[i];
        for (uint32_t page = 0; page < p->image->leaves[i].pages; page++) {
            void* own = p->image->leaves[i].own[page];
            if (!own || own == ILKI_ABSENT_PAGE) continue;
            ilki_free(&p->world->storage.memory, ILKI_HISTORY, own, sheet->page_bytes,
                      sheet->align);
        }
    }
}

ilki_chunk_image* ilki_patch_chunk_of(const ilki_patch* p, uint32_t slot) {
    ilki_record record = ilki_patch_record(p, slot);
    if (record.generation & ILKI_DEAD_BIT || ilki_is_nowhere(record.place)) return NULL;
    return &p->image->storage.chunks[ilki_chunk_of(record.place)];
}

const void* ilki_patch_value(const ilki_patch* p, const ilki_directory* directory, uint32_t slot) {
    const ilki_chunk_image* chunk = ilki_patch_chunk_of(p, slot);
    const ilki_block_image* image = chunk ? ilki_patch_block_of(chunk, directory->number) : NULL;
    if (!image) return NULL;
    const ilki_block* block = ilki_patch_block(p, chunk, image);
    uint32_t row = ilki_row_of(ilki_patch_record(p, slot).place);
    return ilki_block_has(block, row) ? ilki_value_at(directory, block, row) : NULL;
}

void* ilki_patch_edit(ilki_patch* p, const ilki_directory* directory, uint32_t slot) {
    ilki_chunk_image* chunk = ilki_patch_chunk_of(p, slot);
    ilki_block_image* image = ilki_patch_block_of(chunk, directory->number);
    if (!image->is_own) {
        const ilki_block* block = ilki_patch_block(p, chunk, image);
        ilki_block clone;
        if (!ilki_block_clone(directory, &p->world->storage.pool, block, chunk->head.rows,
                              ilki_patch_rows(p, chunk)->live, &clone)) {
            ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
            return NULL;
        }
        clone.changed = clone.touched = p->tick;
        image->entry = clone;
        image->is_own = true;
    }
    uint32_t row = ilki_row_of(ilki_patch_record(p, slot).place);
    if (directory->is_tracked) {
        ilki_ticks_of(directory, &image->entry, chunk->head.rows)[row + 1].changed = p->tick;
    }
    return ilki_value_at(directory, &image->entry, row);
}

// Everything that the world has is to stay, for a start.
static bool begin_image(ilki_patch* p) {
    ilki_storage* storage = &p->world->storage;
    ilki_history* history = storage->history;
    ilk_snapshot* image = p->image;
    image->history = history;
    image->is_of_delta = true;
    image->leaves = ilki_patch_take(p, history->sheet_count, sizeof *image->leaves);
    image->leaf_count = image->leaves ? history->sheet_count : 0;
    image->relation_count = p->world->relations.count;
    image->edges = ilki_patch_take(p, image->relation_count, sizeof *image->edges);
    image->storage.type_count = storage->type_count;
    image->storage.outs = ilki_patch_take(p, storage->type_count, sizeof *image->storage.outs);
    if (!image->leaves || !image->edges || !image->storage.outs) return false;
    for (uint32_t i = 0; i < storage->type_count; i++) {
        image->storage.outs[i] = ilki_outs_of(storage->types[i]);
    }
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        const ilki_sheet* sheet = &history->sheets[i];
        size_t bytes = sheet->bytes(sheet->owner);
        uint32_t pages = (uint32_t)((bytes + sheet->page_bytes - 1) / sheet->page_bytes);
        if (!ilki_patch_leaf(p, i, pages, bytes)) return false;
    }
    image->storage.tick = p->tick + 1; // what is written from then on is not of the delta
    image->storage.stirs = storage->stirs + 2;
    image->storage.joins = storage->joins + 1;
    image->storage.partings = storage->partings + 1;
    image->storage.marks = storage->marks + 1;
    image->storage.moves = storage->moves + 1;
    return true;
}

static bool keep_queries(ilki_patch* p) {
    ilki_cutter cutter = {0};
    ilki_queries_cut(p->world, p->image, &cutter);
    cutter = (ilki_cutter){.memory = ilki_patch_take(p, 1, cutter.used + 16)};
    if (cutter.memory) ilki_queries_cut(p->world, p->image, &cutter);
    return cutter.memory != NULL;
}

static bool read_sections(ilki_patch* p) {
    bool is_read = begin_image(p) && keep_queries(p) && ilki_take_chunks(p) && ilki_take_ilks(p) &&
                   ilki_take_index(p) && ilki_take_owned(p) && ilki_take_relations(p) &&
                   ilki_take_names(p) && ilki_take_resources(p) && ilki_take_running(p) &&
                   ilki_take_events(p);
    if (!is_read) return false;
    return p->in.at == p->in.end || ilki_patch_refuse(p, ILK_INVALID, "something follows");
}

static void end_image(ilki_patch* p) {
    if (!p->image->history) return;
    ilki_patch_free_chunks(p);
    ilki_patch_free_leaves(p);
    if (p->image->names) ilki_names_fini(&p->image->names->names, &p->world->storage.memory);
    ilki_events_release(p->world->events, &p->image->events);
}

// Applying: the whole

static ilk_result fail_apply(ilki_patch* p, const char* call) {
    if (ilki_patch_is_well(p)) ilki_patch_refuse(p, ILK_INVALID, "it says nothing of use");
    if (p->result == ILK_NO_MEMORY) {
        return ilki_fail(p->world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    return ilki_fail_because(p->world, p->result, call, NULL, "the delta: %s", p->why);
}

// What two hashes say of where the world is otherwise than a delta has it; NULL: nowhere.
static const char* difference(ilki_snapshot_hash a, ilki_snapshot_hash b) {
    if (a.storage != b.storage) return "entities, names or resources";
    return a.rest != b.rest ? "time, systems, events that wait or their readers" : NULL;
}

static ilk_result fail_promise(const ilki_patch* p, ilki_snapshot_hash hash,
                               ilki_snapshot_hash promised, const char* call) {
    return ilki_fail_because(p->world, ILK_CLASH, call, NULL,
                             "the delta: %s of world \"%s\" would not be what it promises",
                             difference(hash, promised), p->world->name);
}

// The world becomes what the image says, and must then have the hash that was promised; what of it
// can be known before is looked at before, as well as all that takes memory. (If there is none to
// go back with, the world is what the delta says, which is sound.)
static ilk_result become(ilki_patch* p, ilk_snapshot* before, ilki_snapshot_hash promised,
                         const char* call) {
    ilki_snapshot_hash hash = {.storage = promised.storage};
    if (!hash_rest(p->world, p->world->deltas, p->image, &hash.rest)) {
        return ilki_fail(p->world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    bool is_promised = !is_nothing(promised);
    if (is_promised && difference(hash, promised)) return fail_promise(p, hash, promised, call);
    ilk_result result = ilki_snapshot_restore(p->image, call);
    if (result != ILK_OK || !is_promised) return result;
    hash.storage = ilki_hash_storage(p->world);
    if (!difference(hash, promised)) return ILK_OK;
    ilki_snapshot_restore(before, call);
    return fail_promise(p, hash, promised, call);
}

// From what the world is before, of which there is a snapshot.
static ilk_result apply_from(ilki_patch* p, ilk_snapshot* before, const delta_head* head,
                             const char* call) {
    if (!hash_snapshot(p->world->deltas, before, true)) {
        return ilki_fail(p->world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    const char* what = is_nothing(head->from) ? NULL : difference(before->hash, head->from);
    if (what) {
        return ilki_fail_because(p->world, ILK_CLASH, call, NULL,
                                 "the delta: %s of world \"%s\" are not what it begins with", what,
                                 p->world->name);
    }
    ilk_snapshot image = {0};
    p->image = &image;
    p->tick = p->world->storage.view.tick + 1;
    bool is_read = read_sections(p);
    ilk_result result = is_read ? become(p, before, head->to, call) : fail_apply(p, call);
    end_image(p);
    return result;
}

// The bytes of so many values of a type of which not all is sent; 0 for others.
static uint64_t unsent_bytes(const ilk_type* type, uint32_t count) {
    bool is_sent = !type || (!type->unrecorded && ilki_wire_size(type) >= type->size);
    return is_sent ? 0 : (uint64_t)count * type->size;
}

// How much memory may be needed for a byte that is sent.
static uint64_t bytes_for_one(const ilk_world* world) {
    const ilki_storage* storage = &world->storage;
    const ilki_events* events = world->events;
    uint64_t most = BYTES_FOR_ONE;
    for (uint32_t i = 0; i < storage->type_count; i++) {
        const ilki_relation* relation = storage->types[i]->relation;
        uint64_t value = unsent_bytes(storage->types[i]->type, 1);
        uint64_t page = relation ? unsent_bytes(relation->edges.value, ILKI_PAGE_EDGES) : 0;
        if (value > most) most = value;
        if (page > most) most = page;
    }
    for (uint32_t i = 0; events && i < events->count; i++) {
        uint64_t event = unsent_bytes(events->channels[i]->type, 1);
        if (event > most) most = event;
    }
    return most;
}

// How much memory a delta may ask for.
static uint64_t budget_of(const ilk_world* world, const delta_head* head) {
    const ilki_storage* storage = &world->storage;
    const size_t* held = storage->memory.bytes;
    return (head->size + 16) * bytes_for_one(world) +
           (uint64_t)storage->view.index.slots * (256 + 128 * world->relations.count) +
           (uint64_t)storage->chunk_count * 1024 * (1 + storage->type_count) +
           2 * (uint64_t)held[ILKI_VALUES] + 2 * (uint64_t)held[ILKI_EDGES];
}

static ilk_result apply_bytes(ilk_world* world, const unsigned char* bytes, const delta_head* head,
                              const char* call) {
    ilki_deltas* deltas = deltas_of(world);
    if (!deltas) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    ilki_patch p = {.world = world,
                    .left = budget_of(world, head),
                    .in = {.at = bytes, .end = bytes + head->size},
                    .arena = &deltas->arena,
                    .is_whole = is_nothing(head->from)};
    ilk_result result = take_types(&p, call) ? ILK_OK : fail_apply(&p, call);
    if (result == ILK_OK) result = ilki_fit_to_take(world, call);
    if (result == ILK_OK) {
        ilk_snapshot* before = ilki_take_snapshot(world);
        result = before ? apply_from(&p, before, head, call)
                        : ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        if (before) ilki_snapshot_give_back(before);
        ilki_ilks_drop_tentative(&world->storage);
    }
    ilki_arena_reset(&deltas->arena);
    return result;
}

ilk_result ilk_delta_apply(ilk_world* world, const void* bytes, size_t size) {
    const char* call = "ilk_delta_apply";
    ilk_result result = ilki_moment_for_history(world, call);
    if (result != ILK_OK) return result;
    delta_head head;
    const char* wrong = read_head(bytes, size, &head);
    if (wrong) return ilki_fail_because(world, ILK_INVALID, call, NULL, "the delta: %s", wrong);
    if (head.tag != tag_of(world)) {
        return ilki_fail_because(world, ILK_CLASH, call, NULL,
                                 "the delta: it is of worlds with tag %u, and that of world \"%s\" "
                                 "is %u",
                                 head.tag, world->name, tag_of(world));
    }
    return apply_bytes(world, (const unsigned char*)bytes + ILKI_DELTA_HEAD, &head, call);
}
