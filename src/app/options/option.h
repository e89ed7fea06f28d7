/* option.h - one row of the table of options, and its value as text */
#ifndef APP_OPTIONS_OPTION_H
#define APP_OPTIONS_OPTION_H

#include "app/options/options.h"

typedef enum OptionKind {
    KIND_FLAG, KIND_COUNT, KIND_BOUND, KIND_LIMIT, KIND_TIME, KIND_TEXT, KIND_CHOICE, KIND_STRATEGIES, KIND_CHECKS,
    KIND_OBJECTS, KIND_ARGUMENTS,
    KIND_GROUP /* not an option but the heading of those that follow; `name` is its title, `use` is 0 */
} OptionKind;

typedef struct Option {
    OptionKind kind;
    char letter;
    const char *name;
    const char *argument;
    const char *fallback;
    unsigned use; /* OptionUse */
    const char *help;
    size_t offset; /* of its field in Options */
} Option;

/* The rows of options.def in their order; NULL behind the last. */
const Option *options_row(unsigned number);
/* Is it listed in the help of a verb with these uses? Never true of a heading. */
bool option_is_listed(const Option *option, unsigned uses);

/* The row with this name, which exists. */
const Option *options_find(const char *name);
/* The programs it has an effect on, as in "ABS models"; NULL: on all. */
const char *option_programs(const Option *option);
/* Its description, and the programs it is for. */
void option_write_help(const Option *option, Text *text);
/* Do the fields of the option differ? */
bool option_differs(const Options *a, const Options *b, const Option *option);

/* Reads a value into the option's field; false if the text is not a value, the field then is unchanged. */
bool option_assign(Options *options, const Option *option, const char *text);
/* Writes the field such that option_assign reads it back. */
void option_write_value(const Options *options, const Option *option, Text *text);

#endif
