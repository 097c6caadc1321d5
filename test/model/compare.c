// Comparing everything: each slot of a world with each slot of its model, every component, every
// table of types, the counters, the tokens, and the library's own check of its invariants.
#include "naming.h"
#include "run.h"

static void compare_place(run* r, run_side* s, model_component* c, const void* value) {
    const char* type = catalog_models()[c->type].name;
    RUN_CHECK(r, (uintptr_t)value % catalog_align(c->type) == 0, "a %s is not aligned", type);
    if (c->place && c->epoch == s->epoch)
        RUN_CHECK(r, c->place == value, "a %s moved, but nothing settled", type);
    c->place = value;
    c->epoch = s->epoch;
}

void run_compare_value(run* r, run_side* s, ilk_entity e, model_component* c, const void* value) {
    const model_type* type = &catalog_models()[c->type];
    if (!value) {
        run_fail(r, "%s: {%u, %u} has no %s", s->name, e.index, e.generation, type->name);
        return;
    }
    if (type->size == 0) return;
    compare_place(r, s, c, value);
    if (type->is_name) {
        run_compare_names(r, s, e);
        return;
    }
    RUN_CHECK(r, catalog_same(c->type, value, c->bytes), "%s: the %s of {%u, %u} differs", s->name,
              type->name, e.index, e.generation);
}

static void compare_component(run* r, run_side* s, ilk_entity e, uint32_t type) {
    ilk_type* variable = catalog_variable(type, false);
    model_component* c = model_find(s->model, e, type);
    const char* name = catalog_models()[type].name;
    if (!c) {
        RUN_CHECK(r, !ilk_has(s->world, e, variable), "%s: {%u, %u} has a %s", s->name, e.index,
                  e.generation, name);
        return;
    }
    ilk_result result;
    run_compare_value(r, s, e, c, ilk_get(s->world, e, variable, &result));
    RUN_CHECK(r, result == ILK_OK, "%s: get gave %s", s->name, ilk_result_name(result));
    RUN_CHECK(r, ilk_has(s->world, e, variable), "%s: {%u, %u} has no %s", s->name, e.index,
              e.generation, name);
    RUN_CHECK(r, ilk_enabled(s->world, e, variable) == !c->off, "%s: the %s of {%u, %u} is %s",
              s->name, name, e.index, e.generation, c->off ? "on" : "off");
}

static void compare_lists(run* r, run_side* s, ilk_entity e) {
    uint32_t types[128];
    ilk_type* found[128];
    char expected[128], text[128];
    uint32_t count = model_types_of(s->model, e, types);
    uint32_t given = ilk_types_of(s->world, e, found, 128);
    RUN_CHECK(r, given == count, "%s: {%u, %u} has %u types, not %u", s->name, e.index,
              e.generation, given, count);
    for (uint32_t i = 0; i < count && i < given; i++)
        RUN_CHECK(r, strcmp(found[i]->name, catalog_models()[types[i]].name) == 0,
                  "%s: the types of {%u, %u} differ", s->name, e.index, e.generation);
    uint32_t length = model_signature(s->model, e, expected);
    size_t whole = ilk_signature(s->world, e, text, sizeof text);
    RUN_CHECK(r, whole == length && strcmp(text, expected) == 0,
              "%s: the signature of {%u, %u} is %s, not %s", s->name, e.index, e.generation, text,
              expected);
}

// In a world of many types, a part of the absent ones is asked for.
static void compare_components(run* r, run_side* s, ilk_entity e, uint32_t counts[]) {
    const model_world* m = s->model;
    uint32_t stride = m->known_count > 24 ? m->known_count / 8 : 1;
    for (uint32_t i = 0; i < m->known_count; i++) {
        bool there = model_find(m, e, m->known[i]) != NULL;
        counts[i] += there;
        if (there || (i + e.index) % stride == 0) compare_component(r, s, e, m->known[i]);
    }
}

void run_compare_life(run* r, const run_side* s, ilk_entity e) {
    bool is_dying = model_is_dying(s->model, e);
    bool is_active = model_alive(s->model, e) && !is_dying && !model_is_inactive(s->model, e);
    RUN_CHECK(r, ilk_dying(s->world, e) == is_dying, "%s: {%u, %u} is %sdying", s->name, e.index,
              e.generation, is_dying ? "not " : "");
    RUN_CHECK(r, ilk_active(s->world, e) == is_active, "%s: {%u, %u} is %sactive", s->name, e.index,
              e.generation, is_active ? "in" : "");
}

static void compare_slots(run* r, run_side* s, uint32_t counts[]) {
    const model_world* m = s->model;
    for (uint32_t i = 0; i < m->slot_count + 2 && !r->outcome->failed; i++) {
        ilk_entity e = model_entity_at(m, i);
        ilk_entity found = ilk_entity_at(s->world, i);
        RUN_CHECK(r, ilk_same(e, found) || (ilk_is_null(e) && ilk_is_null(found)),
                  "%s: at index %u is {%u, %u}, not {%u, %u}", s->name, i, found.index,
                  found.generation, e.index, e.generation);
        if (ilk_is_null(e) && i < m->slot_count) e = model_handle(m, i);
        bool alive = model_alive(m, e);
        RUN_CHECK(r, ilk_alive(s->world, e) == alive, "%s: {%u, %u} is %s", s->name, e.index,
                  e.generation, alive ? "dead" : "alive");
        run_compare_life(r, s, e);
        run_compare_names(r, s, e);
        if (!alive) continue;
        compare_components(r, s, e, counts);
        compare_lists(r, s, e);
    }
}

static void compare_types(run* r, run_side* s, const uint32_t counts[]) {
    const model_world* m = s->model;
    uint32_t count = ilk_type_count(s->world);
    RUN_CHECK(r, count == m->known_count, "%s: knows %u types, not %u", s->name, count,
              m->known_count);
    for (uint32_t i = 0; i < m->known_count; i++) {
        ilk_type* variable = catalog_variable(m->known[i], i % 2 == 0);
        const char* name = catalog_models()[m->known[i]].name;
        ilk_type* at = ilk_type_at(s->world, i);
        RUN_CHECK(r, ilk_type_number(s->world, variable) == i, "%s: %s is not number %u", s->name,
                  name, i);
        RUN_CHECK(r, at && strcmp(at->name, name) == 0, "%s: number %u is not %s", s->name, i,
                  name);
        uint32_t have = ilk_stats_of(s->world, variable).count;
        RUN_CHECK(r, have == counts[i], "%s: %u entities have a %s, not %u", s->name, have, name,
                  counts[i]);
    }
}

static void compare_stats(run* r, run_side* s) {
    const model_world* m = s->model;
    ilk_world_stats stats = ilk_stats(s->world);
    RUN_CHECK(r, stats.alive == m->alive, "%s: %u are alive, not %u", s->name, stats.alive,
              m->alive);
    RUN_CHECK(r, stats.ever == m->ever, "%s: %llu were created, not %llu", s->name,
              (unsigned long long)stats.ever, (unsigned long long)m->ever);
    bool are_slots_right =
        m->is_loose ? stats.slots >= m->slot_count : stats.slots == m->slot_count;
    RUN_CHECK(r, are_slots_right, "%s: %u slots, not %u", s->name, stats.slots, m->slot_count);
    RUN_CHECK(r, stats.retired == m->retired, "%s: %u slots are retired, not %u", s->name,
              stats.retired, m->retired);
    RUN_CHECK(r, stats.relations == m->edge_count, "%s: %u relations, not %u", s->name,
              stats.relations, m->edge_count);
    size_t sum = stats.bytes_values + stats.bytes_entities + stats.bytes_records +
                 stats.bytes_directories + stats.bytes_relations + stats.bytes_other +
                 stats.bytes_history + stats.bytes_spare;
    RUN_CHECK(r, stats.bytes == sum, "%s: %zu bytes are not the sum, %zu", s->name, stats.bytes,
              sum);
    RUN_CHECK(r, stats.bytes == s->memory.bytes, "%s: holds %zu bytes, but says %zu", s->name,
              s->memory.bytes, stats.bytes);
    run_note(r, (uint64_t)stats.chunks << 32 | stats.rows);
    run_note(r, (uint64_t)stats.blocks << 32 | stats.guests);
    run_note(r, (uint64_t)stats.holes << 32 | stats.exceptions);
}

// What is told of the last failure is the same as when it happened.
static void compare_error(run* r, run_side* s) {
    if (s->messages == 0 || s->is_error_open) return;
    ilk_message error = ilk_error(s->world);
    RUN_CHECK(r, error.result == s->told && strcmp(error.text, s->told_text) == 0,
              "%s: the last failure was \"%s\", and is \"%s\" now", s->name, s->told_text,
              error.text);
}

static void compare_queries(run* r, run_side* s) {
    uint32_t count;
    for (uint32_t i = 0; i < RUN_QUERIES && !r->outcome->failed; i++)
        if (s->looking.queries[i].query) run_collect(r, s, i, &count);
}

// Whoever is found by each name.
static void compare_names(run* r, const run_side* s) {
    for (uint32_t name = 1; name <= NAMING_COUNT; name++) {
        ilk_entity found = ilk_named(s->world, naming_text(name));
        ilk_entity wanted = model_named(s->model, name);
        RUN_CHECK(r, found.generation == wanted.generation && found.index == wanted.index,
                  "%s: %s is {%u, %u}, not {%u, %u}", s->name, naming_text(name), found.index,
                  found.generation, wanted.index, wanted.generation);
    }
}

static void compare_side(run* r, run_side* s) {
    uint32_t counts[128] = {0};
    char text[400] = "";
    ilk_result result = ilk_world_validate(s->world, text, sizeof text);
    RUN_CHECK(r, result == ILK_OK, "%s: %s: %s", s->name, ilk_result_name(result), text);
    compare_slots(r, s, counts);
    run_compare_relations(r, s);
    compare_names(r, s);
    compare_types(r, s, counts);
    compare_stats(r, s);
    compare_error(r, s);
    compare_queries(r, s);
    run_compare_events(r, s);
    run_compare_resources(r, s);
    RUN_CHECK(r, s->messages == s->expected, "%s: a message for nothing: %s", s->name,
              s->told_text);
}

// Puts other places of resources, or none, in the place of those that were seen.
static void exchange_places(const model_world* m, const void* places[]) {
    for (uint32_t i = 0; i < catalog_sound(); i++) {
        model_resource* resource = model_resource_find(m, i);
        const void* place = places[i];
        if (!resource) continue;
        places[i] = resource->place;
        resource->place = place;
    }
}

// A world that shows what the model is, while the side's own may be anything. Its values lie
// elsewhere.
void run_compare_view(run* r, run_side* s, ilk_world* view) {
    uint32_t counts[128] = {0};
    const void* places[128] = {0};
    char text[400] = "";
    ilk_world* world = s->world;
    exchange_places(s->model, places);
    s->world = view;
    s->epoch++;
    tokens_begin();
    compare_slots(r, s, counts);
    run_compare_relations(r, s);
    compare_names(r, s);
    compare_types(r, s, counts);
    run_compare_resources(r, s);
    ilk_result result = ilk_world_validate(view, text, sizeof text);
    RUN_CHECK(r, result == ILK_OK, "%s, opened: %s: %s", s->name, ilk_result_name(result), text);
    s->world = world;
    s->epoch++;
    exchange_places(s->model, places);
}

// Each token of a value is seen once, and there are as many as values that own something: so none
// is lost and none is shared.
void run_compare(run* r) {
    bool trace = r->options.trace;
    r->options.trace = false;
    tokens_begin();
    for (int i = 0; i < 2; i++) compare_side(r, &r->sides[i]);
    run_compare_blueprints(r);
    r->options.trace = trace;
    r->since = 0;
}
