/* libcall.h - which library function a call means to the analysis of lock orders (libcall.def) */
#ifndef INSTR_ANALYSIS_LIBCALL_H
#define INSTR_ANALYSIS_LIBCALL_H

#include <llvm-c/Core.h>
#include <stdint.h>

typedef enum LibRole {
    LIB_NONE,          /* code of the program, or code that is not there           */
    LIB_LOCK,          /* waits for the lock, then holds it                        */
    LIB_LOCK_READ,     /* the same together with other readers                     */
    LIB_TRY,           /* never waits for good; holds it if the result is 0        */
    LIB_TRY_READ,
    LIB_UNLOCK,
    LIB_AWAIT,         /* gives the lock back, waits, takes it again               */
    LIB_CREATE,        /* a thread begins with the function                        */
    LIB_JOIN,
    LIB_END,           /* this thread ends                                         */
    LIB_ALLOCATE,
    LIB_ALLOCATE_ZERO,
    LIB_REALLOCATE,
    LIB_ALLOCATE_TO,   /* stores the address where the operand points              */
    LIB_COPY,
    LIB_FILL,
    LIB_GIVE_BACK,     /* gives its first argument back                            */
    LIB_CALL,          /* calls the function once, others wait for that            */
    LIB_LATER,         /* something happens at a time that is not followed         */
    LIB_KEEP,          /* keeps the pointer for a thread; RECALL gives it back     */
    LIB_RECALL,
    LIB_SELF,
    LIB_OTHER_WAIT,    /* may wait, but not for a lock                             */
    LIB_HARMLESS       /* nothing to us                                            */
} LibRole;

/* What a call of the function means; `operand` gets the number of the argument it is about. A
 * function that the program defines itself has no role. */
LibRole libcall_role(LLVMValueRef function, unsigned *operand);

#endif
