// The same on every machine: what a program does for it, and how it finds where it did not. It
// prints
//     0, 1 and 3 workers, 5326 specks, the same: yes
//     frame 4: entity 0:1 Speck.y is 1 in world "a", and 0 in world "b"
//     ilk_replay_verify: frame 3 is not what it was when it was recorded
//     the first frame that differs: 37
//     padding counts: yes; where fields are described: no
#include <ilk/ilk.h>
#include <stdio.h>
#include <string.h>

typedef struct Speck {
    float x, y;
} Speck;
typedef struct Dice {
    uint32_t seed;
} Dice;
ILK_COMPONENT_WITH(Speck, .fields = ILK_FIELDS(ILK_FIELD(Speck, x), ILK_FIELD(Speck, y)));
ILK_COMPONENT_WITH(Dice, .fields = ILK_FIELDS(ILK_FIELD(Dice, seed)));

// There are three bytes between the two fields.
typedef struct Padded {
    char letter;
    int number;
} Padded;
ILK_COMPONENT(Padded);
typedef struct Described {
    char letter;
    int number;
} Described;
ILK_COMPONENT_WITH(Described, .fields = ILK_FIELDS(ILK_FIELD(Described, letter),
                                                   ILK_FIELD(Described, number)));

// Chance that depends on the seed of the frame and on the entity, and on nothing else.
static float chance(const Dice* dice, ilk_entity e) {
    uint32_t n = (e.index + 1) * 2654435761u ^ dice->seed;
    n = (n ^ n >> 16) * 0x45d9f3bu;
    return (float)((n ^ n >> 16) >> 8) / 16777216.0f; // 2^24: the division is exact
}

static void throw_dice(ilk_iter* it) {
    Dice* dice = ILK_RESOURCE_EDIT(it->world, Dice);
    dice->seed = dice->seed * 1664525u + 1013904223u;
}

static void drift(ilk_iter* it) {
    const Dice* dice = ILK_RESOURCE_GET(it->world, Dice);
    while (ilk_next(it)) {
        Speck* speck = ILK_WRITE(it, Speck);
        for (uint32_t i = 0; i < it->count; i++) {
            float way = chance(dice, it->entities[i]) - 0.5f;
            speck[i].x += way;
            if (way > 0.49f) ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE_AT(Speck, &speck[i])));
        }
    }
}

// The mistake: what decides is not in the world.
static int gusts;
static void gust(ilk_iter* it) {
    if (++gusts % 7) return;
    while (ilk_next(it)) ILK_WRITE(it, Speck)[0].y += 1;
}

static ilk_world* make_world(const char* name, uint32_t workers, bool is_careless) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = name, .workers = workers});
    ilk_resource_set(world, ILK_VALUE(Dice, .seed = 1));
    for (int i = 0; i < 3000; i++) ILK_SPAWN(world, ILK_VALUE(Speck, .x = (float)i));
    ilk_system_create(world, &(ilk_system_desc){.name = "throw_dice",
                                                .run = throw_dice,
                                                .writes_resources = {&Dice_type}});
    ilk_system_create(world, &(ilk_system_desc){.name = "drift",
                                                .run = drift,
                                                .is_parallel = true,
                                                .query = {.write = {&Speck_type}},
                                                .reads_resources = {&Dice_type}});
    if (is_careless) {
        ilk_system_create(
            world,
            &(ilk_system_desc){.name = "gust", .run = gust, .query = {.write = {&Speck_type}}});
    }
    return world;
}

static uint64_t hash_after(uint32_t workers, uint32_t* alive) {
    ilk_world* world = make_world("worked", workers, false);
    for (int frame = 0; frame < 60; frame++) ilk_update(world, 1.0 / 60);
    uint64_t hash = ilk_hash_layout(world);
    *alive = ilk_stats(world).alive;
    ilk_world_destroy(world);
    return hash;
}

// Values, handles, places and order are the same for any number of workers.
static bool try_workers(void) {
    uint32_t alive, others;
    uint64_t hash = hash_after(0, &alive);
    bool is_same = hash_after(1, &others) == hash && hash_after(3, &others) == hash;
    printf("0, 1 and 3 workers, %u specks, the same: %s\n", alive, is_same ? "yes" : "no");
    return is_same;
}

// Two worlds in step, until they are not.
static bool compare_frames(void) {
    ilk_world *a = make_world("a", 0, true), *b = make_world("b", 0, true);
    gusts = 0;
    int frame = 0;
    do {
        ilk_update(a, 1.0 / 60);
        ilk_update(b, 1.0 / 60);
        frame++;
    } while (frame < 60 && ilk_hash_layout(a) == ilk_hash_layout(b));
    ilk_divergence first;
    ilk_diverge(a, b, &first);
    printf("frame %d: %s\n", frame, first.text);
    ilk_world_destroy(a);
    ilk_world_destroy(b);
    return frame == 4 && first.what == ILK_DIFFERENCE_VALUE;
}

// What the players did comes in as the input of a frame, and in no other way.
static void play(ilk_world* world, const void* input, size_t size, void* context) {
    (void)context;
    Dice* dice = ILK_RESOURCE_EDIT(world, Dice);
    if (size == sizeof(uint32_t)) dice->seed ^= *(const uint32_t*)input;
    ilk_update(world, 1.0 / 60);
}

static ilk_replay* record(ilk_world* world, int odd_frame) {
    ilk_replay* replay = ilk_replay_create(world, &(ilk_replay_desc){.play = play});
    for (uint32_t frame = 1; frame <= 60; frame++) {
        uint32_t input = frame == (uint32_t)odd_frame ? 99 : frame;
        ilk_replay_record(replay, &input, sizeof input);
    }
    return replay;
}

// One recording, played again: it finds what is not in the world.
static bool verify(void) {
    ilk_world* world = make_world("again", 0, true);
    gusts = 0;
    ilk_replay* replay = record(world, 0);
    ilk_result result = ilk_replay_verify(replay, 0, 60);
    printf("%s\n", ilk_error(world).text);
    ilk_world_destroy(world);
    return result == ILK_CLASH;
}

// Two recordings: the first frame that differs is found by bisection.
static bool bisect(void) {
    ilk_world *here = make_world("here", 0, false), *there = make_world("there", 0, false);
    ilk_replay *ours = record(here, 0), *theirs = record(there, 37);
    uint64_t frame;
    ilk_divergence first;
    ilk_result result = ilk_replay_diverge(ours, theirs, &frame, &first);
    printf("the first frame that differs: %u\n", (unsigned)frame);
    ilk_world_destroy(here);
    ilk_world_destroy(there);
    return result == ILK_OK && frame == 37;
}

// The hash of one value of the letter a and the number 7, with these bytes in between.
static uint64_t hash_with(ilk_type* type, int padding) {
    unsigned char bytes[sizeof(Padded)];
    memset(bytes, padding, sizeof bytes);
    bytes[offsetof(Padded, letter)] = 'a';
    memcpy(bytes + offsetof(Padded, number), &(int){7}, sizeof(int));
    ilk_world* world = ilk_world_create(NULL);
    ilk_spawn(world, (ilk_value[]){{type, bytes}}, 1);
    uint64_t hash = ilk_hash(world);
    ilk_world_destroy(world);
    return hash;
}

static bool try_padding(void) {
    bool counts = hash_with(&Padded_type, 0) != hash_with(&Padded_type, 255);
    bool counts_described = hash_with(&Described_type, 0) != hash_with(&Described_type, 255);
    printf("padding counts: %s; where fields are described: %s\n", counts ? "yes" : "no",
           counts_described ? "yes" : "no");
    return counts && !counts_described;
}

int main(void) {
    bool is_right = try_workers() && compare_frames() && verify() && bisect() && try_padding();
    return is_right ? 0 : 1;
}
