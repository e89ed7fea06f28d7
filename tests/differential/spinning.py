#!/usr/bin/env python3
"""Loops that wait without looking like it: what Sennit finds against all states of the program.

    spinning.py SENNIT FIRST COUNT [FILE]

Each generated program is compiled and explored, and at the same time it is a small machine whose states are all visited
here, iterations that change nothing included: they lead back to known states, so no bound is needed. The loops have
variables of their own (back-off that grows, counters that wrap or give up, a variable that decides what is read next),
call functions through pointers, recursively and in another file, write local variables through pointers, poll
trylock. Final states must be the same, and whether threads can stay in their loops or block each other forever."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from states import reach

VARIABLES = ["x", "y", "z"]
HEADER = """#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sennit/sennit.h>
int load_elsewhere(atomic_int *p);
void relax_elsewhere(void);
static int look(atomic_int *p) { return atomic_load(p); }
static int (*look_through)(atomic_int *) = look;
static int look_deep(atomic_int *p, int depth) { return depth ? look_deep(p, depth - 1) : atomic_load(p); }
static __attribute__((noinline)) void fetch(atomic_int *p, int *out) { *out = atomic_load(p); }
"""
ELSEWHERE = """#include <sched.h>
#include <stdatomic.h>
int load_elsewhere(atomic_int *p) { return atomic_load(p); }
void relax_elsewhere(void) { sched_yield(); }
"""


class Program:
    """Source text and machine code of its threads, made together. Code: ("load", local, variable), ("store", variable, function
    of the locals), ("cas", local, variable, function, function), ("trylock" | "lock" | "unlock", ...), ("step", local that
    gets the old value, variable, when it is enabled, function of the value and the locals), ("do", function that answers the locals), ("if", function, place), ("jump", place), ("end",)."""

    compile_flags, search_flags = [], []
    shown = VARIABLES  # in the end
    first = dict.fromkeys(VARIABLES, 0)
    plain = ""  # declarations of further variables

    def __init__(self, seed, attempt):
        self.random = random.Random(seed * 100 + attempt)
        self.prefix, self.text, self.threads, self.loops = f"p{seed}_", [], [], 0
        for number in range(self.random.choice([2, 2, 2, 3])):
            self.thread(number)

    def pick(self):
        return self.random.choice(VARIABLES)

    def at(self, variable):
        return f"&{self.prefix}{variable}"

    def c_load(self, variable):
        how = self.random.choice(["atomic_load({})", "atomic_load({})", "look_through({})", "look_deep({}, 2)", "load_elsewhere({})"])
        return how.format(self.at(variable))

    def pause(self):
        return self.random.choice(["", "", "sched_yield(); ", "relax_elsewhere(); ", "errno = 0; ", "usleep(1); ", "poll(NULL, 0, 1); "])

    # -- statements: text, and code appended to self.code

    def store(self):
        variable, value = self.pick(), self.random.randint(0, 2)
        self.code.append(("store", variable, lambda l, v=value: v))
        return f"atomic_store({self.at(variable)}, {value}); "

    def add(self):
        variable = self.pick()
        self.code.append(("add", variable))
        return f"atomic_fetch_add({self.at(variable)}, 1); "

    def see(self):
        variable = self.pick()
        self.code += [("load", "v", variable), ("do", lambda l: {**l, "seen": l["seen"] * 4 + l["v"]})]
        return f"seen = seen * 4 + atomic_load({self.at(variable)}); "

    def section(self):
        variable = self.pick()
        self.code += [("lock",), ("load", "v", variable), ("store", variable, lambda l: l["v"] + 1), ("unlock",)]
        return f"pthread_mutex_lock(&{self.prefix}m); {{ int v = atomic_load({self.at(variable)}); " \
               f"atomic_store({self.at(variable)}, v + 1); }} pthread_mutex_unlock(&{self.prefix}m); "

    def loop(self):
        self.loops += 1
        return self.random.choice(self.shapes())()

    def shapes(self):
        return [self.backoff, self.adaptive, self.bounded, self.selecting, self.two, self.changed, self.claim, self.through, self.trylock,
                self.alternating]

    def keep(self, local):
        """Whether a local variable of the loop is seen in the end."""
        if self.random.random() < 0.5:
            return ""
        self.code.append(("do", lambda l: {**l, "seen": l["seen"] * 4 + l[local] % 4}))
        return f"seen = seen * 4 + {local} % 4; "

    def backoff(self):
        variable, value, most = self.pick(), self.random.randint(1, 2), self.random.choice([2, 4, 8])
        begin = len(self.code)
        self.code += [("load", "v", variable), ("if", lambda l: l["v"] == value, begin + 4),
                      ("do", lambda l: {**l, "b": l["b"] * 2 if l["b"] < most else l["b"]}), ("jump", begin)]
        self.code.insert(begin, ("do", lambda l: {**l, "b": 1}))
        self.shift(begin + 1, begin)
        return f"{{ int b = 1; while ({self.c_load(variable)} != {value}) {{ for (int i = b; i > 0; i--) ; " \
               f"if (b < {most}) b += b; {self.pause()}}} {self.keep('b')}}} "

    def adaptive(self):
        variable, value, most = self.pick(), self.random.randint(1, 2), self.random.choice([2, 3, 5])
        begin = len(self.code)
        self.code += [("do", lambda l: {**l, "n": 0}), ("load", "v", variable), ("if", lambda l: l["v"] == value, begin + 5),
                      ("do", lambda l: {**l, "n": l["n"] + 1 if l["n"] + 1 < most else 0}), ("jump", begin + 1)]
        return f"{{ int n = 0; while ({self.c_load(variable)} != {value}) {{ if (++n >= {most}) {{ poll(NULL, 0, 1); n = 0; }} }} " \
               f"{self.keep('n')}}} "

    def bounded(self):
        variable, value, most = self.pick(), self.random.randint(1, 2), self.random.choice([2, 3])
        begin = len(self.code)
        self.code += [("do", lambda l: {**l, "n": 0}), ("if", lambda l: l["n"] >= most, begin + 6), ("load", "v", variable),
                      ("if", lambda l: l["v"] == value, begin + 6), ("do", lambda l: {**l, "n": l["n"] + 1}), ("jump", begin + 1)]
        return f"{{ int n = 0; for (; n < {most} && {self.c_load(variable)} != {value}; n++) {{ {self.pause()}}} {self.keep('n')}}} "

    def selecting(self):
        value = self.random.randint(1, 2)
        begin = len(self.code)
        self.code += [("do", lambda l: {**l, "k": 0}), ("pick", "v", "k"), ("if", lambda l: l["v"] == value, begin + 5),
                      ("do", lambda l: {**l, "k": (l["k"] + 1) % 3}), ("jump", begin + 1)]
        where = ", ".join(self.at(v) for v in VARIABLES)
        return f"{{ atomic_int *const all[] = {{{where}}}; int k = 0; while (atomic_load(all[k]) != {value}) {{ k = (k + 1) % 3; " \
               f"{self.pause()}}} {self.keep('k')}}} "

    def alternating(self):
        one, other, value = self.pick(), self.pick(), self.random.randint(1, 2)
        begin = len(self.code)
        self.code += [("do", lambda l: {**l, "t": 0}), ("do", lambda l: {**l, "t": l["t"] ^ 1}), ("if", lambda l: l["t"] == 0, begin + 5),
                      ("load", "v", one), ("jump", begin + 6), ("load", "v", other), ("if", lambda l: l["v"] != value, begin + 1)]
        return f"{{ int t = 0, v; do {{ t ^= 1; v = t ? {self.c_load(one)} : {self.c_load(other)}; {self.pause()}}} while (v != {value}); " \
               f"{self.keep('t')}}} "

    def two(self):
        one, other, a, b = self.pick(), self.pick(), self.random.randint(0, 2), self.random.randint(1, 2)
        begin = len(self.code)
        self.code += [("load", "v", one), ("load", "w", other), ("if", lambda l: l["v"] == a and l["w"] == b, begin + 4), ("jump", begin)]
        text = f"{{ int v, w; for (;;) {{ v = {self.c_load(one)}; w = {self.c_load(other)}; if (v == {a} && w == {b}) break; {self.pause()}}} "
        return text + self.keep("w") + "} "

    def changed(self):
        variable = self.pick()
        begin = len(self.code)
        self.code += [("load", "v", variable), ("do", lambda l: {**l, "w": l["v"]}), ("load", "v", variable),
                      ("if", lambda l: l["v"] == l["w"], begin + 1)]
        return f"{{ int v = atomic_load({self.at(variable)}), w; do {{ w = v; {self.pause()}v = {self.c_load(variable)}; }} while (v == w); " \
               f"{self.keep('w')}}} "

    def claim(self):
        """Waits until bit 2 is not set and sets it; clears it later."""
        variable = self.pick()
        begin = len(self.code)
        self.code += [("load", "v", variable), ("if", lambda l: l["v"] & 4, begin), ("cas", "w", variable, lambda l: l["v"], lambda l: l["v"] | 4),
                      ("if", lambda l: not l["w"], begin), ("mask", variable)]
        return f"{{ int v, b = 1; again{begin}: v = {self.c_load(variable)}; if (v & 4) {{ if (b < 4) b += b; {self.pause()}goto again{begin}; }} " \
               f"if (!atomic_compare_exchange_strong({self.at(variable)}, &v, v | 4)) goto again{begin}; " \
               f"atomic_fetch_and({self.at(variable)}, ~4); }} "

    def through(self):
        variable, value = self.pick(), self.random.randint(1, 2)
        begin = len(self.code)
        self.code += [("load", "v", variable), ("if", lambda l: l["v"] != value, begin)]
        return f"{{ int v; do {{ fetch({self.at(variable)}, &v); {self.pause()}}} while (v != {value}); }} "

    def trylock(self):
        variable = self.pick()
        begin = len(self.code)
        self.code += [("trylock", "v"), ("if", lambda l: not l["v"], begin), ("load", "v", variable),
                      ("store", variable, lambda l: l["v"] + 1), ("unlock",)]
        return f"{{ int b = 1; while (pthread_mutex_trylock(&{self.prefix}m)) {{ if (b < 8) b += b; {self.pause()}}} " \
               f"int v = atomic_load({self.at(variable)}); atomic_store({self.at(variable)}, v + 1); pthread_mutex_unlock(&{self.prefix}m); }} "

    def shift(self, first, begin):
        """Places in the code from `first` on move by one."""
        for i in range(first, len(self.code)):
            instruction = self.code[i]
            if instruction[0] == "if":
                self.code[i] = ("if", instruction[1], instruction[2] + 1)
            elif instruction[0] == "jump":
                self.code[i] = ("jump", instruction[1] + 1)

    length = 3  # of a thread, at most

    @staticmethod
    def is_undecided(run, forever):
        """May Sennit leave it open whether threads stay forever?"""
        return False

    @staticmethod
    def is_complete(run):
        return run["verdict"] == "exhaustive" and not run["redundant"]

    @staticmethod
    def stays(run, kinds):
        """Does Sennit say that threads may stay forever?"""
        return bool(kinds)

    def statements(self):
        return [self.store, self.add, self.see, self.section, self.loop], [5, 2, 1, 1, 4]

    def thread(self, number):
        self.code = []
        kinds = self.random.choices(*self.statements(), k=self.random.randint(1, self.length))
        body = "\n    ".join(kind() for kind in kinds)
        self.code.append(("end",))
        self.threads.append(self.code)
        self.text.append(f"static void *{self.prefix}t{number}(void *argument)\n{{\n    int seen = 0;\n    {body}\n"
                         f"    {self.prefix}seen[{number}] = seen;\n    return argument;\n}}")

    def source(self, ends):
        p, count = self.prefix, len(self.threads)
        state = f"static int {p}seen[3];\nstatic atomic_int {p}x, {p}y, {p}z;\nstatic pthread_mutex_t {p}m = PTHREAD_MUTEX_INITIALIZER;\n" \
                + self.plain.replace("@", p)
        shown = ", ".join(p + v for v in self.shown)
        starts = "".join(f"    pthread_create(&threads[{i}], NULL, {p}t{i}, NULL);\n" for i in range(count))
        main = (f"static void {p}main(void)\n{{\n    pthread_t threads[3];\n{starts}"
                f"    for (int i = 0; i < {count}; i++)\n        pthread_join(threads[i], NULL);\n    char end[80];\n"
                f"    snprintf(end, sizeof end, \"{'%d ' * len(self.shown)}%d %d %d\", {shown}, {p}seen[0], {p}seen[1], {p}seen[2]);\n"
                + "".join(f"    if (strcmp(end, \"{end}\") == 0) {{\n        sennit_reach(\"{end}\");\n        return;\n    }}\n" for end in sorted(ends))
                + "    sennit_reach(\"another\");\n}\n")
        return state + "\n".join(self.text) + "\n" + main


FIRST_LOCALS = {"seen": 0, "v": 0, "w": 0, "n": 0, "b": 0, "k": 0, "t": 0}


def settle(code, place, local):
    """Runs what no other thread can see. Answers None for a loop without visible operations (none is generated)."""
    while code[place][0] in ("do", "if", "jump"):
        instruction = code[place]
        if instruction[0] == "do":
            local, place = instruction[1](local), place + 1
        elif instruction[0] == "if":
            place = instruction[2] if instruction[1](local) else place + 1
        else:
            place = instruction[1]
    return place, tuple(sorted(local.items()))


def successors(program, state):
    threads, values, owner = state
    for number, (place, local) in enumerate(threads):
        instruction, known, values2, owner2 = program.threads[number][place], dict(local), dict(values), owner
        kind = instruction[0]
        if kind == "end" or (kind == "lock" and owner is not None) or (kind == "step" and not instruction[3](values2[instruction[2]])):
            continue
        if kind == "load":
            known[instruction[1]] = values2[instruction[2]]
        elif kind == "pick":
            known[instruction[1]] = values2[VARIABLES[known[instruction[2]]]]
        elif kind == "store":
            values2[instruction[1]] = instruction[2](known)
        elif kind == "add":
            values2[instruction[1]] += 1
        elif kind == "mask":
            values2[instruction[1]] &= ~4
        elif kind == "cas":
            known[instruction[1]] = values2[instruction[2]] == instruction[3](known)
            if known[instruction[1]]:
                values2[instruction[2]] = instruction[4](known)
        elif kind == "step":
            known[instruction[1]] = values2[instruction[2]]
            values2[instruction[2]] = instruction[4](values2[instruction[2]], known)
        elif kind == "lock":
            owner2 = number
        elif kind == "unlock":
            owner2 = None
        elif kind == "trylock":
            known[instruction[1]] = owner is None
            owner2 = number if owner is None else owner
        after = settle(program.threads[number], place + 1, known)
        yield (threads[:number] + (after,) + threads[number + 1:], tuple(sorted(values2.items())), owner2)


def all_states(program, most):
    """Final states, and whether threads can stay where they are forever. None if there are too many states."""
    count = len(program.threads)
    first = (tuple(settle(code, 0, FIRST_LOCALS) for code in program.threads), tuple(sorted(program.first.items())), None)
    reached = reach(first, lambda state: successors(program, state),
                    lambda state: all(program.threads[i][place][0] == "end" for i, (place, _) in enumerate(state[0])), most)
    if reached is None:
        return None
    finals, forever = reached
    ends = set()
    for state in finals:
        values, seen = dict(state[1]), [dict(local)["seen"] for _, local in state[0]] + [0] * (3 - count)
        ends.add(" ".join(str(n) for n in [values[v] for v in program.shown] + seen))
    return ends, forever


def make(kind, seed, every=4):
    """A program and what it does; mostly one in which nobody stays forever, since there a wait that misses something shows."""
    for attempt in range(200):
        program = kind(seed, attempt)
        expected = all_states(program, 3000)
        if expected and (not expected[1] or seed % every == 0) and program.loops:
            return program, expected
    return program, expected


def explore(sennit, binary, number, flags=()):
    shutil.rmtree("run", ignore_errors=True)
    done = subprocess.run([sennit, "explore", "-k", "-q", "-o", "run", "--max-execs=5000", *flags, binary, "--", str(number)], capture_output=True,
                          text=True, timeout=600)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"exit code {done.returncode}: {done.stdout}{done.stderr}")
    with open("run/run.json") as file:
        run = json.load(file)
    ends = {goal for goal, reached in run["goals"].items() if reached}
    kinds = {bug["kind"] for bug in run["bugs"]}
    return ends, kinds, run


def main(kind=Program):
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    programs, expected = zip(*[make(kind, seed) for seed in range(first, first + count)])
    failures = checked = executions = stuck = undecided = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("batch.c", "w") as file:
            file.write(HEADER + "\n".join(program.source(e[0] if e else []) for program, e in zip(programs, expected)))
            mains = ", ".join(f"{program.prefix}main" for program in programs)
            file.write(f"int main(int argc, char **argv)\n{{\n    static void (*const mains[])(void) = {{{mains}}};\n"
                       "    mains[atoi(argv[argc - 1])]();\n    return 0;\n}\n")
        with open("elsewhere.c", "w") as file:
            file.write(ELSEWHERE)
        if len(sys.argv) > 4:
            shutil.copy("batch.c", sys.argv[4])
        level = ["-O0"] if first // count % 2 == 0 else ["-O2"]
        subprocess.run([sennit, "cc", "-w", *kind.compile_flags, *level, "batch.c", "elsewhere.c", "-o", "batch"], check=True)
        for number, program in enumerate(programs):
            if expected[number] is None:
                continue
            ends, forever = expected[number]
            found, kinds, run = explore(sennit, "./batch", number, kind.search_flags)
            checked += 1
            executions += run["executions"]
            stuck += forever
            wrong = []
            if kind.is_undecided(run, forever):
                undecided += 1
                if run["verdict"] == "bounded" and found != ends or found - ends:
                    print(f"FAIL  seed {first + number}: ends missing {sorted(ends - found)}, too many {sorted(found - ends)}")
                    failures += 1
                continue
            if not kind.is_complete(run):
                wrong.append(f"{run['sentence']} {run['redundant']} redundant")
            if found != ends:
                wrong.append(f"ends missing {sorted(ends - found)}, too many {sorted(found - ends)}")
            if kind.stays(run, kinds) != forever or kinds - {"livelock", "deadlock"}:
                wrong.append(f"bugs {sorted(kinds)}, threads {'can' if forever else 'cannot'} stay forever")
            for sentence in wrong:
                failures += 1
                print(f"FAIL  seed {first + number}: {sentence}")
    print(f"{checked} programs of {count}, {stuck} with threads that may stay forever, {executions} executions, {undecided} undecided, {failures} failures")
    sys.exit(failures > 0 or undecided > count / 10 or checked < count / 2)


if __name__ == "__main__":
    main()
