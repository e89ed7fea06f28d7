#!/bin/bash
# The same options in every verb that explores a model: what `generate` and `deadlock` show, and what they refuse; the
# coverage of a search.
# Usage: verbs.sh SENNIT
sennit=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0

complain() { echo "FAIL: $*"; failed=1; }

run() { "$sennit" "$@" >out 2>&1; code=$?; }

expect() { # text...: in the output of the last run
    for text; do
        grep -qF -- "$text" out || { complain "not in the output: $text"; sed 's/^/    | /' out; }
    done
}

count() { # wanted text
    local found
    found=$(grep -cF -- "$2" out)
    [ "$found" = "$1" ] || complain "$found lines with: $2, instead of $1"
}

refuse() { # text words...
    local text=$1
    shift
    run "$@"
    [ "$code" = 2 ] || complain "$*: exit code $code"
    expect "$text"
}

# ---- generate --------------------------------------------------------------------------------------------------------

cp "$examples/generate/account.abs" "$examples/abs/database.abs" "$examples/abs/database2.abs" .
withdraw=(generate account.abs --method Account.withdraw)
run "${withdraw[@]}"
count 3 'test '
count 0 'starts; '
run "${withdraw[@]}" --show=all
count 3 '     2  Account_1  withdraw     17  starts; returned'
run "${withdraw[@]}" --diagram
count 3 '     2  |         withdraw'
run "${withdraw[@]}" --show=none
count 0 'test 1'
expect '3 tests from 1 initial context'
run "${withdraw[@]}" --show=none --tree=text
count 3 '=> ok (final state '
run "${withdraw[@]}" --out tests --tree=dot
[ "$(grep -c '^  e[0-9]* \[label="ok' tests/tree.dot)" = 3 ] || complain 'tests/tree.dot does not have three ends'
[ -s tests/tree.txt ] || complain 'no tests/tree.txt'
refuse '--tree=dot needs --out' "${withdraw[@]}" --tree=dot
refuse '--diagram goes with --emit=text' "${withdraw[@]}" --diagram --emit=abs
refuse '--show=all goes with --emit=text' "${withdraw[@]}" --show=all --emit=json
refuse '--show=none: with --out' "${withdraw[@]}" --show=none --out tests
refuse '--tasks=nondet' "${withdraw[@]}" --tasks=nondet
refuse '--reduction' "${withdraw[@]}" --tasks=fifo --reduction=optimal
refuse '--time=free has no effect' "${withdraw[@]}" --time=free

# Policies of tasks: fewer tests, which say so.
register=(generate database.abs --method DB.register --method DB.getData)
run "${register[@]}" --show=none
expect '69 tests from 2 initial contexts'
run "${register[@]}" --show=none --tasks=fifo
expect '50 tests from 2 initial contexts' 'only schedules in which an object runs its oldest task first'
[ "$("$sennit" "${register[@]}" --tasks=fifo --json --max-execs=100 | jq -r .verdict)" = bounded ] ||
    complain 'tests of a policy are not called bounded'

# Free delays: their lengths are part of the schedule of a test, under every reduction.
cat >delays.abs <<'A'
module Delays;
interface I { Int m(Int n); Unit w(); }
class C implements I {
    Int k = 0;
    Int m(Int n) { await duration(1, 3); if (k > n) { k = n; } return k; }
    Unit w() { await duration(2, 2); k = 7; }
}
{ I i = new C(); Fut<Int> f = i!m(3); i!w(); Int r = f.get; }
A
for reduction in stable optimal none; do
    run generate delays.abs --method C.m --method C.w:0..2 --time=free --reduction=$reduction --show=none
    expect '62 tests from 7 initial contexts; 62 confirmed' 'only delays of whole units more than their least'
done
run generate delays.abs --method C.m --method C.w --time=free --emit=abs --out delays
run test-suite delays
expect '14 tests: 14 passed'
grep -qF '"0.1/2"' delays/*.abs || complain 'no test has a long delay'
sed -i 's/duration(1, 3)/duration(3, 3)/' delays.abs
run test-suite delays
[ "$code" = 1 ] || complain 'other delays pass the tests'
sed -i 's/duration(3, 3)/duration(1, 3)/' delays.abs
run explore delays.abs --time=free --tests explored --show=none
expect '4 tests in explored'
run test-suite explored
expect '4 tests: 4 passed'

# ---- deadlock --------------------------------------------------------------------------------------------------------

both=(deadlock database.abs database2.abs)
run "${both[@]}" --search=all --show=all -o all
count 12 'cycle 1, execution '
run "${both[@]}" --search=all --tree=text -o text
count 12 '=> deadlock (final state '
run "${both[@]}" --search=first --tree=dot -o dot
count 0 '=> deadlock (final state '
[ "$(grep -c '^  e[0-9]* \[label="deadlock' dot/tree.dot)" = 1 ] || complain 'dot/tree.dot does not have one end'
run "${both[@]}" --search=first -o some
count 1 'blocks DB_1, waiting for'
run "${both[@]}" --search=first --show=none -o none
count 0 'blocks DB_1, waiting for'
expect '1 cycle, 1 confirmed'
refuse '--show needs --search' "${both[@]}" --show=all
refuse '--tree needs --search' "${both[@]}" --tree=text


# ---- coverage --------------------------------------------------------------------------------------------------------

cat >cover.abs <<'MODEL'
module Cover;
interface I { Int m(Int x); Unit never(); }
class C implements I {
    Int field = 3;
    Int m(Int x) {
        if (x > 2)
            field = 0;
        return case x { 1 => one(x); _ => 7; };
    }
    Unit never() { await field > 5; }
}
class Unused implements I {
    Int m(Int x) { return x; }
    Unit never() { skip; }
}
def Int one(Int x) = x + 1;
{
    I o = new C();
    Int r = await o!m(1);
}
MODEL
for option in '' '-j 2' '--reduction=none'; do
    run explore cover.abs --show=none $option
    expect 'executed 63 % of 11 lines, 2 of 6 branches (sennit cov shows the rest)'
done
grep -qx 'FNDA:0,C.never' sennit-last/coverage.info || complain 'C.never is not among the functions'
grep -qx 'FNDA:1,one' sennit-last/coverage.info || complain 'one was not executed'
grep -qx 'DA:7,0' sennit-last/coverage.info || complain 'line 7 was executed'
grep -qx 'BRDA:6,0,0,0' sennit-last/coverage.info || complain 'the branch of line 6'
run cov
expect 'cover.abs:6:9: in C.m: this if is never true' 'cover.abs:8:25: in C.m: this case is never passed over' \
    'cover.abs:10:20: in C.never: never reached'
count 0 'cover.abs:8:25: in C.m: this case is never matched'
grep -q '"lines_hit": 7' sennit-last/run.json || complain 'run.json: no coverage'

[ $failed = 0 ] && echo 'every verb shows and refuses as expected'
exit $failed
