// Text that is written piece by piece, into memory, into a file, and in columns.
#include "base/text.h"
#include "support.h"

static void what_fits_is_written_and_all_is_counted(void** state) {
    (void)state;
    for (size_t size = 0; size < 16; size++) {
        char text[20];
        memset(text, '#', sizeof(text));
        ilki_text to = ilki_text_begin(text, size);
        ilki_text_put(&to, "one ");
        ilki_text_put(&to, "");
        ilki_text_format(&to, "%s %d", "two", 3);
        ilki_text_quote(&to, "x");
        assert_int_equal(to.length, strlen("one two 3\"x\""));
        const char whole[] = "one two 3\"x\"";
        if (size) {
            size_t fits = size - 1 < strlen(whole) ? size - 1 : strlen(whole);
            assert_int_equal(strlen(text), fits);
            assert_memory_equal(text, whole, fits);
        }
        assert_int_equal(text[size], '#');
    }
}

static void nowhere_is_counted_too(void** state) {
    (void)state;
    ilki_text to = ilki_text_begin(NULL, 100);
    ilki_text_put(&to, "four");
    ilki_text_format(&to, "%d", 5);
    assert_int_equal(to.length, 5);
}

static void a_file_takes_the_place_of_memory(void** state) {
    (void)state;
    char text[20] = "";
    FILE* file = tmpfile();
    assert_non_null(file);
    ilki_text to = {.file = file};
    ilki_text_put(&to, "one ");
    ilki_text_format(&to, "%d ", 2);
    ilki_text_quote(&to, "3");
    rewind(file);
    assert_int_equal(fread(text, 1, sizeof(text), file), to.length);
    assert_string_equal(text, "one 2 \"3\"");
    fclose(file);
}

static void quoted_as(const char* string, const char* wanted) {
    char text[100];
    ilki_text to = ilki_text_begin(text, sizeof(text));
    ilki_text_quote(&to, string);
    assert_string_equal(text, wanted);
}

static void quotes_are_those_of_json(void** state) {
    (void)state;
    quoted_as("", "\"\"");
    quoted_as("plain", "\"plain\"");
    quoted_as("a\"b\\c", "\"a\\\"b\\\\c\"");
    quoted_as("line\nend\x1f\x7f", "\"line\\u000aend\\u001f\x7f\"");
}

static void what_is_no_text_becomes_a_sign(void** state) {
    (void)state;
    quoted_as("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8d\x8e",
              "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8d\x8e\"");
    quoted_as("\x80", "\"\\ufffd\"");
    quoted_as("\xc3", "\"\\ufffd\"");                       // ends too soon
    quoted_as("\xc3(", "\"\\ufffd(\"");                     // goes on otherwise
    quoted_as("\xc0\xaf", "\"\\ufffd\\ufffd\"");            // longer than it need be
    quoted_as("\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\""); // the same
    quoted_as("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); // a half of a pair
    quoted_as("\xf0\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    quoted_as("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); // beyond the last
    quoted_as("\xf5\xff", "\"\\ufffd\\ufffd\"");
}

static void put_lines(ilki_table* table) {
    ilki_table_left(table, "name");
    ilki_table_right(table, "n");
    ilki_table_end(table);
    ilki_table_left(table, "\xc3\xa4pple");
    ilki_table_number(table, 1234);
    ilki_table_end(table);
    ilki_table_left(table, "");
    ilki_table_number(table, 1);
    if (table->to) ilki_text_put(table->to, " rest");
    ilki_table_end(table);
}

static void columns_are_as_wide_as_their_widest_cell(void** state) {
    (void)state;
    char text[200];
    ilki_text to = ilki_text_begin(text, sizeof(text));
    ilki_table table = {0};
    put_lines(&table);
    assert_int_equal(to.length, 0);
    table.to = &to;
    put_lines(&table);
    assert_string_equal(text, "    name      n\n"
                              "    \xc3\xa4pple  1234\n"
                              "              1 rest\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_written_and_all_is_counted),
        cmocka_unit_test(nowhere_is_counted_too),
        cmocka_unit_test(a_file_takes_the_place_of_memory),
        cmocka_unit_test(quotes_are_those_of_json),
        cmocka_unit_test(what_is_no_text_becomes_a_sign),
        cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
