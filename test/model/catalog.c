// The table of types, their hooks, and the table of tokens.
#include "catalog.h"

#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MADE_COUNT 54
#define HUGE_SIZE 100000

// Tokens

typedef struct token_state {
    bool held;
    uint32_t round; // of comparing, in which it was last seen
} token_state;

// Pieces of systems take and give up tokens at the same time.
static ilki_lock tokens_lock;

static struct {
    token_state* states;
    uint32_t count, capacity;
    uint64_t held;
    uint32_t round;
    const char* complaint;
} tokens;

static void complain(const char* complaint) {
    if (!tokens.complaint) tokens.complaint = complaint;
}

static uint32_t token_take(void) {
    ilki_lock_take(&tokens_lock);
    if (tokens.count + 1 >= tokens.capacity) {
        tokens.capacity = tokens.capacity ? 2 * tokens.capacity : 1024;
        tokens.states = realloc(tokens.states, tokens.capacity * sizeof *tokens.states);
        if (!tokens.states) abort();
    }
    uint32_t token = ++tokens.count; // the first one is 1
    tokens.states[token] = (token_state){.held = true};
    tokens.held++;
    ilki_lock_give(&tokens_lock);
    return token;
}

static bool is_held(uint32_t token) {
    return token <= tokens.count && tokens.states[token].held;
}

static bool token_known(uint32_t token) {
    ilki_lock_take(&tokens_lock);
    bool is_known = is_held(token);
    ilki_lock_give(&tokens_lock);
    return is_known;
}

static void token_drop(uint32_t token) {
    if (token == 0) return;
    ilki_lock_take(&tokens_lock);
    if (!is_held(token)) {
        complain("a value was dropped that owns nothing, or twice");
    } else {
        tokens.states[token].held = false;
        tokens.held--;
    }
    ilki_lock_give(&tokens_lock);
}

void tokens_reset(void) {
    tokens.count = 0;
    tokens.held = 0;
    tokens.complaint = NULL;
}

uint64_t tokens_held(void) {
    return tokens.held;
}

const char* tokens_complaint(void) {
    return tokens.complaint;
}

void tokens_begin(void) {
    tokens.round++;
}

static bool token_see(uint32_t token) {
    if (token == 0) return true;
    ilki_lock_take(&tokens_lock);
    bool is_new = is_held(token) && tokens.states[token].round != tokens.round;
    if (is_new) tokens.states[token].round = tokens.round;
    ilki_lock_give(&tokens_lock);
    return is_new;
}

// Hooks. Values that own something start with their token and 4 bytes of payload.

typedef struct owner {
    uint32_t token, payload;
    uint32_t more[14]; // as far as the type is so large
} owner;

static size_t owner_size = 8, bag_size = 16, chest_size = 64; // the contexts of the hooks
static int starter_context;

static const owner owner_default = {0, 77, {0}};
static const owner owner_fresh = {1, 77, {0}};
static const uint32_t starter_default[4] = {10, 20, 30, 40};
static const uint32_t starter_fresh[4] = {0xc0ffee, 20, 30, 40};
static const uint32_t preset_default[3] = {0x11111111, 0x22222222, 0x33333333};

static bool sound_context(const void* value, const void* context) {
    bool sound = context == &owner_size || context == &bag_size || context == &chest_size;
    if (!sound) complain("a hook was called with another context");
    if ((uintptr_t)value % (context == &chest_size ? chest_size : sizeof(uint32_t)) != 0)
        complain("a hook was called on a value that is not aligned");
    return sound;
}

static void owner_init(void* value, void* context) {
    owner o = {0};
    if (!sound_context(value, context)) return;
    memcpy(&o, value, *(size_t*)context);
    if (memcmp(&o, &owner_default, *(size_t*)context) != 0)
        complain("init was called on other bytes than the default");
    o.token = token_take();
    memcpy(value, &o, *(size_t*)context);
}

static void owner_copy(void* to, const void* from, void* context) {
    owner o = {0};
    if (!sound_context(to, context) || !sound_context(from, context)) return;
    memset(to, 0xdd, *(size_t*)context);
    memcpy(&o, from, *(size_t*)context);
    if (o.token && !token_known(o.token)) complain("a value was copied that is gone");
    if (o.token) o.token = token_take();
    memcpy(to, &o, *(size_t*)context);
}

static void owner_save(void* to, const void* from, void* context) {
    owner_copy(to, from, context);
    ((unsigned char*)to)[*(size_t*)context - 1] = 0x5a;
}

static void owner_drop(void* value, void* context) {
    uint32_t token;
    if (!sound_context(value, context)) return;
    memcpy(&token, value, sizeof token);
    token_drop(token);
    memset(value, 0xee, *(size_t*)context);
}

static void starter_init(void* value, void* context) {
    if (context != &starter_context) complain("a hook was called with another context");
    if (memcmp(value, starter_default, sizeof starter_default) != 0)
        complain("init was called on other bytes than the default");
    memcpy(value, starter_fresh, sizeof starter_fresh[0]);
}

// Types

typedef struct entry {
    ilk_type type;
    uint8_t weight; // how often it is chosen, of 180
    const void* fresh;
    ilk_result fault;
} entry;

#define OWNING(CONTEXT, INIT)                                                                      \
    .hooks = {.init = (INIT), .copy = owner_copy, .drop = owner_drop, .context = &(CONTEXT)}

static const entry base_types[] = {
    {{.name = "Flag", .size = 0, .align = 1, .track = true}, 10, NULL, ILK_OK},
    {{.name = "Mark", .size = 0}, 10, NULL, ILK_OK},
    {{.name = "Byte", .size = 1, .align = 1, .track = true}, 10, NULL, ILK_OK},
    {{.name = "Word", .size = 4, .align = 4, .track = true}, 12, NULL, ILK_OK},
    {{.name = "Pair", .size = 8, .align = 4}, 12, NULL, ILK_OK},
    {{.name = "Clock", .size = 8, .align = 8}, 12, NULL, ILK_OK},
    {{.name = "Speed", .size = 8, .align = 4, .fields = ILK_FIELDS({"at", ILK_KIND_ENTITY, 0, 8})},
     10,
     NULL,
     ILK_OK},
    {{.name = "Vector", .size = 12, .align = 4, .track = true}, 12, NULL, ILK_OK},
    {{.name = "Matrix",
      .size = 64,
      .align = 4,
      .fields = ILK_FIELDS({"first", ILK_KIND_U32, 0, 4}, {"rows", ILK_KIND_ENTITY, 20, 32})},
     8,
     NULL,
     ILK_OK},
    {{.name = "Owner",
      .size = 8,
      .align = 4,
      .default_value = &owner_default,
      .track = true,
      .copy_to_save = owner_save,
      OWNING(owner_size, owner_init)},
     14,
     &owner_fresh,
     ILK_OK},
    {{.name = "Bag",
      .size = 16,
      .align = 4,
      .fields = ILK_FIELDS({"held", ILK_KIND_ENTITY, 8, 8}),
      OWNING(bag_size, NULL)},
     8,
     NULL,
     ILK_OK},
    {{.name = "Chest",
      .size = 64,
      .align = 64,
      .default_value = &owner_default,
      .track = true,
      OWNING(chest_size, owner_init)},
     8,
     &owner_fresh,
     ILK_OK},
    {{.name = "Lock", .size = 8, .align = 4, .hooks = {.drop = owner_drop, .context = &owner_size}},
     2,
     NULL,
     ILK_OK},
    {{.name = "Preset", .size = 12, .align = 4, .track = true, .default_value = preset_default},
     10,
     preset_default,
     ILK_OK},
    {{.name = "Starter",
      .size = 16,
      .align = 4,
      .default_value = starter_default,
      .hooks = {.init = starter_init, .context = &starter_context}},
     8,
     starter_fresh,
     ILK_OK},
    {{.name = "Wide", .size = 32, .align = 32, .saving = ILK_UNSAVED}, 6, NULL, ILK_OK},
    {{.name = "Page", .size = 1024, .align = 8, .track = true}, 4, NULL, ILK_OK},
    {{.name = "Odd", .size = 3, .align = 1, .saving = ILK_UNSAVED_ENTITY}, 4, NULL, ILK_OK},
    {{.name = "Far", .size = 256, .align = 128}, 1, NULL, ILK_OK},
    {{.name = "Huge", .size = HUGE_SIZE, .align = 16}, 1, NULL, ILK_OK},
    {{.name = "Grip", .size = 4, .align = 4, .outlives = true}, 3, NULL, ILK_OK},
    {{.name = "Hold",
      .size = 8,
      .align = 4,
      .default_value = &owner_default,
      .track = true,
      .outlives = true,
      OWNING(owner_size, owner_init)},
     2,
     &owner_fresh,
     ILK_OK},
    {{.name = "ilk_inactive", .size = 0, .align = 1}, 3, NULL, ILK_OK},
    {{.name = "ilk_dying", .size = 0, .align = 1, .outlives = true}, 1, NULL, ILK_OK},
    {{.name = "ilk_name", .size = sizeof(ilk_name), .align = 4}, 3, NULL, ILK_OK},
    {{.name = "ilk_id", .size = sizeof(ilk_id), .align = _Alignof(ilk_id)}, 2, NULL, ILK_OK},
    {{.name = "Glow", .size = 12, .align = 4, .unrecorded = true, .default_value = preset_default},
     2,
     preset_default,
     ILK_OK},
    {{.name = "Voice",
      .size = 8,
      .align = 4,
      .unrecorded = true,
      .hooks = {.drop = owner_drop, .context = &owner_size}},
     2,
     NULL,
     ILK_OK},
};

// Relations: of each kind, with values that own something, or name entities, or both, and without.
static const uint32_t carried_types[3] = {6, 9, 10};
static ilk_type carried[3]; // variables of these: Speed, Owner, Bag
static const ilk_relation likes = {.value = &carried[2]};
static const ilk_relation aims = {.is_exclusive = true};
static const ilk_relation part_of = {.at_end = ILK_END_SOURCE};
static const ilk_relation needs = {.at_end = ILK_END_REFUSED, .value = &carried[0]};
static const ilk_relation under = {.is_tree = true, .value = &carried[1]};
static const ilk_relation child_of = {
    .is_exclusive = true, .is_tree = true, .at_end = ILK_END_SOURCE};

#define RELATION(NAME, RULE, TRACK)                                                                \
    {{.name = (NAME),                                                                              \
      .size = sizeof(ilk_link),                                                                    \
      .align = _Alignof(ilk_link),                                                                 \
      .track = (TRACK),                                                                            \
      .relation = &(RULE)},                                                                        \
     0,                                                                                            \
     NULL,                                                                                         \
     ILK_OK}
static const entry relation_types[] = {
    RELATION("Likes", likes, false),    RELATION("Aims", aims, true),
    RELATION("PartOf", part_of, false), RELATION("Needs", needs, false),
    RELATION("Under", under, false),    RELATION("ChildOf", child_of, false),
};

static const entry wrong_types[] = {
    {{.name = NULL, .size = 4, .align = 4}, 0, NULL, ILK_INVALID},
    {{.name = "", .size = 4, .align = 4}, 0, NULL, ILK_INVALID},
    {{.name = "Skew", .size = 6, .align = 3}, 0, NULL, ILK_INVALID},
    {{.name = "Word", .size = 8, .align = 4}, 0, NULL, ILK_CLASH},
    {{.name = "Flag", .size = 1, .align = 1}, 0, NULL, ILK_CLASH},
    {{.name = "Vector", .size = 12, .align = 1}, 0, NULL, ILK_CLASH},
    {{.name = "Aims", .size = sizeof(ilk_link), .relation = &needs}, 0, NULL, ILK_CLASH},
    {{.name = "Crooked", .size = 8, .relation = &aims}, 0, NULL, ILK_INVALID},
};

enum {
    BASE_COUNT = sizeof base_types / sizeof base_types[0],
    WRONG_COUNT = sizeof wrong_types / sizeof wrong_types[0],
    RELATION_COUNT = sizeof relation_types / sizeof relation_types[0],
    SOUND_COUNT = BASE_COUNT + MADE_COUNT + RELATION_COUNT,
    ALL_COUNT = SOUND_COUNT + WRONG_COUNT
};

_Static_assert(ALL_COUNT <= 128, "a bit each in model_entity.has");
_Static_assert(MADE_COUNT + RELATION_COUNT == 60, "a byte each, from 180 to 239");

static ilk_type variables[2][ALL_COUNT];
static model_type models[ALL_COUNT];
static uint32_t chosen[180];

static uint32_t carried_by(const ilk_relation* rule) {
    return rule && rule->value ? carried_types[rule->value - carried] : MODEL_NO_TYPE;
}

static void place_type(uint32_t i, const entry* from) {
    variables[0][i] = variables[1][i] = from->type;
    bool drops = from->type.hooks.drop != NULL;
    const ilk_relation* rule = from->type.relation;
    models[i] =
        (model_type){.name = from->type.name,
                     .size = from->type.size,
                     .fresh = from->fresh,
                     .owner = drops,
                     .single = drops && !from->type.hooks.copy,
                     .saving = from->type.saving,
                     .is_altered = from->type.copy_to_save != NULL,
                     .track = from->type.track,
                     .outlives = from->type.outlives,
                     .unrecorded = from->type.unrecorded,
                     .is_inactive = from->type.name && strcmp(from->type.name, "ilk_inactive") == 0,
                     .is_dying = from->type.name && strcmp(from->type.name, "ilk_dying") == 0,
                     .relation = rule != NULL,
                     .is_exclusive = rule && (rule->is_exclusive || rule->is_tree),
                     .is_tree = rule && rule->is_tree,
                     .is_child_of = rule == &child_of,
                     .at_end = rule ? rule->at_end : ILK_END_RELATION,
                     .value = carried_by(rule),
                     .is_name = from->type.name && strcmp(from->type.name, "ilk_name") == 0,
                     .is_id = from->type.name && strcmp(from->type.name, "ilk_id") == 0,
                     .fields = from->type.fields,
                     .fault = from->fault};
    for (const ilk_field* f = from->type.fields; f && f->name; f++) {
        if (f->kind != ILK_KIND_ENTITY) continue;
        models[i].names_at = f->offset;
        models[i].names = f->size / (uint32_t)sizeof(ilk_entity);
    }
}

static void place_made(uint32_t i) {
    static char names[MADE_COUNT][8];
    snprintf(names[i], sizeof names[i], "Made%u", (unsigned)(i % MADE_COUNT));
    entry made = {.type = {.name = names[i], .size = 1 + i * 7 % 40, .track = i % 3 == 0},
                  .fault = ILK_OK};
    place_type(BASE_COUNT + i, &made);
}

// The tag of the dying comes with the first type that outlives.
static void introduce_all(void) {
    ilk_world* world = ilk_world_create(NULL);
    if (!world) abort();
    for (uint32_t i = 0; i < SOUND_COUNT; i++) {
        ilk_result result = ilk_register(world, &variables[0][i]);
        if (result != ILK_OK && !(result == ILK_EXISTS && models[i].is_dying)) abort();
    }
    ilk_world_destroy(world);
}

void catalog_start(void) {
    for (uint32_t i = 0; i < BASE_COUNT; i++) place_type(i, &base_types[i]);
    for (uint32_t i = 0; i < MADE_COUNT; i++) place_made(i);
    for (uint32_t i = 0; i < 3; i++) carried[i] = base_types[carried_types[i]].type;
    for (uint32_t i = 0; i < RELATION_COUNT; i++) {
        place_type(BASE_COUNT + MADE_COUNT + i, &relation_types[i]);
    }
    for (uint32_t i = 0; i < WRONG_COUNT; i++) place_type(SOUND_COUNT + i, &wrong_types[i]);
    uint32_t next = 0;
    for (uint32_t i = 0; i < BASE_COUNT; i++)
        for (uint32_t k = 0; k < base_types[i].weight && next < 180; k++) chosen[next++] = i;
    introduce_all();
}

uint32_t catalog_count(void) {
    return ALL_COUNT;
}

uint32_t catalog_sound(void) {
    return SOUND_COUNT;
}

const model_type* catalog_models(void) {
    return models;
}

ilk_type* catalog_variable(uint32_t type, bool second) {
    return type == MODEL_NO_TYPE ? NULL : &variables[second][type];
}

size_t catalog_align(uint32_t type) {
    size_t size = variables[0][type].size, align = variables[0][type].align;
    if (align) return align;
    if (!size) return 1;
    for (align = 16; size % align;) align /= 2;
    return align;
}

uint32_t catalog_choose(uint8_t byte) {
    if (byte < 180) return chosen[byte];
    if (byte < 240) return BASE_COUNT + (byte - 180u);
    uint32_t wrong = (byte - 240u) % (WRONG_COUNT + 1);
    return wrong < WRONG_COUNT ? SOUND_COUNT + wrong : MODEL_NO_TYPE;
}

uint32_t catalog_relation(uint32_t i) {
    return BASE_COUNT + MADE_COUNT + i % RELATION_COUNT;
}

uint32_t catalog_common(uint32_t i) {
    static const uint8_t common[14] = {3, 4, 0, 5, 9, 7, 2, 13, 1, 20, 10, 14, 8, 11};
    return common[i % 14];
}

bool catalog_is_huge(uint32_t type) {
    return type < SOUND_COUNT && models[type].size == HUGE_SIZE;
}

// Orders. Tokens are not compared: the model does not have them.

static int compare_nothing(const void* a, const void* b) {
    (void)a, (void)b;
    return 0;
}

static int compare_first(const void* a, const void* b) {
    return *(const unsigned char*)a - *(const unsigned char*)b;
}

static int compare_first_down(const void* a, const void* b) {
    return compare_first(b, a);
}

// Many are equal.
static int compare_few(const void* a, const void* b) {
    return (*(const unsigned char*)a & 3) - (*(const unsigned char*)b & 3);
}

static int compare_payload(const void* a, const void* b) {
    return compare_few((const unsigned char*)a + 4, (const unsigned char*)b + 4);
}

ilk_compare_fn* catalog_compare(uint32_t type, uint32_t choice) {
    static ilk_compare_fn* const plain[4] = {compare_first, compare_first_down, compare_few,
                                             compare_nothing};
    if (models[type].size == 0 || models[type].is_name) return compare_nothing;
    return models[type].owner ? compare_payload : plain[choice % 4];
}

// Values

static void rubbish(unsigned char* bytes, size_t size, uint32_t seed) {
    uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < size; i += sizeof x) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(bytes + i, &x, size - i < sizeof x ? size - i : sizeof x);
    }
}

void catalog_make(uint32_t type, uint32_t seed, void* ours, void* theirs) {
    size_t size = models[type].size;
    rubbish(ours, size, seed);
    memcpy(theirs, ours, size);
    if (!models[type].owner) return;
    uint32_t token = seed & 7 ? token_take() : 0;
    uint32_t flag = token != 0;
    memcpy(ours, &token, sizeof token);
    memcpy(theirs, &flag, sizeof flag);
}

static size_t kept_of(uint32_t type) {
    return models[type].owner ? sizeof(uint32_t) : 0;
}

void catalog_scrawl(uint32_t type, uint32_t seed, void* value) {
    size_t kept = kept_of(type);
    rubbish((unsigned char*)value + kept, models[type].size - kept, seed);
}

void catalog_make_model(uint32_t type, uint32_t seed, void* theirs) {
    uint32_t flag = (seed & 7) != 0;
    rubbish(theirs, models[type].size, seed);
    if (models[type].owner) memcpy(theirs, &flag, sizeof flag);
}

// What of a link the model knows.
static ilk_link plain_link(const void* value) {
    ilk_link link;
    memcpy(&link, value, sizeof link);
    link.first = 0;
    return link;
}

uint64_t catalog_digest(uint32_t type, const void* value) {
    ilk_link link;
    if (models[type].relation) {
        link = plain_link(value);
        value = &link;
    }
    const unsigned char* bytes = value;
    uint64_t digest = 0xcbf29ce484222325u;
    if (models[type].is_name) return digest;
    uint32_t token = 0;
    size_t at = models[type].owner ? sizeof token : 0;
    if (at) memcpy(&token, bytes, sizeof token);
    digest += token != 0;
    for (; at < models[type].size; at++) digest = (digest ^ bytes[at]) * 0x100000001b3u;
    return digest;
}

void catalog_rewrite(uint32_t type, uint32_t seed, void* ours, void* theirs) {
    size_t kept = kept_of(type);
    catalog_scrawl(type, seed, ours);
    memcpy((unsigned char*)theirs + kept, (unsigned char*)ours + kept, models[type].size - kept);
}

void catalog_point(uint32_t type, uint32_t which, ilk_entity named, void* ours, void* theirs) {
    if (!models[type].names) return;
    size_t at = models[type].names_at + which % models[type].names * sizeof named;
    memcpy((unsigned char*)ours + at, &named, sizeof named);
    memcpy((unsigned char*)theirs + at, &named, sizeof named);
}

uint64_t catalog_look(uint32_t type, const void* value) {
    size_t kept = kept_of(type), size = models[type].size - kept;
    uint64_t look = size;
    ilk_link link;
    if (models[type].relation) {
        link = plain_link(value);
        value = &link;
    }
    if (models[type].is_name) return look;
    for (size_t i = 0, step = 1 + size / 64; i < size; i += step)
        look = (look ^ ((const unsigned char*)value)[kept + i]) * 0x100000001b3u;
    return look;
}

static bool is_same_link(ilk_link ours, ilk_link theirs) {
    return ilk_same(ours.target, theirs.target) && ours.count == theirs.count &&
           ours.depth == theirs.depth;
}

bool catalog_same(uint32_t type, const void* ours, const void* theirs) {
    if (models[type].relation) return is_same_link(plain_link(ours), plain_link(theirs));
    if (!models[type].owner) return memcmp(ours, theirs, models[type].size) == 0;
    uint32_t token, flag;
    memcpy(&token, ours, sizeof token);
    memcpy(&flag, theirs, sizeof flag);
    if ((token != 0) != (flag != 0) || !token_see(token)) return false;
    return memcmp((const char*)ours + sizeof token, (const char*)theirs + sizeof token,
                  models[type].size - sizeof token) == 0;
}

void catalog_discard(uint32_t type, void* ours) {
    uint32_t token = 0;
    if (models[type].owner) memcpy(&token, ours, sizeof token);
    token_drop(token);
}
