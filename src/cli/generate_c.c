/* generate_c.c - see generate_c.h */
#include "cli/generate_c.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/driver_c.h"
#include "cli/parts.h"
#include "cli/scratch.h"
#include "cli/subprocess.h"
#include "cli/words.h"

enum { MOST_ELEMENTS = 64, MOST_STRING = 4096 };

typedef VEC(const char *) Words;

typedef struct Request {
    DriverOptions driver;
    const char *file;        /* as given                                    */
    char source[PATH_MAX];
    const char *out;         /* directory of tests and driver               */
    Text default_out;
    Words words;             /* everything else: files, flags, options      */
    Text driver_path;
    Scratch scratch;
} Request;

/* ---- Command line ---------------------------------------------------------------------------- */

bool generate_c_wanted(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (words_is_source(argv[i]))
            return true;
    return false;
}

static bool parse_number(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *number, Error *error)
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
        request->driver.function = value;
    else if ((value = words_value("--elements", argv, argc, i)))
        return parse_number("--elements", value, 1, MOST_ELEMENTS, &request->driver.elements, error);
    else if ((value = words_value("--string", argv, argc, i)))
        return parse_number("--string", value, 0, MOST_STRING, &request->driver.string, error);
    else if ((value = words_value("--out", argv, argc, i)))
        request->out = value;
    else if (strcmp(argv[*i], "--null") == 0)
        request->driver.null = true;
    else if (words_is_source(argv[*i]) && !request->file)
        request->file = argv[*i];
    else
        VEC_PUSH(&request->words, argv[*i]);
    return true;
}

static bool is_name(const char *text)
{
    return *text && !(text[0] >= '0' && text[0] <= '9') &&
           !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

static bool parse(Request *request, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++)
        if (!take(request, argc, argv, &i, error))
            return false;
    if (!request->driver.function)
        return error_set(error, EXIT_USAGE, "no function given: sennit generate %s --function NAME", request->file);
    if (!is_name(request->driver.function) || strcmp(request->driver.function, "main") == 0)
        return error_set(error, EXIT_USAGE, "--function %s: expected the name of a function other than main", request->driver.function);
    if (!realpath(request->file, request->source))
        return error_set(error, EXIT_USAGE, "%s: %s", request->file, strerror(errno));
    if (!request->out) {
        text_add(&request->default_out, "%s-tests", request->driver.function);
        request->out = request->default_out.data;
    }
    request->driver.source = request->source;
    request->driver.shown = request->file;
    return true;
}

/* ---- The signature ---------------------------------------------------------------------------- */

/* Only flags that say what the source means. */
static void add_flags(const Request *request, Words *command)
{
    static const char *const flags[] = {"-I", "-D", "-U", "-std=", "-include", "-isystem", "-iquote"};
    for (uint32_t i = 0; i < request->words.count; i++)
        for (unsigned k = 0; k < sizeof flags / sizeof flags[0]; k++) {
            if (strncmp(request->words.items[i], flags[k], strlen(flags[k])) != 0)
                continue;
            VEC_PUSH(command, request->words.items[i]);
            if (strcmp(request->words.items[i], flags[k]) == 0 && i + 1 < request->words.count)
                VEC_PUSH(command, request->words.items[i + 1]);
            break;
        }
}

static bool run_compiler(const Request *request, const Parts *parts, const char *const *more, uint32_t count, bool quiet, Error *error)
{
    Words command = {0};
    Text include = {0};
    Subprocess result = {0};
    text_add(&include, "-I%s", parts->include);
    VEC_PUSH(&command, parts->compiler);
    VEC_PUSH(&command, "-w");
    VEC_PUSH(&command, include.data);
    add_flags(request, &command);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&command, more[i]);
    VEC_PUSH(&command, NULL);
    int saved = quiet ? dup(STDERR_FILENO) : -1, nowhere = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    bool good = subprocess_run(command.items, &result, error) && result.status == 0;
    if (saved >= 0) {
        dup2(saved, STDERR_FILENO);
        close(saved);
    }
    VEC_FREE(&command);
    text_release(&include);
    return good;
}

static bool write_file(const char *path, const Text *text, Error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && text_write_all(fd, text_borrow(text), text->length);
    if (!good)
        error_set(error, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

/* Debug information of the function: taking its address keeps it, should it be static and unused. */
static bool read_signature(Request *request, DebugInfo *info, Error *error)
{
    Parts parts;
    Text probe = {0};
    const char *source = scratch_name(&request->scratch, "probe", ".c", error), *assembly = scratch_name(&request->scratch, "probe", ".ll", error);
    if (!source || !assembly || !parts_find(&parts, error))
        return false;
    text_add(&probe, "#define main sennit_main_of_the_source\n#include \"%s\"\n#undef main\nvoid *sennit_probe = (void *)%s;\n",
             request->source, request->driver.function);
    bool good = write_file(source, &probe, error);
    text_release(&probe);
    if (!good)
        return false;
    if (!run_compiler(request, &parts, (const char *[]){"-fsyntax-only", request->file}, 2, false, error))
        return error_set(error, EXIT_USAGE, "%s does not compile", request->file);
    if (!run_compiler(request, &parts, (const char *[]){"-O0", "-g", "-S", "-emit-llvm", source, "-o", assembly}, 7, true, error))
        return error_set(error, EXIT_USAGE, "%s defines no function %s", request->file, request->driver.function);
    return debuginfo_read(info, assembly, error);
}

static bool make_driver(Request *request, Error *error)
{
    DebugInfo info = {0};
    Text text = {0};
    bool good = read_signature(request, &info, error) && driver_write(&info, &request->driver, &text, error);
    if (good && mkdir(request->out, 0777) != 0 && errno != EEXIST)
        good = error_set(error, EXIT_USAGE, "cannot make the directory %s: %s", request->out, strerror(errno));
    text_add(&request->driver_path, "%s/%s_driver.c", request->out, request->driver.function);
    good = good && write_file(request->driver_path.data, &text, error);
    debuginfo_release(&info);
    text_release(&text);
    return good;
}

/* ---- Exploring and showing ------------------------------------------------------------------------ */

static bool explore(Request *request, int *status, Error *error)
{
    char self[PATH_MAX];
    Words command = {0};
    Text tests = {0};
    Subprocess result = {0};
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0)
        return error_set(error, EXIT_INTERNAL, "cannot find myself: %s", strerror(errno));
    self[size] = '\0';
    text_add(&tests, "--tests=%s", request->out);
    VEC_PUSH(&command, self);
    VEC_PUSH(&command, "test");
    VEC_PUSH(&command, request->driver_path.data);
    VEC_PUSH(&command, tests.data);
    VEC_PUSH(&command, "--keep-going");
    VEC_PUSH(&command, "-w"); /* the source is somebody's own, the driver is ours */
    for (uint32_t i = 0; i < request->words.count; i++)
        VEC_PUSH(&command, request->words.items[i]);
    VEC_PUSH(&command, NULL);
    bool good = subprocess_run(command.items, &result, error);
    *status = result.status;
    VEC_FREE(&command);
    text_release(&tests);
    return good;
}

/* The inputs and the outcome of a trace, on one line. */
static void show_test(const char *path, uint32_t number)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, bug[64] = "ok";
    size_t room = 0;
    Text inputs = {0};
    while (file && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "input ", 6) == 0)
            text_add(&inputs, "  %s", line + 6);
        else if (strncmp(line, "bug ", 4) == 0)
            snprintf(bug, sizeof bug, "%.*s", (int)strcspn(line + 4, " "), line + 4);
    }
    if (strcmp(bug, "test") == 0)
        strcpy(bug, "ok");
    printf("test %u: %s%s\n", number, bug, text_borrow(&inputs));
    text_release(&inputs);
    free(line);
    if (file)
        fclose(file);
}

static int is_trace(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, "test", 4) == 0 && length > 6 && strcmp(entry->d_name + length - 6, ".trace") == 0;
}

static void show_tests(const Request *request)
{
    struct dirent **entries;
    int count = scandir(request->out, &entries, is_trace, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", request->out, entries[i]->d_name);
        show_test(path, (uint32_t)strtoul(entries[i]->d_name + 4, NULL, 10));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    printf("%d test%s in %s, made by %s\n", count, count == 1 ? "" : "s", request->out, request->driver_path.data);
}

int generate_c(int argc, char **argv)
{
    Request request = {.driver = {.elements = 1, .string = 4}};
    Error error = {.code = EXIT_USAGE};
    int status = -1;
    if (parse(&request, argc, argv, &error) && make_driver(&request, &error) && explore(&request, &status, &error) && status != EXIT_USAGE)
        show_tests(&request);
    if (*error.text)
        fprintf(stderr, "sennit generate: %s\n", error.text);
    scratch_release(&request.scratch);
    text_release(&request.default_out);
    text_release(&request.driver_path);
    VEC_FREE(&request.words);
    return status < 0 ? (int)error.code : status;
}
