/* trace_class.h - names of equivalence classes of executions, by plain search for conflicts */
#ifndef ORACLE_TRACE_CLASS_H
#define ORACLE_TRACE_CLASS_H

#include "abs/program/program_abs.h"

uint64_t trace_mix(uint64_t x);
/* Equal for executions with the same steps, choices and happens-before order. Tasks go by
 * their structural names: their numbers differ from search to search. */
uint64_t trace_class(AbsProgram *program, const Execution *ex);

#endif
