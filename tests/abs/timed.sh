#!/bin/bash
# Timed models: the clock, its options, what reports show of it.
# Usage: timed.sh SENNIT
sennit=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0

complain() { echo "FAIL: $*"; failed=1; }

explore() { "$sennit" explore "$@" >out 2>err; code=$?; }

expect() { # text...: in the output of the last run
    for text; do
        grep -qF -- "$text" out err || { complain "not in the output: $text"; sed 's/^/    | /' out err; }
    done
}

# ---- The clock moves to the earliest end; whoever has waited for long enough continues -------------------------------

cat >two.abs <<'A'
module Two;
interface Sleeper { Unit sleep(Rat least, Rat most); }
class Sleeper implements Sleeper {
    List<Rat> woken = Nil;
    Unit sleep(Rat least, Rat most) {
        await duration(least, most);
        woken = Cons(timeValue(now()), woken);
        duration(1/2);
    }
}
{
    Sleeper one = new Sleeper();
    Sleeper other = new Sleeper();
    one!sleep(4, 6);
    other!sleep(3, 5);
    await duration(1);
}
A
explore two.abs --diagram
expect 'Sleeper_1: woken = list[5]' 'Sleeper_2: woken = list[5]' 'it is 11/2' '- it is 5 - -' 'waiting for the clock' \
    'exhaustive: every schedule covered by 1 execution, no bug'
explore two.abs --time=free --show=none
expect '9 final states' 'exhaustive within bounds' 'delays of whole units'
explore two.abs --max-clock=3
expect 'woken = Nil' 'at most 3 units of time' '1 cut'
"$sennit" replay "$(ls sennit-last/states/*.trace | head -n 1)" >out 2>err
expect 'it is 1' 'Replayed 6 steps'

# ---- Other uses ------------------------------------------------------------------------------------------------------

cat >late.abs <<'A'
module Late;
interface Server { Unit serve(); }
class Server implements Server {
    Unit serve() {
        duration(2);
        assert durationValue(deadline()) > 0;
    }
}
{
    Server s = new Server();
    [Deadline: Duration(5)] s!serve();
    [Deadline: Duration(5)] s!serve();
    [Deadline: Duration(5)] s!serve();
}
A
explore late.abs
expect 'fails an assertion' 'it is 6'

cat >input.abs <<'A'
module Race;
interface Cell { Unit set(Int value, Int delay); }
class Cell implements Cell {
    Int last = 0;
    Unit set(Int value, Int delay) { await duration(delay); last = value; }
}
{
    [Input] Int d = 1;
    Cell c = new Cell();
    c!set(1, d);
    c!set(2, 10);
}
A
explore input.abs
expect '2 final states' 'exhaustive'

cat >guard.abs <<'A'
module Guard;
interface I { Unit wait(); }
class C implements I {
    Rat at = 0;
    Unit wait() { await timeValue(now()) > 3/2; at = timeValue(now()); }
}
{
    I o = new C();
    o!wait();
    duration(1);
    duration(1);
}
A
explore guard.abs
expect 'C_1: at = 2' '1 final state' 'no bug'

# ---- Deployment components -------------------------------------------------------------------------------------------

cat >cloud.abs <<'A'
module Cloud;
import * from ABS.DC;
interface Worker { Unit work(Int cost); }
class Worker implements Worker {
    Rat done = 0;
    Unit work(Int cost) { [Cost: cost] skip; done = timeValue(now()); }
}
{
    DC dc = new DeploymentComponent("dc", map[Pair(Speed, 5)]);
    [DC: dc] Worker one = new Worker();
    [DC: dc] Worker other = new Worker();
    Fut<Unit> f = one!work(8);
    Fut<Unit> g = other!work(4);
    await f? & g?;
    Rat load = await dc!load(Speed, 1);
    assert load == 100;
}
A
explore cloud.abs
expect '2 final states' 'Worker_1: done = 1' 'Worker_2: done = 0' 'Worker_2: done = 2'
explore cloud.abs --resources=ignore
expect 'fails an assertion' 'costs take no resources and no time'

cat >starved.abs <<'A'
module Starved;
import * from ABS.DC;
interface I { Unit m(); }
class C implements I { Unit m() { [Cost: 1] skip; } }
{
    DC dc = new DeploymentComponent("dc", map[Pair(Speed, 0)]);
    [DC: dc] I o = new C();
    o!m();
}
A
explore starved.abs
expect 'its deployment component has no resources'
"$sennit" deadlock starved.abs >out 2>err
[ $? = 3 ] || complain 'deadlock of a model with costs: the exit code is not 3'
expect 'may deadlock: the static analysis finds no cycle; tasks that wait for resources were not looked at'
"$sennit" deadlock --resources=ignore starved.abs >out 2>err
[ $? = 0 ] || complain 'deadlock without resources: the exit code is not 0'
expect 'free of deadlock: the static analysis finds no cycle; costs take no resources'

# ---- Schedulers: by deadline, by a field, of the library, of a single object -----------------------------------------

cat >earliest.abs <<'A'
module Earliest;
import * from ABS.Scheduler;
def Process sooner(Process a, Process b) =
    when durationLessThan(proc_deadline(b), proc_deadline(a)) then b else a;
def Process earliest(List<Process> queue) = foldl(sooner)(tail(queue), head(queue));
interface Server { Unit serve(Int job, Int cost); }
[Scheduler: earliest(queue)] class Server implements Server {
    List<Int> served = Nil;
    Unit serve(Int job, Int cost) {
        duration(cost, cost);
        assert durationValue(deadline()) > 0;
        served = Cons(job, served);
    }
}
{
    Server s = new Server();
    [Deadline: Duration(9)] s!serve(1, 3);
    [Deadline: Duration(4)] s!serve(2, 3);
    [Deadline: Duration(12)] s!serve(3, 3);
}
A
explore earliest.abs -v
expect 'served = list[3, 1, 2]' 'it is 9' 'exhaustive: every schedule covered by 1 execution, no bug'
explore earliest.abs --tasks=nondet
expect 'fails an assertion' '1 ok, 5 assertion' 'schedulers of the model are not applied'
"$sennit" replay sennit-last/bugs/*.trace >out 2>err
expect 'fails the assertion'
"$sennit" deadlock earliest.abs >out 2>err
expect 'schedulers of the model are not applied'

cat >prefer.abs <<'A'
module Prefer;
import * from ABS.Scheduler;
def Process prefer(List<Process> queue, String name) =
    case queue {
        Cons(p, Nil) => p;
        Cons(p, rest) => when method(p) == name then p else prefer(rest, name);
    };
interface I { Unit a(); Unit b(); }
[Scheduler: prefer(queue, favourite)] class C implements I {
    String favourite = "b";
    String order = "";
    Unit a() { order = order + "a"; favourite = "a"; }
    Unit b() { order = order + "b"; }
}
{
    I one = new C();
    one!a(); one!b(); one!a(); one!b();
    [Scheduler: defaultscheduler(queue)] I two = new C();
    two!a(); two!b(); two!a(); two!b();
    [Scheduler: randomscheduler(queue)] I three = new C();
    three!a(); three!b();
}
A
explore prefer.abs
expect 'C_1: favourite = a, order = bbaa' 'C_2: favourite = a, order = abab' 'C_3: favourite = a, order = ab' \
    'C_3: favourite = a, order = ba' '2 final states' 'exhaustive: every schedule covered by 2 executions, no bug'

scheduled() { # expression
    echo "module M; import * from ABS.Scheduler;
        interface I { Unit m(); } [Scheduler: $1] class C implements I { Unit m() { skip; } }
        { I o = new C(); o!m(); o!m(); }" >scheduled.abs
}
for choice in 'nth(queue, 5)' 'nth(queue, random(2))'; do
    scheduled "$choice"
    explore scheduled.abs
    [ "$code" = 2 ] || complain "$choice: exit code $code"
done
expect 'scheduled.abs:2:47: random() in the condition of an await, or in a scheduler'
scheduled 'queue'
explore scheduled.abs
expect 'expected Process as the task that is chosen, found List<Process>'

# Time does not pass while a task with a scheduler could run: the condition holds from 1 on, and 2 units are over at 2.
cat >turns.abs <<'A'
module Turns;
import * from ABS.Scheduler;
def Process oldest(List<Process> queue) = head(queue);
interface I { Unit a(); Unit b(); Unit c(); }
[Scheduler: oldest(queue)] class C implements I {
    Int x = 0;
    Rat t = 0;
    Unit a() { await x > 0 & duration(2); t = timeValue(now()); }
    Unit b() { await duration(1); x = 1; }
    Unit c() { await duration(3); }
}
{ I o = new C(); o!a(); o!b(); o!c(); }
A
explore turns.abs
expect 'C_1: x = 1, t = 2' '1 final state' 'no bug'

# A cog moves before it asks for resources, after it, or while another cog sends data to it, which takes bandwidth between components only. While it works (2 units of time on the slow one) it cannot move.
cat >moves.abs <<'A'
module Moves;
import * from ABS.DC;
interface W { Unit move(DeploymentComponent d); Rat work(); Unit take(); }
class W implements W {
    Unit move(DeploymentComponent d) { movecogto d; }
    Rat work() { [Cost: 6] skip; return timeValue(now()); }
    Unit take() { skip; }
}
interface S { Rat send(W w); }
class S implements S {
    Rat send(W w) { [Size: 6] w!take(); return timeValue(now()); }
}
{
    DeploymentComponent slow = new DeploymentComponent("slow", map[Pair(Speed, 2), Pair(Bandwidth, 4)]);
    DeploymentComponent fast = new DeploymentComponent("fast", map[Pair(Speed, 10)]);
    [DC: slow] W w = new W();
    [DC: slow] S s = new S();
    Fut<Rat> worked = w!work();
    Fut<Unit> moved = w!move(fast);
    Fut<Rat> sent = s!send(w);
    await moved? & worked? & sent?;
    Rat a = worked.get;
    Rat b = sent.get;
    println(toString(a) + " " + toString(b));
}
A
for option in --reduction=optimal --reduction=none --dependence=exact; do
    explore moves.abs -v $option
    expect '3 final states' '| 2 0' '| 0 0' '| 0 1' 'no bug'
done
echo 'module M; import * from ABS.DC; { DeploymentComponent d = null; movecogto d; }' >nowhere.abs
explore nowhere.abs
expect 'NullPointerException'
echo 'module M; import * from ABS.DC; { movecogto 1; }' >wrong.abs
explore wrong.abs
[ "$code" = 2 ] || complain "a cog moves to a number: exit code $code"
expect 'wrong.abs:1:45: error: expected DeploymentComponent as deployment component, found Int'

# An object that is being created must not wait, also not for resources.
echo 'module M; import * from ABS.DC; class C { { [Cost: 5] skip; } } { }' >created.abs
explore created.abs
[ "$code" = 2 ] || complain "costs in an init block: exit code $code"
expect 'created.abs:1:46: error: an init block must not contain [Cost]'

# ---- Without time ------------------------------------------------------------------------------------------------------

echo 'module M; { Time t = now(); assert timeValue(t) == 0; }' >still.abs
explore still.abs
expect 'no bug'
for option in --max-clock=5 --time=free; do
    explore still.abs "$option"
    [ "$code" = 2 ] || complain "$option is not refused"
    expect 'no time passes in this model'
done

exit $failed
