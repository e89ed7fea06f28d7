/* unit_suite.c - see unit_suite.h */
#include "subject/abs/unit_suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abs/check/check.h"
#include "abs/modules/gather.h"
#include "base/mem.h"
#include "abs/check/unit_tests.h"

static const char DIRECTORY[] = "sennit-suite";

enum { MOST_LINES = 3 }; /* of a reason, besides the command that replays it */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- One test -------------------------------------------------------------------------------- */

static bool write_file(const char *path, const char *text, Error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && text_write_all(fd, text, strlen(text));
    if (fd >= 0 && close(fd) != 0)
        good = false;
    return good || error_set(error, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
}

/* Becomes `sennit explore` on the model and the main block of the test. */
static _Noreturn void explore(const FileNames *files, const char *run, const char *main, const char *output)
{
    const char *const first[] = {"sennit", "explore", "--show=none", "--quiet", "--color=never", "-o", run};
    uint32_t count = sizeof first / sizeof *first;
    const char **argv = mem_alloc((count + files->count + 2) * sizeof *argv);
    memcpy(argv, first, sizeof first);
    for (uint32_t i = 0; i < files->count; i++)
        argv[count++] = files->items[i];
    argv[count] = main;
    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", (char *const *)argv);
    _exit(EXIT_INTERNAL);
}

static char *read_reason(const char *path)
{
    Text text = {0};
    char line[1024];
    uint32_t lines = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        bool wanted = *line != '\n' && lines < MOST_LINES;
        if (wanted || strstr(line, "Replay it:"))
            text_add_string(&text, line);
        lines += wanted;
    }
    if (file)
        fclose(file);
    char *reason = mem_copy_string(text_borrow(&text));
    text_release(&text);
    return reason;
}

static JunitResult run(const FileNames *files, const UnitTest *test, char **reason, Error *error)
{
    Text run = {0}, main = {0}, output = {0};
    text_add(&run, "%s/%s", DIRECTORY, test->name);
    text_add(&main, "%s.abs", run.data);
    text_add(&output, "%s.txt", run.data);
    int status = -1;
    bool written = write_file(main.data, test->main, error);
    fflush(NULL);
    pid_t child = written ? fork() : -1;
    if (child == 0)
        explore(files, run.data, main.data, output.data);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    int code = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
    *reason = !written ? mem_copy_string(error->text) : code ? read_reason(output.data) : mem_copy_string("");
    text_release(&run);
    text_release(&main);
    text_release(&output);
    return code == EXIT_CLEAN ? JUNIT_PASSED : code == EXIT_BUG ? JUNIT_FAILED : JUNIT_ERROR;
}

static void print_reason(const char *reason)
{
    while (*reason) {
        size_t length = strcspn(reason, "\n");
        printf("        %.*s\n", (int)length, reason);
        reason += length + (reason[length] == '\n');
    }
}

static const char *word_of(JunitResult result)
{
    return result == JUNIT_PASSED ? "ok" : result == JUNIT_FAILED ? "FAILED" : "BROKEN";
}

/* ---- All of them ------------------------------------------------------------------------------ */

static bool run_all(const SuiteRequest *request, const FileNames *files, const UnitTests *tests, JunitCases *cases,
                    uint32_t *passed, Error *error)
{
    if (mkdir(DIRECTORY, 0777) != 0 && errno != EEXIST)
        return error_set(error, EXIT_USAGE, "cannot create %s: %s", DIRECTORY, strerror(errno));
    for (uint32_t i = 0; i < tests->count; i++) {
        const UnitTest *test = &tests->items[i];
        JunitCase result = {.group = request->paths[0], .name = mem_copy_string(test->name)};
        char *reason = test->why ? mem_copy_string(test->why) : NULL;
        double begin = now();
        result.result = test->why ? JUNIT_ERROR : run(files, test, &reason, error);
        result.seconds = now() - begin;
        result.reason = reason;
        VEC_PUSH(cases, result);
        *passed += result.result == JUNIT_PASSED;
        if (result.result != JUNIT_PASSED || !request->quiet)
            printf("%-6s  %s\n", word_of(result.result), test->name);
        print_reason(result.reason);
        if (request->stop && result.result != JUNIT_PASSED)
            break;
    }
    printf("%u test%s: %u passed, %u failed\n", cases->count, cases->count == 1 ? "" : "s", *passed,
           cases->count - *passed);
    return true;
}

bool unit_suite_run(const SuiteRequest *request, JunitCases *cases, uint32_t *passed, Error *error)
{
    ModelReading reading = {0};
    FileNames files = {0};
    UnitTests tests = {0};
    Text problems = {0};
    bool good = gather_files(request->paths, request->path_count, &reading, &files, error);
    Model *model = good ? check_files((const char *const *)files.items, files.count, &reading, error) : NULL;
    if (model && model->diags.errors) {
        diags_print(&model->diags, &model->sources, &problems);
        good = error_set(error, EXIT_USAGE, "%s%u errors", text_borrow(&problems), model->diags.errors);
    } else if (model) {
        unit_tests_find(model, &tests);
        good = tests.count == 0 || run_all(request, &files, &tests, cases, passed, error);
    }
    text_release(&problems);
    unit_tests_release(&tests);
    if (model)
        model_destroy(model);
    file_names_release(&files);
    return good && model;
}
