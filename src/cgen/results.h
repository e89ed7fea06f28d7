/* results.h - code that looks at what a C function did: its result, and the memory it got
 *
 * It is written twice: first to note what there is, then to compare that with what was noted.
 */
#ifndef CGEN_RESULTS_H
#define CGEN_RESULTS_H

#include "cgen/arguments.h"

/* What one call did: names of values and the values, as sennit_check.h writes them. */
typedef struct Note {
    const char *name, *value;
} Note;
typedef VEC(Note) NoteList;

typedef struct ResultWriter {
    const DebugInfo *info;
    const ArgumentBlockList *blocks;  /* that the function got                     */
    const NoteList *notes;    /* to compare with; NULL: they are to be made */
    Text *text;
    unsigned indent;
    uint32_t pointers;        /* followed on the way to the value          */
} ResultWriter;

/* The value that a function has returned is in `variable`; not for `void`. */
void results_write_returned(ResultWriter *writer, const char *variable, int type);
/* The blocks that it may have written to. */
void results_write_blocks(ResultWriter *writer);

#endif
