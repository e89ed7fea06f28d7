/* lockscan.h - the deadlock cycles of a whole program, as text
 *
 * One line per fact, fields separated by tabs:
 *
 *     locks 1 CONTEXTS THREADS WAITS    first line; numbers of contexts, thread classes, waits
 *     cut                               there are more cycles than those listed
 *     other-waits                       conditions, semaphores or barriers are used
 *     unresolved FILE LINE              the lock or thread there is unknown
 *     cycle open|gated|apart GATE       then its waits; each requests what the next one holds
 *     wait lock|join|ended FILE LINE COLUMN FUNCTION THREAD ASKED HELD HELD-LINE
 *
 * A lock is "@variable+offset/stride" (with a stride: of any element), or a description. A wait "ended" is a thread
 * that ends while it holds the lock.
 */
#ifndef INSTR_ANALYSIS_LOCKSCAN_H
#define INSTR_ANALYSIS_LOCKSCAN_H

#include "base/text.h"
#include "instr/module/module.h"

/* Analyses a module of module_open_program, and modifies it. Adds the lines to `out`. */
bool lockscan(Module *m, Text *out, Error *error);

#endif
