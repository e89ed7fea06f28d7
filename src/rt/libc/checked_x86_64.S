/* checked_x86_64.S - a call of a library function whose accesses are announced, see checked.h
 *
 * r10: its row, r11: its address. The frame is a CheckedCall. The first words of the caller's arguments in memory are
 * passed on: no function in the table has more.
 */
#if defined(__x86_64__)
    .text

#define ARG(n) 8 * n(%rsp)
#define ROW 64(%rsp)
#define FUNCTION 72(%rsp)
#define RESULT(n) 80 + 8 * n(%rsp)
#define VECTOR(n) 112 + 16 * n(%rsp)
#define LONG_DOUBLE 240(%rsp)
#define FRAME 304
#define MEMORY_WORDS 6

    .p2align 4
    .globl sennit_rt_checked
    .type sennit_rt_checked, @function
sennit_rt_checked:
    .cfi_startproc
    testq %r10, %r10
    jne 1f
    jmp *%r11
1:  pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $FRAME, %rsp
    movq %rdi, ARG(0)
    movq %rsi, ARG(1)
    movq %rdx, ARG(2)
    movq %rcx, ARG(3)
    movq %r8, ARG(4)
    movq %r9, ARG(5)
    movq %r10, ROW
    movq %r11, FUNCTION
    movaps %xmm0, VECTOR(0)
    movaps %xmm1, VECTOR(1)
    movaps %xmm2, VECTOR(2)
    movaps %xmm3, VECTOR(3)
    movaps %xmm4, VECTOR(4)
    movaps %xmm5, VECTOR(5)
    movaps %xmm6, VECTOR(6)
    movaps %xmm7, VECTOR(7)
    movq %rsp, %rdi
    call checked_before
    movq ARG(0), %rdi
    movq ARG(1), %rsi
    movq ARG(2), %rdx
    movq ARG(3), %rcx
    movq ARG(4), %r8
    movq ARG(5), %r9
    movq FUNCTION, %r11
    movaps VECTOR(0), %xmm0
    movaps VECTOR(1), %xmm1
    movaps VECTOR(2), %xmm2
    movaps VECTOR(3), %xmm3
    movaps VECTOR(4), %xmm4
    movaps VECTOR(5), %xmm5
    movaps VECTOR(6), %xmm6
    movaps VECTOR(7), %xmm7
    pushq 56(%rbp)
    pushq 48(%rbp)
    pushq 40(%rbp)
    pushq 32(%rbp)
    pushq 24(%rbp)
    pushq 16(%rbp)
    call *%r11
    addq $(8 * MEMORY_WORDS), %rsp
    movq %rax, RESULT(0)
    movq %rdx, RESULT(1)
    movaps %xmm0, VECTOR(0)
    movaps %xmm1, VECTOR(1)
    movq ROW, %rax
    cmpb $0, (%rax)
    je 2f
    fstpt LONG_DOUBLE
2:  movq %rsp, %rdi
    call checked_after
    movq ROW, %rax
    cmpb $0, (%rax)
    je 3f
    fldt LONG_DOUBLE
3:  movq RESULT(0), %rax
    movq RESULT(1), %rdx
    movaps VECTOR(0), %xmm0
    movaps VECTOR(1), %xmm1
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size sennit_rt_checked, . - sennit_rt_checked
#endif
    .section .note.GNU-stack, "", %progbits
