/* redirect.c - see redirect.h */
#include "instr/module/redirect.h"

#include <stdlib.h>
#include <string.h>

typedef struct ClassRow {
    const char *name;
    LibraryClass class;
} ClassRow;

static ClassRow rows[] = { /* sorted on first use */
#define REDIRECT(name) {#name, LIBRARY_MODELLED},
#define CHECKED(name, ...) {#name, LIBRARY_CHECKED},
#define INSTRUMENTED(name) {#name, LIBRARY_INSTRUMENTED},
#define PURE(name) {#name, LIBRARY_PURE},
#include "rt/abi/library.def"
#undef REDIRECT
#undef PURE
};

enum { ROWS = sizeof rows / sizeof *rows };

static int compare(const void *a, const void *b)
{
    return strcmp(((const ClassRow *)a)->name, ((const ClassRow *)b)->name);
}

LibraryClass redirect_class(const char *name)
{
    static bool sorted;
    if (!sorted)
        qsort(rows, ROWS, sizeof *rows, compare);
    sorted = true;
    const ClassRow *row = bsearch(&(ClassRow){.name = name}, rows, ROWS, sizeof *rows, compare);
    return row ? row->class : LIBRARY_UNKNOWN;
}

bool redirect_is_modelled(const char *name)
{
    LibraryClass class = redirect_class(name);
    return class != LIBRARY_UNKNOWN && class != LIBRARY_PURE;
}

bool redirect_is_pure(const char *name) { return redirect_class(name) == LIBRARY_PURE; }
