#!/usr/bin/env bash
# Bugs under weak memory explain themselves: what is stale, why, and what would forbid it.
. "$(dirname "$0")/lib.sh"
cp "$sources/weak.c" .

json() { # expression: evaluated on run.json of the last run
    jq -e "$1" sennit-last/run.json >/dev/null || complain "run.json: not $1"
}

explains() { # pattern...: the paragraphs of the report, on one line
    local told
    told=$(jq -r '.bugs[0].explanation[]' sennit-last/run.json | tr '\n' ' ')
    for pattern in "$@"; do
        grep -qE -- "$pattern" <<<"$told" || complain "no \"$pattern\" in: $told"
    done
}

line() { # text: the number of the first line that has it
    grep -nF -- "$1" weak.c | head -1 | cut -d: -f1
}
publish=$(line '&ready, 1, orders[PUBLISH]')
look=$(grep -nF '&ready, orders[LOOK]))' weak.c | tail -1 | cut -d: -f1)

run "$sennit" test weak.c --memory=rc11
expect_code 1 'message passing'
expect_text out 'load data: 0 \(stale, not 42\)' 'the table'
expect_text out '^  Step [0-9]+ is stale: reader \(0.2\) reads data = 0, its initial value, and not 42' 'the report'
expect_text out '^  The bug does not occur under sequential consistency\.$' 'the report'
json '.bugs[0].sequential == false and (.bugs[0].explanation | length) == 1'
explains "which writer \\(0.1\\) stored in step 1" \
    "neither the relaxed store of ready \\(weak.c:$publish\\) nor the relaxed load of ready \\(weak.c:$look\\) orders" \
    "use memory_order_release for the store of ready \\(weak.c:$publish\\) and memory_order_acquire for the load of ready \\(weak.c:$look\\)\\."
expect_text sennit-last/bugs/*.trace '^options .*--memory=rc11' 'the trace'
expect_text sennit-last/bugs/*.trace '^sequential no$' 'the trace'
cp out first
run "$sennit" replay sennit-last/bugs/*.trace
expect_code 1 'its replay'
grep -A5 'is stale' first >told
grep -A5 'is stale' out | cmp -s told - || complain 'the replay explains the bug in another way'

run "$sennit" test weak.c --memory=rc11 '-DORDERS=memory_order_release,memory_order_relaxed'
explains "since the relaxed load of ready \\(weak.c:$look\\) does not order accesses behind it: use memory_order_acquire for the"
run "$sennit" test weak.c --memory=rc11 '-DORDERS=memory_order_relaxed,memory_order_acquire'
explains "since the relaxed store of ready \\(weak.c:$publish\\) does not order accesses before it: use memory_order_release for the"
run "$sennit" test weak.c --memory=rc11 '-DORDERS=memory_order_release,memory_order_acquire'
expect_code 0 'release and acquire'

run "$sennit" test weak.c --memory=rc11 -DRELAY '-DORDERS=memory_order_release,memory_order_acquire'
explains 'neither the relaxed store of relayed \(weak.c:[0-9]*\) nor the relaxed load of relayed \(weak.c:[0-9]*\) orders'
run "$sennit" test weak.c --memory=rc11 -DCOUNTER
explains 'since the relaxed load of ready \(weak.c:[0-9]*\) does not order accesses behind it: use memory_order_acquire'

for model in rc11 tso; do
    run "$sennit" test weak.c --memory=$model -DBUFFER
    explains 'nothing orders the relaxed store of data \(weak.c:[0-9]*\) before the relaxed load of ready' \
        'nor the relaxed store of ready \(weak.c:[0-9]*\) before the relaxed load of data' \
        'put atomic_thread_fence\(memory_order_seq_cst\) between the two of each pair'
    json '.bugs[0].sequential == false'
done

run "$sennit" test weak.c --memory=rc11 -DLATE
explains 'Step [0-9]+ comes too late: data stays 42, which writer \(0.1\) stored in step 1' \
    'use memory_order_release for the store of ready \(weak.c:[0-9]*\) and memory_order_acquire for the load'

# A race is one under sequential consistency too; its report has no stale step, but says what would order it.
run "$sennit" test weak.c --memory=rc11 -DPLAIN
json '.bugs[0].kind == "data-race" and .bugs[0].sequential == true'
expect_text out '^  The bug occurs under sequential consistency too\.$' 'a race'
expect_no_text out 'stale' 'a race'
explains '^Nothing orders the two accesses: neither the relaxed store' 'use memory_order_release .* and memory_order_acquire'

finish
