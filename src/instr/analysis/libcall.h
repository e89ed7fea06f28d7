/* libcall.h - the roles of library functions in the analysis of lock orders (libcall.def) */
#ifndef INSTR_ANALYSIS_LIBCALL_H
#define INSTR_ANALYSIS_LIBCALL_H

#include <llvm-c/Core.h>
#include <stdint.h>

typedef enum LibRole {
    LIB_NONE,          /* code of the program, or external code                    */
    LIB_LOCK,          /* waits for the lock, then holds it                        */
    LIB_LOCK_READ,     /* the same, shared with other readers                      */
    LIB_TRY,           /* never blocks forever; holds it if the result is 0       */
    LIB_TRY_READ,
    LIB_UNLOCK,
    LIB_AWAIT,         /* releases the lock, waits, acquires it again              */
    LIB_CREATE,        /* starts a thread with the function                        */
    LIB_JOIN,
    LIB_END,           /* ends this thread                                         */
    LIB_ALLOCATE,
    LIB_ALLOCATE_ZERO,
    LIB_REALLOCATE,
    LIB_ALLOCATE_TO,   /* allocates; stores the address where the operand points   */
    LIB_COPY,
    LIB_FILL,
    LIB_GIVE_BACK,     /* returns its first argument                               */
    LIB_CALL,          /* calls the function once, other callers wait for that     */
    LIB_LATER,         /* runs code at a time that is not analysed                 */
    LIB_KEEP,          /* stores the pointer for a thread; RECALL returns it       */
    LIB_RECALL,
    LIB_SELF,
    LIB_OTHER_WAIT,    /* may wait, but not for a lock                             */
    LIB_HARMLESS       /* no effect on locks or pointers                           */
} LibRole;

/* The role of the function; `operand` gets the number of the argument that the role is about. A function that the
 * program defines itself has no role. */
LibRole libcall_role(LLVMValueRef function, unsigned *operand);

#endif
