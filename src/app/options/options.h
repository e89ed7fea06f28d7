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
    USE_TEST = 1,
    USE_EXPLORE = 2,
    USE_RESUME = 4,
    USE_SEARCH = USE_TEST | USE_EXPLORE | USE_RESUME,
    USE_REPLAY = 8,
    USE_DEADLOCK_C = 16,
    USE_DEADLOCK_ABS = 32,
    USE_DEADLOCK = USE_DEADLOCK_C | USE_DEADLOCK_ABS,
    USE_WORKER = 64,
    USE_STATUS = 128,
    USE_GENERATE = 256,
    USE_RUN = 512,
    USE_OWN = 1024,
    USE_INTERNAL = 2048,
    USE_CHECK = 1 << 15,
    USE_EVERY = 4095 | USE_CHECK,
    ONLY_ABS = 1 << 12,   /* kinds of programs; none of them: all */
    ONLY_C = 1 << 13,
    ONLY_ACTORS = 1 << 14
} OptionUse;

/* Values of CHOICE options that have no enum elsewhere. */
CHOICE_ENUM(plain, PLAIN_);
CHOICE_ENUM(weak_cas, WEAK_CAS_);
CHOICE_ENUM(barriers, BARRIERS_);
CHOICE_ENUM(isolate, ISOLATE_);
CHOICE_ENUM(restore, RESTORING_);
CHOICE_ENUM(select, SELECT_);
CHOICE_ENUM(coverage, COVERAGE_);
CHOICE_ENUM(search, SEARCH_);
CHOICE_ENUM(dependence, DEPENDENCE_BY_);
CHOICE_ENUM(tasks, TASKS_BY_);
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

/* The name of an option of the given uses, or for the given programs, that differs from its default; or NULL. */
const char *options_changed(const Options *options, unsigned uses);
/* Prints a line to standard error that begins with the verb that the user gave, "sennit explore: ". */
void options_say(const Options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does nothing but the program forbid --reduction=states? */
bool options_allow_states(const Options *options);
/* May an exhaustive search sample beside (--sample-after)? */
bool options_may_sample(const Options *options);

/* --memory=auto: what it stands for depends on the program and on the other options. */
enum { MEMORY_AUTO = MEMORY_RC11 + 1 };
/* The name of an option that is given and needs --memory=sc; NULL if there is none. */
const char *options_needing_sc(const Options *options);

typedef enum ProgramKind { PROGRAM_C, PROGRAM_ABS } ProgramKind;

/* Does every option that differs from its default have an effect on this kind of program? `uses` are those of the
 * verb, if it is `deadlock`; 0 for a search (options_check.c). */
bool options_check(const Options *options, ProgramKind kind, unsigned uses, Error *error);

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
