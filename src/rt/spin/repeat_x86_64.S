/* repeat_x86_64.S - the hook on back edges, see repeat.h */
#if defined(__x86_64__)
    .text
    /* sennit_rt_spin_repeat(site): repeat_iteration(site, the callee-saved registers). */
    .p2align 4
    .globl sennit_rt_spin_repeat
    .type sennit_rt_spin_repeat, @function
sennit_rt_spin_repeat:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, %rsi
    subq $8, %rsp
    call repeat_iteration
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size sennit_rt_spin_repeat, . - sennit_rt_spin_repeat
#endif
    .section .note.GNU-stack, "", %progbits
