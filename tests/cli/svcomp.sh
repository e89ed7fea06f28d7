#!/usr/bin/env bash
# tools/svcomp: which bugs violate a property, and when it does not say that one holds.
. "$(dirname "$0")/lib.sh"
runner=$(cd "$sources/../../../tools" && pwd)/svcomp
mkdir tasks

task() { # name property verdict, the program on standard input
    {
        echo '#include <assert.h>'
        echo '#include <pthread.h>'
        echo '#include <stdatomic.h>'
        echo '#include <stdlib.h>'
        echo 'extern int __VERIFIER_nondet_int(void);'
        echo 'void reach_error() { assert(0); }'
        cat
    } >"tasks/$1.c"
    printf '%s.yml\t%s\t%s\tbounded\n' "$1" "$2" "$3" >>list
}

bare() { # file: the program on standard input, without the error function
    {
        echo '#include <assert.h>'
        echo '#include <stdlib.h>'
        cat
    } >"tasks/$1"
}

# Verdicts that must be given.
task aborts valid-memsafety true <<<'int main() { if (__VERIFIER_nondet_int()) abort(); return 0; }'
task other_assertion unreach-call true <<<'int main() { assert(__VERIFIER_nondet_int()); return 0; }'
task inner valid-memsafety false <<<'int main() { int *p; { int x = 1; p = &x; } { int y = 2; *p = y; } return 0; }'
task blocks valid-memsafety true <<<'int main() { for (int i = 0; i < 2; i++) { int x = i, *p = &x; if (*p) goto out; } { int y = 2, *p = &y; *p = 3; } out: return 0; }'
task unset unreach-call false <<<'int main() { int x; if (x == 5) reach_error(); return 0; }'
task many_threads unreach-call false <<'C'
int shared;
void *look(void *argument) { if (shared == 3) reach_error(); return argument; }
int main() { pthread_t ids[10000]; for (int i = 0; i < 10000; i++) pthread_create(&ids[i], 0, look, 0); shared = 3; return 0; }
C
task sampled unreach-call false <<'C'
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int chosen, steps[10];
void *look(void *argument)
{
    for (int i = 0; i < 30; i++)
        if (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); steps[i % 10]++; pthread_mutex_unlock(&m); }
    if (chosen == 3) reach_error();
    return argument;
}
int main()
{
    pthread_t ids[10000];
    chosen = __VERIFIER_nondet_int();
    for (int i = 0; i < 10000; i++) pthread_create(&ids[i], 0, look, 0);
    return 0;
}
C
task before_global valid-memsafety false <<'C'
struct link { struct link *next; } heads[3];
struct element { long value; struct link link; };
int main()
{
    struct link *p;
    long sum = 0;
    for (int i = 0; i < 3; i++) heads[i].next = &heads[i];
    heads[2].next = &heads[0];
    for (p = heads[2].next; p != &heads[2] && p != p->next; p = p->next)
        ;
    sum += ((struct element *)((char *)p - sizeof(long)))->value;
    return sum == 7;
}
C
task no_arguments unreach-call true <<<'int main(int argc, char **argv) { return 0; }'
task quotient no-overflow false <<<'int main() { int d = __VERIFIER_nondet_int(); return d ? -2147483647 - 1 > 5 / d : (-2147483647 - 1) / (d - 1); }'
task undefined unreach-call false <<'C'
extern unsigned char low(int); extern short middle(void); extern long long high(void); extern void nothing(int);
int main() { nothing(1); if (low(1) == 255 && middle() == -300 && high() == 5000000000) reach_error(); return 0; }
C
task undefined_range unreach-call true <<<'extern unsigned char low(int); int main() { if (low(1) > 255) reach_error(); return 0; }'
# Very many classes, few states: two threads with 30 critical sections each. Not if memory may hold any value.
for first in true doubt; do
    task "sections_$first" unreach-call $first <<C
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;
void *add(void *unused)
{
    for (int i = 0; i < 30; i++) { pthread_mutex_lock(&m); sum++; pthread_mutex_unlock(&m); }
    return 0;
}
int main()
{
    $([ $first = true ] || echo 'int *any = malloc(sizeof *any);')
    pthread_t t, u;
    pthread_create(&t, 0, add, 0); pthread_create(&u, 0, add, 0); pthread_join(t, 0); pthread_join(u, 0);
    if (sum != 60) reach_error();
    return 0;
}
C
done
# Without the error function a failed assertion is the error; abort is none.
printf '%s.yml\tunreach-call\t%s\tbounded\n' asserts false asserts_nothing true has_error true other_error false broken false only_i false \
    types_of_32 doubt silent_error doubt >>list
bare asserts.c <<'C'
#include <pthread.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
C
bare asserts_nothing.c <<<'extern int __VERIFIER_nondet_int(void); int main() { if (__VERIFIER_nondet_int()) abort(); assert(1); return 0; }'
# The .i file is the program if the .c file lacks the error function, does not compile or is not there.
error='extern void abort(void); extern void __assert_fail(const char *, const char *, unsigned, const char *); void reach_error() { __assert_fail("0", "i", 1, "f"); } extern int __VERIFIER_nondet_int(void);'
bare has_error.c <<<'int main() { assert(0); return 0; }'
echo "$error int main() { if (0) reach_error(); return 0; }" >tasks/has_error.i
bare other_error.c <<<'int main() { return 0; }'
echo "$error int main() { if (__VERIFIER_nondet_int() == 7) { reach_error(); abort(); } return 0; }" >tasks/other_error.i
bare broken.c <<<'#include "no_such_header.h"'
cp tasks/other_error.i tasks/broken.i
cp tasks/other_error.i tasks/only_i.i
bare silent_error.c <<<'void reach_error() {} int main() { reach_error(); return 0; }'
echo "$error typedef union { char size[36]; } A; int pthread_attr_init(A *); A a; int after; int main() { pthread_attr_init(&a); if (after) reach_error(); return 0; }" \
    >tasks/types_of_32.i

# What nobody can be sure of.
task concretised unreach-call doubt <<<'extern float __VERIFIER_nondet_float(void); int main() { if (__VERIFIER_nondet_float() == 5) reach_error(); return 0; }'
task undefined_lock no-data-race doubt <<<'extern void spin_lock(int); int main() { spin_lock(1); return 0; }'
task undefined_writes unreach-call doubt <<<'extern void set(int *); int main() { int x = 1; set(&x); if (x != 1) reach_error(); return 0; }'
task undefined_unknown unreach-call doubt <<<'int main() { strange(1); return 0; }'
task undefined_assert unreach-call doubt <<<'extern void check_assertion(int); int main() { check_assertion(0); return 0; }'
task width no-overflow doubt <<<'int main() { long n = 2147483647; n++; return n == 3; }'
task outside unreach-call doubt <<<'int main() { if (rand() == 5) reach_error(); return 0; }'
task folded no-overflow doubt <<<'int main() { return 2147483647 + 1 == 5; }'
task label valid-memsafety doubt <<<'int main() { int *p = 0; for (int i = 0; i < 2; i++) { next:; int x = i; p = &x; if (x == 7) goto next; } return 0; }'
task literal valid-memsafety doubt <<<'int main() { int *p; { p = (int[]){1, 2}; } return *p == 2; }'
task jump valid-memsafety doubt <<<'#include <setjmp.h>
jmp_buf b; int main() { if (!setjmp(b)) { int x; longjmp(b, 1); } return 0; }'
task arguments unreach-call doubt <<<'int main(int n, char **v) { if (n == 5) reach_error(); return 0; }'
task weak no-data-race doubt <<'C'
int data;
atomic_int flag;
void *publish(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}
int main()
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        data = 2;
    return 0;
}
C
task misuse no-data-race doubt <<'C'
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main() { pthread_mutex_unlock(&m); return 0; }
C

run "$runner" "$sennit" list tasks 10
expect_code 0 'no verdict is wrong'
for name in aborts other_assertion inner blocks unset many_threads sampled before_global no_arguments sections_true quotient undefined undefined_range \
    asserts asserts_nothing has_error other_error broken only_i; do
    expect_text out "^right .* $name\\.yml" "$name"
done
for name in undefined_lock undefined_writes undefined_unknown undefined_assert width outside folded label literal jump arguments weak misuse \
    types_of_32 concretised silent_error sections_doubt; do
    expect_text out "^unknown .* $name\\.yml" "$name"
done
expect_text out '^\| all \| 19 \| 17 \| 0 \|' 'the table'
finish
