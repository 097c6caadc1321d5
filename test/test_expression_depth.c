// Conditions of queries: how deep they may be, that what is written reads the same, and that
// made-up ones mean what they should.
#include "expression_support.h"

static void assert_deep(expression_fixture* f, const char* piece, const char* closing,
                        uint32_t count) {
    char* text = repeated(piece, count, "A", closing);
    assert_parses(f, text);
    free(text);
}

// The sentence names the place at which it became too much.
static void assert_too_deep(expression_fixture* f, const char* piece, const char* closing,
                            uint32_t count, uint32_t column) {
    char* text = repeated(piece, count, "A", closing);
    char start[16];
    snprintf(start, sizeof start, "at %u in ", (unsigned)column);
    assert_int_equal(parse(f, text), ILK_INVALID);
    assert_memory_equal(f->why, start, strlen(start));
    assert_string_equal(strstr(f->why, "\": "), "\": it is nested more than 64 deep");
    assert_int_equal(f->m.bytes, 0);
    free(text);
}

static void nesting_is_bounded(void** state) {
    expression_fixture* f = *state;
    assert_deep(f, "(", ")", 64);
    assert_too_deep(f, "(", ")", 65, 65);
    assert_deep(f, "!", "", 64);
    assert_int_equal(f->expression.count, 65);
    assert_too_deep(f, "!", "", 65, 65);
    assert_deep(f, "!(", ")", 32);
    assert_too_deep(f, "!(", ")", 33, 65);
    assert_too_deep(f, "!", "", 100000, 65);
    assert_too_deep(f, "(", "", 100000, 65);
}

static void what_is_closed_nests_no_more(void** state) {
    assert_deep(*state, "(!A), ((!A)), ", "", 100);
    assert_deep(*state, "!!A | ", "", 100);
}

// What waits on the stack counts too, up to three values for each parenthesis.
static void the_stack_is_bounded(void** state) {
    expression_fixture* f = *state;
    assert_deep(f, "A & (", ")", 63);
    assert_too_deep(f, "A & (", ")", 64, 321);
    assert_deep(f, "A, B | C & (", ")", 21);
    assert_too_deep(f, "A, B | C & (", ")", 22, 256);
    assert_deep(f, "A | B & !C, ", "", 1000); // these do not wait
}

// The most values that wait on the stack, and where the operands of each step begin.
static uint32_t assert_sound(const ilki_expression* e) {
    uint32_t begins[ILKI_DEPTH_MAX];
    uint32_t height = 0, highest = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        ilki_op op = e->steps[i].op;
        if (op == ILKI_OP_TYPE) {
            assert_true(height < ILKI_DEPTH_MAX);
            begins[height++] = i;
        } else if (op != ILKI_OP_NOT) {
            height--;
        }
        assert_true(height > 0);
        assert_int_equal(e->steps[i].first, begins[height - 1]);
        if (height > highest) highest = height;
    }
    assert_int_equal(height, e->count > 0);
    return highest;
}

static void the_deepest_uses_the_whole_stack(void** state) {
    expression_fixture* f = *state;
    assert_deep(f, "A & (", ")", 63);
    assert_int_equal(assert_sound(&f->expression), ILKI_DEPTH_MAX);
    assert_deep(f, "A, B | C & (", ")", 21);
    assert_int_equal(assert_sound(&f->expression), ILKI_DEPTH_MAX);
}

static void as_few_parentheses_as_can_be(void** state) {
    static const char* const rows[][2] = {
        {"A", "A"},
        {"((A))", "A"},
        {"!(A)", "!A"},
        {"!(!(A))", "!!A"},
        {"A&B", "A, B"},
        {"A|B", "A | B"},
        {"A & B & C", "A, B, C"},
        {"A & (B & C)", "A, B, C"},
        {"A | (B | (C | D))", "A | B | C | D"},
        {"(A | B) & C", "A | B, C"},
        {"(A & B) | C", "A & B | C"},
        {"(A, B & C) | D", "A & B & C | D"},
        {"(A, B | C) | D", "A & (B | C) | D"},
        {"A | (B, C)", "A | B & C"},
        {"!(A & B)", "!(A, B)"},
        {"!(A & (B | C))", "!(A, B | C)"},
        {"!(A | B & (C | D))", "!(A | B & (C | D))"},
        {"A & B & (C | (D & E))", "A, B, C | D & E"},
        {"!((!A))&!'B'", "!!A, !B"},
        {"'my type', '1st' | 'a.b::c_1'", "'my type', '1st' | a.b::c_1"},
        {"'größe' & 'x-y' & '(A | B)' & ' '", "größe, 'x-y', '(A | B)', ' '"},
    };
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) assert_written(*state, rows[i][0], rows[i][1]);
}

static void a_text_is_cut_to_its_room(void** state) {
    expression_fixture* f = *state;
    const char whole[] = "!(A, 'my type' | C), D & E | F";
    assert_parses(f, whole);
    assert_int_equal(ilki_expression_text(&f->expression, NULL, 0), sizeof whole - 1);
    for (size_t size = 1; size < sizeof whole + 3; size++) {
        char text[sizeof whole + 4];
        size_t kept = size < sizeof whole ? size - 1 : sizeof whole - 1;
        memset(text, '#', sizeof text);
        assert_int_equal(ilki_expression_text(&f->expression, text, size), sizeof whole - 1);
        assert_memory_equal(text, whole, kept);
        assert_int_equal(text[kept], 0);
        for (size_t i = kept + 1; i < sizeof text; i++) assert_int_equal(text[i], '#');
    }
}

// A text as deep as can be is written so that it can be read.
static void what_is_deepest_is_written_no_deeper(void** state) {
    static const char* const rows[][2] = {{"!(", " | B, C)"}, {"(", " & B | C) & D"}};
    static const uint32_t counts[] = {32, 64};
    expression_fixture* f = *state;
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) {
        char written[1024], again[1024];
        assert_deep(f, rows[i][0], rows[i][1], counts[i]);
        uint32_t count = f->expression.count;
        assert_true(ilki_expression_text(&f->expression, written, sizeof written) < sizeof written);
        assert_parses(f, written);
        assert_int_equal(f->expression.count, count);
        ilki_expression_text(&f->expression, again, sizeof again);
        assert_string_equal(again, written);
    }
}

// Reads and writes a chain of many terms, in memory that grows as they do.
static void many_terms(expression_fixture* f, uint32_t terms) {
    char* text = repeated("A, ", terms - 1, "B", "");
    size_t length = strlen(text);
    char* written = malloc(length + 1);
    assert_non_null(written);
    f->peak = 0;
    assert_parses(f, text);
    assert_true(f->peak > terms);
    assert_true(f->peak <= 32 * length);
    assert_int_equal(f->m.bytes, f->expression.capacity * sizeof(ilki_step));
    assert_int_equal(f->expression.count, 2 * terms - 1);
    assert_int_equal(ilki_expression_text(&f->expression, written, length + 1), length);
    assert_string_equal(written, text);
    free(written);
    free(text);
}

static void memory_is_linear_in_the_text(void** state) {
    many_terms(*state, 1000);
    many_terms(*state, 100000);
    many_terms(*state, 800000);
}

static void a_long_name_is_no_trouble(void** state) {
    expression_fixture* f = *state;
    char* name = repeated("long ", 20000, "name", "");
    char* text = repeated("'", 1, name, "' ");
    ilk_type type = {.name = name, .size = 4};
    ilk_type* known;
    const char* why;
    assert_refused(f, text, ILK_MISSING,
                   "at 1 in \"'long long long long long long long long long long long long…\": "
                   "no type in use is called "
                   "'long long long long long long long long long long long long …'");
    assert_int_equal(ilki_type_resolve(&type, true, &known, &why), ILK_OK);
    assert_parses(f, text);
    assert_ptr_equal(f->expression.steps[0].type, known);
    assert_int_equal(ilki_expression_text(&f->expression, NULL, 0), strlen(name) + 2);
    free(text);
    free(name);
}

static void without_memory_there_is_no_expression(void** state) {
    expression_fixture* f = *state;
    const char text[] = "A, B, C, D, !(E | F), A | B | C";
    uint64_t failures = 0;
    for (;; failures++) {
        f->m.left = failures;
        if (parse(f, text) == ILK_OK) break;
        assert_int_equal(parse(f, text), ILK_NO_MEMORY);
        assert_string_equal(f->why, "untouched");
        assert_null(f->expression.steps);
        assert_int_equal(f->expression.count, 0);
        assert_int_equal(f->expression.capacity, 0);
        assert_int_equal(f->m.bytes, 0);
    }
    assert_int_equal(failures, 5); // room for names, then for 4, 8, 16 and 32 steps
    assert_int_equal(f->expression.count, 18);
}

// What an expression says for each set of the six letters: bit n is about set n.
typedef uint64_t truth;

static truth truth_of_letter(uint32_t letter) {
    truth result = 0;
    for (uint32_t set = 0; set < 64; set++) result |= (truth)(set >> letter & 1) << set;
    return result;
}

static truth truth_of(const ilki_expression* e) {
    truth stack[ILKI_DEPTH_MAX];
    uint32_t height = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const ilki_step* step = &e->steps[i];
        if (step->op == ILKI_OP_TYPE) {
            stack[height++] = truth_of_letter((uint32_t)(step->type->name[0] - 'A'));
        } else if (step->op == ILKI_OP_NOT) {
            stack[height - 1] = ~stack[height - 1];
        } else {
            height--;
            truth *left = &stack[height - 1], right = stack[height];
            *left = step->op == ILKI_OP_AND ? *left & right : *left | right;
        }
    }
    return height ? stack[0] : ~(truth)0;
}

// A text that is made up together with what it means.
typedef struct draft {
    uint64_t seed;
    size_t length;
    uint32_t terms;
    char text[TEXT_SIZE];
} draft;

static uint32_t draft_dice(draft* d, uint32_t sides) {
    return next_random(&d->seed) % sides;
}

static void draft_sign(draft* d, char sign) {
    assert_true(d->length + 2 < TEXT_SIZE);
    d->text[d->length++] = sign;
    if (draft_dice(d, 3) == 0) d->text[d->length++] = " \t\n"[draft_dice(d, 3)];
    d->text[d->length] = 0;
}

static truth draft_chain(draft* d, uint32_t level, uint32_t depth);

static truth draft_operand(draft* d, uint32_t depth) {
    uint32_t choice = depth < 12 ? draft_dice(d, 8) : 7;
    if (choice < 2) {
        draft_sign(d, '!');
        return ~draft_operand(d, depth + 1);
    }
    if (choice < 5) {
        draft_sign(d, '(');
        truth inner = draft_chain(d, 0, depth + 1);
        draft_sign(d, ')');
        return inner;
    }
    uint32_t letter = draft_dice(d, LETTERS);
    d->terms++;
    draft_sign(d, (char)('A' + letter));
    return truth_of_letter(letter);
}

static truth draft_chain(draft* d, uint32_t level, uint32_t depth) {
    if (level == 3) return draft_operand(d, depth);
    truth all = draft_chain(d, level + 1, depth);
    while (draft_dice(d, 4) == 0 && d->terms < 60) {
        draft_sign(d, ",|&"[level]);
        truth one = draft_chain(d, level + 1, depth);
        all = level == 1 ? all | one : all & one;
    }
    return all;
}

static size_t closing(const char* text, size_t open) {
    size_t at = open + 1;
    for (uint32_t depth = 1; depth > 0; at++) {
        assert_true(text[at] != 0);
        depth += text[at] == '(';
        depth -= text[at] == ')';
    }
    return at - 1;
}

// Without any pair of its parentheses a text would say something else.
static uint32_t assert_no_pair_is_idle(expression_fixture* f, const char* text) {
    static char other[TEXT_SIZE], written[TEXT_SIZE];
    uint32_t pairs = 0;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] != '(') continue;
        strcpy(other, text);
        other[i] = other[closing(text, i)] = ' ';
        assert_parses(f, other);
        ilki_expression_text(&f->expression, written, sizeof written);
        assert_string_not_equal(written, text);
        pairs++;
    }
    return pairs;
}

static uint32_t assert_round_trip(expression_fixture* f, const draft* d, truth meaning) {
    static char written[TEXT_SIZE], again[TEXT_SIZE];
    assert_parses(f, d->text);
    assert_true(truth_of(&f->expression) == meaning);
    uint32_t count = f->expression.count;
    uint32_t highest = assert_sound(&f->expression);
    assert_true(ilki_expression_text(&f->expression, written, TEXT_SIZE) < TEXT_SIZE);
    assert_parses(f, written);
    assert_true(truth_of(&f->expression) == meaning);
    assert_int_equal(f->expression.count, count);
    assert_true(assert_sound(&f->expression) <= highest);
    ilki_expression_text(&f->expression, again, TEXT_SIZE);
    assert_string_equal(again, written);
    return assert_no_pair_is_idle(f, written);
}

static void made_up_texts_mean_what_they_should(void** state) {
    uint32_t pairs = 0, terms = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        static draft d;
        d = (draft){.seed = i};
        truth meaning = draft_chain(&d, 0, 0);
        pairs += assert_round_trip(*state, &d, meaning);
        terms += d.terms;
    }
    assert_true(pairs > 5000);
    assert_true(terms > 20000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        EXPRESSION_TEST(nesting_is_bounded),
        EXPRESSION_TEST(what_is_closed_nests_no_more),
        EXPRESSION_TEST(the_stack_is_bounded),
        EXPRESSION_TEST(the_deepest_uses_the_whole_stack),
        EXPRESSION_TEST(as_few_parentheses_as_can_be),
        EXPRESSION_TEST(a_text_is_cut_to_its_room),
        EXPRESSION_TEST(what_is_deepest_is_written_no_deeper),
        EXPRESSION_TEST(memory_is_linear_in_the_text),
        EXPRESSION_TEST(a_long_name_is_no_trouble),
        EXPRESSION_TEST(without_memory_there_is_no_expression),
        EXPRESSION_TEST(made_up_texts_mean_what_they_should),
    };
    return cmocka_run_group_tests(tests, introduce_types, NULL);
}
