/* redirect.c - see redirect.h */
#include "instr/module/redirect.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    LibraryClass class;
} rows[] = {
#define REDIRECT(name) {#name, LIBRARY_MODELLED},
#define CHECKED(name, ...) {#name, LIBRARY_CHECKED},
#define INSTRUMENTED(name) {#name, LIBRARY_INSTRUMENTED},
#define PURE(name) {#name, LIBRARY_PURE},
#include "rt/abi/library.def"
#undef REDIRECT
#undef PURE
};

LibraryClass redirect_class(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].class;
    return LIBRARY_UNKNOWN;
}

bool redirect_is_modelled(const char *name)
{
    LibraryClass class = redirect_class(name);
    return class != LIBRARY_UNKNOWN && class != LIBRARY_PURE;
}

bool redirect_is_pure(const char *name) { return redirect_class(name) == LIBRARY_PURE; }
