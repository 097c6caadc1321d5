// A strict check of JSON: the whole text is one value, as RFC 8259 has it.
#ifndef ILK_TEST_JSON_SUPPORT_H
#define ILK_TEST_JSON_SUPPORT_H

#include <stdbool.h>
#include <string.h>

// Each function takes the origin where something begins, and returns where it ends; or NULL.
static const char* json_value(const char* at, int depth);

static inline const char* json_space(const char* at) {
    return at + strspn(at, " \t\r\n");
}

static inline bool json_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline const char* json_digits(const char* at) {
    if (!json_is_digit(*at)) return NULL;
    while (json_is_digit(*at)) at++;
    return at;
}

static inline const char* json_number(const char* at) {
    if (*at == '-') at++;
    if (*at == '0' && json_is_digit(at[1])) return NULL;
    at = json_digits(at);
    if (at && *at == '.') at = json_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        at = json_digits(at);
    }
    return at;
}

// The bytes of a character of UTF-8 beyond ASCII; 0 if it is none, is too long, or a surrogate.
static inline size_t json_character(const char* at) {
    unsigned first = (unsigned char)*at;
    size_t count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    unsigned long code = first & (0xffu >> (count + 1));
    for (size_t i = 1; i < count; i++) {
        if (((unsigned char)at[i] & 0xc0u) != 0x80u) return 0;
        code = code << 6 | ((unsigned char)at[i] & 0x3fu);
    }
    unsigned long least = count == 4 ? 0x10000 : count == 3 ? 0x800 : 0x80;
    bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return first < 0xc0 || code < least || code > 0x10ffff || is_surrogate ? 0 : count;
}

static inline const char* json_string(const char* at) {
    if (*at++ != '"') return NULL;
    while (*at != '"') {
        if ((unsigned char)*at < 0x20) return NULL; // the end of the text too
        if ((unsigned char)*at >= 0x80) {
            size_t count = json_character(at);
            if (!count) return NULL;
            at += count;
        } else if (*at == '\\' && at[1] == 'u') {
            if (strspn(at + 2, "0123456789abcdefABCDEF") < 4) return NULL;
            at += 6;
        } else if (*at == '\\') {
            if (!at[1] || !strchr("\"\\/bfnrt", at[1])) return NULL;
            at += 2;
        } else {
            at++;
        }
    }
    return at + 1;
}

// The members of an object or an array, up to its end.
static inline const char* json_members(const char* at, bool has_names, int depth) {
    char end = has_names ? '}' : ']';
    at = json_space(at + 1);
    if (*at == end) return at + 1;
    for (;;) {
        if (has_names) {
            at = json_string(json_space(at));
            if (!at) return NULL;
            at = json_space(at);
            if (*at++ != ':') return NULL;
        }
        at = json_value(at, depth - 1);
        if (!at) return NULL;
        at = json_space(at);
        if (*at == end) return at + 1;
        if (*at++ != ',') return NULL;
    }
}

static const char* json_value(const char* at, int depth) {
    static const char* const words[] = {"true", "false", "null"};
    if (depth < 0) return NULL;
    at = json_space(at);
    if (*at == '{' || *at == '[') return json_members(at, *at == '{', depth);
    if (*at == '"') return json_string(at);
    for (int i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) return at + strlen(words[i]);
    }
    return json_number(at);
}

static inline bool json_is_sound(const char* text) {
    const char* end = json_value(text, 20);
    return end && *json_space(end) == 0;
}

#endif
