/* markdown.c - docs/options.md: every verb and every option, by group */
#include <string.h>

#include "manual/manual.h"

/* A cell of a table: "|" would end it. */
static void write_cell(const char *text, FILE *file)
{
    for (; *text; text++)
        fprintf(file, *text == '|' ? "\\|" : "%c", *text);
}

static void write_name(char letter, const char *name, const char *argument, FILE *file)
{
    fprintf(file, "| `");
    if (letter)
        fprintf(file, "-%c%s", letter, *name ? ", " : "");
    if (*name)
        fprintf(file, "--%s", name);
    if (*argument)
        fputc('=', file);
    write_cell(argument, file);
    fprintf(file, "` | ");
}

static void write_default(const char *fallback, FILE *file)
{
    if (*fallback)
        fprintf(file, " | `%s` |", fallback);
    else
        fprintf(file, " | |");
}

/* The verbs that take a common option. */
static void write_takers(const Option *option, FILE *file)
{
    const char *before = " ";
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb))
        if (option->use & verb->uses) {
            fprintf(file, "%s%s", before, verb->text);
            before = ", ";
        }
    fprintf(file, " |\n");
}

static void write_verbs(FILE *file)
{
    fprintf(file, "| command | what it does |\n|---|---|\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        fprintf(file, "| `sennit %s` | ", verb->text);
        write_cell(verb->help, file);
        fprintf(file, " |\n");
    }
}

static void write_usage(FILE *file)
{
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb))
        for (const VerbRow *row = verb; row; row = verb_next_row(row))
            if (row->kind == ROW_USAGE)
                fprintf(file, "    sennit %s %s\n", verb->text, row->text);
}

static void write_help(const Option *option, FILE *file)
{
    Text text = {0};
    option_write_help(option, &text);
    write_cell(text.data, file);
    text_release(&text);
}

static void write_common(FILE *file)
{
    const Option *option;
    const char *title = NULL;
    for (unsigned i = 0; (option = options_row(i)); i++) {
        if (option->kind == KIND_GROUP)
            title = option->name;
        if (!option_is_listed(option, USE_EVERY))
            continue;
        if (title)
            fprintf(file, "\n### %s\n\n| option | meaning | default | verbs |\n|---|---|---|---|\n", title);
        title = NULL;
        write_name(option->letter, option->name, option->kind == KIND_FLAG ? "" : option->argument, file);
        write_help(option, file);
        write_default(option->kind == KIND_FLAG ? "" : option->fallback, file);
        write_takers(option, file);
    }
}

static void write_own(FILE *file)
{
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb))
        for (const VerbRow *row = verb; row; row = verb_next_row(row)) {
            if (row->kind == ROW_GROUP)
                fprintf(file, "\n### `sennit %s`: %s\n\n| option | meaning | default |\n|---|---|---|\n", verb->text,
                        row->text);
            if (row->kind == ROW_OPTION) {
                write_name(row->letter, row->text, row->argument, file);
                write_cell(row->help, file);
                write_default(row->fallback, file);
                fputc('\n', file);
            }
        }
}

void markdown_write(FILE *file)
{
    fprintf(file, "# Verbs and options\n\n"
                  "This page is generated from `src/manual/verbs.def` and `src/app/options/options.def`\n"
                  "(`tools/check-options BUILD --write`). `sennit VERB --help` and `man sennit-VERB`\n"
                  "show the same by verb.\n\n"
                  "## Verbs\n\n");
    write_verbs(file);
    fputc('\n', file);
    write_usage(file);
    fprintf(file, "\n## Common options\n\n"
                  "Numbers may end in `k`, `M` or `G`, times in `s`, `m` or `h`. `--name VALUE` is the same as\n"
                  "`--name=VALUE`. A test binary run by itself reads these options from `SENNIT_OPTIONS`.\n"
                  "An option that would have no effect, for the verb, the kind of program or without another\n"
                  "option, is refused with exit code 2; where 0 would mean no limit, say `none`.\n");
    write_common(file);
    fprintf(file, "\n## Options of single verbs\n");
    write_own(file);
}
