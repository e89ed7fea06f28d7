/* test_outfile.c - result files are replaced as a whole, and checked before */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/run/outfile.h"
#include "base/file.h"
#include "base/mem.h"

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

static void set(char **option, const char *value)
{
    free(*option);
    *option = mem_copy_string(value);
}

static void check_content(const char *path, const char *expected)
{
    Text content = {0};
    assert_true(file_read(path, &content));
    assert_string_equal(text_borrow(&content), expected);
    text_release(&content);
}

static void put(const char *path, const char *text)
{
    Text content = {0};
    Error error;
    text_add_string(&content, text);
    assert_true(outfile_write(path, &content, &error));
    text_release(&content);
}

static void test_writing(void **state)
{
    (void)state;
    struct stat status;
    put("a", "first");
    put("a", "second, longer");
    put("a", "3");
    check_content("a", "3");
    assert_int_equal(symlink("a", "link"), 0);
    put("link", "through a link");
    check_content("a", "through a link");
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    put("/dev/null", "nothing is replaced");
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(system("ls *.part 2>/dev/null | grep -q part"), 256);
}

/* As /dev/stdout is if the output goes to a file that was deleted or replaced. */
static void test_deleted(void **state)
{
    (void)state;
    struct stat status;
    char path[40], content[8] = "";
    int fd = open("gone", O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(unlink("gone"), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(symlink(path, "link"), 0);
    put("link", "text");
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(pread(fd, content, sizeof content, 0), 4);
    assert_string_equal(content, "text");
    close(fd);
}

static void test_failing(void **state)
{
    (void)state;
    Text content = {0};
    Error error;
    text_add_string(&content, "x");
    assert_false(outfile_write("nowhere/a", &content, &error));
    assert_string_equal(error.text, "cannot write nowhere/a: No such file or directory");
    text_release(&content);
}

static void test_checking(void **state)
{
    (void)state;
    Options options;
    Error error;
    options_init(&options);
    assert_true(outfile_check(&options, &error));
    set(&options.junit, "j.xml");
    set(&options.sarif, "old");
    put("old", "kept");
    assert_true(outfile_check(&options, &error));
    check_content("old", "kept");
    assert_int_equal(access("j.xml", F_OK), -1);
    set(&options.sarif, "j.xml");
    assert_false(outfile_check(&options, &error));
    set(&options.sarif, "nowhere/s");
    assert_false(outfile_check(&options, &error));
    assert_int_equal(error.code, EXIT_USAGE);
    assert_string_equal(error.text, "--sarif: cannot write nowhere/s: No such file or directory");
    set(&options.sarif, ".");
    assert_false(outfile_check(&options, &error));
    assert_string_equal(error.text, "--sarif: cannot write .: Is a directory");
    set(&options.sarif, "");
    options.json = options.github = true;
    assert_false(outfile_check(&options, &error));
    options_release(&options);
}

static void test_settling(void **state)
{
    (void)state;
    Options options;
    options_init(&options);
    set(&options.sarif, "sub/s");
    outfile_settle(&options, "/top");
    assert_string_equal(options.junit, "");
    assert_string_equal(options.sarif, "/top/sub/s");
    outfile_settle(&options, "/other");
    assert_string_equal(options.sarif, "/top/sub/s");
    options_release(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_writing, enter_temporary, leave_temporary),
        cmocka_unit_test_setup_teardown(test_deleted, enter_temporary, leave_temporary),
        cmocka_unit_test_setup_teardown(test_failing, enter_temporary, leave_temporary),
        cmocka_unit_test_setup_teardown(test_checking, enter_temporary, leave_temporary),
        cmocka_unit_test(test_settling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
