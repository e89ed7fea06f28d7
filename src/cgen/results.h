/* results.h - code that inspects what a C function did: its result, and the memory passed to it
 *
 * It is written twice: first to record the values, then to compare them with the recorded ones.
 */
#ifndef CGEN_RESULTS_H
#define CGEN_RESULTS_H

#include "cgen/arguments.h"

/* A value that one call left, in the form in which sennit_check.h writes it. */
typedef struct Note {
    const char *name, *value;
} Note;
typedef VEC(Note) NoteList;

typedef struct ResultWriter {
    const DebugInfo *info;
    const ArgumentBlockList *blocks; /* passed to the function             */
    const NoteList *notes;    /* to compare with; NULL: record them        */
    Text *text;
    unsigned indent;
    uint32_t pointers;        /* dereferenced on the way                   */
} ResultWriter;

/* The returned value, which is in `variable`; not for `void`. */
void results_write_returned(ResultWriter *writer, const char *variable, int type);
/* The blocks that the function may have written to. */
void results_write_blocks(ResultWriter *writer);

#endif
