/* options_internal.h - an option of the table in options.c, and its values as text */
#ifndef APP_OPTIONS_OPTIONS_INTERNAL_H
#define APP_OPTIONS_OPTIONS_INTERNAL_H

#include "app/options/options.h"

typedef enum Kind {
    KIND_FLAG, KIND_COUNT, KIND_LIMIT, KIND_TIME, KIND_TEXT, KIND_CHOICE, KIND_STRATEGIES, KIND_CHECKS,
    KIND_OBJECTS, KIND_ARGUMENTS
} Kind;

typedef struct Option {
    Kind kind;
    char letter;
    const char *name;
    const char *argument;
    const char *fallback;
    unsigned use;
    const char *help;
    size_t offset;
} Option;

/* Reads a value into the option's field; false if it is none, the field is as before. */
bool option_assign(Options *options, const Option *option, const char *text);
/* The field as option_assign reads it. */
void option_write_value(const Options *options, const Option *option, Text *text);

#endif
