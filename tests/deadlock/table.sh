#!/usr/bin/env bash
# The models of examples/deadlock/table with two limits on loops each: cycles that are
# deadlocks / discarded / all, deadlocked executions of the search for all, CPU milliseconds.
# Usage: tests/deadlock/table.sh SENNIT [--plain SECONDS]    --plain adds the exploration of
#        everything, without reduction and with it, for at most SECONDS each
set -euo pipefail
sennit=$(realpath "$1")
plain=${3:-}
models=$(cd "$(dirname "$0")/../../examples/deadlock/table" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# model, limit, expected D/U/C. Ans of --search=all counts deadlocks up to the order of independent steps.
rows='dbw 2 1/0/1
dbw 3 1/0/1
f 3 3/0/3
f 4 3/0/3
pp 2 2/0/2
pp 3 2/0/2
hb 3 2/3/5
hb 4 2/3/5
uf 2 1/0/1
uf 3 1/0/1
sb 1 1/0/1
sb 2 1/0/1
fuf 2 0/1/1
fuf 3 0/1/1
ff 3 0/1/1
ff 4 0/1/1
fpp 3 0/2/2
fpp 6 0/2/2'

# figures FILE: D/U/C, CPU ms, slowest cycle in ms, deadlocked executions
figures() {
    python3 - "$1" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
cycles = run["cycles"]
count = lambda result: sum(cycle["result"] == result for cycle in cycles)
print("%d/%d/%d %.0f %.1f %d" % (count("confirmed"), count("discarded"), len(cycles), 1000 * run["cpu_seconds"],
      1000 * max(cycle["seconds"] for cycle in cycles), sum(cycle["deadlocks"] for cycle in cycles)))
END
}

explore() {
    timeout 400 "$sennit" explore model.abs --keep-going --max-time="${plain}s" -q -o "$1" "${@:2}" >/dev/null 2>&1 || true
    python3 -c 'import json, sys; run = json.load(open(sys.argv[1] + "/run.json")); print("%s%d %.0f" % (">" if run["ending"] != "done" else "", run["executions"], 1000 * run["cpu_seconds"]))' "$1"
}

printf '%-6s %2s  %-6s %8s %8s  %8s %8s\n' model k D/U/C 'T (ms)' 'T_max' 'Ans all' 'T all'
while read -r model limit expected; do
    sed "s/limit() = [0-9]*/limit() = $limit/" "$models/$model.abs" >model.abs
    timeout 100 "$sennit" deadlock model.abs --search=per-cycle -q -o one >/dev/null 2>&1 || true
    timeout 100 "$sennit" deadlock model.abs --search=all -q -o all >/dev/null 2>&1 || true
    read -r shape cpu slowest _ <<<"$(figures one/run.json)"
    read -r _ cpu_all _ dead <<<"$(figures all/run.json)"
    printf '%-6s %2s  %-6s %8s %8s  %8s %8s' "$model" "$limit" "$shape" "$cpu" "$slowest" "$dead" "$cpu_all"
    [ -z "$plain" ] || printf '   none: %s   optimal: %s' "$(explore none --reduction=none)" "$(explore optimal)"
    echo
    if [ "$shape" != "$expected" ] || [ "$cpu" -gt 1000 ]; then
        echo "FAIL: expected $expected within 1000 ms"
        failures=1
    fi
    rm -rf one all none optimal
done <<<"$rows"
exit $failures
