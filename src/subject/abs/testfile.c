/* testfile.c - see testfile.h */
#include "subject/abs/testfile.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadlock/killers.h"
#include "tcg/verify.h"

static bool read_tests(TestFile *file, Text *problems)
{
    parser_run(file->suite, file->suite->sources.files.count - 1);
    if (!file->suite->diags.errors) /* after a syntax error the rest is unreliable */
        script_read(file->suite, &file->tests);
    if (!file->suite->diags.errors)
        return true;
    diags_print(&file->suite->diags, &file->suite->sources, problems);
    return false;
}

bool testfile_open(TestFile *file, const char *path, Text *problems)
{
    Error error = {0};
    file->suite = model_create();
    if (source_add_file(&file->suite->sources, path, &error))
        return read_tests(file, problems);
    text_add(problems, "%s\n", error.text);
    return false;
}

bool testfile_parse(TestFile *file, const char *name, const char *text, size_t size, Text *problems)
{
    file->suite = model_create();
    source_add_text(&file->suite->sources, name, text, size, false);
    return read_tests(file, problems);
}

void testfile_release(TestFile *file)
{
    scripts_release(&file->tests);
    if (file->suite)
        model_destroy(file->suite);
    *file = (TestFile){0};
}

/* Tests of methods ignore schedulers: what waited in the objects before is unknown. */
AbsProgram *testfile_load_model(const char *const *paths, uint32_t count, TestSemantics semantics, Error *error)
{
    Text diagnostics = {0};
    AbsOptions options = {.dependence = DEPENDENCE_FIELDS, .tasks = semantics.from_main ? TASKS_MODEL : TASKS_NONDET,
                          .time = semantics.free_time ? TIME_FREE : TIME_ORDERED,
                          .without_main = true, .plain_inputs = true};
    AbsProgram *program = program_abs_create(paths, count, &options, &diagnostics, error);
    if (!program && diagnostics.length)
        fputs(text_borrow(&diagnostics), stderr);
    text_release(&diagnostics);
    if (program && semantics.from_main) /* as in a search */
        program_abs_set_killers(program, killers_create(program_abs_machine(program)->image));
    return program;
}

bool testfile_confirm(AbsProgram *program, const Text *text, Error *error)
{
    Text reason = {0};
    TestFile file = {0};
    bool good = testfile_parse(&file, "test", text_borrow(text), text->length, &reason) && file.tests.count == 1 &&
                verify_test(program, file.suite, &file.tests.items[0], &reason) == TEST_PASSED;
    if (!good)
        error_set(error, EXIT_DIVERGED,
                  "a test does not reproduce its execution, which is a bug in Sennit: %.300s",
                  text_borrow(&reason));
    testfile_release(&file);
    text_release(&reason);
    return good;
}

void testfile_remove_old(const char *directory, const char *prefix)
{
    DIR *dir = opendir(directory);
    const struct dirent *entry;
    char path[PATH_MAX];
    while (dir && (entry = readdir(dir))) {
        const char *rest = entry->d_name + strlen(prefix);
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            strcmp(rest + strspn(rest, "0123456789"), ".abs") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
}
