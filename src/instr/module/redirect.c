/* redirect.c - see redirect.h */
#include "instr/module/redirect.h"

#include <stddef.h>
#include <string.h>

static const char *const modelled[] = {
#define REDIRECT(name) #name,
#define PURE(name)
#include "rt/abi/redirect.def"
#undef REDIRECT
#undef PURE
    NULL};

static const char *const pure[] = {
#define REDIRECT(name)
#define PURE(name) #name,
#include "rt/abi/redirect.def"
#undef REDIRECT
#undef PURE
    NULL};

static bool contains(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

bool redirect_is_modelled(const char *name)
{
    return contains(modelled, name);
}

bool redirect_is_pure(const char *name)
{
    return contains(pure, name);
}
