/* test_rundir.c - run directories are numbered, linked, and never the end of a run */
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

#include "app/run/rundir.h"

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

static void test_numbers(void **state)
{
    (void)state;
    RunDir first, second;
    char target[64] = "";
    rundir_open(&first, "");
    rundir_open(&second, "");
    assert_string_equal(first.path, "sennit-out/001");
    assert_string_equal(second.path, "sennit-out/002");
    rundir_link(&first);
    rundir_link(&second);
    assert_int_equal(readlink("sennit-last", target, sizeof target - 1), 14);
    assert_string_equal(target, "sennit-out/002");
    assert_string_equal(second.shown, "sennit-last");
    rundir_close(&first);
    rundir_close(&second);
}

static void test_files(void **state)
{
    (void)state;
    RunDir dir;
    Text text = {0};
    struct stat status;
    text_add(&text, "hello");
    rundir_open(&dir, "a/b/c");
    assert_string_equal(dir.path, "a/b/c");
    assert_true(rundir_write(&dir, "bugs/x.trace", &text));
    assert_true(rundir_append(&dir, "s", &text) && rundir_append(&dir, "s", &text));
    assert_int_equal(stat("a/b/c/s", &status), 0);
    assert_int_equal(status.st_size, 10);
    assert_int_equal(access("a/b/c/bugs/x.trace", F_OK), 0);
    assert_int_equal(access("a/b/c/bugs/x.trace.part", F_OK), -1);
    rundir_close(&dir);
    rundir_open(&dir, "a/b/c"); /* bugs of the run before do not stay */
    assert_int_equal(access("a/b/c/bugs/x.trace", F_OK), -1);
    rundir_close(&dir);
    text_release(&text);
}

static void test_failures(void **state)
{
    (void)state;
    RunDir dir;
    Text text = {0};
    text_add(&text, "hello");
    rundir_open(&dir, "/dev/null/x");
    assert_null(dir.path);
    assert_true(dir.failed);
    assert_string_equal(dir.problem, "/dev/null/x: Not a directory");
    rundir_link(&dir);
    assert_false(rundir_write(&dir, "run.json", &text));
    rundir_close(&dir);
    rundir_open(&dir, "full");
    assert_int_equal(symlink("/dev/full", "full/s"), 0);
    assert_false(rundir_append(&dir, "s", &text));
    assert_string_equal(dir.problem, "full/s: No space left on device");
    rundir_close(&dir);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_numbers, enter_temporary, leave_temporary),
        cmocka_unit_test_setup_teardown(test_files, enter_temporary, leave_temporary),
        cmocka_unit_test_setup_teardown(test_failures, enter_temporary, leave_temporary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
