#!/usr/bin/env bash
# Processes of a search on one machine are killed at random moments: the count is right.
#     local.sh SENNIT [SEARCHES [KILLS]]
set -u
sennit=$(realpath "$1")
searches=${2:-3} kills=${3:-8}
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../bench/programs
work=$(mktemp -d)
# A child that gets a signal before it has become another program would do it too.
trap '[ $BASHPID != $$ ] || rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 killed=0 ended=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

"$sennit" cc -I"$programs" -DN=5 "$programs/fib_bench.c" -o fib5 || exit 1
"$sennit" cc -I"$programs" -DN=5 -DWEAK "$programs/fib_bench.c" -o weak5 || exit 1
result() { jq -c '[.executions, .redundant, .verdict]' "$1/run.json"; }
declare -A right=([fib5]='[218243,0,"exhaustive"]' [weak5]='[525630,0,"exhaustive"]')

# The search; workers are the processes that the first one started.
search() { # workers program options
    local pid i victims program=$2
    rm -rf run
    "$sennit" explore -q -j "$1" --checkpoint=1s -o run "${@:3}" ./"$program" >out 2>err &
    pid=$!
    for ((i = 0; i < kills; i++)); do
        sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
        mapfile -t victims < <(pgrep -P $pid)
        [ ${#victims[@]} -gt 0 ] && kill -KILL "${victims[$((RANDOM % ${#victims[@]}))]}" 2>/dev/null && killed=$((killed + 1))
    done
    wait $pid
    local code=$?
    if [ $code = 5 ]; then # it was killed while it changed what all share
        ended=$((ended + 1))
        grep -q "was killed .* while it changed" out || fail "exit code 5: $(cat out err)"
        [ -f run/checkpoint/search ] || return
        "$sennit" resume -q run >out 2>err
        code=$?
    fi
    [ $code = 0 ] && [ "$(result run)" = "${right[$program]}" ] || fail "$*: exit code $code, $(result run) $(cat out err)"
}

for ((n = 0; n < searches; n++)); do
    if [ $((n % 3)) = 1 ]; then search 2 weak5 --memory=rc11; else search $((2 + n % 3 * 2)) fib5; fi
done
[ $killed -ge $((searches * 2)) ] || fail "only $killed kills"
echo "$searches searches, $killed workers killed, $ended searches ended by that, $failures failures"
[ $failures = 0 ]
