/* checked_aarch64.S - a call of a library function whose accesses are announced, see checked.h
 *
 * x9: its row, x10: its address. The frame is a CheckedCall. No function in the table has arguments in memory.
 */
#if defined(__aarch64__)
    .text

#define ROW_AND_FUNCTION 64
#define RESULT 80
#define INDIRECT 96
#define VECTORS 112
#define FRAME 304

    .p2align 4
    .globl sennit_rt_checked
    .type sennit_rt_checked, %function
sennit_rt_checked:
    .cfi_startproc
    cbnz x9, 1f
    br x10
1:  stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    .cfi_def_cfa_register x29
    sub sp, sp, #FRAME
    stp x0, x1, [sp, #0]
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    stp x9, x10, [sp, #ROW_AND_FUNCTION]
    str x8, [sp, #INDIRECT]
    stp q0, q1, [sp, #VECTORS]
    stp q2, q3, [sp, #VECTORS + 32]
    stp q4, q5, [sp, #VECTORS + 64]
    stp q6, q7, [sp, #VECTORS + 96]
    mov x0, sp
    bl checked_before
    ldp x0, x1, [sp, #0]
    ldp x2, x3, [sp, #16]
    ldp x4, x5, [sp, #32]
    ldp x6, x7, [sp, #48]
    ldp x9, x10, [sp, #ROW_AND_FUNCTION]
    ldr x8, [sp, #INDIRECT]
    ldp q0, q1, [sp, #VECTORS]
    ldp q2, q3, [sp, #VECTORS + 32]
    ldp q4, q5, [sp, #VECTORS + 64]
    ldp q6, q7, [sp, #VECTORS + 96]
    blr x10
    stp x0, x1, [sp, #RESULT]
    stp q0, q1, [sp, #VECTORS]
    stp q2, q3, [sp, #VECTORS + 32]
    mov x0, sp
    bl checked_after
    ldp x0, x1, [sp, #RESULT]
    ldp q0, q1, [sp, #VECTORS]
    ldp q2, q3, [sp, #VECTORS + 32]
    mov sp, x29
    ldp x29, x30, [sp], #16
    .cfi_def_cfa sp, 0
    ret
    .cfi_endproc
    .size sennit_rt_checked, . - sennit_rt_checked
#endif
    .section .note.GNU-stack, "", %progbits
