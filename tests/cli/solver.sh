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
expect_text out 'exhaustive within bounds: .*queries that the solver could not decide \(hit 1 time\)' 'undecided'
json '.verdict == "bounded" and .solver.unknown == 1'

run env SENNIT_OPTIONS="--solver=/nowhere/sennit-solver" "$(realpath sennit-last)/hard"
expect_code 2 'no solver'
expect_text out 'cannot run the solver /nowhere/sennit-solver' 'no solver'

# Inputs that were found cannot be found again: the worker that found them dies in a crash, and the
# solver of the next one does not start. What needs them is left out, 14 - 9 executions, and the
# search goes on. Processes of their own get the inputs from the one that found them.
cat >lost.c <<'C'
#include <sennit/sennit.h>
int main(void)
{
    unsigned x = sennit_uint("x"), y = sennit_uint("y");
    int product = x * y == 391 && x > 1 && y > 1 && y > x + 5, z = sennit_int("z");
    if (product)
        return z == 3;
    if (z == 1)
        *(volatile int *)8 = 0;
    return z == 2;
}
C
printf '#!/bin/sh\n[ -e %s/used ] && exit 1\ntouch %s/used\nexec %s "$@"\n' "$work" "$work" "$(dirname "$sennit")/sennit-solver" >once
chmod +x once
"$sennit" cc lost.c -o lost
lose() { # option: a run in which the solver starts once
    rm -rf used lost-run
    run env SENNIT_OPTIONS="-k $1 --solver=$work/once --output=lost-run" ./lost
}
for option in '' --order=bfs --reduction=source --jobs=2; do
    lose "$option"
    expect_code 1 "inputs that are lost $option"
    expect_text out 'queries that the solver could not decide \(hit 1 time\)' "inputs that are lost $option"
    jq -e '.verdict == "bounded" and .executions == 9 and .solver.unknown == 1' lost-run/run.json >/dev/null || complain "inputs that are lost $option"
done
lose --isolate=fork
jq -e '.executions == 14 and .solver.unknown == 0' lost-run/run.json >/dev/null || complain 'a solver for all processes'

# A solver that dies again and again leaves those queries undecided, and is asked the next one nevertheless.
cat >many.c <<'C'
#include <sennit/sennit.h>
int main(void)
{
    for (unsigned i = 0; i < 10; i++) {
        unsigned x = sennit_uint("x"), y = sennit_uint("y");
        if (x * x * x + y * y * y == 1000003 + i)
            return 0;
    }
    return 0;
}
C
printf '#!/bin/sh\necho >>%s/started\n[ $(wc -l <%s/started) -le 7 ] && exit 1\nexec %s "$@"\n' "$work" "$work" "$(dirname "$sennit")/sennit-solver" >late
chmod +x late
"$sennit" cc many.c -o many
run env SENNIT_OPTIONS="-k --solver=$work/late --output=many-run" ./many
expect_code 0 'a solver that dies seven times'
jq -e '.verdict == "bounded" and .executions == 4 and .solver.unknown == 7' many-run/run.json >/dev/null || complain 'a solver that dies seven times'
[ "$(wc -l <started)" = 8 ] || complain "a solver that dies seven times: started $(wc -l <started) times"
finish
