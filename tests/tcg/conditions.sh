#!/bin/sh
# The texts of path conditions: the published examples, references and classes, data types.
# Usage: conditions.sh SENNIT
. "$(dirname "$0")/lib.sh"

# conditions MODEL OPTION...: those of all tests, and the results, a line per test
conditions() {
    file=$1
    shift
    "$sennit" generate "$file" "$@" | awk '/^test / { if (line != "") print line; line = ""; on = 0 }
        /^  path condition/ { on = 1; next } /^  schedule/ { on = 0 } on { sub(/^ */, ""); line = line (line == "" ? "" : "; ") $0 }
        / returns / { sub(/.* returns /, ""); line = line (line == "" ? "" : " => ") "returns " $0 } END { print line }'
}

# Three derivations: no clients; one, which is another; one, which it is.
expect "getData" "DB_1.clients == Nil => returns NoData
DB_1.clients == Cons(DB_1.clients.head, Nil); DB_1.clients.head != DB_1.getData.w => returns NoData
DB_1.clients == Cons(DB_1.clients.head, Nil); DB_1.clients.head == DB_1.getData.w => returns DB_1.datum" \
    "$(conditions "$models/database.abs" --method DB.getData --loop 1)"

# n <= 0, or one worker: the three classes of its six derivations.
expect "simulate" "Main_1.simulate.n == 1 => returns Unit
Main_1.simulate.n == 1 => returns Unit
Main_1.simulate.n == 1 => returns Unit
Main_1.simulate.n <= 0 => returns Unit" "$(conditions "$models/simulate.abs" --method Main.simulate --loop 1)"

# The published pair of tests: the same initial state, r * 3 * 2 * 1 or, if the middle object reports before it has computed, r * 3 * 1 * 1.
ft() { "$sennit" generate "$models/factorial.abs" --method Fact.ft --loop 1 --switches 5 --objects 2 | awk -v number="$1" 'BEGIN { RS = "" } $2 == number ":"'; }
expect "factorial" "test 18: ok
  start
    Fact_1: b = null, mx = 1, r = Fact_1.r
    Fact_1 ! ft(n = 3)
  path condition
    Fact_1.ft.n == 3
    Fact_1.mx == 1
    Fact_1.b == null
  schedule
    1 Fact_1.ft line 7
    2 Fact_1.wk line 11
    3 Fact_1.dg line 14
    4 fact2.ft line 7
    5 fact2.wk line 11
    6 fact2.dg line 14
    7 fact3.ft line 7
    8 fact3.wk line 11
    9 fact3.rp line 15
    10 fact2.rp line 15
    11 Fact_1.rp line 15
  end
    Fact_1: b = null, mx = 1, r = Fact_1.r * 6
    fact2: b = Fact_1, mx = 1, r = 2
    fact3: b = fact2, mx = 1, r = 1
    Fact_1.ft returns Unit" "$(ft 18)"
expect "factorial, the bug" "test 24: ok
  start
    Fact_1: b = null, mx = 1, r = Fact_1.r
    Fact_1 ! ft(n = 3)
  path condition
    Fact_1.ft.n == 3
    Fact_1.mx == 1
    Fact_1.b == null
  schedule
    1 Fact_1.ft line 7
    2 Fact_1.wk line 11
    3 Fact_1.dg line 14
    4 fact2.ft line 7
    5 fact2.dg line 14
    6 fact3.ft line 7
    7 fact3.wk line 11
    8 fact3.rp line 15
    9 fact2.rp line 15
    10 Fact_1.rp line 15
    11 fact2.wk line 11
  end
    Fact_1: b = null, mx = 1, r = Fact_1.r * 3
    fact2: b = Fact_1, mx = 1, r = 2
    fact3: b = fact2, mx = 1, r = 1
    Fact_1.ft returns Unit" "$(ft 24)"

expect "signs" "C_1.sign.x < 0 => returns -1
C_1.sign.x == 0 => returns 0
C_1.sign.x > 0 => returns 1" "$(conditions "$here/coverage/branches.abs" --method C.sign | sort)"
expect "constructors" "C_1.name.s == Circle(C_1.name.s.1) => returns C_1.name.s.1 + 1
C_1.name.s == Nothing => returns 4
C_1.name.s == Square(C_1.name.s.1) => returns C_1.name.s.1" "$(conditions "$here/coverage/cases.abs" --method C.name | sort)"

# References, classes of unknown objects, Booleans, quotients.
cat >words.abs <<'END'
module Words;
interface Node { Int size(Bool deep); }
class Leaf implements Node { Int size(Bool deep) { return 1; } }
class Fork(Node left, Node right) implements Node {
  Int size(Bool deep) {
    Int r = 0;
    if (deep && left != null) { Fut<Int> f = left!size(False); await f?; r = f.get; }
    if (left == right) { r = r * 2; }
    return r;
  }
}
interface Calc { Int half(Int x, Int y); }
class Calc implements Calc {
  Int half(Int x, Int y) {
    Int r = 0;
    if (y != 0) { if (truncate(x / y) >= 50 || x % y == 1) { r = x - y - y; } }
    return r;
  }
}
END
expect "classes" "Fork_1.size.deep; Fork_1.left != null; Fork_1.left != Fork_1; class(Fork_1.left) == Leaf; Fork_1.left != Fork_1.right => returns 1
Fork_1.size.deep; Fork_1.left != null; Fork_1.left != Fork_1; class(Fork_1.left) == Fork; Fork_1.left.left != Fork_1.left.right; Fork_1.left != Fork_1.right => returns 0
Fork_1.size.deep; Fork_1.left != null; Fork_1.left != Fork_1; class(Fork_1.left) == Fork; Fork_1.left.left == Fork_1.left.right; Fork_1.left != Fork_1.right => returns 0" \
    "$(conditions words.abs --method Fork.size | grep 'class.*Fork_1.left != Fork_1.right')"
expect "an object that knows itself" "Fork_1.size.deep; Fork_1.left == Fork_1; Fork_1.right != Fork_1 => returns 0
Fork_1.size.deep; Fork_1.left == Fork_1; Fork_1.right == Fork_1 => returns 0" "$(conditions words.abs --method Fork.size | grep 'Fork_1.left == Fork_1;')"
expect "quotients" "Calc_1.half.y != 0; truncate(Calc_1.half.x / Calc_1.half.y) <= 49; Calc_1.half.x % Calc_1.half.y != 1 => returns 0
Calc_1.half.y != 0; truncate(Calc_1.half.x / Calc_1.half.y) <= 49; Calc_1.half.x % Calc_1.half.y == 1 => returns Calc_1.half.x - Calc_1.half.y - Calc_1.half.y
Calc_1.half.y != 0; truncate(Calc_1.half.x / Calc_1.half.y) > 49 => returns Calc_1.half.x - Calc_1.half.y - Calc_1.half.y
Calc_1.half.y == 0 => returns 0" "$(conditions words.abs --method Calc.half | sort)"

# Nothing is said twice: no test of these has a condition two times, "not", "~" or the number of an object.
for model in "$models"/*.abs "$examples"/generate/*.abs; do
    method=$(sed -n 's/^class \([A-Za-z]*\).*/\1/p' "$model" | tail -1)
    name=$(awk -v class="$method" '$1 == "class" && $2 ~ "^" class { on = 1; next } on && /\) \{/ { sub(/\(.*/, ""); print $NF; exit }' "$model")
    bad=$("$sennit" generate "$model" --method "$method.$name" | awk '/^  path condition/ { on = 1; split("", seen); next } /^  [a-z]/ { on = 0 }
        on && (seen[$0]++ || / not |~| [!=]= -[0-9]/) { print FILENAME, $0 }')
    expect "$(basename "$model") $method.$name" "" "$bad"
done
exit $failed
