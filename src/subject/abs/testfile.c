/* testfile.c - see testfile.h */
#include "subject/abs/testfile.h"

#include <stdio.h>

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

AbsProgram *testfile_load_model(const char *const *paths, uint32_t count, Error *error)
{
    Text diagnostics = {0};
    AbsOptions options = {
        .dependence = DEPENDENCE_FIELDS, .tasks = TASKS_NONDET, .without_main = true, .plain_inputs = true};
    AbsProgram *program = program_abs_create(paths, count, &options, &diagnostics, error);
    if (!program && diagnostics.length)
        fputs(text_borrow(&diagnostics), stderr);
    text_release(&diagnostics);
    return program;
}
