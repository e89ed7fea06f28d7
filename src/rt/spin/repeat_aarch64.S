/* repeat_aarch64.S - the hook on back edges, see repeat.h */
#if defined(__aarch64__)
    .text
    /* sennit_rt_spin_repeat(site): repeat_iteration(site, the callee-saved registers). */
    .p2align 4
    .globl sennit_rt_spin_repeat
    .type sennit_rt_spin_repeat, %function
sennit_rt_spin_repeat:
    stp x29, x30, [sp, #-160]!
    mov x29, sp
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x1, sp
    bl repeat_iteration
    ldp x29, x30, [sp], #160
    ret
    .size sennit_rt_spin_repeat, . - sennit_rt_spin_repeat
#endif
    .section .note.GNU-stack, "", %progbits
