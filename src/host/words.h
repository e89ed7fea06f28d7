/* words.h - the words of a command line */
#ifndef HOST_WORDS_H
#define HOST_WORDS_H

#include <stdbool.h>

/* The value of "--name VALUE" or "--name=VALUE" at argv[*i]; *i is then its last word. NULL if it is another
 * word. */
const char *words_value(const char *name, char **argv, int argc, int *i);
/* Is it a C source file? */
bool words_is_source(const char *word);

#endif
