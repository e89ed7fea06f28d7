/* diag.h - what is wrong with a model: collected, sorted, shown with the source line */
#ifndef ABS_SYNTAX_DIAG_H
#define ABS_SYNTAX_DIAG_H

#include <stdarg.h>

#include "abs/syntax/source.h"
#include "base/text.h"

typedef enum DiagKind {
    DIAG_ERROR,
    DIAG_UNSUPPORTED, /* valid ABS that Sennit cannot run yet; a declaration is missing  */
    DIAG_TRAP,        /* the same, but it matters only if it is reached                  */
    DIAG_WARNING
} DiagKind;

typedef struct Diag {
    DiagKind kind;
    SrcPos pos;
    uint32_t length; /* of the underlined part, at least 1 */
    char *text;
} Diag;

/* Start with {0}. */
typedef struct Diags {
    VEC(Diag) items;
    uint32_t errors; /* not warnings */
} Diags;

void diags_release(Diags *diags);

/* A second complaint of the same kind about the same place is dropped. */
void diag_add(Diags *diags, DiagKind kind, SrcPos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void diag_add_list(Diags *diags, DiagKind kind, SrcPos pos, uint32_t length, const char *format, va_list args);

/* Is there more than warnings and constructs that matter only when they are reached? */
bool diags_prevent_run(const Diags *diags);

/* In the order of the source:
 *     file:line:column: error: text
 *       12 | the line
 *          |     ^~~~
 */
void diags_print(Diags *diags, const Sources *sources, Text *text);

#endif
