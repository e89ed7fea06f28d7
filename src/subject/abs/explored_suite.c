/* explored_suite.c - see explored_suite.h */
#include "subject/abs/explored_suite.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "abs/check/check.h"
#include "app/run/rundir.h"
#include "base/file.h"
#include "base/path.h"
#include "subject/abs/endings.h"
#include "subject/abs/testfile.h"
#include "tcg/emit.h"
#include "tcg/generate.h"

/* ---- Which searches --------------------------------------------------------------------- */

/* A test is run on the files alone, in steps of a search with reduction. */
bool explored_suite_check(const Options *options, Error *error)
{
    const struct { bool given; const char *name; } others[] = {
        {options->await != 0, "await"},
        {options->resources != 0, "resources"}, {options->tasks != TASKS_BY_MODEL, "tasks"},
        {options->objects.policy != 0, "objects=round-robin"},
        {options->reduction == REDUCTION_NONE, "reduction=none"},
        {options->dependence == DEPENDENCE_BY_EXACT, "dependence=exact"}, {*options->product != '\0', "product"},
        {options->dialect != 0, "dialect"}, {*options->path != '\0', "path"}};
    for (unsigned i = 0; *options->tests && i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return error_set(error, EXIT_USAGE, "--tests goes without --%s, which a test cannot state", others[i].name);
    return true;
}

bool explored_suite_prepare(const Options *options, Error *error)
{
    return (file_make_directory(options->tests) && access(options->tests, W_OK | X_OK) == 0) ||
           error_set(error, EXIT_USAGE, "%s: %s", options->tests, strerror(errno));
}

/* ---- Tests -------------------------------------------------------------------------------- */

void explored_suite_add(ExploredSuite *suite, const Execution *ex)
{
    TestCase test = {.from_main = true};
    if (ex->end != END_COMPLETE || endings_kinds(ex) & ENDINGS_CUT || execution_is_cut(ex)) {
        suite->cut++;
        return;
    }
    if (suite->tests.count >= suite->info->options.max_tests) {
        suite->left++;
        return;
    }
    suite->tests.format = FORMAT_CONCRETE;
    generate_describe(suite->program, ex, FORMAT_CONCRETE, &test);
    VEC_PUSH(&suite->tests, test);
}

/* "Database_Test": of the module with the main block. */
static void add_prefix(const ModuleDecl *module, Text *text)
{
    for (const char *c = module->name.text; *c; c++)
        text_add(text, "%c", *c == '.' ? '_' : *c);
    text_add_string(text, "_Test");
}

static void add_test(const ExploredSuite *suite, uint32_t number, const char *prefix, Text *text)
{
    const ModuleDecl *module = check_find_main(program_abs_model(suite->program));
    Text name = {0}, title = {0}, path = {0};
    text_add(&name, "%s%03u", prefix, number + 1);
    text_add(&title, "%s %u", module->name.text, number + 1);
    path_add_relative(suite->info->options.tests, suite->info->program, &path);
    EmitNames names = {.module = text_borrow(&name), .title = text_borrow(&title), .path = text_borrow(&path),
                       .model = module->name.text};
    emit_abs(&suite->tests.items[number], &names, text);
    text_release(&name);
    text_release(&title);
    text_release(&path);
}

/* ---- Confirming ----------------------------------------------------------------------------- */

static TestSemantics semantics_of(const ExploredSuite *suite)
{
    return (TestSemantics){.from_main = true, .free_time = suite->info->options.time != 0};
}

static bool confirm_all(const ExploredSuite *suite, const char *prefix, Error *error)
{
    AbsProgram *program = testfile_load_model((const char *const *)suite->info->arguments + 1,
                                              (uint32_t)suite->info->argc - 1, semantics_of(suite), error);
    Text text = {0};
    bool good = program != NULL;
    for (uint32_t i = 0; good && i < suite->tests.count; i++) {
        text_reset(&text);
        add_test(suite, i, prefix, &text);
        good = testfile_confirm(program, &text, error);
    }
    text_release(&text);
    program_abs_destroy(program);
    return good;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool write_all(const ExploredSuite *suite, const char *prefix, Error *error)
{
    RunDir dir = {0};
    Text text = {0}, name = {0};
    rundir_open(&dir, suite->info->options.tests);
    testfile_remove_old(suite->info->options.tests, prefix);
    for (uint32_t i = 0; i < suite->tests.count; i++) {
        text_reset(&text);
        text_reset(&name);
        add_test(suite, i, prefix, &text);
        text_add(&name, "%s%03u.abs", prefix, i + 1);
        rundir_write(&dir, text_borrow(&name), &text);
    }
    if (dir.failed)
        error_set(error, EXIT_USAGE, "%s", dir.problem);
    bool good = !dir.failed;
    text_release(&text);
    text_release(&name);
    rundir_close(&dir);
    return good;
}

bool explored_suite_write(ExploredSuite *suite, Error *error)
{
    Text prefix = {0};
    add_prefix(check_find_main(program_abs_model(suite->program)), &prefix);
    bool good = confirm_all(suite, text_borrow(&prefix), error) && write_all(suite, text_borrow(&prefix), error);
    text_release(&prefix);
    return good;
}

void explored_suite_release(ExploredSuite *suite) { suite_release(&suite->tests); }
