// Conditions of queries: what each text means, what is said of one that means nothing, and that
// what is written reads the same.
#include "query/expression.h"

#include "component/registry.h"
#include "support.h"

enum {
    LETTERS = 6, // the types A to F
    TEXT_SIZE = 1 << 14
};

typedef struct expression_fixture {
    meter m;
    size_t peak; // most bytes that were held at once
    ilki_memory memory;
    ilki_expression expression;
    char why[256];
} expression_fixture;

static void* peak_alloc(void* context, size_t size, size_t align) {
    expression_fixture* f = context;
    void* block = meter_alloc(&f->m, size, align);
    if (f->m.bytes > f->peak) f->peak = f->m.bytes;
    return block;
}

static void peak_free(void* context, void* memory, size_t size, size_t align) {
    meter_free(&((expression_fixture*)context)->m, memory, size, align);
}

static int open_expression(void** state) {
    expression_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){peak_alloc, peak_free, f});
    *state = f;
    return 0;
}

static int close_expression(void** state) {
    expression_fixture* f = *state;
    ilki_expression_fini(&f->expression, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_int_equal(f->memory.bytes[ILKI_OTHER], 0);
    assert_false(f->m.mismatch);
    free(f);
    return 0;
}
#define EXPRESSION_TEST(function)                                                                  \
    cmocka_unit_test_setup_teardown(function, open_expression, close_expression)

static const char* const names[] = {
    "A",   "B",        "C",     "D",       "E", "F",   "my type",
    "1st", "a.b::c_1", "größe", "(A | B)", " ", "x-y", "_x",
};

static int introduce_types(void** state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        ilk_type type = {.name = names[i], .size = 4};
        ilk_type* known;
        const char* why;
        assert_int_equal(ilki_type_resolve(&type, true, &known, &why), ILK_OK);
    }
    return 0;
}

static ilk_result parse(expression_fixture* f, const char* text) {
    ilki_expression_fini(&f->expression, &f->memory);
    strcpy(f->why, "untouched");
    return ilki_expression_parse(&f->expression, &f->memory, text, f->why, sizeof f->why);
}

static void assert_parses_at(expression_fixture* f, const char* text, const char* file, int line) {
    ilk_result result = parse(f, text);
    if (result != ILK_OK) print_error("%s\n", f->why);
    _assert_int_equal((LargestIntegralType)result, ILK_OK, file, line);
    _assert_string_equal(f->why, "untouched", file, line);
}
#define assert_parses(f, text) assert_parses_at((f), (text), __FILE__, __LINE__)

// The steps in order, with a blank between them.
static void postfix(const ilki_expression* e, char text[TEXT_SIZE]) {
    size_t length = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const ilki_step* step = &e->steps[i];
        static const char* const signs[] = {"", "&", "|", "!"};
        const char* shown = step->op == ILKI_OP_TYPE ? step->type->name : signs[step->op];
        int added = snprintf(text + length, TEXT_SIZE - length, i ? " %s" : "%s", shown);
        length += (size_t)added;
        assert_true(length < TEXT_SIZE);
    }
}

static void assert_steps(expression_fixture* f, const char* text, const char* steps) {
    static char found[TEXT_SIZE];
    assert_parses(f, text);
    postfix(&f->expression, found);
    assert_string_equal(found, steps);
}

static void assert_written(expression_fixture* f, const char* text, const char* written) {
    static char found[TEXT_SIZE];
    assert_parses(f, text);
    assert_int_equal(ilki_expression_text(&f->expression, found, sizeof found), strlen(written));
    assert_string_equal(found, written);
}

static void assert_refused(expression_fixture* f, const char* text, ilk_result result,
                           const char* why) {
    assert_int_equal(parse(f, text), result);
    assert_string_equal(f->why, why);
    assert_true(strlen(f->why) < ILKI_WHY_SIZE);
    assert_null(f->expression.steps);
    assert_int_equal(f->expression.count, 0);
    assert_int_equal(f->expression.capacity, 0);
    assert_int_equal(f->m.bytes, 0);
}

// A text of `count` times a piece, then an end and `count` times a closing piece. To be freed.
static char* repeated(const char* piece, uint32_t count, const char* end, const char* closing) {
    size_t open = strlen(piece), close = strlen(closing);
    char* text = malloc(count * (open + close) + strlen(end) + 1);
    assert_non_null(text);
    char* at = text;
    for (uint32_t i = 0; i < count; i++, at += open) memcpy(at, piece, open);
    memcpy(at, end, strlen(end));
    at += strlen(end);
    for (uint32_t i = 0; i < count; i++, at += close) memcpy(at, closing, close);
    *at = 0;
    return text;
}

static void each_operator_binds_as_it_should(void** state) {
    static const char* const rows[][2] = {
        {"A", "A"},
        {"A, B", "A B &"},
        {"A & B", "A B &"},
        {"A | B", "A B |"},
        {"!A", "A !"},
        {"!!A", "A ! !"},
        {"A, B, C", "A B & C &"},
        {"A & B & C", "A B & C &"},
        {"A | B | C", "A B | C |"},
        {"A, B | C", "A B C | &"},
        {"A | B, C", "A B | C &"},
        {"A, B & C", "A B C & &"},
        {"A & B, C", "A B & C &"},
        {"A | B & C", "A B C & |"},
        {"A & B | C", "A B & C |"},
        {"!A, B", "A ! B &"},
        {"!A & B", "A ! B &"},
        {"!A | B", "A ! B |"},
        {"A | !B", "A B ! |"},
        {"A, B | C & !D", "A B C D ! & | &"},
        {"!A & B | C, D", "A ! B & C | D &"},
        {"(A)", "A"},
        {"((A))", "A"},
        {"(A, B) | C", "A B & C |"},
        {"A | (B, C)", "A B C & |"},
        {"(A | B) & C", "A B | C &"},
        {"A & (B | C)", "A B C | &"},
        {"A, (B, C)", "A B C & &"},
        {"!(A, B)", "A B & !"},
        {"!(A | B) & !(C | D)", "A B | ! C D | ! &"},
        {"A, B, !(C | D)", "A B & C D | ! &"},
    };
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) assert_steps(*state, rows[i][0], rows[i][1]);
}

static void blanks_may_stand_between_all(void** state) {
    assert_steps(*state, "A,B|C&!D", "A B C D ! & | &");
    assert_steps(*state, " A\t,\nB\r\n|  C &\t! D ", "A B C D ! & | &");
    assert_steps(*state, "\n( A|B )\t&( C ) \n", "A B | C &");
    assert_steps(*state, "'A' , ' '\t", "A   &");
}

static void no_text_is_no_steps(void** state) {
    expression_fixture* f = *state;
    const char* const texts[] = {NULL, "", " ", " \t\r\n "};
    for (uint32_t i = 0; i < COUNT_OF(texts); i++) {
        char text[4] = "???";
        assert_parses(f, texts[i]);
        assert_int_equal(f->expression.count, 0);
        assert_null(f->expression.steps);
        assert_int_equal(ilki_expression_text(&f->expression, text, sizeof text), 0);
        assert_string_equal(text, "");
    }
    assert_int_equal(f->m.calls, 0);
}

static void each_name_is_found(void** state) {
    expression_fixture* f = *state;
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        char quoted[32];
        snprintf(quoted, sizeof quoted, "'%s'", names[i]);
        assert_parses(f, quoted);
        assert_int_equal(f->expression.count, 1);
        assert_int_equal(f->expression.steps[0].op, ILKI_OP_TYPE);
        assert_non_null(f->expression.steps[0].type);
        assert_ptr_equal(f->expression.steps[0].type, ilki_type_find(names[i]));
    }
    assert_steps(f, "a.b::c_1|größe&A", "a.b::c_1 größe A & |");
    assert_steps(f, "'my type', !'(A | B)'|_x", "my type (A | B) ! _x | &");
}

static void only_types_have_a_type(void** state) {
    expression_fixture* f = *state;
    assert_parses(f, "A, B | !C");
    for (uint32_t i = 0; i < f->expression.count; i++) {
        const ilki_step* step = &f->expression.steps[i];
        assert_int_equal(step->type != NULL, step->op == ILKI_OP_TYPE);
    }
}

static void what_is_not_well_formed_shows_the_place(void** state) {
    static const char* const rows[][2] = {
        {"A,", "at 3 in \"A,\": a name is missing"},
        {"A, ", "at 4 in \"A, \": a name is missing"},
        {",A", "at 1 in \",A\": a name is missing"},
        {"A,,B", "at 3 in \"A,,B\": a name is missing"},
        {"A && B", "at 4 in \"A && B\": a name is missing"},
        {"A || B", "at 4 in \"A || B\": a name is missing"},
        {"A | & B", "at 5 in \"A | & B\": a name is missing"},
        {"()", "at 2 in \"()\": a name is missing"},
        {")", "at 1 in \")\": a name is missing"},
        {"!", "at 2 in \"!\": a name is missing"},
        {"A, !(B |)", "at 9 in \"A, !(B |)\": a name is missing"},
        {"A, (B | C", "at 10 in \"A, (B | C\": a ')' is missing"},
        {"((A)", "at 5 in \"((A)\": a ')' is missing"},
        {"A)", "at 2 in \"A)\": this ')' closes nothing"},
        {"(A)), B", "at 4 in \"(A)), B\": this ')' closes nothing"},
        {"A B", "at 3 in \"A B\": a ',', '&' or '|' is missing"},
        {"A 'my type'", "at 3 in \"A 'my type'\": a ',', '&' or '|' is missing"},
        {"A !B", "at 3 in \"A !B\": a ',', '&' or '|' is missing"},
        {"A (B)", "at 3 in \"A (B)\": a ',', '&' or '|' is missing"},
        {"(A B)", "at 4 in \"(A B)\": a ',', '&' or '|' is missing"},
        {"A 1", "at 3 in \"A 1\": a ',', '&' or '|' is missing"},
        {"x-y", "at 1 in \"x-y\": no type in use is called 'x'"},
        {"A-y", "at 2 in \"A-y\": '-' can stand in quotes only"},
        {"(A-y)", "at 3 in \"(A-y)\": '-' can stand in quotes only"},
        {"A, @", "at 4 in \"A, @\": '@' can stand in quotes only"},
        {"A \x01 B", "at 3 in \"A ? B\": '?' can stand in quotes only"},
        {"\x7f", "at 1 in \"?\": '?' can stand in quotes only"},
        {"A,\n!\tA |", "at 9 in \"A,?!?A |\": a name is missing"},
        {"1st", "at 1 in \"1st\": a name that begins with a digit stands in quotes"},
        {"A, 'my", "at 4 in \"A, 'my\": this quote is not closed"},
        {"'", "at 1 in \"'\": this quote is not closed"},
    };
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) {
        ilk_result result = strstr(rows[i][1], "no type") ? ILK_MISSING : ILK_INVALID;
        assert_refused(*state, rows[i][0], result, rows[i][1]);
    }
}

// What follows a name, and what begins one, for each byte.
static const char* what_follows(char c) {
    if (strchr(" \t\r\n", c)) return "untouched";
    if (strchr(",&|", c)) return "a name is missing";
    if (strchr("'!(", c)) return "a ',', '&' or '|' is missing";
    if (c == ')') return "this ')' closes nothing";
    return "can stand in quotes only";
}

static const char* what_begins(char c) {
    if (strchr(" \t\r\n", c)) return "untouched";
    if (strchr(",&|!()", c)) return "a name is missing";
    if (strchr("0123456789", c)) return "a name that begins with a digit stands in quotes";
    if (c == '\'') return "this quote is not closed";
    return "can stand in quotes only";
}

static void each_byte_has_its_meaning(void** state) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.:";
    expression_fixture* f = *state;
    for (int byte = 1; byte < 256; byte++) {
        char c = (char)byte;
        bool is_start = strchr(letters, c) || byte >= 128;
        bool is_part = is_start || strchr("0123456789", c);
        assert_int_equal(parse(f, (char[]){'A', c, 0}) == ILK_MISSING, is_part);
        assert_non_null(strstr(f->why, is_part ? "no type in use is called 'A" : what_follows(c)));
        assert_int_equal(parse(f, (char[]){c, 'z', 0}) == ILK_MISSING,
                         is_start || strchr(" \t\r\n!(", c));
        ilk_result result = parse(f, (char[]){c, 0});
        if (is_start) continue;
        assert_int_equal(result, strchr(" \t\r\n", c) ? ILK_OK : ILK_INVALID);
        assert_non_null(strstr(f->why, what_begins(c)));
    }
}

static void an_unknown_name_is_shown(void** state) {
    expression_fixture* f = *state;
    assert_refused(f, "A, Velocty", ILK_MISSING,
                   "at 4 in \"A, Velocty\": no type in use is called 'Velocty'");
    assert_refused(f, "A,'your type'|B", ILK_MISSING,
                   "at 3 in \"A,'your type'|B\": no type in use is called 'your type'");
    assert_refused(f, "''", ILK_MISSING, "at 1 in \"''\": no type in use is called ''");
    assert_refused(f, "'a\tb'", ILK_MISSING, "at 1 in \"'a?b'\": no type in use is called 'a?b'");
    assert_null(ilki_type_find("Velocty"));
}

static void a_column_counts_characters(void** state) {
    assert_refused(*state, "größe, größe | Maß", ILK_MISSING,
                   "at 16 in \"größe, größe | Maß\": no type in use is called 'Maß'");
}

static void a_long_text_is_cut(void** state) {
    expression_fixture* f = *state;
    // At the end, at the beginning and in the middle.
    assert_refused(f, "A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,",
                   ILK_INVALID,
                   "at 66 in \"… A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,\": "
                   "a name is missing");
    assert_refused(f, "?, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A",
                   ILK_INVALID,
                   "at 1 in \"?, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, …\": "
                   "'?' can stand in quotes only");
    assert_refused(f,
                   "A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, ?, "
                   "B, B, B, B, B, B, B, B, B, B, B, B, B, B, B",
                   ILK_INVALID,
                   "at 46 in \"…A, A, A, A, A, A, A, A, A, A, ?, B, B, B, B, B, B, B, B, B, …\": "
                   "'?' can stand in quotes only");
    // Near the beginning nothing is cut before the place.
    assert_refused(f, "A, A, A, A, A, A, A, A, ?, A, A, A, A, A, A, A, A, A, A, A, A, A",
                   ILK_INVALID,
                   "at 25 in \"A, A, A, A, A, A, A, A, ?, A, A, A, A, A, A, A, A, A, A, A, …\": "
                   "'?' can stand in quotes only");
    // 60 bytes are shown whole.
    assert_refused(f, "A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, ", ILK_INVALID,
                   "at 61 in \"A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, \": "
                   "a name is missing");
}

static void a_cut_splits_no_character(void** state) {
    expression_fixture* f = *state;
    // The window begins and ends inside a character of three bytes; so does the name.
    assert_refused(f, "A, €€€€€€€€€€€€€€€€€€€€€€€€€", ILK_MISSING,
                   "at 4 in \"A, €€€€€€€€€€€€€€€€€€€…\": "
                   "no type in use is called '€€€€€€€€€€€€€€€€€€€€…'");
    assert_refused(f, "A, 'ä€€€€€€€€€€€€€€€€€€€€€€€€€'", ILK_MISSING,
                   "at 4 in \"A, 'ä€€€€€€€€€€€€€€€€€€…\": "
                   "no type in use is called 'ä€€€€€€€€€€€€€€€€€€€€…'");
    assert_refused(f, "größe | größe | größe | größe | größe | größe | A ?", ILK_INVALID,
                   "at 51 in \"…ße | größe | größe | größe | größe | größe | A ?\": "
                   "'?' can stand in quotes only");
}

// What is no UTF-8 is shown as it is: no more than three bytes are passed over.
static void a_cut_ends_in_what_is_no_character(void** state) {
    expression_fixture* f = *state;
    char* text = repeated("\x80", 100, "", "");
    char* shown = repeated("\x80", 63, "", "");
    char why[256];
    snprintf(why, sizeof why, "at 1 in \"%s…\": no type in use is called '%s…'", shown, shown);
    assert_refused(f, text, ILK_MISSING, why);
    free(shown);
    free(text);
}

static void the_longest_sentence_has_room(void** state) {
    expression_fixture* f = *state;
    char* text = repeated(" ", (uint32_t)ILKI_CONDITION_MAX - 300, "\x80", "");
    size_t length = strlen(text);
    text = realloc(text, ILKI_CONDITION_MAX + 1);
    assert_non_null(text);
    memset(text + length, 0x80, ILKI_CONDITION_MAX - length);
    text[ILKI_CONDITION_MAX] = 0;
    assert_int_equal(parse(f, text), ILK_MISSING);
    assert_memory_equal(f->why, "at 16776917 in \"…", strlen("at 16776917 in \"…"));
    assert_string_equal(f->why + strlen(f->why) - strlen("\x80…'"), "\x80…'");
    assert_true(strlen(f->why) > 160);
    assert_true(strlen(f->why) < ILKI_WHY_SIZE);
    free(text);
}

static void a_text_can_be_too_long(void** state) {
    expression_fixture* f = *state;
    char* text = repeated(" ", (uint32_t)ILKI_CONDITION_MAX - 1, "A", "");
    assert_steps(f, text, "A");
    ilki_expression_fini(&f->expression, &f->memory);
    free(text);
    text = repeated(" ", (uint32_t)ILKI_CONDITION_MAX, "A", "");
    assert_refused(f, text, ILK_INVALID,
                   "at 16777217 in \"…                                                           "
                   "A\": it is longer than 16777216 bytes");
    free(text);
}

static void a_sentence_is_cut_to_its_room(void** state) {
    expression_fixture* f = *state;
    char why[8] = "1234567";
    assert_int_equal(ilki_expression_parse(&f->expression, &f->memory, "A,", NULL, 0), ILK_INVALID);
    assert_int_equal(ilki_expression_parse(&f->expression, &f->memory, "A,", why, 6), ILK_INVALID);
    assert_string_equal(why, "at 3 ");
    assert_int_equal(why[6], '7');
}

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
        EXPRESSION_TEST(each_operator_binds_as_it_should),
        EXPRESSION_TEST(blanks_may_stand_between_all),
        EXPRESSION_TEST(no_text_is_no_steps),
        EXPRESSION_TEST(each_name_is_found),
        EXPRESSION_TEST(only_types_have_a_type),
        EXPRESSION_TEST(what_is_not_well_formed_shows_the_place),
        EXPRESSION_TEST(each_byte_has_its_meaning),
        EXPRESSION_TEST(an_unknown_name_is_shown),
        EXPRESSION_TEST(a_column_counts_characters),
        EXPRESSION_TEST(a_long_text_is_cut),
        EXPRESSION_TEST(a_cut_splits_no_character),
        EXPRESSION_TEST(a_cut_ends_in_what_is_no_character),
        EXPRESSION_TEST(the_longest_sentence_has_room),
        EXPRESSION_TEST(a_text_can_be_too_long),
        EXPRESSION_TEST(a_sentence_is_cut_to_its_room),
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
