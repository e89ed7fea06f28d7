/* concrete.h - symbolic searches against enumeration with plain inputs */
#ifndef ORACLE_CONCRETE_H
#define ORACLE_CONCRETE_H

#include "abs/program/program_abs.h"

/* For some values of the model's inputs: the executions of the reduced search that these
 * inputs belong to must have, with plain values, exactly the outcomes that enumeration with
 * plain values finds. Answers what is wrong, or NULL. */
const char *concrete_check(AbsProgram *program, AwaitMode await, uint64_t seed);

#endif
