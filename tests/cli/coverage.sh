#!/usr/bin/env bash
# Coverage: what every execution of every process did, in lcov's format, and what none did.
. "$(dirname "$0")/lib.sh"
need genhtml jq
cp "$sources"/cover.c .

has() { # line of the tracefile
    grep -qxF -- "$1" sennit-last/coverage.info || complain "coverage.info: no $1"
}

run "$sennit" test cover.c
expect_code 0 'cover.c'
expect_text out 'executed 68 % of 22 lines, 4 of 11 branches' 'summary'
has "SF:$work/cover.c"
has 'FNDA:1,other'
has 'DA:11,0'
has 'DA:40,1'
has 'BRDA:39,0,0,1' # some schedule goes each way
has 'BRDA:39,0,1,1'
has 'BRDA:10,1,0,0' # a > 3 never holds
has 'BRDA:10,0,0,-' # so b is never asked
has 'LF:22'
has 'BRH:4'
expect_no_text sennit-last/coverage.info 'BRDA:(28|46),' 'waiting loops and assertions are no branches'
jq -e '.coverage | .lines == 22 and .branches_hit == 4 and (.uncovered | length == 7)' sennit-last/run.json >/dev/null ||
    complain 'run.json: coverage'
genhtml --branch-coverage sennit-last/coverage.info -o html >out 2>err || complain 'genhtml refuses the tracefile'

run "$sennit" cov sennit-last
expect_code 0 'cov'
expect_text out 'cover.c +15 of +22 +68 % +4 of +11' 'cov'
expect_text out 'cover.c:12:5: in classify: the branch to line 17 was never taken' 'cov lists cases'
expect_text out 'cover.c:21:5: in classify: never reached' 'cov lists what was not reached'

# What was executed before a crash counts, whichever process it was.
run "$sennit" test cover.c -DCRASH -k
expect_code 1 'crash'
has 'DA:40,1'
has 'BRDA:39,0,1,1'
run "$sennit" test cover.c -j 2 --isolate=fork
has 'DA:40,1'

run "$sennit" test cover.c --coverage=off
expect_no_text out 'executed' '--coverage=off'
refused 2 'has no coverage' "$sennit" cov
refused 2 'No such file' "$sennit" cov nowhere
refused 2 'not an lcov tracefile' "$sennit" cov cover.c
finish
