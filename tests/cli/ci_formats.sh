#!/usr/bin/env bash
# --junit, --sarif, --github: exact values, well-formed files, valid SARIF, files also of runs that end early.
# What validates SARIF comes from the npm registry, with the versions of sarif/package-lock.json; it is installed
# into the build directory. That it cannot be installed is a failure, not a reason to skip.
. "$(dirname "$0")/lib.sh"
here=$(cd "$sources/.." && pwd)
examples=$(cd "$here/../../examples" && pwd)
checker=$(dirname "$sennit")/tests/sarif

# ---- The validators ---------------------------------------------------------------------

install_checker() {
    local packages=$here/sarif/package-lock.json
    cmp -s "$packages" "$checker/installed.json" && return
    command -v npm >/dev/null || { echo 'FAIL: npm is missing: tools/setup installs it'; exit 1; }
    rm -rf "$checker" && mkdir -p "$checker" && cp "$here/sarif/package.json" "$packages" "$checker" &&
        (cd "$checker" && npm ci --ignore-scripts --no-audit --no-fund >install.log 2>&1) ||
        { echo "FAIL: npm cannot install the SARIF validators into $checker:"; cat "$checker/install.log"; exit 1; }
    chmod u+x "$checker/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
    cp "$packages" "$checker/installed.json"
}

# A line per suite, property and case: what a build server sees.
cat >junit.py <<'EOF'
import sys
import xml.etree.ElementTree as tree
for suite in tree.parse(sys.argv[1]).getroot().findall("testsuite"):
    counts = " ".join(suite.get(k) for k in ("tests", "failures", "errors", "skipped"))
    print("suite", suite.get("name"), counts)
    float(suite.get("time")), suite.get("timestamp").index("T")
    for p in suite.find("properties"):
        print("property", p.get("name"), p.get("value"))
    for case in suite.findall("testcase"):
        float(case.get("time"))
        place = f'{case.get("file")}:{case.get("line")}' if case.get("file") else "-"
        print("case", case.get("classname"), case.get("name"), place)
        for child in case:
            print(child.tag, child.get("type"), "|", child.get("message"), "|", child.text.split("\n")[0])
    print("out", suite.find("system-out").text.strip())
EOF

# ---- Comparing -----------------------------------------------------------------------------

same() { # what expected actual
    [ "$2" = "$3" ] && return
    echo "FAIL: $1"
    diff <(echo "$2") <(echo "$3") | sed 's/^/    | /'
    failures=$((failures + 1))
}

saved=$work/saved
mkdir "$saved"
produce() { # name code command...: runs it with all formats; the files go to $saved
    local name=$1 wanted=$2
    shift 2
    run "$@" --junit "$saved/$name.xml" --sarif "$saved/$name.sarif" --github
    expect_code "$wanted" "$name"
    grep '^::' out >"$saved/$name.github"
    python3 "$work/junit.py" "$saved/$name.xml" >"$saved/$name.junit" 2>"$saved/error" ||
        { complain "$name: JUnit"; cat "$saved/error"; }
}

sarif() { # name filter
    jq -r ".runs[0] | $2" "$saved/$1.sarif"
}

location='"\(.physicalLocation.artifactLocation.uriBaseId) \(.physicalLocation.artifactLocation.uri):\(.physicalLocation.region.startLine)"'
first_flow='.results[0].codeFlows[0].threadFlows[].locations[] | "\(.executionOrder) \(.nestingLevel) \(.location.message.text)"'
thread_flows='.results[0].codeFlows[1].threadFlows[] | "\(.id) \([.locations[].executionOrder] | join(","))"'
properties='.properties | "\(.verdict) \(.complete) \(.ending) \(.executions) \(.strategy) \(.seed)"'
invocation='.invocations[0] | "\(.exitCode) \(.executionSuccessful) \(.toolExecutionNotifications // [] | map(.level) | join(","))"'

# ---- A deadlock: every part of every format, below the top of a repository, with an odd name ----

install_checker
mkdir -p "repo/.git" "repo/src dir"
cp "$examples/bank.c" "repo/src dir/bank#1,2.c"
cd "repo/src dir" || exit 1
produce bank 1 "$sennit" test 'bank#1,2.c' -k
cd "$work" || exit 1
mv "repo/src dir/out" "repo/src dir/err" . 2>/dev/null
bank='src dir/bank#1,2.c'
sentence='second_teller (0.2) waits for alice.lock, first_teller (0.1) waits for bob.lock'
verdict='exhaustive: every schedule covered by 3 executions, 1 bug'
id=$(jq -r '.bugs[0].id' "repo/src dir/sennit-last/run.json")
version=$("$sennit" --version | sed -n '1s/.* //p')
same 'bank: annotations' "::error file=src dir/bank#1%2C2.c,line=33,col=5,title=deadlock-$id::$sentence
::notice title=Sennit%3A bank#1%2C2.c::$verdict" "$(cat "$saved/bank.github")"
same 'bank: JUnit' "suite bank#1,2.c 1 1 0 0
property verdict exhaustive
property complete true
property ending done
property executions 3
property strategy exhaustive
property seed 1
property exit_code 1
property version $version
case bank#1,2.c deadlock-$id $bank:33
failure deadlock | $sentence | deadlock-$id  $sentence
out $verdict" "$(cat "$saved/bank.junit")"
same 'bank: the whole report' "$(cat "repo/src dir/sennit-last/bugs/deadlock-$id.txt")" \
    "$(python3 -c 'import sys, xml.etree.ElementTree as t; print(t.parse(sys.argv[1]).find(".//failure").text)' "$saved/bank.xml")"

same 'bank: the tool' "Sennit $version null 20" \
    "$(sarif bank '.tool.driver | "\(.name) \(.semanticVersion) \(.informationUri) \(.rules | length)"')"
same 'bank: kinds are rules' "$(sed -n 's/^BUG([A-Z_]*, *"\([a-z-]*\)".*/\1/p' "$here/../../src/core/outcome.def")" \
    "$(sarif bank '.tool.driver.rules[].id')"
same 'bank: the result' "deadlock deadlock error $id $sentence." \
    "$(sarif bank '.tool.driver.rules as $r | .results[] |
       "\(.ruleId) \($r[.ruleIndex].id) \(.level) \(.partialFingerprints["sennitBugId/v1"]) \(.message.text)"')"
same 'bank: the place' 'SRCROOT src%20dir/bank%231%2C2.c:33 lock_both' \
    "$(sarif bank ".results[0].locations[] | $location + \" \(.logicalLocations[0].name)\"")"
same 'bank: the root' "file://$work/repo/" "$(sarif bank '.originalUriBaseIds.SRCROOT.uri')"
same 'bank: the directory' "file://$work/repo/src%20dir/" "$(sarif bank '.invocations[0].workingDirectory.uri')"
same 'bank: parties and locks' '33 second_teller (0.2) waits for alice.lock, held by first_teller (0.1)
32 second_teller (0.2) acquired bob.lock, which it holds
33 first_teller (0.1) waits for bob.lock, held by second_teller (0.2)
32 first_teller (0.1) acquired alice.lock, which it holds' \
    "$(sarif bank '.results[0].relatedLocations[] | "\(.physicalLocation.region.startLine) \(.message.text)"')"
same 'bank: in the order of execution' '1 0 first_teller (0.1): lock alice.lock
2 1 second_teller (0.2): lock bob.lock
3 0 first_teller (0.1): waits for bob.lock
4 1 second_teller (0.2): waits for alice.lock' "$(sarif bank "$first_flow")"
same 'bank: one thread flow first' '1 2' "$(sarif bank '.results[0].codeFlows | map(.threadFlows | length) | join(" ")')"
same 'bank: thread by thread' '0.1 1,3
0.2 2,4' "$(sarif bank "$thread_flows")"
same 'bank: stacks' 'lock_both transfer second_teller
lock_both transfer first_teller' \
    "$(sarif bank '.results[0].stacks[] | [.frames[].location.logicalLocations[0].name] | join(" ")')"
same 'bank: the run' 'exhaustive true done 3 exhaustive 1' "$(sarif bank "$properties")"
same 'bank: the invocation' '1 true ' "$(sarif bank "$invocation")"
same 'bank: the command' "sennit test bank#1,2.c -k --junit $saved/bank.xml --sarif $saved/bank.sarif --github" \
    "$(sarif bank '.invocations[0].commandLine')"
sarif bank '.invocations[0].startTimeUtc' | grep -qE '^20[0-9-]+T[0-9:]+\.[0-9]{3}Z$' || complain 'bank: time'

# ---- Races have two sides ----------------------------------------------------------------------

cp "$examples/counter.c" .
produce counter 1 "$sennit" test counter.c -k
same 'counter: both sides' '22 visitor (0.2) reads hits
22 visitor (0.1) writes hits' \
    "$(sarif counter '.results[0].relatedLocations[] | "\(.physicalLocation.region.startLine) \(.message.text)"')"
same 'counter: order' '1 0 visitor (0.1): writes hits
2 1 visitor (0.2): reads hits' "$(sarif counter "$first_flow")"
same 'counter: root' "file://$work/" "$(sarif counter '.originalUriBaseIds.SRCROOT.uri')"

# ---- Several bugs ---------------------------------------------------------------------------------

cp "$sources/two_bugs.c" .
produce two 1 "$sennit" test two_bugs.c -k
same 'two bugs: cases' "$(jq -r '.bugs[] | "case two_bugs.c \(.kind)-\(.id)"' sennit-last/run.json)" \
    "$(grep '^case' "$saved/two.junit" | cut -d' ' -f1-3)"
same 'two bugs: results' "$(jq -r '.bugs[] | "\(.kind) \(.id)"' sennit-last/run.json)" \
    "$(sarif two '.results[] | "\(.ruleId) \(.partialFingerprints["sennitBugId/v1"])"')"
same 'two bugs: annotations' "$(jq -r '.bugs[] | "title=\(.kind)-\(.id)"' sennit-last/run.json)" \
    "$(sed -n 's/^::error .*\(title=[^:]*\)::.*/\1/p' "$saved/two.github")"

# ---- No bug; a budget; samples; not reproducible ------------------------------------------------------

cp "$sources/clean.c" "$sources/changing.c" .
produce clean 0 "$sennit" test clean.c
same 'clean: JUnit' "suite clean.c 1 0 0 0
case clean.c clean.c -" "$(grep -E '^(suite|case|failure|error|skipped)' "$saved/clean.junit")"
same 'clean: no results' '[]' "$(sarif clean '.results | tojson')"
same 'clean: invocation' '0 true ' "$(sarif clean "$invocation")"
expect_text "$saved/clean.github" '^::notice title=Sennit%3A clean.c::exhaustive: .*, no bug$' 'clean'

produce budget 3 "$sennit" test clean.c --max-execs 1
sentence=$(jq -r .sentence sennit-last/run.json)
same 'budget: not a pass' "suite clean.c 1 0 0 1
property verdict incomplete
property complete false
case clean.c clean.c -
skipped incomplete | incomplete: $sentence | incomplete: $sentence
out incomplete: $sentence" "$(grep -E '^(suite|property (verdict|complete)|case|failure|error|skipped|out)' "$saved/budget.junit")"
same 'budget: invocation' '3 true warning' "$(sarif budget "$invocation")"
same 'budget: the run' 'incomplete false max-execs 1 exhaustive 1' "$(sarif budget "$properties")"
same 'budget: annotations' "::warning title=Sennit%3A clean.c::$sentence" "$(cat "$saved/budget.github")"

produce sampled 3 "$sennit" test clean.c --strategy=random --max-execs 2 --seed 7
same 'sampled: the run' 'sampled false max-execs 2 random 7' "$(sarif sampled "$properties")"
expect_text "$saved/sampled.junit" '^property seed 7$' 'sampled'
expect_text "$saved/sampled.junit" '^skipped incomplete' 'sampled'

produce changing 4 "$sennit" test changing.c
same 'changing: an error' 'suite changing.c 1 0 1 0' "$(grep '^suite' "$saved/changing.junit")"
same 'changing: invocation' '4 false error' "$(sarif changing "$invocation")"

# A bug that its replay does not show: it depends on a file that uninstrumented code makes.
cat >once.c <<'EOF'
#include <assert.h>

/* Does the file exist? It does the next time. */
int leave_marker(void);

int main(void)
{
    int seen = leave_marker();
    assert(seen);
}
EOF
cat >marker.c <<'EOF'
#include <fcntl.h>
#include <unistd.h>
int leave_marker(void)
{
    int seen = access("marker", F_OK) == 0;
    close(open("marker", O_CREAT | O_WRONLY, 0600));
    return seen;
}
EOF
cc -c marker.c || complain 'marker.c'
produce once 4 "$sennit" test once.c marker.o
same 'unconfirmed: JUnit' "suite once.c 1 0 1 0
error assertion | assertion \`seen' failed in main" \
    "$(grep -E '^(suite|error)' "$saved/once.junit" | sed 's/ | assertion-.*//')"
same 'unconfirmed: SARIF' 'warning false 9 0' \
    "$(sarif once '.results[] | "\(.level) \(.properties.confirmed) \(.locations[0].physicalLocation.region.startLine) \(.relatedLocations | length)"')"
expect_text "$saved/once.github" '^::warning file=once.c,line=9,.*\(not confirmed\)$' 'unconfirmed'

# A program that cannot be explored.
cat >runs.c <<'EOF'
#include <unistd.h>
int main(void) { return execl("/bin/true", "true", (char *)0); }
EOF
produce runs 2 "$sennit" test runs.c
same 'refused: JUnit' 'suite runs.c 1 0 1 0' "$(grep '^suite' "$saved/runs.junit")"
same 'refused: invocation' '2 false error' "$(sarif runs "$invocation")"
expect_text "$saved/runs.github" '^::warning title=Sennit%3A runs.c::.*%0Aexecl is not modelled \(runs.c:2\)$' 'refused'

# ---- Texts that look like markup, output that is not UTF-8 -----------------------------------------------

cat >odd.c <<'EOF'
#include <assert.h>
#include <stdio.h>
static int a[3] = {1, 2, 3};
int main(void)
{
    printf("\xff\x01\033[1m]]>&<b>{0}[x](1)\r\n");
    fflush(stdout);
    assert(a[0] == 2 && "{0} [link](1) <&> \"%d\" 100%");
}
EOF
produce odd 1 "$sennit" test odd.c
expect_text "$saved/odd.github" '::assertion .a\[0\] == 2 && "\{0\} \[link\]\(1\) <&> ."%25d." 100%25". failed' 'odd'
expect_text "$saved/odd.junit" '^failure assertion \| assertion .a\[0\] == 2 && "\{0\} \[link\]' 'odd'
sarif odd '.results[0].message.text' >text
expect_text text 'a.\[0.\] == 2 && "\{\{0\}\} .\[link.\]\(1\)' 'odd: no link, no placeholder'

# ---- Actors, models ---------------------------------------------------------------------------------------

cp "$examples/actors/alternating_bit.c" "$examples/abs/database.abs" .
produce actors 1 "$sennit" test alternating_bit.c
same 'actors: a flow per actor' 'main
receiver
sender' "$(sarif actors '.results[0].codeFlows[1].threadFlows[].id' | sort)"
same 'actors: one order' 'true' "$(sarif actors '[.results[0].codeFlows[0].threadFlows[0].locations[].executionOrder] |
    . == [range(1; length + 1)] | tojson')"
expect_text <(sarif actors "$first_flow") '^[0-9]+ 2 receiver: receives Packet\(bit=' 'actors'

produce model 1 "$sennit" test database.abs
same 'model: the cycle' '27 DB_1.register blocks DB_1, waiting for Worker_1.ping
49 Worker_1.ping cannot begin, because Worker_1 is blocked by Worker_1.work
46 Worker_1.work blocks Worker_1, waiting for DB_1.getData
36 DB_1.getData cannot begin, because DB_1 is blocked by DB_1.register' \
    "$(sarif model '.results[0].relatedLocations[] | "\(.physicalLocation.region.startLine) \(.message.text)"')"
expect_text <(sarif model "$first_flow") '^1 0 the main block: begins$' 'model'
expect_text "$saved/model.github" '^::error file=database.abs,line=27,' 'model'

# ---- The verb deadlock ----------------------------------------------------------------------------------------

cp "$examples/bank.c" .
produce cycle 1 "$sennit" deadlock bank.c --search=first
same 'deadlock: confirmed' 'deadlock error' "$(sarif cycle '.results[] | "\(.ruleId) \(.level)"')"
expect_text "$saved/cycle.github" '^::error file=bank.c,line=33,' 'deadlock'
produce open 3 "$sennit" deadlock database.abs
same 'deadlock: a cycle that is not checked' 'deadlock warning 2' \
    "$(sarif open '.results[] | "\(.ruleId) \(.level) \(.relatedLocations | length)"')"
expect_text "$saved/open.github" '^::warning file=database.abs,line=27,.*::possible deadlock: ' 'deadlock'
expect_text "$saved/open.junit" '^skipped incomplete \| incomplete: may deadlock' 'deadlock'
same 'deadlock: no budget ran out' 'unchecked cycles found, not checked' \
    "$(sarif open '"\(.properties.ending) \(.invocations[0].exitCodeDescription)"')"

# Interrupted when the only cycle is confirmed already, while --search=all looks for more: not complete.
worked() { # pid: has its child used half a second of a processor?
    local child
    child=$(pgrep -P "$1" | head -n 1)
    [ -n "$child" ] && [ "$(cut -d' ' -f14 "/proc/$child/stat" 2>/dev/null || echo 0)" -ge $(($(getconf CLK_TCK) / 2)) ]
}
cp "$examples/deadlock/workers.abs" .
"$sennit" deadlock workers.abs --search=all --loop=9 -j1 --timeout-per-cycle=10m --junit "$saved/halted.xml" \
    --sarif "$saved/halted.sarif" --github >out 2>err &
pid=$!
for _ in $(seq 600); do
    worked "$pid" && break
    sleep 0.1
done
kill -INT "$pid"
wait "$pid"
code=$?
expect_code 130 'deadlock: interrupted'
expect_text out '^workers.abs: interrupted: deadlock: 1 cycle, 1 confirmed' 'deadlock: interrupted'
expect_text out '^::warning title=Sennit%3A workers.abs::interrupted: ' 'deadlock: interrupted'
python3 junit.py "$saved/halted.xml" >"$saved/halted.junit"
expect_text "$saved/halted.junit" '^property complete false' 'deadlock: interrupted'
expect_text "$saved/halted.junit" '^out incomplete: interrupted: deadlock' 'deadlock: interrupted'
same 'deadlock: interrupted' 'incomplete false interrupted' \
    "$(sarif halted '.properties | "\(.verdict) \(.complete) \(.ending)"')"
same 'deadlock: interrupted, invocation' '130 false error' "$(sarif halted "$invocation")"

# ---- Interrupted, resumed elsewhere ------------------------------------------------------------------------------

cat >long.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *unused)
{
    for (int i = 0; i < 6; i++)
        atomic_store(&x, atomic_load(&x) + 1);
    return unused;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
EOF
"$sennit" cc long.c -o long || complain 'long.c does not compile'
mkdir first second
(cd first && exec "$sennit" explore ../long --junit stopped.xml --sarif ../saved/stopped.sarif --github) >out 2>err &
pid=$!
for _ in $(seq 300); do
    [ -s first/sennit-last/stats.jsonl ] && break
    sleep 0.1
done
kill -INT "$pid"
wait "$pid"
code=$?
expect_code 130 'interrupted'
cp first/stopped.xml "$saved/stopped.xml" || complain 'interrupted: no JUnit'
python3 junit.py "$saved/stopped.xml" >"$saved/stopped.junit"
expect_text "$saved/stopped.junit" '^skipped incomplete \| incomplete: interrupted' 'interrupted'
same 'interrupted: invocation' '130 false error' "$(sarif stopped "$invocation")"
expect_text out '^::warning title=Sennit%3A long::interrupted: ' 'interrupted'
cd second || exit 1
run "$sennit" resume ../first/sennit-out/001 --max-time 1s --sarif resumed.sarif
expect_code 3 'resumed'
expect_text out '^::warning title=Sennit%3A long::stopped by --max-time' 'resumed: --github is kept'
cp resumed.sarif "$saved" || complain 'resumed: the file is not where it was asked for'
cd .. || exit 1
rm -f second/out second/err
same 'resumed: invocation' '3 true warning' "$(sarif resumed "$invocation")"
expect_text first/stopped.xml 'name="ending" value="max-time"' 'resumed: --junit is kept'

# ---- Files ------------------------------------------------------------------------------------------------------------

echo old >kept.xml
ln -s kept.xml link.xml
run "$sennit" test clean.c --junit link.xml
[ -L link.xml ] && grep -q '<testsuite name="clean.c"' kept.xml || complain 'a link is followed'
run "$sennit" test clean.c -q --junit /dev/stdout
expect_text out '<testsuite name="clean.c"' 'standard output'
expect_text out '^clean.c: exhaustive' 'standard output: the report is kept'
[ -L /dev/stdout ] || complain 'standard output: its name was replaced'
run sh -c 'for i in 1 2; do "$0" test clean.c --junit /proc/self/fd/1; done' "$sennit"
[ "$(grep -c '<testsuite name="clean.c"' out) $(grep -c '^clean.c: exhaustive' out)" = '2 2' ] ||
    complain 'standard output is a file'
ls ./*.part "$saved"/*.part >/dev/null 2>&1 && complain 'a temporary file is left'

# What an earlier run left does not pass for a result of one that ends early.
echo 'int main(void) { return undeclared; }' >broken.c
echo 'module M; { Int x = True; }' >wrong.abs
stale() { # name command...: after a run that passes, with the same files
    local name=$1
    shift
    run "$sennit" test clean.c --junit "$saved/$name.xml" --sarif "$saved/$name.sarif"
    expect_code 0 'before the error'
    produce "$name" 2 "$@"
    expect_text "$saved/$name.junit" '^suite .* 1 0 1 0$' "$name"
    same "$name: invocation" '2 false error' "$(sarif "$name" "$invocation")"
    expect_text "$saved/$name.github" "^::error title=Sennit" "$name"
}
stale uncompiled "$sennit" test broken.c
expect_text "$saved/uncompiled.junit" '^error failed \| incomplete: broken.c does not compile' 'uncompiled'
stale unchecked "$sennit" test wrong.abs
stale analysed "$sennit" deadlock wrong.abs
stale unlocked "$sennit" deadlock broken.c
stale unnamed "$sennit" test missing.c
stale unfound "$sennit" explore ./missing
stale unsaved "$sennit" explore ./long -o /proc/x
"$sennit" explore ./long --junit killed.xml --sarif "$saved/killed.sarif" -o killed >out 2>err &
pid=$!
for _ in $(seq 300); do
    [ -s killed/stats.jsonl ] && break
    sleep 0.1
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null
python3 junit.py killed.xml >killed.junit
expect_text killed.junit '^error failed \| incomplete: the run has not ended' 'killed'
same 'killed: invocation' '5 false error' "$(sarif killed "$invocation")"

rm -rf sennit-out sennit-last
nothing_run() { # what
    [ ! -e sennit-out ] || { complain "$1: something was run"; rm -rf sennit-out sennit-last; }
}
for option in junit sarif; do
    refused 2 "^sennit test: --$option: cannot write nowhere/f: No such file or directory$" \
        "$sennit" test clean.c --$option nowhere/f
    refused 2 "^sennit deadlock: --$option: cannot write .*: Is a directory$" "$sennit" deadlock bank.c --$option=repo
    refused 2 "^sennit explore: --$option: cannot write nowhere/f: " "$sennit" explore ./long --$option=nowhere/f
    refused 2 "^sennit test: --$option: cannot write nowhere/f: " "$sennit" test database.abs --$option=nowhere/f
    nothing_run "--$option"
done
SENNIT_OPTIONS='--sarif=nowhere/f' refused 2 '^sennit: --sarif: cannot write ' ./long
refused 2 'both write to standard output' "$sennit" test clean.c --github --json
refused 2 'both write to same' "$sennit" test clean.c --junit same --sarif same
nothing_run 'refused'
printf 'kept' >kept.xml
refused 2 'cannot write' "$sennit" test clean.c --junit kept.xml --sarif nowhere/f
same 'a file survives a wrong command line' kept "$(cat kept.xml)"

# ---- Valid SARIF ----------------------------------------------------------------------------------------------------------

NODE_PATH=$checker/node_modules node "$here/sarif/validate.js" "$saved"/*.sarif >out 2>err || complain 'the schema of SARIF'
# Rules beyond the schema. The project has no page on the web that informationUri could name (SARIF2005).
"$checker/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool" validate "$saved"/*.sarif \
    --level 'Error;Warning' --output "$work/findings.json" >out 2>err
grep -q 'Analysis completed successfully' out || complain 'the validator does not run'
grep -E '(error|warning) SARIF' out | grep -v SARIF2005 >err
[ -s err ] && { : >out; complain 'rules of SARIF'; }
finish
