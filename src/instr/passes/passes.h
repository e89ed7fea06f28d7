/* passes.h - what is done to a module, one function per concern
 *
 * The order matters; instrument.c shows it.
 */
#ifndef INSTR_PASSES_PASSES_H
#define INSTR_PASSES_PASSES_H

#include "instr/module/module.h"

/* Warns about assembly, which the scheduler cannot see into. */
void pass_asm(Module *m);
/* Puts small functions that a waiting loop calls into the loop. */
bool pass_inline(Module *m, Error *error);
/* In a program compiled for debugging: frees functions with waiting loops for analysis. */
void pass_debug(Module *m);
/* Makes blocks of the heap of local variables that end before their function does, and of those whose
 * address leaves the function. */
void pass_inner(Module *m);
void pass_scope(Module *m);
/* Puts a hook before each plain load, store and copy of memory that is not private. */
void pass_memory(Module *m);
/* Turns loops that only wait for other threads into waits. */
void pass_spin(Module *m);
/* Marks variables that have no value, before they become registers and before structures dissolve,
 * then makes inputs of those that are looked at. */
void pass_unset_registers(Module *m);
void pass_unset_words(Module *m);
void pass_unset(Module *m);
/* Counts the rounds of loops, for a bound on them. */
void pass_unroll(Module *m);
/* Replaces atomic instructions and the __atomic_* library calls by hooks. */
void pass_atomic(Module *m);
/* Redirects library calls to the runtime's models, notes what stays opaque. */
void pass_call(Module *m);
/* Offers the module's own functions of modelled names under the names of the models. */
void pass_offer(Module *m);
/* Encloses functions named __VERIFIER_atomic_* in an atomic section. */
void pass_section(Module *m);
/* Notes whether the module asks for inputs. */
void pass_inputs(Module *m);
/* Input functions that are not known get a body that says so. Last: the module's code is to see them
 * as foreign. */
void pass_unknown_inputs(Module *m);
/* Doubles every function: one version follows values, the other does not. */
bool pass_versions(Module *m, Error *error);
/* Lets the code follow values that depend on inputs (shadow.h). */
void pass_shadow(Module *m);
/* Looks at divisors before each division that could trap; after the decisions that inputs take. */
void pass_divide(Module *m);
/* Renames main to sennit_user_main. */
void pass_main(Module *m);
/* Lists the program's globals for the runtime, and the functions defined here. Answers the
 * globals, constants among them. */
ValueList pass_globals(Module *m);
/* Leaves gaps behind arrays: among these globals, and on the stack. */
void pass_guard(Module *m, const ValueList *globals);
/* The gap that a global is going to have, 0 for none. */
uint64_t guard_gap_of_global(const Module *m, LLVMValueRef global);

#endif
