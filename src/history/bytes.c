#include "bytes.h"

#include <string.h>

void ilki_writer_fini(ilki_writer* writer) {
    ilki_free(writer->memory, ILKI_OTHER, writer->bytes, writer->capacity, _Alignof(max_align_t));
    *writer = (ilki_writer){.memory = writer->memory};
}

unsigned char* ilki_put_room(ilki_writer* writer, size_t size) {
    if (size > UINT32_MAX - writer->used ||
        !ilki_grow(writer->memory, ILKI_OTHER, &writer->bytes, &writer->capacity,
                   writer->used + (uint32_t)size, 1)) {
        writer->is_short = true;
        return NULL;
    }
    unsigned char* room = writer->bytes + writer->used;
    writer->used += (uint32_t)size;
    return room;
}

void ilki_put_bytes(ilki_writer* writer, const void* bytes, size_t size) {
    unsigned char* room = size ? ilki_put_room(writer, size) : NULL;
    if (room) memcpy(room, bytes, size);
}

void ilki_put_number(ilki_writer* writer, uint64_t number) {
    unsigned char bytes[10];
    uint32_t count = 0;
    for (; number >= 0x80; number >>= 7) bytes[count++] = (unsigned char)(number | 0x80);
    bytes[count++] = (unsigned char)number;
    ilki_put_bytes(writer, bytes, count);
}

void ilki_word_to(unsigned char* bytes, uint64_t word) {
    for (uint32_t i = 0; i < 8; i++) bytes[i] = (unsigned char)(word >> 8 * i);
}

void ilki_put_word(ilki_writer* writer, uint64_t word) {
    unsigned char* room = ilki_put_room(writer, 8);
    if (room) ilki_word_to(room, word);
}

void ilki_put_string(ilki_writer* writer, const char* text, size_t length) {
    ilki_put_number(writer, length);
    ilki_put_bytes(writer, text, length);
}

void ilki_put_bits(ilki_writer* writer, const uint64_t* was, const uint64_t* is, uint32_t words) {
    uint32_t after = 0; // the last word that was put
    for (uint32_t i = 0; i < words; i++) {
        uint64_t change = is[i] ^ (was ? was[i] : 0);
        if (!change) continue;
        ilki_put_number(writer, i + 1 - after);
        ilki_put_word(writer, change);
        after = i + 1;
    }
    ilki_put_number(writer, 0);
}

void ilki_put_list(ilki_writer* writer, const uint32_t* was, uint32_t was_count, const uint32_t* is,
                   uint32_t is_count) {
    uint32_t fewer = was_count < is_count ? was_count : is_count, head = 0, tail = 0;
    while (head < fewer && was[head] == is[head]) head++;
    while (tail < fewer - head && was[was_count - 1 - tail] == is[is_count - 1 - tail]) tail++;
    ilki_put_number(writer, head);
    ilki_put_number(writer, tail);
    ilki_put_number(writer, is_count - head - tail);
    for (uint32_t i = head; i < is_count - tail; i++) ilki_put_number(writer, is[i]);
}

const unsigned char* ilki_take_bytes(ilki_parser* in, uint64_t size) {
    if (in->is_bad || size > (uint64_t)(in->end - in->at)) {
        in->is_bad = true;
        return NULL;
    }
    const unsigned char* bytes = in->at;
    in->at += size;
    return bytes;
}

uint64_t ilki_take_number(ilki_parser* in) {
    uint64_t number = 0;
    for (uint32_t shift = 0; shift < 70; shift += 7) {
        const unsigned char* byte = ilki_take_bytes(in, 1);
        if (!byte) return 0;
        if (shift == 63 && *byte > 1) break;
        number |= (uint64_t)(*byte & 0x7f) << shift;
        if (!(*byte & 0x80)) return number;
    }
    in->is_bad = true;
    return 0;
}

uint64_t ilki_take_word(ilki_parser* in) {
    const unsigned char* bytes = ilki_take_bytes(in, 8);
    uint64_t word = 0;
    for (uint32_t i = 0; bytes && i < 8; i++) word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

uint32_t ilki_take_small(ilki_parser* in, uint32_t most) {
    uint64_t number = ilki_take_number(in);
    if (number <= most) return (uint32_t)number;
    in->is_bad = true;
    return 0;
}

void ilki_take_bits(ilki_parser* in, uint64_t* bits, uint32_t words) {
    uint32_t after = 0, step;
    while ((step = ilki_take_small(in, words - after)) != 0) {
        after += step;
        bits[after - 1] ^= ilki_take_word(in);
    }
}

ilki_list_change ilki_take_list(ilki_parser* in, uint32_t count) {
    ilki_list_change change = {0};
    change.head = ilki_take_small(in, count);
    change.tail = ilki_take_small(in, count - change.head);
    change.middle = ilki_take_small(in, UINT32_MAX - count);
    // Each number takes a byte at least.
    if (change.middle > (uint64_t)(in->end - in->at)) in->is_bad = true;
    return in->is_bad ? (ilki_list_change){0} : change;
}
