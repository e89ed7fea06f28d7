/* lockscan.h - the cycles of lock orders of a whole program, as a text
 *
 * One line per fact, words separated by tabs:
 *
 *     locks 1 CONTEXTS THREADS WAITS    first line; classes of threads, different waits
 *     cut                               there are more cycles than those listed
 *     other-waits                       conditions, semaphores or barriers are used
 *     unfollowed FILE LINE              a lock or thread there is not followed
 *     cycle open|gated|apart GATE       then its waits; each asks for what the next one holds
 *     wait lock|join|ended FILE LINE COLUMN FUNCTION THREAD ASKED HELD HELD-LINE
 *
 * A lock is "@variable+offset/stride" (a stride: of any element), or words. A wait "ended" is a
 * thread that ends with the lock.
 */
#ifndef INSTR_ANALYSIS_LOCKSCAN_H
#define INSTR_ANALYSIS_LOCKSCAN_H

#include "base/text.h"
#include "instr/module/module.h"

/* Analyses a module made by module_open_program; changes it. */
bool lockscan(Module *m, Text *out, Error *error);

#endif
