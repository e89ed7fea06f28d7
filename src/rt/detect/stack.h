/* stack.h - call stacks of steps and findings, recorded on demand */
#ifndef RT_DETECT_STACK_H
#define RT_DETECT_STACK_H

#include "rt/kernel/runtime.h"

/* Remembers the call stack of the running thread for an event of the execution. */
void stack_record_event(uint32_t event);
/* The same for the operation that it is about to wait with. */
void stack_record_wait(AgentId agent);
/* The same for the nth place of a finding. Does nothing unless verbose. */
void stack_record_finding(const Finding *finding, uint32_t nth);
/* The same for a crash, from its registers. */
void stack_record_crash(const Finding *finding, uint64_t pc, uint64_t sp, uint64_t frame);
/* Call stacks of plain accesses, for the other side of a race (verbose only). */
void stack_record_access(AgentId agent, uint32_t clock, uint64_t word);
void stack_copy_access(const Finding *finding, uint32_t nth, AgentId agent, uint32_t clock, uint64_t word);
void stack_init(void);
void stack_reset(void);

#endif
