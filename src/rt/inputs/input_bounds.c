/* input_bounds.c - see input_bounds.h */
#include "rt/inputs/input_bounds.h"

#include <string.h>

extern const char __start_sennit_bounds[] __attribute__((weak));
extern const char __stop_sennit_bounds[] __attribute__((weak));

void input_bounds_each(void (*each)(void *context, const char *text), void *context)
{
    for (const char *at = __start_sennit_bounds; at < __stop_sennit_bounds; at += strlen(at) + 1)
        if (*at)
            each(context, at);
}
