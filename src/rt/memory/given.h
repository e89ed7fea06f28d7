/* given.h - memory that a program is given when it starts: its arguments and its environment
 *
 * A program may change these texts, in several threads. So they are copied to a variable like those of the program:
 * restored at the start of every execution, and checked for races. It lies in the arena, apart from the image, so that
 * what is checked for races does not extend to the runtime's own variables.
 */
#ifndef RT_MEMORY_GIVEN_H
#define RT_MEMORY_GIVEN_H

#include "rt/abi/hooks.h"

/* Before globals_init: a copy of the list, which ends with NULL, and of its texts. */
char **given_list(const char *const *texts);
/* The variable that contains all copies; its size is 0 if there are none. */
const SennitGlobal *given_variable(void);

#endif
