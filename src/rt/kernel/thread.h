/* thread.h - threads of the program: their creation, their stacks and their end */
#ifndef RT_KERNEL_THREAD_H
#define RT_KERNEL_THREAD_H

#include "base/error.h"
#include "core/execution.h"
#include "rt/kernel/image.h"

typedef struct Thread Thread;

/* ---- The running thread ------------------------------------------------------ */

AgentId thread_self(void);
/* The owner of what it acquires: itself or, while it handles a message, the receiving actor. */
AgentId thread_strand(void);
/* True while program code runs under the explorer; otherwise modelled functions call the
 * real ones. */
bool thread_inside(void);

/* Creates a thread that will run body(argument), which never returns. No scheduling point:
 * the child's creator_step is the step being executed, and its first code runs when the
 * creator comes to its next step, so there is time to fill thread_slot(child) first.
 * Numbers are interned by (creator, nth child). `start` names the thread in reports (its
 * start routine). AGENT_NONE if there are too many. */
AgentId thread_spawn(void (*body)(void *argument), void *argument, const void *start);
/* A thread at the same place of a copy of the process, which process_copy makes; NULL if there are too many. */
Thread *thread_fork(void);
/* Ends the current thread. Its OP_EXIT step, if any, was made before; without one the thread
 * ended the process (exit, return from main), and threads that wait for it are not deadlocked. */
_Noreturn void thread_stop(void);
/* The same where threads that wait may be deadlocked: nothing is unknown about what it would have done. */
_Noreturn void thread_leave(void);
/* Stops the current thread because of a bug: it has not terminated by itself. */
_Noreturn void thread_halt(void);
/* The same because it met a limit. */
_Noreturn void thread_cut(CutKind limit);
/* Was an agent stopped, or does a limit keep one waiting? What it would have done is unknown: that others wait, or that
 * nothing else happens, says nothing about the program. (CUT-3) */
bool thread_end_unknown(void);
/* The same because its newest steps were in vain: the execution is abandoned (SPIN-22). */
_Noreturn void thread_stop_detour(void);
/* The same because an assumption failed: counts in ex->assumed_away. */
_Noreturn void thread_stop_assumed(void);

/* Where lifetime.c keeps its record of a thread; NULL when an execution begins.
 * Any number below thread_count. */
void **thread_slot(AgentId agent);
/* Number of agents known in this execution. */
uint32_t thread_count(void);

/* ---- For agents that are not threads ------------------------------------------- */

/* Once per process, before the first execution. */
bool thread_init(Error *error);
/* Numbers the next child of the running thread, as named relative to `namer`; AGENT_NONE if
 * there are too many. */
AgentId thread_number_child(Thread *namer);
/* The record of a new agent without code of its own. */
Thread *thread_register(AgentId agent, AgentId creator);
/* A context on the agent's own stack that begins with entry(argument). */
void *thread_context(AgentId agent, void (*entry)(void *), void *argument);
/* For an image of the execution, while all threads wait: the threads and their stacks. */
void thread_save(RtImage *image);
/* The stack of one that waits. */
void thread_save_stack(const Thread *thread, RtImage *image);
/* Before its first step, where states are compared: nothing of earlier executions remains on the stack. */
void thread_clear_stack(AgentId agent);
/* Before its first step: the program gives the thread a stack of this size (0: the usual one). It may use more of it,
 * since its frames are larger than in the program, and never less than the usual 8 MB. */
void thread_size_stack(AgentId agent, uint64_t size);
/* The size of the agent's stack in the program. */
uint64_t thread_stack_size(AgentId agent);
/* The registers of a thread that has been interrupted. */
typedef struct StackPlace {
    uint64_t pc, sp, frame;
} StackPlace;

/* After a fault at the address: if the running thread has used up the program's stack, it may continue on more of ours,
 * which is noted: whether the program itself would overflow its stack is unknown. False if it certainly would. */
bool thread_extend_stack(uint64_t address, const StackPlace *place);
/* The thread comes to a step, in this frame, after its stack was extended: is it certain now that the program's would
 * have overflowed? */
void thread_check_depth(const void *frame);
/* Does the address lie below what a thread may use of its stack? Where the limit is ours, because the program's is
 * larger than any stack here, this ends the process: not modelled. */
bool thread_overflows(uint64_t address);
/* How far the place in its stack lies from the top. */
uint64_t thread_stack_depth(const Thread *thread, const void *place);
/* The running thread compares its stack down to this depth with what it was or will be. If that was not cleared before
 * its first code, the execution begins again, and all stacks are from now on. (SPIN-19) */
void thread_need_clear(uint64_t depth);
/* Makes agent 0 for a new execution, or a child; does not run it. */
Thread *thread_make(AgentId agent, AgentId creator, void (*body)(void *), void *argument);

#endif
