/* coro_x86_64.S - the context switch, see coro.h */
#if defined(__x86_64__)
    .text

/* The jump through a register instead of `ret` spares the processor a wrong guess:
 * its stack of return addresses belongs to the coroutine we leave. */
    .macro LOAD_CONTEXT
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
    .endm

    .p2align 4
    .globl coro_switch
    .type coro_switch, @function
coro_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    LOAD_CONTEXT
    .size coro_switch, . - coro_switch

    .p2align 4
    .globl coro_jump
    .type coro_jump, @function
coro_jump:
    movq %rdi, %rsp
    LOAD_CONTEXT
    .size coro_jump, . - coro_jump

    .p2align 4
    .globl coro_start
    .type coro_start, @function
coro_start:
    movq %r12, %rdi
    call *%rbx
    ud2
    .size coro_start, . - coro_start
#endif
    .section .note.GNU-stack, "", %progbits
