#!/usr/bin/env bash
# Product lines and older releases: which products are accepted, what errors say, what is explored.
#
# Usage: tests/abs/products.sh SENNIT
here=$(cd "$(dirname "$0")" && pwd)
BASH_ARGV0=$here/../cli/products.sh # lib.sh looks for its programs beside it
. "$here/../cli/lib.sh"

cat >line.abs <<'END'
module M;
interface I { Int f(); }
class C(Int p) implements I {
    Int x = 1;
    Int f() { x = x + p; return x; }
}
{
    I o = new C(10);
    Int r = await o!f();
    assert r == 11;
}
delta D1(Int k, Bool b);
uses M;
modifies class C {
    adds Int y = k;
    modifies Int f() { Int r = original(); y = y + r; if (b) { y = y + 100; } return r + k; }
}
delta D2;
modifies class M.C {
    modifies Int f() { Int r = original(); Int q = core.original(); Int z = D1.original(); return r + q; }
}
delta D3;
uses M;
modifies class C { removes Unit h(); adds Unit f() { skip; } }
productline L;
features A, B, E;
delta D2 after D1 when B;
delta D1(A.n, B) when A;
delta D3 when E;
product None();
product One(A{n=5});
product Two(A{n=5}, B);
product Lost = Two - {A};
product Bare(A);
product Wrong = One || {E};
root R { group allof { opt A { Int n in [0..5]; }, opt B { require: A; }, opt E } }
END

# The core, with a word on what is left out.
rm -rf run; run "$sennit" explore line.abs -o run
expect_code 0 'the core'
expect_text err 'line.abs:12:7: warning: deltas are not applied: this is the core' 'deltas left out'
rm -rf run; run "$sennit" explore --product None line.abs -o run
expect_code 0 'a product without features'

# Deltas in order, originals, parameters: 1+10 -> y = 5+11+100, then 21, then 31 -> y = 247.
rm -rf run; run "$sennit" explore --product Two line.abs -o run
expect_code 1 'a product'
expect_text out 'C_1: p = 10, x = 31, y = 247' 'final state of a product'
run "$sennit" replay run/bugs/assertion-*.trace
expect_code 1 'replay applies the deltas'
rm -rf run; run "$sennit" explore --product '{A{n=0}}' line.abs -o run
expect_code 0 'features instead of a name'
expect_text out 'x = 11, y = 11' 'final state of features'

# Errors name the delta and its line, the feature model, the products that there are.
run "$sennit" check --product Wrong line.abs
expect_code 2 'a delta that does not fit'
expect_text out "line.abs:24:33: error: delta 'D3' removes method 'h', which class 'C' does not have" 'removed method'
expect_text out "line.abs:24:48: error: delta 'D3' adds method 'f', which class 'C' already has" 'added method'
run "$sennit" check --product Lost line.abs
expect_text out "does not allow this product: feature 'B' requires feature 'A'" 'feature model'
run "$sennit" check --product '{A{n=6}}' line.abs
expect_text out "the value of attribute 'A.n' is not allowed" 'range of an attribute'
run "$sennit" check --product Bare line.abs
expect_text out "line.abs:28:12: error: delta 'D1' needs the attribute 'A.n'" 'attribute without a value'
run "$sennit" check --product Three line.abs
expect_text out "product 'Three' is not known; there are None, One, Two" 'unknown product'

# All products: which have which bug; products of the feature model that nobody declared; what is left out.
run "$sennit" explore --all-products line.abs -o all
expect_code 1 'all products'
expect_text out '^product None: exhaustive: every schedule covered by 1 execution, no bug' 'a product without bugs'
expect_text out 'in 2 of 7 products: One, Two$' 'products with a bug'
expect_text out '^product \{E\}: rejected' 'a product that is not declared'
expect_text out 'Left out: 1 other product of the feature model, whose attributes need values' 'what is left out'
expect_text out '^7 products: 1 without bugs, 2 with bugs or not complete, 4 rejected' 'the sum'
run "$sennit" replay all/Two/bugs/assertion-*.trace
expect_code 1 'replay of a product'
run "$sennit" check --all-products line.abs
expect_code 2 'check of all products'
expect_text out '^product Two: no errors' 'a correct product'
expect_text err '4 of 7 products have errors' 'products with errors'
run "$sennit" explore --all-products --product One line.abs
expect_code 2 'two ways to name products'

run "$sennit" check --all-products --json line.abs
expect_code 2 'all products as JSON'

# The example: a deadlock in one product, and the feature that repairs it.
run "$sennit" explore --all-products "$here/../../examples/abs/chat.abs" -o chat
expect_code 1 'the example'
expect_text out '^product Loud: exhaustive: every schedule covered by 5 executions, 1 bug' 'the product with the bug'
expect_text out 'in 1 of 5 products: Loud$' 'the only product with the bug'

# Diagnostics as a document.
run "$sennit" check --json --product Lost line.abs
expect_code 2 'check as JSON, with an error'
[ "$(jq -r '"\(.errors) \(.product) \(.diagnostics[0] | "\(.file):\(.line):\(.column) \(.kind)")"' out)" = \
    '1 Lost line.abs:33:9 error' ] || complain 'check as JSON: an error'
run "$sennit" check --json line.abs
expect_code 0 'check as JSON'
[ "$(jq -c '[.errors, .files, .diagnostics[].kind]' out)" = '[0,["line.abs"],"warning"]' ] || complain 'check as JSON'

# A method that is replaced without original() is gone, with all that is wrong in it by now.
cat >gone.abs <<'END'
module M;
class C { Unit a() { skip; } Unit b() { this.a(); } }
{ new C(); }
delta D; uses M; modifies class C { removes Unit a(); modifies Unit b() { skip; } }
productline L; features F; delta D when F;
product P(F);
END
run "$sennit" explore --product P gone.abs -o run2
expect_code 0 'a replaced method'

# Products to which the same deltas are applied are one model: explored once. Values of attributes make a difference.
cat >same.abs <<'END'
module S;
export *;
interface C { Int m(); }
class C implements C { Int m() { return 1; } }
{ C c = new C(); Int x = await c!m(); assert x < 3; }
delta D(Int n);
uses S;
modifies class C { modifies Int m() { return n; } }
productline L;
features Plain, Quiet, Big;
delta D(Big.n) when Big;
product Both(Plain, Quiet);
product One(Plain);
product Two(Plain, Big{n = 2});
product Three(Plain, Big{n = 3});
product Four(Quiet, Big{n = 3});
END
run "$sennit" explore --all-products same.abs -o sames
expect_code 1 'products with the same deltas'
expect_text out '^product One: the same as Both: exhaustive: every schedule covered by 1 execution, no bug' 'one model'
expect_text out '^product Two: exhaustive: .* no bug' 'another value'
expect_text out 'in 2 of 5 products: Three, Four' 'the same value with other features'
expect_text out '5 products: 3 without bugs, 2 with bugs' 'counted for each product'
[ ! -e sames/One ] || complain 'a product that is the same is explored'
[ -e sames/Four ] || complain 'products with values are not explored each'

# Foreign classes and queries: results are inputs. Modules about the model itself: the product, the library of the meta interface.
cat >foreign.abs <<'END'
module F;
import Foreign from ABS.FLI;
import * from ABS.Meta;
import * from ABS.Productline;
interface R { Int next(); Bool flag(); }
[Foreign] class R implements R { Int next() { return 3; } Bool flag() { return True; } }
def List<Int> rows() = builtin(sqlite3, "file", "SELECT x FROM t");
{
    R r = new R();
    Int n = await r!next();
    Bool b = await r!flag();
    println(product_name());
    assert n != 17 || b || product_features() != list[A];
}
productline L; features A, B;
product P(A);
END
run "$sennit" explore foreign.abs -o run3
expect_code 0 'results of a foreign class'
expect_text err "foreign.abs:6:17: warning: foreign class 'R': .*are inputs" 'what a foreign class does'
expect_text err "foreign.abs:7:15: warning: query 'rows': its result is an input" 'queries'
expect_text out 'every path of the inputs covered by 3 executions' 'paths of foreign results'
run "$sennit" explore --product=P foreign.abs -o run4
expect_code 1 'a model that asks for its product'
expect_text out 'R.next = 17, .*R.flag = False' 'inputs of a foreign class'
expect_text out '\| P$' 'the name of the product'

# Queries of sqlite: results and arguments that such a data base can have.
query() { # declarations, result, arguments, whether it is correct
    echo "module Q; $1 def List<$2> q(Int n, List<Int> l) = builtin(sqlite3$3);" >query.abs
    run "$sennit" check query.abs
    expect_code "$4" "a query of $2 with $3"
}
query '' Int ', "f", "select"' 0
query '' Int ', `f`, `select`, 1 + n, "a", True, 1/2' 0
query 'data R = R(Int a, String b);' R ', "f", "select"' 0
query '' 'List<Int>' ', "f", "select"' 2
query '' Object ', "f", "select"' 2
query '' Unit ', "f", "select"' 2
query 'data R;' R ', "f", "select"' 2
query 'data R = R(List<Int> a);' R ', "f", "select"' 2
query '' Int '' 2
query '' Int ', "f"' 2
query '' Int ', Unit, 13' 2
query '' Int ', "f", "select", Unit' 2
query '' Int ', "f", "select", l' 2
echo 'module Q; def Int q() = builtin(sqlite3, "f", "select");' >query.abs
run "$sennit" check query.abs
expect_code 2 'a query of a number'

# Inputs that are data. Lists of at most two elements, 1 + 4 + 16 of them, since a text is empty or one that the model
# compares with; each of the four bugs needs its own value. A query is a function; what cannot be an input is not.
cat >data.abs <<'END'
module D;
import Foreign from ABS.FLI;
data Status = Up | Down(Int code) | Busy(String who, Rat part);
interface R {
    List<Status> all(); String name(); Rat ratio(); Maybe<Int> find(); Map<Int, Int> kept(); Maybe<R> other();
}
[Foreign] class R implements R {
    List<Status> all() { return list[Down(3)]; }
    String name() { return "stub"; }
    Rat ratio() { return 1/2; }
    Maybe<Int> find() { return Nothing; }
    Map<Int, Int> kept() { return map[Pair(1, 2)]; }
    Maybe<R> other() { return Nothing; }
}
data Row = Row(String nick, Int age);
def List<Row> people(Int least) = builtin(sqlite3, "file", "SELECT name, age FROM t WHERE age > ?", least);
def Int downs(List<Status> l) = case l { Nil => 0; Cons(Down(_), r) => 1 + downs(r); Cons(_, r) => downs(r); };
def Int rows(List<Row> l) = case l { Nil => 0; Cons(_, r) => 1 + rows(r); };
{
    R r = new R();
    List<Status> all = await r!all();
    assert downs(all) < 2;
    String name = await r!name();
    if (name == "boss") {
        List<Row> found = people(3);
        assert found == people(3) && rows(found) < 3;
        assert rows(found) < 2 || age(head(found)) != 42;
    }
    Maybe<Int> known = await r!find();
    assert fromJustDefault(known, 5) != 77;
    Rat ratio = await r!ratio();
    assert ratio != 5;
    Map<Int, Int> kept = await r!kept();
    Maybe<R> other = await r!other();
    assert lookup(kept, 1) == Just(2) && other == Nothing;
}
END
run "$sennit" explore data.abs -o run5 --tests suite5 --max-tests 60
expect_code 1 'inputs that are data'
expect_text out '1,341 schedules explored; .* 4 different bugs' 'a bug for each of four values'
expect_text out 'inputs are not every text, fraction, or long list \(hit 1,341 times\)' 'what was left out'
[ "$(jq '[.final_states[].inputs, .bugs[].inputs] | map(."0.2 R.name") | unique | length' run5/run.json)" -gt 1 ] ||
    complain 'run.json: no inputs that are choices'
for bug in run5/bugs/*.trace; do
    run "$sennit" replay "$bug"
    expect_code 1 "replay of $bug"
done
run "$sennit" test-suite suite5
expect_text out '^60 tests: 60 passed, 0 failed' 'tests with inputs that are data'
cat >refused.abs <<'END'
module Q;
def List<Int> many() = builtin(sqlite3, "file", "SELECT count(*) FROM t");
interface I { Int run2(); Unit wait(); }
class C implements I { Int run2() { return length(many()); } Unit wait() { await many() != Nil; } }
{ I c = new C(); await c!wait(); }
END
run "$sennit" explore refused.abs -o run6
expect_code 2 'a query in a condition'
expect_text out 'refused.abs:4:[0-9]+: a query in the condition of an await' 'a query in a condition'
run "$sennit" generate refused.abs --method C.run2
expect_code 2 'a query in a method under test'
expect_text err 'refused.abs:4:[0-9]+: not supported: a query, in a test of a method' 'a query in a method under test'

# Older releases: the whole model is read in one way, and each form is shown once.
cat >old.abs <<'END'
module Old;
def Map<A, B> clean<A, B>(Map<A, B> m) =
    case m {
        EmptyMap => EmptyMap;
        InsertAssoc(p, rest) => case p { Pair("", _) => clean(rest); Pair(k, v) => InsertAssoc(p, clean(rest)); };
    };
{
    Int half = 7 / 2;
    Map<String, Int> m = map[Pair("a", 1), Pair("", 2)];
    Int one = lookup(m, "a");
    assert half == 3 && (0 - 7) / 2 == 0 - 3 && one == 1;
    assert length(entries(clean(m))) == 1;
    assert length(entries(clean(map[Pair(1, 1)]))) == 1;
}
END
rm -rf run; run "$sennit" explore old.abs -o run
expect_code 0 'a model of an older release'
expect_text err 'old.abs:8:18: warning: .*--dialect=1.4.*: the quotient .*now truncate\(a / b\)' 'quotient'
expect_text err 'old.abs:10:15: warning: .*now lookupUnsafe' 'lookup'
expect_text err 'old.abs:5:47: warning: .*a pattern for a value of any type' 'pattern'
[ "$(grep -c warning err)" = 3 ] || complain 'one warning for each form'
run "$sennit" check --dialect=1.9 old.abs
expect_code 2 'the current release'
echo 'module New; { Rat half = 7 / 2; assert half * 2 == 7; }' >new.abs
rm -rf run; run "$sennit" explore new.abs -o run
expect_code 0 'the current release is tried first'
rm -rf run; run "$sennit" explore --dialect=1.4 new.abs -o run
expect_code 1 'an older release'

# In a method, a parameter or variable with the name of a delta's parameter hides it from there on.
cat >hide.abs <<'END'
module Hide;
export *;
interface I { Int m(Int size); Int n(); Int o(); }
class C implements I {
    Int m(Int size) { return 0; }
    Int n() { return 0; }
    Int o() { return 0; }
}
{
    I c = new C();
    Int a = await c!m(1);
    Int b = await c!n();
    Int d = await c!o();
    assert list[a, b, d] == list[1, 8, 7];
}
delta D(Int size);
uses Hide;
modifies class C {
    modifies Int m(Int size) { return size; }
    modifies Int n() { Int size = size + 1; return size; }
    modifies Int o() { return size; }
}
productline P;
features F;
delta D(7) when F;
product One(F);
END
run "$sennit" explore hide.abs --product=One -o hide
expect_code 0 'names that hide a parameter of the delta'

# A feature is listed once.
echo 'module M; productline L; features A, B, A;' >twice.abs
run "$sennit" check twice.abs
expect_code 2 'a feature that is listed twice'
expect_text out "twice.abs:1:41: error: feature 'A' is listed twice" 'its place'

finish
