#!/bin/bash
# Suites from explorations: `explore --tests DIR` on models, run by `test-suite`; queries of models as SMT-LIB.
# Usage: suites.sh SENNIT
sennit=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../../examples/abs" && pwd)
models=$(cd "$(dirname "$0")/models" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0

complain() { echo "FAIL: $*"; failed=1; }

expect() { # text...: in the output of the last run
    for text; do
        grep -qF -- "$text" out || { complain "not in the output: $text"; sed 's/^/    | /' out; }
    done
}

# Tests written, and passed.
suite() { # directory wanted model-and-options...
    local directory=$1 wanted=$2
    shift 2
    "$sennit" explore -q --show=none --tests "$directory" "$@" >out 2>&1
    expect "$wanted in $directory (sennit test-suite $directory)"
    "$sennit" test-suite "$directory" >out 2>&1 || complain "$directory: a test fails"
    expect "$wanted: ${wanted%% *} passed, 0 failed"
}

# ---- Deadlocks, livelocks, time, schedulers, several files ------------------------------------------------

suite database '3 tests' "$examples/database.abs"
suite two '28 tests' "$examples/database.abs" "$examples/database2.abs"
suite elevator '280 tests' "$examples/elevator.abs"
suite railway '1 test' "$examples/railway.abs"
suite pipeline '3 tests' "$examples/pipeline.abs"
suite early '3 tests' "$models/early.abs"
grep -lF '[Ends: "deadlock"]' database/*.abs | wc -l >out
expect 1
suite database '2 tests' "$examples/database.abs" --max-tests 2
[ "$(ls database/*.abs | wc -l)" = 2 ] || complain 'a test of the earlier suite is left'

# ---- Inputs: each path has its values; a change of the model is noticed ----------------------------------------------

cat >draw.abs <<'A'
module Draw;
interface Cell { Unit add(Int n); Unit more(); }
class Cell implements Cell {
    Map<Int, Int> m = map[];
    Unit add(Int n) { if (n > 5) { m = put(m, n, 1); } else { m = put(m, 0, n); } }
    Unit more() { Int r = random(2); m = put(m, 9, r); }
}
{
    [Input] Int n = 3;
    Int r = random(3);
    Cell c = new Cell();
    Fut<Unit> f = c!add(n);
    await f?;
    c!add(r);
    c!more();
    if (n == 77) { assert r == 0; }
}
A
suite draw '12 tests' draw.abs
grep -hoF '[Ends: "assertion"]' draw/*.abs | wc -l >out
expect 2
sed -i 's/put(m, n, 1)/put(m, n, 2)/' draw.abs
"$sennit" test-suite draw >out 2>&1
[ $? = 1 ] || complain 'no test notices the change'
expect 'cell1.m is map[' 'expected map['
sed -i 's/random(2)/0/' draw.abs
"$sennit" test-suite draw >out 2>&1
expect 'FAILED'

# ---- Executions that are cut are no tests; a test says what it cannot be ---------------------------------------------

"$sennit" explore -q --show=none --tests cut "$models/loopcut.abs" --loop 1 >out 2>&1
expect '0 tests in cut (sennit test-suite cut); 2 executions that a bound cut are no tests'
cat >no.abs <<'A'
module No_Test001;
import * from Draw;
[Test: "x"] [Model: "draw.abs"] [Start: "main"] [Schedule: list["0"]]
{ Cell c = new Cell(); }
A
"$sennit" test-suite no.abs >out 2>&1
expect 'BROKEN' 'a test that starts with the main block creates no objects itself'

# ---- Queries as SMT-LIB ----------------------------------------------------------------------------------------------

"$sennit" explore -q --show=none --smtlib queries "$models/solver.abs" >out 2>&1
count=$(ls queries/*.smt2 2>/dev/null | wc -l)
[ "$count" -gt 0 ] || complain 'no query is written'
for query in queries/*.smt2; do
    grep -q '(check-sat)' "$query" || complain "$query does not ask anything"
done

[ $failed = 0 ] && echo 'all suites as expected'
exit $failed
