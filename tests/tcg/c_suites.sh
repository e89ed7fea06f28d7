#!/bin/sh
# Tests of C functions as programs of their own: their number, that they compile without a warning and pass without Sennit, and
# that they notice an error in the function. Usage: c_suites.sh SENNIT
. "$(dirname "$0")/lib.sh"
need gcc

# suite NUMBER "FUNCTION OPTION..." SED: with the change that the sed command makes the suite fails
suite() {
    wanted=$1 change=$3
    set -- $2
    cp "$examples/generate/functions.c" functions.c
    "$sennit" generate functions.c --function "$@" >out 2>err || { cat out err; failed=1; }
    expect "$*: tests" "$wanted" "$(sed -n 's/^\([0-9]*\) tests* in .*, made by.*/\1/p' out)"
    expect "$*: compiles" "" "$(gcc -Wall -Wextra -Werror -o tests "$1-tests/$1_tests.c" 2>&1)"
    expect "$*: passes" "$wanted test$([ "$wanted" = 1 ] || echo s): $wanted passed, 0 failed" "$(./tests)"
    sed -i "$change" functions.c
    if cmp -s functions.c "$examples/generate/functions.c"; then expect "$*: the change" changed "not changed"; fi
    gcc -o tests "$1-tests/$1_tests.c"
    ./tests >out 2>&1 && expect "$*: the error" "to be noticed" "not noticed"
}

suite 20 utf8_decode "s/value << 6/value << 5/"
suite 3 ring_push "s/ring->count++;/ring->count += 2;/"
suite 30 number_text "s/count + 1 > size/count > size + 1/"
suite 15 date_check "s/date.month > 12/date.month > 13/"
suite 3 bits_add "s/bits->all |= bit;/bits->all = bit + 1;/"
suite 10 "list_insert --null" "s/node->next = list;/node->next = NULL;/"
suite 2 matrix_sums "s/i < 2; i++/i < 1; i++/"
suite 9 comment_step "s/state = STATE_STAR;/state = STATE_SLASH;/"
suite 2 "packet_check --elements 2" "s/sum != packet->check/sum == packet->check/"
suite 4 checksum "s/(uint16_t)~(sum/(uint16_t)(sum/"
suite 5 "keyword --string 2" "s/rest = text + length/rest = text/"
suite 1 take_over "s/free(list->next);//"
suite 2 "exchange --alias" "s/\*b ^= \*a;/*b ^= 7;/"

# What a test looks like.
expect "a test" 'static void test_3(void)
{
    Ring *ring = calloc(1, 1 * sizeof *ring);
    ring[0].items[0] = 0;
    ring[0].items[1] = 0;
    ring[0].items[2] = 0;
    ring[0].items[3] = 0;
    ring[0].head = 0;
    ring[0].count = 4;
    int item = 0;
    _Bool result = ring_push(ring, item);
    sennit_expect("the result", result, 0);
    sennit_expect("ring[0].items[0]", ring[0].items[0], 0);
    sennit_expect("ring[0].items[1]", ring[0].items[1], 0);
    sennit_expect("ring[0].items[2]", ring[0].items[2], 0);
    sennit_expect("ring[0].items[3]", ring[0].items[3], 0);
    sennit_expect("ring[0].head", ring[0].head, 0);
    sennit_expect("ring[0].count", ring[0].count, 4);
}' "$(sed -n '/^static void test_3/,/^}/p' ring_push-tests/ring_push_tests.c)"
expect "pointers" '    sennit_expect_some("the result", result);
    sennit_expect_string("*the result", result, "condition");
    sennit_expect_pointer("rest[0]", rest[0], (char *)text + 2);' \
    "$(awk '/^static void test/ { body = "" } { body = body $0 "\n" } /^}/ && body ~ /"condition"/ { printf "%s", body }' keyword-tests/keyword_tests.c |
        grep -m 3 'sennit_expect')"
expect "freed" '    sennit_expect_freed("list", list);' "$(grep 'freed("list",' take_over-tests/take_over_tests.c)"

# The suite is run again by Sennit, with the flags it was made with: on the function as it is, with an error, and when it
# does not compile.
cat >flags.c <<'END'
int sign(int x) { if (x < 0) return NEGATIVE; if (x == 1234) return *(volatile int *)0; return x > 0; }
END
"$sennit" generate flags.c --function sign "-DNEGATIVE=(2 - 3)" >out 2>err
expect "a bug" 1 $?
expect "how to compile it" " *     cc -o sign_tests sign-tests/sign_tests.c '-DNEGATIVE=(2 - 3)' && ./sign_tests" \
    "$(sed -n 2p sign-tests/sign_tests.c)"
expect "run again" "ok      sign N  (sign-tests/sign_tests.c)
skip    sign N  (sign-tests/sign_tests.c)
        it shows a bug (crash); repeat it with sennit replay
ok      sign N  (sign-tests/sign_tests.c)
2 tests: 2 passed, 0 failed; 1 not run" "$("$sennit" test-suite sign-tests | sed 's/sign [0-9]/sign N/')"
sed -i 's/return x > 0/return x > -1/' flags.c
"$sennit" test-suite -q sign-tests/sign_tests.c --junit junit.xml >out
expect "an error" "1 FAILED  sign N  (sign-tests/sign_tests.c)         the result is 1, expected 0 2 tests: 1 passed, 1 failed; 1 not run" \
    "$? $(sed '/^skip/,+1d; s/sign [0-9]/sign N/' out | paste -sd ' ')"
expect "as JUnit" 1 "$(grep -c '<failure message="the result is 1, expected 0">' junit.xml)"
sed -i 's/return x > -1/return nothing/' flags.c
"$sennit" test-suite sign-tests --junit junit.xml >out 2>err
expect "it does not compile" "2 sennit test-suite: the tests of sign do not compile" "$? $(tail -1 err)"
expect "no results of before" 1 "$(grep -c '<error message="the tests of sign do not compile"' junit.xml)"
expect "other files" "sennit test-suite: flags.c: not a suite of a C function (NAME_tests.c), as other paths are
2" \
    "$("$sennit" test-suite sign-tests flags.c 2>&1; echo $?)"

# Several files, of which one has the function; a file that is only linked.
cat >part.c <<'END'
int twice(int x) { return 2 * x; }
END
cat >whole.c <<'END'
#include <stdlib.h>
int twice(int x);
static int helper(int x) { return x; }
int more(int x) { if (x > 3) return twice(x); if (x == 2) exit(7); return helper(x); }
END
"$sennit" generate part.c whole.c --function more >out 2>err
expect "it exits with a status" 1 $?
expect "two files" "test 2: not run: it shows a bug (exit-code); repeat it with sennit replay
2 tests: 2 passed, 0 failed; 1 not run" "$(gcc -Wall -Werror -o tests more-tests/more_tests.c part.c && ./tests)"
echo 'static int twice(int x) { return x; } int other(int x) { return twice(x); }' >again.c
expect "two functions" "sennit generate: part.c and again.c both define twice; give one of them" \
    "$("$sennit" generate part.c again.c --function twice 2>&1)"
expect "none" "sennit generate: neither part.c nor the other files define a function none" "$("$sennit" generate part.c again.c --function none 2>&1)"
expect "nothing is left behind" "" "$(ls -d none-tests twice-tests 2>/dev/null)"
exit $failed
