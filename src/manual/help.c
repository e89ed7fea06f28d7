/* help.c - see help.h */
#include "manual/help.h"

#include "app/options/options.h"
#include "manual/verb.h"

void help_print_overview(FILE *file)
{
    fprintf(file, "Sennit tests concurrent C programs and ABS models: every schedule up to equivalence, once.\n\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb))
        fprintf(file, "  sennit %-10s %s\n", verb->text, verb->help);
    fprintf(file, "\nStart with      sennit test program.c   or   sennit explore model.abs\n"
                  "More on a verb  sennit VERB --help      or   man sennit-VERB\n\n"
                  "Exit codes: 0 explored, no bug; 1 bug; 2 usage or compile error; 3 incomplete or sampled, no bug;\n"
                  "4 nondeterministic; 5 internal error; 130 interrupted.\n");
}

static void print_own_option(const VerbRow *row)
{
    Text left = {0}, right = {0};
    if (row->letter)
        text_add(&left, "  -%c%s", row->letter, *row->text ? ", " : "");
    else
        text_add_string(&left, "      ");
    if (*row->text)
        text_add(&left, "--%s%s%s", row->text, *row->argument ? "=" : "", row->argument);
    text_add_string(&right, row->help);
    if (*row->fallback)
        text_add(&right, " [%s]", row->fallback);
    options_print_line(left.data, right.data, stdout);
    text_release(&left);
    text_release(&right);
}

int help_print_verb(const char *name)
{
    const VerbRow *verb = verb_get(name), *row;
    for (row = verb; row; row = verb_next_row(row))
        if (row->kind == ROW_USAGE)
            printf("sennit %s %s\n", name, row->text);
    printf("\n%c%s.\n", verb->help[0] - 'a' + 'A', verb->help + 1);
    for (row = verb; row; row = verb_next_row(row)) {
        if (row->kind == ROW_GROUP)
            printf("\n%s:\n", row->text);
        else if (row->kind == ROW_OPTION)
            print_own_option(row);
    }
    if (verb->uses)
        options_print(verb->uses, stdout);
    if (verb->uses & USE_SEARCH)
        printf("\nA test binary run by itself explores too; it reads these options from SENNIT_OPTIONS.\n");
    return EXIT_CLEAN;
}
