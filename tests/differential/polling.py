#!/usr/bin/env python3
"""Threads that poll under locks: what Sennit finds against all states of the program.

    polling.py SENNIT FIRST COUNT

Each generated program is compiled and explored, and at the same time it is a small machine whose
states are all visited here, rounds of loops that change nothing included. Final states must be the
same, and whether threads can stay in their loops or block each other forever. With small random bounds nothing may be
found that is not found without."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from states import reach

VARIABLES = {"x": 0, "y": 0, "z": 1}  # which lock protects which
COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, ">=": lambda a, b: a >= b, "<": lambda a, b: a < b}


class Program:
    """Source text and machine code of its threads, made together. Variable a is atomic and needs no lock."""

    def __init__(self, seed, attempt):
        self.random = random.Random(seed * 100 + attempt)
        self.prefix = f"p{seed}_"
        self.text, self.helpers, self.threads, self.polls = [], [], [], 0
        self.spin_locks = self.random.random() < 0.2
        for number in range(self.random.choice([2, 2, 2, 3])):
            self.thread(number)

    # -- parts

    def locks(self):
        return self.random.choice([[0], [0], [0], [1], [0, 1], [1, 0]])

    def allowed(self, locks):
        return [v for v, lock in VARIABLES.items() if lock in locks]

    def condition(self, locks):
        return (self.random.choice(self.allowed(locks) + (["a"] if self.random.random() < 0.4 else [])), self.random.choice(["==", "!=", ">=", ">="]), self.random.choice([1, 1, 2]))

    def changes(self, locks):
        result = []
        for _ in range(self.random.choice([0, 1, 1, 2])):
            variable = self.random.choice(self.allowed(locks) + (["a"] if self.random.random() < 0.2 else []))
            result.append(self.random.choice([("add", variable, 1), ("set", variable, self.random.randint(0, 2)), ("see", variable, 0)]))
        return result

    # -- both languages

    def c_lock(self, lock):
        return f"pthread_{'spin' if self.spin_locks else 'mutex'}_lock(&{self.prefix}m[{lock}]); "

    def c_unlock(self, lock):
        return f"pthread_{'spin' if self.spin_locks else 'mutex'}_unlock(&{self.prefix}m[{lock}]); "

    def c_change(self, change):
        kind, variable, value = change
        name = self.prefix + variable
        return {"add": f"{name} += {value}; ", "set": f"{name} = {value}; ", "see": f"seen = seen * 4 + {name}; "}[kind]

    def c_condition(self, condition):
        return f"{self.prefix}{condition[0]} {condition[1]} {condition[2]}"

    def take(self, locks):
        self.code += [("lock", lock) for lock in locks]
        return "".join(self.c_lock(lock) for lock in locks)

    def give(self, locks):
        order = list(reversed(locks)) if self.random.random() < 0.7 else locks
        self.code += [("unlock", lock) for lock in order]
        return "".join(self.c_unlock(lock) for lock in order)

    def change(self, changes):
        self.code += changes
        return "".join(self.c_change(c) for c in changes)

    def section(self):
        locks = self.locks()
        taken = self.take(locks)
        changed = self.change(self.changes(locks))
        return taken + changed + self.give(locks)

    def atomic(self):
        return self.change([("set", "a", self.random.randint(1, 2))])

    def poll(self):
        """A loop that looks under locks until a condition holds, in one of several shapes."""
        self.polls += 1
        locks, shape = self.locks(), self.random.choice(["outside", "inside", "function", "flag", "goto"])
        condition, test = self.condition(locks), None
        begin = len(self.code)
        text = self.take(locks)
        self.code.append(("test",) + condition)
        if shape == "inside":
            jump = len(self.code)
            self.code.append(None)
            text += f"if ({self.c_condition(condition)}) {{ "
            text += self.change(self.changes(locks)) + self.give(locks) + "break; } "
            leave = len(self.code)
            self.code.append(None)
            self.code[jump] = ("unless", len(self.code))
            text += self.give(locks)
            self.code.append(("jump", begin))
            self.code[leave] = ("jump", len(self.code))
            return f"for (;;) {{ {text}{self.pause()}}} "
        given = self.give(locks)
        if shape == "function":
            name = f"{self.prefix}check{len(self.helpers)}"
            self.helpers.append(f"static int {name}(void) {{ {text}int holds = {self.c_condition(condition)}; {given}return holds; }}")
            text = f"while (!{name}()) {{ {self.pause()}}} "
        elif shape == "flag":
            text = f"for (;;) {{ {text}int holds = {self.c_condition(condition)}; {given}if (holds) break; " \
                   f"if (atomic_load(&{self.prefix}a)) break; {self.pause()}}} "
        elif shape == "goto":
            label = f"again{begin}"
            text = f"{label}: {text}if (!({self.c_condition(condition)})) {{ {given}{self.pause()}goto {label}; }} {given}"
        else:
            text = f"for (;;) {{ {text}int holds = {self.c_condition(condition)}; {given}if (holds) break; {self.pause()}}} "
        self.code.append(("unless", len(self.code) + 2))
        leave = len(self.code)
        self.code.append(None)
        if shape == "flag":
            self.code.append(("test", "a", "!=", 0))
            self.code.append(("unless", begin))
        else:
            self.code.append(("jump", begin))
        self.code[leave] = ("jump", len(self.code))
        return text

    def poll_holding(self):
        """A loop that has the locks where it begins and ends."""
        self.polls += 1
        locks, repeats = self.locks(), self.random.random() < 0.3
        condition = self.condition(locks)
        text = self.take(locks)
        begin = len(self.code)
        if not repeats:
            self.code += [("test",) + condition, ("unless", begin + 3), None]
        again = self.give(locks) + self.pause() + self.take(locks)
        if repeats:
            self.code += [("test",) + condition, ("unless", begin)]
            text += f"do {{ {again}}} while (!({self.c_condition(condition)})); "
        else:
            self.code.append(("jump", begin))
            self.code[begin + 2] = ("jump", len(self.code))
            text += f"while (!({self.c_condition(condition)})) {{ {again}}} "
        return text + self.change(self.changes(locks)) + self.give(locks)

    def pause(self):
        return self.random.choice(["", "", "sched_yield(); ", "usleep(1); "])

    def thread(self, number):
        self.code = []
        kinds = self.random.choices([self.section, self.poll, self.poll_holding, self.atomic], [8, 3, 2, 1], k=self.random.randint(1, 4))
        body = "\n    ".join(kind() for kind in kinds)
        self.code.append(("end",))
        self.threads.append(self.code)
        self.text.append(f"static void *{self.prefix}t{number}(void *argument)\n{{\n    int seen = 0;\n    {body}\n"
                         f"    {self.prefix}seen[{number}] = seen;\n    return argument;\n}}")

    def source(self, ends):
        p, count = self.prefix, len(self.threads)
        kind = "spinlock" if self.spin_locks else "mutex"
        init = "pthread_spin_init(&%sm[i], 0)" % p if self.spin_locks else "pthread_mutex_init(&%sm[i], NULL)" % p
        state = f"static int {p}x, {p}y, {p}z, {p}seen[3];\nstatic atomic_int {p}a;\nstatic pthread_{kind}_t {p}m[2];\n"
        starts = "".join(f"    pthread_create(&threads[{i}], NULL, {p}t{i}, NULL);\n" for i in range(count))
        main = (f"static void {p}main(void)\n{{\n    pthread_t threads[3];\n    for (int i = 0; i < 2; i++)\n        {init};\n{starts}"
                f"    for (int i = 0; i < {count}; i++)\n        pthread_join(threads[i], NULL);\n    char end[80];\n"
                f"    snprintf(end, sizeof end, \"%d %d %d %d %d %d %d\", {p}x, {p}y, {p}z, {p}a, {p}seen[0], {p}seen[1], {p}seen[2]);\n"
                + "".join(f"    if (strcmp(end, \"{end}\") == 0) {{\n        sennit_reach(\"{end}\");\n        return;\n    }}\n" for end in sorted(ends))
                + "    sennit_reach(\"another\");\n}\n")
        return state + "\n".join(self.helpers + self.text) + "\n" + main


def successors(program, state):
    """States behind one instruction of one thread. A state: where the threads are, values, who holds the locks, what was seen."""
    places, values, locks, seen, holds = state
    for thread, code in enumerate(program.threads):
        place, instruction = places[thread], code[places[thread]]
        values2, locks2, seen2, holds2, next_place = dict(values), locks, seen, holds, place + 1
        kind = instruction[0]
        if kind == "end" or (kind == "lock" and locks[instruction[1]] is not None):
            continue
        if kind in ("lock", "unlock"):
            owner = thread if kind == "lock" else None
            locks2 = tuple(owner if i == instruction[1] else o for i, o in enumerate(locks))
        elif kind == "add":
            values2[instruction[1]] += instruction[2]
        elif kind == "set":
            values2[instruction[1]] = instruction[2]
        elif kind == "see":
            seen2 = tuple(s * 4 + values2[instruction[1]] if i == thread else s for i, s in enumerate(seen))
        elif kind == "test":
            result = COMPARE[instruction[2]](values2[instruction[1]], instruction[3])
            holds2 = tuple(result if i == thread else h for i, h in enumerate(holds))
        elif kind == "unless":
            next_place = place + 1 if holds[thread] else instruction[1]
        elif kind == "jump":
            next_place = instruction[1]
        yield (tuple(next_place if i == thread else p for i, p in enumerate(places)), tuple(sorted(values2.items())), locks2, seen2, holds2)


def all_states(program, most):
    """Final states, and whether threads can stay where they are forever. None if there are too many states."""
    count = len(program.threads)
    first = ((0,) * count, tuple(sorted({"x": 0, "y": 0, "z": 0, "a": 0}.items())), (None, None), (0,) * count, (False,) * count)
    reached = reach(first, lambda state: successors(program, state),
                    lambda state: all(program.threads[i][p][0] == "end" for i, p in enumerate(state[0])), most)
    if reached is None:
        return None
    finals, forever = reached
    ends = set()
    for state in finals:
        values, seen = dict(state[1]), state[3] + (0,) * (3 - count)
        ends.add(" ".join(str(n) for n in (values["x"], values["y"], values["z"], values["a"]) + seen))
    return ends, forever


def make(seed):
    """A program and what it does; mostly one in which nobody stays forever, since there a wait that misses something shows."""
    for attempt in range(100):
        program = Program(seed, attempt)
        expected = all_states(program, 20000)
        if expected and (not expected[1] or seed % 4 == 0) and program.polls:
            return program, expected
    return program, expected


def bounds(seed):
    """Options that bound the search: one, or two of them."""
    chance = random.Random(seed)
    options = [f"--max-steps={chance.randint(1, 12)}", f"--unroll={chance.randint(1, 3)}",
               f"--max-children={chance.randint(1, 2)}", f"--preemptions={chance.randint(0, 2)}"]
    return chance.sample(options, chance.choice([1, 1, 2]))


def explore(sennit, binary, number, options=()):
    shutil.rmtree("run", ignore_errors=True)
    subprocess.run([sennit, "explore", "-k", "-q", *options, "-o", "run", binary, "--", str(number)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    with open("run/run.json") as file:
        run = json.load(file)
    ends = {goal for goal, reached in run["goals"].items() if reached}
    kinds = {bug["kind"] for bug in run["bugs"]}
    return ends, kinds, run


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    programs, expected = zip(*[make(seed) for seed in range(first, first + count)])
    failures = checked = executions = stuck = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("batch.c", "w") as file:
            file.write("#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                       "#include <string.h>\n#include <unistd.h>\n#include <sennit/sennit.h>\n")
            file.write("\n".join(program.source(e[0] if e else []) for program, e in zip(programs, expected)))
            mains = ", ".join(f"{program.prefix}main" for program in programs)
            file.write(f"int main(int argc, char **argv)\n{{\n    static void (*const mains[])(void) = {{{mains}}};\n"
                       "    mains[atoi(argv[argc - 1])]();\n    return 0;\n}\n")
        subprocess.run([sennit, "cc", "-w", "batch.c", "-o", "batch"], check=True)
        subprocess.run([sennit, "cc", "-w", "--unroll", "batch.c", "-o", "bounded"], check=True)
        for number, program in enumerate(programs):
            if expected[number] is None:
                continue
            ends, forever = expected[number]
            found, kinds, run = explore(sennit, "./batch", number)
            checked += 1
            executions += run["executions"]
            stuck += forever
            wrong = []
            if run["verdict"] != "exhaustive" or run["redundant"]:
                wrong.append(f"{run['sentence']} {run['redundant']} redundant")
            if found != ends:
                wrong.append(f"ends missing {sorted(ends - found)}, too many {sorted(found - ends)}")
            if bool(kinds) != forever or kinds - {"livelock", "deadlock"}:
                wrong.append(f"bugs {sorted(kinds)}, threads {'can' if forever else 'cannot'} stay forever")
            options = bounds(first + number) + ["--max-execs=2000"]
            found, kinds, run = explore(sennit, "./bounded", number, options)
            if found - ends or (kinds and not forever) or kinds - {"livelock", "deadlock"}:
                wrong.append(f"{' '.join(options)}: ends {sorted(found - ends)}, bugs {sorted(kinds)}")
            for sentence in wrong:
                failures += 1
                print(f"FAIL  seed {first + number}: {sentence}")
        if failures and len(sys.argv) > 4:
            subprocess.run(["cp", "batch.c", sys.argv[4]])
    print(f"{checked} programs of {count}, {stuck} with threads that may stay forever, {executions} executions, {failures} failures")
    sys.exit(failures > 0 or checked < count / 2)


main()
