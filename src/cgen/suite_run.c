/* suite_run.c - see suite_run.h */
#include "cgen/suite_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/mem.h"
#include "cgen/csuite.h"
#include "host/subprocess.h"
#include "host/words.h"
#include "report/ci/junit.h"

static const char ENDING[] = "_tests.c";

/* What is known of a suite from its text. */
typedef struct SuiteText {
    const char *path;
    Text content;
    char *name;              /* of the function         */
    VEC(char *) words;       /* of the compiler         */
} SuiteText;

typedef struct SuiteRunning {
    const SuiteRun *request;
    Scratch scratch;
    VEC(char *) paths;       /* of the suites           */
    JunitCases cases;
    uint32_t passed, skipped;
} SuiteRunning;

/* ---- Suites ---------------------------------------------------------------------------------- */

static bool is_suite(const char *name)
{
    size_t length = strlen(name), ending = sizeof ENDING - 1;
    return length > ending && strcmp(name + length - ending, ENDING) == 0;
}

static int is_entry(const struct dirent *entry) { return is_suite(entry->d_name); }

/* Adds the suites of a directory, or the file. */
static void add_path(SuiteRunning *running, const char *path)
{
    struct dirent **entries;
    Text file = {0};
    int count = scandir(path, &entries, is_entry, alphasort);
    for (int i = 0; i < count; i++) {
        text_reset(&file);
        text_add(&file, "%s/%s", path, entries[i]->d_name);
        VEC_PUSH(&running->paths, mem_copy_string(file.data));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    else if (is_suite(path))
        VEC_PUSH(&running->paths, mem_copy_string(path));
    text_release(&file);
}

bool suite_run_is_wanted(const char *const *paths, uint32_t count)
{
    SuiteRunning found = {0};
    for (uint32_t i = 0; i < count; i++)
        add_path(&found, paths[i]);
    bool wanted = found.paths.count > 0;
    for (uint32_t i = 0; i < found.paths.count; i++)
        free(found.paths.items[i]);
    VEC_FREE(&found.paths);
    return wanted;
}

/* The words of the compiler between "NAME_tests.c" and "&&" in the line that says how to compile the suite. */
static bool read_words(SuiteText *suite, Error *error)
{
    const char *line = strstr(suite->content.data, "\n *     cc -o "), *end = line ? strchr(line + 1, '\n') : NULL;
    if (!end)
        return error_set(error, EXIT_USAGE, "%s was not written by sennit generate", suite->path);
    char *copy = strndup(line, (size_t)(end - line));
    const char *at = strstr(copy, ENDING);
    at = at ? at + sizeof ENDING - 1 : copy;
    while (words_skip(&at) && strncmp(at, "&& ", 3) != 0) {
        Text word = {0};
        words_take(&at, &word);
        VEC_PUSH(&suite->words, word.data);
    }
    free(copy);
    return true;
}

static void name_function(SuiteText *suite)
{
    const char *slash = strrchr(suite->path, '/'), *base = slash ? slash + 1 : suite->path;
    suite->name = strndup(base, strlen(base) - (sizeof ENDING - 1));
}

static void release_suite(SuiteText *suite)
{
    for (uint32_t i = 0; i < suite->words.count; i++)
        free(suite->words.items[i]);
    VEC_FREE(&suite->words);
    free(suite->name);
    text_release(&suite->content);
}

static bool read_suite(SuiteText *suite, Error *error)
{
    name_function(suite);
    if (!file_read(suite->path, &suite->content))
        return error_set(error, EXIT_USAGE, "cannot read %s: %s", suite->path, strerror(errno));
    text_add_string(&suite->content, "");
    return read_words(suite, error);
}

/* ---- Tests ------------------------------------------------------------------------------------ */

/* Compiles the suite with the words it was made with; NULL on failure. */
static const char *compile_suite(SuiteRunning *running, SuiteText *suite, Error *error)
{
    Words words = {0};
    Text directory = {0};
    const char *slash = strrchr(suite->path, '/');
    text_add(&directory, "%.*s", slash ? (int)(slash - suite->path) : 1, slash ? suite->path : ".");
    for (uint32_t i = 0; i < suite->words.count; i++)
        VEC_PUSH(&words, suite->words.items[i]);
    ArgumentOptions options = {.function = suite->name};
    CSuite made = {.options = &options, .words = &words, .directory = directory.data, .scratch = &running->scratch};
    const char *program = csuite_compile(&made, suite->path, NULL, error);
    VEC_FREE(&words);
    text_release(&directory);
    return program;
}

/* "test 4: FAILED (status 139, expected 0)" is the reason if the test itself gave none; the last line counts tests. */
static void add_line(const char *line, Text *printed)
{
    char status[64];
    if (sscanf(line, "test %*u: FAILED (%63[^)])", status) == 1) {
        if (!printed->length)
            text_add(printed, "%s\n", status);
    } else if (!strstr(line, " passed, ")) {
        text_add_string(printed, line + strspn(line, " "));
    }
}

/* Runs one test; adds what is printed about it. Answers the exit status; -1: it cannot be run. */
static int run_number(const char *program, unsigned number, Text *printed, Error *error)
{
    Text command = {0};
    char line[4096];
    text_add(&command, "%s %u 2>&1", program, number);
    FILE *pipe = popen(command.data, "re");
    text_release(&command);
    if (!pipe)
        return error_set(error, EXIT_INTERNAL, "cannot run %s: %s", program, strerror(errno)), -1;
    while (fgets(line, sizeof line, pipe))
        add_line(line, printed);
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void print_case(const JunitCase *result, const char *word)
{
    printf("%-6s  %s  (%s)\n", word, result->name, result->group);
    for (const char *at = result->reason; *at;) {
        size_t length = strcspn(at, "\n");
        printf("        %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

static void add_case(SuiteRunning *running, const SuiteText *suite, unsigned number, JunitCase result,
                     const Text *reason)
{
    static const char *const words[] = {[JUNIT_PASSED] = "ok", [JUNIT_FAILED] = "FAILED", [JUNIT_SKIPPED] = "skip"};
    Text name = {0};
    text_add(&name, "%s %u", suite->name, number);
    result.group = suite->path;
    result.name = mem_copy_string(name.data);
    result.reason = mem_copy_string(result.result == JUNIT_PASSED ? "" : text_borrow(reason));
    running->passed += result.result == JUNIT_PASSED;
    running->skipped += result.result == JUNIT_SKIPPED;
    if (result.result != JUNIT_PASSED || !running->request->quiet)
        print_case(&result, words[result.result]);
    VEC_PUSH(&running->cases, result);
    text_release(&name);
}

/* A row of the table of tests: "    {4, test_4, 0, NULL}," or "    {5, NULL, 0, "why it is not run"},". */
static bool run_row(SuiteRunning *running, const SuiteText *suite, const char *program, const char *row, Error *error)
{
    unsigned number;
    const char *why = strchr(row, '"');
    JunitCase result = {.result = JUNIT_SKIPPED};
    Text reason = {0};
    if (sscanf(row, " {%u, ", &number) != 1)
        return error_set(error, EXIT_USAGE, "%s: not a test: %s", suite->path, row);
    double begin = subprocess_now();
    int status = 0;
    if (why) {
        text_add(&reason, "%.*s", (int)strcspn(why + 1, "\""), why + 1);
    } else {
        status = run_number(program, number, &reason, error);
        result.result = status == 0 ? JUNIT_PASSED : JUNIT_FAILED;
        result.seconds = subprocess_now() - begin;
    }
    if (status >= 0)
        add_case(running, suite, number, result, &reason);
    text_release(&reason);
    return status >= 0;
}

static uint32_t count_failed(const SuiteRunning *running)
{
    return running->cases.count - running->passed - running->skipped;
}

static bool run_suite(SuiteRunning *running, const char *path, Error *error)
{
    SuiteText suite = {.path = path};
    const char *program = read_suite(&suite, error) ? compile_suite(running, &suite, error) : NULL;
    char *row = program ? strstr(suite.content.data, "SennitTest tests[] = {\n") : NULL;
    bool good = program && (row || error_set(error, EXIT_USAGE, "%s has no table of tests", path));
    char *rest = good ? strchr(row, '\n') + 1 : NULL;
    while (good && (row = strsep(&rest, "\n")) && *row == ' ' && !(running->request->stop && count_failed(running)))
        good = run_row(running, &suite, program, row, error);
    release_suite(&suite);
    return good;
}

/* ---- Results ------------------------------------------------------------------------------------ */

static void print_sum(const SuiteRunning *running)
{
    uint32_t run = running->cases.count - running->skipped;
    printf("%u test%s: %u passed, %u failed", run, run == 1 ? "" : "s", running->passed, count_failed(running));
    if (running->skipped)
        printf("; %u not run", running->skipped);
    printf("\n");
}

/* After a failure the file says so: results of an earlier run would look like those of this one. */
static bool write_junit(SuiteRunning *running, const Error *failure, Error *error)
{
    const char *name = running->request->paths[0];
    JunitCase failed = {.group = name, .name = name, .result = JUNIT_ERROR, .type = "failed", .reason = failure->text};
    JunitSuite suite = {.name = name, .cases = *failure->text ? &failed : running->cases.items,
                        .case_count = *failure->text ? 1 : running->cases.count};
    Text text = {0};
    junit_write(&suite, &text);
    bool good = scratch_write(running->request->junit, text_borrow(&text), text.length, error);
    text_release(&text);
    return good;
}

static void release(SuiteRunning *running)
{
    for (uint32_t i = 0; i < running->paths.count; i++)
        free(running->paths.items[i]);
    for (uint32_t i = 0; i < running->cases.count; i++) {
        free((char *)running->cases.items[i].name);
        free((char *)running->cases.items[i].reason);
    }
    VEC_FREE(&running->paths);
    VEC_FREE(&running->cases);
    scratch_release(&running->scratch);
}

static bool add_paths(SuiteRunning *running, Error *error)
{
    for (uint32_t i = 0; i < running->request->path_count; i++) {
        uint32_t before = running->paths.count;
        add_path(running, running->request->paths[i]);
        if (running->paths.count == before)
            return error_set(error, EXIT_USAGE, "%s: not a suite of a C function (NAME_tests.c), as other paths are",
                             running->request->paths[i]);
    }
    return true;
}

int suite_run(const SuiteRun *request)
{
    SuiteRunning running = {.request = request};
    Error error = {.code = EXIT_USAGE}, unwritten = {.code = EXIT_USAGE};
    bool good = add_paths(&running, &error);
    for (uint32_t i = 0; good && i < running.paths.count; i++)
        good = run_suite(&running, running.paths.items[i], &error);
    if (good)
        print_sum(&running);
    fflush(stdout);
    if (request->junit && !write_junit(&running, &error, &unwritten) && good)
        good = false, error = unwritten;
    if (!good)
        fprintf(stderr, "sennit test-suite: %s\n", error.text);
    int code = count_failed(&running) ? EXIT_BUG : EXIT_CLEAN;
    release(&running);
    return good ? code : (int)error.code;
}
