/* pointsto.h - context-sensitive points-to analysis of a whole program
 *
 * A context is a function reached by one call path; recursive functions, and all functions if there are too many
 * contexts, share one. In each context every register has a set of atoms (abstract_value.h); of a branch whose
 * condition is constant only one successor is taken. Memory is common to all contexts. The threads that one call of
 * pthread_create creates in one context are a class.
 */
#ifndef INSTR_ANALYSIS_POINTSTO_H
#define INSTR_ANALYSIS_POINTSTO_H

#include "base/map.h"
#include "instr/analysis/abstract_memory.h"
#include "instr/analysis/libcall.h"
#include "instr/module/cfg.h"
#include "instr/module/module.h"

typedef struct Function {
    LLVMValueRef value;
    Cfg *cfg;
    Map slots;             /* argument or instruction -> number                */
    uint32_t slot_count;
    bool *repeats;         /* by block: is it on a cycle?                      */
    bool is_taken;         /* its address is taken                             */
} Function;

typedef struct Context Context;

typedef struct Callee {
    LLVMValueRef call;
    Context *context;
} Callee;

struct Context {
    Function *function;
    Context *caller;       /* NULL: the first function of a thread             */
    LLVMValueRef call;     /* in the caller                                    */
    uint32_t number;
    uint32_t thread;       /* class that runs it; if shared, the first of them */
    bool single;           /* an execution enters it at most once              */
    bool shared;           /* entered by several call paths                    */
    AbsValue *values;      /* by slot                                          */
    AbsValue result;
    bool *reached;         /* by block                                         */
    bool *forced;          /* by block: both successors are taken              */
    VEC(Callee) callees;
    VEC(uint32_t) threads; /* classes that run it                              */
};

typedef struct ThreadClass {
    Context *creator;      /* NULL: main                                       */
    LLVMValueRef call;
    Context *root;
    bool single;
    uint32_t object;       /* its handle                                       */
} ThreadClass;

typedef struct PointsTo {
    Module *module;
    AbsMemory memory;
    Map functions;         /* LLVM function -> Function                        */
    VEC(Function *) function_list;
    VEC(Context *) contexts;
    VEC(ThreadClass) threads; /* the first one is main's                       */
    Map globals;           /* LLVM global or function -> object                */
    Map constants;         /* LLVM constant -> AbsValue                        */
    Map allocations;       /* context and instruction -> object                */
    Map shared;            /* LLVM function -> its shared context              */
    AbsValue kept;         /* thread-specific data                             */
    bool changed;
    bool other_waits;      /* there may be waits for other things than locks and threads */
    ValueList unresolved;  /* instructions whose pointers are unknown          */
} PointsTo;

/* Analyses the program whose main the module defines. The module must outlive the result, which the caller destroys. */
PointsTo *pointsto_create(Module *module);
void pointsto_destroy(PointsTo *analysis);

/* May control flow from this block to that one? */
bool pointsto_goes_to(PointsTo *analysis, Context *context, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* Adds the atoms of an operand. */
void pointsto_read(PointsTo *analysis, Context *context, LLVMValueRef operand, AbsValue *value);
/* The function that is called directly, NULL for a call through a pointer. */
LLVMValueRef pointsto_called(LLVMValueRef call);

#endif
