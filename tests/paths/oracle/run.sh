#!/usr/bin/env bash
# Generated programs with threads and inputs: paths and schedules in one search against every
# interleaving for every value.
#
# Usage: tests/paths/oracle/run.sh SENNIT GENERATE FIRST COUNT [waits|shapes]
#
# For each program:
#   outcomes of the search = outcomes of all interleavings with all inputs chosen one by one;
#   nothing explored twice; if all inputs are looked at, as many classes as with chosen inputs.
# With `waits` threads wait for each other: outcomes are also which of them never end, and there
# are at least as many classes as with chosen inputs. With `shapes` they do other things, and some of
# them never end either.
set -u
sennit=$(realpath "$1") generate=$(realpath "$2") first=$3 count=$4 kind=${5-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 checked=0 classes=0 interleavings=0

explore() { # name [option] binary -- arguments...: "executions redundant verdict bugs/goals" of the run
    local name=$1
    shift
    rm -rf "$name"
    "$sennit" explore -k -q -o "$name" "$@" >"$name.log" 2>&1
    jq -r '"\(.executions) \(.redundant) \(.verdict) \([.bugs[].id] | sort | join(","))/\([.goals | to_entries[] | select(.value) | .key] | join(","))"' "$name/run.json"
}

complain() {
    echo "FAIL  seed $((first + $1)): $2"
    failures=$((failures + 1))
}

check() { # number
    local paths all few every p_runs p_redundant p_verdict p_outcomes rest
    paths=$(explore paths ./symbolic -- "$1")
    all=$(explore all ./symbolic -- "$1" all)
    few=$(explore few ./chosen -- "$1" all)
    every=$(explore every --reduction=none ./chosen -- "$1")
    read -r p_runs p_redundant p_verdict p_outcomes <<<"$paths"
    [ "$p_redundant $p_verdict" = '0 exhaustive' ] || complain "$1" "$paths"
    if [ "$kind" = waits ]; then
        [ "${all%% *}" -ge "${few%% *}" ] || complain "$1" "all inputs looked at: $all; chosen: $few"
        all="${few%% *} ${all#* }"
    elif [ -z "$kind" ]; then
        [ "$p_runs" -le "${all%% *}" ] || complain "$1" "$p_runs paths, ${all%% *} if all inputs are looked at"
        [ "${p_outcomes%%/*}" = '' ] || complain "$1" "$paths"
    fi
    [ "$all" = "$few" ] || complain "$1" "all inputs looked at: $all; chosen: $few"
    [ "$p_outcomes" = "${every##* }" ] || complain "$1" "outcomes $p_outcomes instead of ${every##* }"
    rest=${every%% *}
    checked=$((checked + 1)) classes=$((classes + p_runs)) interleavings=$((interleavings + rest))
}

"$generate" "$first" "$count" $kind >batch.c || exit 1
"$sennit" cc -w batch.c -o symbolic && "$sennit" cc -w -DCHOOSE batch.c -o chosen || exit 1
for ((i = 0; i < count; i++)); do
    check "$i"
done
echo "$checked programs, $failures failures; $classes classes, $interleavings interleavings"
[ $failures = 0 ] && [ $checked = "$count" ]
