// Reading scripts, and making them. The generator has moods: for a while it prefers some
// operations, one type and one set of types, so that populations grow and collapse, one type is
// given to everybody and taken from everybody, and entities of a kind come in numbers.
#include "script.h"

#include <string.h>

const char* script_op_name(script_kind kind) {
    static const char* const names[] = {
#define SCRIPT_NAME_(name) #name,
        SCRIPT_OPS(SCRIPT_NAME_)
#undef SCRIPT_NAME_
    };
    return kind < OP_COUNT ? names[kind] : "?";
}

// Reading

static uint16_t read16(const uint8_t* bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static uint32_t read32(const uint8_t* bytes) {
    return read16(bytes) | (uint32_t)read16(bytes + 2) << 16;
}

static void write32(uint8_t* bytes, uint32_t number) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> 8 * i);
}

script_header script_read_header(const uint8_t* bytes) {
    static const uint32_t ranges[8] = {8, 16, 64, 64, 256, 1024, 4096, 6000};
    static const uint32_t bulks[8] = {4, 8, 24, 64, 200, 1000, 3000, 6000};
    static const uint32_t everies[8] = {1, 16, 128, 512, 1024, 2048, 4096, 8192};
    script_header header = {
        .worlds = {{bytes[0], bytes[1], read16(bytes + 2)},
                   {bytes[4], bytes[5], read16(bytes + 6)}},
        .range = ranges[bytes[8] % 8],
        .bulk = bulks[bytes[9] % 8],
        .every = everies[bytes[10] % 8],
        .is_scarce = bytes[11] % 4 == 1,
        .are_alone = bytes[11] & 4,
        .is_loose = (bytes[11] >> 3) % 4 >= 2,
        .is_spacious = (bytes[11] >> 5) == 5,
        .is_observed = bytes[11] & 96 && !((bytes[11] >> 3) % 4 >= 2),
    };
    uint32_t failure = read32(bytes + 12);
    header.fail_at = failure & 0x7fffffff;
    header.forever = failure >> 31;
    return header;
}

void script_write_failure(uint8_t* bytes, uint32_t fail_at, bool forever) {
    write32(bytes + 12, fail_at | (uint32_t)forever << 31);
}

script_op script_read_op(const uint8_t* bytes) {
    return (script_op){
        .kind = (script_kind)(bytes[0] % OP_COUNT),
        .side = bytes[1] & 1,
        .flags = bytes[1] >> 1,
        .mode = bytes[2],
        .type = bytes[3],
        .pick = read32(bytes + 4),
        .seed = read32(bytes + 8),
        .count = read16(bytes + 12),
        .set = read16(bytes + 14),
    };
}

// Making

uint64_t script_random(uint64_t* state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

typedef struct mood {
    uint8_t ops[24]; // those that it chooses from, each as often as it stands here
    uint8_t wrong;   // of 256, how often something is wrong on purpose
    uint8_t focus;   // of 256, how often it is about the mood's own type and set
} mood;

#define GROWING                                                                                    \
    OP_CREATE, OP_CREATE_INACTIVE, OP_SPAWN, OP_SPAWN, OP_SPAWN, OP_COPY, OP_ADD, OP_ADD, OP_ADD,  \
        OP_SET, OP_SET, OP_ENSURE, OP_GET, OP_WRITE, OP_HAS, OP_ADD, OP_SPAWN, OP_CREATE_MANY,     \
        OP_SPAWN_MANY, OP_ADD_MANY, OP_DESTROY, OP_REMOVE, OP_RESERVE, OP_SPAWN
#define COLLAPSING                                                                                 \
    OP_DESTROY, OP_DESTROY, OP_DESTROY, OP_DESTROY, OP_DESTROY, OP_DESTROY, OP_REMOVE, OP_REMOVE,  \
        OP_REMOVE, OP_REMOVE_ALL, OP_DESTROY_MANY, OP_REMOVE_MANY, OP_GET, OP_HAS, OP_ALIVE,       \
        OP_SET, OP_ADD, OP_CREATE, OP_DESTROY_MANY, OP_SETTLE, OP_DESTROY, OP_DESTROY, OP_GET,     \
        OP_TRIM
#define CHANGING                                                                                   \
    OP_ADD, OP_REMOVE, OP_ADD, OP_REMOVE, OP_ADD, OP_REMOVE, OP_ADD, OP_REMOVE, OP_SET, OP_SET,    \
        OP_GET, OP_WRITE, OP_ENSURE, OP_ADD, OP_REMOVE, OP_ADD_MANY, OP_REMOVE_MANY,               \
        OP_DEACTIVATE, OP_ACTIVATE, OP_REMOVE, OP_REPLACE, OP_DISABLE, OP_ENABLE, OP_HAS
#define WRITING                                                                                    \
    OP_GET, OP_WRITE, OP_SET, OP_REPLACE, OP_ENSURE, OP_ENABLE, OP_DISABLE, OP_DISABLE, OP_HAS,    \
        OP_TYPES_OF, OP_SIGNATURE, OP_ALIVE, OP_SET, OP_GET, OP_WRITE, OP_COPY, OP_ADD, OP_REMOVE, \
        OP_DESTROY, OP_SPAWN, OP_GET, OP_SET, OP_DISABLE, OP_REGISTER
#define PASSING                                                                                    \
    OP_CREATE, OP_DESTROY, OP_SPAWN, OP_DESTROY, OP_CREATE, OP_DESTROY, OP_SPAWN, OP_DESTROY,      \
        OP_COPY, OP_DESTROY, OP_SPAWN, OP_DESTROY, OP_ADD, OP_SET, OP_GET, OP_HAS, OP_SPAWN,       \
        OP_DESTROY, OP_CREATE, OP_ADD, OP_REMOVE, OP_SETTLE, OP_GET, OP_ALIVE
#define CROWDING                                                                                   \
    OP_CREATE_MANY, OP_DESTROY_MANY, OP_ADD_MANY, OP_REMOVE_MANY, OP_SPAWN_MANY, OP_ADD_MANY,      \
        OP_ADD_MANY, OP_REMOVE_MANY, OP_DESTROY_MANY, OP_SPAWN_MANY, OP_RESERVE, OP_SETTLE,        \
        OP_ADD, OP_REMOVE, OP_GET, OP_SET, OP_SPAWN, OP_DESTROY, OP_COPY, OP_WRITE, OP_GET,        \
        OP_HAS, OP_DISABLE, OP_REMOVE_ALL
#define SETTLING                                                                                   \
    OP_SETTLE, OP_ADD, OP_REMOVE, OP_SPAWN, OP_DESTROY, OP_ADD, OP_REMOVE, OP_SET, OP_GET,         \
        OP_SETTLE, OP_ADD, OP_REMOVE, OP_DISABLE, OP_ENABLE, OP_DESTROY, OP_SPAWN, OP_WRITE,       \
        OP_COPY, OP_ADD_MANY, OP_REMOVE_MANY, OP_DEACTIVATE, OP_TRIM, OP_ACTIVATE, OP_HAS
#define ERRING                                                                                     \
    OP_CREATE, OP_SPAWN, OP_COPY, OP_DESTROY, OP_ALIVE, OP_ADD, OP_SET, OP_REPLACE, OP_ENSURE,     \
        OP_GET, OP_WRITE, OP_HAS, OP_REMOVE, OP_REMOVE_ALL, OP_ENABLE, OP_DEACTIVATE, OP_TYPES_OF, \
        OP_SIGNATURE, OP_REGISTER, OP_TYPE_TABLE, OP_ACTIVATE, OP_RESERVE, OP_ADD_MANY, OP_MARK
#define ASKING                                                                                     \
    OP_QUERY_MAKE, OP_QUERY_MAKE, OP_QUERY_MAKE, OP_QUERY_DROP, OP_QUERY_ASK, OP_QUERY_ASK,        \
        OP_QUERY_ASK, OP_QUERY_TELL, OP_QUERY_TELL, OP_QUERY_SINCE, OP_QUERY_STATS, OP_PASS_WHOLE, \
        OP_PASS_WHOLE, OP_PASS_WHOLE, OP_PASS_EACH, OP_PASS_SPLIT, OP_ADD, OP_SET, OP_SPAWN,       \
        OP_DISABLE, OP_DEACTIVATE, OP_ACTIVATE, OP_ITER_COLUMN, OP_SPAWN_MANY
#define WALKING                                                                                    \
    OP_ITER_BEGIN, OP_ITER_BEGIN, OP_ITER_NEXT, OP_ITER_NEXT, OP_ITER_NEXT, OP_ITER_NEXT,          \
        OP_ITER_COLUMN, OP_ITER_END, OP_DESTROY, OP_ADD, OP_ADD, OP_REMOVE, OP_REMOVE, OP_SET,     \
        OP_DISABLE, OP_ENABLE, OP_DEACTIVATE, OP_CREATE, OP_COPY, OP_WRITE, OP_PASS_EACH,          \
        OP_SPAWN, OP_ACTIVATE, OP_ADD_MANY
#define TRACKING                                                                                   \
    OP_PASS_WHOLE, OP_PASS_WHOLE, OP_PASS_WHOLE, OP_PASS_EACH, OP_PASS_SPLIT, OP_SET, OP_WRITE,    \
        OP_MARK, OP_MARK, OP_ADD, OP_REMOVE, OP_ENSURE, OP_REPLACE, OP_DISABLE, OP_ENABLE,         \
        OP_SETTLE, OP_QUERY_MAKE, OP_QUERY_MAKE, OP_QUERY_SINCE, OP_ITER_NEXT, OP_ITER_BEGIN,      \
        OP_SPAWN, OP_ADD_MANY, OP_COPY

#define COMMANDING                                                                                 \
    OP_CMD_CREATE, OP_CMD_SPAWN, OP_CMD_SPAWN, OP_CMD_DESTROY, OP_CMD_DESTROY, OP_CMD_ADD,         \
        OP_CMD_ADD, OP_CMD_SET, OP_CMD_ENSURE, OP_CMD_REPLACE, OP_CMD_REMOVE, OP_CMD_REMOVE,       \
        OP_CMD_REMOVE_ALL, OP_CMD_ENABLE, OP_CMD_DISABLE, OP_CMD_MARK, OP_CMD_CALL,                \
        OP_CMD_DEACTIVATE, OP_CMD_APPLY, OP_CMD_ACTIVATE, OP_CMD_APPLY, OP_CMD_TAKE, OP_CMD_CLEAR, \
        OP_CMD_CREATE_INACTIVE
#define DELAYING                                                                                   \
    OP_CMD_SPAWN, OP_CMD_CREATE, OP_CMD_DESTROY, OP_CMD_ADD, OP_CMD_SET, OP_CMD_REMOVE,            \
        OP_CMD_CALL, OP_CMD_APPLY, OP_CMD_APPLY, OP_CMD_TAKE, OP_CMD_GIVE_BACK, OP_CMD_STRICT,     \
        OP_CREATE, OP_SPAWN, OP_DESTROY, OP_DESTROY, OP_ADD, OP_REMOVE, OP_SETTLE, OP_ITER_BEGIN,  \
        OP_ITER_NEXT, OP_PASS_EACH, OP_TRIM, OP_CMD_MARK

#define RUNNING                                                                                    \
    OP_SYS_MAKE, OP_SYS_MAKE, OP_SYS_MAKE, OP_SYS_MAKE, OP_SYS_DROP, OP_SYS_TURN, OP_SYS_TIME,     \
        OP_SYS_ASK, OP_SYS_UPDATE, OP_SYS_UPDATE, OP_SYS_UPDATE, OP_SYS_UPDATE, OP_SYS_UPDATE,     \
        OP_SYS_DRAW, OP_SPAWN, OP_SPAWN, OP_ADD, OP_REMOVE, OP_DESTROY, OP_CMD_ADD, OP_CMD_APPLY,  \
        OP_ITER_BEGIN, OP_SYS_TURN, OP_SYS_RESET
#define STAGING                                                                                    \
    OP_SCENE_ADD, OP_SCENE_ADD, OP_SCENE_ADD, OP_SCENE_CHANGE, OP_SCENE_CHANGE, OP_SCENE_CHANGE,   \
        OP_SCENE_CHANGE, OP_SCENE_CHANGE, OP_SCENE_ASK, OP_CMD_SCENE, OP_CMD_SCENE, OP_CMD_APPLY,  \
        OP_SYS_MAKE, OP_SYS_MAKE, OP_SYS_MAKE, OP_SYS_UPDATE, OP_SYS_UPDATE, OP_SYS_UPDATE,        \
        OP_SYS_UPDATE, OP_SYS_DRAW, OP_SPAWN, OP_ADD, OP_ITER_BEGIN, OP_SYS_ASK

#define SENDING                                                                                    \
    OP_EVENT_EMIT, OP_EVENT_EMIT, OP_EVENT_EMIT, OP_EVENT_EMIT_TO, OP_EVENT_EMIT_TO, OP_CMD_EMIT,  \
        OP_CMD_EMIT, OP_CMD_EMIT_TO, OP_EVENT_READ, OP_EVENT_READ, OP_EVENT_READ, OP_EVENT_ASK,    \
        OP_READER_MAKE, OP_READER_MAKE, OP_READER_DROP, OP_SUBSCRIBE, OP_SUBSCRIBE,                \
        OP_UNSUBSCRIBE, OP_DISPATCH, OP_DISPATCH, OP_EVENT_LIMIT, OP_CMD_APPLY, OP_SYS_UPDATE,     \
        OP_DESTROY

#define OBSERVING                                                                                  \
    OP_OBS_MAKE, OP_OBS_MAKE, OP_OBS_DROP, OP_OBS_REASON, OP_SPAWN, OP_SPAWN, OP_CREATE, OP_COPY,  \
        OP_ADD, OP_ADD, OP_SET, OP_REPLACE, OP_REMOVE, OP_REMOVE_ALL, OP_DESTROY, OP_DISABLE,      \
        OP_ENABLE, OP_ENSURE, OP_CREATE_MANY, OP_SPAWN_MANY, OP_ADD_MANY, OP_REMOVE_MANY,          \
        OP_DESTROY_MANY, OP_CMD_APPLY

#define OWNING_ALL                                                                                 \
    OP_RES_SET, OP_RES_SET, OP_RES_SET, OP_RES_GET, OP_RES_GET, OP_RES_EDIT, OP_RES_EDIT,          \
        OP_RES_ENSURE, OP_RES_ENSURE, OP_RES_REMOVE, OP_CMD_RES_SET, OP_CMD_RES_SET,               \
        OP_CMD_RES_REMOVE, OP_CMD_APPLY, OP_SYS_MAKE, OP_SYS_MAKE, OP_SYS_UPDATE, OP_SYS_UPDATE,   \
        OP_SYS_UPDATE, OP_WORLD_ASK, OP_PLUGIN, OP_SPAWN, OP_QUERY_MAKE, OP_DESTROY

#define RELATING                                                                                   \
    OP_RELATE, OP_RELATE, OP_RELATE, OP_RELATE, OP_SET_PARENT, OP_SET_PARENT, OP_SPAWN, OP_COPY,   \
        OP_DESTROY, OP_DESTROY, OP_UNRELATE, OP_UNRELATE, OP_REMOVE, OP_REMOVE_ALL, OP_CHILD_MOVE, \
        OP_RELATION_VALUE, OP_RELATION_ASK, OP_TREE_ASK, OP_SPAWN, OP_DESTROY_MANY, OP_CMD_RELATE, \
        OP_CMD_RELATE, OP_CMD_APPLY, OP_CREATE
#define BINDING                                                                                    \
    OP_RELATE, OP_RELATE, OP_SET_PARENT, OP_SET_PARENT, OP_SET_PARENT, OP_SPAWN, OP_SET, OP_ADD,   \
        OP_REPLACE, OP_OBS_MAKE, OP_OBS_MAKE, OP_DESTROY, OP_DESTROY, OP_SETTLE, OP_DISABLE,       \
        OP_CMD_RELATE, OP_CMD_SPAWN, OP_CMD_ADD, OP_CMD_DESTROY, OP_CMD_APPLY, OP_SYS_UPDATE,      \
        OP_UNRELATE, OP_TRIM, OP_REMOVE_MANY
#define NAMING                                                                                     \
    OP_SET_NAME, OP_SET_NAME, OP_SET_NAME, OP_SET_NAME, OP_SET_ID, OP_SET_ID, OP_NAME_ASK,         \
        OP_NAME_ASK, OP_NAME_ASK, OP_NAME_ASK, OP_CMD_SET_NAME, OP_CMD_SET_ID, OP_CMD_APPLY,       \
        OP_COPY, OP_DESTROY, OP_DESTROY_MANY, OP_REMOVE_ALL, OP_SPAWN, OP_CREATE, OP_ADD,          \
        OP_SET_PARENT, OP_OBS_MAKE, OP_REMOVE, OP_SET_PARENT

#define FOLLOWING                                                                                  \
    OP_RELATE, OP_RELATE, OP_RELATE, OP_SET_PARENT, OP_UNRELATE, OP_UNRELATE, OP_QUERY_MAKE,       \
        OP_QUERY_MAKE, OP_ITER_BEGIN, OP_ITER_BEGIN, OP_ITER_NEXT, OP_ITER_NEXT, OP_ITER_NEXT,     \
        OP_ITER_END, OP_PASS_WHOLE, OP_PASS_EACH, OP_PASS_SPLIT, OP_QUERY_ASK, OP_QUERY_TELL,      \
        OP_DISABLE, OP_DEACTIVATE, OP_DESTROY, OP_ADD, OP_SPAWN

#define BRANCHING                                                                                  \
    OP_SET_PARENT, OP_SET_PARENT, OP_SET_PARENT, OP_SET_PARENT, OP_SET_PARENT, OP_SET_PARENT,      \
        OP_CHILD_MOVE, OP_CHILD_MOVE, OP_CHILD_MOVE, OP_CHILD_MOVE, OP_TREE_ASK, OP_TREE_ASK,      \
        OP_TREE_ASK, OP_TRAVEL, OP_BP_TAKE, OP_BP_SPAWN, OP_CREATE, OP_SPAWN, OP_AIM, OP_SET_NAME, \
        OP_UNRELATE, OP_DESTROY, OP_PASS_WHOLE, OP_COPY
#define NOTICING                                                                                   \
    OP_RELATE, OP_RELATE, OP_RELATE, OP_UNRELATE, OP_RELATION_VALUE, OP_RELATION_VALUE,            \
        OP_RELATION_VALUE, OP_SET_NAME, OP_SET_NAME, OP_SET_ID, OP_SET_PARENT, OP_QUERY_MAKE,      \
        OP_QUERY_MAKE, OP_QUERY_MAKE, OP_PASS_WHOLE, OP_PASS_WHOLE, OP_PASS_WHOLE, OP_PASS_WHOLE,  \
        OP_PASS_EACH, OP_QUERY_DROP, OP_QUERY_SINCE, OP_DISABLE, OP_SETTLE, OP_SPAWN

#define GATHERING                                                                                  \
    OP_BP_MAKE, OP_BP_MAKE, OP_BP_GIVE, OP_BP_GIVE, OP_BP_GIVE, OP_BP_EDIT, OP_BP_EDIT,            \
        OP_BP_LOOK, OP_BP_TREE, OP_BP_TREE, OP_BP_TREE, OP_BP_SPAWN, OP_BP_SPAWN, OP_BP_SPAWN,     \
        OP_BP_TAKE, OP_BP_TAKE, OP_CMD_BLUEPRINT, OP_CMD_APPLY, OP_TRAVEL, OP_AIM, OP_SPAWN,       \
        OP_SPAWN, OP_ADD, OP_REMOVE
#define TAKING                                                                                     \
    OP_BP_TAKE, OP_BP_TAKE, OP_BP_TAKE, OP_DISABLE, OP_DISABLE, OP_DISABLE, OP_AIM, OP_AIM,        \
        OP_BP_GIVE, OP_BP_GIVE, OP_BP_GIVE, OP_BP_EDIT, OP_BP_EDIT, OP_BP_EDIT, OP_BP_TREE,        \
        OP_BP_TREE, OP_BP_TREE, OP_BP_TREE, OP_BP_SPAWN, OP_BP_SPAWN, OP_BP_SPAWN, OP_BP_MAKE,     \
        OP_SPAWN, OP_SET_PARENT
#define TRAVELLING                                                                                 \
    OP_TRAVEL, OP_TRAVEL, OP_TRAVEL, OP_AIM, OP_AIM, OP_AIM, OP_SPAWN, OP_SPAWN, OP_SPAWN_MANY,    \
        OP_ADD, OP_ADD, OP_REMOVE, OP_DISABLE, OP_SETTLE, OP_COPY, OP_BP_TAKE, OP_BP_SPAWN,        \
        OP_DEACTIVATE, OP_DESTROY, OP_SET, OP_ADD_MANY, OP_GET, OP_BP_GIVE, OP_OBS_MAKE

#define RETURNING                                                                                  \
    OP_TAKE, OP_TAKE, OP_RESTORE, OP_RESTORE, OP_RESTORE, OP_RELEASE, OP_RING, OP_RING, OP_RING,   \
        OP_SPAWN, OP_SPAWN, OP_ADD, OP_REMOVE, OP_SET, OP_WRITE, OP_DESTROY, OP_RELATE,            \
        OP_SET_NAME, OP_SETTLE, OP_SYS_UPDATE, OP_RES_EDIT, OP_EVENT_EMIT, OP_EVENT_READ,          \
        OP_CMD_APPLY

static const mood moods[] = {
    {{GROWING}, 4, 160},   {{COLLAPSING}, 4, 100}, {{CHANGING}, 4, 220},   {{WRITING}, 4, 100},
    {{PASSING}, 4, 140},   {{CROWDING}, 8, 160},   {{SETTLING}, 4, 140},   {{ERRING}, 120, 60},
    {{ASKING}, 30, 160},   {{WALKING}, 4, 180},    {{TRACKING}, 4, 200},   {{WALKING}, 8, 120},
    {{TRACKING}, 8, 240},  {{COMMANDING}, 8, 160}, {{DELAYING}, 4, 140},   {{COMMANDING}, 80, 60},
    {{RUNNING}, 8, 160},   {{RUNNING}, 20, 100},   {{STAGING}, 8, 180},    {{SENDING}, 4, 230},
    {{SENDING}, 20, 200},  {{OBSERVING}, 8, 160},  {{OWNING_ALL}, 8, 60},  {{RELATING}, 6, 100},
    {{BINDING}, 6, 100},   {{RELATING}, 40, 60},   {{BINDING}, 4, 160},    {{NAMING}, 8, 160},
    {{NAMING}, 30, 100},   {{FOLLOWING}, 4, 60},   {{FOLLOWING}, 8, 160},  {{FOLLOWING}, 4, 200},
    {{GATHERING}, 8, 160}, {{TRAVELLING}, 6, 200}, {{GATHERING}, 24, 100}, {{TRAVELLING}, 4, 100},
    {{BRANCHING}, 4, 100}, {{NOTICING}, 4, 120},   {{TAKING}, 4, 220},     {{RETURNING}, 4, 140},
};

typedef struct generator {
    uint64_t state;
    script_size size;
    const mood* mood;
    uint32_t left; // operations until the mood changes
    uint8_t type;
    uint16_t set;
    uint8_t side; // 0 or 1; 2: both worlds in turn
    bool many_types;
    bool heavy; // prefers large types
} generator;

static uint8_t some_type(generator* g) {
    static const uint8_t large[8] = {92, 126, 150, 156, 157, 158, 159, 164};
    uint32_t r = (uint32_t)script_random(&g->state);
    if (g->heavy && r >> 31) return large[r % 8];
    uint32_t made = g->many_types ? 60 : 4;
    bool is_made = r % 256 < (g->many_types ? 160u : 12u);
    if (r % 256 >= 236) return (uint8_t)(234 + (r >> 8) % 6); // relations
    return (uint8_t)(is_made ? 180 + (r >> 8) % made : (r >> 8) % 180);
}

static uint16_t some_set(generator* g) {
    uint64_t r = script_random(&g->state);
    uint64_t set = r & (r >> 16);
    if (r >> 32 & 1) set &= r >> 33;
    return (uint16_t)(set & 0x3fff);
}

static void change_mood(generator* g) {
    uint64_t r = script_random(&g->state);
    bool grow = !g->mood || (r >> 50) % 4 == 0; // at first, and more often than it shrinks
    g->mood = &moods[grow ? 0 : r % (sizeof moods / sizeof moods[0])];
    g->left = (uint32_t)(16 + (r >> 8) % (g->size == SCRIPT_BRIEF ? 32 : 600));
    g->type = some_type(g);
    g->set = some_set(g);
    g->side = (uint8_t)((r >> 40) % 4 == 0 ? 2 : (r >> 42) % 8 == 0);
}

// Once in a while something that no mood thinks of.
static uint8_t rare_op(uint64_t r) {
    switch (r % 16) {
    case 0:
        return OP_CLEAR;
    case 1:
        return OP_RENEW;
    case 2:
        return OP_WEAR;
    case 3:
        return OP_TRIM;
    case 4:
    case 5:
        return OP_TYPE_TABLE;
    case 6:
    case 7:
        return OP_REGISTER;
    case 8:
        return OP_RESERVE;
    case 9:
    case 10:
        return OP_UNREGISTER;
    default:
        return OP_SETTLE;
    }
}

// Whatever the mood, somebody is looking; less often where there is much to look at.
static uint8_t looking_op(uint64_t r) {
    static const uint8_t ops[16] = {OP_QUERY_MAKE, OP_QUERY_MAKE, OP_QUERY_MAKE, OP_PASS_WHOLE,
                                    OP_PASS_WHOLE, OP_PASS_EACH,  OP_PASS_SPLIT, OP_ITER_BEGIN,
                                    OP_ITER_BEGIN, OP_ITER_NEXT,  OP_ITER_NEXT,  OP_ITER_NEXT,
                                    OP_ITER_NEXT,  OP_QUERY_ASK,  OP_QUERY_DROP, OP_ITER_END};
    return ops[r % 16];
}

// And somebody defers something.
static uint8_t deferring_op(uint64_t r) {
    static const uint8_t ops[16] = {
        OP_CMD_SPAWN, OP_CMD_CREATE, OP_CMD_DESTROY, OP_CMD_DESTROY,  OP_CMD_ADD,  OP_CMD_ADD,
        OP_CMD_SET,   OP_CMD_SET,    OP_CMD_REMOVE,  OP_CMD_DISABLE,  OP_CMD_CALL, OP_CMD_CALL,
        OP_CMD_APPLY, OP_CMD_APPLY,  OP_CMD_APPLY,   OP_CMD_GIVE_BACK};
    return ops[r % 16];
}

// And somebody sends or hears something.
static uint8_t sending_op(uint64_t r) {
    static const uint8_t ops[16] = {
        OP_EVENT_EMIT,  OP_EVENT_EMIT,  OP_EVENT_EMIT_TO, OP_CMD_EMIT,
        OP_CMD_EMIT_TO, OP_EVENT_READ,  OP_EVENT_READ,    OP_EVENT_READ,
        OP_READER_MAKE, OP_READER_DROP, OP_SUBSCRIBE,     OP_UNSUBSCRIBE,
        OP_DISPATCH,    OP_EVENT_ASK,   OP_EVENT_CLEAR,   OP_EVENT_LIMIT};
    return ops[r % 16];
}

// And somebody uses what the world itself has.
static uint8_t sharing_op(uint64_t r) {
    static const uint8_t ops[16] = {
        OP_RES_SET,     OP_RES_SET,    OP_RES_SET,     OP_RES_GET,
        OP_RES_GET,     OP_RES_EDIT,   OP_RES_EDIT,    OP_RES_ENSURE,
        OP_RES_ENSURE,  OP_RES_REMOVE, OP_CMD_RES_SET, OP_CMD_RES_REMOVE,
        OP_CMD_RES_SET, OP_WORLD_ASK,  OP_WORLD_ASK,   OP_PLUGIN};
    return ops[r % 16];
}

// And somebody goes back.
static uint8_t returning_op(uint64_t r) {
    static const uint8_t ops[8] = {OP_TAKE,    OP_TAKE,    OP_TAKE, OP_RESTORE,
                                   OP_RESTORE, OP_RELEASE, OP_RING, OP_RING};
    return ops[r % 8];
}

static void generate_op(generator* g, uint8_t* bytes) {
    if (g->left-- == 0) change_mood(g);
    uint64_t a = script_random(&g->state), b = script_random(&g->state);
    uint64_t c = script_random(&g->state);
    write32(bytes + 4, (uint32_t)a);
    write32(bytes + 8, (uint32_t)b);
    write32(bytes + 12, (uint32_t)c);
    bytes[0] = (c >> 32) % 128 == 0 ? rare_op(c >> 40) : g->mood->ops[(a >> 32) % 24];
    if ((c >> 33) % (g->size == SCRIPT_LARGE ? 64 : 16) == 1) bytes[0] = looking_op(c >> 39);
    if ((c >> 33) % 16 == 2) bytes[0] = deferring_op(c >> 39);
    if ((c >> 33) % 16 == 3) bytes[0] = sending_op(c >> 39);
    if ((c >> 33) % 32 == 4) bytes[0] = sharing_op(c >> 39);
    if ((c >> 33) % 128 == 5) bytes[0] = OP_HASH;
    if ((c >> 33) % 128 == 6) bytes[0] = OP_EXCURSION;
    if ((c >> 33) % 256 == 9) bytes[0] = OP_REPLAY;
    if ((c >> 33) % 256 == 10) bytes[0] = OP_DELTA;
    if ((c >> 33) % 512 == 7) bytes[0] = returning_op(c >> 42);
    uint8_t side = g->side == 2 ? (uint8_t)(a >> 40 & 1) : g->side;
    bytes[1] = (uint8_t)((a >> 48 & 0xfe) | side);
    bool wrong_entity = (uint8_t)(b >> 32) < g->mood->wrong;
    bytes[2] = (uint8_t)(wrong_entity ? 200 + (b >> 40) % 56 : (b >> 40) % 200);
    bool focus = (uint8_t)(b >> 48) < g->mood->focus;
    bytes[3] = focus ? g->type : some_type(g);
    if ((uint8_t)(b >> 56) < g->mood->wrong / 2) bytes[3] = (uint8_t)(240 + (c >> 48) % 16);
    uint16_t set = focus ? g->set : some_set(g);
    if ((uint8_t)(c >> 56) < g->mood->wrong / 2) set |= 0x8000;
    if ((c >> 50) % 64 == 0) set |= 0x4000;
    bytes[14] = (uint8_t)set;
    bytes[15] = (uint8_t)(set >> 8);
}

static void generate_header(generator* g, uint8_t* bytes) {
    for (uint32_t i = 0; i < 12; i++) bytes[i] = (uint8_t)script_random(&g->state);
    uint8_t r = bytes[8];
    memset(bytes + 12, 0, 4);
    bytes[8] = (uint8_t)(g->size == SCRIPT_LARGE ? 5 + r % 3 : r % 5);
    bytes[9] = (uint8_t)(g->size == SCRIPT_LARGE   ? 5 + bytes[9] % 3
                         : g->size == SCRIPT_SMALL ? bytes[9] % 3
                                                   : bytes[9] % 5);
    bytes[10] = (uint8_t)(g->size == SCRIPT_BRIEF ? 2 : 3 + bytes[10] % 3);
    if (g->size != SCRIPT_LARGE) bytes[3] = 0, bytes[7] = 0;
}

void script_generate(uint8_t* bytes, size_t operations, uint64_t seed, script_size size) {
    generator g = {.state = seed, .size = size};
    generate_header(&g, bytes);
    uint64_t r = script_random(&g.state);
    g.many_types = r % 8 == 0;
    g.heavy = r % 8 == 1;
    if (g.heavy && size == SCRIPT_BRIEF) bytes[8] = bytes[9] = 4;
    for (size_t i = 1; i <= operations; i++) generate_op(&g, bytes + i * SCRIPT_STEP);
}
