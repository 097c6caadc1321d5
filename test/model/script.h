// Scripts: lists of operations as bytes.
//
// A script is a header and any number of operations, 16 bytes each, so that an operation can be cut
// out and the others still mean the same. Any bytes are a script: those that the generator makes
// from a seed are only better balanced. Numbers are little-endian.
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCRIPT_STEP 16u // bytes of the header, and of each operation

#define SCRIPT_OPS(X)                                                                              \
    X(CREATE)                                                                                      \
    X(SPAWN)                                                                                       \
    X(COPY)                                                                                        \
    X(CREATE_INACTIVE)                                                                             \
    X(DEACTIVATE)                                                                                  \
    X(ACTIVATE)                                                                                    \
    X(DESTROY)                                                                                     \
    X(ALIVE)                                                                                       \
    X(ADD)                                                                                         \
    X(SET)                                                                                         \
    X(REPLACE)                                                                                     \
    X(ENSURE)                                                                                      \
    X(GET)                                                                                         \
    X(WRITE)                                                                                       \
    X(HAS)                                                                                         \
    X(REMOVE)                                                                                      \
    X(REMOVE_ALL)                                                                                  \
    X(ENABLE)                                                                                      \
    X(DISABLE)                                                                                     \
    X(TYPES_OF)                                                                                    \
    X(SIGNATURE)                                                                                   \
    X(CREATE_MANY)                                                                                 \
    X(DESTROY_MANY)                                                                                \
    X(ADD_MANY)                                                                                    \
    X(REMOVE_MANY)                                                                                 \
    X(SPAWN_MANY)                                                                                  \
    X(RESERVE)                                                                                     \
    X(REGISTER)                                                                                    \
    X(UNREGISTER)                                                                                  \
    X(TYPE_TABLE)                                                                                  \
    X(SETTLE)                                                                                      \
    X(TRIM)                                                                                        \
    X(CLEAR)                                                                                       \
    X(RENEW)                                                                                       \
    X(WEAR)                                                                                        \
    X(MARK)                                                                                        \
    X(QUERY_MAKE)                                                                                  \
    X(QUERY_DROP)                                                                                  \
    X(QUERY_ASK)                                                                                   \
    X(QUERY_TELL)                                                                                  \
    X(QUERY_SINCE)                                                                                 \
    X(QUERY_STATS)                                                                                 \
    X(PASS_WHOLE)                                                                                  \
    X(PASS_EACH)                                                                                   \
    X(PASS_SPLIT)                                                                                  \
    X(ITER_BEGIN)                                                                                  \
    X(ITER_NEXT)                                                                                   \
    X(ITER_COLUMN)                                                                                 \
    X(ITER_END)                                                                                    \
    X(CMD_TAKE)                                                                                    \
    X(CMD_GIVE_BACK)                                                                               \
    X(CMD_CLEAR)                                                                                   \
    X(CMD_STRICT)                                                                                  \
    X(CMD_ASK)                                                                                     \
    X(CMD_CREATE)                                                                                  \
    X(CMD_SPAWN)                                                                                   \
    X(CMD_CREATE_INACTIVE)                                                                         \
    X(CMD_DEACTIVATE)                                                                              \
    X(CMD_ACTIVATE)                                                                                \
    X(CMD_DESTROY)                                                                                 \
    X(CMD_REMOVE_ALL)                                                                              \
    X(CMD_ADD)                                                                                     \
    X(CMD_SET)                                                                                     \
    X(CMD_REPLACE)                                                                                 \
    X(CMD_ENSURE)                                                                                  \
    X(CMD_REMOVE)                                                                                  \
    X(CMD_ENABLE)                                                                                  \
    X(CMD_DISABLE)                                                                                 \
    X(CMD_MARK)                                                                                    \
    X(CMD_CALL)                                                                                    \
    X(CMD_SCENE)                                                                                   \
    X(CMD_APPLY)                                                                                   \
    X(SYS_MAKE)                                                                                    \
    X(SYS_DROP)                                                                                    \
    X(SYS_TURN)                                                                                    \
    X(SYS_TIME)                                                                                    \
    X(SYS_ASK)                                                                                     \
    X(SYS_UPDATE)                                                                                  \
    X(SYS_DRAW)                                                                                    \
    X(SYS_RESET)                                                                                   \
    X(SCENE_ADD)                                                                                   \
    X(SCENE_CHANGE)                                                                                \
    X(SCENE_ASK)                                                                                   \
    X(CMD_EMIT)                                                                                    \
    X(CMD_EMIT_TO)                                                                                 \
    X(EVENT_READ)                                                                                  \
    X(EVENT_ASK)                                                                                   \
    X(EVENT_EMIT)                                                                                  \
    X(EVENT_EMIT_TO)                                                                               \
    X(EVENT_LIMIT)                                                                                 \
    X(EVENT_CLEAR)                                                                                 \
    X(READER_MAKE)                                                                                 \
    X(READER_DROP)                                                                                 \
    X(SUBSCRIBE)                                                                                   \
    X(UNSUBSCRIBE)                                                                                 \
    X(DISPATCH)                                                                                    \
    X(OBS_MAKE)                                                                                    \
    X(OBS_DROP)                                                                                    \
    X(OBS_REASON)                                                                                  \
    X(CMD_RES_SET)                                                                                 \
    X(CMD_RES_REMOVE)                                                                              \
    X(RES_SET)                                                                                     \
    X(RES_GET)                                                                                     \
    X(RES_EDIT)                                                                                    \
    X(RES_ENSURE)                                                                                  \
    X(RES_REMOVE)                                                                                  \
    X(WORLD_ASK)                                                                                   \
    X(PLUGIN)                                                                                      \
    X(RELATE)                                                                                      \
    X(UNRELATE)                                                                                    \
    X(SET_PARENT)                                                                                  \
    X(CHILD_MOVE)                                                                                  \
    X(RELATION_VALUE)                                                                              \
    X(RELATION_ASK)                                                                                \
    X(TREE_ASK)                                                                                    \
    X(CMD_RELATE)                                                                                  \
    X(SET_NAME)                                                                                    \
    X(SET_ID)                                                                                      \
    X(NAME_ASK)                                                                                    \
    X(CMD_SET_NAME)                                                                                \
    X(CMD_SET_ID)                                                                                  \
    X(BP_MAKE)                                                                                     \
    X(BP_GIVE)                                                                                     \
    X(BP_EDIT)                                                                                     \
    X(BP_LOOK)                                                                                     \
    X(BP_TREE)                                                                                     \
    X(BP_SPAWN)                                                                                    \
    X(BP_TAKE)                                                                                     \
    X(CMD_BLUEPRINT)                                                                               \
    X(TRAVEL)                                                                                      \
    X(AIM)                                                                                         \
    X(HASH)                                                                                        \
    X(EXCURSION)                                                                                   \
    X(REPLAY)                                                                                      \
    X(DELTA)                                                                                       \
    X(TAKE)                                                                                        \
    X(RESTORE)                                                                                     \
    X(RELEASE)                                                                                     \
    X(RING)

typedef enum script_kind {
#define SCRIPT_KIND_(name) OP_##name,
    SCRIPT_OPS(SCRIPT_KIND_)
#undef SCRIPT_KIND_
    OP_COUNT
} script_kind;

// How to make a world.
typedef struct script_world {
    uint8_t flags; // two bits set: no recycling; two: a maximum; three: restricted to some types;
                   // the last: workers
    uint8_t tag;
    uint16_t max;
} script_world;

typedef struct script_header {
    script_world worlds[2];
    uint32_t range;   // entities are picked among so many slots
    uint32_t bulk;    // bulk verbs do so many at most
    uint32_t every;   // operations between two comparisons of everything
    uint32_t fail_at; // the request for memory that fails, 0 for none
    bool forever;     // and all that follow it
    bool is_scarce;   // commands are recorded and applied with too little memory, now and then
    bool are_alone;   // systems that are not parallel are a wave each, so that their handles can be
                      // foretold
    bool is_loose;    // handles are not foretold, and pieces create
    bool is_spacious; // they also do so where that takes fresh pages
    bool is_observed; // there may be observers
} script_header;

typedef struct script_op {
    script_kind kind;
    uint8_t side;   // which of the two worlds
    uint8_t flags;  // small choices
    uint8_t mode;   // how the entity is picked: below 200 one that is alive, if there is one
    uint8_t type;   // for catalog_choose
    uint32_t pick;  // of the entity
    uint32_t seed;  // of values
    uint16_t count; // of bulk verbs
    uint16_t set;   // of types: 14 of catalog_common, `type`, and one that is wrong
} script_op;

const char* script_op_name(script_kind kind);

script_header script_read_header(const uint8_t* bytes);
script_op script_read_op(const uint8_t* bytes);
// Plan a failure of memory in a script's header.
void script_write_failure(uint8_t* bytes, uint32_t fail_at, bool forever);

// What a generated script should be like.
typedef enum script_size {
    SCRIPT_SMALL, // some dozens of entities
    SCRIPT_LARGE, // some thousands, and bulk verbs to match
    SCRIPT_BRIEF  // few operations, on up to some hundreds
} script_size;

// Fill `bytes` with a header and operations. The same seed gives the same script.
void script_generate(uint8_t* bytes, size_t operations, uint64_t seed, script_size size);

// The next number of a seeded sequence.
uint64_t script_random(uint64_t* state);

#endif
