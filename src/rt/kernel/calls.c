/* calls.c - see calls.h */
#include "rt/kernel/calls.h"

#include <string.h>

/* Names of the redirected functions that instrumented modules call, one after another;
 * written by the instrumenter. */
extern const char __start_sennit_redirected[] __attribute__((weak));
extern const char __stop_sennit_redirected[] __attribute__((weak));

bool calls_are_listed(void) { return &__start_sennit_redirected[0] != &__stop_sennit_redirected[0]; }

bool calls_contain(const char *function)
{
    const char *at = __start_sennit_redirected, *end = __stop_sennit_redirected;
    if (!calls_are_listed())
        return true;
    for (; at < end; at += strlen(at) + 1)
        if (strcmp(at, function) == 0)
            return true;
    return false;
}

const char *calls_other_than(const char *const *functions)
{
    const char *at = __start_sennit_redirected, *end = __stop_sennit_redirected;
    for (; at < end; at += strlen(at) + 1) {
        const char *const *same = functions;
        while (*same && strcmp(*same, at) != 0)
            same++;
        if (!*same && *at)
            return at;
    }
    return NULL;
}
