// Conditions of queries.
//
// Reading is by descent, one level of binding after the other: at most four calls for each level of
// nesting, which is bounded. Steps come out in postfix order, so that a condition is evaluated with
// a small stack and no recursion. The stack can be needed up to three times as deep as the nesting,
// as in "A, B | C & (…)", so that its height is bounded on its own.
//
// Writing goes from the last character to the first. Read from its end, postfix gives the operator
// before its operands, so that each one knows whether it needs parentheses; and the long chains,
// which lean to the left, are loops. Only what is nested recurses. The text that is written is
// never nested deeper, and never needs a higher stack, than what was read.
//
// Both take time and memory linear in the length of the text. Why a condition does not hold is
// written in the same way, without memory, and in time linear for each level of nesting.
#include "expression.h"

#include <stdio.h>
#include <string.h>

#include "../base/bits.h"
#include "../component/registry.h"

#define SHOWN_MAX 60u                  // bytes of a text that are shown in a sentence
#define SHOWN_SIZE (SHOWN_MAX + 3 + 7) // with a whole last character, both cuts and the final zero

typedef struct parser {
    ilki_expression* expression;
    ilki_memory* memory;
    const char* text;
    size_t at;
    char* name;      // room for any name of the text
    uint32_t depth;  // of parentheses and nots around this place
    uint32_t height; // of the stack, if the steps so far were evaluated
    char* why;
    size_t why_size;
} parser;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Also bytes of characters beyond ASCII. The locale has no say in it.
static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == ':' ||
           (unsigned char)c >= 0x80;
}

static bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}

static bool is_one_of(char c, const char* signs) {
    return c && strchr(signs, c);
}

static bool is_inside_character(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

// The next place that does not split a character, if the text is UTF-8.
static size_t next_character(const char* text, size_t at) {
    for (int i = 0; i < 3 && at > 0 && is_inside_character(text[at]); i++) at++;
    return at;
}

static char printable(char c) {
    return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

static char* append_text(char* end, const char* piece) {
    size_t length = strlen(piece);
    memcpy(end, piece, length + 1);
    return end + length;
}

// Copies a text of some length, or what of it is around a place; dots say where it was cut.
static void excerpt(char shown[SHOWN_SIZE], const char* text, size_t length, size_t at) {
    size_t from = 0, to = length;
    if (length > SHOWN_MAX) {
        size_t last = length - SHOWN_MAX;
        from = at > SHOWN_MAX / 2 ? at - SHOWN_MAX / 2 : 0;
        from = from < last ? from : last;
        to = next_character(text, from + SHOWN_MAX);
        from = next_character(text, from);
    }
    if (from > 0) shown = append_text(shown, "…");
    for (size_t i = from; i < to; i++) *shown++ = printable(text[i]);
    append_text(shown, to < length ? "…" : "");
}

static uint32_t column_of(const char* text, size_t at) {
    uint32_t column = 1;
    for (size_t i = 0; i < at; i++) column += !is_inside_character(text[i]);
    return column;
}

static void point_at(const parser* p, size_t at, const char* what) {
    char shown[SHOWN_SIZE];
    excerpt(shown, p->text, strlen(p->text), at);
    snprintf(p->why, p->why_size, "at %u in \"%s\": %s", column_of(p->text, at), shown, what);
}

static ilk_result complain(const parser* p, size_t at, const char* what) {
    point_at(p, at, what);
    return ILK_INVALID;
}

static ilk_result complain_of_depth(const parser* p) {
    return complain(p, p->at, "it is nested more than 64 deep");
}

static ilk_result complain_of_sign(const parser* p) {
    char what[] = "'?' can stand in quotes only";
    what[1] = printable(p->text[p->at]);
    return complain(p, p->at, what);
}

static ilk_result complain_of_type(const parser* p, size_t at, const char* name) {
    char shown[SHOWN_SIZE], what[SHOWN_SIZE + 32];
    excerpt(shown, name, strlen(name), 0);
    snprintf(what, sizeof what, "no type in use is called '%s'", shown);
    point_at(p, at, what);
    return ILK_MISSING;
}

// The next character that is no blank.
static char next_sign(parser* p) {
    while (is_one_of(p->text[p->at], " \t\r\n")) p->at++;
    return p->text[p->at];
}

// The operands of an operator end where it stands, each where the one after it begins.
static uint32_t first_of(const ilki_step* steps, uint32_t at, ilki_op op) {
    if (op == ILKI_OP_TYPE) return at;
    uint32_t last = steps[at - 1].first;
    return op == ILKI_OP_NOT ? last : steps[last - 1].first;
}

static ilk_result add_step(parser* p, ilki_op op, ilk_type* type) {
    ilki_expression* e = p->expression;
    if (!ilki_grow(p->memory, ILKI_OTHER, &e->steps, &e->capacity, e->count + 1,
                   sizeof *e->steps)) {
        return ILK_NO_MEMORY;
    }
    e->steps[e->count] = (ilki_step){op, first_of(e->steps, e->count, op), type};
    e->count++;
    return ILK_OK;
}

// A name in text[from, to); what is said of it shows the place `at`.
static ilk_result add_type(parser* p, size_t at, size_t from, size_t to) {
    memcpy(p->name, p->text + from, to - from);
    p->name[to - from] = 0;
    ilk_type* type = ilki_type_find(p->name);
    if (!type && ilki_own_type(p->name)) return ILK_NO_MEMORY;
    if (!type) return complain_of_type(p, at, p->name);
    p->height++;
    return add_step(p, ILKI_OP_TYPE, type);
}

static ilk_result parse_bare_name(parser* p) {
    size_t from = p->at;
    while (is_name_part(p->text[p->at])) p->at++;
    return add_type(p, from, from, p->at);
}

static ilk_result parse_quoted_name(parser* p) {
    size_t from = p->at + 1;
    const char* end = strchr(p->text + from, '\'');
    if (!end) return complain(p, p->at, "this quote is not closed");
    size_t at = p->at, to = (size_t)(end - p->text);
    p->at = to + 1;
    return add_type(p, at, from, to);
}

static ilk_result parse_name(parser* p) {
    char sign = p->text[p->at];
    if (!sign || is_one_of(sign, ",|&)")) return complain(p, p->at, "a name is missing");
    if (is_digit(sign)) {
        return complain(p, p->at, "a name that begins with a digit stands in quotes");
    }
    if (sign != '\'' && !is_name_start(sign)) return complain_of_sign(p);
    if (p->height == ILKI_DEPTH_MAX) return complain_of_depth(p);
    return sign == '\'' ? parse_quoted_name(p) : parse_bare_name(p);
}

// After an operand there is something that is no operator and does not close a group.
static ilk_result complain_of_next(const parser* p) {
    char sign = p->text[p->at];
    if (!is_name_part(sign) && !is_one_of(sign, "'!(")) return complain_of_sign(p);
    return complain(p, p->at, "a ',', '&' or '|' is missing");
}

// Operators between operands, that which binds least first.
static const struct {
    char sign;
    ilki_op op;
} binary[] = {{',', ILKI_OP_AND}, {'|', ILKI_OP_OR}, {'&', ILKI_OP_AND}};

static ilk_result parse_operand(parser* p);

static ilk_result parse_binary(parser* p, uint32_t level) {
    if (level == sizeof binary / sizeof binary[0]) return parse_operand(p);
    ilk_result result = parse_binary(p, level + 1);
    while (result == ILK_OK && next_sign(p) == binary[level].sign) {
        p->at++;
        result = parse_binary(p, level + 1);
        if (result == ILK_OK) result = add_step(p, binary[level].op, NULL);
        p->height--;
    }
    return result;
}

static ilk_result parse_group(parser* p) {
    ilk_result result = parse_binary(p, 0);
    if (result != ILK_OK) return result;
    char sign = next_sign(p);
    if (!sign) return complain(p, p->at, "a ')' is missing");
    if (sign != ')') return complain_of_next(p);
    p->at++;
    return ILK_OK;
}

static ilk_result parse_not(parser* p) {
    ilk_result result = parse_operand(p);
    return result == ILK_OK ? add_step(p, ILKI_OP_NOT, NULL) : result;
}

static ilk_result parse_operand(parser* p) {
    char sign = next_sign(p);
    if (sign != '!' && sign != '(') return parse_name(p);
    if (p->depth == ILKI_DEPTH_MAX) return complain_of_depth(p);
    p->depth++;
    p->at++;
    ilk_result result = sign == '!' ? parse_not(p) : parse_group(p);
    p->depth--;
    return result;
}

static ilk_result parse_whole(parser* p) {
    ilk_result result = parse_binary(p, 0);
    if (result != ILK_OK) return result;
    char sign = next_sign(p);
    if (sign == ')') return complain(p, p->at, "this ')' closes nothing");
    return sign ? complain_of_next(p) : ILK_OK;
}

ilk_result ilki_expression_parse(ilki_expression* expression, ilki_memory* memory, const char* text,
                                 char* why, size_t why_size) {
    *expression = (ilki_expression){0};
    parser p = {.expression = expression, .memory = memory, .why = why, .why_size = why_size};
    p.text = text ? text : "";
    size_t length = strlen(p.text);
    if (length > ILKI_CONDITION_MAX) {
        return complain(&p, ILKI_CONDITION_MAX, "it is longer than 16777216 bytes");
    }
    if (!next_sign(&p)) return ILK_OK;
    p.name = ilki_alloc(memory, ILKI_OTHER, length + 1, 1);
    ilk_result result = p.name ? parse_whole(&p) : ILK_NO_MEMORY;
    ilki_free(memory, ILKI_OTHER, p.name, length + 1, 1);
    if (result != ILK_OK) ilki_expression_fini(expression, memory);
    return result;
}

bool ilki_expression_names(const ilki_expression* expression, const ilk_type* type) {
    for (uint32_t i = 0; i < expression->count; i++) {
        if (expression->steps[i].type == type) return true;
    }
    return false;
}

void ilki_expression_fini(ilki_expression* expression, ilki_memory* memory) {
    ilki_free(memory, ILKI_OTHER, expression->steps,
              expression->capacity * sizeof *expression->steps, _Alignof(max_align_t));
    *expression = (ilki_expression){0};
}

// Where an operand stands. In order of binding: what binds less than its place needs parentheses.
typedef enum rank {
    IN_GROUP, // at the top, in parentheses, or between commas: where all goes
    IN_OR,
    IN_AND,
    IN_NOT
} rank;

// A text that is written from its end.
typedef struct scribe {
    char* text;
    size_t size; // bytes that there is room for; the rest is only counted
    size_t at;   // where the piece begins that was written last
} scribe;

static void prepend_text(scribe* s, const char* piece) {
    size_t length = strlen(piece);
    s->at -= length;
    if (s->at >= s->size) return;
    size_t room = s->size - s->at;
    memcpy(s->text + s->at, piece, length < room ? length : room);
}

static bool is_bare(const char* name) {
    if (!is_name_start(*name)) return false;
    while (is_name_part(*name)) name++;
    return !*name;
}

static void write_name(scribe* s, const char* name) {
    const char* quote = is_bare(name) ? "" : "'";
    prepend_text(s, quote);
    prepend_text(s, name);
    prepend_text(s, quote);
}

static void write_step(scribe* s, const ilki_step* steps, uint32_t at, rank place);

// A chain of one operator, however it is grouped.
static void write_chain(scribe* s, const ilki_step* steps, uint32_t at, rank place) {
    static const char* const signs[] = {[IN_GROUP] = ", ", [IN_OR] = " | ", [IN_AND] = " & "};
    ilki_op op = steps[at].op;
    rank inner = op == ILKI_OP_OR ? IN_OR : place == IN_GROUP ? IN_GROUP : IN_AND;
    do {
        write_step(s, steps, at - 1, inner);
        prepend_text(s, signs[inner]);
        at = steps[at - 1].first - 1;
    } while (steps[at].op == op);
    write_step(s, steps, at, inner);
}

static void write_group(scribe* s, const ilki_step* steps, uint32_t at) {
    prepend_text(s, ")");
    write_chain(s, steps, at, IN_GROUP);
    prepend_text(s, "(");
}

static void write_not(scribe* s, const ilki_step* steps, uint32_t at) {
    write_step(s, steps, at - 1, IN_NOT);
    prepend_text(s, "!");
}

static void write_step(scribe* s, const ilki_step* steps, uint32_t at, rank place) {
    ilki_op op = steps[at].op;
    if (op == ILKI_OP_TYPE)
        write_name(s, steps[at].type->name);
    else if (op == ILKI_OP_NOT)
        write_not(s, steps, at);
    else if (place > (op == ILKI_OP_OR ? IN_OR : IN_AND))
        write_group(s, steps, at);
    else
        write_chain(s, steps, at, place);
}

const char* const ilki_state_texts[] = {" is missing", " is switched off", " is inactive",
                                        " is there"};

// Why an expression does not hold, written from its end.
typedef struct finding {
    scribe scribe;
    const ilki_step* steps;
    ilki_state_fn* state;
    const void* context;
    bool has_part;
} finding;

static bool step_holds(const finding* r, uint32_t at) {
    bool stack[ILKI_DEPTH_MAX + 1];
    uint32_t height = 0;
    for (uint32_t i = r->steps[at].first; i <= at; i++) {
        ilki_op op = r->steps[i].op;
        if (op == ILKI_OP_TYPE) {
            stack[height++] = r->state(r->context, r->steps[i].type) == ILKI_THERE;
            continue;
        }
        bool last = stack[height - 1];
        if (op == ILKI_OP_NOT) {
            stack[height - 1] = !last;
            continue;
        }
        height--;
        stack[height - 1] =
            op == ILKI_OP_AND ? stack[height - 1] && last : stack[height - 1] || last;
    }
    return stack[0];
}

// Takes the last operand off a chain of one operator that ends at a step. None is left at
// ILKI_NONE.
static uint32_t take_operand(const ilki_step* steps, ilki_op op, uint32_t* at) {
    bool is_last = steps[*at].op != op;
    uint32_t operand = is_last ? *at : *at - 1;
    *at = is_last ? ILKI_NONE : steps[operand].first - 1;
    return operand;
}

// The types that decide that a step does not give what is wanted.
static void write_facts(finding* r, uint32_t at, bool is_wanted, bool is_last) {
    const ilki_step* steps = r->steps;
    for (; steps[at].op == ILKI_OP_NOT; at--) is_wanted = !is_wanted;
    ilki_op op = steps[at].op;
    if (op == ILKI_OP_TYPE) {
        if (!is_last) prepend_text(&r->scribe, " and ");
        prepend_text(&r->scribe, ilki_state_texts[r->state(r->context, steps[at].type)]);
        prepend_text(&r->scribe, steps[at].type->name);
        return;
    }
    while (at != ILKI_NONE) {
        uint32_t operand = take_operand(steps, op, &at);
        if (step_holds(r, operand) == is_wanted) continue;
        write_facts(r, operand, is_wanted, is_last);
        is_last = false;
    }
}

static bool is_about_one_type(const ilki_step* steps, uint32_t at) {
    while (steps[at].op == ILKI_OP_NOT) at--;
    return steps[at].op == ILKI_OP_TYPE;
}

// A part that must hold, and does not. One about a single type is not repeated.
static void write_part(finding* r, uint32_t at) {
    if (r->has_part) prepend_text(&r->scribe, ", ");
    r->has_part = true;
    if (!is_about_one_type(r->steps, at)) {
        write_step(&r->scribe, r->steps, at, IN_OR);
        prepend_text(&r->scribe, ", though the condition says ");
    }
    write_facts(r, at, true, true);
}

static void write_parts(finding* r, uint32_t at) {
    if (r->steps[at].op != ILKI_OP_AND) {
        write_part(r, at);
        return;
    }
    while (at != ILKI_NONE) {
        uint32_t operand = take_operand(r->steps, ILKI_OP_AND, &at);
        if (!step_holds(r, operand)) write_parts(r, operand);
    }
}

static void write_reasons(scribe* s, const ilki_expression* expression, ilki_state_fn* state,
                          const void* context) {
    finding r = {*s, expression->steps, state, context, false};
    uint32_t last = expression->count - 1;
    if (expression->count && !step_holds(&r, last)) write_parts(&r, last);
    s->at = r.scribe.at;
}

static void write_whole(scribe* s, const ilki_expression* expression) {
    if (expression->count) write_step(s, expression->steps, expression->count - 1, IN_GROUP);
}

// What was counted is to be written next.
static scribe begin_to_write(const scribe* counter, char* text, size_t size) {
    size_t length = SIZE_MAX - counter->at;
    size_t kept = size == 0 ? 0 : length < size ? length : size - 1;
    if (size) text[kept] = 0;
    return (scribe){text, kept, length};
}

size_t ilki_expression_text(const ilki_expression* expression, char* text, size_t size) {
    scribe counter = {.at = SIZE_MAX};
    write_whole(&counter, expression);
    scribe s = begin_to_write(&counter, text, size);
    if (size) write_whole(&s, expression);
    return SIZE_MAX - counter.at;
}

size_t ilki_expression_reasons(const ilki_expression* expression, ilki_state_fn* state,
                               const void* context, char* text, size_t size) {
    scribe counter = {.at = SIZE_MAX};
    write_reasons(&counter, expression, state, context);
    scribe s = begin_to_write(&counter, text, size);
    if (size) write_reasons(&s, expression, state, context);
    return SIZE_MAX - counter.at;
}
