// Conditions of queries: what each text means, and what is said of one that means nothing.
#include "expression_support.h"

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
    };
    return cmocka_run_group_tests(tests, introduce_types, NULL);
}
