/* passes.h - the passes over a module, one function each
 *
 * The order matters; instrument.c shows it.
 */
#ifndef INSTR_PASSES_PASSES_H
#define INSTR_PASSES_PASSES_H

#include "instr/module/module.h"

/* Turns calls that must be tail calls into calls that may be. */
void pass_tail(Module *m);
/* Compares and sets the values of atomic objects with padding, not their padding. */
void pass_padding(Module *m);
/* Gives functions copies of structures that they are passed in the caller's frame. */
void pass_byval(Module *m);
/* Replaces what identifies a thread: the thread pointer and the address of errno. */
void pass_identity(Module *m);
/* Turns intrinsics of processors into accesses and calls that other passes know. */
bool pass_intrinsic(Module *m, Error *error);
/* Marks the others that may access shared memory; after spin loops are recognised. */
void pass_intrinsic_marks(Module *m);
/* Translates assembly (lift.h). */
void pass_asm(Module *m);
/* Marks what may access shared memory and is not translated; after spin loops are recognised. */
void pass_asm_marks(Module *m);
/* Inlines small functions called in spin loops. */
bool pass_inline(Module *m, Error *error);
/* In a program compiled for debugging: makes functions with spin loops analysable. */
void pass_debug(Module *m);
/* Turns local variables of inner scopes whose address escapes into heap blocks (scope.h). */
void pass_inner(Module *m);
/* The same for all other local variables, after mem2reg has turned the rest into registers. */
void pass_scope(Module *m);
/* Inserts a hook before each plain load, store and copy of memory that is not private. */
void pass_memory(Module *m);
/* Turns functions that end with a call of themselves into loops, unless they are compiled for debugging. */
bool pass_recursion(Module *m, Error *error);
/* Turns spin loops into blocking waits. */
void pass_spin(Module *m);
/* Mark uninitialised variables, before they become registers and before structures are split; then make symbolic
 * inputs of those that are read. */
void pass_uninit_registers(Module *m);
void pass_uninit_words(Module *m);
void pass_uninit(Module *m);
/* Counts the iterations of loops, for a bound on them. */
void pass_unroll(Module *m);
/* Replaces atomic instructions and the __atomic_* library calls by hooks. */
void pass_atomic(Module *m);
/* Before pass_call: marks programs that ask which thread of a barrier's round is the serial one. */
void pass_serial(Module *m);
/* Redirects calls of modelled library functions to the runtime, lists opaque functions. */
void pass_call(Module *m);
/* Makes the module's own functions with modelled names available under the names of the runtime's functions. */
void pass_offer(Module *m);
/* Tells the runtime where setjmp is called. */
void pass_jump(Module *m);
/* Encloses functions named __VERIFIER_atomic_* in an atomic section. */
void pass_section(Module *m);
/* Before pass_noise, which refers to functions too: notes the functions of other files whose address is taken. */
void pass_taken(Module *m);
/* Before pass_call: marks calls whose effects no hook and no step shows. */
void pass_noise(Module *m);
/* Puts functions with one version into a section of their own, by which pass_noise recognises them. */
void pass_place(Module *m);
/* Records whether the module requests symbolic inputs. */
void pass_inputs(Module *m);
/* Gives unknown input functions a body that reports them. Last, so that earlier passes treat them as external. */
void pass_unknown_inputs(Module *m);
/* Doubles every function: a tracked and a plain version. */
bool pass_versions(Module *m, Error *error);
/* Last: lets code be generated for functions with two versions without optimising them. Tracked ones consist of calls;
 * plain ones run only before main where the program has inputs. */
void pass_versions_cheap(Module *m);
/* For searches that recognise states: calls that may wait find nothing in registers, and the runtime their frames.
 * After all hooks are there. */
void pass_states(Module *m);
/* Adds the code that tracks symbolic values (shadow.h). */
void pass_shadow(Module *m);
/* Inserts checks of divisors before each division that could trap; after pass_shadow, so that decisions on symbolic
 * divisors come first. */
void pass_divide(Module *m);
/* Renames main to sennit_user_main. */
void pass_main(Module *m);
/* Lists the module's globals and functions for the runtime. Answers the globals, including constants; the caller
 * frees the list. */
ValueList pass_globals(Module *m);
/* Adds red zones behind these globals, and behind arrays on the stack. */
void pass_guard(Module *m, const ValueList *globals);
/* Adds a variable whose red zone will be in front of the first global that `counts`, zero or not. */
void pass_guard_fence(Module *m, bool (*counts)(LLVMValueRef global));
/* The size of the red zone that a global will have, 0 for none, as in the runtime's own library. */
uint64_t pass_guard_red_zone(const Module *m, LLVMValueRef global);

#endif
