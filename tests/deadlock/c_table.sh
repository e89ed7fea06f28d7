#!/usr/bin/env bash
# Dining philosophers: executions and CPU milliseconds up to the first deadlock, directed and not; and
# what it takes to find the variant with a waiter free of deadlock. Times are of whole commands.
# Usage: tests/deadlock/c_table.sh SENNIT [FORKS ...]      (3 to 12)
set -uo pipefail
sennit=$(realpath "$1")
program=$(cd "$(dirname "$0")/c" && pwd)/philosophers.c
shift
sizes=${*:-3 4 5 6 7 8 9 10 11 12}
limit=20
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# measure EXPECTED_STATUS COMMAND...: sets `executions`, `cpu` (milliseconds, children included) and `ended`
measure() {
    local expected=$1 status
    shift
    rm -rf run
    cpu=$(python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, round(1000 * (used.ru_utime + used.ru_stime)))
PYTHON
)
    status=${cpu% *} cpu=${cpu#* }
    executions=$(python3 -c "import json; print(json.load(open('run/run.json'))['executions'])")
    ended=$([ "$status" = 3 ] && echo '> ')
    [ "$status" = "$expected" ] || [ "$status" = 3 ] || { echo "FAIL: $*: exit code $status"; failures=1; }
}

echo '| forks | directed: executions | CPU ms | unguided: executions | CPU ms | waiter, by the code: executions | CPU ms | waiter, all schedules: executions | CPU ms |'
echo '|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
for n in $sizes; do
    "$sennit" cc "$program" -DN=$n -o dead && "$sennit" cc "$program" -DN=$n -DGATED -o gated || exit 1
    measure 1 "$sennit" deadlock dead --search=first -j 1 -o run
    row="| $n | $executions | $cpu"
    measure 1 "$sennit" explore dead -j 1 --max-time=$limit -o run
    row="$row | $ended$executions | $ended$cpu"
    measure 0 "$sennit" deadlock gated -j 1 -o run
    row="$row | $executions | $cpu"
    measure 0 "$sennit" explore gated -j 1 --max-time=$limit -o run
    echo "$row | $ended$executions | $ended$cpu |"
done
exit $failures
