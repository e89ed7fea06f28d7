/* sequence_c.h - messages between actors of a C program as a sequence for reports */
#ifndef SUBJECT_C_SEQUENCE_C_H
#define SUBJECT_C_SEQUENCE_C_H

#include "base/arena.h"
#include "core/program.h"
#include "report/sequence.h"

/* The first `length` events of the execution that the program ran last, a lifeline per actor; the last ones, `repeated`
 * of them, can be repeated for ever.
 * Everything is in the arena. NULL if there are no messages, or too many steps for a diagram. */
Sequence *sequence_of_actors(Program *program, const Execution *ex, uint32_t length, uint32_t repeated, Arena *arena);

#endif
