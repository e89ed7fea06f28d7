/* looppath.h - the way through one round of a loop, if a single condition decides it */
#ifndef INSTR_SPIN_LOOPPATH_H
#define INSTR_SPIN_LOOPPATH_H

#include "instr/module/cfg.h"
#include "instr/module/condition.h"

/* Finds the one condition on which the loop's rounds depend: if it holds, the round leaves
 * the loop, else it comes back to the header. Every other branch must follow from it.
 * False if the loop is not of that kind. */
bool looppath_exit_condition(const Cfg *cfg, const NaturalLoop *loop, Condition *leaves);

#endif
