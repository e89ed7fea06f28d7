/* test_file.c - whole files are written and read, directories created with their parents */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static int enter_temporary(void **state)
{
    char path[] = "/tmp/sennit-test-XXXXXX";
    if (!mkdtemp(path) || chdir(path) < 0)
        return -1;
    *state = strdup(path);
    return 0;
}

static int leave_temporary(void **state)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
    free(*state);
    return chdir("/") || system(command);
}

static void check_content(const char *path, const char *expected)
{
    Text content = {0};
    assert_true(file_read(path, &content));
    assert_string_equal(text_borrow(&content), expected);
    text_release(&content);
}

static void test_files(void **state)
{
    (void)state;
    Text content = {0};
    assert_true(file_write("a", O_TRUNC, "one two", 7));
    assert_true(file_write("a", O_TRUNC, "one", 3));
    assert_true(file_write("a", O_APPEND, " more", 5));
    check_content("a", "one more");
    assert_false(file_read("missing", &content));
    assert_int_equal(errno, ENOENT);
    assert_false(file_write("missing/b", O_TRUNC, "x", 1));
    assert_int_equal(errno, ENOENT);
    text_release(&content);
}

static void test_directories(void **state)
{
    (void)state;
    assert_true(file_make_directory("p/q/r"));
    assert_true(file_make_directory("p/q/r"));
    assert_true(file_write("p/q/r/c", O_TRUNC, "x", 1));
    assert_false(file_make_directory("p/q/r/c"));
    assert_int_equal(errno, ENOTDIR);
    assert_false(file_make_directory("p/q/r/c/d"));
    assert_int_equal(errno, ENOTDIR);
    assert_false(file_make_directory(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, enter_temporary, leave_temporary),
        cmocka_unit_test_setup_teardown(test_directories, enter_temporary, leave_temporary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
