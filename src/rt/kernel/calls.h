/* calls.h - which redirected functions the program calls */
#ifndef RT_KERNEL_CALLS_H
#define RT_KERNEL_CALLS_H

#include <stdbool.h>

/* Does instrumented code of the program call this function, or take its address? The same for the whole process; true
 * if no module has a list. */
bool calls_contain(const char *function);
/* Has some module a list? */
bool calls_are_listed(void);

/* A function in the lists that is not among these (the last is NULL); NULL if there is none. */
const char *calls_other_than(const char *const *functions);

#endif
