#!/usr/bin/env bash
# An option has an effect or is refused: every option, for every verb and kind of program.
# Usage: tests/cli/options.sh SENNIT
. "$(dirname "$0")/lib.sh"
tests=${sources%/cli/programs}
cp "$sources"/options/* .
mv model.abs saved.abs && cp saved.abs model.abs
echo 'node s ./modes' >two.conf

# The table: an option with a value that is not its default; what shows its effect in `sennit explore` on a C program
# (modes.c and its first argument, or actors.c), and on an ABS model:
#   no                refused
#   MODE [OPTIONS]    the results differ from those without the option (both with OPTIONS); @ for actors.c
#   MODE OPTIONS => X the results are such that jq says X is true
#   see FILE          another test, which uses it, observes the effect
table='
keep-going|           |bug                              |default
strategy|random       |threads --max-execs=3            |model --max-execs=3
sample-after|0.001ms  |threads => .samples == 100       |model => .samples == 100
reduction|none        |threads                          |model
order|bfs             |threads                          |model
seed|7                |threads --strategy=random --max-execs=3|model --strategy=random --max-execs=3
isolate|fork          |outside                          |no
restore|check         |no                               |no
max-time|1ms          |threads --strategy=random => .ending == "max-time"|model --strategy=random => .ending == "max-time"
max-execs|1           |threads                          |model
max-steps|3           |threads                          |model
preemptions|0         |threads                          |model
unroll|1              |threads                          |no
max-children|1        |threads                          |no
max-processes|1       |see litmus/fork.c                |no
max-inputs|1          |see cli/limits.sh                |no
max-step-time|1s      |hang => .seconds < 9 and any(.bounds[]; .name == "max-step-time" and .hits == 1)|no
timeouts|0            |timed                            |no
sym-args|1,1,1        |arguments                        |no
sym-stdin|1           |input                            |no
sym-file|input=1      |file                             |no
unset|                |memory                           |no
solver-time|100ms     |hard => .solver.unknown == 1     |see cli/solver.sh
smtlib|queries        |hard --solver-time=100ms         |see cli/solver.sh
memory|rc11           |threads => .memory == "rc11"     |no
suggest|              |see cli/weak.sh                  |no
plain|visible         |race                             |no
spurious|             |condition                        |no
weak-cas|on           |@                                |no
barriers|ordered      |barrier                          |no
check|leak            |leak                             |no
check|overflow        |overflow                         |no
check|scope           |see cli/options.sh               |no
any-exit-code|        |status                           |no
channels|fifo         |@                                |no
symmetry|             |@                                |no
lose|1                |@                                |no
duplicate|1           |@                                |no
crash|1               |@                                |no
reset|1               |see cli/cluster.sh               |no
short|1               |see cli/cluster.sh               |no
delivery|at-once      |see cli/cluster.sh               |no
partition|1           |see cli/cluster.sh               |no
cluster|two.conf      |see cli/cluster.sh               |no
node|s=./modes        |see cli/cluster.sh               |no
client|a=./modes      |see cli/cluster.sh               |no
restart|              |see cli/cluster.sh               |no
path|elsewhere        |no                               |see abs/modules.sh
dialect|1.4           |no                               |see abs/products.sh
product|P             |no                               |see abs/products.sh
all-products|         |no                               |see abs/products.sh
dependence|actor      |no                               |model
await|release         |no                               |model
tasks|fifo            |no                               |model
objects|round-robin   |no                               |model
objects|1             |no                               |model
loop|1                |no                               |model
switches|1            |no                               |model
time|free             |no                               |see abs/timed.sh
resources|ignore      |no                               |see abs/timed.sh
max-clock|1           |no                               |see abs/timed.sh
until|decision-coverage|no                              |model
first-bug|            |no                               |model
show|all              |no                               |model
tree|text             |no                               |model
diagram|              |no                               |model
jobs|2                |see cli/verdicts.sh             |see abs/counts.tsv
store|redis://127.0.0.1:1|threads                       |model
checkpoint|1s         |see dist/resume.sh dist/notes.sh |see dist/resume.sh dist/notes.sh
output|elsewhere      |threads                          |model
json|                 |threads                          |model
junit|results.xml     |threads                          |model
sarif|results.sarif   |threads                          |model
github|               |threads                          |model
tests|suite           |paths                            |model
select|branch         |paths --tests=suite              |no
max-tests|1           |paths --tests=suite              |model --tests=suite
keep-executions|1     |threads                          |model
color|always          |bug                              |model
quiet|                |see dist/resume.sh               |see abs/reports.sh
verbose|              |bug                              |model
'

# ---- Effects ---------------------------------------------------------------------------------------------------------

cc -c foreign.c && "$sennit" cc --unroll --scope --inputs -g modes.c foreign.o -o modes &&
    "$sennit" cc -g actors.c -o actors && "$sennit" cc -g -w modes.c foreign.o -o plain || complain 'does not compile'

# What a run leaves: its report, its results and the names of its files, without times and places.
footprint() { # words of the command...: sets $code, writes to `result`
    rm -rf room && mkdir room && cp modes actors model.abs room
    printf 'y' >room/input
    (cd room && timeout 100 "$sennit" "$@" >../out 2>../err </dev/null)
    code=$?
    find room -name run.json -exec cp {} last.json \;
    {
        echo "code $code"
        sed -E 's/[0-9.]+ (ms|s|min|h|MB|kB|GB)\b//g; s/\([0-9.k]+\/s\)//g' out err
        (cd room && find . -type f ! -name run.json ! -name stats.jsonl | sort)
        find room -name run.json -exec jq 'del(.seconds, .cpu_seconds, .peak_kb, .command, .program, .solver)' {} \;
    } >result
}

observe() { # option cell: the option as typed, where it has an effect
    local option=$1 cell=$2 wanted= program
    [[ $cell != *'=>'* ]] || { wanted=${cell#*=>}; cell=${cell%%=>*}; }
    read -ra words <<<"$cell"
    case ${words[0]} in
        @) program=(./actors) ;;
        model) program=(model.abs) ;;
        *) program=(./modes -- "${words[0]}") ;;
    esac
    local extra=("${words[@]:1}")
    if [ -n "$wanted" ]; then
        footprint explore "${extra[@]}" "$option" "${program[@]}"
        jq -e "$wanted" last.json >/dev/null || complain "$option has no effect: not $wanted"
        return
    fi
    footprint explore "${extra[@]}" "${program[@]}"
    mv result without
    footprint explore "${extra[@]}" "$option" "${program[@]}"
    ! cmp -s result without || complain "$option has no effect on ${program[*]} ${extra[*]}"
    [ "$code" != 2 ] || [ "${option%%=*}" = --store ] || complain "$option is refused for ${program[*]}"
}

mentions() { # option files...: does one of the tests use it?
    local option=${1%%=*} file
    [ "$option" != --quiet ] || option=' -q '
    [ "$option" != --jobs ] || option='-j ?2'
    shift
    for file; do
        grep -qsE -- "$option" "$tests/$file" && return
    done
    complain "$option is said to be observed by $*"
}

must_refuse() { # option command...: exit code 2 and a message that names the option
    local option=$1
    shift
    run "$@" "$option"
    [ "$code" = 2 ] && grep -qE -- "(^|[^a-z-])${option%%=*}([^a-z-]|\$)" err || complain "$* $option: neither an effect nor refused"
}

try_cell() { # option cell C-program-or-model
    case $2 in
        no) must_refuse "$1" "$sennit" explore "$3" ;;
        default) ;;
        see*) mentions "$1" ${2#see } ;;
        *) observe "$1" "$2" ;;
    esac
}

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

while IFS='|' read -r name value native model; do
    [ -n "$name" ] || continue
    value=$(trim "$value")
    option=--$name${value:+=$value}
    try_cell "$option" "$(trim "$native")" ./modes
    try_cell "$option" "$(trim "$model")" model.abs
done <<<"$table"

# ---- Without actors; not compiled for it; without the option it belongs to -------------------------------------------

for option in --channels=fifo --symmetry --lose=1 --duplicate=1 --crash=1; do
    must_refuse "$option" "$sennit" explore ./modes
done
must_refuse --weak-cas=on "$sennit" explore ./modes # without weak exchanges
for option in --max-children=1 --spurious --barriers=ordered; do # without threads, condition variables, barriers
    must_refuse "$option" "$sennit" explore ./actors
done
must_refuse --reduction=dcute "$sennit" explore model.abs
must_refuse --reduction=states "$sennit" explore model.abs
must_refuse --reduction=states "$sennit" explore ./modes # calls functions whose states are not known
for option in --max-steps=9 --preemptions=1 --plain=visible --isolate=fork --memory=rc11; do
    must_refuse --reduction=states "$sennit" explore ./actors "$option"
done
must_refuse --sample-after=1s "$sennit" explore ./modes --preemptions=1
# Executions are continued where nothing keeps state that cannot be kept; ./modes does (sockets, streams, inputs).
cat >increments.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *argument) { x++; x++; return argument; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int first = x, second = x;
    pthread_join(t, NULL);
    return first > second;
}
EOF
run "$sennit" test increments.c --restore=off
jq -e '.executions == 6 and .restored == null' sennit-last/run.json >/dev/null || complain '--restore=off: continued'
expect_no_text out 'continued' '--restore=off'
for how in on check; do
    run "$sennit" test increments.c --restore=$how
    jq -e '.executions == 6 and .restored == 3' sennit-last/run.json >/dev/null || complain "--restore=$how: not continued"
    expect_text out "^  3 executions continued .*--restore=$how" "--restore=$how"
    must_refuse --restore=$how "$sennit" test increments.c --isolate=fork
    must_refuse --restore=$how "$sennit" test increments.c --strategy=random
    must_refuse --restore=$how "$sennit" explore ./actors
done
expect_text err 'for it uses [a-z_]+, whose state is not kept' '--restore=check: the reason'
must_refuse --preemptions=1 "$sennit" explore ./modes --strategy=random --max-execs=10
must_refuse --preemptions=1 "$sennit" explore ./modes --strategy=exhaustive,pct:2
must_refuse --unroll=2 "$sennit" explore ./plain
must_refuse --check=scope "$sennit" explore ./plain
must_refuse --select=branch "$sennit" explore ./modes
must_refuse --max-tests=1 "$sennit" explore ./modes
must_refuse --seed=7 "$sennit" explore ./modes
must_refuse --symmetry "$sennit" explore --channels=fifo ./actors
must_refuse --reduction=none "$sennit" explore --strategy=random ./modes
must_refuse --first-bug "$sennit" explore -k model.abs
for option in max-execs max-time max-steps loop switches objects solver-time; do
    must_refuse "--$option=0" "$sennit" explore model.abs
done
for option in unroll max-children sym-stdin max-step-time; do
    must_refuse "--$option=0" "$sennit" explore ./modes
done

# ---- Every option of the manual, with every verb ---------------------------------------------------------------------
# docs/options.md says which verbs take an option; the others name it in a message. Nothing is run: the file is missing.

declare -A value_of
while IFS='|' read -r name value _; do
    [ -z "$name" ] || value_of[$name]=$(trim "$value")
done <<<"$table"
value_of[search]=first value_of[compare]= value_of[context-depth]=2 value_of[timeout-per-cycle]=1s
value_of[recursion]=1 value_of[no-independence]= value_of[no-stability]= value_of[no-aliases]= value_of[no-null]=
value_of[for-deadlock]= value_of[lease]=1s value_of[forget]= value_of[coverage]=off value_of[gdb]= value_of[instead]=1:0
value_of[execution]= value_of[critical]= value_of[html]=page.html

check_taken() { # verb option takes? command...: refused by name if the verb does not take it, else only the file is
    local verb=$1 option=$2 takes=$3
    shift 3
    run "$@" "$option"
    [ "$code" = 2 ] || complain "$* $option: exit code $code"
    if [ "$takes" = yes ]; then
        ! grep -qE -- "(^|[^a-z-])${option%%=*} (is|needs|uses)|unknown option ${option%%=*}" err || complain "$* $option: refused"
    else
        grep -qE -- "(^|[^a-z-])${option%%=*}([^a-z-]|\$)" err || complain "$* $option: neither taken nor refused"
    fi
}

rows=$(sed -n '/^## Common options/,/^## Options of single verbs/p' "$tests/../docs/options.md" | grep '^| `-')
count=0
while IFS= read -r row; do
    name=$(sed -E 's/^\| `(-., )?--([a-z-]+).*/\2/' <<<"$row")
    verbs=$(sed -E 's/.*\| ([a-z, -]*) \|$/\1/' <<<"$row" | tr -d ,)
    [ -n "${value_of[$name]+known}" ] || { complain "--$name is not in the table of this test"; continue; }
    option=--$name${value_of[$name]:+=${value_of[$name]}}
    count=$((count + 1))
    companions=()
    case $name in
        seed) companions=(--strategy=random) ;;
        select | max-tests) companions=(--tests=suite) ;;
    esac
    for verb in test explore deadlock generate replay status worker; do
        takes=no
        [[ " $verbs " != *" $verb "* ]] || takes=yes
        with=()
        [ $takes = no ] || [[ $verb = deadlock ]] || with=("${companions[@]}")
        native=$takes model=$takes
        [[ $row != *'only ABS models'* ]] || native=no
        [[ $row != *'only C programs'* ]] || model=no
        [ "$verb $name" != 'deadlock seed' ] || model=no
        case $verb in
            test | explore | deadlock)
                check_taken $verb "$option" $native "$sennit" $verb missing.c $([ $native = no ] || echo "${with[@]}")
                check_taken $verb "$option" $model "$sennit" $verb missing.abs $([ $model = no ] || echo "${with[@]}") ;;
            generate)
                [ $name != select ] && [ $name != reduction ] || continue # it has its own
                [ "$option" != --objects=1 ] && [ $name != for-deadlock ] || model=yes
                check_taken $verb "$option" $takes "$sennit" generate missing.abs --method A.b
                # For C functions: the options of `sennit test`, but that the tests have their place.
                [[ " $verbs " != *" test "* ]] || takes=yes
                [[ $row != *'only ABS models'* ]] && [ $name != tests ] && [ $name != html ] || takes=no
                [ $name = output ] && option=--output=elsewhere
                check_taken $verb "$option" $takes "$sennit" generate missing.c --function f $([ $name != seed ] || echo --strategy=random) ;;
            worker) [ $takes = yes ] || check_taken $verb "$option" no "$sennit" worker ;;
            replay) check_taken $verb "$option" $takes "$sennit" replay missing.trace ;;
            status) [ $takes = yes ] || check_taken $verb "$option" no "$sennit" status ;;
        esac
    done
done <<<"$rows"
[ $count -ge 65 ] || complain "only $count options in docs/options.md"

# ---- Single verbs ----------------------------------------------------------------------------------------------------

must_refuse --objects=round-robin "$sennit" generate model.abs --method Cell.put
must_refuse --context-depth=9 "$sennit" deadlock model.abs
for option in --method=A.b --contexts --format=concrete --emit=abs --range=1..2 --select=states --reduction=stable --function=f; do
    program=missing.c
    [ $option != --function=f ] || program=missing.abs
    must_refuse "$option" "$sennit" generate $program
done
cat >function.c <<'EOF'
int classify(int x) { for (int i = 0; i < 3; i++) if (x == i) return i; return 7; }
EOF
written() { # tests options...: the number of tests that are written for `classify`
    local wanted=$1 got
    shift
    rm -rf classify-tests elsewhere
    run "$sennit" generate function.c --function classify "$@"
    got=$(ls classify-tests/*.trace 2>/dev/null | wc -l)
    [ "$got" = "$wanted" ] || complain "generate $*: $got tests instead of $wanted"
}
written 4
written 2 --max-execs=2
written 1 --max-tests=1
written 4 --output=elsewhere
[ -f elsewhere/run.json ] || complain 'generate --output: no run.json there'
# Options of workers: --max-time and --jobs are observed by dist/, the others here.
run "$sennit" worker --store=redis://127.0.0.1:1 --lease=1s --max-time=1s --jobs=1 -q -v
expect_code 5 'worker without a store'
expect_text err 'no store at 127.0.0.1:1' 'worker without a store'
"$sennit" explore -q --max-execs=1 -o part ./modes >out 2>err
for option in --output=x --store=redis://127.0.0.1:1 --coverage=off --max-steps=3 --reduction=none --preemptions=1; do
    must_refuse "$option" "$sennit" resume part
done
run "$sennit" test modes.c foreign.o -- scope # by the runtime of code that is compiled for it
expect_code 0 'without --check=scope'
run "$sennit" test modes.c foreign.o --check=scope -- scope
expect_code 1 '--check=scope'
cp "$sources/deadlock.c" .
run "$sennit" deadlock deadlock.c --search=none
expect_code 3 'deadlock --search=none'
expect_text out 'may deadlock: 1 cycle, 1 not checked' 'deadlock --search=none'
run "$sennit" deadlock deadlock.c
expect_code 1 'deadlock without --search'

# ---- Messages begin with the verb ------------------------------------------------------------------------------------

for words in 'test nothing.c' 'test nothing.abs' 'explore nothing' 'explore nothing.abs' 'deadlock nothing.c' \
    'deadlock nothing.abs' 'generate nothing.c --function f' 'generate nothing.abs --method A.b' 'replay nothing' \
    'resume nothing' 'cov nothing' 'check nothing.abs' 'test-suite nothing' 'worker' 'status' \
    'explore ./modes --lose=1' 'explore model.abs --lose=1' 'explore ./modes --junit=nowhere/x' 'replay ./modes' \
    'explore model.abs --store=redis://127.0.0.1:1' 'worker --store=redis://127.0.0.1:1'; do
    run "$sennit" $words
    [ "$code" != 0 ] && head -1 err | grep -q "^sennit ${words%% *}: " || complain "$words: the message begins otherwise"
done

finish
