/* manual.h - man pages, shell completions and docs/options.md, written from options.def and verbs.def
 *
 * Used by the generator (generator.c), which runs while Sennit is built.
 */
#ifndef MANUAL_MANUAL_H
#define MANUAL_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "app/options/option.h"
#include "manual/verb.h"

/* ---- Rows of both tables, one way to walk over them (manual.c) ---- */

/* An option as the manual shows it, of whichever table. */
typedef struct ManualOption {
    const char *group;    /* title */
    char letter;
    const char *name;     /* may be "": only a letter */
    const char *argument; /* "": a flag               */
    const char *fallback;
    const char *help;
} ManualOption;

/* A document while the options of a verb are written into it. */
typedef struct ManualPage {
    FILE *file;
    const VerbRow *verb;
    const char *group; /* of the option before, "" at first */
} ManualPage;

/* Writes one option. */
typedef void ManualVisit(const ManualOption *option, ManualPage *page);
/* Calls `visit` for every option of the verb: its own ones, then the common ones, group by group. */
void manual_options(const VerbRow *verb, ManualVisit *visit, FILE *file);

/* ---- The documents ---- */

/* sennit.1 */
void man_write_overview(FILE *file);
/* sennit-VERB.1 */
void man_write_verb(const VerbRow *verb, FILE *file);

void completion_write_bash(FILE *file);
void completion_write_zsh(FILE *file);
void completion_write_fish(FILE *file);

/* docs/options.md */
void markdown_write(FILE *file);

#endif
