/* musttail.c - calls that must be tail calls */
#include <stdio.h>

static int odd(int n);

static int even(int n)
{
    if (n == 0)
        return 1;
    __attribute__((musttail)) return odd(n - 1);
}

static int odd(int n)
{
    if (n == 0)
        return 0;
    __attribute__((musttail)) return even(n - 1);
}

/* An interpreter whose instructions call the next one. */
typedef int Instruction(int *stack, const char *code);
static Instruction push, add, stop;

static Instruction *next(const char *code) { return *code == '+' ? add : *code ? push : stop; }

static int push(int *stack, const char *code)
{
    *stack = *code - '0';
    __attribute__((musttail)) return next(code + 1)(stack + 1, code + 1);
}

static int add(int *stack, const char *code)
{
    stack[-2] += stack[-1];
    __attribute__((musttail)) return next(code + 1)(stack - 1, code + 1);
}

static int stop(int *stack, const char *code)
{
    (void)code;
    return stack[-1];
}

static int print(const char *text) { __attribute__((musttail)) return puts(text); }

int main(void)
{
    int stack[8];
    print("tail calls");
    printf("%d %d %d\n", even(2000), odd(2000), push(stack, "12+34++"));
    return 0;
}
