#!/usr/bin/env python3
"""Small models with exceptions, dying objects, cogs of two objects, futures that are passed on, calls inside a cog,
schedulers, time and deployment components, against an interpreter that shares nothing with Sennit's: the same final
states.

    tangled.py SENNIT FIRST COUNT    COUNT models, from seed FIRST on
    tangled.py --show SEED           prints a model

Object 2i has a twin, 2i+1, in the same cog if the model says so; its peer is object 2i-2 (object 0: itself), that of a
twin the object it belongs to. Each method is a list of instructions on x; p is the future that it was given. A method
calls only later ones, so every model ends.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import namedtuple

# ---- Models

ADD, UNLESS, CALL, SYNC, TWIN, GET, TRY, AWAIT, REPLY, GETP, AWAITP, SUSPEND, THROW, STAMP, DELAY, DIE, COST, MOVE = \
    range(18)
METHODS = 3


def make_body(rng, number, timed, components):
    """Of a method, or of the main block (None)."""
    code, futures = [], []
    later = range(0 if number is None else number + 1, METHODS)
    for _ in range(rng.randint(2, 4) if number is None else rng.randint(1, 4)):
        kinds = [AWAIT] + ([DELAY] if timed else [])
        if number is not None:
            kinds += [ADD, ADD, ADD, UNLESS, GETP, AWAITP, SUSPEND, THROW] + ([STAMP, STAMP] if timed else [])
            kinds += [DIE] if rng.random() < 0.2 else []
            kinds += [COST, COST, COST, STAMP, MOVE] if components else []
        if later:
            kinds += [CALL] * (6 if number is None else 3) + ([SYNC, REPLY, TWIN] if number is not None else [REPLY])
        if futures:
            kinds += [GET, TRY, TRY, AWAIT, AWAIT]
        kind = rng.choice(kinds)
        target = rng.choice([0, 2] if number is None else ["this", "peer", "peer", "twin"])
        argument = rng.choice([None, *futures, *([] if number is None else ["p"])])
        if kind == CALL:
            variable = f"f{len(code)}" if rng.random() < 0.7 else None
            code.append((CALL, target, rng.choice(later), argument, variable))
            futures += [variable] if variable else []
        elif kind == REPLY:
            code.append((REPLY, target, rng.choice(later), argument))
        elif kind == SYNC:
            code.append((SYNC, "this" if target == "twin" else target, rng.choice(later), argument))
        elif kind in (GET, TRY):
            code.append((kind, rng.choice(futures)))
        elif kind == AWAIT:
            waits = rng.sample(futures, rng.randint(0, min(2, len(futures))))
            condition = rng.randint(0, 2) if number is not None and (not waits or rng.random() < 0.3) else None
            delay = rng.randint(0, 2) if timed and rng.random() < 0.4 else None
            if waits or condition is not None or delay is not None:
                code.append((AWAIT, tuple(waits), condition, delay))
        elif kind in (UNLESS, THROW, DIE):
            code.append((UNLESS, rng.randint(0, 3), len(code) + 2))
            code.append((ADD, 1) if kind == UNLESS else (kind, rng.randint(1, 3)))
        elif kind in (ADD, DELAY):
            code.append((kind, rng.randint(0, 2)))
        elif kind == COST:
            code.append((COST, rng.randint(0, 4)))
        elif kind == MOVE:
            code.append((MOVE, rng.randrange(len(components))))
        else:
            code.append((kind,))
    return code


def make_model(seed):
    rng = random.Random(seed)
    timed = rng.random() < 0.5
    speeds = [rng.randint(0, 3) for _ in range(rng.choice([0, 0, 1, 2]))]
    return {"main": make_body(rng, None, timed, speeds), "speeds": speeds,
            "methods": [make_body(rng, n, timed, speeds) for n in range(METHODS)],
            "places": [rng.choice([None, *range(len(speeds)), *range(len(speeds))]) for _ in range(2)] + [None],
            "recovers": [rng.random() < 0.4 for _ in range(2)], "twins": [rng.random() < 0.4 for _ in range(2)],
            "scheduler": rng.choice([None, None, "newest", "oldest"])}


# ---- As text

def print_call(target, method, argument):
    receiver = target if isinstance(target, str) else f"o{target}"
    return f"{receiver}!m{method}({argument or 'null'})"


def print_line(i, is_main):
    """x of the main block is nowhere: it only waits."""
    use = (lambda k: "skip;") if is_main else (lambda k: f"x = (x * 3 + {k}) % 1000;")
    if i[0] == AWAIT:
        parts = [f"{f}?" for f in i[1]] + ([f"x > {i[2]}"] if i[2] is not None else [])
        return "await " + " & ".join(parts + ([f"duration({i[3]})"] if i[3] is not None else [])) + ";"
    if i[0] in (CALL, REPLY, SYNC):
        call = print_call(*i[1:4])
        return {CALL: (f"Fut<Int> {i[-1]} = " if i[-1] else "") + call + ";",
                REPLY: f"{{ Int r = await {call}; {use('r')} }}",
                SYNC: f"{{ Int r = {call.replace('!', '.')}; {use('r')} }}"}[i[0]]
    if i[0] == TRY:
        return (f"try {{ Int r = {i[1]}.get; {use('r')} }} "
                f"catch {{ Oops(k) => {use('k')} ObjectDeadException => {use('9')} }}")
    return {ADD: use("{0}"), UNLESS: "if (x > {0})", TWIN: f"{{{{ Int r = twin.pure(); {use('r')} }}}}",
            GET: f"{{{{ Int r = {{0}}.get; {use('r')} }}}}", AWAITP: "if (p != null) {{ await p?; }}",
            GETP: f"if (p != null) {{{{ Int r = p.get; {use('r')} }}}}", SUSPEND: "suspend;",
            STAMP: use("truncate(timeValue(now()))"), DELAY: "duration({0});", THROW: "throw Oops({0});",
            DIE: "die Oops({0});", COST: "[Cost: {0}] skip;", MOVE: "movecogto dc{0};"}[i[0]].format(*i[1:])


def print_class(name, model, recovers):
    scheduler = f"[Scheduler: {model['scheduler']}(queue)] " if model["scheduler"] else ""
    components = range(len(model["speeds"]))
    parameters, arguments = "".join(f", DC dc{n}" for n in components), "".join(f", dc{n}" for n in components)
    lines = [f"{scheduler}class {name}(I given, Bool double{parameters}) implements I {{",
             "    Int x = 0;", "    I peer = null;", "    I twin = null;",
             f"    {{ peer = given; if (given == null) peer = this; twin = this; "
             f"if (double) twin = new local {name}(this, False{arguments}); }}"]
    if recovers:
        lines.append("    recover { Oops(k) => x = (x * 3 + k) % 1000; }")
    lines.append("    Int pure() { x = (x * 3 + 1) % 1000; if (x == 4) throw Oops(2); return x % 5; }")
    for number, code in enumerate(model["methods"]):
        lines.append(f"    Int m{number}(Fut<Int> p) {{")
        lines += ["        " + print_line(i, False) for i in code]
        lines += ["        return x % 5;", "    }"]
    return lines + ["}"]


def print_model(model):
    lines = ["module M;"] + (["import * from ABS.Scheduler;"] if model["scheduler"] else [])
    lines += ["import * from ABS.DC;"] if model["speeds"] else []
    lines += ["exception Oops(Int);"]
    lines += ["def Process newest(List<Process> q) = nth(q, length(q) - 1);",
              "def Process oldest(List<Process> q) = head(q);"] if model["scheduler"] else []
    lines += ["interface I {"] + [f"    Int m{n}(Fut<Int> p);" for n in range(METHODS)] + ["    Int pure();", "}"]
    for n, recovers in enumerate(model["recovers"]):
        lines += print_class("CD"[n], model, recovers)
    lines += ["{"] + [f'    DC dc{n} = new DeploymentComponent("dc{n}", map[Pair(Speed, {speed})]);'
                      for n, speed in enumerate(model["speeds"])]
    given = "".join(f", dc{n}" for n in range(len(model["speeds"])))
    for n in range(2):
        place = "" if model["places"][n] is None else f"[DC: dc{model['places'][n]}] "
        lines.append(f"    {place}I o{2 * n} = new {'CD'[n]}({'o0' if n else 'null'}, {model['twins'][n]}{given});")
    return "\n".join(lines + ["    " + print_line(i, True) for i in model["main"]] + ["}", ""])


# ---- The interpreter

MAIN = 4
Frame = namedtuple("Frame", "object code pc names")      # names: pairs of a variable and a task
Task = namedtuple("Task", "name object frames status detail seen")
# x and dead by object; holders, queues and places by cog (0, 1 and 2 for the main block); what components have given in
# this unit of time, and the tasks that wait for more
State = namedtuple("State", "now x dead holders queues tasks places used starving")


class TooLarge(Exception):
    pass


class Stop(Exception):
    """The step ends with this state."""


class Interpreter:
    def __init__(self, model, limit):
        self.model, self.limit = model, limit

    def code(self, frame):
        return (self.model["main"] if frame.code is None else self.model["methods"][frame.code])

    def find(self, at, target):
        if at == MAIN:
            return target
        if target == "this":
            return at
        if target == "twin":
            return at + 1 if at % 2 == 0 and self.model["twins"][at // 2] else at
        return at - 1 if at % 2 else 0

    # ---- Which tasks can take a step

    def is_enabled(self, s, t):
        over = {u.name for u in s.tasks if u.status == "over"}
        if t.status in ("over", "starve"):
            return False
        if t.status in ("ask", "given"):
            return True
        if t.status == "get":
            return t.detail[0] in over
        if t.status == "delay":
            return s.now >= t.detail[0]
        if s.holders[t.object // 2] is not None:
            return False
        if t.status == "await":
            futures, condition, due = t.detail
            return (all(f in over for f in futures) and (condition is None or s.x[t.frames[-1].object] > condition)
                    and s.now >= due)
        return True

    def choices(self, s):
        able = [t for t in s.tasks if self.is_enabled(s, t)]
        if not self.model["scheduler"]:
            return able
        result = []
        for cog in range(3):
            mine = [t for t in able if t.object // 2 == cog]
            held = [t for t in mine if t.status in ("get", "delay", "ask", "given")]
            queue = [t for name in s.queues[cog] for t in mine if t.name == name and t not in held]
            if held or cog == 2:
                result += held or mine
            elif queue:
                result.append(queue[-1 if self.model["scheduler"] == "newest" else 0])
        return result

    # ---- A step

    def step(self, s, t):
        self.now, self.x, self.dead = s.now, list(s.x), list(s.dead)
        self.holders, self.queues = list(s.holders), [list(q) for q in s.queues]
        self.tasks = {u.name: u for u in s.tasks}
        self.places, self.used, self.starving = list(s.places), list(s.used), list(s.starving)
        self.me, self.frames = t, list(t.frames)
        self.holders[t.object // 2] = None
        if t.name in self.queues[t.object // 2]:
            self.queues[t.object // 2].remove(t.name)
        try:
            if t.status == "new" and t.object < MAIN and self.dead[t.object]:
                self.over(("dead",), True)
                raise Stop
            if t.status == "ask":
                self.ask(t.detail[0])
            elif t.status == "get":
                self.guarded(lambda: self.receive(t.detail[0], t.detail[1]))
            elif t.status == "await" and len(t.detail[0]) == 1 and t.detail[0][0] in self.replies(t):
                self.guarded(lambda: self.receive(t.detail[0][0], GET))
            self.run()
        except Stop:
            pass
        return State(self.now, tuple(self.x), tuple(self.dead), tuple(self.holders), tuple(map(tuple, self.queues)),
                     tuple(sorted(self.tasks.values(), key=lambda u: u.name)), tuple(self.places), tuple(self.used),
                     tuple(self.starving))

    @staticmethod
    def replies(t):
        return {name for variable, name in t.frames[-1].names if variable == "reply"}

    def over(self, result, seen=False):
        self.tasks[self.me.name] = self.me._replace(frames=(), status="over", detail=result, seen=seen)

    def wait(self, status, detail):
        self.tasks[self.me.name] = self.me._replace(frames=tuple(self.frames), status=status, detail=detail)
        cog = self.me.object // 2
        if status in ("get", "delay", "ask", "starve"):
            self.holders[cog] = self.me.name
        else:
            self.queues[cog].append(self.me.name)
        raise Stop

    def use(self, k):
        at = self.frames[-1].object
        if at != MAIN:
            self.x[at] = (self.x[at] * 3 + k) % 1000

    def receive(self, name, op):
        task = self.tasks[name]
        self.tasks[name] = task._replace(seen=True)
        if task.detail[0] == "value":
            self.use(task.detail[1])
        elif op == TRY:
            self.use(9 if task.detail[0] == "dead" else task.detail[1])
        else:
            raise KeyError(task.detail)

    def guarded(self, action):
        """Runs it; an exception of the model leaves all frames."""
        try:
            action()
        except KeyError as e:
            self.fail(e.args[0])

    def fail(self, exception):
        at = self.me.object
        recovers = at != MAIN and not self.dead[at] and self.model["recovers"][at // 2] and exception[0] == "oops"
        self.over(exception, recovers)
        if recovers:
            self.x[at] = (self.x[at] * 3 + exception[1]) % 1000
        elif at != MAIN:
            self.kill(at)
        raise Stop

    def kill(self, at):
        if self.dead[at]:
            return
        self.dead[at] = True
        for name, t in self.tasks.items():
            if t.object == at and t is not self.me and name != self.me.name and t.status in ("ready", "await"):
                self.tasks[name] = t._replace(frames=(), status="over", detail=("dead",), seen=True)
                if name in self.queues[at // 2]:
                    self.queues[at // 2].remove(name)

    def create(self, target, method, argument):
        frame = self.frames[-1]
        at = self.find(frame.object, target)
        name = self.me.name + (1 + sum(1 for n in self.tasks if n[:-1] == self.me.name and n),)
        given = dict(frame.names).get(argument)
        self.tasks[name] = Task(name, at, (Frame(at, method, 0, (("p", given),)),), "new", (), False)
        self.queues[at // 2].append(name)
        return name

    def name_of(self, variable):
        return dict(self.frames[-1].names)[variable]

    def is_over(self, name):
        return self.tasks[name].status == "over"

    def bind(self, variable, name):
        frame = self.frames[-1]
        names = dict(frame.names)
        names[variable] = name
        self.frames[-1] = frame._replace(names=tuple(sorted(names.items())))

    def run(self):
        while True:
            frame = self.frames[-1]
            code = self.code(frame)
            if frame.pc == len(code):
                result = 0 if frame.object == MAIN else self.x[frame.object] % 5
                self.frames.pop()
                if not self.frames:
                    self.over(("value", result))
                    raise Stop
                self.use(result)
                continue
            self.frames[-1] = frame._replace(pc=frame.pc + 1)
            self.guarded(lambda: self.execute(frame, *code[frame.pc]))

    def execute(self, frame, op, *args):
        at = frame.object
        if op == ADD:
            self.use(args[0])
        elif op == UNLESS:
            if not self.x[at] > args[0]:
                self.frames[-1] = self.frames[-1]._replace(pc=args[1])
        elif op == CALL:
            name = self.create(*args[:3])
            if args[3]:
                self.bind(args[3], name)
        elif op == REPLY:
            name = self.create(*args)
            self.bind("reply", name)
            self.wait("await", ((name,), None, self.now))
        elif op == SYNC:
            self.sync(at, *args)
        elif op == TWIN:
            self.pure(self.find(at, "twin"))
        elif op in (GET, TRY):
            self.get(self.name_of(args[0]), op)
        elif op in (GETP, AWAITP):
            if self.name_of("p") is not None:
                self.get(self.name_of("p"), GET) if op == GETP else self.hold([self.name_of("p")], None, self.now)
        elif op == AWAIT:
            self.hold([self.name_of(f) for f in args[0]], args[1], self.now + (args[2] or 0))
        elif op == SUSPEND:
            self.wait("ready", ())
        elif op == STAMP:
            self.use(self.now)
        elif op == DELAY:
            if args[0]:
                self.wait("delay", (self.now + args[0],))
        elif op == COST:
            if args[0] and self.places[at // 2] is not None:
                self.wait("ask", (args[0],))
        elif op == MOVE:
            self.places[at // 2] = args[0]
        elif op == THROW:
            raise KeyError(("oops", args[0]))
        elif op == DIE:
            self.kill(at)
            raise KeyError(("oops", args[0]))

    def ask(self, amount):
        component = self.places[self.me.object // 2]
        left = self.model["speeds"][component] - self.used[component]
        self.used[component] += min(left, amount)
        if amount > left:
            self.starving.append(self.me.name)
            self.wait("starve", (amount - left,))

    def pure(self, at):
        if self.dead[at]:
            raise KeyError(("dead",))
        self.x[at] = (self.x[at] * 3 + 1) % 1000
        if self.x[at] == 4:
            raise KeyError(("oops", 2))
        self.use(self.x[at] % 5)

    def sync(self, at, target, method, argument):
        to = self.find(at, target)
        if to // 2 != at // 2:
            name = self.create(target, method, argument)
            self.wait("get", (name, GET))
        if self.dead[to]:
            raise KeyError(("dead",))
        given = dict(self.frames[-1].names).get(argument)
        self.frames.append(Frame(to, method, 0, (("p", given),)))

    def get(self, name, op):
        if not self.is_over(name):
            self.wait("get", (name, op))
        self.receive(name, op)

    def hold(self, names, condition, due):
        at = self.frames[-1].object
        if not (all(map(self.is_over, names)) and (condition is None or self.x[at] > condition) and self.now >= due):
            self.bind("reply", None)
            self.wait("await", (tuple(names), condition, due))

    # ---- All final states

    def successors(self, s):
        found = [self.step(s, t) for t in self.choices(s)]
        if found:
            return found
        ends = [t.detail[0] if t.status == "delay" else t.detail[2] for t in s.tasks if t.status in ("delay", "await")
                and (t.status == "delay" or s.holders[t.object // 2] is None)]
        ends = [end for end in ends if end > s.now]
        if any(self.model["speeds"][self.place_of(s, name)] > 0 for name in s.starving):
            ends.append(s.now + 1)
        return [self.advance(s, min(ends))] if ends else []

    @staticmethod
    def place_of(s, name):
        return s.places[next(t for t in s.tasks if t.name == name).object // 2]

    def advance(self, s, end):
        for now in range(s.now + 1, end + 1):
            used, starving, tasks = [0] * len(s.used), [], {t.name: t for t in s.tasks}
            for name in s.starving:
                component, (amount,) = self.place_of(s, name), tasks[name].detail
                given = min(amount, self.model["speeds"][component] - used[component])
                used[component] += given
                if given < amount:
                    starving.append(name)
                    tasks[name] = tasks[name]._replace(detail=(amount - given,))
                else:
                    tasks[name] = tasks[name]._replace(status="given", detail=())
            s = s._replace(now=now, used=tuple(used), starving=tuple(starving),
                           tasks=tuple(sorted(tasks.values(), key=lambda t: t.name)))
        return s

    def finals(self):
        """What the states in which all tasks are over look like, and whether there are others."""
        main = Task((), MAIN, (Frame(MAIN, None, 0, ()),), "ready", (), False)
        todo = [State(0, (0,) * 4, (False,) * 4, (None,) * 3, ((),) * 3, (main,), tuple(self.model["places"]),
                      (0,) * len(self.model["speeds"]), ())]
        seen, finals, open_end = set(), set(), False
        while todo:
            s = todo.pop()
            if s in seen:
                continue
            seen.add(s)
            if len(seen) > self.limit:
                raise TooLarge
            following = self.successors(s)
            todo += following
            if following:
                continue
            if all(t.status == "over" for t in s.tasks):
                failed = any(t.detail[0] != "value" and not t.seen for t in s.tasks)
                finals.add((s.x, s.dead, failed))
            else:
                open_end = True
        return finals, open_end


# ---- The comparison

def explore(sennit, path, options):
    result = subprocess.run([sennit, "explore", "--json", "--show=none", "--max-execs=6000", *options, path],
                            capture_output=True, text=True, cwd=os.path.dirname(path))
    try:
        run = json.loads(result.stdout)
    except ValueError:
        raise RuntimeError(f"no report: {result.stderr[:300]}")
    if "stopped by --max-execs" in run["sentence"]:
        return None
    if "exhaustive" not in run["sentence"] or run["ending"] != "done":
        raise RuntimeError(f"not exhaustive: {run['sentence']}")
    return run


def read(run, model):
    finals, open_end = set(), False
    places = {"C_1": 0, "C_2": 1, "D_1": 2, "D_2": 3}
    for state in run["final_states"]:
        x, dead = [0] * 4, [False] * 4
        for o in state["objects"]:
            if o["name"] in places:
                x[places[o["name"]]] = int(o["fields"]["x"])
                dead[places[o["name"]]] = bool(o.get("dead"))
        if state["outcome"] in ("deadlock", "stuck") or "deadlock" in state["outcome"] or "stuck" in state["outcome"]:
            open_end = True
        else:
            finals.add((tuple(x), tuple(dead), state["outcome"] != "ok"))
    return finals, open_end


def check(sennit, directory, seed):
    model = make_model(seed)
    path = os.path.join(directory, "m.abs")
    with open(path, "w", encoding="utf-8") as file:
        file.write(print_model(model))
    variants = [[], ["--dependence=exact"], ["--dependence=actor"], ["--reduction=source"]]
    options = variants[seed % len(variants)]
    try:
        expected, open_end = Interpreter(model, 6000).finals()
    except TooLarge:
        return None
    try:
        run = explore(sennit, path, options)
    except RuntimeError as failure:
        print(f"seed {seed} {options}: {failure}", flush=True)
        return False
    if run is None:
        return None
    found, found_open = read(run, model)
    if found != expected or found_open != open_end:
        print(f"seed {seed} {options}: missing {sorted(expected - found)[:3]}, superfluous "
              f"{sorted(found - expected)[:3]}, open {open_end} {found_open}", flush=True)
        return False
    return True


def main():
    if sys.argv[1] == "--show":
        print(print_model(make_model(int(sys.argv[2]))))
        return
    sennit, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as directory:
        results = [check(sennit, directory, seed) for seed in range(first, first + count)]
    print(f"{results.count(True)} models agree, {results.count(None)} were too large, {results.count(False)} differ")
    sys.exit(1 if False in results else 0)


if __name__ == "__main__":
    main()
