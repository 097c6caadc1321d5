// Bytes that are sent: how they are written, and read without trust.
//
// Numbers have seven bits to a byte, the lowest first, with the highest bit where more follow.
// Words have eight bytes, the lowest first. A set of bits is sent as the words in which it differs
// from one that the reader has.
#ifndef ILKI_BYTES_H
#define ILKI_BYTES_H

#include "../base/memory.h"

typedef struct ilki_writer {
    ilki_memory* memory;
    unsigned char* bytes;
    uint32_t used, capacity;
    bool is_short; // there was no memory
} ilki_writer;

void ilki_writer_fini(ilki_writer* writer);

// Room for so many bytes, which count as written; NULL without memory.
unsigned char* ilki_put_room(ilki_writer* writer, size_t size);

void ilki_put_bytes(ilki_writer* writer, const void* bytes, size_t size);
void ilki_put_number(ilki_writer* writer, uint64_t number);
void ilki_put_word(ilki_writer* writer, uint64_t word);

// A text, with its length.
void ilki_put_string(ilki_writer* writer, const char* text, size_t length);

// The words in which `is` differs from `was`, or from none if that is NULL.
void ilki_put_bits(ilki_writer* writer, const uint64_t* was, const uint64_t* is, uint32_t words);

// What a list has in place of the middle of another one.
void ilki_put_list(ilki_writer* writer, const uint32_t* was, uint32_t was_count, const uint32_t* is,
                   uint32_t is_count);

// Words as bytes.
void ilki_word_to(unsigned char* bytes, uint64_t word);

typedef struct ilki_parser {
    const unsigned char *at, *end;
    bool is_bad; // there were not enough, or no number: then all that is read is 0
} ilki_parser;

// The next so many bytes; NULL if there are fewer.
const unsigned char* ilki_take_bytes(ilki_parser* in, uint64_t size);
uint64_t ilki_take_number(ilki_parser* in);
uint64_t ilki_take_word(ilki_parser* in);

// A number that is at most `most`; otherwise it is bad.
uint32_t ilki_take_small(ilki_parser* in, uint32_t most);

// Changes a set of bits.
void ilki_take_bits(ilki_parser* in, uint64_t* bits, uint32_t words);

// A list that differs from one of `count` in its middle: how much of its beginning and of its end
// is the same, and how many numbers follow.
typedef struct ilki_list_change {
    uint32_t head, tail, middle;
} ilki_list_change;
ilki_list_change ilki_take_list(ilki_parser* in, uint32_t count);

#endif
