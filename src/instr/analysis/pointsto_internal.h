/* pointsto_internal.h - what the files of pointsto share
 *
 * pointsto.c computes the fixpoint; pointsto_context.c has functions and the contexts in which they are called;
 * pointsto_eval.c evaluates an instruction in a context; pointsto_call.c does so for calls: of the program, of the
 * library, of external code.
 */
#ifndef INSTR_ANALYSIS_POINTSTO_INTERNAL_H
#define INSTR_ANALYSIS_POINTSTO_INTERNAL_H

#include "instr/analysis/pointsto.h"

/* ---- pointsto_context.c ---- */

void pointsto_add_function(PointsTo *a, LLVMValueRef value);
void pointsto_destroy_function(Function *function);
/* NULL if the module does not define it. */
Function *pointsto_function(const PointsTo *a, LLVMValueRef value);
Context *pointsto_make_context(PointsTo *a, Function *function, Context *caller, LLVMValueRef call, uint32_t thread);
void pointsto_destroy_context(Context *context);
/* May an instruction be executed more than once in one call of the context? */
bool pointsto_is_repeated(const Context *context, LLVMValueRef instruction);
/* Another call path reaches the context: the threads of `with` run it too. */
void pointsto_share_context(PointsTo *a, Context *context, const Context *with);
/* The context of a function called there; created on first use. */
Context *pointsto_context_of_call(PointsTo *a, Context *caller, LLVMValueRef call, Function *function);

/* ---- pointsto_eval.c ---- */

/* Adds the possible results of an instruction to `result`. */
void pointsto_evaluate(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result);
/* The atoms of an operand; the caller releases them. */
AbsValue pointsto_operand(PointsTo *a, Context *context, LLVMValueRef instruction, unsigned number);
/* The object that an instruction allocates in a context. */
uint32_t pointsto_allocation(PointsTo *a, Context *context, LLVMValueRef instruction, ObjectKind kind);
void pointsto_add_address(AbsValue *value, uint32_t object);

/* ---- pointsto_call.c ---- */

void pointsto_call(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result);

#endif
