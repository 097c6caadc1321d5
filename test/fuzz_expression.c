// Conditions of queries as a target of libFuzzer: any bytes are a text. What can be read is written
// and read again, and must be the same; what cannot must leave nothing but a sentence. Otherwise it
// aborts.
#include "component/registry.h"
#include "query/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static const char* const names[] = {"A", "B", "C", "Position"};
#define NAMES (sizeof(names) / sizeof(names[0]))

static void require(bool holds, const char* what, const char* text) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static void introduce_types(void) {
    for (size_t i = 0; i < NAMES; i++) {
        ilk_type type = {.name = names[i], .size = 4};
        ilk_type* known;
        const char* why;
        require(ilki_type_resolve(&type, true, &known, &why) == ILK_OK, "not introduced", names[i]);
    }
}

// For each set of the types, whether it has this one: bit n is about set n. No set has ilk's own
// tags.
static uint16_t truth_of_type(const ilk_type* type) {
    static const uint16_t truths[NAMES] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
    size_t at = 0;
    while (at < NAMES && strcmp(names[at], type->name) != 0) at++;
    return at < NAMES ? truths[at] : 0;
}

// What an expression says for each set of the types. The stack is as small as is promised.
static uint16_t truth_of(const ilki_expression* e) {
    uint16_t stack[ILKI_DEPTH_MAX] = {0xffff};
    uint32_t height = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const ilki_step* step = &e->steps[i];
        if (step->op == ILKI_OP_TYPE) {
            stack[height++] = truth_of_type(step->type);
        } else if (step->op == ILKI_OP_NOT) {
            stack[height - 1] = (uint16_t)~stack[height - 1];
        } else {
            uint16_t right = stack[--height], *left = &stack[height - 1];
            *left = step->op == ILKI_OP_AND ? *left & right : *left | right;
        }
    }
    return stack[0];
}

// Types stand in the same order, however chains are grouped.
static bool is_same(const ilki_expression* a, const ilki_expression* b) {
    if (a->count != b->count || truth_of(a) != truth_of(b)) return false;
    for (uint32_t i = 0, j = 0; i < a->count; i++) {
        if (a->steps[i].op != ILKI_OP_TYPE) continue;
        while (j < b->count && b->steps[j].op != ILKI_OP_TYPE) j++;
        if (j == b->count || a->steps[i].type != b->steps[j].type) return false;
        j++;
    }
    return true;
}

static void check_refusal(const ilki_expression* e, ilk_result result, const char* why,
                          const char* text) {
    require(result == ILK_INVALID || result == ILK_MISSING, "another result", text);
    require(!e->steps && !e->count && !e->capacity, "something is left", text);
    require(strncmp(why, "at ", 3) == 0 && strlen(why) < ILKI_WHY_SIZE, "an odd sentence", why);
    for (; *why; why++) require((unsigned char)*why >= ' ' && *why != 0x7f, "a control sign", why);
}

// The text of an expression, in memory that is just large enough.
static char* written(const ilki_expression* e) {
    size_t length = ilki_expression_text(e, NULL, 0);
    char* text = malloc(length + 1);
    require(text != NULL, "no memory", "");
    require(ilki_expression_text(e, text, length + 1) == length, "another length", text);
    require(strlen(text) == length, "a shorter text", text);
    return text;
}

static void check_round_trip(const ilki_expression* e, ilki_memory* memory) {
    char* first = written(e);
    char why[ILKI_WHY_SIZE] = "";
    ilki_expression again;
    require(ilki_expression_parse(&again, memory, first, why, sizeof why) == ILK_OK, why, first);
    require(is_same(e, &again), "read otherwise", first);
    char* second = written(&again);
    require(strcmp(first, second) == 0, "written otherwise", second);
    ilki_expression_fini(&again, memory);
    free(first);
    free(second);
}

static char* text_of(const uint8_t* bytes, size_t size) {
    char* text = malloc(size + 1);
    require(text != NULL, "no memory", "");
    if (size) memcpy(text, bytes, size);
    text[size] = 0;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    static bool started;
    if (!started) introduce_types();
    started = true;
    ilki_memory memory;
    ilki_memory_init(&memory, &(ilk_allocator){0});
    ilki_expression e;
    char why[2 * ILKI_WHY_SIZE];
    char* text = text_of(bytes, size);
    ilk_result result = ilki_expression_parse(&e, &memory, text, why, sizeof why);
    if (result == ILK_OK)
        check_round_trip(&e, &memory);
    else
        check_refusal(&e, result, why, text);
    ilki_expression_fini(&e, &memory);
    require(memory.bytes[ILKI_OTHER] == 0, "memory is kept", text);
    free(text);
    return 0;
}
