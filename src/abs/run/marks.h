/* marks.h - which instructions of a model were executed, in any execution of any process of a run
 *
 * Each instruction begins with a handler that sets its mark and then gives way to the real one, so that recording costs
 * nothing once an instruction was executed. The marks are shared; each process has handlers of its own.
 */
#ifndef ABS_RUN_MARKS_H
#define ABS_RUN_MARKS_H

#include "abs/lower/ir.h"
#include "base/map.h"
#include "base/region.h"
#include "base/text.h"

typedef struct Marks {
    Map numbers;        /* instruction -> its number                  */
    VEC(Instr *) instrs;
    uint8_t *set;       /* by number; in the region                   */
    uint8_t *sent;      /* those that marks_export has written so far */
} Marks;

/* Before the first fork. Afterwards a machine that runs this image needs them (program_abs_mark). */
Marks *marks_create(Region *region, const Image *image);
/* The instruction is executed: its mark is set, and it has its own handler from now on. */
void marks_set(Marks *marks, const Instr *instr);
bool marks_has(const Marks *marks, const Instr *instr);

/* For other processes, a line "executed NUMBER NUMBER ...": new ones since the last call, or all; nothing if there are
 * none. */
void marks_export(Marks *marks, bool all, Text *out);
/* Adds such a line; false if it is malformed. */
bool marks_import(Marks *marks, const char *line);

#endif
