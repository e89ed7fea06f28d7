#!/usr/bin/env bash
# Ways of marking inputs: in the source, in three dialects; from outside; bounds on loops.
. "$(dirname "$0")/lib.sh"
need cmake jq
cp "$sources"/inputs/*.c .

json() { # expression: evaluated on run.json of the last run
    jq -e "$1" sennit-last/run.json >/dev/null || complain "run.json: not $1"
}

# 2 values of b, 2 of the character, 3 of the range, then 1 + 1 + 2 ways to end.
run "$sennit" test dialects.c -k
expect_code 0 'dialects.c'
json '.verdict == "exhaustive" and .executions == 48'
json '.goals == {"b holds": true, "big": true, "huge": false, "small": false, "three": true, "short": true}'
expect_text out 'never reached: huge, small' 'points of interest'

# However many there are.
{
    echo '#include <sennit/sennit.h>'
    echo 'int main(void) { unsigned i = sennit_choose(300); switch (i) {'
    for ((i = 0; i < 300; i += 3)); do echo "case $i: sennit_reach(\"$i\"); break;"; done
    for ((i = 300; i < 600; i++)); do echo "case $i: sennit_reach(\"$i\"); break;"; done
    echo '} return 0; }'
} >goals.c
run "$sennit" test goals.c
json '(.goals | length) == 400 and ([.goals[] | select(.)] | length) == 100 and .goals["297"] and (.goals["599"] | not)'

# Tracked versions are generated when a program with inputs is linked: objects, archives, parts of both.
cat >part.c <<'END'
int classify(int x) { static int calls; calls++; if (x > 10) return 1; if (x < -5) return 2; return 0; }
END
cat >asks.c <<'END'
#include <sennit/sennit.h>
int classify(int);
int main(void) { return classify(sennit_int("x")) == 7; }
END
sed s/classify/other/ part.c >second.c
"$sennit" cc -O2 -c part.c && "$sennit" cc -c asks.c && "$sennit" cc -c second.c && ar rc libpart.a part.o second.o
ld -r part.o second.o -o both.o
nm part.o | grep -q tracked && complain 'part.o has tracked versions although nothing asks for inputs'
for inputs in 'asks.o part.o' 'asks.o part.o second.o' 'asks.o -L. -lpart' 'asks.o part.c'; do
    run "$sennit" cc $inputs -o joined
    expect_code 0 "sennit cc $inputs"
    run "$sennit" explore ./joined
    expect_text out 'every path of the inputs covered by 3 executions, no bug' "$inputs"
done
run "$sennit" cc asks.o both.o -o joined
expect_code 1 'an object made of two'
expect_text err 'both.o consists of several objects: compile their sources with --inputs' 'an object made of two'
run "$sennit" explore ./joined
expect_code 2 'a program with inputs that are not tracked everywhere'
expect_text err 'compiled without tracking of inputs: use sennit cc --inputs' 'inputs not tracked everywhere'
run "$sennit" cc asks.o -Wl,--whole-archive libpart.a -Wl,--no-whole-archive -o joined
expect_text err 'compile all its sources with --inputs' 'a whole archive'
"$sennit" cc --inputs -O2 -c part.c && "$sennit" cc --inputs -c second.c && ld -r part.o second.o -o both.o
run "$sennit" cc asks.o both.o -o joined
expect_code 0 'objects compiled with --inputs'
run "$sennit" explore ./joined
expect_text out 'every path of the inputs covered by 3 executions, no bug' 'objects compiled with --inputs'
"$sennit" cc second.c asks.c part.c -o joined --shifts && "$sennit" cc -DN second.c -x c - -o calm <<<'int main(void) { return 0; }'
run "$sennit" explore ./calm --check=overflow
expect_code 2 'overflow in a program compiled without checks'
expect_text err 'compiled without checks of overflow: use sennit cc --shifts' 'overflow without checks'

# 3 numbers of arguments with 1 + 3 + 3 paths; the character has 3, one of them with a way
# out for two arguments; the line has 2 ends and 2 beginnings.
run "$sennit" test outside.c -k --sym-args 0 2 2 --sym-stdin 1 --sym-file config.txt=2 --tests suite --junit=junit.xml \
    --sarif=result.sarif
expect_code 1 'outside.c'
json '.verdict == "bounded" and .executions == 105 and .redundant == 0 and .bugs[0].confirmed'
json '[.bounds[] | select(.hits > 0) | "\(.name) \(.limit) \(.hits)"] == ["sym-args 2 105", "sym-stdin 1 105", "sym-file 2 105"]'
sizes='bounds: 0 to 2 arguments of at most 2 bytes .--sym-args. .hit 105 times., standard input of exactly 1 byte '
expect_text out "$sizes" 'sizes of inputs in the verdict'
expect_text out 'config.txt of exactly 2 bytes .--sym-file.' 'the size of a file in the verdict'
expect_text junit.xml "$sizes" 'sizes of inputs in JUnit'
expect_text result.sarif "$sizes" 'sizes of inputs in SARIF'
json '.bugs[0].inputs.stdin == "y" and .bugs[0].inputs.argc == 2'
cmake -S suite -B suite/build >/dev/null 2>&1 && cmake --build suite/build >err 2>&1
run ctest --test-dir suite/build
expect_text out '100% tests passed, 0 tests failed out of 105' 'arguments, standard input and files natively'
run "$sennit" test outside.c -k --sym-args=1,1,1
json '.executions == 2 and .bugs == []'

# Rounds are counted in the frame: 0 to 7 rounds, and the cut; twice that with two threads.
run "$sennit" test rounds.c -k --unroll 7
expect_code 1 '--unroll'
json '.verdict == "bounded" and .executions == 9 and (.bounds[] | select(.name == "unroll") | .hits == 1 and .limit == 7)'
json '.bugs[0].inputs.n == 5'
run "$sennit" test rounds.c -k --unroll 3 -DTHREADS
# the last steps conflict in 4 * 4 classes of inputs: the two additions commute
json '.verdict == "bounded" and .redundant == 0 and .executions == 25'
run "$sennit" test rounds.c --unroll 3
expect_code 0 'no sum of 10 within three rounds'
expect_text out 'exhaustive within bounds: .*at most 3 iterations of a loop' '--unroll'

# Other orders find the same paths; with threads they see one order of these.
for order in bfs coverage; do
    run "$sennit" test bubble.c -k --order=$order
    json '.verdict == "exhaustive" and .executions == 24'
    run "$sennit" test both.c -k --order=$order
    json '.verdict == "bounded" and (.bounds[] | select(.name == "order") | .hits == 8)'
done
run "$sennit" test rounds.c -k --unroll 100 --order=bfs --max-execs 7
expect_code 1 'the shortest loops first'

# A replayed prefix that takes another branch: what is compared with the input changes from
# run to run.
run "$sennit" test drifting.c
expect_code 4 'a branch that is another one in each run'
expect_text out 'is nondeterministic' 'a branch that is another one in each run'
json '.verdict != "exhaustive"'

# A function of the program comes before the library's of the same name, also in another file and through a pointer.
run "$sennit" test own.c own_toupper.c -k
expect_code 1 'a function of the program'
json '.verdict == "exhaustive" and [.bugs[].inputs.c] == [3]'
# A tracked function is not an opaque call.
run "$sennit" test tracked.c -k
json '.verdict == "exhaustive" and .executions == 7 and .bugs == []'
expect_no_text out 'uninstrumented calls' 'sscanf of inputs'

refused 2 'three numbers' "$sennit" test outside.c --sym-args 2 1 1
refused 2 'NAME=N' "$sennit" test outside.c --sym-file config.txt
# A program that asks for no inputs does not pay for them: nothing marks it as one that does
cat >plain.c <<'END'
#include <sennit/actor.h>
#include <string.h>
static void body(void *argument) { int m; sennit_receive(&m, sizeof m); (void)argument; }
int main(int argc, char **argv)
{
    sennit_pid pid = sennit_spawn("a", body, 0);
    int m = (int)strlen(argv[argc - 1]);
    sennit_send(pid, &m, sizeof m);
    sennit_run();
    return 0;
}
END
"$sennit" cc plain.c -o plain
readelf -SW plain | grep -q sennit_inputs && complain 'a program without inputs is tracked'

# Nothing that the exchange can find depends on inputs: what it would do after other steps is known
# without running it.
run "$sennit" test "$sources/../../paths/swaps.c" -DELSEWHERE -k
json '.verdict == "exhaustive" and .executions == 2 and .probes == 0'

# Blocks whose size is an input. 1: sizes to 3, to 256, to 1000. 2: at the end, or before it.
# 3: a path per size. 4: large enough for both threads or not; they commute. 5: realloc copies
# a known number of bytes, 0 to 5. 6: any size. What fails the assumption counts in 2, 4 and 6.
for plain in race visible; do
    for shape in 1:3:1 2:3:1 3:5:0 4:3:1 5:6:0 6:2:1; do
        IFS=: read -r number executions bugs <<<"$shape"
        run "$sennit" test sizes.c -DSHAPE="$number" --plain="$plain" -k --any-exit-code
        json ".verdict == \"exhaustive\" and .executions == $executions and .redundant == 0 and (.bugs | length) == $bugs"
    done
done
run "$sennit" test sizes.c -DSHAPE=1 -k
json '.bugs[0].kind == "heap-bounds" and .bugs[0].inputs.n < 4'
# More than a thread's heap can hold is not given, and the verdict says so; more than any
# machine has is an error that the program sees.
cat >huge.c <<'END'
#include <stdlib.h>
int main(void)
{
    char *volatile none = malloc((size_t)1 << 48), *volatile p;
    if (none)
        abort();
    p = malloc((size_t)1 << 40);
    *p = 1;
    return 0;
}
END
run "$sennit" test huge.c -k
expect_code 0 'huge.c'
json '.verdict == "bounded" and (.bounds[] | select(.name == "memory") | .hits == 1)'

# KLEE's other functions. The sign (3 paths), one of three options; then a value is taken as it is.
cat >klee.c <<'END'
#include <klee/klee.h>
#include <stdlib.h>
int main(void)
{
    int x, sign;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_prefer_cex(&x, x > 3);
    klee_print_expr("x", x);
    klee_set_forking(1);
    klee_warning("of no interest");
    klee_open_merge();
    sign = x == 0 ? 0 : x < 0 ? -1 : 1;
    klee_close_merge();
    switch (sign) {
    case 0: return !klee_is_symbolic((uintptr_t)x);
    case 1: break;
    default: klee_silent_exit(0);
    }
    klee_check_memory_access(&x, sizeof x);
    klee_assert(klee_get_obj_size(malloc(17)) == 17 && klee_get_errno() == 0 && !klee_is_replay());
    switch (klee_choose(3)) {
    case 0: return 0;
    case 1: break;
    default: klee_assert(klee_get_valuel(77) == 77); return 0;
    }
    int y = klee_get_value_i32(x);
    klee_assert(!klee_is_symbolic((uintptr_t)y) && x == y);
    return 0;
}
END
run "$sennit" test klee.c -k
expect_code 0 'klee.c'
json '.verdict == "exhaustive-but-for" and .executions == 5 and .concretised[0].what == "klee_get_value" and .concretised[0].count == 1'

# Code that nobody looks into may read whatever its arguments lead to, however far.
cat >native.c <<'END'
struct Node { struct Node *next; int value; };
int last_is_42(const struct Node *node)
{
    while (node->next)
        node = node->next;
    return node->value == 42;
}
END
cat >list.c <<'END'
#include <sennit/sennit.h>
#include <stdlib.h>
struct Node { struct Node *next; int value; };
int last_is_42(const struct Node *node);
int main(void)
{
    struct Node *list = NULL;
    int last = sennit_int("last");
    for (int i = 0; i < 8; i++) {
        struct Node *node = malloc(sizeof *node);
        *node = (struct Node){list, list ? i : last};
        list = node;
    }
    sennit_assert(!last_is_42(list));
    return 0;
}
END
cc -c native.c && "$sennit" cc list.c native.o -o list
run "$sennit" explore ./list
expect_code 0 'a list that other code reads'
json '.verdict == "exhaustive-but-for" and .concretised[0].count == 1 and .unseen[0].kind == "value"'

# An input function that nobody has: a message with its place, unless another file defines it.
cat >unknown.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern int __VERIFIER_nondet_weekday(void);
int main(void)
{
    if (__VERIFIER_nondet_int() == 4)
        return __VERIFIER_nondet_weekday();
    return 0;
}
END
echo 'int __VERIFIER_nondet_weekday(void) { return 0; }' >weekday.c
run "$sennit" test unknown.c -O1
expect_code 2 'an unknown input function'
expect_text out '__VERIFIER_nondet_weekday, an unknown input function, is not modelled' 'unknown.c'
expect_text out '\(unknown.c:6\)' 'unknown.c'
run "$sennit" test unknown.c weekday.c
expect_code 0 'an input function of the program'
json '.verdict == "exhaustive" and .executions == 2'

# Numbers of 128 bits in tests: as text, and in a program of their own.
cat >wide.c <<'END'
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
int main(void)
{
    if (__VERIFIER_nondet_int128() == -((__int128)1 << 100) - 7)
        return 1;
    if (__VERIFIER_nondet_uint128() == (unsigned __int128)-3)
        return 2;
    return 0;
}
END
run "$sennit" test wide.c -k --any-exit-code --tests wide
json '.verdict == "exhaustive" and .executions == 3'
grep -q '^input int128 -1267650600228229401496703205383$' wide/*.trace || complain 'a number of 128 bits'
for trace in wide/*.trace; do
    run "$sennit" replay "$trace"
    expect_code 0 "$trace"
done
cmake -S wide -B wide/build >/dev/null 2>&1 && cmake --build wide/build >err 2>&1
run ctest --test-dir wide/build
expect_text out '100% tests passed, 0 tests failed out of 3' 'numbers of 128 bits natively'

# Formatted reading and lines of standard input: the C library takes the same paths. After main's
# first test of what was read it ends in different places.
cat >scan.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 7, x = 9, count;
    char word[8] = "", c = '.', *line = NULL;
    size_t room = 0;
    count = scanf("%d%c %3[a-f]%i", &n, &c, word, &x);
    int code = (count + 1) * 40 + (n == 7) * 20 + (word[0] == 'a') * 10 + (c == ' ') * 5 + (feof(stdin) ? 2 : 0);
    code += getchar() == EOF;
    if (code == 83 || code == 122 || count == 2)
        return code;
    if (getline(&line, &room, stdin) > 0)
        return 100;
    free(line);
    return 0;
}
END
run "$sennit" test scan.c -k --any-exit-code --sym-stdin 4 --tests scan
json '.verdict == "bounded" and .redundant == 0 and .executions == 72'
cmake -S scan -B scan/build >/dev/null 2>&1 && cmake --build scan/build >err 2>&1
run ctest --test-dir scan/build
expect_text out '100% tests passed, 0 tests failed out of 72' 'scanf natively'
# Standard input that is no input is read by the C library.
run "$sennit" cc scan.c -o scan-plain
echo '12 abc0x' | "$sennit" explore ./scan-plain --any-exit-code -k >out 2>&1
code=$?
expect_code 0 'real standard input'
json '.verdict == "exhaustive" and .executions == 1'

# Options. One argument of two bytes: none (it begins otherwise, or is a lone minus sign), "--", v, n
# without its argument, a colon, another letter. Two workers: each test has the status of its own execution.
cat >options.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int verbose = 0, n = 0;
    for (int c; (c = getopt(argc, argv, "vn:")) != -1;)
        switch (c) {
        case 'v': verbose++; break;
        case 'n': n = optarg[0]; break;
        default: return 2;
        }
    if (verbose && n == '7')
        return 3;
    return optind < argc ? 4 : 0;
}
END
run "$sennit" test options.c --any-exit-code --sym-args 1 1 2
json '.verdict == "bounded" and .executions == 7'
run "$sennit" test options.c --any-exit-code --sym-args 0 2 2 --jobs=2 --tests options
json '.verdict == "bounded" and .executions == 33 and .redundant == 0'
cmake -S options -B options/build >/dev/null 2>&1 && cmake --build options/build >err 2>&1
run ctest --test-dir options/build
expect_text out '100% tests passed, 0 tests failed out of 33' 'getopt natively'
# Sampling tries other inputs too: it begins again where an assumption fails, takes other outcomes of branches, and draws
# values of its own, small ones often.
cat >sampled.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int condition) { if (!condition) abort(); }
int taken[4], order[4], count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *take(void *unused)
{
    pthread_mutex_lock(&m);
    int i = __VERIFIER_nondet_int();
    assume_abort_if_not(0 <= i && i < 4);
    assume_abort_if_not(!taken[i]);
    taken[i] = 1;
    order[count++] = i;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t ids[4];
    int secret = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        pthread_create(&ids[i], 0, take, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(ids[i], 0);
    assert(!(order[0] == 2 && order[1] == 0 && order[2] == 3 && order[3] == 1 && secret == 123456));
    return 0;
}
END
for strategy in random pct:3 turns; do
    run "$sennit" test sampled.c --any-exit-code --strategy=$strategy --max-execs 20000 -j 1
    expect_code 1 "inputs sampled by $strategy"
    json '.verdict == "sampled" and .bugs[0].kind == "assertion" and .bugs[0].confirmed'
    first=$(jq .executions sennit-last/run.json)
    run "$sennit" test sampled.c --any-exit-code --strategy=$strategy --max-execs 20000 -j 1
    json ".executions == $first"
done
# An assumption that no input satisfies does not stop a sample from coming to an end.
cat >never.c <<'END'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int condition) { if (!condition) abort(); }
int main(void) { if (__VERIFIER_nondet_int() > 5) assume_abort_if_not(0); else assume_abort_if_not(0); return 0; }
END
run "$sennit" test never.c --any-exit-code --strategy=random --max-execs 100
json '.verdict == "sampled" and .executions == 100 and .bugs == []'
finish
