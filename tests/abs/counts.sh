#!/usr/bin/env bash
# Models with their exact numbers of executions and final states: tests/abs/counts.tsv.
#
# Usage: tests/abs/counts.sh SENNIT
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sennit=$(realpath "${1:?usage: tests/abs/counts.sh SENNIT}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 passed=0

check() { # files options expectation
    local files=$1 options=$2 wanted=$3 found code
    files=${files//e\//$here/../../examples/abs/}
    files=${files//m\//$here/models/}
    # shellcheck disable=SC2086
    timeout 120 "$sennit" explore $files $options -q --show=none -o run >log 2>&1
    code=$?
    found=$(jq -r --arg code $code '[$code, .executions, .verdict, .final_state_count,
        (.outcomes | to_entries | sort_by(.key) | map("\(.key):\(.value)") | join(","))] | map(tostring) | join(" ")' run/run.json)
    if [ "$found" = "$wanted" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: $1 $options"
        echo "  expected $wanted"
        echo "  found    $found"
        tail -n 3 log | sed 's/^/    | /'
        failed=$((failed + 1))
    fi
    rm -rf run
}

while IFS=$'\t' read -r files options code executions verdict states outcomes; do
    [[ $files == \#* || -z $files ]] && continue
    check "$files" "$options" "$code $executions $verdict $states $outcomes"
done <<<"$(sed 's/\t\t/\t \t/g' "$here/counts.tsv")"
echo "$passed models as counted, $failed not"
[ $failed = 0 ]
