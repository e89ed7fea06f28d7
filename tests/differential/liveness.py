#!/usr/bin/env python3
"""Properties of states and endless executions: what Sennit finds against all states of the program.

    liveness.py SENNIT FIRST COUNT

Each generated program has two or three threads over three atomic variables and a lock; some repeat for ever, some steps
are strongly fair. At the same time it is a small machine whose states are visited here, each with who moved last. What
never holds again (sennit_leads_to, sennit_eventually) on a fair execution is a fixed point over these states, computed
as Emerson and Lei do, for each set of strongly fair steps that may stay impossible; what must always hold is looked at
in each state. Sennit has to say the same, of searches for states of all programs, and of the usual search of those
that end."""
import json
import os
import random
import subprocess
import sys
import tempfile
from itertools import combinations

BATCH = 50  # programs compiled together
VARIABLES = 3

HEADER = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sennit/monitor.h>
static atomic_int v0, v1, v2;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""


def term(r):
    return ("v", r.randrange(VARIABLES), r.choice(["==", "!="]), r.randrange(3))


def condition(r):
    shape = r.random()
    if shape < 0.4:
        return term(r)
    return (r.choice(["&&", "||"]), term(r), term(r))


def c_text(c):
    if c[0] == "v":
        return f"v{c[1]} {c[2]} {c[3]}"
    return f"({c_text(c[1])} {c[0]} {c_text(c[2])})"


def holds(c, values):
    if c[0] == "v":
        return (values[c[1]] == c[3]) == (c[2] == "==")
    if c[0] == "&&":
        return holds(c[1], values) and holds(c[2], values)
    return holds(c[1], values) or holds(c[2], values)


class Program:
    """Code of a thread: ("set", variable, value), ("flip", variable), ("swap", variable, old, new), ("if",
    variable, value, skipped), ("lock", strong), ("unlock",), ("wait", variable, value); it repeats or ends."""

    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.seed = seed
        self.threads, self.repeats = [], []
        for _ in range(r.choice([2, 2, 2, 3])):
            self.threads.append(self.body())
            self.repeats.append(r.random() < 0.6)
        self.always = condition(r)
        self.leads = (condition(r), condition(r))
        self.eventually = condition(r)

    def body(self):
        r, code = self.random, []
        for _ in range(r.randint(1, 3)):
            shape = r.random()
            if shape < 0.3:
                code.append(("set", r.randrange(VARIABLES), r.randrange(3)))
            elif shape < 0.45:
                code.append(("flip", r.randrange(VARIABLES)))
            elif shape < 0.6:
                code.append(("swap", r.randrange(VARIABLES), r.randrange(3), r.randrange(3)))
            elif shape < 0.7:
                code.append(("wait", r.randrange(VARIABLES), r.randrange(3)))
            elif shape < 0.8:
                code += [("if", r.randrange(VARIABLES), r.randrange(3), 1), ("set", r.randrange(VARIABLES), r.randrange(3))]
            else:
                code += [("lock", r.random() < 0.4), ("set", r.randrange(VARIABLES), r.randrange(3)), ("unlock",)]
        return code

    # -- the program in C

    def source(self, number):
        text = []
        for t, code in enumerate(self.threads):
            text.append(f"static void *p{number}_{t}(void *a)\n{{\n    {'for (;;) ' if self.repeats[t] else ''}{{\n")
            i = 0
            while i < len(code):
                text.append("        " + self.statement(code, i) + "\n")
                i += 2 if code[i][0] == "if" else 1
            text.append("    }\n    return a;\n}\n")
        return "".join(text)

    def statement(self, code, i):
        c = code[i]
        if c[0] == "set":
            return f"v{c[1]} = {c[2]};"
        if c[0] == "flip":
            return f"atomic_fetch_xor(&v{c[1]}, 1);"
        if c[0] == "swap":
            return f"{{ int old = {c[2]}; atomic_compare_exchange_strong(&v{c[1]}, &old, {c[3]}); }}"
        if c[0] == "wait":
            return f"while (v{c[1]} != {c[2]}) ;"
        if c[0] == "if":
            return f"if (v{c[1]} == {c[2]}) {{ {self.statement(code, i + 1)} }}"
        if c[0] == "lock":
            return ("sennit_strong(); " if c[1] else "") + "pthread_mutex_lock(&m);"
        return "pthread_mutex_unlock(&m);"

    # -- the machine: (places, values, owner, leads_to is owed, eventually is owed)

    def settle(self, t, place):
        return 0 if place == len(self.threads[t]) and self.repeats[t] else place

    def look(self, places, values, owner, leads, eventually):
        leads = not holds(self.leads[1], values) and (leads or holds(self.leads[0], values))
        return (places, values, owner, leads, eventually and not holds(self.eventually, values))

    def first(self):
        return self.look((0,) * len(self.threads), (0,) * VARIABLES, None, False, True)

    def can_move(self, state, t):
        places, _, owner = state[:3]
        return places[t] < len(self.threads[t]) and (self.threads[t][places[t]][0] != "lock" or owner is None)

    def is_strong(self, state, t):
        code, place = self.threads[t], state[0][t]
        return place < len(code) and code[place][0] == "lock" and code[place][1]

    def move(self, state, t):
        places, values, owner, leads, eventually = state
        c, place, values = self.threads[t][places[t]], places[t] + 1, list(values)
        if c[0] == "set":
            values[c[1]] = c[2]
        elif c[0] == "flip":
            values[c[1]] ^= 1
        elif c[0] == "swap":
            values[c[1]] = c[3] if values[c[1]] == c[2] else values[c[1]]
        elif c[0] == "wait":
            place -= values[c[1]] != c[2]
        elif c[0] == "if":
            place += values[c[1]] != c[2]
        else:
            owner = t if c[0] == "lock" else None
        places = places[:t] + (self.settle(t, place),) + places[t + 1:]
        return self.look(places, tuple(values), owner, leads, eventually)

    def is_stuck(self, state):
        """Does everybody who has not ended wait for a value?"""
        places, values = state[:2]
        return any(place < len(code) for place, code in zip(places, self.threads)) and all(
            place == len(code) or (code[place][0] == "wait" and values[code[place][1]] != code[place][2])
            for place, code in zip(places, self.threads))

    def ends(self):
        return not any(self.repeats) and not any(c[0] == "wait" for code in self.threads for c in code)


def explore_all(program, most):
    """The nodes (state, who moved last, was that strongly fair?) with their successors; None if there are too many."""
    first = (program.first(), None, False)
    nodes, work = {first: []}, [first]
    while work:
        node = work.pop()
        for t in range(len(program.threads)):
            if not program.can_move(node[0], t):
                continue
            after = (program.move(node[0], t), t, program.is_strong(node[0], t))
            nodes[node].append(after)
            if after not in nodes:
                nodes[after] = []
                work.append(after)
        if len(nodes) > most:
            return None
    return nodes


def can_reach(nodes, inside, goal):
    """Those of `inside` that come to the goal by one step or more inside."""
    before = {node: [] for node in inside}
    for node in inside:
        for after in nodes[node]:
            if after in inside:
                before[after].append(node)
    reached, work = set(), list(goal & inside)
    while work:
        for node in before[work.pop()]:
            if node not in reached:
                reached.add(node)
                work.append(node)
    return reached


def has_fair_cycle(program, nodes, inside):
    threads = range(len(program.threads))
    labelled = [t for t in threads if any(c[0] == "lock" and c[1] for c in program.threads[t])]
    for count in range(len(labelled) + 1):
        for impossible in combinations(labelled, count):
            left = {n for n in inside
                    if not any(program.is_strong(n[0], t) and program.can_move(n[0], t) for t in impossible)}
            goals = [{n for n in left if not program.can_move(n[0], t) or n[1] == t} for t in threads]
            goals += [{n for n in left if n[1] == t and n[2]} for t in labelled if t not in impossible]
            while True:
                fewer = left
                for goal in goals:
                    fewer = fewer & can_reach(nodes, fewer, goal)
                if fewer == left:
                    break
                left = fewer
            if left:
                return True
    return False


def expected(program, most=4000):
    """Which properties fail."""
    nodes = explore_all(program, most)
    if nodes is None:
        return None
    failing = set()
    if any(program.is_stuck(node[0]) for node in nodes):
        failing.add("livelock")  # and such an execution is reported for that alone
    if any(not holds(program.always, node[0][1]) for node in nodes):
        failing.add("always")
    for name, bit in ("leads", 3), ("eventually", 4):
        owed = {node for node in nodes if node[0][bit] and not program.is_stuck(node[0])}
        if any(not nodes[node] for node in owed) or has_fair_cycle(program, nodes, owed):
            failing.add(name)
    return failing


# -- what Sennit says


def write_batch(programs):
    with open("batch.c", "w") as file:
        file.write(HEADER)
        for name, what in ("always", lambda p: p.always), ("p", lambda p: p.leads[0]), ("q", lambda p: p.leads[1]), \
                          ("eventually", lambda p: p.eventually):
            cases = "".join(f"    case {i}: return {c_text(what(p))};\n" for i, p in enumerate(programs))
            file.write(f"static int is_{name}(int program)\n{{\n    switch (program) {{\n{cases}    default: return "
                       f"{int(name == 'always')};\n    }}\n}}\n")
        file.write("static atomic_int chosen = -1;\nsennit_always(always, is_always(chosen));\n"
                   "sennit_leads_to(leads, is_p(chosen), is_q(chosen));\nsennit_eventually(eventually, is_eventually(chosen));\n")
        for i, program in enumerate(programs):
            file.write(program.source(i))
        starts = "".join(f"    case {i}: " + " ".join(f"pthread_create(&threads[{t}], NULL, p{i}_{t}, NULL);"
                                                      for t in range(len(p.threads))) +
                         " " + " ".join(f"pthread_join(threads[{t}], NULL);" for t in range(len(p.threads))) + " break;\n"
                         for i, p in enumerate(programs))
        file.write("int main(int argc, char **argv)\n{\n    pthread_t threads[3];\n    chosen = atoi(argv[argc - 1]);\n"
                   f"    switch (chosen) {{\n{starts}    }}\n    return 0;\n}}\n")


def names(run):
    """The properties that fail, as far as a replay has confirmed it."""
    failing = set()
    for bug in run["bugs"]:
        if bug["kind"] == "livelock":
            failing.add("livelock")
        for name in "always", "leads", "eventually":
            if bug["kind"] in ("assertion", "liveness") and name in bug["summary"]:
                failing.add(name)
    return failing


def ask(sennit, number, flags):
    done = subprocess.run([sennit, "explore", "-k", "-q", "-o", "run", *flags, "./batch", "--", str(number)],
                          capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        return {"bugs": [], "verdict": f"exit {done.returncode}: {done.stdout[-300:]}"}
    with open("run/run.json") as file:
        run = json.load(file)
    if "not confirmed" in run["sentence"]:
        run["verdict"] = run["sentence"]
    return run


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    failures = checked = failing = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for begin in range(first, first + count, BATCH):
            programs = [Program(seed) for seed in range(begin, min(begin + BATCH, first + count))]
            write_batch(programs)
            subprocess.run([sennit, "cc", "-w", "--states", "-O2", "batch.c", "-o", "batch"], check=True)
            for number, program in enumerate(programs):
                right = expected(program)
                if right is None:
                    continue
                searches = [["--reduction=states"]] + ([[], ["--reduction=source"]] if program.ends() else [])
                for flags in searches:
                    run = ask(sennit, number, flags)
                    if names(run) - {"livelock"} != right - {"livelock"} or right - names(run) or run["verdict"] != "exhaustive":
                        failures += 1
                        print(f"FAIL  seed {program.seed} {' '.join(flags)}: {run['verdict']}, fails {sorted(names(run))}, "
                              f"should {sorted(right)}")
                checked += 1
                failing += bool(right & {"leads", "eventually"})
    print(f"{checked} programs of {count}, {failing} with a property that is never met, {failures} failures")
    sys.exit(failures > 0 or checked < count / 2)


if __name__ == "__main__":
    main()
