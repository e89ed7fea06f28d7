/* state_c.h - the state of a C program: all that its continuations depend on
 *
 * Memory (globals, the heap, the program's part of each stack), what threads and actors wait in and with, messages on
 * their way, budgets. What has no known state is refused: calls of functions that keep state in the runtime, and
 * threads that wait in a function without FRAME_ENTER. (ACT-12 and docs/design/exploration.md)
 */
#ifndef RT_PROGRAM_STATE_C_H
#define RT_PROGRAM_STATE_C_H

#include "base/error.h"
#include "core/program.h"

/* Does the program call only functions that keep no state, or a known one? */
bool state_c_check(Error *error);

/* ProgramOps */
void state_c_fingerprint(Program *self, Fingerprint *state);
uint64_t state_c_alias(Program *self, AgentId agent);
AgentId state_c_local(Program *self);
uint64_t state_c_open(Program *self);
bool state_c_idle(Program *self, uint32_t since);

#endif
