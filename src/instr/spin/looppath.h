/* looppath.h - the path through one iteration of a loop, if a single condition decides it */
#ifndef INSTR_SPIN_LOOPPATH_H
#define INSTR_SPIN_LOOPPATH_H

#include "instr/module/cfg.h"
#include "instr/module/condition.h"

/* Finds the one condition on which an iteration depends: if it holds, the iteration leaves the loop, else it returns
 * to the header. Every other branch must be determined by it. False if the loop is not of that kind. */
bool looppath_exit_condition(const Cfg *cfg, const NaturalLoop *loop, Condition *leaves);

#endif
