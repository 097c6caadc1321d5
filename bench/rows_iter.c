// Iterating: the same kernels over raw's arrays and over the runs of a query.
//
// raw keeps those who match and those who do not in groups of their own; the first `matching`
// groups are walked. In frag_1024 all match and the ten other types play no part, so that raw's
// quickest form is one group.
#include "rows.h"
#include "stage.h"

#define TIME_STEP 0.015625f

static ilk_type* const two_types[] = {&Position_type, &Velocity_type};

// What is written stands first.
static ilk_type* const three_types[] = {&Position_type, &Comflab_type, &Velocity_type};

static ilk_type* const rare_types[] = {&Position_type, &Mat_type};

static ilk_type* const letters_types[] = {
    &Data_type,        &letter_types[0],  &letter_types[1],  &letter_types[2],  &letter_types[3],
    &letter_types[4],  &letter_types[5],  &letter_types[6],  &letter_types[7],  &letter_types[8],
    &letter_types[9],  &letter_types[10], &letter_types[11], &letter_types[12], &letter_types[13],
    &letter_types[14], &letter_types[15], &letter_types[16], &letter_types[17], &letter_types[18],
    &letter_types[19], &letter_types[20], &letter_types[21], &letter_types[22], &letter_types[23],
    &letter_types[24], &letter_types[25],
};

static ilk_type* const bits_types[] = {
    &Position_type, &Velocity_type, &bit_types[0], &bit_types[1], &bit_types[2], &bit_types[3],
    &bit_types[4],  &bit_types[5],  &bit_types[6], &bit_types[7], &bit_types[8], &bit_types[9],
};

static uint32_t every_second(uint32_t i, uint32_t n) {
    (void)n;
    return i % 2 ? 0 : 2;
}

static uint32_t parity(uint32_t i, uint32_t n) {
    (void)n;
    return i % 2;
}

static uint32_t random_half(uint32_t i, uint32_t n) {
    return stage_half(i, n) ? 2 : 0;
}

static uint32_t other_half(uint32_t i, uint32_t n) {
    return !stage_half(i, n);
}

static uint32_t half_off(uint32_t i, uint32_t n) {
    return stage_half(i, n) ? 0 : 2;
}

static uint32_t random_few(uint32_t i, uint32_t n) {
    return stage_order(n)[i] < n / 100 ? 2 : 0;
}

static uint32_t all_but_few(uint32_t i, uint32_t n) {
    return !random_few(i, n);
}

// The letters come one after the other, each with its share of the entities.
static uint32_t letter_of(uint32_t i, uint32_t n) {
    return (uint32_t)((uint64_t)i * LETTERS / n);
}

static uint32_t letter_mask(uint32_t i, uint32_t n) {
    return 2u << letter_of(i, n);
}

static uint32_t bits_mask(uint32_t i, uint32_t n) {
    (void)n;
    return (stage_hash(i) & ((1u << BITS) - 1)) << 2;
}

#define SETS 1000u  // each is its number in bits
#define CHOSEN 250u // of them have the first bit and not the second

static uint32_t set_of(uint32_t i, uint32_t n) {
    return (uint32_t)((uint64_t)i * SETS / n);
}

static uint32_t set_mask(uint32_t i, uint32_t n) {
    return set_of(i, n) << 2;
}

static uint32_t chosen_set(uint32_t i, uint32_t n) {
    return set_of(i, n) % 4 == 1 ? set_of(i, n) / 4 : CHOSEN;
}

static const population people_1 = {two_types, 1, .all = 1};
static const population people_2 = {two_types, 2, .all = 3};
static const population people_3 = {three_types, 3, .all = 7};
static const population half_people = {
    two_types, 2, .all = 1, .born = every_second, .group = parity, .groups = 2,
};
static const population churn_people = {
    two_types,           2,           .all = 1, .later = random_half, .at_random = true,
    .group = other_half, .groups = 2,
};
static const population toggle_people = {
    two_types, 2, .all = 3, .off = half_off, .group = other_half, .groups = 2,
};
static const population rare_people = {
    rare_types,           2,           .all = 1, .later = random_few, .at_random = true,
    .group = all_but_few, .groups = 2,
};
static const population letters_people = {
    letters_types,       1 + LETTERS,        .all = 1,
    .born = letter_mask, .group = letter_of, .groups = LETTERS,
};
static const population bits_people = {bits_types, 2 + BITS, .all = 3, .born = bits_mask};
static const population sets_people = {
    bits_types,           2 + BITS,         .all = 3, .born = set_mask, .group = chosen_set,
    .groups = CHOSEN + 1, .reserves = true,
};
static const population bits_later_people = {bits_types, 2 + BITS, .all = 3, .later = bits_mask};

static ALWAYS_INLINE void step(Position* restrict p, uint32_t count) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) p[i].x += 1;
}

static ALWAYS_INLINE void move(Position* restrict p, const Velocity* restrict v, uint32_t count) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * TIME_STEP;
        p[i].y += v[i].y * TIME_STEP;
    }
}

// Each row is read before any of it is written: gcc, left to vectorise the fields one by one,
// reads back what it just stored in parts, and takes five times as long.
static ALWAYS_INLINE void move_count(Position* restrict p, Comflab* restrict c,
                                     const Velocity* restrict v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const float x = p[i].x + v[i].x * TIME_STEP, y = p[i].y + v[i].y * TIME_STEP;
        const float a = c[i].a * 1.000001f;
        const int b = c[i].b + 1, d = c[i].c + 1;
        p[i] = (Position){x, y};
        c[i] = (Comflab){a, b, d};
    }
}

static ALWAYS_INLINE void shift(Position* restrict p, const Mat* restrict m, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) p[i].x += m[i].m[0] * TIME_STEP;
}

static ALWAYS_INLINE void twice(Data* restrict d, uint32_t count) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) d[i].value *= 2;
}

// A kernel over the columns of one run.
typedef void kernel(void* const* columns, uint32_t count);

static ALWAYS_INLINE void step_columns(void* const* columns, uint32_t count) {
    step(columns[0], count);
}

static ALWAYS_INLINE void move_columns(void* const* columns, uint32_t count) {
    move(columns[0], columns[1], count);
}

static ALWAYS_INLINE void move_count_columns(void* const* columns, uint32_t count) {
    move_count(columns[0], columns[1], columns[2], count);
}

static ALWAYS_INLINE void shift_columns(void* const* columns, uint32_t count) {
    shift(columns[0], columns[1], count);
}

static ALWAYS_INLINE void twice_columns(void* const* columns, uint32_t count) {
    twice(columns[0], count);
}

static ALWAYS_INLINE uint64_t raw_walk(const raw_stage* s, kernel* work, uint32_t matching) {
    uint64_t visited = 0;
    for (uint32_t g = 0; g < matching; g++) {
        work(s->groups[g].columns, s->groups[g].used);
        visited += s->groups[g].used;
    }
    return visited;
}

// Makes the query of a stage when it is first used; that is not timed.
static ALWAYS_INLINE ilk_iter begin(ilk_stage* s, const ilk_query_desc* desc) {
    if (!s->query) s->query = ilk_query_create(s->world, desc);
    return ilk_query_iter(s->world, s->query);
}

static const ilk_query_desc steps = {.write = {&Position_type}};
static const ilk_query_desc moves = {.write = {&Position_type}, .read = {&Velocity_type}};
static const ilk_query_desc counts = {
    .write = {&Position_type, &Comflab_type},
    .read = {&Velocity_type},
};
static const ilk_query_desc shifts = {.write = {&Position_type}, .read = {&Mat_type}};
static const ilk_query_desc doubles = {.write = {&Data_type}};
static const ilk_query_desc chosen_moves = {
    .write = {&Position_type},
    .read = {&Velocity_type},
    .with = {&bit_types[0]},
    .without = {&bit_types[1]},
};

static uint64_t raw_step(void* state) {
    return raw_walk(state, step_columns, 1);
}

static uint64_t ilk_step(void* state) {
    uint64_t visited = 0;
    for (ilk_iter it = begin(state, &steps); ilk_next(&it); visited += it.count) {
        step(ILK_WRITE(&it, Position), it.count);
    }
    return visited;
}

static uint64_t raw_move(void* state) {
    return raw_walk(state, move_columns, 1);
}

static uint64_t ilk_move(void* state) {
    uint64_t visited = 0;
    for (ilk_iter it = begin(state, &moves); ilk_next(&it); visited += it.count) {
        move(ILK_WRITE(&it, Position), ILK_READ(&it, Velocity), it.count);
    }
    return visited;
}

// The form for rows that lie scattered.
static uint64_t ilk_move_rows(void* state) {
    uint64_t visited = 0;
    for (ilk_iter it = begin(state, &moves); ilk_next_rows(&it); visited += it.count) {
        Position* restrict p = ILK_WRITE(&it, Position);
        const Velocity* restrict v = ILK_READ(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            const uint32_t row = it.rows[i];
            p[row].x += v[row].x * TIME_STEP;
            p[row].y += v[row].y * TIME_STEP;
        }
    }
    return visited;
}

static uint64_t raw_move_count(void* state) {
    return raw_walk(state, move_count_columns, 1);
}

static uint64_t ilk_move_count(void* state) {
    uint64_t visited = 0;
    for (ilk_iter it = begin(state, &counts); ilk_next(&it); visited += it.count) {
        move_count(ILK_WRITE(&it, Position), ILK_WRITE(&it, Comflab), ILK_READ(&it, Velocity),
                   it.count);
    }
    return visited;
}

static uint64_t raw_shift(void* state) {
    return raw_walk(state, shift_columns, 1);
}

static uint64_t ilk_shift(void* state) {
    uint64_t visited = 0;
    for (ilk_iter it = begin(state, &shifts); ilk_next(&it); visited += it.count) {
        shift(ILK_WRITE(&it, Position), ILK_READ(&it, Mat), it.count);
    }
    return visited;
}

static uint64_t raw_move_chosen(void* state) {
    return raw_walk(state, move_columns, CHOSEN);
}

static uint64_t ilk_move_once(void* state) {
    const ilk_stage* s = state;
    uint64_t visited = 0;
    ilk_query* query = ilk_query_create(s->world, &chosen_moves);
    for (ilk_iter it = ilk_query_iter(s->world, query); ilk_next(&it); visited += it.count) {
        move(ILK_WRITE(&it, Position), ILK_READ(&it, Velocity), it.count);
    }
    ilk_query_destroy(query);
    return visited;
}

static uint64_t raw_twice(void* state) {
    return raw_walk(state, twice_columns, LETTERS);
}

static uint64_t ilk_twice(void* state) {
    uint64_t visited = 0;
    for (ilk_iter it = begin(state, &doubles); ilk_next(&it); visited += it.count) {
        twice(ILK_WRITE(&it, Data), it.count);
    }
    return visited;
}

const bench_work work_iter_1 = {
    .about = &people_1,
    .raw = RAW_SIDE(full, raw_step),
    .ilk = ILK_SIDE(full, ilk_step),
};

const bench_work work_iter_2 = {
    .about = &people_2,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(full, ilk_move),
};

const bench_work work_iter_3 = {
    .about = &people_3,
    .raw = RAW_SIDE(full, raw_move_count),
    .ilk = ILK_SIDE(full, ilk_move_count),
};

const bench_work work_iter_2_half = {
    .about = &half_people,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(full, ilk_move),
};

const bench_work work_iter_churn = {
    .about = &churn_people,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(full, ilk_move_rows),
};

const bench_work work_iter_settled = {
    .about = &churn_people,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(settled, ilk_move),
};

const bench_work work_iter_toggle = {
    .about = &toggle_people,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(full, ilk_move_rows),
};

const bench_work work_iter_rare_1pct = {
    .about = &rare_people,
    .raw = RAW_SIDE(full, raw_shift),
    .ilk = ILK_SIDE(full, ilk_shift),
};

const bench_work work_query_once = {
    .about = &sets_people,
    .raw = RAW_SIDE(full, raw_move_chosen),
    .ilk = ILK_SIDE(full, ilk_move_once),
};

const bench_work work_frag_26 = {
    .about = &letters_people,
    .raw = RAW_SIDE(full, raw_twice),
    .ilk = ILK_SIDE(full, ilk_twice),
};

const bench_work work_frag_1024 = {
    .about = &bits_people,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(full, ilk_move),
};

const bench_work work_frag_1024_later = {
    .about = &bits_later_people,
    .raw = RAW_SIDE(full, raw_move),
    .ilk = ILK_SIDE(full, ilk_move),
};
