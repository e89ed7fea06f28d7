#!/bin/sh
# What the tests of `sennit generate` reach, counted by hand: the models in coverage/ have it in their first lines, as
#     // CLASS.METHOD OPTION...: outcomes N of M, statements N of M
# The numbers in run.json are the same. Usage: coverage.sh SENNIT
. "$(dirname "$0")/lib.sh"

number() { python3 -c 'import json, sys; print(*[json.load(open("out/run.json"))["coverage"][k] for k in sys.argv[1:]])' "$@"; }

lines=0
for model in "$here"/coverage/*.abs; do
    sed -n 's,^// \([A-Za-z]*\.[a-z]*.*\): outcomes,\1: outcomes,p' "$model" >wanted
    while IFS=: read -r call coverage; do
        lines=$((lines + 1))
        rm -rf out
        # shellcheck disable=SC2086
        "$sennit" generate "$model" --method $call --out out >text 2>&1 || cat text
        expect "$(basename "$model"): $call" "$call:$coverage" \
            "$call: outcomes $(number outcomes all_outcomes | sed 's/ / of /'), statements $(number statements all_statements | sed 's/ / of /')"
        expect "$(basename "$model"): $call, as text" "covered: $(echo "$coverage" | sed 's/ outcomes \([0-9 of]*\), statements \([0-9 of]*\)/\1 decision outcomes, \2 statements/')" \
            "$(grep '^covered' text)"
    done <wanted
done
expect "all lines were read" 12 "$lines"

# Lines and decisions of the whole model, for `sennit cov` and other tools.
rm -rf out
"$sennit" generate "$here/coverage/branches.abs" --method C.sign --out out >text 2>&1 || cat text
expect "coverage.info" "BRF:8 BRH:5 LF:8 LH:6" "$(grep -E '^(LH|LF|BRH|BRF):' out/coverage.info | tr '\n' ' ' | sed 's/ $//')"
"$sennit" cov out >text 2>&1
expect "cov" "1" "$(grep -c 'C.sign: this .* is never' text)"

# Smaller suites reach the same.
reached() { "$sennit" generate "$here/coverage/$1.abs" --method "$2" --select="$3" | sed -n 's/ tests\{0,1\} from.*//p; s/^covered: //p' | tr '\n' ' '; }
expect "branches" "3 5 of 6 decision outcomes, 7 of 8 statements " "$(reached branches C.sign branches)"
expect "statements" "2 4 of 6 decision outcomes, 7 of 8 statements " "$(reached branches C.sign statements)"
expect "constructors" "3 4 of 4 decision outcomes, 8 of 8 statements " "$(reached cases C.name branches)"
exit $failed
