/* modelled.h - what modelled functions do with symbolic arguments, see modelled.def */
#ifndef RT_ABI_MODELLED_H
#define RT_ABI_MODELLED_H

#include <stdbool.h>
#include <string.h>

static inline bool modelled_tracks(const char *name)
{
    static const char *const prefixes[] = {
#define TRACKS(prefix) prefix,
#include "rt/abi/modelled.def"
    };
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static inline bool modelled_concretises(const char *name)
{
    static const char *const names[] = {
#define CONCRETISES(name) name,
#include "rt/abi/modelled.def"
#define REDIRECT(name)
#define PURE(name)
#define CHECKED(name, ...) #name,
#include "rt/abi/library.def"
#undef REDIRECT
#undef PURE
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

#endif
