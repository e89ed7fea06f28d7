/* main.c - the command line: finds the verb and hands over */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"
#include "cc/cc.h"
#include "cli/verbs.h"
#include "subject/abs/model.h"

typedef struct Verb {
    const char *name;
    int (*run)(int argc, char **argv);
    unsigned uses;
    const char *arguments;
    const char *help;
} Verb;

static const Verb VERBS[] = {
#define VERB(name, run, uses, arguments, help) {name, run, uses, arguments, help},
#include "cli/verbs.def"
#undef VERB
};
enum { VERB_COUNT = sizeof VERBS / sizeof VERBS[0] };

/* ---- Help -------------------------------------------------------------------- */

static void print_overview(FILE *file)
{
    fprintf(file, "Sennit tests concurrent C programs and ABS models: every schedule, once.\n\n");
    for (unsigned i = 0; i < VERB_COUNT; i++)
        fprintf(file, "  sennit %-10s %s\n", VERBS[i].name, VERBS[i].help);
    fprintf(file, "\nStart with      sennit test program.c   or   sennit explore model.abs\n"
                  "More on a verb  sennit VERB --help\n\n"
                  "Exit codes: 0 explored, no bug; 1 bug; 2 usage or compile error; 3 budget used up, no bug;\n"
                  "4 not deterministic; 5 internal error; 130 interrupted.\n");
}

static int print_help(const Verb *verb)
{
    printf("sennit %s %s\n\n%c%s.\n", verb->name, verb->arguments, verb->help[0] - 'a' + 'A', verb->help + 1);
    if (verb->uses) {
        printf("\nOptions:\n");
        options_print(verb->uses, stdout);
    }
    if (verb->run == cc_run) {
        printf("\nFlags are those of the compiler: -c, -o, -I, -D, -O2, -g, -l ... Link with the same command.\n"
               "Further flags:\n");
        cc_print_flags(stdout);
    }
    if (verb->uses & USE_SEARCH)
        printf("\nA test binary run by itself explores too; it reads these options from SENNIT_OPTIONS.\n");
    return EXIT_CLEAN;
}

/* ---- Verbs --------------------------------------------------------------------- */

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
        fprintf(stderr, "sennit: what to do with %s? Try: sennit test %s\n", word, word);
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

int main(int argc, char **argv)
{
    if (argc > 0 && called_as(argv[0], "sennit-cc")) /* some build systems want one word */
        return cc_run(argc, argv);
    if (argc > 0 && called_as(argv[0], MODEL_PROCESS))
        return model_run(argc, argv);
    const char *word = argc > 1 ? argv[1] : "--help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        printf("sennit %s\n", SENNIT_VERSION);
        return EXIT_CLEAN;
    }
    if (strcmp(word, "help") == 0 && argc > 2) {
        const Verb *verb = find_verb(argv[2]);
        return verb ? print_help(verb) : unknown_verb(argv[2]);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_overview(argc > 1 ? stdout : stderr);
        return argc > 1 ? EXIT_CLEAN : EXIT_USAGE;
    }
    const Verb *verb = find_verb(word);
    if (!verb)
        return unknown_verb(word);
    if (asks_for_help(verb, argc - 1, argv + 1))
        return print_help(verb);
    return verb->run(argc - 1, argv + 1);
}
