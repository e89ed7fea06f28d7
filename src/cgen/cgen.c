/* cgen.c - see cgen.h */
#include "cgen/cgen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/options/options.h"
#include "base/mem.h"
#include "base/path.h"
#include "cgen/compile.h"
#include "cgen/driver.h"
#include "cgen/csuite.h"
#include "host/installation.h"
#include "host/subprocess.h"
#include "host/words.h"

enum { MOST_ELEMENTS = 64, MOST_STRING = 4096 };

typedef struct Request {
    ArgumentOptions arguments;
    const char *file;        /* with the function, as given                 */
    char source[PATH_MAX];   /* its absolute path                           */
    Words sources;           /* all C files                                 */
    const char *out;         /* directory of tests and driver               */
    Text default_out;
    Words words;             /* everything else: flags, options, other files */
    Text driver_path;
    Text notes;              /* about the arguments, printed at the end     */
    Scratch scratch;
    DebugInfo info;          /* of `file`                                   */
    int function;
    double max_time;         /* 0: no limit                                 */
} Request;

/* The search leaves some of --max-time to the suite, which is compiled and run. */
static const double SUITE_PART = 0.4, MOST_FOR_SUITE = 60, GRACE = 0.3;

static double time_for_suite(const Request *request)
{
    double part = request->max_time * SUITE_PART;
    return part < MOST_FOR_SUITE ? part : MOST_FOR_SUITE;
}

/* ---- Command line ---------------------------------------------------------------------------- */

bool cgen_is_wanted(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!words_value("--method", argv, argc, &i) && words_is_source(argv[i]))
            return true;
    return false;
}

static bool parse_number(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *number,
                         Error *error)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || value < least || value > most)
        return error_set(error, EXIT_USAGE, "%s %s: expected a number from %u to %u", option, text, least, most);
    *number = (uint32_t)value;
    return true;
}

static bool take(Request *request, int argc, char **argv, int *i, Error *error)
{
    const char *value;
    if ((value = words_value("--function", argv, argc, i)))
        request->arguments.function = value;
    else if ((value = words_value("--elements", argv, argc, i)))
        return parse_number("--elements", value, 1, MOST_ELEMENTS, &request->arguments.elements, error);
    else if ((value = words_value("--string", argv, argc, i)))
        return parse_number("--string", value, 0, MOST_STRING, &request->arguments.string, error);
    else if ((value = words_value("--out", argv, argc, i)) || (value = words_value("-o", argv, argc, i)))
        request->out = value;
    else if (strcmp(argv[*i], "--null") == 0)
        request->arguments.null = true;
    else if (strcmp(argv[*i], "--alias") == 0)
        request->arguments.alias = true;
    else if (strcmp(argv[*i], "--no-pairs") == 0)
        request->arguments.no_pairs = true;
    else if (words_is_source(argv[*i]))
        VEC_PUSH(&request->sources, argv[*i]);
    else
        VEC_PUSH(&request->words, argv[*i]);
    return true;
}

static bool is_name(const char *text)
{
    return *text && !(text[0] >= '0' && text[0] <= '9') &&
           !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

/* Options of this verb for the other kind of program that are not in the table of all verbs. */
static bool is_for_models(const char *word)
{
    static const char *const names[] = {"--method", "--contexts", "--format", "--emit", "--range"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(word, names[i], strlen(names[i])) == 0 && strchr("=", word[strlen(names[i])]))
            return true;
    return false;
}

static bool take_option(Options *options, Request *request, int *i, Error *error)
{
    char **words = (char **)request->words.items;
    if (is_for_models(words[*i]))
        return error_set(error, EXIT_USAGE, "%.*s is for ABS models", (int)strcspn(words[*i], "="), words[*i]);
    return options_take(options, USE_TEST | USE_GENERATE, words, (int)request->words.count, i, error) != OPTION_WRONG;
}

/* The other options are those of `sennit test`, which gets them. A wrong one is named before any file. */
static bool check_options(Request *request, Error *error)
{
    Options options;
    bool good = true;
    options_init(&options);
    for (int i = 0; good && i < (int)request->words.count && strcmp(request->words.items[i], "--") != 0; i++)
        good = take_option(&options, request, &i, error);
    if (good && *options.tests)
        good = error_set(error, EXIT_USAGE, "--tests: sennit generate writes the tests to the directory of --out");
    if (good && *options.html)
        good = error_set(error, EXIT_USAGE, "--html is for sennit test and sennit explore");
    request->max_time = options.max_time;
    free(options.tests);
    options.tests = mem_copy_string(request->out ? request->out : "tests"); /* options may need it */
    good = good && options_check(&options, PROGRAM_C, USE_TEST, error);
    options_release(&options);
    return good;
}

static bool parse(Request *request, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++)
        if (!take(request, argc, argv, &i, error))
            return false;
    if (!check_options(request, error))
        return false;
    if (!request->arguments.function)
        return error_set(error, EXIT_USAGE, "no function given: sennit generate %s --function NAME",
                         request->sources.items[0]);
    if (!is_name(request->arguments.function) || strcmp(request->arguments.function, "main") == 0)
        return error_set(error, EXIT_USAGE, "--function %s: expected the name of a function other than main",
                         request->arguments.function);
    if (!request->out) {
        text_add(&request->default_out, "%s-tests", request->arguments.function);
        request->out = request->default_out.data;
    }
    return true;
}

/* ---- The signature ---------------------------------------------------------------------------- */

/* The debug information of a file. Taking the address of the function keeps it if it is static and unused. */
static bool read_file(Request *request, const Installation *installation, const char *path, DebugInfo *info,
                      Error *error)
{
    Text probe = {0};
    const char *source = scratch_name(&request->scratch, "probe", ".c", error),
               *assembly = scratch_name(&request->scratch, "probe", ".ll", error);
    text_add(&probe,
             "#define main sennit_main_of_the_source\n#include \"%s\"\n#undef main\nvoid *sennit_probe = (void *)%s;\n",
             path, request->arguments.function);
    bool good = source && assembly && scratch_write(source, probe.data, probe.length, error) &&
                compile_source(&(Compilation){.installation = installation, .words = &request->words, .quiet = true},
                               (const char *[]){"-O0", "-g", "-S", "-emit-llvm", source, "-o", assembly}, 7, error) &&
                debuginfo_read(info, assembly, error);
    text_release(&probe);
    return good && debuginfo_find_function(info, request->arguments.function) != DEBUG_NONE;
}

/* Looks for the function in one more file; only one file may define it. */
static bool look_into(Request *request, const Installation *installation, const char *file, Error *error)
{
    DebugInfo info = {0};
    char path[PATH_MAX];
    if (!realpath(file, path))
        return error_set(error, EXIT_USAGE, "%s: %s", file, strerror(errno));
    if (!compile_source(&(Compilation){.installation = installation, .words = &request->words},
                        (const char *[]){"-fsyntax-only", file}, 2, error))
        return error_set(error, EXIT_USAGE, "%s does not compile", file);
    bool found = read_file(request, installation, path, &info, error), good = true;
    if (found && request->file) {
        good = error_set(error, EXIT_USAGE, "%s and %s both define %s; give one of them", request->file, file,
                         request->arguments.function);
    } else if (found) {
        request->file = file;
        strcpy(request->source, path);
        request->info = info;
        info = (DebugInfo){0};
    }
    debuginfo_release(&info);
    return good;
}

static bool find_function(Request *request, Error *error)
{
    Installation installation;
    bool good = installation_find(&installation, error);
    for (uint32_t i = 0; good && i < request->sources.count; i++)
        good = look_into(request, &installation, request->sources.items[i], error);
    if (good && !request->file)
        return error_set(error, EXIT_USAGE,
                         request->sources.count > 1 ? "neither %s nor the other files define a function %s"
                                                    : "%s defines no function %s",
                         request->sources.items[0], request->arguments.function);
    for (uint32_t i = 0; good && i < request->sources.count; i++)
        if (request->sources.items[i] != request->file)
            VEC_PUSH(&request->words, request->sources.items[i]);
    request->arguments.source = request->source;
    request->arguments.shown = request->file;
    request->function = good ? debuginfo_find_function(&request->info, request->arguments.function) : DEBUG_NONE;
    return good;
}

static bool make_driver(Request *request, Error *error)
{
    Text text = {0}, include = {0};
    ArgumentWriter writer = {.info = &request->info,
                             .options = &request->arguments,
                             .function = request->function,
                             .text = &text,
                             .error = error};
    bool made = mkdir(request->out, 0777) == 0;
    bool good = made || errno == EEXIST ||
                error_set(error, EXIT_USAGE, "cannot make the directory %s: %s", request->out, strerror(errno));
    path_add_relative(request->out, request->source, &include);
    good = good && driver_write(&writer, text_borrow(&include));
    if (made && !good)
        rmdir(request->out);
    text_add(&request->driver_path, "%s/%s_driver.c", request->out, request->arguments.function);
    good = good && scratch_write(request->driver_path.data, text.data, text.length, error);
    text_add_string(&request->notes, text_borrow(&writer.notes));
    arguments_release(&writer);
    text_release(&text);
    text_release(&include);
    return good;
}

/* ---- Exploring and showing ------------------------------------------------------------------------ */

static bool explore(Request *request, int *status, Error *error)
{
    char self[PATH_MAX];
    Words command = {0};
    Text tests = {0}, limit = {0};
    Subprocess result = {0};
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0)
        return error_set(error, EXIT_INTERNAL, "cannot find the path of this executable: %s", strerror(errno));
    self[size] = '\0';
    text_add(&tests, "--tests=%s", request->out);
    VEC_PUSH(&command, self);
    VEC_PUSH(&command, "test");
    VEC_PUSH(&command, request->driver_path.data);
    VEC_PUSH(&command, tests.data);
    VEC_PUSH(&command, "--keep-going");
    if (!request->default_out.length) {
        VEC_PUSH(&command, "-o");
        VEC_PUSH(&command, request->out);
    }
    VEC_PUSH(&command, "-w"); /* warnings about the source or the driver do not help */
    for (uint32_t i = 0; i < request->words.count; i++)
        VEC_PUSH(&command, request->words.items[i]);
    if (request->max_time > 0) {
        text_add(&limit, "--max-time=%.3f", request->max_time - time_for_suite(request));
        VEC_PUSH(&command, limit.data);
    }
    VEC_PUSH(&command, NULL);
    bool good = subprocess_run(command.items, &result, error);
    *status = result.status;
    VEC_FREE(&command);
    text_release(&tests);
    text_release(&limit);
    return good;
}

/* The inputs, the outcome and the result of a test, on one line. */
static void show_test(const SuiteCase *test)
{
    printf("test %u: %s", test->number, strcmp(test->trace->kind, "test") == 0 ? "ok" : test->trace->kind);
    for (uint32_t i = 0; i < test->trace->input_count; i++)
        printf("  %s %s", test->trace->inputs[i].name, test->trace->inputs[i].value);
    for (uint32_t i = 0; i < test->notes.count; i++)
        if (strcmp(test->notes.items[i].name, "the result") == 0)
            printf("  => %s", test->notes.items[i].value);
    printf("\n");
}

/* Writes the suite that runs without Sennit and prints the summary. */
static bool make_suite(Request *request, Error *error)
{
    Text include = {0};
    const char *out = request->out;
    path_add_relative(out, request->source, &include);
    CSuite suite = {.info = &request->info,
                    .function = request->function,
                    .options = &request->arguments,
                    .words = &request->words,
                    .directory = out,
                    .include = text_borrow(&include),
                    .scratch = &request->scratch,
                    .deadline = request->max_time > 0 ? subprocess_now() + time_for_suite(request) + GRACE : 0};
    bool good = csuite_make(&suite, error);
    for (uint32_t i = 0; i < suite.cases.count; i++)
        show_test(&suite.cases.items[i]);
    printf("%s%u test%s in %s, made by %s\n", text_borrow(&request->notes), suite.cases.count,
           suite.cases.count == 1 ? "" : "s", out, request->driver_path.data);
    if (good && suite.runnable)
        printf("%s/%s_tests.c contains %u of them as a program that does not need Sennit; %s\n", out,
               request->arguments.function, suite.runnable,
               suite.confirmed ? "all of them pass"
                               : "NOT all of them pass: the function is nondeterministic");
    else if (good && suite.cases.count)
        printf("none of them can be run without Sennit; %s/%s_tests.c says why\n", out, request->arguments.function);
    if (!good && error->code == EXIT_BUDGET)
        error_set(error, EXIT_BUDGET,
                  "the time (--max-time) was used up before %s/%s_tests.c, a program of these tests, was compiled and "
                  "run",
                  out, request->arguments.function);
    csuite_release(&suite);
    text_release(&include);
    return good;
}

int cgen_run(int argc, char **argv)
{
    Request request = {.arguments = {.string = 4}};
    Error error = {.code = EXIT_USAGE};
    int status = -1;
    if (parse(&request, argc, argv, &error) && find_function(&request, &error) && make_driver(&request, &error) &&
        explore(&request, &status, &error) && status != EXIT_USAGE && !make_suite(&request, &error))
        status = error.code == EXIT_BUDGET && status == EXIT_BUG ? EXIT_BUG : -1;
    if (*error.text)
        fprintf(stderr, "sennit generate: %s\n", error.text);
    scratch_release(&request.scratch);
    text_release(&request.default_out);
    text_release(&request.driver_path);
    text_release(&request.notes);
    debuginfo_release(&request.info);
    VEC_FREE(&request.sources);
    VEC_FREE(&request.words);
    return status < 0 ? (int)error.code : status;
}
