#!/usr/bin/env bash
# Solving: which queries reach the solver, what stays unknown, where its queries are written.
. "$(dirname "$0")/lib.sh"

json() { # expression: evaluated on run.json of the last run
    jq -e "$1" sennit-last/run.json >/dev/null || complain "run.json: not $1"
}

cat >sort.c <<'C'
#include <sennit/sennit.h>
int main(void)
{
    int a[5];
    for (int i = 0; i < 5; i++)
        a[i] = sennit_int("a");
    for (int end = 4; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
    for (int i = 0; i < 4; i++)
        sennit_assert(a[i] <= a[i + 1]);
    return 0;
}
C
run "$sennit" test sort.c
expect_code 0 'bubble sort'
json '.verdict == "exhaustive" and .executions == 120 and .redundant == 0'
json '.solver | .executions_with_inputs == 120 and .unknown == 0 and .z3_queries * 10 <= .questions'
json '[.solver.layers[] | .name] | index("slice") == 0'

cat >product.c <<'C'
#include <sennit/sennit.h>
int main(void)
{
    int x = sennit_int("x"), y = sennit_int("y");
    if (x * y == 391 && x > 1 && y > 1 && y > x + 5)
        return 0;
    return 0;
}
C
run "$sennit" test product.c --smtlib queries
expect_code 0 'a product'
json '.verdict == "exhaustive" and .solver.unknown == 0 and .solver.z3_queries > 0'
[ "$(ls queries/*.smt2 | wc -l)" = "$(jq .solver.z3_queries sennit-last/run.json)" ] || complain 'a file per query'
for query in queries/*.smt2; do
    grep -q '^(check-sat)$' "$query" && grep -qE '^; (sat|unsat)$' "$query" || complain "$query is incomplete"
done

touch file
run "$sennit" test product.c --smtlib file
expect_code 2 '--smtlib FILE'
expect_text err 'smtlib.*file' '--smtlib FILE'

# The product of two primes of 30 bits: not within a tenth of a second.
cat >hard.c <<'C'
#include <sennit/sennit.h>
int main(void)
{
    unsigned long x = (unsigned)sennit_int("x"), y = (unsigned)sennit_int("y");
    if (x > 1 && y > 1 && x * y == 1073741789ul * 1073741783ul)
        return 0;
    return 0;
}
C
run "$sennit" test hard.c --solver-time=0.1s
expect_code 0 'undecided'
expect_text out 'exhaustive within bounds: .*what the solver could not decide was left out \(hit 1 time\)' 'undecided'
json '.verdict == "bounded" and .solver.unknown == 1'

run env SENNIT_OPTIONS="--solver=/nowhere/sennit-solver" "$(realpath sennit-last)/hard"
expect_code 2 'no solver'
expect_text out 'the solver /nowhere/sennit-solver cannot be run' 'no solver'
finish
