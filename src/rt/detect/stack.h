/* stack.h - call stacks of waits and findings, recorded in verbose executions only
 *
 * Recorded stacks live until the next execution, in memory that the process that forked this
 * one can read: reports are made there too if this one dies.
 */
#ifndef RT_DETECT_STACK_H
#define RT_DETECT_STACK_H

#include "core/execution.h"

void stack_init(void);
void stack_reset(void);

/* Records the call stack of the running thread for the operation it is about to wait with. */
void stack_record_wait(AgentId agent);
/* The same for the nth place of a finding. Does nothing unless verbose. */
void stack_record_finding(const Finding *finding, uint32_t nth);
/* The same for a crash, from its registers. */
void stack_record_crash(const Finding *finding, uint64_t pc, uint64_t sp, uint64_t frame);
/* The same for a plain access, to be copied if it turns out to be the other side of a race. */
void stack_record_access(AgentId agent, uint32_t clock, uint64_t word);
void stack_copy_access(const Finding *finding, uint32_t nth, AgentId agent, uint32_t clock, uint64_t word);

/* Is this code of the runtime? */
bool stack_is_runtime(uint64_t pc);
struct Thread;

/* Where the frames end of the functions of the program that a thread is in, which is not running; lower addresses
 * belong to the runtime, or to functions that have returned. 0 if that is unknown. */
uint64_t stack_end_of_program(const struct Thread *thread);

/* ---- For reports ----------------------------------------------------------------- */

typedef struct StackFrame {
    uint64_t address;    /* return address (the place of the call is just before it)       */
    char function[96];   /* "" if unknown                                                  */
} StackFrame;

/* The call stack of the operation that an agent waited with last, innermost frame first: for a
 * blocked agent, where it is. Returns how many frames were written, at most `max`; 0 if none
 * was recorded. */
uint32_t stack_of_wait(AgentId agent, StackFrame *frames, uint32_t max);
/* The same for the nth place of a finding, e.g. both sides of a data race. */
uint32_t stack_of_finding(uint32_t finding, uint32_t nth, StackFrame *frames, uint32_t max);

#endif
