// Replays: recorded inputs, and the frames that come of them again and again.
#include <pthread.h>

#include <ilk/replay.h>

#include "film_support.h"
#include "world/world.h"

// What a player does in a frame.
typedef struct act {
    uint8_t verb;
    uint8_t amount;
} act;

// What a frame depends on beside its input, so that tests can make it another.
typedef struct mishap {
    uint32_t at; // the frame in which something else happens; 0: none
    uint32_t calls;
    meter* starved; // has nothing while a frame is played; or NULL
} mishap;

static void play(ilk_world* world, const void* input, size_t size, void* context) {
    mishap* m = context;
    const act* a = input;
    assert_int_equal(size % sizeof *a, 0);
    if (m) m->calls++;
    if (m && m->at == ilk_time_of(world).frames + 1) ilk_create(world);
    for (size_t i = 0; i < size / sizeof *a; i++) {
        ilk_entity e = ilk_entity_at(world, a[i].amount % (ilk_stats(world).slots + 1));
        if (a[i].verb % 4 == 0) ILK_SPAWN(world, ILK_VALUE(Position, (float)a[i].amount, 0));
        if (ilk_is_null(e)) continue;
        if (a[i].verb % 4 == 1) ilk_set(world, e, ILK_VALUE(Health, a[i].amount));
        if (a[i].verb % 4 == 2) ilk_destroy(world, e);
        if (a[i].verb % 4 == 3) ilk_set(world, e, ILK_WITH(Velocity));
    }
    if (m && m->starved) m->starved->left = 0;
    assert_ok(ilk_update(world, 1.0 / 60));
    if (m && m->starved) m->starved->left = UINT64_MAX;
}

static void drift(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += 0.5f;
    }
}

static void add_drift(ilk_world* world) {
    assert_non_null(ilk_system_create(
        world,
        &(ilk_system_desc){.name = "drift", .run = drift, .query = {.write = {&Position_type}}}));
}

static ilk_replay* make_replay(ilk_world* world, ilk_replay_desc desc) {
    add_drift(world);
    desc.play = play;
    ilk_replay* replay = ilk_replay_create(world, &desc);
    assert_non_null(replay);
    return replay;
}

static void record_frames(ilk_replay* replay, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        act acts[5];
        uint32_t many = chance(6);
        for (uint32_t k = 0; k < many; k++) {
            acts[k] = (act){(uint8_t)chance(256), (uint8_t)chance(256)};
        }
        assert_ok(ilk_replay_record(replay, many ? acts : NULL, many * sizeof acts[0]));
    }
}

enum {
    FRAMES = 60
};

// The pictures of all frames, by playing them with a snapshot of each.
typedef struct album {
    picture pictures[FRAMES + 1];
} album;

static void record_album(ilk_world* world, ilk_replay* replay, album* a) {
    a->pictures[0] = paint_world(world);
    for (uint32_t i = 1; i <= FRAMES; i++) {
        record_frames(replay, 1);
        a->pictures[i] = paint_world(world);
    }
}

static void free_album(album* a) {
    for (uint32_t i = 0; i <= FRAMES; i++) free(a->pictures[i].text);
}

static void assert_at(ilk_world* world, ilk_replay* replay, uint32_t frame, uint64_t hash) {
    assert_int_equal(ilk_replay_stats_of(replay).frame, frame);
    assert_int_equal(ilk_hash_layout(world), hash);
    assert_valid(world);
}

// Every frame is gone to from every other one, whatever is kept.
static void visit_frames(ilk_world* world, ilk_replay_desc desc) {
    uint64_t hashes[FRAMES + 1];
    random_state = 7;
    ilk_replay* replay = make_replay(world, desc);
    hashes[0] = ilk_hash_layout(world);
    for (uint32_t i = 1; i <= FRAMES; i++) {
        record_frames(replay, 1);
        hashes[i] = ilk_hash_layout(world);
    }
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t frame = chance(FRAMES + 1);
        assert_ok(ilk_replay_go(replay, frame));
        assert_at(world, replay, frame, hashes[frame]);
        assert_int_equal(ilk_replay_stats_of(replay).last, FRAMES);
    }
    ilk_replay_destroy(replay);
    assert_int_equal(ilk_snapshot_count(world), 0);
}

static void any_frame_is_gone_to(void** state) {
    visit_frames(((fixture*)*state)->world, (ilk_replay_desc){0});
}

static void few_frames_are_kept(void** state) {
    visit_frames(((fixture*)*state)->world, (ilk_replay_desc){.keep = {.frames = 3, .every = 7}});
}

static void few_frames_are_hashed(void** state) {
    visit_frames(((fixture*)*state)->world,
                 (ilk_replay_desc){.keep = {.frames = 100, .every = 10}, .hash_every = 8});
}

static void little_memory_is_used(void** state) {
    visit_frames(((fixture*)*state)->world, (ilk_replay_desc){.keep = {.most = 1}});
}

// A frame comes to be, when it is played again, all that it was: ticks, free lists, places.
static void a_frame_is_the_same_bit_for_bit(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    static album a;
    random_state = 11;
    ilk_replay* replay = make_replay(world, (ilk_replay_desc){.keep = {.every = 1}});
    record_album(world, replay, &a);
    for (uint32_t frame = FRAMES; frame > 0; frame -= 5) {
        assert_ok(ilk_replay_go(replay, frame));
        assert_same_picture(copy_of(a.pictures[frame]), paint_world(world));
    }
    free_album(&a);
}

static void what_is_recorded_after_going_back_takes_its_place(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    random_state = 3;
    ilk_replay* replay = make_replay(world, (ilk_replay_desc){.keep = {.every = 4}});
    record_frames(replay, 50);
    uint64_t before = ilk_replay_hash(replay, 20), after = ilk_replay_hash(replay, 21);
    assert_ok(ilk_replay_go(replay, 20));
    assert_int_equal(ilk_replay_stats_of(replay).last, 50);
    assert_ok(ilk_replay_record(replay, &(act){0, 1}, sizeof(act)));
    assert_int_equal(ilk_replay_stats_of(replay).last, 21);
    assert_int_equal(ilk_replay_hash(replay, 20), before);
    assert_int_not_equal(ilk_replay_hash(replay, 21), after);
    assert_int_equal(ilk_replay_go(replay, 22), ILK_MISSING);
    assert_string_equal(ilk_error(world).text,
                        "ilk_replay_go: frame 22 is not recorded: the last is 21");
    size_t size = 0;
    const act* last = ilk_replay_input(replay, 21, &size);
    assert_int_equal(size, sizeof *last);
    assert_int_equal(last->amount, 1);
    record_frames(replay, 30);
    assert_ok(ilk_replay_verify(replay, 0, 51));
}

static void all_is_verified(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    mishap m = {0};
    random_state = 5;
    ilk_replay* replay = make_replay(world, (ilk_replay_desc){.context = &m});
    record_frames(replay, 40);
    m.calls = 0;
    assert_ok(ilk_replay_verify(replay, 0, 40));
    assert_int_equal(m.calls, 40);
    assert_int_equal(ilk_replay_stats_of(replay).frame, 40);
    assert_ok(ilk_replay_verify(replay, 10, 20));
    assert_int_equal(m.calls, 50);
    assert_int_equal(ilk_replay_stats_of(replay).frame, 20);
    assert_int_equal(ilk_replay_verify(replay, 20, 10), ILK_INVALID);
    assert_int_equal(ilk_replay_verify(replay, 20, 41), ILK_MISSING);
    assert_int_equal(ilk_replay_stats_of(replay).frame, 20);
}

// A frame that depends on something else than its input is found, and named.
static void what_is_not_the_same_is_found(void** state) {
    fixture* f = *state;
    mishap m = {0};
    random_state = 5;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){.context = &m});
    record_frames(replay, 40);
    m = (mishap){.at = 13};
    assert_int_equal(ilk_replay_verify(replay, 0, 40), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_replay_verify");
    assert_string_equal(f->told.text,
                        "ilk_replay_verify: frame 13 is not what it was when it was recorded");
    ilk_replay_stats stats = ilk_replay_stats_of(replay);
    assert_int_equal(stats.frame, 13);
    assert_true(stats.is_astray);
    assert_int_equal(ilk_replay_record(replay, NULL, 0), ILK_STALE);
    assert_told(f, ILK_STALE, "ilk_replay_record");
    assert_int_equal(ilk_replay_stats_of(replay).last, 40);
    assert_ok(ilk_replay_go(replay, 13));
    assert_false(ilk_replay_stats_of(replay).is_astray);
    m.at = 0;
    assert_ok(ilk_replay_verify(replay, 0, 40));
    assert_quiet(f);
}

// Where one frame in eight is hashed, it is found there.
static void it_is_found_in_the_next_that_was_hashed(void** state) {
    fixture* f = *state;
    mishap m = {0};
    random_state = 5;
    ilk_replay_desc desc = {.context = &m, .hash_every = 8};
    ilk_replay* replay = make_replay(f->world, desc);
    record_frames(replay, 40);
    m = (mishap){.at = 13};
    assert_int_equal(ilk_replay_verify(replay, 0, 40), ILK_CLASH);
    assert_int_equal(ilk_replay_stats_of(replay).frame, 16);
}

// What is changed between frames is not recorded, and so it is missed.
static void what_is_done_between_frames_is_noticed(void** state) {
    fixture* f = *state;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){0});
    record_frames(replay, 4);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_replay_go(replay, 4));
    assert_false(ilk_alive(f->world, e));
    e = ilk_create(f->world);
    record_frames(replay, 4);
    assert_true(ilk_alive(f->world, e));
    assert_int_equal(ilk_replay_verify(replay, 2, 8), ILK_CLASH);
    assert_int_equal(ilk_replay_stats_of(replay).frame, 5);
}

// A loop that was left open would change where those who are created come to lie.
static void a_frame_begins_without_loops(void** state) {
    fixture* f = *state;
    random_state = 31;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){.keep.every = 100});
    record_frames(replay, 10);
    ilk_query* all = ilk_query_create(f->world, &(ilk_query_desc){.read = {&Position_type}});
    ilk_iter it = ilk_query_iter(f->world, all);
    record_frames(replay, 10);
    assert_false(ilk_next(&it));
    assert_ok(ilk_replay_verify(replay, 0, 20));
}

// Two worlds.

typedef struct pair {
    ilk_world* worlds[2];
    ilk_replay* replays[2];
    mishap mishaps[2];
} pair;

// Two runs with the same inputs, the second of which goes another way in one frame.
static void record_pair(fixture* f, pair* p, uint32_t frames, uint32_t odd, uint32_t hash_every) {
    *p = (pair){.worlds = {second_world(f, 0), second_world(f, 0)}, .mishaps[1].at = odd};
    for (uint32_t i = 0; i < 2; i++) {
        random_state = 21;
        ilk_replay_desc desc = {.context = &p->mishaps[i], .hash_every = hash_every};
        desc.keep.every = 6;
        p->replays[i] = make_replay(p->worlds[i], desc);
        record_frames(p->replays[i], frames + 3 * i);
    }
}

static void free_pair(pair* p) {
    for (uint32_t i = 0; i < 2; i++) ilk_world_destroy(p->worlds[i]);
}

static void assert_diverges(fixture* f, uint32_t odd, uint32_t hash_every) {
    pair p;
    uint64_t frame = 0;
    ilk_divergence first;
    record_pair(f, &p, 40, odd, hash_every);
    assert_ok(ilk_replay_diverge(p.replays[0], p.replays[1], &frame, &first));
    assert_int_equal(frame, odd ? odd : 40);
    assert_int_equal(first.what != ILK_DIFFERENCE_NONE, odd != 0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(ilk_replay_stats_of(p.replays[i]).frame, frame);
        assert_valid(p.worlds[i]);
    }
    free_pair(&p);
}

static void the_first_difference_is_found(void** state) {
    for (uint32_t odd = 0; odd <= 40; odd += 3) assert_diverges(*state, odd, 1);
    for (uint32_t odd = 0; odd <= 40; odd++) assert_diverges(*state, odd, 7);
}

static void worlds_that_begin_differently_differ_at_once(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    ilk_create(other);
    ilk_replay* a = make_replay(f->world, (ilk_replay_desc){0});
    ilk_replay* b = make_replay(other, (ilk_replay_desc){0});
    record_frames(a, 3);
    record_frames(b, 3);
    uint64_t frame = 9;
    ilk_divergence first;
    assert_ok(ilk_replay_diverge(a, b, &frame, &first));
    assert_int_equal(frame, 0);
    assert_int_equal(first.what, ILK_DIFFERENCE_ALIVE);
    ilk_world_destroy(other);
}

static void what_cannot_be_compared_is_refused(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    ilk_replay* a = make_replay(f->world, (ilk_replay_desc){0});
    ilk_replay* same = ilk_replay_create(f->world, &(ilk_replay_desc){.play = play});
    ilk_replay* b = make_replay(other, (ilk_replay_desc){.hash_every = 2});
    uint64_t frame;
    ilk_divergence first;
    assert_int_equal(ilk_replay_diverge(a, same, &frame, &first), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_replay_diverge");
    assert_int_equal(ilk_replay_diverge(a, b, &frame, &first), ILK_INVALID);
    assert_string_equal(f->told.text, "ilk_replay_diverge: one frame in 1 is hashed, and in the "
                                      "other recording one in 2");
    assert_int_equal(ilk_replay_diverge(a, NULL, &frame, &first), ILK_INVALID);
    assert_int_equal(ilk_replay_diverge(NULL, b, &frame, &first), ILK_INVALID);
    assert_int_equal(ilk_replay_diverge(a, b, NULL, &first), ILK_INVALID);
    assert_int_equal(ilk_replay_diverge(a, b, &frame, NULL), ILK_INVALID);
    ilk_world_destroy(other);
}

// Once hashes differ they always do, although the worlds may become the same again.
static void hashes_never_meet_again(void** state) {
    fixture* f = *state;
    pair p;
    record_pair(f, &p, 40, 17, 1);
    for (uint32_t frame = 0; frame <= 40; frame++) {
        uint64_t a = ilk_replay_hash(p.replays[0], frame), b = ilk_replay_hash(p.replays[1], frame);
        assert_true((a == b) == (frame < 17));
    }
    assert_int_equal(ilk_replay_hash(p.replays[0], 41), 0);
    free_pair(&p);
}

// Bytes.

static void* saved(const ilk_replay* replay, size_t* size) {
    *size = ilk_replay_save(replay, NULL, 0);
    unsigned char* bytes = malloc(*size);
    assert_non_null(bytes);
    bytes[0] = 'x';
    assert_int_equal(ilk_replay_save(replay, bytes, *size - 1), *size);
    assert_int_equal(bytes[0], 'x');
    assert_int_equal(ilk_replay_save(replay, bytes, *size), *size);
    return bytes;
}

static void a_recording_is_played_in_another_world(void** state) {
    fixture* f = *state;
    random_state = 9;
    ilk_replay* replay =
        make_replay(f->world, (ilk_replay_desc){.keep = {.every = 10}, .hash_every = 2});
    record_frames(replay, 50);
    size_t size;
    void* bytes = saved(replay, &size);
    uint64_t end = ilk_hash_layout(f->world);

    ilk_world* other = second_world(f, 0);
    ilk_replay* again = make_replay(other, (ilk_replay_desc){.keep = {.every = 10}});
    record_frames(again, 12);
    assert_ok(ilk_replay_load(again, bytes, size));
    assert_int_equal(ilk_replay_stats_of(again).frame, 0);
    assert_int_equal(ilk_replay_stats_of(again).last, 50);
    assert_ok(ilk_replay_verify(again, 0, 50));
    assert_int_equal(ilk_hash_layout(other), end);
    assert_true(ilk_replay_stats_of(again).kept >= 5);
    assert_ok(ilk_replay_go(again, 31));
    record_frames(again, 4);
    assert_ok(ilk_replay_verify(again, 0, 35));
    ilk_world_destroy(other);
    free(bytes);
}

static void a_recording_of_another_world_is_refused(void** state) {
    fixture* f = *state;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){0});
    record_frames(replay, 5);
    size_t size;
    unsigned char* bytes = saved(replay, &size);
    ilk_world* other = second_world(f, 0);
    ilk_create(other);
    ilk_replay* again = make_replay(other, (ilk_replay_desc){0});
    record_frames(again, 2);
    uint64_t hash = ilk_hash_layout(other);
    assert_int_equal(ilk_replay_load(again, bytes, size), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_replay_load");
    bytes[size / 2] ^= 4;
    assert_int_equal(ilk_replay_load(again, bytes, size), ILK_INVALID);
    assert_string_equal(f->told.text, "ilk_replay_load: the bytes are not those of a recording: "
                                      "their checksum is wrong");
    assert_int_equal(ilk_replay_load(again, NULL, size), ILK_INVALID);
    assert_int_equal(ilk_replay_load(NULL, bytes, size), ILK_INVALID);
    assert_at(other, again, 2, hash);
    ilk_world_destroy(other);
    free(bytes);
}

// Places and moments.

typedef struct intruder {
    ilk_replay* replay;
    ilk_result results[5];
} intruder;

static void intrude(ilk_world* world, const void* input, size_t size, void* context) {
    (void)input;
    (void)size;
    intruder* i = context;
    uint64_t frame;
    ilk_divergence first;
    i->results[0] = ilk_replay_record(i->replay, NULL, 0);
    i->results[1] = ilk_replay_go(i->replay, 0);
    i->results[2] = ilk_replay_verify(i->replay, 0, 0);
    i->results[3] = ilk_replay_load(i->replay, NULL, 0);
    i->results[4] = ilk_replay_diverge(i->replay, i->replay, &frame, &first);
    ilk_replay_destroy(i->replay);
    ilk_world_destroy(world);
    ilk_create(world);
}

static void a_frame_does_not_replay(void** state) {
    fixture* f = *state;
    intruder i = {0};
    i.replay = ilk_replay_create(f->world, &(ilk_replay_desc){.play = intrude, .context = &i});
    assert_ok(ilk_replay_record(i.replay, NULL, 0));
    for (uint32_t k = 0; k < COUNT_OF(i.results); k++) assert_int_equal(i.results[k], ILK_LOCKED);
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_int_equal(ilk_replay_stats_of(i.replay).frame, 1);
}

static void replay_inside(ilk_iter* it) {
    ilk_replay* replay = it->user;
    assert_int_equal(ilk_replay_record(replay, NULL, 0), ILK_LOCKED);
    assert_int_equal(ilk_replay_go(replay, 0), ILK_LOCKED);
    assert_int_equal(ilk_replay_verify(replay, 0, 0), ILK_LOCKED);
    assert_int_equal(ilk_replay_load(replay, NULL, 0), ILK_LOCKED);
    assert_null(ilk_replay_create(it->world, &(ilk_replay_desc){.play = play}));
    ilk_replay_destroy(replay);
    assert_int_equal(ilk_replay_stats_of(replay).last, 0);
}

static void a_system_does_not_replay(void** state) {
    fixture* f = *state;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){0});
    ilk_system_desc desc = {.name = "inside", .run = replay_inside, .user = replay};
    assert_non_null(ilk_system_create(f->world, &desc));
    assert_ok(ilk_update(f->world, 1));
    ilk_system_destroy(ilk_system_named(f->world, "inside"));
}

// What would be lost by going back keeps a frame from being recorded.
static void commands_that_wait_are_no_input(void** state) {
    fixture* f = *state;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){.keep = {.every = 100}});
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_cmd_create(cmd);
    uint32_t alive = ilk_stats(f->world).alive;
    assert_int_equal(ilk_replay_record(replay, NULL, 0), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_replay_record");
    assert_int_equal(ilk_replay_stats_of(replay).last, 0);
    assert_int_equal(ilk_stats(f->world).alive, alive);
    ilk_cmd_apply(cmd);
    ilk_cmd_give_back(cmd);
    record_frames(replay, 1);
}

// Whichever way it goes, back or on.
static void commands_that_wait_are_dropped_on_the_way(void** state) {
    fixture* f = *state;
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){.keep = {.every = 100}});
    record_frames(replay, 20);
    for (uint64_t to = 4; to <= 20; to += 8) {
        assert_ok(ilk_replay_go(replay, 8));
        ilk_cmd* cmd = ilk_cmd_take(f->world);
        ilk_cmd_create(cmd);
        assert_ok(ilk_replay_go(replay, to));
        assert_int_equal(ilk_cmd_count(cmd), 0);
        ilk_cmd_give_back(cmd);
    }
}

typedef struct Sole {
    int32_t number;
} Sole;

static void drop_nothing(void* value, void* context) {
    (void)value, (void)context;
}
ILK_COMPONENT_WITH(Sole, .hooks = {.drop = drop_nothing});

// Nor is a frame played that could not be gone back to.
static void what_cannot_be_copied_ends_a_recording(void** state) {
    fixture* f = *state;
    mishap m = {0};
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){.context = &m, .keep.every = 9});
    record_frames(replay, 3);
    ILK_SPAWN(f->world, ILK_VALUE(Sole, 1));
    assert_int_equal(ilk_replay_record(replay, NULL, 0), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_replay_record");
    assert_int_equal(m.calls, 3);
    assert_int_equal(ilk_replay_stats_of(replay).last, 3);
    assert_ok(ilk_replay_go(replay, 3));
    record_frames(replay, 1);
    assert_ok(ilk_replay_verify(replay, 0, 4));
}

// A snapshot that was lost is passed over.
static void lost_frames_are_played(void** state) {
    fixture* f = *state;
    random_state = 13;
    ilk_entity e[500];
    assert_ok(ilk_create_many(f->world, e, 500));
    for (uint32_t i = 0; i < 500; i++) assert_ok(ilk_add(f->world, e[i], ILK_WITH(Position)));
    mishap m = {0};
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){.context = &m, .keep.every = 2});
    record_frames(replay, 8);
    uint64_t hash = ilk_hash_layout(f->world);
    ilk_trim(f->world);
    m = (mishap){.starved = &f->memory};
    assert_ok(ilk_replay_record(replay, NULL, 0));
    m = (mishap){0};
    assert_ok(ilk_replay_go(replay, 8));
    assert_int_equal(m.calls, 2);
    assert_at(f->world, replay, 8, hash);
}

static void* end_world(void* world) {
    ilk_world_destroy(world);
    return NULL;
}

// A world that another thread ends takes its replays and rings along.
static void replays_end_with_their_world(void** state) {
    fixture* f = *state;
    size_t held = f->memory.bytes;
    ilk_world* other = second_world(f, 0);
    record_frames(make_replay(other, (ilk_replay_desc){0}), 5);
    assert_non_null(ilk_ring_create(other, NULL));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, end_world, other), 0);
    pthread_join(thread, NULL);
    assert_int_equal(f->memory.bytes, held);
}

static void nothing_is_asked_of_nothing(void** state) {
    fixture* f = *state;
    assert_null(ilk_replay_create(NULL, &(ilk_replay_desc){.play = play}));
    assert_null(ilk_replay_create(f->world, NULL));
    assert_told(f, ILK_INVALID, "ilk_replay_create");
    assert_null(ilk_replay_create(f->world, &(ilk_replay_desc){0}));
    assert_told(f, ILK_INVALID, "ilk_replay_create");
    assert_int_equal(ilk_replay_record(NULL, NULL, 0), ILK_INVALID);
    assert_int_equal(ilk_replay_go(NULL, 0), ILK_INVALID);
    assert_int_equal(ilk_replay_verify(NULL, 0, 0), ILK_INVALID);
    assert_int_equal(ilk_replay_hash(NULL, 0), 0);
    assert_null(ilk_replay_input(NULL, 1, NULL));
    assert_int_equal(ilk_replay_stats_of(NULL).last, 0);
    assert_int_equal(ilk_replay_save(NULL, NULL, 0), 0);
    ilk_replay_destroy(NULL);
    ilk_replay* replay = make_replay(f->world, (ilk_replay_desc){0});
    assert_int_equal(ilk_replay_record(replay, NULL, 1), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_replay_record");
    assert_null(ilk_replay_input(replay, 0, NULL));
    assert_null(ilk_replay_input(replay, 1, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(any_frame_is_gone_to),
        WORLD_TEST(few_frames_are_kept),
        WORLD_TEST(few_frames_are_hashed),
        WORLD_TEST(little_memory_is_used),
        WORLD_TEST(a_frame_is_the_same_bit_for_bit),
        WORLD_TEST(what_is_recorded_after_going_back_takes_its_place),
        WORLD_TEST(all_is_verified),
        WORLD_TEST(what_is_not_the_same_is_found),
        WORLD_TEST(it_is_found_in_the_next_that_was_hashed),
        WORLD_TEST(what_is_done_between_frames_is_noticed),
        WORLD_TEST(a_frame_begins_without_loops),
        WORLD_TEST(the_first_difference_is_found),
        WORLD_TEST(worlds_that_begin_differently_differ_at_once),
        WORLD_TEST(what_cannot_be_compared_is_refused),
        WORLD_TEST(hashes_never_meet_again),
        WORLD_TEST(a_recording_is_played_in_another_world),
        WORLD_TEST(a_recording_of_another_world_is_refused),
        WORLD_TEST(a_frame_does_not_replay),
        WORLD_TEST(a_system_does_not_replay),
        WORLD_TEST(commands_that_wait_are_no_input),
        WORLD_TEST(commands_that_wait_are_dropped_on_the_way),
        WORLD_TEST(what_cannot_be_copied_ends_a_recording),
        WORLD_TEST(lost_frames_are_played),
        WORLD_TEST(replays_end_with_their_world),
        WORLD_TEST(nothing_is_asked_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
