/* language.c - what C can do: bit-fields, structures by value, varargs, jumps, pointers */
#include <complex.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bits { unsigned a : 3; signed b : 7; unsigned long c : 40; _Bool d : 1; };
struct small { char c; short s; };
struct large { int v[20]; struct bits b; };
union both { double d; unsigned char bytes[8]; };
struct flexible { int n; int items[]; };

static struct bits fields = {5, -3, 1ul << 35, 1};
static int counter(void) { static int n = 10; return n++; }
static struct small make_small(int x) { return (struct small){(char)x, (short)(x * 2)}; }
static struct large make_large(int x) { struct large l = {0}; for (int i = 0; i < 20; i++) l.v[i] = x * i; l.b = fields; return l; }
static int sum_large(struct large l) { int s = 0; for (int i = 0; i < 20; i++) s += l.v[i]; l.v[0] = 99; return s + l.b.b; }
static int change(struct large *l) { struct large copy = *l; copy.v[3] = -1; *l = copy; return l->v[3]; }

static double mixed(const char *types, ...)
{
    va_list list, again;
    double total = 0;
    va_start(list, types);
    va_copy(again, list);
    for (const char *t = types; *t; t++)
        total += *t == 'i' ? va_arg(list, int) : *t == 'd' ? va_arg(list, double) : *t == 'l' ? (double)va_arg(list, long)
                 : (double)va_arg(list, struct large).v[1];
    total += va_arg(again, int);
    va_end(list);
    va_end(again);
    return total;
}

static int goes(const char *program)
{
    static void *const labels[] = {&&add, &&twice, &&stop};
    int x = 1;
    goto *labels[*program++ - '0'];
add: x += 3; goto *labels[*program++ - '0'];
twice: x *= 2; goto *labels[*program++ - '0'];
stop: return x;
}

static jmp_buf env;
static int deep(int n) { if (n == 0) longjmp(env, 42); return deep(n - 1) + 1; }
static int jumps(void)
{
    volatile int tries = 0;
    int code = setjmp(env);
    tries++;
    if (code == 0)
        deep(5);
    return code * 10 + tries;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int fall(int x) { int r = 0; switch (x) { case 1: r++; /* fall through */ case 2: r += 10; break; case 3 ... 5: r = 7; break; default: r = -1; } return r; }
__attribute__((constructor)) static void early(void) { fields.a = 6; }
extern int weak_one(void) __attribute__((weak));
__attribute__((noinline)) static int vla(int n) { int a[n][n]; memset(a, 0, sizeof a); for (int i = 0; i < n; i++) a[i][i] = i; int s = 0; for (int i = 0; i < n * n; i++) s += ((int *)a)[i]; return s; }

int main(int argc, char **argv)
{
    fields.b += 2; fields.c |= 3; fields.d = 0;
    printf("%u %d %lu %d\n", fields.a, fields.b, (unsigned long)fields.c, fields.d);
    struct small s = make_small(300);
    struct large l = make_large(3), m = l;
    printf("%d %d %d %d %d\n", s.c, s.s, sum_large(l), change(&m), memcmp(&l, &m, sizeof l) != 0);
    printf("%g\n", mixed("idlL", 7, 2.5, 1000000000000L, l));
    printf("%d %d\n", goes("0101102"), goes("2"));
    printf("%d\n", jumps());
    int numbers[] = {5, 3, 9, 1};
    qsort(numbers, 4, sizeof *numbers, compare);
    int key = 9, *found = bsearch(&key, numbers, 4, sizeof *numbers, compare);
    printf("%d %d %ld\n", numbers[0], found ? *found : -1, fib(15));
    union both u = {.d = 1.5};
    struct flexible *f = malloc(sizeof *f + 3 * sizeof(int));
    f->n = 3; for (int i = 0; i < f->n; i++) f->items[i] = counter();
    printf("%d %d %d %d\n", u.bytes[7], f->items[2], fall(1) + fall(4), weak_one ? 1 : 0);
    free(f);
    double complex z = 1 + 2 * I; z *= z;
    long double q = 1.0L / 3;
    printf("%g %g %.15Lg %d\n", creal(z), cimag(z), q, vla(6));
    char text[64]; void *(*copy)(void *, const void *, size_t) = memcpy; copy(text, "copied", 7);
    int (*print)(const char *, ...) = printf; print("%s %zu\n", text, strlen(text));
    errno = 0; strtol("99999999999999999999", NULL, 10); printf("%d\n", errno == ERANGE);
    printf("%d %s\n", argc, argc > 1 ? argv[1] : "-");
    return 3;
}
