/* cmd_generate.c - `sennit generate MODEL.abs --method CLASS.METHOD ...`: tests for methods of a model */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgen/cgen.h"
#include "cli/verbs.h"
#include "host/installation.h"
#include "host/words.h"
#include "subject/abs/generate/generate_abs.h"
#include "subject/abs/model.h"
#include "subject/abs/models.h"

typedef struct GenerateArguments {
    Options options;
    Models models;
    FileNames files; /* their names */
    GenerateRequest request;
    Text command;
} GenerateArguments;

static int find_word(const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

static bool parse_format(GenerateRequest *request, const char *text, Error *error)
{
    static const char *const words[] = {
        [FORMAT_CONSTRAINTS] = "constraints", [FORMAT_CONCRETE] = "concrete", [FORMAT_HYBRID] = "hybrid"};
    int found = find_word(text, words, 3);
    request->format = (TestFormat)found;
    return found >= 0 || error_set(error, EXIT_USAGE, "--format=%s: expected constraints, concrete or hybrid", text);
}

static bool parse_emit(GenerateRequest *request, const char *text, Error *error)
{
    static const char *const words[] = {
        [EMIT_TEXT] = "text", [EMIT_ABS] = "abs", [EMIT_JSON] = "json", [EMIT_XUNIT] = "xunit"};
    int found = find_word(text, words, 4);
    request->emit = (TestEmit)found;
    return found >= 0 || error_set(error, EXIT_USAGE, "--emit=%s: expected text, abs, json or xunit", text);
}

static bool parse_selection(GenerateRequest *request, const char *text, Error *error)
{
    return selection_find(text, &request->selection) ||
           error_set(error, EXIT_USAGE, "--select=%s: expected all, branches, statements or states", text);
}

static bool parse_reduction(GenerateRequest *request, const char *text, Error *error)
{
    static const char *const words[] = {"stable", "optimal", "source", "none"};
    static const Reduction reductions[] = {REDUCTION_PERSISTENT, REDUCTION_OPTIMAL, REDUCTION_SOURCE, REDUCTION_NONE};
    int found = find_word(text, words, 4);
    if (found >= 0)
        request->reduction = reductions[found];
    return found >= 0 || error_set(error, EXIT_USAGE, "--reduction=%s: expected stable, optimal, source or none", text);
}

static bool parse_range(GenerateRequest *request, const char *text, Error *error)
{
    long long low, high;
    int end = 0;
    if (sscanf(text, "%lld..%lld%n", &low, &high, &end) != 2 || text[end])
        return error_set(error, EXIT_USAGE, "--range %s: expected LOWEST..HIGHEST", text);
    if (low > high)
        return error_set(error, EXIT_USAGE, "--range %s: %lld is larger than %lld", text, low, high);
    request->low = low;
    request->high = high;
    return true;
}

static bool needs_value(const char *word)
{
    static const char *const words[] = {"--method", "--format", "--emit",  "--out",
                                        "-o",       "--select", "--range", "--reduction"};
    return find_word(word, words, (int)(sizeof words / sizeof words[0])) >= 0;
}

/* 1: taken, 0: not an option of this verb only, -1: wrong. */
static int take_own(GenerateRequest *request, char **argv, int argc, int *i, Error *error)
{
    const char *value;
    if (*i + 1 == argc && needs_value(argv[*i])) {
        error_set(error, EXIT_USAGE, "%s needs a value (sennit generate --help says which)", argv[*i]);
        return -1;
    }
    if (strcmp(argv[*i], "--contexts") == 0) {
        request->only_contexts = true;
        return 1;
    }
    if ((value = words_value("--method", argv, argc, i))) {
        VEC_PUSH(&request->methods, value);
        return 1;
    }
    if ((value = words_value("--format", argv, argc, i)))
        return parse_format(request, value, error) ? 1 : -1;
    if ((value = words_value("--emit", argv, argc, i)))
        return parse_emit(request, value, error) ? 1 : -1;
    if ((value = words_value("--out", argv, argc, i)) || (value = words_value("-o", argv, argc, i))) {
        request->out = value;
        return 1;
    }
    if ((value = words_value("--select", argv, argc, i)))
        return parse_selection(request, value, error) ? 1 : -1;
    if ((value = words_value("--reduction", argv, argc, i)))
        return parse_reduction(request, value, error) ? 1 : -1;
    if ((value = words_value("--range", argv, argc, i)))
        return parse_range(request, value, error) ? 1 : -1;
    return 0;
}

/* Without these bounds there may be tests without end. */
static bool check_bounded(char **argv, int argc, int i, Error *error)
{
    static const char *const bounds[] = {"--loop", "--switches"};
    for (unsigned k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        int at = i;
        const char *value = words_value(bounds[k], argv, argc, &at);
        if (value && strcmp(value, "none") == 0)
            return error_set(error, EXIT_USAGE, "%s=none: generated tests need a bound, a number from 1 on", bounds[k]);
    }
    return true;
}

/* Options about what is shown or executed that would have no effect. */
static bool check_shown(const Options *options, const GenerateRequest *request, Error *error)
{
    bool draws = options->diagram || options->show == SHOW_ALL;
    if (draws && request->emit != EMIT_TEXT)
        return error_set(error, EXIT_USAGE, "--%s goes with --emit=text", options->diagram ? "diagram" : "show=all");
    if (options->show == SHOW_NONE && request->out)
        return error_set(error, EXIT_USAGE, "--show=none: with --out no tests are shown");
    if (options->tree == TREE_DOT && !request->out)
        return error_set(error, EXIT_USAGE, "--tree=dot needs --out DIR, where it is written");
    if (options->tree == TREE_TEXT && options->json)
        return error_set(error, EXIT_USAGE, "--tree=text does not go with --json");
    if (options->tasks == TASKS_BY_NONDET)
        return error_set(error, EXIT_USAGE, "--tasks=nondet: tests are for every order of tasks anyway");
    if (options->tasks != TASKS_BY_MODEL && request->reduction != REDUCTION_PERSISTENT &&
        request->reduction != REDUCTION_NONE)
        return error_set(error, EXIT_USAGE, "--reduction: there is none with --tasks=fifo or lifo");
    return true;
}

static bool parse(GenerateArguments *arguments, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        if (!check_bounded(argv, argc, i, error))
            return false;
        int own = take_own(&arguments->request, argv, argc, &i, error);
        if (own < 0)
            return false;
        OptionMatch match = own ? OPTION_TAKEN : options_take(&arguments->options, USE_GENERATE, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_TAKEN)
            continue;
        if (argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit generate --help lists them)", argv[i]);
        if (!model_is_given(argv[i]))
            return error_set(error, EXIT_USAGE, "%s: not an ABS model (.abs)", argv[i]);
        VEC_PUSH(&arguments->models, argv[i]);
    }
    if (arguments->options.objects.policy)
        return error_set(error, EXIT_USAGE, "--objects=round-robin: tests are generated for all schedules; "
                                            "--objects=N bounds the objects created at each `new`");
    if (arguments->options.dependence == DEPENDENCE_BY_EXACT)
        return error_set(error, EXIT_USAGE, "--dependence=exact: tests differ in their inputs, not only in their "
                                            "states; use fields or actor");
    if (!check_shown(&arguments->options, &arguments->request, error))
        return false;
    if (!arguments->models.count)
        return error_set(error, EXIT_USAGE, "no file given: sennit generate MODEL.abs --method CLASS.METHOD");
    if (!arguments->request.methods.count && !arguments->options.for_deadlock)
        return error_set(error, EXIT_USAGE, "no method given: sennit generate %s --method CLASS.METHOD",
                         arguments->models.items[0]);
    return models_gather(&arguments->models, &arguments->options, &arguments->files, error);
}

/* Bounds that make the search finite if none is given. */
enum { DEFAULT_LOOP = 1, DEFAULT_SWITCHES = 8, DEFAULT_OBJECTS = 2 };

static int run(GenerateArguments *arguments)
{
    GenerateRequest *request = &arguments->request;
    const Options *options = &arguments->options;
    request->paths = (const char *const *)arguments->models.items;
    request->path_count = arguments->models.count;
    request->options = options;
    request->loop = options->loop ? options->loop : DEFAULT_LOOP;
    request->switches = options->switches ? options->switches : DEFAULT_SWITCHES;
    request->objects = options->objects.limit ? options->objects.limit : DEFAULT_OBJECTS;
    request->recursion = options->recursion;
    request->max_executions = options->max_execs;
    request->max_time = options->max_time;
    request->solver_time = options->solver_time;
    request->quiet = options->quiet;
    request->no_independence = options->no_independence || options->dependence == DEPENDENCE_BY_ACTOR;
    request->json = options->json;
    request->no_stability = options->no_stability;
    request->no_aliases = options->no_aliases;
    request->no_null = options->no_null;
    request->quiet_tests = options->show == SHOW_NONE;
    request->tables = options->show == SHOW_ALL;
    request->diagrams = options->diagram;
    request->tree_text = options->tree == TREE_TEXT;
    request->tree_dot = options->tree != TREE_NONE && request->out;
    if (options->tasks != TASKS_BY_MODEL) /* what a policy forbids depends on more than the order of dependent steps */
        request->reduction = REDUCTION_NONE;
    request->for_deadlock = options->for_deadlock;
    char solver[PATH_MAX];
    request->solver = installation_find_solver(solver) ? solver : NULL;
    return model_generate(request);
}

static const char *command_of(Text *text, int argc, char **argv)
{
    text_add_string(text, "sennit");
    for (int i = 0; i < argc; i++)
        text_add(text, " %s", argv[i]);
    return text->data;
}

int cmd_generate(int argc, char **argv)
{
    if (cgen_is_wanted(argc, argv))
        return cgen_run(argc, argv);
    GenerateArguments arguments = {.request = {.low = 1, .high = 0, .reduction = REDUCTION_PERSISTENT}};
    Error error = {.code = EXIT_USAGE};
    options_init(&arguments.options);
    arguments.request.command = command_of(&arguments.command, argc, argv);
    int code = -1;
    if (parse(&arguments, argc, argv, &error))
        code = run(&arguments);
    else
        fprintf(stderr, "sennit generate: %s\n", error.text);
    options_release(&arguments.options);
    text_release(&arguments.command);
    VEC_FREE(&arguments.models);
    file_names_release(&arguments.files);
    VEC_FREE(&arguments.request.methods);
    return code < 0 ? (int)error.code : code;
}
