#!/usr/bin/env bash
# Without -k a search ends at the first bug and says so, also where the bug ended a step in its middle.
. "$(dirname "$0")/lib.sh"
cp "$sources"/in_step.c .

# kind PART OPTION...: the first bug, in the second schedule
first_bug() {
    local kind=$1 name="in_step.c, part $2, ${*:3}"
    run "$sennit" explore ./part"$2" "${@:3}"
    expect_code 1 "$name"
    jq -e --arg kind "$kind" '.ending == "bug" and .verdict == "incomplete" and .executions >= 2 and .cut == 0 and
        (.bugs | length) == 1 and .bugs[0].kind == $kind and .bugs[0].confirmed' sennit-last/run.json >/dev/null ||
        complain "$name: not stopped at the first bug"
    expect_text out 'stopped at the first bug \(use -k to continue\)' "$name"
}

for part in 0 1 2 3; do
    run "$sennit" cc -g -DPART=$part in_step.c -o part$part
    expect_code 0 "compiling part $part"
done
for options in '' '--reduction=source' '--reduction=none' '-j2'; do
    for part in 0 1 2; do
        first_bug assertion $part $options
    done
    first_bug data-race 3 $options
done
first_bug assertion 2 --reduction=graphs
run "$sennit" test in_step.c -DPART=2 --memory=rc11
expect_text out 'stopped at the first bug' 'under RC11'

# Models: a bug before the end of an execution that was planned to its end.
cp "$sources"/../../../examples/abs/pipeline.abs "$sources"/../../abs/models/kinds.abs .
for options in '' '--dependence=exact' '--dependence=actor' '--reduction=source' '--reduction=none'; do
    for model in kinds pipeline; do
        run "$sennit" explore $model.abs --first-bug $options
        expect_code 1 "$model.abs $options"
        jq -e '.ending == "bug" and (.bugs | length) >= 1' sennit-last/run.json >/dev/null ||
            complain "$model.abs $options: not stopped at the first bug"
    done
done
finish
