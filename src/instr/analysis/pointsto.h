/* pointsto.h - what the pointers of a whole program may point to, context by context
 *
 * A context is a function called along one path of calls; recursion, and programs with too many
 * contexts, share one. In each context every register has a set of atoms (absvalue.h); branches
 * whose condition is known are taken one way. Memory is common to all. Threads that one call of
 * pthread_create makes in one context are a class.
 */
#ifndef INSTR_ANALYSIS_POINTSTO_H
#define INSTR_ANALYSIS_POINTSTO_H

#include "base/map.h"
#include "instr/analysis/absmemory.h"
#include "instr/analysis/libcall.h"
#include "instr/module/cfg.h"
#include "instr/module/module.h"

typedef struct Function {
    LLVMValueRef value;
    Cfg *cfg;
    Map slots;             /* argument or instruction -> number                */
    uint32_t slot_count;
    bool *repeats;         /* by block: does it lie on a cycle?                */
    bool is_taken;         /* its address is more than called                  */
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
    bool shared;           /* several ways lead here                           */
    AbsValue *values;      /* by slot                                          */
    AbsValue result;
    bool *reached;         /* by block                                         */
    bool *forced;          /* by block: both ways are taken                    */
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
    AbsValue kept;         /* what threads keep under keys                     */
    bool changed;
    bool other_waits;      /* semaphores, barriers, conditions are used        */
    ValueList unfollowed;  /* instructions whose pointers are not followed     */
} PointsTo;

/* Analyses the program whose main the module has. The module must live as long. */
PointsTo *pointsto_create(Module *module);
void pointsto_destroy(PointsTo *analysis);

/* May the end of this block lead to that one? */
bool pointsto_goes_to(PointsTo *analysis, Context *context, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* Adds what an operand may be. */
void pointsto_read(PointsTo *analysis, Context *context, LLVMValueRef operand, AbsValue *value);
/* The function that a call names, NULL if it is called through a pointer. */
LLVMValueRef pointsto_called(LLVMValueRef call);

#endif
