#!/bin/sh
# Suites for bundled models: every test passes on its model; on models with a small error some test does
# not. Usage: suites.sh SENNIT MUTATE [MODEL]
mutate=$(realpath "$2")
only=${3:-}
. "$(dirname "$0")/lib.sh"
mutants_of_all=0
killed_of_all=0

complain() {
    echo "$1"
    failed=1
}

# suite MODEL MUTANTS KILLED METHODS...: what survives must be said below
suite() {
    model=$1 wanted=$2 wanted_killed=$3
    shift 3
    [ -z "$only" ] || [ "$only" = "$(basename "$model" .abs)" ] || return
    rm -rf "$work/suite"
    "$sennit" generate "$model" "$@" --emit=xunit --out "$work/suite" >"$work/out" 2>&1 || complain "$model: $(cat "$work/out")"
    tests=$("$sennit" test-suite "$work/suite" "$model" | tail -1)
    case $tests in
    *": 0 passed"* | *" passed, 0 failed") ;;
    *) complain "$model: $tests" ;;
    esac
    count=$("$mutate" "$model")
    mutants=0 killed=0 i=1
    while [ "$i" -le "$count" ]; do
        "$mutate" "$model" "$i" >"$work/mutant.abs" 2>"$work/what"
        "$sennit" test-suite -q -x "$work/suite" "$work/mutant.abs" >"$work/result" 2>&1
        code=$?
        case $code in
        0) echo "$(basename "$model"): survives: $(cat "$work/what")" ;;
        1) killed=$((killed + 1)) ;;
        2) mutants=$((mutants - 1)) ;; # not a model any more
        *) complain "$model, $(cat "$work/what"): exit code $code" ;;
        esac
        mutants=$((mutants + 1))
        i=$((i + 1))
    done
    echo "$(basename "$model"): $tests; $mutants mutants, $killed killed"
    mutants_of_all=$((mutants_of_all + mutants))
    killed_of_all=$((killed_of_all + killed))
    [ "$mutants $killed" = "$wanted $wanted_killed" ] || complain "$model: expected $wanted mutants and $wanted_killed killed"
}

suite "$examples/abs/account.abs" 12 12 --method Account.pay --method Account.balance:0..1 --method Bank.fee:0..1
suite "$examples/abs/buffer.abs" 12 12 --method Buffer.put --method Buffer.take:0..1 --method Consumer.run2:0..1
# survives: "meals = meals + 1" after "left!putBack()"; sending a message and changing a field commute
suite "$examples/abs/philosophers.abs" 19 18 --method Philosopher.eat:0..1 --method Fork.take:0..1
suite "$examples/abs/service.abs" 16 16 --method Careful.use:0..1 --method Careless.use:0..1
# survives: "n = n - 1" and "h = h - 1" in the other order
suite "$models/factorial.abs" 40 39 --method Fact.ft --loop 2
suite "$models/database.abs" 13 13 --method DB.register --method DB.getData:0..1 --method Worker.work:0..1

echo "$mutants_of_all mutants, $killed_of_all killed"
exit $failed
