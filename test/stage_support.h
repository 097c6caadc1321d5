// What the tests of want of memory share: a world with a bit of everything, memory that is refused
// as planned, and everything that can be asked of the world as one text.
#ifndef ILK_TEST_STAGE_SUPPORT_H
#define ILK_TEST_STAGE_SUPPORT_H

#include "query_support.h"

// What owns something, and is so large that its blocks do not fit into what is there.
typedef struct Hoard {
    Owned owned;
    char bytes[4088];
} Hoard;
ILK_COMPONENT_WITH(Hoard, .hooks = OWNED_HOOKS);

// What stays when its entity is destroyed.
typedef struct Lease {
    uint32_t until;
} Lease;
ILK_COMPONENT_WITH(Lease, .outlives = true);

// Relations: one whose source stays when its target goes, with a value; and the hierarchy.
ILK_RELATION_WITH(Owes, .value = &Owned_type);

// Memory that refuses one request, or all from one on.
typedef struct plan {
    meter memory;
    uint64_t asked;   // requests since it was made
    uint64_t fail_at; // 0: none is refused
    bool is_forever;
    uint64_t refused;
} plan;

static inline void* planned_alloc(void* context, size_t size, size_t align) {
    plan* p = context;
    p->asked++;
    bool is_due = p->is_forever ? p->asked >= p->fail_at : p->asked == p->fail_at;
    if (p->fail_at && is_due) {
        p->refused++;
        return NULL;
    }
    return meter_alloc(&p->memory, size, align);
}

static inline void planned_free(void* context, void* memory, size_t size, size_t align) {
    meter_free(&((plan*)context)->memory, memory, size, align);
}

enum {
    CROWDED = 20,   // entities beside the few that are spoken of
    MANY = 20,      // types: more than a query has room for without memory
    SUMMARY = 60000 // characters
};

// A world with a bit of everything, as far as a scenario asks for it.
typedef struct stage {
    ilk_world* world;
    plan plan;
    recorder told;
    ilk_entity e[4]; // with Position, Velocity and Owned; with Position; empty; dead
    ilk_entity crowd[CROWDED];
    ilk_query *moving, *ordered, *broad, *writing;
    ilk_batch batch;
    ilk_cmd* cmd;
    ilk_system* system;
    ilk_world* other;
    ilk_blueprint *blueprint, *base;
    ilk_reader* reader;
    ilk_subscription* subscription;
    ilk_observer* observer;
    ilk_snapshot* snapshot;
    ilk_ring* ring;
    ilk_replay* replay;
    char noted[2000]; // what observers were told
    bool has_run;     // the system has
    bool has_lost;    // it could not record what it wanted to
} stage;

static ilk_type many[MANY];

static inline void name_many(void) {
    static char names[MANY][8];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof(names[i]), "m%u", (unsigned)i);
        many[i] = (ilk_type){.name = names[i], .size = 4};
    }
}

static inline ilk_world_desc stage_desc(stage* s) {
    return (ilk_world_desc){
        .name = "stage",
        .allocator = {planned_alloc, planned_free, &s->plan},
        .message = record,
        .message_context = &s->told,
    };
}

// What a call that returns no result came to.
static inline ilk_result outcome(const stage* s) {
    return s->told.count ? s->told.last.result : ILK_OK;
}

// Settings

static inline void prepare_entities(stage* s) {
    Owned owned = {text_copy("kept")};
    s->e[0] = ILK_SPAWN(s->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Velocity, 3, 4),
                        ILK_VALUE_AT(Owned, &owned));
    s->e[1] = ILK_SPAWN(s->world, ILK_VALUE(Position, 5, 6));
    s->e[2] = ilk_create(s->world);
    s->e[3] = ilk_create(s->world);
    for (uint32_t i = 0; i < CROWDED; i++) {
        s->crowd[i] = ILK_SPAWN(s->world, ILK_VALUE(Position, (float)i, 0));
    }
    assert_ok(ilk_destroy(s->world, s->e[3]));
}

// Something outlives two of them, in different chunks.
static inline void prepare_leases(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_add(s->world, s->e[0], ILK_VALUE(Lease, 8)));
    assert_ok(ilk_add(s->world, s->crowd[CROWDED - 1], ILK_VALUE(Lease, 9)));
}

// Who relates to whom: the first has two children, the second of which has one; all of them owe the
// empty one.
static inline void prepare_relations(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_set_parent(s->world, s->crowd[0], s->e[0]));
    assert_ok(ilk_set_parent(s->world, s->crowd[1], s->e[0]));
    assert_ok(ilk_set_parent(s->world, s->crowd[2], s->crowd[1]));
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(ilk_relate(s->world, s->crowd[i], &Owes_type, s->e[2]));
    }
    assert_ok(ilk_relate(s->world, s->crowd[0], &Owes_type, s->e[1]));
}

// So many have names and ids that there is no room for one more; some share a name.
static inline void prepare_names(stage* s) {
    prepare_entities(s);
    for (uint32_t i = 0; i < 8; i++) {
        assert_ok(ilk_set_name(s->world, s->crowd[i], (char[]){(char)('a' + i), 0}));
        assert_ok(ilk_set_id(s->world, s->crowd[i], (ilk_id){0, i + 1}));
    }
    for (uint32_t i = 8; i < 16; i++) assert_ok(ilk_set_name(s->world, s->crowd[i], "a"));
}

static inline int by_x(const void* a, const void* b) {
    float x = ((const Position*)a)->x, y = ((const Position*)b)->x;
    return (x < y) - (x > y);
}

static inline ilk_query_desc broad_desc(ilk_term* terms) {
    for (uint32_t i = 0; i < MANY; i++) terms[i] = (ilk_term){ILK_ACCESS_READ, &many[i]};
    terms[MANY] = (ilk_term){0};
    return (ilk_query_desc){.terms = terms};
}

static inline void prepare_queries(stage* s) {
    prepare_entities(s);
    ilk_term terms[MANY + 1];
    ilk_query_desc desc = broad_desc(terms);
    s->moving = QUERY(s->world, .read = {&Position_type}, .maybe = {&Velocity_type});
    s->ordered = QUERY(s->world, .order_by = &Position_type, .compare = by_x);
    s->broad = query_of(s->world, desc);
    s->writing = QUERY(s->world, .write = {&Position_type});
}

static inline void prepare_buffer(stage* s) {
    prepare_entities(s);
    s->cmd = ilk_cmd_take(s->world);
    assert_non_null(s->cmd);
}

static inline void record_some(stage* s, ilk_cmd* cmd) {
    ilk_result first = ilk_cmd_set(cmd, s->e[1], ILK_VALUE(Anchor, 7));
    ilk_entity made = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Health, 5), ILK_WITH(Enemy)));
    ilk_result last = ilk_cmd_destroy(cmd, s->crowd[3]);
    s->has_lost = first != ILK_OK || ilk_is_null(made) || last != ILK_OK;
}

static inline void prepare_commands(stage* s) {
    prepare_buffer(s);
    record_some(s, s->cmd);
    assert_false(s->has_lost);
}

static inline void run_once(ilk_iter* it) {
    stage* s = it->user;
    while (ilk_next(it)) {
    }
    if (!s->has_run) record_some(s, it->cmd);
    s->has_run = true;
}

static inline ilk_system_desc system_desc(stage* s, const char* phase) {
    return (ilk_system_desc){.name = "first",
                             .run = run_once,
                             .phase = phase,
                             .user = s,
                             .query = {.write = {&Position_type}}};
}

static inline void make_first(stage* s, const char* phase) {
    prepare_entities(s);
    ilk_system_desc desc = system_desc(s, phase);
    s->system = ilk_system_create(s->world, &desc);
    assert_non_null(s->system);
}

static inline void prepare_system(stage* s) {
    make_first(s, "update");
}

// The two scenes are known, and one is on the stack.
static inline void prepare_scenes(stage* s) {
    prepare_buffer(s);
    static const char* const names[] = {"menu", "game"};
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        assert_ok(
            ilk_scene_add(s->world, &(ilk_scene_desc){.name = names[i], .owns = &Enemy_type}));
    }
    assert_ok(ilk_scene_push(s->world, "menu"));
}

static inline ilk_allocator stage_allocator(stage* s) {
    return (ilk_allocator){planned_alloc, planned_free, &s->plan};
}

// A blueprint with a value, one of its base, and a child; and one that is registered.
static inline void prepare_blueprint(stage* s) {
    prepare_buffer(s);
    ilk_allocator allocator = stage_allocator(s);
    Owned owned = {text_copy("base")};
    s->blueprint = ilk_blueprint_create(&allocator);
    s->base = ilk_blueprint_create(&allocator);
    assert_ok(ilk_blueprint_add(s->blueprint, ILK_VALUE(Position, 3, 4)));
    assert_ok(ilk_blueprint_add(s->base, ILK_VALUE_AT(Owned, &owned)));
    assert_ok(ilk_blueprint_extend(s->blueprint, s->base));
    ilk_blueprint* child = ilk_blueprint_create(&allocator);
    assert_ok(ilk_blueprint_add(child, ILK_VALUE(Anchor, 6)));
    assert_ok(ilk_blueprint_add_child(s->blueprint, child));
    ilk_blueprint* known = ilk_blueprint_create(&allocator);
    assert_ok(ilk_blueprint_add(known, ILK_VALUE(Health, 8)));
    assert_ok(ilk_blueprint_register(s->world, "known", known));
}

// And a second world.
static inline void prepare_journey(stage* s) {
    prepare_relations(s);
    ilk_world_desc desc = stage_desc(s);
    s->other = ilk_world_create(&desc);
    assert_non_null(s->other);
}

// Somebody reads the events of a type, another one subscribes to those of every type.
static inline void prepare_reader(stage* s) {
    prepare_buffer(s);
    s->reader = ilk_reader_create(s->world, &(ilk_reader_desc){.type = &Anchor_type});
    assert_non_null(s->reader);
}

static inline ilk_result hear_nothing(ilk_world* world, const ilk_event* event, void* user) {
    (void)world, (void)event, (void)user;
    return ILK_OK;
}

static inline void prepare_subscription(stage* s) {
    prepare_reader(s);
    s->subscription = ilk_subscribe(s->world, &(ilk_subscription_desc){.call = hear_nothing});
    assert_non_null(s->subscription);
}

// So many events of a type that somebody reads.
static inline void prepare_events(stage* s, uint32_t count) {
    prepare_reader(s);
    for (uint32_t i = 0; i < count; i++) assert_ok(ILK_EMIT(s->world, Anchor, i));
}

// A snapshot of a bit of everything, of which much has changed since.
static inline void prepare_snapshot(stage* s) {
    prepare_events(s, 200);
    assert_non_null(ilk_resource_ensure(s->world, &Owned_type));
    s->snapshot = ilk_snapshot_take(s->world);
    assert_non_null(s->snapshot);
    ILK_RESOURCE_EDIT(s->world, Owned)->text[0] = 'F';
    ilk_event_clear(s->world);
    assert_ok(ilk_destroy_many(s->world, s->crowd, CROWDED / 2));
    assert_ok(ilk_set(s->world, s->e[0], ILK_VALUE(Position, 8, 8)));
    assert_ok(ilk_add(s->world, s->e[1], ILK_WITH(Owned)));
    ilk_trim(s->world);
}

// A ring that has come to frame 2.
static inline void prepare_ring(stage* s) {
    prepare_events(s, 200);
    s->ring = ilk_ring_create(s->world, NULL);
    assert_non_null(s->ring);
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(ilk_set(s->world, s->e[0], ILK_VALUE(Position, (float)i, 8)));
        assert_ok(ilk_destroy(s->world, s->crowd[i]));
        assert_ok(ilk_ring_push(s->ring));
    }
}

// A frame that needs no memory: an entity moves, and one of the crowd goes.
static inline void play_frame(ilk_world* world, const void* input, size_t size, void* context) {
    const stage* s = context;
    uint32_t who = 0;
    if (size) memcpy(&who, input, sizeof who);
    ILK_EDIT(world, s->e[0], Position)->x += 1;
    if (ilk_alive(world, s->crowd[who])) assert_ok(ilk_destroy(world, s->crowd[who]));
}

// A replay that has come to frame 3. Every second frame is kept.
static inline void prepare_replay(stage* s) {
    prepare_events(s, 200);
    ilk_replay_desc desc = {.play = play_frame, .context = s, .keep.every = 2};
    s->replay = ilk_replay_create(s->world, &desc);
    assert_non_null(s->replay);
    for (uint32_t i = 0; i < 3; i++) assert_ok(ilk_replay_record(s->replay, &i, sizeof i));
}

// The same as before, and another snapshot since.
static inline void prepare_snapshots(stage* s) {
    prepare_snapshot(s);
    assert_non_null(ilk_snapshot_take(s->world));
    assert_ok(ilk_destroy(s->world, s->e[1]));
    assert_ok(ilk_set(s->world, s->e[0], ILK_VALUE(Position, 9, 9)));
}

// Observers of everything, and of who has a position. Who is created is given something.

static inline ilk_result note_told(ilk_notice* n) {
    stage* s = n->user;
    size_t length = strlen(s->noted);
    snprintf(s->noted + length, sizeof(s->noted) - length, "%d %u+%u %s; ", (int)n->on,
             n->entity.index, n->count, n->type ? n->type->name : "");
    return ILK_OK;
}

static inline void observe_all(stage* s) {
    const uint32_t anything = ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD | ILK_ON_SET |
                              ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE;
    ilk_observer_desc desc = {.name = "all", .on = anything, .run = note_told, .user = s};
    s->observer = ilk_observer_create(s->world, &desc);
    desc = (ilk_observer_desc){.on = ILK_ON_MATCH | ILK_ON_CEASE,
                               .query = {.where = "Position | Hoard"},
                               .run = note_told,
                               .user = s,
                               .is_many = true};
    assert_non_null(ilk_observer_create(s->world, &desc));
    assert_non_null(s->observer);
}

static inline void prepare_observed(stage* s) {
    assert_ok(ilk_register(s->world, &Position_type));
    assert_ok(ilk_register(s->world, &Hoard_type));
    prepare_entities(s);
    observe_all(s);
}

// Everything that can be asked of a world, as text

typedef struct summary {
    char text[SUMMARY];
    size_t length;
} summary;

__attribute__((format(printf, 2, 3))) static inline void tell(summary* t, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t->text + t->length, SUMMARY - t->length, format, arguments);
    va_end(arguments);
    t->length += (size_t)length;
    assert_true(t->length < SUMMARY);
}

static inline void tell_value(summary* t, const ilk_type* type, const void* value) {
    bool is_own = ilk_same_type(type, &ilk_name_type) || ilk_same_type(type, &ilk_id_type);
    if (type->hooks.drop && !is_own) {
        tell(t, "=%s", ((const Owned*)value)->text);
        return;
    }
    for (size_t i = 0; i < type->size; i++) tell(t, "%02x", ((const unsigned char*)value)[i]);
}

static inline void tell_targets(summary* t, const ilk_world* world, ilk_entity e, ilk_type* type) {
    ilk_entity targets[CROWDED];
    uint32_t count = ilk_targets(world, e, type, targets, CROWDED);
    for (uint32_t i = 0; i < count; i++) {
        const Owned* owned = ilk_relation_get(world, e, type, targets[i]);
        tell(t, ">%u of %u %s", targets[i].index, ilk_source_count(world, targets[i], type),
             owned ? owned->text : "");
    }
}

static inline void tell_entity(summary* t, const ilk_world* world, ilk_entity e) {
    ilk_type* types[64];
    uint32_t count = ilk_types_of(world, e, types, COUNT_OF(types));
    tell(t, "%u:%u", e.index, e.generation);
    for (uint32_t i = 0; i < count; i++) {
        tell(t, " %s%s ", types[i]->name, ilk_enabled(world, e, types[i]) ? "" : "(off)");
        if (types[i]->relation)
            tell_targets(t, world, e, types[i]);
        else
            tell_value(t, types[i], ilk_get(world, e, types[i], NULL));
    }
    const char* name = ilk_name_of(world, e);
    if (name) tell(t, " \"%s\", first %u", name, ilk_named(world, name).index);
    tell(t, "\n");
}

static inline void tell_query(summary* t, const stage* s, const char* name, ilk_query* query) {
    if (query) tell(t, "%s matches %u\n", name, ilk_query_count(s->world, query));
}

static inline void tell_systems(summary* t, const stage* s) {
    for (uint32_t i = 0; i < ilk_system_count(s->world); i++) {
        const ilk_system* system = ilk_system_at(s->world, i);
        tell(t, "system %s, order %d, calls %llu\n", ilk_system_desc_of(system)->name,
             ilk_system_desc_of(system)->order,
             (unsigned long long)ilk_system_stats_of(system).calls);
    }
    ilk_time time = ilk_time_of(s->world);
    tell(t, "frame %llu, %s\n", (unsigned long long)time.frames,
         time.is_paused ? "paused" : "goes");
    for (uint32_t i = 0; i < ilk_scene_depth(s->world); i++) {
        tell(t, "scene %s\n", ilk_scene_at(s->world, i));
    }
    const char* const scenes[] = {"menu", "game", "score"};
    for (uint32_t i = 0; i < COUNT_OF(scenes); i++) {
        tell(t, "%s: %s\n", scenes[i],
             ilk_scene_desc_of(s->world, scenes[i]) ? "known" : "unknown");
    }
}

static inline void tell_blueprint(summary* t, const ilk_blueprint* b) {
    ilk_type* types[64];
    uint32_t count = ilk_blueprint_types(b, types, COUNT_OF(types));
    tell(t, "blueprint");
    for (uint32_t i = 0; i < count; i++) {
        tell(t, " %s ", types[i]->name);
        tell_value(t, types[i], ilk_blueprint_get(b, types[i]));
    }
    for (b = ilk_blueprint_first_child(b); b; b = ilk_blueprint_next_child(b)) {
        tell(t, " (");
        tell_blueprint(t, b);
        tell(t, ")");
    }
}

static inline void tell_events(summary* t, const stage* s) {
    ilk_type* types[] = {&Anchor_type, &Owned_type};
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        ilk_event_stats e = ilk_event_stats_of(s->world, types[i]);
        tell(t,
             "events %s: emitted %llu, dropped %llu, kept %llu, readers %u, subscribers %u, %u\n",
             types[i]->name, (unsigned long long)e.emitted, (unsigned long long)e.dropped,
             (unsigned long long)e.kept, e.readers, e.subscribers, e.limit);
    }
    tell(t, "lost %llu\n", (unsigned long long)ilk_reader_lost(s->reader));
}

static inline void tell_resources(summary* t, const stage* s) {
    const Health* health = ILK_RESOURCE_GET(s->world, Health);
    const Owned* owned = ILK_RESOURCE_GET(s->world, Owned);
    if (health) tell(t, "resource Health %d\n", health->points);
    if (owned) tell(t, "resource Owned %s\n", owned->text);
    for (uint32_t i = 0; i < MANY; i++) {
        if (ilk_resource_has(s->world, &many[i])) tell(t, "resource %s\n", many[i].name);
    }
    for (uint32_t i = 0; i < ilk_plugin_count(s->world); i++) {
        tell(t, "plugin %s\n", ilk_plugin_at(s->world, i));
    }
}

static inline void summarize(summary* t, const stage* s) {
    t->length = 0;
    ilk_world_stats stats = ilk_stats(s->world);
    tell(t, "alive %u, ever %llu, slots %u, retired %u, empty %u\n", stats.alive,
         (unsigned long long)stats.ever, stats.slots, stats.retired, stats.empty);
    for (uint32_t i = 0; i < stats.slots; i++) {
        ilk_entity e = ilk_entity_at(s->world, i);
        if (!ilk_is_null(e)) tell_entity(t, s->world, e);
    }
    tell_query(t, s, "moving", s->moving);
    tell_query(t, s, "ordered", s->ordered);
    tell_query(t, s, "broad", s->broad);
    tell_systems(t, s);
    tell_events(t, s);
    tell_resources(t, s);
    tell(t, "commands %u\n", ilk_cmd_count(s->cmd));
    tell_blueprint(t, s->blueprint);
    if (s->other) {
        const uint32_t slots = ilk_stats(s->other).slots;
        for (uint32_t i = 0; i < slots; i++) {
            ilk_entity e = ilk_entity_at(s->other, i);
            if (!ilk_is_null(e)) tell_entity(t, s->other, e);
        }
    }
    tell(t, "observers %u, told %s\n", ilk_observer_count(s->world), s->noted);
}

// Stages

typedef void prepare_fn(stage* s);
typedef ilk_result act_fn(stage* s);

static inline stage* open_stage(prepare_fn* prepare) {
    stage* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->plan.memory.left = UINT64_MAX;
    ilk_world_desc desc = stage_desc(s);
    s->world = ilk_world_create(&desc);
    assert_non_null(s->world);
    name_many();
    prepare(s);
    assert_int_equal(s->told.count, 0);
    return s;
}

static inline void close_stage(stage* s) {
    assert_valid(s->world);
    ilk_world_destroy(s->other);
    ilk_blueprint_destroy(s->blueprint);
    ilk_blueprint_destroy(s->base);
    ilk_world_destroy(s->world);
    assert_int_equal(s->plan.memory.bytes, 0);
    assert_false(s->plan.memory.mismatch);
    free(s);
}

#endif
