/* words.h - the words of a command line */
#ifndef HOST_WORDS_H
#define HOST_WORDS_H

#include <stdbool.h>

#include "base/text.h"

/* The value of "--name VALUE" or "--name=VALUE" at argv[*i]; *i is then its last word. NULL if it is another
 * word. */
const char *words_value(const char *name, char **argv, int argc, int *i);
/* Moves behind blanks. False at the end of the text. */
bool words_skip(const char **at);
/* Takes one word as a shell reads it: quotes group, a backslash outside of single quotes escapes the next character.
 * False: a quote is open. */
bool words_take(const char **at, Text *word);
/* Is it a C source file? */
bool words_is_source(const char *word);

#endif
