/* api_refused.c - functions that are rejected whatever their arguments (rt/abi/refused.def) */
#include "rt/detect/bug.h"

_Noreturn void sennit_rt_refused(const char *name);

void sennit_rt_refused(const char *name) { report_not_modelled(name); }

/* The name in the first argument, in place of the caller's. */
#if defined __x86_64__
#define REFUSE "leaq 1f(%rip), %rdi\njmp sennit_rt_refused\n"
#else
#define REFUSE "adrp x0, 1f\nadd x0, x0, :lo12:1f\nb sennit_rt_refused\n"
#endif
#define REFUSED(name)                                                                                     \
    __asm__(".text\n.globl sennit_rt_" #name "\n.type sennit_rt_" #name ",%function\n"                    \
            "sennit_rt_" #name ":\n" REFUSE ".pushsection .rodata\n1: .asciz \"" #name "\"\n.popsection\n");
#include "rt/abi/refused.def"
