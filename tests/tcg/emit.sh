#!/bin/sh
# What `sennit generate` writes and `sennit test-suite` reads: formats, files, errors.
# Usage: emit.sh SENNIT
. "$(dirname "$0")/lib.sh"

fields() { "$sennit" generate "$examples/generate/account.abs" --method Account.withdraw "$@" | sed -n '/^test 3/,$p' | grep -E '^    .*(Account|<)'; }

# Constraints: numbers and references by name; hybrid: structure by value, conditions on numbers only.
expect "constraints" "    Account_1: balance = Account_1.balance, log = Cons(Account_1.log.head, Nil), owner = _
    Account_1 ! withdraw(amount = Account_1.withdraw.amount)
    Account_1.balance >= Account_1.withdraw.amount
    Account_1.log == Cons(Account_1.log.head, Nil)
    1 Account_1.withdraw line 17
    Account_1: balance = Account_1.balance - Account_1.withdraw.amount, log = Cons(Account_1.withdraw.amount, Cons(Account_1.log.head, Nil)), owner = Account_1.owner
    Account_1.withdraw returns True" "$(fields --format=constraints)"
expect "hybrid" "    Account_1: balance = Account_1.balance, log = Cons(Account_1.log.head, Nil), owner = _
    Account_1 ! withdraw(amount = Account_1.withdraw.amount)
    Account_1.balance >= Account_1.withdraw.amount
    1 Account_1.withdraw line 17
    Account_1: balance = Account_1.balance - Account_1.withdraw.amount, log = Cons(Account_1.withdraw.amount, Cons(Account_1.log.head, Nil)), owner = Account_1.owner
    Account_1.withdraw returns True" "$(fields --format=hybrid)"
expect "concrete: no conditions" "0" "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --format=concrete | grep -c 'path condition')"

# At the edges of the path: the balance is just enough, or one too little.
expect "edges" "0 1 " "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --format=concrete |
    awk '/ Account_1: balance/ && !end { gsub(",", ""); balance = $4 } /withdraw\(amount/ { gsub(/\)/, ""); print $NF - balance }
        /^  end/ { end = 1 } /^test/ { end = 0 }' | sort -n | uniq | tr '\n' ' ')"

# Data of one constructor has no input of its own; a list at the limit can only end.
expect "pairs" "6 tests from 1 initial context; 6 confirmed by running them with concrete inputs" \
    "$("$sennit" generate "$models/pairs.abs" --method T.get --emit=abs 2>&1 >/dev/null | grep confirmed)"

# Directories
"$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --emit=abs --out tests >/dev/null
expect "files" "Account_withdraw_Test001.abs Account_withdraw_Test002.abs Account_withdraw_Test003.abs coverage.info run.json tests.json uncovered.txt " \
    "$(ls tests | tr '\n' ' ')"
expect "the model is found from the test" "3 tests: 3 passed, 0 failed" "$("$sennit" test-suite tests | tail -1)"
touch tests/Account_withdraw_Test900.abs
"$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --emit=abs --out tests >/dev/null
expect "tests of earlier runs are removed" 3 "$(ls tests | grep -c abs)"
expect "run.json" '"tests": 3,"contexts": 1,' "$(grep -E '"(tests|contexts)"' tests/run.json | tr -d '\n' | sed 's/  *"/"/g')"
expect "coverage" "4 4 6 6" \
    "$(python3 -c 'import json; c = json.load(open("tests/run.json"))["coverage"]; print(*c.values())')"
"$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --emit=xunit --out one >/dev/null
expect "one file" "3 tests: 3 passed, 0 failed" "$("$sennit" test-suite one/Account_withdraw_Tests.abs | tail -1)"
expect "json is valid" "3 concrete" "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --emit=json --format=concrete 2>/dev/null |
    python3 -c 'import json, sys; t = json.load(sys.stdin); print(len(t["tests"]), t["format"])' 2>&1)"
expect "check accepts tests" 0 "$("$sennit" check "$examples/generate/account.abs" one/Account_withdraw_Tests.abs >/dev/null 2>&1; echo $?)"

# A test has one execution, which `explore` runs as well.
expect "explore runs a test" "ok      Account_1.withdraw 2  (tests/Account_withdraw_Test002.abs)
1 test: 1 passed, 0 failed" "$("$sennit" explore tests/Account_withdraw_Test002.abs)"
expect "explore runs tests on a model" "3 tests: 3 passed, 0 failed" "$("$sennit" explore "$examples/generate/account.abs" one/Account_withdraw_Tests.abs | tail -1)"

# A changed model: what is different is said
sed 's/balance - amount/balance - amount - 1/' "$examples/generate/account.abs" >changed.abs
expect "changed" 1 "$("$sennit" test-suite tests changed.abs --junit result.xml >out; echo $?)"
expect "reason" 2 "$(grep -c 'account1.balance is -1, expected 0' out)"
expect "junit" 'tests="3" failures="2" errors="0"' "$(grep -o 'tests="3".*errors="0"' result.xml)"
sed 's/Bool withdraw(Int amount)/Bool take(Int amount)/' "$examples/generate/account.abs" >changed.abs
expect "renamed method" "BROKEN" "$("$sennit" test-suite tests changed.abs | sed -n '1s/ .*//p')"
sed 's/log = Cons(amount, log);/log = Cons(amount, log); suspend;/' "$examples/generate/account.abs" >changed.abs
expect "continues" "        the execution continues after the 2 steps of the schedule" "$("$sennit" test-suite tests changed.abs | grep -m1 'continues')"

# Ending early: what was found is confirmed and written.
slow() { "$sennit" generate "$here/../../bench/tcg/buffer.abs" --method Producer.produceAll --loop 7 --recursion 7 --no-aliases --no-null --switches 30 \
    --objects 30 --emit=json "$@"; }
for limit in 300ms 1s 3s 10s 30s; do # until it suffices for a test
    rm -rf slow
    slow --max-time $limit --out slow >out 2>err
    code=$?
    [ "$(python3 -c 'import json; print(json.load(open("slow/run.json"))["tests"])')" = 0 ] || break
done
expect "a limit on time" 3 $code
expect "which is said" "incomplete" "$(sed -n 's/.*; //p' out | tail -1)"
expect "what there is" "True False" \
    "$(python3 -c 'import json; r = json.load(open("slow/run.json")); print(len(json.load(open("slow/tests.json"))["tests"]) == r["tests"] > 0, r["complete"])')"
"$sennit" generate "$here/../../bench/tcg/buffer.abs" --method Producer.produceAll --loop 7 --recursion 7 --no-aliases --no-null --switches 30 \
    --objects 30 --emit=xunit --out kept >out 2>err &
pid=$!
while ! grep -q context out 2>/dev/null; do sleep 0.1; done
sleep 1
kill -INT $pid
wait $pid
expect "Ctrl-C" 130 $?
expect "which is said" "interrupted" "$(sed -n 's/.*; //p' out | tail -1)"
expect "tests are kept" "0" "$("$sennit" test-suite -q kept >/dev/null; echo $?)"

# The figures alone; what has no meaning for tests
figures=$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --json 2>/dev/null | jq -c '[.verb, .tests, .verdict]')
expect "--json" '["generate",3,"exhaustive"]' "$figures"
for option in --dependence=exact --tasks=nondet --tree=dot --time=free; do
    expect "$option" 2 "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw $option 2>/dev/null; echo $?)"
done

# Errors
expect "wrong format" 2 "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --format=all 2>/dev/null; echo $?)"
expect "wrong emit" 2 "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --emit=pdf 2>/dev/null; echo $?)"
expect "no directory" 2 "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --out /no/such/place 2>/dev/null; echo $?)"
touch occupied
expect "a file in the way" 2 "$("$sennit" generate "$examples/generate/account.abs" --method Account.withdraw --emit=abs --out occupied 2>/dev/null; echo $?)"
expect "no tests" "sennit test-suite: $examples/generate/account.abs: there are no tests (main blocks with [Test], or classes with [Suite])" \
    "$("$sennit" test-suite "$examples/generate/account.abs" 2>&1)"
expect "no such file" 2 "$("$sennit" test-suite nowhere 2>/dev/null; echo $?)"
expect "unwritable result" 2 "$("$sennit" test-suite tests --junit /no/such/place.xml >/dev/null 2>&1; echo $?)"
printf 'module M;\n[Test: "x"] {\n    while (True) { skip; }\n}\n' >bad.abs
expect "no test" "bad.abs:3:5: error: a test cannot have this statement" "$("$sennit" test-suite bad.abs changed.abs 2>&1 | grep -o 'bad.abs:.*')"
sed 's/this.balance = [0-9]*/this.balance = Nil/' tests/Account_withdraw_Test001.abs >tests/wrong.abs
expect "wrong value" "        line 10: this is no value of type Int" "$("$sennit" test-suite tests/wrong.abs "$examples/generate/account.abs" | grep 'no value')"
exit $failed
