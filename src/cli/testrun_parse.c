/* testrun_parse.c - the command line of `sennit test` and `sennit deadlock` */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "cli/testrun.h"
#include "host/words.h"
#include "subject/abs/model.h"

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

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

/* What would make something else than the program that the verdict is about. */
static bool check_flag(const TestRequest *request, const char *word, Error *error)
{
    static const char *const partial[] = {"-c", "-S", "-E", "-r", "-shared", "--shared", NULL};
    if (is_one_of(word, partial))
        return error_set(error, EXIT_USAGE, "%s: sennit %s builds a whole program; use sennit cc for its parts", word,
                         request->verb->name);
    if (strcmp(word, "-fopenmp") == 0 || strncmp(word, "-fopenmp=", 9) == 0)
        return error_set(error, EXIT_USAGE, "%s: OpenMP is not modelled; without this option it creates no threads",
                         word);
    return true;
}

static bool take_for_compiler(TestRequest *request, int argc, char **argv, int *i, Error *error)
{
    char *word = argv[*i];
    if (!request->source && words_is_source(word))
        request->source = word;
    if (word[0] != '-' && model_is_given(word))
        VEC_PUSH(&request->models, word);
    if (!check_flag(request, word, error))
        return false;
    VEC_PUSH(&request->compile, word);
    if (takes_next(word) && *i + 1 < argc)
        VEC_PUSH(&request->compile, argv[++*i]);
    return true;
}

/* A model is not compiled: its files are all there is. */
static bool check_models(const TestRequest *request, Error *error)
{
    for (uint32_t i = 1; i < request->compile.count; i++)
        if (!model_is_given(request->compile.items[i]))
            return error_set(error, EXIT_USAGE, "%s: C files and compiler flags cannot be combined with ABS files",
                             request->compile.items[i]);
    return !*request->arguments || error_set(error, EXIT_USAGE, "%s: a model takes no arguments", *request->arguments);
}

/* After all flags, so that a wrong flag is named first. */
static bool check_files(const TestRequest *request, Error *error)
{
    if (request->models.count)
        return check_models(request, error);
    const char *file = NULL;
    for (uint32_t i = 1; i < request->compile.count; i++) {
        const char *word = request->compile.items[i];
        if (word[0] == '-' || takes_next(request->compile.items[i - 1]))
            continue;
        if (!check_file(word, error))
            return false;
        file = word;
    }
    if (!request->source && file)
        return error_set(error, EXIT_USAGE, "%s: neither a C file nor an ABS file", file);
    return request->source ||
           error_set(error, EXIT_USAGE, "no file given: sennit %s FILE.c ... or FILE.abs ...", request->verb->name);
}

static bool is_program(const TestRequest *request, const char *word)
{
    Error ignored;
    return request->verb->takes_binary && word[0] != '-' && !words_is_source(word) && !model_is_given(word) &&
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
    return request->compile.count == 1 || error_set(error, EXIT_USAGE, "%s: cannot be combined with the program %s",
                                                    request->compile.items[1], request->binary.data);
}

bool testrun_parse(TestRequest *request, int argc, char **argv, Error *error)
{
    static char *none[] = {NULL};
    request->arguments = none;
    VEC_PUSH(&request->compile, "cc");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            request->arguments = argv + i + 1;
            break;
        }
        OptionMatch match = options_take(&request->options, request->verb->uses, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_FOREIGN && is_program(request, argv[i]))
            take_program(request, argv[i]);
        else if (match == OPTION_FOREIGN && !take_for_compiler(request, argc, argv, &i, error))
            return false;
    }
    if (!options_check(&request->options, request->models.count ? PROGRAM_ABS : PROGRAM_C, request->verb->uses, error))
        return false;
    return (request->is_built ? check_alone(request, error) : check_files(request, error)) &&
           (!request->models.count || models_gather(&request->models, &request->options, &request->files, error)) &&
           outfile_check(&request->options, error);
}
