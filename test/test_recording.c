// Recordings: inputs and hashes, in memory and as bytes that nobody can spoil unnoticed.
#include "history/recording.h"

#include "support.h"

enum {
    HEAD = 20,
    CHECKSUM = 8
};

typedef struct shelf {
    meter meter;
    ilki_memory memory;
    ilki_recording recording;
} shelf;

static int open_shelf(void** state) {
    shelf* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->meter.left = UINT64_MAX;
    ilki_memory_init(&s->memory, &(ilk_allocator){meter_alloc, meter_free, &s->meter});
    *state = s;
    return 0;
}

static int close_shelf(void** state) {
    shelf* s = *state;
    ilki_recording_fini(&s->recording, &s->memory);
    assert_int_equal(s->meter.bytes, 0);
    assert_false(s->meter.mismatch);
    free(s);
    return 0;
}

#define SHELF_TEST(function) cmocka_unit_test_setup_teardown(function, open_shelf, close_shelf)

static void put_input(shelf* s, uint32_t frame, const void* input, size_t size) {
    assert_ok(ilki_recording_ready(&s->recording, &s->memory, frame, &input, size));
    ilki_recording_put(&s->recording, frame, input, size);
}

static void note_if_hashed(shelf* s, uint32_t frame, uint64_t world) {
    if (ilki_is_hashed(&s->recording, frame)) ilki_recording_note(&s->recording, frame, world);
}

// Frames whose inputs are 0, 1, 2… 6, 0, 1… letters.
static void fill_shelf(shelf* s, uint32_t frames, uint32_t hash_every, uint64_t odd) {
    assert_true(ilki_recording_init(&s->recording, &s->memory, hash_every));
    ilki_recording_note(&s->recording, 0, 77);
    for (uint32_t frame = 0; frame < frames; frame++) {
        put_input(s, frame, "abcdefg", frame % 7);
        note_if_hashed(s, frame + 1, frame + 1 == odd ? 1234 : frame);
    }
}

static void inputs_are_kept(void** state) {
    shelf* s = *state;
    fill_shelf(s, 500, 1, 0);
    for (uint32_t frame = 1; frame <= 500; frame++) {
        size_t size;
        const void* input = ilki_recording_input(&s->recording, frame, &size);
        assert_int_equal(size, (frame - 1) % 7);
        if (size) assert_memory_equal(input, "abcdefg", size);
        if (!size) assert_null(input);
    }
    put_input(s, 100, "xyz", 3);
    assert_int_equal(s->recording.frames, 101);
    size_t size;
    assert_memory_equal(ilki_recording_input(&s->recording, 101, &size), "xyz", 3);
    assert_int_equal(size, 3);
}

// An input that is one of those that are recorded may be recorded again, although they move.
static void an_input_may_be_an_earlier_one(void** state) {
    shelf* s = *state;
    assert_true(ilki_recording_init(&s->recording, &s->memory, 1));
    put_input(s, 0, "abcdefg", 7);
    for (uint32_t frame = 1; frame < 100; frame++) {
        size_t size;
        const void* input = ilki_recording_input(&s->recording, frame, &size);
        put_input(s, frame, input, size);
    }
    size_t size;
    assert_memory_equal(ilki_recording_input(&s->recording, 100, &size), "abcdefg", 7);
    const void* last = ilki_recording_input(&s->recording, 100, &size);
    put_input(s, 0, last, size);
    assert_memory_equal(ilki_recording_input(&s->recording, 1, &size), "abcdefg", 7);
}

static void what_is_too_much_is_refused(void** state) {
    shelf* s = *state;
    fill_shelf(s, 10, 1, 0);
    const void* input = "a";
    ilki_recording* recording = &s->recording;
    assert_int_equal(ilki_recording_ready(recording, &s->memory, 10, &input, UINT32_MAX), ILK_FULL);
    s->meter.left = 0;
    assert_int_equal(ilki_recording_ready(recording, &s->memory, 10, &input, 1000), ILK_NO_MEMORY);
    assert_int_equal(recording->frames, 10);
    s->meter.left = UINT64_MAX;
    put_input(s, 10, input, 1);
}

// Two recordings of which the second is another in one frame, and comes to the same after it.
static void assert_part(uint32_t frames, uint32_t others, uint32_t hash_every, uint64_t odd,
                        uint32_t wanted) {
    void *here, *there;
    open_shelf(&here);
    open_shelf(&there);
    shelf *a = here, *b = there;
    fill_shelf(a, frames, hash_every, 0);
    fill_shelf(b, others, hash_every, odd);
    assert_int_equal(ilki_recordings_part(&a->recording, &b->recording), wanted);
    assert_int_equal(ilki_recordings_part(&b->recording, &a->recording), wanted);
    close_shelf(&here);
    close_shelf(&there);
}

static void the_first_that_differs_is_found(void** state) {
    (void)state;
    for (uint32_t odd = 1; odd <= 64; odd++) assert_part(64, 64, 1, odd, odd);
    for (uint32_t odd = 1; odd <= 64; odd++) assert_part(64, 50, 1, odd, odd < 50 ? odd : 50);
    for (uint32_t odd = 4; odd <= 60; odd += 4) assert_part(64, 64, 4, odd, odd);
    assert_part(0, 0, 1, 0, 0);
    assert_part(0, 9, 4, 0, 0);
    assert_part(63, 64, 4, 0, 63);
}

// Bytes.

static unsigned char* written(const shelf* s, size_t* size) {
    *size = ilki_recording_size(&s->recording);
    unsigned char* bytes = malloc(*size);
    assert_non_null(bytes);
    ilki_recording_write(&s->recording, bytes);
    return bytes;
}

static ilk_result read_bytes(shelf* s, const unsigned char* bytes, size_t size) {
    const char* why = NULL;
    ilki_recording read;
    ilk_result result = ilki_recording_read(&read, &s->memory, bytes, size, &why);
    if (result == ILK_INVALID) assert_non_null(why);
    ilki_recording_fini(&read, &s->memory);
    return result;
}

static void assert_round_trip(uint32_t frames, uint32_t hash_every) {
    void* state;
    open_shelf(&state);
    shelf* s = state;
    fill_shelf(s, frames, hash_every, 0);
    size_t size, again;
    unsigned char* bytes = written(s, &size);
    ilki_recording_fini(&s->recording, &s->memory);
    const char* why;
    assert_ok(ilki_recording_read(&s->recording, &s->memory, bytes, size, &why));
    assert_int_equal(s->recording.frames, frames);
    unsigned char* second = written(s, &again);
    assert_int_equal(again, size);
    assert_memory_equal(second, bytes, size);
    free(second);
    free(bytes);
    close_shelf(&state);
}

static void bytes_are_read_as_they_were_written(void** state) {
    (void)state;
    for (uint32_t frames = 0; frames < 20; frames++) {
        for (uint32_t every = 1; every < 5; every++) assert_round_trip(frames, every);
    }
    assert_round_trip(3000, 7);
}

// Said once and for all: these bytes are a recording of version 1.
static void the_format_stays(void** state) {
    static const unsigned char wanted[] = {
        'i',  'l',  'k',  'R',  1,    0,    0,    0,    2,    0,    0,    0,    2,    0,
        0,    0,    1,    0,    0,    0,    0x99, 0x4d, 0x43, 0x17, 0x17, 0x79, 0xc6, 0xb0,
        0x5b, 0x20, 0x4f, 0x75, 0xcc, 0xd5, 0xfd, 0x2e, 0,    0,    0,    0,    1,    0,
        0,    0,    'a',  0x13, 0xa0, 0xa9, 0x17, 0x94, 0x02, 0x1f, 0xd5};
    shelf* s = *state;
    fill_shelf(s, 2, 2, 0);
    size_t size;
    unsigned char* bytes = written(s, &size);
    assert_int_equal(size, sizeof wanted);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != wanted[i]) print_error("byte %zu is 0x%02x\n", i, bytes[i]);
    }
    assert_memory_equal(bytes, wanted, size);
    free(bytes);
}

static void no_part_is_a_recording(void** state) {
    shelf* s = *state;
    fill_shelf(s, 40, 3, 0);
    size_t size;
    unsigned char* bytes = written(s, &size);
    for (size_t less = 0; less < size; less++) {
        unsigned char* part = malloc(less ? less : 1); // so that no byte beyond it is looked at
        assert_non_null(part);
        memcpy(part, bytes, less);
        assert_int_equal(read_bytes(s, part, less), ILK_INVALID);
        free(part);
    }
    unsigned char* more = calloc(1, size + 1);
    assert_non_null(more);
    memcpy(more, bytes, size);
    assert_int_equal(read_bytes(s, more, size + 1), ILK_INVALID);
    assert_ok(read_bytes(s, more, size));
    free(more);
    free(bytes);
}

// With each bit turned over, alone and with a checksum that is right again.
static void no_bit_is_turned_unnoticed(void** state) {
    shelf* s = *state;
    fill_shelf(s, 40, 3, 0);
    size_t size;
    unsigned char* bytes = written(s, &size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_int_equal(read_bytes(s, bytes, size), ILK_INVALID);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    assert_ok(read_bytes(s, bytes, size));
    free(bytes);
}

static void put_number(unsigned char* to, uint64_t number, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) to[i] = (unsigned char)(number >> 8 * i);
}

static void sign(unsigned char* bytes, size_t size) {
    put_number(bytes + size - CHECKSUM, ilki_checksum(bytes, size - CHECKSUM), CHECKSUM);
}

// Whoever can make a checksum can write other inputs and hashes, but nothing that is out of place.
static void a_good_checksum_is_not_enough(void** state) {
    shelf* s = *state;
    fill_shelf(s, 40, 3, 0);
    size_t size;
    unsigned char* bytes = written(s, &size);
    size_t ends = HEAD + 14 * 8, inputs = ends + (size_t)40 * 4;
    for (size_t bit = 0; bit < (size - CHECKSUM) * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        sign(bytes, size);
        ilk_result result = read_bytes(s, bytes, size);
        if (bit < HEAD * 8) assert_int_equal(result, ILK_INVALID);
        if (bit >= inputs * 8 || (bit >= HEAD * 8 && bit < ends * 8)) assert_ok(result);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    put_number(bytes + ends, 200, 4);
    sign(bytes, size);
    assert_int_equal(read_bytes(s, bytes, size), ILK_INVALID);
    free(bytes);
}

static void reading_may_lack_memory(void** state) {
    shelf* s = *state;
    fill_shelf(s, 40, 1, 0);
    size_t size;
    unsigned char* bytes = written(s, &size);
    size_t held = s->meter.bytes;
    for (uint64_t left = 0; left < 3; left++) {
        s->meter.left = left;
        assert_int_equal(read_bytes(s, bytes, size), ILK_NO_MEMORY);
        assert_int_equal(s->meter.bytes, held);
    }
    s->meter.left = 3;
    assert_ok(read_bytes(s, bytes, size));
    s->meter.left = UINT64_MAX;
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SHELF_TEST(inputs_are_kept),
        SHELF_TEST(an_input_may_be_an_earlier_one),
        SHELF_TEST(what_is_too_much_is_refused),
        cmocka_unit_test(the_first_that_differs_is_found),
        cmocka_unit_test(bytes_are_read_as_they_were_written),
        SHELF_TEST(the_format_stays),
        SHELF_TEST(no_part_is_a_recording),
        SHELF_TEST(no_bit_is_turned_unnoticed),
        SHELF_TEST(a_good_checksum_is_not_enough),
        SHELF_TEST(reading_may_lack_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
