#!/usr/bin/env bash
# Wrong input is refused with exit code 2 and a message that says what is wrong.
. "$(dirname "$0")/lib.sh"

# Verbs and flags
refused 2 'Start with' "$sennit"
refused 2 'unknown verb tets; did you mean test' "$sennit" tets
refused 2 'try: sennit test x.c' "$sennit" x.c
refused 2 'unknown option --max-tim; did you mean --max-time' "$sennit" test x.c --max-tim=3
refused 2 'max-time=soon: expected a time' "$sennit" explore ./x --max-time=soon
refused 2 'unknown option -z' "$sennit" explore -z ./x
refused 2 'unknown option --depth' "$sennit" replay --depth x.trace
refused 2 '--seed needs a value' "$sennit" explore ./x --seed
for option in output junit sarif store sym-file smtlib tests; do
    refused 2 "--$option needs a value" "$sennit" explore ./x --$option=
done
for option in -o --junit --sarif; do
    refused 2 "needs a value" "$sennit" test x.c $option ''
    refused 2 "needs a value" "$sennit" deadlock x.c $option ''
done
run "$sennit" --help && expect_text out 'sennit test' '--help'
run "$sennit" --version && expect_text out '^sennit [0-9]' '--version'
for verb in test explore replay cc; do
    run "$sennit" $verb --help
    expect_code 0 "$verb --help"
    expect_text out "^sennit $verb" "$verb --help"
done
run "$sennit" test --help && expect_text out 'keep-going' 'test --help'

# sennit test
refused 2 'no file given' "$sennit" test
refused 2 'missing.c: No such file' "$sennit" test missing.c
echo 'int main() {}' >program.cpp
refused 2 'program.cpp: neither a C file nor an ABS file' "$sennit" test program.cpp
echo 'int main(void) { return undeclared; }' >broken.c
refused 2 'undeclared' "$sennit" test broken.c
expect_text err 'broken.c does not compile' 'compile error'
echo 'int x; int main(void) { return __atomic_load_n(&x, __ATOMIC_RELEASE); }' >order.c
refused 2 'order.c:1:[0-9]*: error: memory order argument to atomic operation is invalid' "$sennit" test order.c
[ ! -e sennit-last ] || complain 'a run that never began left sennit-last behind'
[ -z "$(ls sennit-out 2>/dev/null)" ] || complain 'a run that never began left a directory behind'
echo 'module M; {}' >model.abs
refused 2 'C files and compiler flags cannot be combined with ABS files' "$sennit" test model.abs -O2
refused 2 'a model takes no arguments' "$sennit" explore model.abs -- x
refused 2 'no file given' "$sennit" check
refused 2 'unknown option --nonsense' "$sennit" check --nonsense model.abs
refused 2 'No such file' "$sennit" check nowhere.abs

# sennit explore
refused 2 'no program given' "$sennit" explore
refused 2 'missing: No such file' "$sennit" explore missing
mkdir bare
refused 2 'bare: no ABS files' "$sennit" explore bare
refused 2 'try: sennit test broken.c' "$sennit" explore broken.c
echo 'module M; { Int x = True; y = 2; }' >wrong.abs
refused 2 'the model has errors' "$sennit" explore wrong.abs
refused 2 'wrong.abs:1:' "$sennit" test wrong.abs
echo text >text
refused 2 'not executable' "$sennit" explore ./text
refused 2 'not built with `sennit cc`' "$sennit" explore /bin/true
printf '#!/bin/sh\n' >script && chmod +x script
refused 2 'not a program' "$sennit" explore ./script
: >empty && chmod +x empty
refused 2 'not a program' "$sennit" explore ./empty
head -c 5000 /bin/true >cut && chmod +x cut
refused 2 'not built with' "$sennit" explore ./cut
"$sennit" cc "$sources/clean.c" -o clean || complain 'clean.c does not compile'
refused 2 'one program at a time' "$sennit" explore ./clean other
refused 2 'SENNIT_OPTIONS: unknown option --nonsense' env SENNIT_OPTIONS=--nonsense ./clean

# sennit replay
refused 2 'no trace given' "$sennit" replay
refused 2 'missing.trace: No such file' "$sennit" replay missing.trace
refused 2 'not a Sennit trace' "$sennit" replay broken.c
refused 2 'not a Sennit trace' "$sennit" replay clean
cp "$sources/deadlock.c" .
run "$sennit" test deadlock.c -q
expect_code 1 'deadlock.c'
trace=$(echo sennit-last/bugs/deadlock-*.trace)
run "$sennit" replay "$trace"
expect_code 1 'replay'
expect_text out 'each as recorded' 'replay'
sed 's/^step 2 /step 3 /' "$trace" >damaged.trace
refused 2 'damaged.trace:[0-9]+: damaged trace' "$sennit" replay damaged.trace
head -n 12 "$trace" >short.trace
refused 2 'damaged trace: it ends too early' "$sennit" replay short.trace
sed 's/^sennit-trace 1/sennit-trace 99/' "$trace" >format.trace
refused 2 'trace format 99' "$sennit" replay format.trace
sed 's/^version .*/version 0.0.1/' "$trace" >version.trace
refused 2 'written by Sennit 0.0.1' "$sennit" replay version.trace
program=$(sed -n 's/^program //p' "$trace")
cp "$program" saved && "$sennit" cc -DX "$sources/clean.c" -o "$program"
refused 2 'recorded with another build' "$sennit" replay "$trace"
rm "$program"
refused 2 'No such file' "$sennit" replay "$trace"
cp saved "$program"
run "$sennit" replay "$trace"
expect_code 1 'replay of the first binary again'
# Flags with which something else would be built than the program.
echo 'int main(void) { return 0; }' >whole.c
for flag in -c -S -E -r -shared; do
    run "$sennit" test whole.c $flag
    expect_code 2 "test $flag"
    expect_text err "sennit test: $flag: sennit test builds a whole program" "test $flag"
done
run "$sennit" test whole.c -fopenmp
expect_code 2 'test -fopenmp'
expect_text err 'OpenMP is not modelled' 'test -fopenmp'
finish
