// Opened snapshots are read by other threads while the world goes on.
#include <pthread.h>

#include "turmoil_support.h"

typedef struct Clock {
    uint32_t frames;
} Clock;
ILK_COMPONENT(Clock);

typedef struct Trail {
    uint32_t frame; // that of the clock
} Trail;
ILK_COMPONENT(Trail);

// Owns memory, and counts nothing, so that any thread may copy it.
typedef struct Label {
    char* text;
} Label;

static void label_init(void* value, void* context) {
    (void)context;
    ((Label*)value)->text = text_copy("label");
}

static void label_copy(void* to, const void* from, void* context) {
    (void)context;
    ((Label*)to)->text = text_copy(((const Label*)from)->text);
}

static void label_drop(void* value, void* context) {
    (void)context;
    free(((Label*)value)->text);
}
ILK_COMPONENT_WITH(Label, .hooks = {.init = label_init, .copy = label_copy, .drop = label_drop});

enum {
    READERS = 3,
    FRAMES = 60,
    HERD = 3000
};

// A snapshot on its way to a reader and back.
typedef struct parcel {
    ilk_snapshot* snapshot;
    ilk_world* view;
    uint64_t hash; // of the world when it was taken
    uint32_t frames;
    bool is_read;
    const char* fault;
} parcel;

// A origin where one parcel waits at a time.
typedef struct post {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    parcel* parcel;
    bool is_over;
} post;

static bool every_trail_is_of(ilk_world* view, uint32_t frames) {
    ilk_query* query = ilk_query_create(view, &(ilk_query_desc){.read = {&Trail_type}});
    bool agrees = query != NULL;
    ilk_iter it = ilk_query_iter(view, query);
    while (agrees && ilk_next(&it)) {
        const Trail* trail = ILK_READ(&it, Trail);
        for (uint32_t i = 0; i < it.count; i++) {
            agrees = agrees && trail[i].frame == frames;
        }
    }
    ilk_iter_end(&it);
    return agrees;
}

// Looks at everything, in an order that depends on the frame.
static const char* fault_of(const parcel* p) {
    ilk_world* view = p->view;
    char text[256];
    ilk_world_own(view);
    if (p->frames % 2 && ilk_hash(view) != p->hash) return "the hash is another one";
    const Clock* clock = ilk_resource_get(view, &Clock_type);
    if (!clock || clock->frames != p->frames) return "the clock is another one";
    if (!every_trail_is_of(view, p->frames)) return "a trail is of another frame";
    if (ilk_hash(view) != p->hash) return "the hash is another one";
    if (ilk_time_of(view).frames != p->frames) return "the time is another one";
    if (ilk_world_validate(view, text, sizeof text) != ILK_OK) return "it is not sound";
    return NULL;
}

static void* read_parcels(void* argument) {
    post* at = argument;
    pthread_mutex_lock(&at->lock);
    while (!at->is_over) {
        parcel* p = at->parcel;
        if (!p || p->is_read) {
            pthread_cond_wait(&at->changed, &at->lock);
            continue;
        }
        pthread_mutex_unlock(&at->lock);
        const char* fault = fault_of(p);
        pthread_mutex_lock(&at->lock);
        p->fault = fault;
        p->is_read = true;
        pthread_cond_signal(&at->changed);
    }
    pthread_mutex_unlock(&at->lock);
    return NULL;
}

// The parcel that came back, or NULL; waits for it, if there is one.
static parcel* fetch_parcel(post* at, bool waits) {
    pthread_mutex_lock(&at->lock);
    parcel* p = at->parcel;
    while (waits && p && !p->is_read) pthread_cond_wait(&at->changed, &at->lock);
    bool is_back = p && p->is_read;
    if (is_back) at->parcel = NULL;
    pthread_mutex_unlock(&at->lock);
    return is_back ? p : NULL;
}

static void send_parcel(post* at, parcel* p) {
    pthread_mutex_lock(&at->lock);
    at->parcel = p;
    pthread_cond_signal(&at->changed);
    pthread_mutex_unlock(&at->lock);
}

static void open_parcel(parcel* p) {
    if (p->fault) print_error("frame %u: %s\n", p->frames, p->fault);
    assert_null(p->fault);
    ilk_world_own(p->view);
    ilk_world_destroy(p->view);
    ilk_snapshot_release(p->snapshot);
    free(p);
}

static parcel* make_parcel(ilk_world* world) {
    parcel* p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->frames = ILK_RESOURCE_GET(world, Clock)->frames;
    p->hash = ilk_hash(world);
    p->snapshot = ilk_snapshot_take(world);
    p->view = ilk_snapshot_open(p->snapshot);
    assert_non_null(p->view);
    return p;
}

static void tick_clock(ilk_iter* it) {
    ILK_RESOURCE_EDIT(it->world, Clock)->frames++;
}

static void leave_trails(ilk_iter* it) {
    while (ilk_next(it)) {
        Trail* trail = ILK_WRITE(it, Trail);
        for (uint32_t i = 0; i < it->count; i++) trail[i].frame++;
    }
}

static void move_all(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += it->dt > 0 ? 1.0f : 0.0f;
    }
}

// Some go, and some come, which have the present frame.
static void come_and_go(ilk_iter* it) {
    uint32_t frames = ILK_RESOURCE_GET(it->world, Clock)->frames;
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i += 97) {
            ilk_cmd_destroy(it->cmd, it->entities[i]);
            ilk_value values[] = {ILK_VALUE(Trail, frames), ILK_WITH(Position), ILK_WITH(Label)};
            ilk_cmd_spawn(it->cmd, values, COUNT_OF(values));
        }
    }
}

static void people(ilk_world* world) {
    assert_ok(ilk_resource_set(world, ILK_WITH(Clock)));
    for (uint32_t i = 0; i < HERD; i++) {
        ilk_entity e = ILK_SPAWN(world, ILK_WITH(Trail), ILK_WITH(Position));
        if (i % 3 == 0) assert_ok(ilk_add(world, e, ILK_WITH(Label)));
        if (i % 5 == 1) assert_ok(ilk_relate(world, e, &Likes_type, ilk_entity_at(world, i / 2)));
    }
    ilk_system_desc systems[] = {
        {.name = "clock", .run = tick_clock, .order = -1, .writes_resources = {&Clock_type}},
        {.name = "trails", .run = leave_trails, .is_parallel = true, .query.write = {&Trail_type}},
        {.name = "move", .run = move_all, .is_parallel = true, .query.write = {&Position_type}},
        {.name = "come and go",
         .run = come_and_go,
         .order = 1,
         .query.read = {&Trail_type},
         .reads_resources = {&Clock_type}},
    };
    for (uint32_t i = 0; i < COUNT_OF(systems); i++) {
        assert_non_null(ilk_system_create(world, &systems[i]));
    }
}

// Between frames the world is changed by hand, too, where nothing that is compared depends on it.
static void stir(ilk_world* world, uint32_t frame) {
    for (uint32_t i = 0; i < 20; i++) {
        ilk_entity e = somebody(world);
        ilk_relate(world, e, &Likes_type, somebody(world));
        ilk_set(world, e, ILK_VALUE(Health, (int32_t)i));
        if (i % 4 == 0) ilk_set_name(world, e, i % 8 ? "one" : "other");
    }
    if (frame % 7 == 3) ilk_settle(world, 0);
    if (frame % 13 == 5) ilk_trim(world);
}

static void go_back(ilk_world* world, ilk_snapshot** kept) {
    if (*kept) assert_ok(ilk_snapshot_restore(*kept));
    ilk_snapshot_release(*kept);
    *kept = ilk_snapshot_take(world);
    assert_non_null(*kept);
}

static void run_frames(ilk_world* world, post* posts) {
    ilk_snapshot* kept = NULL;
    random_state = 11;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        assert_ok(ilk_update(world, 1.0 / 60));
        stir(world, frame);
        if (frame % 16 == 9) go_back(world, &kept);
        for (uint32_t i = 0; i < READERS; i++) {
            parcel* back = fetch_parcel(&posts[i], false);
            if (back) open_parcel(back);
            if (posts[i].parcel) continue;
            send_parcel(&posts[i], make_parcel(world));
            break;
        }
    }
    ilk_snapshot_release(kept);
}

// What observers are told before a change is found out by trying: nobody else sees that.

static ilk_result be_told(ilk_notice* notice) {
    (void)notice;
    return ILK_OK;
}

static void* count_trails(void* argument) {
    ilk_world* view = argument;
    ilk_world_own(view);
    ilk_query* query = ilk_query_create(view, &(ilk_query_desc){.read = {&Trail_type}});
    return (void*)(uintptr_t)ilk_query_count(view, query);
}

static void take_trails(ilk_world* world, uint32_t how, const ilk_entity* those) {
    if (how == 0) ilk_remove_many(world, those, HERD, &Trail_type); // (some lack it)
    for (uint32_t i = 0; how == 1 && i < HERD; i++) ilk_remove(world, those[i], &Trail_type);
    for (uint32_t i = 0; how == 2 && i < HERD; i++) ilk_remove_all(world, those[i]);
    for (uint32_t i = 0; how == 3 && i < HERD; i++) ilk_destroy(world, those[i]);
}

static void what_is_tried_is_not_seen(void** state) {
    fixture* f = *state;
    static ilk_entity those[HERD];
    for (uint32_t i = 0; i < HERD; i++) {
        those[i] = ILK_SPAWN(f->world, ILK_WITH(Trail), ILK_WITH(Position));
    }
    for (uint32_t i = 0; i < HERD; i += 64) assert_ok(ilk_remove(f->world, those[i], &Trail_type));
    uint32_t count = ilk_stats_of(f->world, &Trail_type).count;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CEASE,
                                                       .query = {.with = {&Trail_type}},
                                                       .is_many = true,
                                                       .run = be_told});
    for (uint32_t round = 0; round < 12; round++) {
        void* seen = NULL;
        pthread_t reader;
        ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
        ilk_world* view = ilk_snapshot_open(snapshot);
        assert_int_equal(pthread_create(&reader, NULL, count_trails, view), 0);
        take_trails(f->world, round % 4, those);
        pthread_join(reader, &seen);
        assert_int_equal((uintptr_t)seen, count);
        ilk_world_own(view);
        assert_valid(view);
        ilk_world_destroy(view);
        assert_ok(ilk_snapshot_restore(snapshot));
        ilk_snapshot_release(snapshot);
    }
}

static void read_while_it_runs(uint32_t workers) {
    fixture f = {.memory.left = UINT64_MAX};
    ilk_world_desc desc = fixture_desc(&f);
    desc.workers = workers;
    ilk_world* world = ilk_world_create(&desc);
    post posts[READERS];
    pthread_t readers[READERS];
    people(world);
    for (uint32_t i = 0; i < READERS; i++) {
        posts[i] = (post){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
        assert_int_equal(pthread_create(&readers[i], NULL, read_parcels, &posts[i]), 0);
    }
    run_frames(world, posts);
    for (uint32_t i = 0; i < READERS; i++) {
        parcel* back = fetch_parcel(&posts[i], true);
        if (back) open_parcel(back);
        pthread_mutex_lock(&posts[i].lock);
        posts[i].is_over = true;
        pthread_cond_signal(&posts[i].changed);
        pthread_mutex_unlock(&posts[i].lock);
        pthread_join(readers[i], NULL);
    }
    assert_int_equal(ilk_snapshot_count(world), 0);
    assert_valid(world);
    ilk_world_destroy(world);
    assert_int_equal(f.memory.bytes, 0);
    assert_false(f.memory.mismatch);
}

static void others_read_while_a_world_runs(void** state) {
    (void)state;
    for (uint32_t workers = 0; workers <= 4; workers += 2) read_while_it_runs(workers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_read_while_a_world_runs),
        WORLD_TEST(what_is_tried_is_not_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
