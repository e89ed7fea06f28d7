/* follows.h - what models do with inputs, see follows.def */
#ifndef RT_ABI_FOLLOWS_H
#define RT_ABI_FOLLOWS_H

#include <stdbool.h>
#include <string.h>

static inline bool model_follows(const char *name)
{
    static const char *const prefixes[] = {
#define FOLLOWS(prefix) prefix,
#include "rt/abi/follows.def"
    };
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static inline bool model_reads(const char *name)
{
    static const char *const names[] = {
#define READS(name) name,
#include "rt/abi/follows.def"
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

#endif
