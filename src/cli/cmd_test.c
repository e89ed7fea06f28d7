/* cmd_test.c - `sennit test FILE.c ...` and `sennit deadlock FILE.c ...`: compile into the run
 * directory, then explore or look for deadlocks */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run/rundir.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cc/cc.h"
#include "cli/verbs.h"
#include "host/binary.h"
#include "host/installation.h"
#include "host/subprocess.h"
#include "host/words.h"
#include "report/source.h"
#include "subject/abs/model.h"
#include "subject/abs/models.h"

typedef VEC(char *) CompilerWords;

typedef struct TestRequest {
    const char *verb;
    unsigned uses;         /* of options                                           */
    Options options;
    CompilerWords compile;         /* for `sennit cc`                                      */
    char **arguments;      /* of the program; NULL-terminated                      */
    const char *source;    /* the first one, for names                             */
    Models models;         /* files, if a model is to be tested                    */
    RunDir dir;
    char *temporary;       /* directory of the binary if the run's cannot hold it  */
    Text binary;
    bool is_built;         /* the binary was given, not a source                   */
    Text locks;            /* what the analysis of its code said                   */
} TestRequest;

/* ---- Command line ---------------------------------------------------------------- */

static bool check_file(const char *word, Error *error)
{
    return access(word, R_OK) == 0 || error_set(error, EXIT_USAGE, "%s: %s", word, strerror(errno));
}

/* Flags of the compiler whose value is the next word. */
static bool takes_next(const char *flag)
{
    static const char *const flags[] = {"-I",       "-D",  "-U",      "-L",       "-l",         "-include",
                                        "-isystem", "-x",  "-Xclang", "-Xlinker", "-idirafter", "-iquote",
                                        "-imacros", "-MF", "-MT",     "-MQ",      "-T",         "-u"};
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(flag, flags[i]) == 0)
            return true;
    return false;
}

static bool take_for_compiler(TestRequest *request, int argc, char **argv, int *i, Error *error)
{
    char *word = argv[*i];
    if (!request->source && words_is_source(word))
        request->source = word;
    if (word[0] != '-' && model_is_file(word))
        VEC_PUSH(&request->models, word);
    if (strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0 || strcmp(word, "-E") == 0)
        return error_set(error, EXIT_USAGE, "%s: sennit %s makes a program; use sennit cc to stop earlier", word,
                         request->verb);
    VEC_PUSH(&request->compile, word);
    if (takes_next(word) && *i + 1 < argc)
        VEC_PUSH(&request->compile, argv[++*i]);
    return true;
}

/* A model is not compiled: its files are all there is. */
static bool check_models(const TestRequest *request, Error *error)
{
    for (uint32_t i = 1; i < request->compile.count; i++)
        if (!model_is_file(request->compile.items[i]))
            return error_set(error, EXIT_USAGE, "%s: C files and flags do not go with ABS files",
                             request->compile.items[i]);
    return !*request->arguments || error_set(error, EXIT_USAGE, "%s: a model takes no arguments", *request->arguments);
}

/* After all flags, so that a wrong flag is named first. */
static bool check_files(const TestRequest *request, Error *error)
{
    if (request->models.count)
        return check_models(request, error);
    for (uint32_t i = 1; i < request->compile.count; i++) {
        const char *word = request->compile.items[i];
        if (word[0] != '-' && !takes_next(request->compile.items[i - 1]) && !check_file(word, error))
            return false;
    }
    return request->source ||
           error_set(error, EXIT_USAGE, "no file given: sennit %s FILE.c ... or FILE.abs ...", request->verb);
}

/* Deadlocks are also looked for in a program that `sennit cc` made. */
static bool is_program(const TestRequest *request, const char *word)
{
    Error ignored;
    return request->uses == USE_DEADLOCK && word[0] != '-' && !words_is_source(word) && !model_is_file(word) &&
           binary_check(word, &ignored);
}

static void take_program(TestRequest *request, const char *word)
{
    request->is_built = true;
    request->source = word;
    text_reset(&request->binary);
    text_add(&request->binary, "%s%s", strchr(word, '/') ? "" : "./", word);
}

static bool check_alone(const TestRequest *request, Error *error)
{
    return request->compile.count == 1 || error_set(error, EXIT_USAGE, "%s: not together with the program %s",
                                                    request->compile.items[1], request->binary.data);
}

static bool parse(TestRequest *request, int argc, char **argv, Error *error)
{
    static char *none[] = {NULL};
    request->arguments = none;
    VEC_PUSH(&request->compile, "cc");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            request->arguments = argv + i + 1;
            break;
        }
        OptionMatch match = options_take(&request->options, request->uses, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_FOREIGN && is_program(request, argv[i]))
            take_program(request, argv[i]);
        else if (match == OPTION_FOREIGN && !take_for_compiler(request, argc, argv, &i, error))
            return false;
    }
    if (*request->options.store)
        return error_set(error, EXIT_USAGE,
                         "--store: programs that travel are made by sennit cc; then sennit explore PROGRAM --store=%s",
                         strchr(request->options.store, '@') ? "..." : request->options.store);
    return request->is_built ? check_alone(request, error) : check_files(request, error);
}

/* ---- A place for the binary --------------------------------------------------------- */

/* Can the directory hold a binary? Compilers explain a full disk badly. */
static bool has_room(const char *directory)
{
    enum { BINARY_SIZE = 8 << 20 };
    Text path = {0};
    text_add(&path, "%s/.room", directory);
    int fd = open(path.data, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    bool room = fd >= 0 && posix_fallocate(fd, 0, BINARY_SIZE) == 0;
    if (fd >= 0)
        close(fd);
    unlink(path.data);
    text_release(&path);
    return room;
}

static bool make_temporary(TestRequest *request, Error *error)
{
    const char *parent = getenv("TMPDIR");
    Text path = {0};
    text_add(&path, "%s/sennit-XXXXXX", parent && *parent ? parent : "/tmp");
    request->temporary = mkdtemp(path.data);
    return request->temporary ||
           error_set(error, EXIT_USAGE, "no place for the test binary: %s: %s", path.data, strerror(errno));
}

static bool choose_place(TestRequest *request, Error *error)
{
    rundir_open(&request->dir, request->options.directory);
    if (request->is_built)
        return true;
    bool good = request->dir.path && has_room(request->dir.path);
    if (!good && !make_temporary(request, error))
        return false;
    const char *name = source_base_name(request->source);
    text_add(&request->binary, "%s/%.*s", good ? request->dir.path : request->temporary,
             (int)(strrchr(name, '.') - name), name);
    return true;
}

/* A run that never began leaves no empty directory. */
static void give_back(TestRequest *request)
{
    if (request->locks.length)
        unlink(request->locks.data);
    unlink(request->binary.data);
    if (request->dir.path && !*request->options.directory)
        rmdir(request->dir.path);
    if (request->temporary)
        rmdir(request->temporary);
}

/* ---- Compiling and exploring ---------------------------------------------------------- */

/* Do the options of the run need the program compiled with this flag? */
static bool needs_flag(const TestRequest *request, CcFlag flag)
{
    const Options *options = &request->options;
    switch (flag) {
    case CC_FLAG_coverage: return options->coverage == COVERAGE_ON && request->uses == USE_SEARCH;
    case CC_FLAG_scope: return options->checks & CHECK_SCOPE;
    case CC_FLAG_shifts: return options->checks & CHECK_OVERFLOW;
    case CC_FLAG_unset: return options->unset;
    case CC_FLAG_unroll: return options->unroll;
    case CC_FLAG_inputs: return options->sym_args.most || options->sym_stdin || *options->sym_file;
    case CC_FLAG_COUNT: break;
    }
    return false;
}

static bool compile(TestRequest *request, Error *error)
{
    for (CcFlag flag = 0; flag < CC_FLAG_COUNT; flag++)
        if (needs_flag(request, flag))
            VEC_PUSH(&request->compile, (char *)(uintptr_t)cc_flag_word(flag));
    VEC_PUSH(&request->compile, "-o");
    VEC_PUSH(&request->compile, request->binary.data);
    VEC_PUSH(&request->compile, NULL);
    int status = cc_run((int)request->compile.count - 1, request->compile.items);
    if (status != 0 || access(request->binary.data, X_OK) < 0) {
        give_back(request);
        return error_set(error, EXIT_USAGE, "%s does not compile", request->source);
    }
    return true;
}

/* ---- The analysis of the code ----------------------------------------------------------- */

/* Without it, cycles are those of runs. */
static void analyse(TestRequest *request)
{
    Installation installation;
    Error error;
    Subprocess result;
    text_add(&request->locks, "%s/locks.txt",
             request->temporary || !request->dir.path ? request->temporary : request->dir.path);
    if (!request->temporary && !request->dir.path) {
        text_reset(&request->locks);
        return;
    }
    const char *const command[] = {installation.instrumenter,  "--locks", request->binary.data, "-o",
                                   request->locks.data, NULL};
    bool good = installation_find(&installation, &error) && subprocess_run(command, &result, &error);
    if (good && result.signal)
        subprocess_die_of(result.signal);
    if (good && result.status == 0)
        return;
    fprintf(stderr, "sennit deadlock: warning: the code is not analysed%s%s; lock orders come from runs only\n",
            good ? "" : ": ", good ? "" : error.text);
    text_reset(&request->locks);
}

static char **program_argv(const TestRequest *request)
{
    size_t count = 0;
    while (request->arguments[count])
        count++;
    char **argv = mem_alloc((count + 2) * sizeof *argv);
    memcpy(argv + 1, request->arguments, count * sizeof *argv);
    return argv;
}

/* How the program was compiled, for those who compile it again without us. The first word is
 * the verb, the last ones name the binary. */
static void add_build(const TestRequest *request, Text *out)
{
    Text word = {0};
    text_add_string(&word, "--build=");
    for (uint32_t i = 1; i < request->compile.count && request->compile.items[i]; i++) {
        const char *item = request->compile.items[i];
        if (strcmp(item, "-o") == 0)
            i++;
        else if (!cc_is_own_flag(item))
            text_add(&word, "%s\n", item);
    }
    text_add_string(out, " ");
    options_quote(out, word.data);
    text_release(&word);
}

static void write_options(const TestRequest *request, int argc, char **argv, Text *out)
{
    options_write(&request->options, request->uses, out);
    if (request->uses == USE_DEADLOCK)
        text_add_string(out, " --task=deadlock");
    binary_add_command(out, argc, argv);
    Text word = {0};
    text_add(&word, "--program=%s", source_base_name(request->source));
    text_add_string(out, " ");
    options_quote(out, word.data);
    if (*request->options.tests)
        add_build(request, out);
    if (request->locks.length) {
        text_reset(&word);
        text_add(&word, "--locks=%s", request->locks.data);
        text_add_string(out, " ");
        options_quote(out, word.data);
    }
    if (!request->temporary && request->dir.path) {
        text_reset(&word);
        text_add(&word, "--output=%s", request->dir.path);
        text_add_string(out, " ");
        options_quote(out, word.data);
    }
    text_release(&word);
}

/* With the binary outside the run directory someone has to stay and remove it. */
static int explore_temporary(TestRequest *request, const char *options, char **own, Error *error)
{
    Subprocess result;
    setenv("SENNIT_OPTIONS", options, 1);
    own[0] = request->binary.data;
    bool started = subprocess_run((const char *const *)own, &result, error);
    give_back(request);
    return started ? result.status : (int)error->code;
}

static int explore(TestRequest *request, int argc, char **argv, Error *error)
{
    Text options = {0};
    char **own = program_argv(request);
    int code = EXIT_USAGE;
    if (request->uses == USE_DEADLOCK)
        analyse(request);
    write_options(request, argc, argv, &options);
    if (request->temporary)
        code = explore_temporary(request, options.data, own, error);
    else
        binary_become(request->binary.data, options.data, own, error);
    if (*error->text)
        fprintf(stderr, "sennit %s: %s\n", request->verb, error->text);
    text_release(&options);
    free(own);
    return code;
}

static int run_verb(const char *verb, unsigned uses, int argc, char **argv)
{
    TestRequest request = {.verb = verb, .uses = uses};
    Error error = {.code = EXIT_USAGE};
    options_init(&request.options);
    int code;
    bool parsed = parse(&request, argc, argv, &error);
    if (parsed && request.models.count) {
        code = (uses == USE_DEADLOCK ? models_deadlock : models_explore)(&request.models, &request.options, argc, argv);
    } else if (parsed && choose_place(&request, &error) && (request.is_built || compile(&request, &error))) {
        code = explore(&request, argc, argv, &error);
    } else {
        fprintf(stderr, "sennit %s: %s\n", verb, error.text);
        code = error.code;
    }
    options_release(&request.options);
    rundir_close(&request.dir);
    text_release(&request.binary);
    text_release(&request.locks);
    free(request.temporary);
    VEC_FREE(&request.compile);
    VEC_FREE(&request.models);
    return code;
}

int cmd_test(int argc, char **argv)
{
    return run_verb("test", USE_SEARCH, argc, argv);
}

int cmd_deadlock(int argc, char **argv)
{
    return run_verb("deadlock", USE_DEADLOCK, argc, argv);
}
