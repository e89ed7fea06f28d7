/* remote_internal.h - the messages between a client and a solver process
 *
 *   request   flags, limit in ms, the conditions as a piece of a stream (wire.h)
 *   reply     result, CPU time in nanoseconds; if SAT: number of inputs, then for each its number in the stream
 *             and its value; if UNSAT: number of conditions in the core, then their positions
 *
 * Everything is a number in the sense of wire_put_number.
 */
#ifndef SYM_SOLVE_REMOTE_INTERNAL_H
#define SYM_SOLVE_REMOTE_INTERNAL_H

enum { REMOTE_NEW_STREAM = 1, REMOTE_WANTS_CORE = 2, REMOTE_FLAGS = 3 };

#endif
