/* verb.c - see verb.h */
#include "manual/verb.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "app/options/options.h"

const VerbRow VERB_ROWS[] = {
#define VERB(name, run, uses, help, about) {ROW_VERB, 0, name, "", "", help, about, uses},
#define USAGE(arguments) {ROW_USAGE, 0, arguments, "", "", "", "", 0},
#define VERB_GROUP(title) {ROW_GROUP, 0, title, "", "", "", "", 0},
#define VERB_OPTION(letter, name, argument, fallback, help) {ROW_OPTION, letter, name, argument, fallback, help, "", 0},
#include "manual/verbs.def"
#undef VERB
#undef USAGE
#undef VERB_GROUP
#undef VERB_OPTION
    {ROW_END, 0, "", "", "", "", "", 0},
};

const VerbRow *verb_next_row(const VerbRow *row)
{
    row++;
    return row->kind == ROW_VERB || row->kind == ROW_END ? NULL : row;
}

const VerbRow *verb_next(const VerbRow *verb)
{
    const VerbRow *row = verb ? verb + 1 : VERB_ROWS;
    while (row->kind != ROW_VERB && row->kind != ROW_END)
        row++;
    return row->kind == ROW_END ? NULL : row;
}

const VerbRow *verb_get(const char *name)
{
    const VerbRow *verb = verb_next(NULL);
    while (verb && strcmp(verb->text, name) != 0)
        verb = verb_next(verb);
    assert(verb);
    return verb;
}
