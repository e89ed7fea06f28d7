/* flow.h - the control flow of intermediate code, for analyses */
#ifndef DEADLOCK_FLOW_H
#define DEADLOCK_FLOW_H

#include "abs/lower/ir.h"

enum { FLOW_MOST_NEXT = 2 };

/* Instructions that may follow without an exception; answers how many. */
uint32_t flow_next(const Code *code, uint32_t at, uint32_t next[FLOW_MOST_NEXT]);
/* The handler of exceptions thrown at an instruction, or NULL. */
const TryRegion *flow_handler(const Code *code, uint32_t at);
/* May the instruction be executed twice in one activation? */
bool flow_repeats(const Code *code, uint32_t at);
/* Does the instruction define register `a`? */
bool flow_defines(const Instr *instr);
/* May the instruction throw regardless of the objects and futures involved? */
bool flow_may_throw(const Instr *instr);

#endif
