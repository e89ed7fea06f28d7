/* diag.h - errors and warnings about a model: collected, sorted, printed with the source line */
#ifndef ABS_SYNTAX_DIAG_H
#define ABS_SYNTAX_DIAG_H

#include <stdarg.h>

#include "abs/syntax/source.h"
#include "base/text.h"

typedef enum DiagKind {
    DIAG_ERROR,
    DIAG_UNSUPPORTED, /* valid ABS that Sennit does not support: prevents a run */
    DIAG_TRAP,        /* the same in code: ends an execution that reaches it    */
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

/* Adds a diagnostic; dropped if there is one of the same kind at the same place. */
void diag_add(Diags *diags, DiagKind kind, SrcPos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void diag_add_list(Diags *diags, DiagKind kind, SrcPos pos, uint32_t length, const char *format, va_list args);

/* Is there anything but DIAG_WARNING and DIAG_TRAP? */
bool diags_prevent_run(const Diags *diags);

const char *diag_kind_words(DiagKind kind);
/* In the order of the source. */
void diags_sort(Diags *diags);
/* Sorts and prints them:
 *     file:line:column: error: text
 *       12 | the line
 *          |     ^~~~
 */
void diags_print(Diags *diags, const Sources *sources, Text *text);

#endif
