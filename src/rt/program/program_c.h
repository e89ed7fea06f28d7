/* program_c.h - a C program with threads as a program under test
 *
 * The program's code is linked into this process and runs on coroutines of one
 * operating system thread. An execution is reset in memory, not by starting a
 * process; when the program kills the process, the next process continues with the
 * same Program, because everything that must survive is in the region. What reports need
 * beside the contract of a program is in the headers of what knows it: detect/cover.h,
 * detect/held.h, detect/stack.h, detect/opaque.h, inputs/goals.h.
 */
#ifndef RT_PROGRAM_PROGRAM_C_H
#define RT_PROGRAM_PROGRAM_C_H

#include "base/error.h"
#include "base/region.h"
#include "core/program.h"
#include "rt/kernel/options.h"

/* Once per process tree, before the first fork; reserves address space at fixed places and
 * takes the snapshot of the program's globals. `options` is copied, argv is not.
 * NULL with `error` filled if the system refuses the memory. */
Program *program_c_create(Region *region, const RtOptions *options, Error *error);

/* Why the process ended with RT_EXIT_NOT_MODELLED; "" if it did not. */
const char *program_c_message(const Program *program);
/* Does it say that --memory=sc is needed? */
bool program_c_needs_sc(const Program *program);
/* Could searches recognise states of this program, as far as it is known before it runs? */
bool program_c_knows_states(void);

/* How often, in all executions, a thread used more than the program's stack because instrumented frames are larger,
 * and a place before the first time (0: unknown). */
uint64_t program_c_deep_stacks(uint64_t *site);

/* What was executed (0), which goals (1) and what unseen code (2) was reached, as bytes that are 0 or 1, in the region;
 * with the same meaning in every process of this binary. */
typedef struct RtMarks {
    uint8_t *bytes;
    size_t size;
} RtMarks;
enum { RT_MARKS = 3 };
RtMarks program_c_marks(unsigned which);

#endif
