/* main.c - the command line: finds the verb and hands over */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "cc/cc.h"
#include "cli/html.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "manual/help.h"
#include "subject/abs/model.h"

/* ---- Verbs ---------------------------------------------------------------- */

typedef struct Verb {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the verb; answers the exit code */
} Verb;

static const Verb VERBS[] = {
#define VERB(name, run, uses, help, about) {name, run},
#define USAGE(arguments)
#define VERB_GROUP(title)
#define VERB_OPTION(letter, name, argument, fallback, help)
#include "manual/verbs.def"
#undef VERB
#undef USAGE
#undef VERB_GROUP
#undef VERB_OPTION
};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

static const Verb *find_verb(const char *name)
{
    for (unsigned i = 0; i < VERB_COUNT; i++)
        if (strcmp(VERBS[i].name, name) == 0)
            return &VERBS[i];
    return NULL;
}

static int unknown_verb(const char *word)
{
    const char *names[VERB_COUNT];
    size_t length = strlen(word);
    for (unsigned i = 0; i < VERB_COUNT; i++)
        names[i] = VERBS[i].name;
    const char *nearest = options_nearest(word, names, VERB_COUNT);
    if ((length > 2 && strcmp(word + length - 2, ".c") == 0) || model_is_file(word))
        fprintf(stderr, "sennit: %s is a file, not a verb; try: sennit test %s\n", word, word);
    else if (nearest)
        fprintf(stderr, "sennit: unknown verb %s; did you mean %s?\n", word, nearest);
    else
        fprintf(stderr, "sennit: unknown verb %s (sennit --help lists them)\n", word);
    return EXIT_USAGE;
}

/* --help before "--" asks for help, except that a compiler's --help is the compiler's. */
static bool asks_for_help(const Verb *verb, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return verb->run != cc_run || argc == 2;
    return false;
}

static bool called_as(const char *name, const char *wanted)
{
    const char *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, wanted) == 0;
}

static int run(int argc, char **argv)
{
    if (argc > 0 && called_as(argv[0], "sennit-cc")) /* some build systems want one word */
        return cc_run(argc, argv);
    if (argc > 0 && called_as(argv[0], MODEL_PROCESS))
        return model_run(argc, argv);
    const char *word = argc > 1 ? argv[1] : "--help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        version_print();
        return EXIT_CLEAN;
    }
    if (strcmp(word, "help") == 0 && argc > 2) {
        const Verb *verb = find_verb(argv[2]);
        return verb ? help_print_verb(verb->name) : unknown_verb(argv[2]);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        help_print_overview(argc > 1 ? stdout : stderr);
        return argc > 1 ? EXIT_CLEAN : EXIT_USAGE;
    }
    const Verb *verb = find_verb(word);
    if (!verb)
        return unknown_verb(word);
    if (asks_for_help(verb, argc - 1, argv + 1))
        return help_print_verb(verb->name);
    if ((verb->run == cmd_test || verb->run == cmd_explore) && html_is_wanted(argc - 1, argv + 1))
        return html_run(argc - 1, argv + 1);
    return verb->run(argc - 1, argv + 1);
}

/* A file of ours must not get the number of a standard stream that is closed. Writing to it still fails. */
static void occupy_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

/* What standard output did not take was not said. */
int main(int argc, char **argv)
{
    occupy_standard_streams();
    int code = run(argc, argv);
    bool good = fflush(stdout) == 0 && !ferror(stdout);
    if (good || code != EXIT_CLEAN)
        return code;
    fprintf(stderr, "sennit: standard output cannot be written\n");
    return EXIT_INTERNAL;
}
