#!/bin/sh
# Every form in which tests are written, on strings that are difficult for it; and what wrong requests are told.
# Usage: formats.sh SENNIT
. "$(dirname "$0")/lib.sh"
account=$examples/generate/account.abs

cat >odd.abs <<'END'
module Odd;
data Word = Word(String) | Nothing;
interface I { String say(Int x); Word word(Word v); }
class C(String name) implements I {
  String last = "";
  String say(Int x) {
    if (x > 3) { last = "a < b && \"c\"\n\t]]> \\ '?"; }
    return last;
  }
  Word word(Word v) { last = "\u00fc"; return Word("<y>&"); }
}
END
sed 's/\\u00fc/ü/' odd.abs >o && mv o odd.abs

# ---- ABS and xUnit: read back, run, results as XML ----
"$sennit" generate odd.abs --method C.say --method C.word --emit=xunit --out odd >out 2>&1 || cat out
expect "strings" "6 tests: 6 passed, 0 failed" "$("$sennit" test-suite odd --junit good.xml | tail -1)"
sed 's/a < b/a > b/' odd.abs >changed.abs
expect "changed strings" "6 tests: 3 passed, 3 failed" "$("$sennit" test-suite odd changed.abs --junit bad.xml | tail -1)"
sed 's/String say(Int x)/String tell(Int x)/' odd.abs >renamed.abs
"$sennit" test-suite odd renamed.abs --junit broken.xml >/dev/null
cat >count.py <<'END'
# The tests, failures and errors that a file says, those that it has, and the times.
import sys, xml.etree.ElementTree as xml
suite, = xml.parse(sys.argv[1]).getroot()
cases = suite.findall("testcase")
has = [len(cases), len(suite.findall("*/failure")), len(suite.findall("*/error"))]
says = [int(suite.get(k)) for k in ("tests", "failures", "errors")]
total = sum(float(c.get("time")) for c in cases)
print(*has, says == has, suite.get("name"), abs(total - float(suite.get("time"))) < 1e-3 * len(cases), all(c.get("classname") and c.get("name") for c in cases))
END
expect "junit, all pass" "6 0 0 True odd True True" "$(python3 count.py good.xml)"
expect "junit, failures" "6 3 0 True odd True True" "$(python3 count.py bad.xml)"
expect "junit, errors" "6 0 6 True odd True True" "$(python3 count.py broken.xml)"
expect "the strings are in there" 'True True' "$(python3 -c '
import xml.etree.ElementTree as xml
text = xml.parse("bad.xml").getroot().find(".//failure").text
print("a > b && \"c\"" in text, "]]> " in text)')"
need xmllint
expect "xmllint" "" "$(xmllint --noout good.xml bad.xml broken.xml 2>&1)"
printf 'module T;\nimport * from Odd;\n[Test: "a <b> & \\"c\\" \001"]\n{\n    C c = new C();\n    [Of: c] this.name = "";\n    [Of: c] this.last = "";\n}\n' >named.abs
"$sennit" test-suite named.abs odd.abs --junit named.xml >out 2>&1
expect "names" "$(printf 'a <b> & "c" \357\277\275')" "$(python3 -c 'import xml.etree.ElementTree as xml; print(xml.parse("named.xml").getroot().find(".//testcase").get("name"))' 2>&1)"

# ---- JSON: exactly these members ----
"$sennit" generate odd.abs --method C.say --emit=json --format=concrete --out json >out 2>&1 || cat out
expect "tests.json" "format model methods tests
number context outcome constraints inputs objects tasks schedule
variable class path dead fields
name before after
shown value
variable object method arguments end result
name before
task name line
name number value" "$(python3 -c '
import json
data = json.load(open("json/tests.json"))
test = data["tests"][0]
for part in (data, test, test["objects"][0], test["objects"][0]["fields"][0], test["objects"][0]["fields"][0]["before"], test["tasks"][0],
             test["tasks"][0]["arguments"][0], test["schedule"][0], test["inputs"][0]):
    print(*part)')"
expect "strings in JSON" 'a < b && "c"
	]]> \ '"'?" "$(python3 -c '
import json
results = [t["tasks"][0]["result"] for t in json.load(open("json/tests.json"))["tests"]]
print(next(r["shown"] for r in results if r["shown"] != "\"\"").strip("\"").replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"").replace("\\\\", "\\"))')"
expect "run.json" "generate 2 1 2 2 3 3 True" "$(python3 -c '
import json
r = json.load(open("json/run.json"))
print(r["verb"], r["tests"], r["contexts"], *r["coverage"].values(), r["complete"])')"

# ---- Text in a file ----
"$sennit" generate "$account" --method Account.withdraw --out text >/dev/null
expect "tests.txt" 3 "$(grep -c '^test ' text/tests.txt)"

# ---- Nothing found ----
"$sennit" generate "$account" --method Account.withdraw --max-execs 1 --range 0..0 --select=states --emit=json --out few >/dev/null
expect "few" 3 $?
expect "few tests" "1 False" "$(python3 -c 'import json; r = json.load(open("few/run.json")); print(r["tests"], r["complete"])')"
echo 'module Calm; interface I { Unit m(); } class C implements I { Unit m() { skip; } }' >calm.abs
wrong_start=$("$sennit" generate calm.abs --for-deadlock 2>&1)
expect "no main block" "2 sennit generate: --for-deadlock: the model has no main block, where the deadlock analysis begins; --method says what to call" "$? $wrong_start"
echo '{ I c = new C(); c!m(); }' >>calm.abs
expect "no cycle" "the deadlock analysis finds no cycle, so there is nothing to call" "$("$sennit" generate calm.abs --for-deadlock | head -1)"
expect "no tests in JSON" 0 "$("$sennit" generate calm.abs --for-deadlock --emit=json 2>/dev/null | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["tests"]))')"
mkdir empty
expect "an empty suite" "sennit test-suite: empty: no ABS files (.abs) in this directory" "$("$sennit" test-suite empty 2>&1)"

expect "a method twice" "$("$sennit" generate calm.abs --method C.m:2..3 --contexts)" "$("$sennit" generate calm.abs --method C.m --method C.m:1..2 --contexts)"
echo 'module Functions; def Int f(Int n) = n;' >functions.abs

# ---- Wrong requests: what is said, and exit code 2 ----
wrong() {
    name=$1 text=$2
    shift 2
    said=$("$sennit" generate "$@" 2>&1 >/dev/null)
    code=$?
    expect "$name" "2 sennit generate: $text" "$code $(echo "$said" | tail -1)"
}
wrong "too few calls" "--method Account.withdraw:3..1: at least 3 calls, but at most 1" "$account" --method Account.withdraw:3..1
wrong "no calls" "--method Account.withdraw:0..0: it would never be called" "$account" --method Account.withdraw:0..0
wrong "no numbers" "--method Account.withdraw:x: expected CLASS.METHOD:LEAST..MOST with numbers up to 100" "$account" --method Account.withdraw:x
wrong "too many calls" "--method Account.withdraw:1..101: expected CLASS.METHOD:LEAST..MOST with numbers up to 100" "$account" --method Account.withdraw:1..101
wrong "no class" "--method Nope.m: there is no class Nope; the model has Account" "$account" --method Nope.m
wrong "an interface" "--method Owner.tell: tests are for classes, which implement it, not for the interface Owner; the model has Account" "$account" --method Owner.tell
wrong "no method" "--method Account.nope: class Account has no method nope; it has withdraw ($account:12)" "$account" --method Account.nope
wrong "too many calls together" "--method Account.withdraw: more than 100 calls together" "$account" --method Account.withdraw:1..100 --method Account.withdraw
wrong "no classes" "--method C.m: there is no class C, nor any other" functions.abs --method C.m
wrong "only a class" "--method Account: expected CLASS.METHOD" "$account" --method Account
wrong "range turned round" "--range 5..1: 5 is larger than 1" "$account" --method Account.withdraw --range 5..1
wrong "half a range" "--range 3: expected LOWEST..HIGHEST" "$account" --method Account.withdraw --range 3
wrong "no value" "--method needs a value (sennit generate --help says which)" "$account" --method
wrong "nothing to call" "no method given: sennit generate calm.abs --method CLASS.METHOD" calm.abs
# A method whose name looks like a C file; the time limit also holds inside a step.
cat >bc.abs <<'END'
module Bc;
interface I { Int c(Int n); }
class B implements I { Map<Int, String> m = map[]; Int c(Int n) { return n % 3; } }
END
"$sennit" generate bc.abs --method B.c >out 2>&1
expect "a method like a file" 0 $?
expect "a concrete map" "m = EmptyMap" "$("$sennit" generate bc.abs --method B.c --format=concrete | grep -o -m1 'm = .*')"
timeout 30 "$sennit" generate "$here/../abs/models/rec2.abs" --method C.f --loop=1000000 --max-time=1s >out 2>&1
expect "time inside a step" 3 $?
wrong "no bound" "--loop=0: expected a number from 1 on, or none" "$account" --method Account.withdraw --loop=0
wrong "no bound" "--loop=none: generated tests need a bound, a number from 1 on" "$account" --method Account.withdraw --loop=none
wrong "no bound" "--switches=none: generated tests need a bound, a number from 1 on" "$account" --method Account.withdraw --switches none
wrong "policy" "--objects=round-robin: tests are generated for all schedules; --objects=N bounds the objects created at each \`new\`" "$account" --method Account.withdraw --objects=round-robin
wrong "wrong number" "--loop=x: expected a number from 1 on, or none" "$account" --method Account.withdraw --loop x
wrong "no file" "cannot open nowhere.abs: No such file or directory" nowhere.abs --method C.m
wrong "no model" "no file given: sennit generate MODEL.abs --method CLASS.METHOD" --method C.m
sed 's/Calm/Busy/' calm.abs >busy.abs
wrong "two classes" "--method C.m: there is a class C in module Calm and in module Busy; generate tests for one of them at a time" calm.abs busy.abs --method C.m
echo 'module X; class C { Int f( {' >syntax.abs
wrong "syntax" "the model has errors" syntax.abs --method C.f
expect "where" "syntax.abs:1:28: error" "$("$sennit" generate syntax.abs --method C.f 2>&1 | grep -o -m1 'syntax.abs:[0-9]*:[0-9]*: error')"
exit $failed
