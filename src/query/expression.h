// Conditions of queries: read from text into steps, and written back.
#ifndef ILKI_EXPRESSION_H
#define ILKI_EXPRESSION_H

#include <ilk/type.h>

#include "../base/memory.h"

#define ILKI_DEPTH_MAX 64u                   // of nesting, and of the stack that the steps need
#define ILKI_CONDITION_MAX ((size_t)1 << 24) // bytes of a text
#define ILKI_WHY_SIZE 190u                   // room for any sentence on what is wrong with a text

typedef enum ilki_op {
    ILKI_OP_TYPE,
    ILKI_OP_AND,
    ILKI_OP_OR,
    ILKI_OP_NOT
} ilki_op;

// A step takes its operands from a stack and leaves its result there.
typedef struct ilki_step {
    ilki_op op;
    uint32_t first; // the step at which its operands begin; its own place if it has none
    ilk_type* type; // the descriptor, which lives for ever; NULL but for a type
} ilki_step;

// No steps hold for all. The last operand of a step ends just before the step; the one before that
// ends just before the last one's `first`.
typedef struct ilki_expression {
    ilki_step* steps;
    uint32_t count, capacity;
} ilki_expression;

// Makes an expression from text; NULL is an empty text. OK; INVALID if the text is not well-formed,
// too deep or too long; MISSING if no type has one of its names; NO_MEMORY. For INVALID and MISSING
// a sentence that shows the place goes to `why`. On failure the expression is empty and owns
// nothing. Any thread that may use the memory.
ilk_result ilki_expression_parse(ilki_expression* expression, ilki_memory* memory, const char* text,
                                 char* why, size_t why_size);

void ilki_expression_fini(ilki_expression* expression, ilki_memory* memory);

// Whether a type is named.
bool ilki_expression_names(const ilki_expression* expression, const ilk_type* type);

// Writes an expression as text, at most `size` bytes with the final zero. Returns the whole length
// without it. No parentheses stand where they could be left out; a comma means `and` wherever it
// can. Read again, the text gives the same expression, where chains of one operator are grouped
// from the left.
size_t ilki_expression_text(const ilki_expression* expression, char* text, size_t size);

// How an entity has a type.
typedef enum ilki_state {
    ILKI_MISSING,
    ILKI_OFF, // it counts as absent
    ILKI_THERE
} ilki_state;
extern const char* const ilki_state_texts[]; // " is missing"

// Says how an entity has a type.
typedef ilki_state ilki_state_fn(const void* context, const ilk_type* type);

// Writes why an expression does not hold for an entity, in the same way: of each part that must
// hold and does not, the types that decide. Nothing, if it holds.
size_t ilki_expression_reasons(const ilki_expression* expression, ilki_state_fn* state,
                               const void* context, char* text, size_t size);

#endif
