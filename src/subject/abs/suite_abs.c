/* suite_abs.c - see suite_abs.h */
#include "subject/abs/suite_abs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "base/mem.h"
#include "report/ci/junit.h"
#include "subject/abs/models.h"
#include "subject/abs/testfile.h"
#include "subject/abs/unit_suite.h"
#include "tcg/verify.h"

typedef struct SuiteFile {
    char *path;
    TestFile tests;
} SuiteFile;

typedef struct Suite {
    const SuiteRequest *request;
    VEC(SuiteFile) files;
    VEC(char *) model;          /* files given; empty: the model that the tests name */
    AbsProgram *program;
    VEC(char *) loaded;         /* the files of `program`                            */
    TestSemantics semantics;    /* of `program`                                      */
    JunitCases cases;
    uint32_t passed;
    bool owns_names;            /* of the cases                                      */
} Suite;

/* ---- Files ------------------------------------------------------------------------------- */

static bool is_model_file(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".abs") == 0;
}

/* Adds a file with tests, or one of the model. */
static bool add_file(Suite *suite, const char *path, bool may_be_model, Error *error)
{
    SuiteFile file = {.path = mem_copy_string(path)};
    Text problems = {0};
    bool good = testfile_open(&file.tests, path, &problems);
    if (!good)
        error_set(error, EXIT_USAGE, "%s", text_borrow(&problems));
    text_release(&problems);
    if (good && file.tests.tests.count) {
        VEC_PUSH(&suite->files, file);
        return true;
    }
    testfile_release(&file.tests);
    if (good && may_be_model)
        VEC_PUSH(&suite->model, file.path);
    else
        free(file.path);
    return good;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static bool add_directory(Suite *suite, const char *path, Error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, by_name);
    bool good = count >= 0 || error_set(error, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        good = good && (!is_model_file(entries[i]->d_name) || add_file(suite, file, false, error));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return good;
}

static bool add_paths(Suite *suite, Error *error)
{
    const SuiteRequest *request = suite->request;
    for (uint32_t i = 0; i < request->path_count; i++) {
        struct stat status;
        if (stat(request->paths[i], &status) != 0)
            return error_set(error, EXIT_USAGE, "cannot open %s: %s", request->paths[i], strerror(errno));
        if (!(S_ISDIR(status.st_mode) ? add_directory(suite, request->paths[i], error)
                                      : add_file(suite, request->paths[i], true, error)))
            return false;
    }
    return true;
}

/* ---- The model ------------------------------------------------------------------------------ */

static void forget_program(Suite *suite)
{
    program_abs_destroy(suite->program);
    suite->program = NULL;
    for (uint32_t i = 0; i < suite->loaded.count; i++)
        free(suite->loaded.items[i]);
    suite->loaded.count = 0;
}

static bool load(Suite *suite, char *const *paths, uint32_t count, TestSemantics semantics, Error *error)
{
    bool same = suite->program && suite->loaded.count == count && suite->semantics.from_main == semantics.from_main &&
                suite->semantics.free_time == semantics.free_time;
    for (uint32_t i = 0; same && i < count; i++)
        same = strcmp(suite->loaded.items[i], paths[i]) == 0;
    if (same)
        return true;
    forget_program(suite);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&suite->loaded, mem_copy_string(paths[i]));
    suite->semantics = semantics;
    suite->program = testfile_load_model((const char *const *)paths, count, semantics, error);
    return suite->program != NULL;
}

/* With the files that define what it imports. */
static bool load_with_imports(Suite *suite, char *path, TestSemantics semantics, Error *error)
{
    Options options;
    FileNames files = {0};
    Models models = {0};
    options_init(&options);
    VEC_PUSH(&models, path);
    bool good = models_gather(&models, &options, &files, error) &&
                load(suite, models.items, models.count, semantics, error);
    VEC_FREE(&models);
    file_names_release(&files);
    options_release(&options);
    return good;
}

/* Loads the given model, or the one that the test names, relative to its file. */
static bool load_for(Suite *suite, const SuiteFile *file, const TestScript *test, Error *error)
{
    if (suite->model.count)
        return load(suite, suite->model.items, suite->model.count, test->semantics, error);
    if (!test->model)
        return error_set(error, EXIT_USAGE, "%s names no model; give one: sennit test-suite TESTS MODEL.abs",
                         file->path);
    char path[PATH_MAX];
    const char *slash = strrchr(file->path, '/');
    int directory = slash && test->model[0] != '/' ? (int)(slash - file->path) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%s", directory, file->path, test->model);
    return load_with_imports(suite, path, test->semantics, error);
}

/* ---- Tests ------------------------------------------------------------------------------------ */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void print_reason(const char *reason)
{
    while (*reason) {
        size_t length = strcspn(reason, "\n");
        printf("        %.*s\n", (int)length, reason);
        reason += length + (reason[length] == '\n');
    }
}

static bool run_test(Suite *suite, const SuiteFile *file, const TestScript *test, Error *error)
{
    static const char *const words[] = {"ok", "FAILED", "BROKEN"};
    static const JunitResult results[] = {JUNIT_PASSED, JUNIT_FAILED, JUNIT_ERROR};
    Text reason = {0};
    if (!load_for(suite, file, test, error))
        return false;
    double begin = now();
    TestVerdict verdict = verify_test(suite->program, file->tests.suite, test, &reason);
    JunitCase result = {.group = file->path, .name = test->title, .seconds = now() - begin,
                        .result = results[verdict], .reason = mem_copy_string(text_borrow(&reason))};
    VEC_PUSH(&suite->cases, result);
    suite->passed += verdict == TEST_PASSED;
    if (verdict != TEST_PASSED || !suite->request->quiet)
        printf("%-6s  %s  (%s)\n", words[verdict], test->title, file->path);
    print_reason(result.reason);
    text_release(&reason);
    return true;
}

static bool wants_more(const Suite *suite) { return !suite->request->stop || suite->passed == suite->cases.count; }

static bool run_all(Suite *suite, Error *error)
{
    for (uint32_t i = 0; i < suite->files.count; i++)
        for (uint32_t k = 0; k < suite->files.items[i].tests.tests.count && wants_more(suite); k++)
            if (!run_test(suite, &suite->files.items[i], &suite->files.items[i].tests.tests.items[k], error))
                return false;
    printf("%u test%s: %u passed, %u failed\n", suite->cases.count, suite->cases.count == 1 ? "" : "s", suite->passed,
           suite->cases.count - suite->passed);
    return true;
}

/* Without generated tests: the methods of suites. */
static bool run_units(Suite *suite, Error *error)
{
    suite->owns_names = true;
    if (!unit_suite_run(suite->request, &suite->cases, &suite->passed, error))
        return false;
    return suite->cases.count > 0 ||
           error_set(error, EXIT_USAGE, "%s: there are no tests (main blocks with [Test], or classes with [Suite])",
                     suite->request->paths[0]);
}

static bool write_junit(const Suite *suite, Error *error)
{
    const char *path = suite->request->junit;
    if (!path)
        return true;
    Text text = {0};
    JunitSuite results = {
        .name = suite->request->paths[0], .cases = suite->cases.items, .case_count = suite->cases.count};
    junit_write(&results, &text);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && text_write_all(fd, text_borrow(&text), text.length);
    if (fd >= 0 && close(fd) != 0)
        good = false;
    text_release(&text);
    return good || error_set(error, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
}

/* Results of an earlier run would look like those of this one. */
static void write_failure(const Suite *suite, const Error *error)
{
    const char *path = suite->request->junit, *name = suite->request->paths[0];
    JunitCase failed = {.group = name, .name = name, .result = JUNIT_ERROR, .type = "failed", .reason = error->text};
    Text text = {0};
    Error ignored;
    junit_write(&(JunitSuite){.name = name, .cases = &failed, .case_count = 1}, &text);
    outfile_write(path, &text, &ignored);
    text_release(&text);
}

static void release(Suite *suite)
{
    for (uint32_t i = 0; i < suite->files.count; i++) {
        testfile_release(&suite->files.items[i].tests);
        free(suite->files.items[i].path);
    }
    for (uint32_t i = 0; i < suite->model.count; i++)
        free(suite->model.items[i]);
    for (uint32_t i = 0; i < suite->cases.count; i++)
        free((char *)suite->cases.items[i].reason);
    for (uint32_t i = 0; suite->owns_names && i < suite->cases.count; i++)
        free((char *)suite->cases.items[i].name);
    forget_program(suite);
    VEC_FREE(&suite->files);
    VEC_FREE(&suite->model);
    VEC_FREE(&suite->loaded);
    VEC_FREE(&suite->cases);
}

bool model_has_tests(const char *const *paths, uint32_t count)
{
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        TestFile file = {0};
        Text ignored = {0};
        found = testfile_open(&file, paths[i], &ignored) && file.tests.count > 0;
        testfile_release(&file);
        text_release(&ignored);
    }
    return found;
}

int model_test_suite(const SuiteRequest *request)
{
    Suite suite = {.request = request};
    Error error = {.code = EXIT_USAGE};
    bool good = add_paths(&suite, &error);
    good = good && (suite.files.count ? run_all(&suite, &error) : run_units(&suite, &error));
    good = good && write_junit(&suite, &error);
    int code = suite.passed == suite.cases.count ? EXIT_CLEAN : EXIT_BUG;
    fflush(stdout);
    if (!good)
        fprintf(stderr, "sennit test-suite: %s\n", error.text);
    if (!good && request->junit)
        write_failure(&suite, &error);
    release(&suite);
    return good ? code : (int)error.code;
}
