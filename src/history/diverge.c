// The first difference of two worlds.
//
// Entities are looked at where the hashes of chunks of the same number differ, and each is compared
// with the one of the same index in the other world, wherever that is; the lowest index that
// differs is kept. So worlds that are laid out alike are compared where they differ, and others as
// a whole. What decides what will be is compared fact by fact: the first fact that differs is found
// by halving, since no fact is remembered.
#include <ilk/hash.h>
#include <ilk/see.h>
#include <inttypes.h>

#include "../entity/handle.h"
#include "hashes.h"

typedef struct pair {
    ilki_hashing a, b;
    ilk_divergence* first;
    ilki_text a_text, b_text;
} pair;

static const ilki_storage* storage_of(const ilki_hashing* hashing) {
    return &hashing->world->storage;
}

static bool is_found(const pair* p) {
    return p->first->what != ILK_DIFFERENCE_NONE;
}

// Begins to tell of a difference.
static void find_difference(pair* p, ilk_difference what, ilk_entity e, ilk_type* type) {
    *p->first = (ilk_divergence){.what = what, .entity = e, .type = type};
    p->a_text = ilki_text_begin(p->first->a, sizeof p->first->a);
    p->b_text = ilki_text_begin(p->first->b, sizeof p->first->b);
}

static void put_both(pair* p, const char* a, const char* b) {
    ilki_text_put(&p->a_text, a);
    ilki_text_put(&p->b_text, b);
}

static void put_handle_or_nobody(ilki_text* to, const ilki_hashing* hashing, ilk_entity e) {
    if (ilk_is_null(e))
        ilki_text_put(to, "nobody");
    else
        ilki_put_handle(to, &storage_of(hashing)->view.index, e);
}

// Both as the first world shows them: so tags are shown that differ.
static void put_handles(pair* p, ilk_entity a, ilk_entity b) {
    put_handle_or_nobody(&p->a_text, &p->a, a);
    put_handle_or_nobody(&p->b_text, &p->a, b);
}

// Values.

static void put_hex(ilki_text* to, const unsigned char* bytes, size_t size) {
    ilki_text_put(to, to->length ? " (bytes" : "bytes");
    bool is_behind = to->length > 5;
    for (size_t i = 0; i < size && i < 8; i++) ilki_text_format(to, " %02x", bytes[i]);
    if (is_behind) ilki_text_put(to, ")");
}

static void find_value(pair* p, ilk_difference what, ilk_entity e, ilk_type* type,
                       const char* field, uint32_t element) {
    find_difference(p, what, e, type);
    p->first->field = field;
    p->first->element = element;
}

// One element of a field as text; and its bytes too where that does not tell them apart.
static void put_elements_of_both(pair* p, const ilk_field* element, const unsigned char* a,
                                 const unsigned char* b) {
    ilki_put_field(&p->a_text, p->a.world, element, a);
    ilki_put_field(&p->b_text, p->b.world, element, b);
    if (strcmp(p->first->a, p->first->b) != 0) return;
    put_hex(&p->a_text, a + element->offset, element->size);
    put_hex(&p->b_text, b + element->offset, element->size);
}

typedef struct value_pair {
    ilk_difference what; // if they differ
    ilk_entity entity;
    ilk_type* type;         // that is told of
    const ilk_type* valued; // of the values; the same, or what a relation carries
    const unsigned char *a, *b;
} value_pair;

static bool find_in_field(pair* p, const value_pair* v, const ilk_field* field) {
    uint32_t size, count = ilki_field_elements(field, &size);
    for (uint32_t i = 0; i < count; i++) {
        ilk_field element = *field;
        element.offset += i * size;
        element.size = size;
        if (memcmp(v->a + element.offset, v->b + element.offset, size) == 0) continue;
        find_value(p, v->what, v->entity, v->type, field->name, i);
        put_elements_of_both(p, &element, v->a, v->b);
        return true;
    }
    return false;
}

static bool find_in_fields(pair* p, const value_pair* v) {
    for (const ilk_field* f = v->valued->fields; f->name; f++) {
        if (ilki_field_counts(v->valued, f) && find_in_field(p, v, f)) return true;
    }
    return false;
}

static bool find_in_bytes(pair* p, const value_pair* v) {
    for (size_t i = 0; i < v->valued->size; i++) {
        if (v->a[i] == v->b[i]) continue;
        find_value(p, v->what, v->entity, v->type, NULL, (uint32_t)i);
        put_hex(&p->a_text, v->a + i, v->valued->size - i);
        put_hex(&p->b_text, v->b + i, v->valued->size - i);
        return true;
    }
    return false;
}

static bool find_by_hook(pair* p, const value_pair* v) {
    const ilk_hooks* hooks = &v->valued->hooks;
    uint64_t a = hooks->hash(v->a, hooks->context), b = hooks->hash(v->b, hooks->context);
    if (a == b) return false;
    find_value(p, v->what, v->entity, v->type, NULL, 0);
    ilki_text_format(&p->a_text, "hash %016" PRIx64, a);
    ilki_text_format(&p->b_text, "hash %016" PRIx64, b);
    return true;
}

static bool find_in_value(pair* p, const value_pair* v) {
    ilki_form form = ilki_shape_of(v->valued).form;
    bool has_fields = v->valued->fields && v->valued->fields[0].name;
    if (form == ILKI_FORM_NOTHING) return false;
    if (form == ILKI_FORM_HOOK) return find_by_hook(p, v);
    return has_fields ? find_in_fields(p, v) : find_in_bytes(p, v);
}

// Components.

// Where a component of an entity is in a world, if the entity has it.
typedef struct side {
    const ilki_hashing* hashing;
    const ilki_directory* directory;
    const ilki_block* block;
    uint32_t row;
    bool has;
} side;

static side side_of(const ilki_hashing* hashing, ilk_entity e, const ilk_type* type) {
    const ilki_storage* storage = storage_of(hashing);
    side s = {.hashing = hashing, .directory = ilki_directory_of(&storage->view, type)};
    uint32_t place = ilki_record_at(&storage->view.index, e.index)->place;
    s.block = ilki_block_at(s.directory, ilki_chunk_of(place));
    s.row = ilki_row_of(place);
    s.has = ilki_block_has(s.block, s.row);
    return s;
}

static const void* value_on_side(const side* s) {
    return ilki_value_at(s->directory, s->block, s->row);
}

static bool find_carried(pair* p, ilk_entity e, const side* a, const side* b, uint32_t a_edge,
                         uint32_t b_edge) {
    const ilki_edges *a_edges = &a->directory->relation->edges,
                     *b_edges = &b->directory->relation->edges;
    if (!a_edges->value) return false;
    value_pair v = {.what = ILK_DIFFERENCE_VALUE,
                    .entity = e,
                    .type = a->directory->type,
                    .valued = a_edges->value,
                    .a = ilki_edge_value(a_edges, a_edge),
                    .b = ilki_edge_value(b_edges, b_edge)};
    return find_in_value(p, &v);
}

// The target of a link that it has come to, of so many; or null.
static ilk_entity target_at(const side* s, const ilk_link* link, uint32_t at, uint32_t edge) {
    if (at >= link->count) return ILKI_NULL;
    const ilki_edge* e = ilki_edge_at(&s->directory->relation->edges, edge);
    return ilki_entity_in(storage_of(s->hashing), e->target);
}

static uint32_t edge_after(const side* s, uint32_t edge) {
    return ilki_edge_at(&s->directory->relation->edges, edge)->next_target;
}

static bool find_in_links(pair* p, ilk_entity e, const side* a, const side* b) {
    const ilk_link *a_link = value_on_side(a), *b_link = value_on_side(b);
    uint32_t a_edge = a_link->first, b_edge = b_link->first;
    for (uint32_t i = 0; i < a_link->count || i < b_link->count; i++) {
        ilk_entity a_target = target_at(a, a_link, i, a_edge);
        ilk_entity b_target = target_at(b, b_link, i, b_edge);
        if (!ilk_same(a_target, b_target)) {
            find_value(p, ILK_DIFFERENCE_TARGETS, e, a->directory->type, NULL, i);
            put_handles(p, a_target, b_target);
            return true;
        }
        if (find_carried(p, e, a, b, a_edge, b_edge)) return true;
        a_edge = edge_after(a, a_edge);
        b_edge = edge_after(b, b_edge);
    }
    return false;
}

static const char* name_in(const side* s) {
    const ilk_name* name = value_on_side(s);
    return ilki_word_at(&storage_of(s->hashing)->names->glossary, name->text)->text;
}

static bool find_in_names(pair* p, ilk_entity e, const side* a, const side* b) {
    ilk_entity a_before = ilki_named_before(storage_of(a->hashing), e.index);
    ilk_entity b_before = ilki_named_before(storage_of(b->hashing), e.index);
    bool is_same = strcmp(name_in(a), name_in(b)) == 0;
    if (is_same && ilk_same(a_before, b_before)) return false;
    find_value(p, ILK_DIFFERENCE_VALUE, e, a->directory->type, NULL, 0);
    ilki_text_quote(&p->a_text, name_in(a));
    ilki_text_quote(&p->b_text, name_in(b));
    if (!is_same) return true;
    put_both(p, " after ", " after ");
    put_handles(p, a_before, b_before);
    return true;
}

static bool find_in_plain(pair* p, ilk_entity e, const side* a, const side* b) {
    value_pair v = {.what = ILK_DIFFERENCE_VALUE,
                    .entity = e,
                    .type = a->directory->type,
                    .valued = a->directory->type,
                    .a = value_on_side(a),
                    .b = value_on_side(b)};
    return find_in_value(p, &v);
}

static bool find_in_component(pair* p, ilk_entity e, ilk_type* type) {
    side a = side_of(&p->a, e, type), b = side_of(&p->b, e, type);
    if (a.has != b.has) {
        find_difference(p, ILK_DIFFERENCE_COMPONENT, e, type);
        put_both(p, a.has ? "there" : "not there", b.has ? "there" : "not there");
        return true;
    }
    if (!a.has) return false;
    bool a_is_off = ilki_block_is_off(a.block, a.row), b_is_off = ilki_block_is_off(b.block, b.row);
    if (a_is_off != b_is_off) {
        find_difference(p, ILK_DIFFERENCE_ENABLED, e, type);
        put_both(p, a_is_off ? "switched off" : "switched on",
                 b_is_off ? "switched off" : "switched on");
        return true;
    }
    if (a.directory->relation) return find_in_links(p, e, &a, &b);
    bool is_name = a.directory == storage_of(&p->a)->name;
    return is_name ? find_in_names(p, e, &a, &b) : find_in_plain(p, e, &a, &b);
}

// Those that the first world knows, and then those that only the second one does.
static bool find_in_components(pair* p, ilk_entity e) {
    const ilki_storage *a = storage_of(&p->a), *b = storage_of(&p->b);
    for (uint32_t i = 0; i < a->type_count; i++) {
        if (find_in_component(p, e, a->types[i]->type)) return true;
    }
    for (uint32_t i = 0; i < b->type_count; i++) {
        bool is_known = ilki_directory_of(&a->view, b->types[i]->type) != &ilki_no_directory;
        if (!is_known && find_in_component(p, e, b->types[i]->type)) return true;
    }
    return false;
}

// Entities.

static ilk_entity living_in(const ilki_hashing* hashing, uint32_t slot) {
    const ilki_index* index = &storage_of(hashing)->view.index;
    if (slot >= index->slots) return ILKI_NULL;
    uint32_t generation = ilki_record_at(index, slot)->generation;
    return generation & ILKI_DEAD_BIT ? ILKI_NULL : (ilk_entity){slot, generation};
}

static void find_alive(pair* p, ilk_entity a, ilk_entity b) {
    find_difference(p, ILK_DIFFERENCE_ALIVE, ilk_is_null(a) ? b : a, NULL);
    bool is_other = !ilk_is_null(a) && !ilk_is_null(b);
    if (is_other)
        put_handles(p, a, b);
    else
        put_both(p, ilk_is_null(a) ? "not alive" : "alive", ilk_is_null(b) ? "not alive" : "alive");
}

// Compares the entities of a slot, unless what was found before has a lower one.
static void look_at(pair* p, uint32_t slot) {
    if (is_found(p) && slot >= p->first->entity.index) return;
    ilk_entity a = living_in(&p->a, slot), b = living_in(&p->b, slot);
    if (!ilk_same(a, b))
        find_alive(p, a, b);
    else
        find_in_components(p, a);
}

static const ilki_chunk* chunk_in(const ilki_hashing* hashing, uint32_t number) {
    const ilki_storage* storage = storage_of(hashing);
    return number < storage->chunk_count ? storage->chunks[number] : NULL;
}

static void look_into(pair* p, const ilki_chunk* chunk) {
    for (uint32_t word = 0; chunk && word < ilki_words(chunk->used); word++) {
        for (uint64_t rows = chunk->live[word]; rows; rows &= rows - 1) {
            look_at(p, chunk->entities[word * 64 + ilki_lowest(rows)].index);
        }
    }
}

static void look_into_both(pair* p, uint32_t number) {
    const ilki_chunk *a = chunk_in(&p->a, number), *b = chunk_in(&p->b, number);
    if (a && b && ilki_hash_chunk(&p->a, a) == ilki_hash_chunk(&p->b, b)) return;
    look_into(p, a);
    look_into(p, b);
}

static void look_at_placeless(pair* p, const ilki_hashing* hashing) {
    const ilki_index* index = &storage_of(hashing)->view.index;
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        ilk_entity e = living_in(hashing, slot);
        if (!ilk_is_null(e) && ilki_is_nowhere(ilki_record_at(index, slot)->place))
            look_at(p, slot);
    }
}

static void find_in_entities(pair* p) {
    uint32_t a = storage_of(&p->a)->chunk_count, b = storage_of(&p->b)->chunk_count;
    for (uint32_t i = 0; i < a || i < b; i++) look_into_both(p, i);
    if (ilki_hash_placeless(p->a.world) == ilki_hash_placeless(p->b.world)) return;
    look_at_placeless(p, &p->a);
    look_at_placeless(p, &p->b);
}

// The order of those who relate to the same entity. Who does is the same by now.

static ilk_entity source_by_edge(const ilki_hashing* hashing, const ilki_relation* relation,
                                 uint32_t edge) {
    return ilki_entity_in(storage_of(hashing), ilki_edge_at(&relation->edges, edge)->source);
}

static bool find_in_sources(pair* p, const ilki_relation* a, const ilki_relation* b,
                            uint32_t slot) {
    ilki_head a_head = ilki_head_of(&a->heads, slot), b_head = ilki_head_of(&b->heads, slot);
    uint32_t a_edge = a_head.first, b_edge = b_head.first;
    for (uint32_t i = 0; i < a_head.count && i < b_head.count; i++) {
        ilk_entity a_source = source_by_edge(&p->a, a, a_edge),
                   b_source = source_by_edge(&p->b, b, b_edge);
        if (!ilk_same(a_source, b_source)) {
            find_value(p, ILK_DIFFERENCE_SOURCES, living_in(&p->a, slot), a->directory->type, NULL,
                       i);
            put_handles(p, a_source, b_source);
            return true;
        }
        a_edge = ilki_edge_at(&a->edges, a_edge)->next_source;
        b_edge = ilki_edge_at(&b->edges, b_edge)->next_source;
    }
    return false;
}

static bool find_in_relation(pair* p, const ilki_relation* a) {
    const ilki_relation* b =
        ilki_directory_of(&storage_of(&p->b)->view, a->directory->type)->relation;
    if (!b || ilki_hash_orders(&p->a, a) == ilki_hash_orders(&p->b, b)) return false;
    for (uint32_t slot = 0; slot < storage_of(&p->a)->view.index.slots; slot++) {
        if (find_in_sources(p, a, b, slot)) return true;
    }
    return false;
}

static void find_in_relations(pair* p) {
    const ilki_relations* relations = &p->a.world->relations;
    for (uint32_t i = 0; i < relations->count; i++) {
        if (find_in_relation(p, relations->list[i])) return;
    }
}

// Resources, and values that are kept aside.

static const ilki_resource* resource_in(const ilk_world* world, const ilk_type* type) {
    for (uint32_t i = 0; i < world->resources.count; i++) {
        if (world->resources.list[i].type == type) return &world->resources.list[i];
    }
    return NULL;
}

static bool find_in_resource(pair* p, ilk_type* type) {
    const ilki_resource* a = resource_in(p->a.world, type);
    const ilki_resource* b = resource_in(p->b.world, type);
    if (!a || !b) {
        find_difference(p, ILK_DIFFERENCE_RESOURCE, ILKI_NULL, type);
        put_both(p, a ? "there" : "not there", b ? "there" : "not there");
        return true;
    }
    value_pair v = {.what = ILK_DIFFERENCE_RESOURCE,
                    .type = type,
                    .valued = type,
                    .a = a->value,
                    .b = b->value};
    return find_in_value(p, &v);
}

static void find_in_resources(pair* p) {
    const ilki_resources *a = &p->a.world->resources, *b = &p->b.world->resources;
    for (uint32_t i = 0; i < a->count; i++) {
        if (find_in_resource(p, a->list[i].type)) return;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        if (find_in_resource(p, b->list[i].type)) return;
    }
}

static bool is_same_aside(const ilki_aside* a, const ilki_aside* b) {
    ilki_shape shape = ilki_shape_of(a->directory->type);
    return a->directory->type == b->directory->type && ilk_same(a->entity, b->entity) &&
           a->is_off == b->is_off &&
           ilki_mix_value(&shape, 0, a->value) == ilki_mix_value(&shape, 0, b->value);
}

// What differs in two values that are kept aside at the same place; either may be none.
static void find_in_asides(pair* p, const ilki_aside* a, const ilki_aside* b) {
    const ilki_aside* aside = a->directory ? a : b;
    ilk_type* type = aside->directory->type;
    bool are_of_one = a->directory && b->directory && a->directory->type == b->directory->type &&
                      ilk_same(a->entity, b->entity);
    if (are_of_one && a->is_off == b->is_off) {
        value_pair v = {ILK_DIFFERENCE_KEPT, aside->entity, type, type, a->value, b->value};
        find_in_value(p, &v);
        return;
    }
    find_difference(p, ILK_DIFFERENCE_KEPT, aside->entity, type);
    if (are_of_one)
        put_both(p, a->is_off ? "off" : "on", b->is_off ? "off" : "on");
    else if (a->directory && b->directory)
        put_both(p, "there", "elsewhere, or not there");
    else
        put_both(p, a->directory ? "there" : "not there", b->directory ? "there" : "not there");
}

// They are in the order in which they were taken out.
static void find_in_kept(pair* p) {
    bool is_in_a = true, is_in_b = true;
    if (ilki_hash_kept(p->a.world) == ilki_hash_kept(p->b.world)) return;
    for (uint32_t i = 0, k = 0; is_in_a || is_in_b; i++, k++) {
        ilki_aside a = {0}, b = {0};
        is_in_a = ilki_next_kept(p->a.world, &i, &a);
        is_in_b = ilki_next_kept(p->b.world, &k, &b);
        if (is_in_a == is_in_b && (!is_in_a || is_same_aside(&a, &b))) continue;
        if (!is_in_a) a = (ilki_aside){0};
        if (!is_in_b) b = (ilki_aside){0};
        find_in_asides(p, &a, &b);
        return;
    }
}

// The layout.

typedef struct fact_search {
    uint64_t left; // facts that are to be looked at
    uint64_t hash;
    uint64_t count; // of those that were
    ilki_fact last;
} fact_search;

static void take_fact(void* context, const ilki_fact* fact) {
    fact_search* s = context;
    if (s->count == s->left) return;
    s->count++;
    s->hash = ilki_mix_text(ilki_mix(ilki_mix(s->hash, fact->at), fact->value), fact->what);
    s->last = *fact;
}

// The first facts of a world: the last of them, and the hash of all.
static fact_search facts_of(const ilki_hashing* hashing, uint64_t count) {
    fact_search s = {.left = count};
    ilki_layout_tell(hashing, take_fact, &s);
    return s;
}

// How many facts are the same.
static uint64_t count_same(const pair* p) {
    uint64_t a = facts_of(&p->a, UINT64_MAX).count, b = facts_of(&p->b, UINT64_MAX).count;
    uint64_t same = 0, differs = (a > b ? a : b) + 1;
    while (differs - same > 1) {
        uint64_t middle = same + (differs - same) / 2;
        if (facts_of(&p->a, middle).hash == facts_of(&p->b, middle).hash)
            same = middle;
        else
            differs = middle;
    }
    return same;
}

static void put_fact(ilki_text* to, const ilki_fact* fact) {
    ilki_text_put(to, fact->what);
    if (fact->at != ILKI_NOT_ONE) ilki_text_format(to, " %" PRIu64, fact->at);
    if (fact->name) ilki_text_format(to, " of %s", fact->name);
}

static void put_fact_value(ilki_text* to, const fact_search* s, uint64_t at) {
    if (s->count < at)
        ilki_text_put(to, "not there");
    else if (s->last.is_digest)
        ilki_text_format(to, "hash %016" PRIx64, s->last.value);
    else
        ilki_text_format(to, "%" PRIu64, s->last.value);
}

static ilk_entity entity_in_row(const ilki_chunk* chunk, uint32_t row) {
    bool is_there = row < chunk->used && ilki_bit(chunk->live, row);
    return is_there ? chunk->entities[row] : ILKI_NULL;
}

// Which row of a chunk it is that has another entity.
static void find_in_rows(pair* p, uint32_t number, ilki_text* subject) {
    const ilki_chunk *a = chunk_in(&p->a, number), *b = chunk_in(&p->b, number);
    for (uint32_t row = 0; row < a->used || row < b->used; row++) {
        ilk_entity a_entity = entity_in_row(a, row), b_entity = entity_in_row(b, row);
        if (ilk_same(a_entity, b_entity)) continue;
        p->first->entity = ilk_is_null(a_entity) ? b_entity : a_entity;
        put_handles(p, a_entity, b_entity);
        ilki_text_format(subject, "row %" PRIu32 " of chunk %" PRIu32, row, number);
        return;
    }
}

static bool is_same_kind(const ilki_fact* a, const ilki_fact* b) {
    return strcmp(a->what, b->what) == 0 && a->at == b->at;
}

static void find_in_layout(pair* p, ilki_text* subject) {
    uint64_t at = count_same(p) + 1;
    fact_search a = facts_of(&p->a, at), b = facts_of(&p->b, at);
    const ilki_fact* fact = a.count < at ? &b.last : &a.last;
    if (a.count < at && b.count < at) return; // nothing differs
    find_difference(p, ILK_DIFFERENCE_LAYOUT, ILKI_NULL, NULL);
    bool is_in_both = a.count == at && b.count == at, is_kin = is_same_kind(&a.last, &b.last);
    if (is_in_both && is_kin && strcmp(fact->what, ILKI_COLUMN_FACT) == 0) {
        find_in_rows(p, (uint32_t)fact->at, subject);
        return;
    }
    put_fact(subject, fact);
    put_fact_value(&p->a_text, &a, at);
    if (is_in_both && !is_kin)
        ilki_text_put(&p->b_text, "not there");
    else
        put_fact_value(&p->b_text, &b, at);
}

// The sentence.

static void put_differing(ilki_text* to, const ilk_divergence* first) {
    const ilk_field* field = first->field ? first->type->fields : NULL;
    bool is_many = first->element != 0;
    while (field && field->name && strcmp(field->name, first->field) != 0) field++;
    if (field && field->name)
        is_many |= field->kind != ILK_KIND_BYTES && ilk_field_length(field) > 1;
    ilki_text_put(to, first->type->name);
    if (first->field) ilki_text_format(to, ".%s", first->field);
    if (is_many) ilki_text_format(to, "[%" PRIu32 "]", first->element);
}

static void put_subject(ilki_text* to, const pair* p) {
    const ilk_divergence* first = p->first;
    const ilk_world* world = ilk_alive(p->a.world, first->entity) ? p->a.world : p->b.world;
    if (first->what == ILK_DIFFERENCE_RESOURCE) ilki_text_put(to, "resource ");
    if (!ilk_is_null(first->entity)) {
        ilki_text_put(to, "entity ");
        ilki_put_entity(to, world, first->entity);
    }
    if (!first->type) return;
    if (!ilk_is_null(first->entity)) ilki_text_put(to, " ");
    put_differing(to, first);
    if (first->what == ILK_DIFFERENCE_SOURCES) ilki_text_put(to, " from others");
    if (first->what == ILK_DIFFERENCE_KEPT) ilki_text_put(to, ", kept aside,");
}

static void put_sentence(const pair* p, const char* subject) {
    ilk_divergence* first = p->first;
    ilki_text to = ilki_text_begin(first->text, sizeof first->text);
    ilki_text_format(&to, "%s is %s in world ", subject, first->a);
    ilki_text_quote(&to, p->a.world->name);
    ilki_text_format(&to, ", and %s in world ", first->b);
    ilki_text_quote(&to, p->b.world->name);
}

static void put_agreement(const pair* p) {
    ilki_text to = ilki_text_begin(p->first->text, sizeof p->first->text);
    ilki_text_put(&to, "world ");
    ilki_text_quote(&to, p->a.world->name);
    ilki_text_put(&to, " and world ");
    ilki_text_quote(&to, p->b.world->name);
    ilki_text_put(&to, " do not differ");
}

static void find_in_state(pair* p) {
    static void (*const parts[])(pair*) = {find_in_entities, find_in_relations, find_in_resources,
                                           find_in_kept};
    if (ilki_hash_state(&p->a) == ilki_hash_state(&p->b)) return;
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts && !is_found(p); i++) parts[i](p);
}

ilk_result ilk_diverge(const ilk_world* a, const ilk_world* b, ilk_divergence* first) {
    if (!a || !b || !first) return ILK_INVALID;
    ilk_result result = ilki_show_all(a, "ilk_diverge");
    if (result == ILK_OK) result = ilki_show_all(b, "ilk_diverge");
    if (result != ILK_OK) return result;
    char text[256];
    ilki_text subject = ilki_text_begin(text, sizeof text);
    pair p = {.a = ilki_hashing_begin(a), .b = ilki_hashing_begin(b), .first = first};
    *first = (ilk_divergence){0};
    find_in_state(&p);
    if (is_found(&p))
        put_subject(&subject, &p);
    else if (ilki_hash_layout(&p.a) != ilki_hash_layout(&p.b))
        find_in_layout(&p, &subject);
    if (is_found(&p))
        put_sentence(&p, text);
    else
        put_agreement(&p);
    return ILK_OK;
}

static void put_entity_in(ilki_text* to, const ilk_world* world, ilk_entity e) {
    size_t room;
    ilki_text_put(to, "\n    in world ");
    ilki_text_quote(to, world->name);
    ilki_text_put(to, ": ");
    char* rest = ilki_text_rest(to, &room);
    to->length += ilk_entity_text(world, e, rest, room);
}

size_t ilk_diverge_text(const ilk_world* a, const ilk_world* b, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    ilk_divergence first;
    if (ilk_diverge(a, b, &first) != ILK_OK) return 0;
    ilki_text_put(&to, first.text);
    if (ilk_is_null(first.entity)) return to.length;
    put_entity_in(&to, a, first.entity);
    put_entity_in(&to, b, first.entity);
    return to.length;
}
