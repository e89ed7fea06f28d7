#!/bin/bash
# Suites of AbsUnit, run by test-suite; forms of older releases in models with forms of the current one.
# Usage: units.sh SENNIT
sennit=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0

complain() { echo "FAIL: $*"; failed=1; }

run() { # code arguments...
    local wanted=$1
    shift
    "$sennit" "$@" >out 2>err
    code=$?
    [ "$code" = "$wanted" ] || { complain "sennit $*: exit code $code"; sed 's/^/    | /' out err; }
}

expect() { # text...: in the output of the last run
    for text; do
        grep -qF -- "$text" out err || { complain "not in the output: $text"; sed 's/^/    | /' out err; }
    done
}

cat >stack.abs <<'A'
module Stack;
export *;
interface Stack { Unit push(Int x); Int pop(); Int size(); }
class Stack implements Stack {
    List<Int> items = Nil;
    Unit push(Int x) { items = Cons(x, items); }
    Int pop() { Int x = head(items); items = tail(items); return x; }
    Int size() { return length(items); }
}
A
cat >tests.abs <<'A'
module StackTest;
export *;
import * from AbsUnit;
import * from Stack;
[Fixture] interface Tests {
    [Test] Unit order();
    [Test] Unit sizes(Pair<Int, Int> numbers);
    [Test] Unit race();
    [Test] [Ignored] Unit later();
    [Test] Unit strange(String s);
    [DataPoint] Set<Pair<Int, Int>> pairs();
}
[Suite] class TestsImpl implements Tests {
    Stack stack;
    ABSAssert test;
    { stack = new Stack(); test = new local ABSAssertImpl(); }
    Unit order() {
        await stack!push(1);
        await stack!push(2);
        Int x = await stack!pop();
        Comparator c = new local IntComparator(x, 2);
        test.assertEquals(c);
    }
    Unit sizes(Pair<Int, Int> numbers) {
        Int before = await stack!size();
        await stack!push(fst(numbers));
        await stack!push(snd(numbers));
        Int after = await stack!size();
        test.assertTrue(after == before + 2 && fst(numbers) < snd(numbers));
    }
    Unit race() {
        Fut<Unit> a = stack!push(1);
        Fut<Unit> b = stack!push(2);
        await a? & b?;
        Int x = await stack!pop();
        test.assertTrue(x == 2);
    }
    Unit later() { test.assertTrue(False); }
    Unit strange(String s) { skip; }
    Set<Pair<Int, Int>> pairs() { return set[Pair(1, 2), Pair(3, 4)]; }
}
A

# ---- Tests, with data points, explored completely; the imported module is found --------------------------------------

run 1 test-suite tests.abs --junit out.xml
expect 'ok      TestsImpl.order' 'ok      TestsImpl.sizes' 'FAILED  TestsImpl.race' \
    'race of TestsImpl_1 fails an assertion' 'Replay it:' 'BROKEN  TestsImpl.strange' \
    'no method with [DataPoint]' '4 tests: 2 passed, 2 failed'
grep -q 'TestsImpl.later' out && complain 'an ignored test was run'
[ "$(grep -c '<testcase' out.xml)" = 4 ] || complain 'JUnit: not four tests'
run 1 replay sennit-suite/TestsImpl.race/bugs/*.trace
expect 'the bug was reproduced'
run 1 test-suite -x -q tests.abs
expect '3 tests: 2 passed, 1 failed'
sed -i '/strange/d; s/x == 2/x > 0/' tests.abs
run 0 test-suite tests.abs
expect '3 tests: 3 passed, 0 failed'
sed -i 's/Pair(3, 4)/Pair(4, 3)/' tests.abs
run 1 test-suite tests.abs
expect 'FAILED  TestsImpl.sizes' 'sizes of TestsImpl_1 fails an assertion'

# ---- Matchers ---------------------------------------------------------------------------------------------------------

cat >match.abs <<'A'
module MatchTest;
export *;
import * from AbsUnit;
import * from AbsUnit.Hamcrest;
import * from AbsUnit.Hamcrest.Core;
[Fixture] interface Matches {
    [Test] Unit holds(Pair<Int, Int> p);
    [Test] Unit fails();
    [Test] Unit lazy();
    [Test] Unit later();
    [DataPoint] Set<Pair<Int, Int>> pairs();
}
class Yes implements Matcher { Bool matches() { return True; } }
class No implements Matcher { Bool matches() { return False; } }
class Never implements Matcher { Bool matches() { assert False; return True; } }
[Suite] class MatchesImpl implements Matches {
    ABSAssert test;
    { test = new local ABSAssertImpl(); }
    Set<Pair<Int, Int>> pairs() { return set[Pair(1, 2), Pair(3, 9)]; }
    Unit holds(Pair<Int, Int> p) {
        Comparator c = new local IntComparator(fst(p), snd(p));
        Matcher less = new local LessThan(c);
        Matcher more = new local MoreThan(c);
        Matcher same = new local Is(c);
        Matcher yes = new local Yes();
        Matcher no = new local No();
        Formula f = And(fm(less), Not(Or(fm(more), fm(same))));
        Matcher all = new local CoreMatcher(And(f, And(AllOf(set[fm(less), fm(yes)]), AnyOf(set[fm(no), fm(yes)]))));
        test.assertThat(all);
        Matcher rest = new local CoreMatcher(Or(AllOf(set[fm(yes), fm(no)]), Or(AnyOf(set[fm(no)]), xor(fm(yes), fm(yes)))));
        Matcher not = new local CoreMatcher(Not(Formula(rest)));
        test.assertThat(not);
    }
    Unit fails() {
        Comparator c = new local StringComparator("a", "b");
        Matcher more = new local MoreThan(c);
        test.assertThat(more);
    }
    [Ignored] Unit later() { assert False; }
    Unit lazy() {
        Matcher yes = new local Yes();
        Matcher no = new local No();
        Matcher never = new local Never();
        Matcher all = new local CoreMatcher(Or(And(impl(fm(no), fm(never)), Or(fm(yes), fm(never))), fm(never)));
        test.assertThat(all);
    }
}
A
run 1 test-suite match.abs
expect 'ok      MatchesImpl.holds' 'ok      MatchesImpl.lazy' 'FAILED  MatchesImpl.fails' '3 tests: 2 passed, 1 failed'

# ---- What cannot be run ------------------------------------------------------------------------------------------------

sed 's/^export \*;//' tests.abs >hidden.abs
run 1 test-suite hidden.abs
expect 'BROKEN  TestsImpl.order' 'export *;'
run 2 test-suite stack.abs
expect 'there are no tests'
echo 'module M; import * from AbsUnit; [Suite] class C { Unit m() { x = 1; } }' >wrong.abs
run 2 test-suite wrong.abs
expect 'wrong.abs:1:63'

# A model may bring a module of the same name.
echo 'module AbsUnit; export *; data Test = Test; data Suite = Suite; def Int own() = 7;
module M; export *; import * from AbsUnit;
interface T { [Test] Unit t(); } [Suite] class C implements T { Unit t() { assert own() == 7; } }' >own.abs
run 0 test-suite own.abs
expect 'ok      C.t'

# ---- A wrong type in a model with forms of the current release is an error ------------------------------------------------

for form in 'when True then 7 / 2 else 0' 'length(map((Int x) => x)(list[1])) * 7 / 2' 'strlen(`a`) / 2'; do
    echo "module M; { Int x = $form; }" >modern.abs
    run 2 check modern.abs
    expect 'expected Int as value of the variable, found Rat'
    run 0 check --dialect=1.4 modern.abs
done
echo 'module M; { Int x = 7 / 2; }' >old.abs
run 0 check old.abs
expect 'read as in older releases'
exit $failed
