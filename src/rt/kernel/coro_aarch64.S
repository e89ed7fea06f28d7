/* coro_aarch64.S - the context switch, see coro.h */
#if defined(__aarch64__)
    .text

    .macro LOAD_CONTEXT
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    br x30
    .endm

    .p2align 4
    .globl coro_switch
    .type coro_switch, %function
coro_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    LOAD_CONTEXT
    .size coro_switch, . - coro_switch

    .p2align 4
    .globl coro_jump
    .type coro_jump, %function
coro_jump:
    mov sp, x0
    LOAD_CONTEXT
    .size coro_jump, . - coro_jump

    .p2align 4
    .globl coro_start
    .type coro_start, %function
coro_start:
    mov x0, x20
    blr x19
    brk #0
    .size coro_start, . - coro_start
#endif
    .section .note.GNU-stack, "", %progbits
