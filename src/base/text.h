// Text that is written piece by piece into the caller's memory, as far as it fits, or into a file;
// its whole length is counted.
#ifndef ILKI_TEXT_H
#define ILKI_TEXT_H

#include "platform.h"

#include <stdio.h>

typedef struct ilki_text {
    char* text; // ends with a zero at all times; NULL: nothing is written
    size_t size, length;
    FILE* file; // in place of text, or NULL
} ilki_text;

ilki_text ilki_text_begin(char* text, size_t size);

void ilki_text_put(ilki_text* to, const char* piece);
void ilki_text_format(ilki_text* to, const char* format, ...) ILKI_FORMAT(2, 3);

// A string as JSON and Graphviz write it, without and with its quotes. Bytes that are no UTF-8
// become the sign for what cannot be shown.
void ilki_text_escape(ilki_text* to, const char* string);
void ilki_text_quote(ilki_text* to, const char* string);

// The place and the size of what is left, for a function that writes into memory. Whoever uses it
// adds to the length what was written, or would have been.
char* ilki_text_rest(const ilki_text* to, size_t* size);

// Lines of columns as wide as their widest cell. What makes the lines does so twice: for the first
// time the cells are measured, for the second they are written.
#define ILKI_COLUMNS 12u

typedef struct ilki_table {
    ilki_text* to; // NULL while measuring
    uint32_t column;
    size_t widths[ILKI_COLUMNS];
} ilki_table;

// The next cell of a line, at the left or the right of its column; and the end of the line. What is
// written between the last cell and the end is not measured.
void ilki_table_left(ilki_table* table, const char* cell);
void ilki_table_right(ilki_table* table, const char* cell);
void ilki_table_number(ilki_table* table, uint64_t number);
void ilki_table_count(ilki_table* table, const char* name, uint64_t number); // "name: 5", left
void ilki_table_end(ilki_table* table);

#endif
