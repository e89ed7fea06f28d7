#!/usr/bin/env bash
# `sennit deadlock --search=per-cycle` on all models below a folder: what the analysis says,
# what the search makes of it.
# Usage: tests/deadlock/corpus.sh SENNIT FOLDER [OPTIONS]
set -uo pipefail
sennit=$(realpath "$1")
folder=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
find "$folder" -name '*.abs' | sort | while read -r file; do
    rm -rf run
    timeout 300 "$sennit" deadlock "$file" --search=per-cycle -q -o run --color=never "$@" >out 2>err
    status=$?
    if [ -f run/run.json ]; then
        python3 - "${file#"$folder"/}" "$status" <<'END'
import json, sys
run = json.load(open("run/run.json"))
results = [cycle["result"] for cycle in run["cycles"]]
print("%-55s exit %s: %d cycles, %d confirmed, %d discarded, %d undecided%s, %.2f s" % (
    sys.argv[1], sys.argv[2], len(results), results.count("confirmed"), results.count("discarded"),
    results.count("timeout"), " (bounded)" if any(cycle["bounded"] for cycle in run["cycles"]) else "", run["cpu_seconds"]))
END
    else
        echo "${file#"$folder"/}: refused: $(tail -1 err)"
    fi
done
