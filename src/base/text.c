#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

ilki_text ilki_text_begin(char* text, size_t size) {
    if (text && size) text[0] = 0;
    return (ilki_text){.text = text, .size = size};
}

char* ilki_text_rest(const ilki_text* to, size_t* size) {
    bool has_room = to->text && to->length < to->size;
    *size = has_room ? to->size - to->length : 0;
    return has_room ? to->text + to->length : NULL;
}

static void put_bytes(ilki_text* to, const char* bytes, size_t count) {
    size_t room;
    char* rest = ilki_text_rest(to, &room);
    if (to->file) {
        fwrite(bytes, 1, count, to->file);
    } else if (rest) {
        size_t fits = count < room - 1 ? count : room - 1;
        memcpy(rest, bytes, fits);
        rest[fits] = 0;
    }
    to->length += count;
}

void ilki_text_put(ilki_text* to, const char* piece) {
    put_bytes(to, piece, strlen(piece));
}

void ilki_text_format(ilki_text* to, const char* format, ...) {
    va_list values;
    va_start(values, format);
    size_t room;
    char* rest = ilki_text_rest(to, &room);
    int length =
        to->file ? vfprintf(to->file, format, values) : vsnprintf(rest, room, format, values);
    if (length > 0) to->length += (size_t)length;
    va_end(values);
}

// Whether a byte goes on with a character that began before it.
static bool goes_on(char byte) {
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

// The bytes of a character of UTF-8; 0 if it is none. What is too long, a half of a pair or beyond
// the last character shows in the second byte.
static size_t character_bytes(const char* text) {
    unsigned first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if (first < 0x80) return 1;
    size_t count = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    bool is_bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                  (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    for (size_t i = 1; i < count; i++) {
        if (is_bad || !goes_on(text[i])) return 0;
    }
    return count;
}

void ilki_text_escape(ilki_text* to, const char* string) {
    while (*string) {
        size_t count = character_bytes(string);
        if (*string == '"' || *string == '\\')
            ilki_text_format(to, "\\%c", *string);
        else if (count == 1 && (unsigned char)*string < 0x20)
            ilki_text_format(to, "\\u%04x", (unsigned)*string);
        else if (count)
            put_bytes(to, string, count);
        else
            ilki_text_put(to, "\\ufffd");
        string += count ? count : 1;
    }
}

void ilki_text_quote(ilki_text* to, const char* string) {
    ilki_text_put(to, "\"");
    ilki_text_escape(to, string);
    ilki_text_put(to, "\"");
}

// Characters, as far as each takes one column.
static size_t width_of(const char* cell) {
    size_t width = 0;
    for (; *cell; cell++) width += !goes_on(*cell);
    return width;
}

static void put_spaces(ilki_text* to, size_t count) {
    for (size_t i = 0; i < count; i++) ilki_text_put(to, " ");
}

// A cell is a name, a number, or both.
static void put_cell(ilki_table* table, const char* name, const char* number, bool is_right) {
    size_t width = width_of(name) + width_of(number), *widest = &table->widths[table->column++];
    if (!table->to) {
        if (width > *widest) *widest = width;
        return;
    }
    put_spaces(table->to, table->column == 1 ? 4 : 2);
    if (is_right) put_spaces(table->to, *widest - width);
    ilki_text_put(table->to, name);
    ilki_text_put(table->to, number);
    if (!is_right) put_spaces(table->to, *widest - width);
}

void ilki_table_left(ilki_table* table, const char* cell) {
    put_cell(table, cell, "", false);
}

void ilki_table_right(ilki_table* table, const char* cell) {
    put_cell(table, cell, "", true);
}

void ilki_table_number(ilki_table* table, uint64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    put_cell(table, "", digits, true);
}

void ilki_table_count(ilki_table* table, const char* name, uint64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, ": %" PRIu64, number);
    put_cell(table, name, digits, false);
}

void ilki_table_end(ilki_table* table) {
    table->column = 0;
    if (table->to) ilki_text_put(table->to, "\n");
}
