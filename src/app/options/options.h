/* options.h - the options of Sennit, from the command line and from SENNIT_OPTIONS
 *
 * All options are listed once, in options.def. The same text means the same on a
 * command line, in the environment of a test binary and in the header of a trace.
 */
#ifndef APP_OPTIONS_OPTIONS_H
#define APP_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "app/options/choices.h"
#include "base/error.h"
#include "base/text.h"
#include "core/explore.h"

enum { STRATEGIES_MAX = 8 };

typedef struct StrategyItem {
    Strategy strategy;
    uint32_t pct_depth;
} StrategyItem;

/* A portfolio: the strategies run in turn. */
typedef struct StrategyList {
    uint32_t count;
    StrategyItem items[STRATEGIES_MAX];
} StrategyList;

enum { CHECK_LEAK = 1, CHECK_OVERFLOW = 2, CHECK_SCOPE = 4 };

/* --sym-args: from `least` to `most` arguments of `size` bytes. */
typedef struct ArgumentsOption {
    uint32_t least, most, size;
} ArgumentsOption;

/* --objects: which object is scheduled next, and how many there may be. */
typedef struct ObjectsOption {
    uint32_t policy; /* a number of CHOICES_objects */
    uint64_t limit;  /* per creation site; 0: none  */
} ObjectsOption;

typedef enum OptionUse {
    USE_SEARCH = 1,
    USE_REPLAY = 2,
    USE_RUN = 4,
    USE_INTERNAL = 8,
    USE_OWN = 16,
    USE_MODEL = 32,
    USE_DEADLOCK = 64,
    USE_WORKER = 128,
    USE_STATUS = 256,
    USE_GENERATE = 512,
    USE_EVERY = 1023
} OptionUse;

/* Values of CHOICE options that have no enum elsewhere. */
CHOICE_ENUM(plain, PLAIN_);
CHOICE_ENUM(isolate, ISOLATE_);
CHOICE_ENUM(select, SELECT_);
CHOICE_ENUM(coverage, COVERAGE_);
CHOICE_ENUM(search, SEARCH_);
CHOICE_ENUM(dependence, DEPENDENCE_BY_);
CHOICE_ENUM(until, UNTIL_);
CHOICE_ENUM(show, SHOW_);
CHOICE_ENUM(tree, TREE_);
CHOICE_ENUM(task, TASK_);

#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_COUNT uint64_t
#define OPTION_TYPE_BOUND uint64_t
#define OPTION_TYPE_LIMIT int64_t
#define OPTION_TYPE_TIME double /* seconds */
#define OPTION_TYPE_TEXT char *
#define OPTION_TYPE_CHOICE uint32_t
#define OPTION_TYPE_STRATEGIES StrategyList
#define OPTION_TYPE_CHECKS uint32_t
#define OPTION_TYPE_ARGUMENTS ArgumentsOption
#define OPTION_TYPE_OBJECTS ObjectsOption

typedef struct Options {
#define GROUP(id, title)
#define OPTION(field, kind, letter, name, argument, fallback, use, help) OPTION_TYPE_##kind field;
#include "app/options/options.def"
#undef OPTION
#undef GROUP
} Options;

/* Fills in the defaults. */
void options_init(Options *options);
void options_release(Options *options);

typedef enum OptionMatch {
    OPTION_TAKEN,   /* *index now is the last argument that belongs to it             */
    OPTION_FOREIGN, /* not one of our options: an operand, or an unknown word with one dash */
    OPTION_WRONG    /* `error` says why                                               */
} OptionMatch;

/* Tries arguments[*index] as an option of one of the given uses. */
OptionMatch options_take(Options *options, unsigned uses, char **arguments, int count, int *index, Error *error);

/* Reads options separated by blanks, as in SENNIT_OPTIONS; '...' and \ quote. */
bool options_parse_text(Options *options, unsigned uses, const char *text, Error *error);

/* Writes the options of the given uses that differ from their defaults, such that
 * options_parse_text reads them back. */
void options_write(const Options *options, unsigned uses, Text *text);

/* The name of an option of the given uses that differs from its default, or NULL. */
const char *options_changed(const Options *options, unsigned uses);

/* Adds one word in quotes, such that options_parse_text reads it back unchanged. */
void options_quote(Text *text, const char *word);

/* Prints the options of the given uses by group, for --help (options_help.c). */
void options_print(unsigned uses, FILE *file);
/* Prints one line of help: `left` (the option) and, from column 31 on, `right`, wrapped. */
void options_print_line(const char *left, const char *right, FILE *file);

/* The name that is most similar to `word` among `count` names, or NULL if none is similar enough. */
const char *options_nearest(const char *word, const char *const *names, size_t count);

/* "exhaustive,pct:3" */
void options_write_strategies(const StrategyList *list, Text *text);

#endif
