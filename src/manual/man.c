/* man.c - man pages, as roff with the macros of man(7) */
#include <ctype.h>
#include <string.h>

#include "manual/manual.h"
#include "sennit_version.h"

/* Text with `code` in bold; dashes and backslashes are escaped. */
static void write_text(const char *text, FILE *file)
{
    bool bold = false;
    for (; *text; text++) {
        if (*text == '`') {
            bold = !bold;
            fprintf(file, bold ? "\\fB" : "\\fR");
        } else if (*text == '-') {
            fprintf(file, "\\-");
        } else if (*text == '\\') {
            fprintf(file, "\\e");
        } else {
            fputc(*text, file);
        }
    }
}

static void write_paragraph(const char *text, FILE *file)
{
    if (*text == '.' || *text == '\'') /* would be a request */
        fprintf(file, "\\&");
    write_text(text, file);
    fputc('\n', file);
}

/* A page has a version instead of a date, so that builds are reproducible. */
static void write_title(const char *name, FILE *file)
{
    fprintf(file, ".TH \"");
    for (; *name; name++)
        fputc(toupper((unsigned char)*name), file);
    fprintf(file, "\" 1 \"\" \"Sennit %s\" \"Sennit manual\"\n.nh\n.ad l\n", SENNIT_VERSION);
}

static void write_option(const ManualOption *option, ManualPage *page)
{
    FILE *file = page->file;
    if (strcmp(page->group, option->group) != 0)
        fprintf(file, ".SS %s\n", option->group);
    fprintf(file, ".TP\n");
    if (option->letter)
        fprintf(file, "\\fB\\-%c\\fR%s", option->letter, *option->name ? ", " : "");
    if (*option->name) {
        fprintf(file, "\\fB\\-\\-");
        write_text(option->name, file);
        fprintf(file, "\\fR");
    }
    if (*option->argument) {
        fprintf(file, "=\\fI");
        write_text(option->argument, file);
        fprintf(file, "\\fR");
    }
    fputc('\n', file);
    fputc(toupper((unsigned char)option->help[0]), file);
    write_text(option->help + 1, file);
    if (*option->fallback) {
        fprintf(file, " (default: ");
        write_text(option->fallback, file);
        fputc(')', file);
    }
    fprintf(file, ".\n");
}

static void write_synopsis(const VerbRow *verb, FILE *file)
{
    fprintf(file, ".SH SYNOPSIS\n");
    const char *before = "";
    for (const VerbRow *row = verb; row; row = verb_next_row(row))
        if (row->kind == ROW_USAGE) {
            fprintf(file, "%s\\fBsennit ", before);
            write_text(verb->text, file);
            fprintf(file, "\\fR ");
            write_paragraph(row->text, file);
            before = ".br\n";
        }
}

void man_write_verb(const VerbRow *verb, FILE *file)
{
    char name[64];
    snprintf(name, sizeof name, "sennit-%s", verb->text);
    write_title(name, file);
    fprintf(file, ".SH NAME\n");
    write_text(name, file);
    fprintf(file, " \\- ");
    write_paragraph(verb->help, file);
    write_synopsis(verb, file);
    fprintf(file, ".SH DESCRIPTION\n");
    write_paragraph(verb->about, file);
    fprintf(file, ".SH OPTIONS\n");
    manual_options(verb, write_option, file);
    fprintf(file, ".TP\n\\fB\\-\\-help\\fR\nPrint the options and exit.\n");
    fprintf(file, ".SH SEE ALSO\n.BR sennit (1)\n");
}

static void write_exit_codes(FILE *file)
{
    static const char *const codes[][2] = {
        {"0", "everything within the stated bounds was explored, no bug; or what \\-\\-until asks for was reached"},
        {"1", "a bug was found"},
        {"2", "wrong usage, or the program does not compile"},
        {"3", "the budget ran out, or schedules were sampled, no bug so far"},
        {"4", "the program is nondeterministic, or a replay differs from its trace"},
        {"5", "an error inside Sennit"},
        {"130", "interrupted; a checkpoint and the results so far are in the run directory"},
    };
    fprintf(file, ".SH EXIT STATUS\n");
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
        fprintf(file, ".TP\n.B %s\n%s\n", codes[i][0], codes[i][1]);
}

void man_write_overview(FILE *file)
{
    write_title("sennit", file);
    fprintf(file, ".SH NAME\nsennit \\- systematic tester for concurrent and distributed programs\n"
                  ".SH SYNOPSIS\n\\fBsennit\\fR \\fIVERB\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n");
    write_paragraph("Sennit explores every schedule of a program up to equivalence and every symbolic input up to the "
                    "path it takes. It finds deadlocks, data races, failed assertions, crashes, memory errors and "
                    "livelocks in C programs with threads, in actors that exchange messages, and in ABS models, and "
                    "replays each bug.",
                    file);
    fprintf(file, ".SH VERBS\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        fprintf(file, ".TP\n\\fBsennit\\-");
        write_text(verb->text, file);
        fprintf(file, "\\fR(1)\n");
        write_paragraph(verb->help, file);
    }
    write_exit_codes(file);
    fprintf(file, ".SH FILES\n.TP\n.I sennit\\-out/NNN\nthe run directory: run.json, bugs/*.trace, coverage, "
                  "checkpoint\n.TP\n.I sennit\\-last\na link to the newest run directory\n"
                  ".SH ENVIRONMENT\n.TP\n.B SENNIT_OPTIONS\noptions of a test binary that is run by itself\n"
                  ".TP\n.B NO_COLOR\nif set, no colours\n");
}
