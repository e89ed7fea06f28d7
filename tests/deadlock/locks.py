#!/usr/bin/env python3
"""Lock programs against brute force.

Generates small C programs (two to four threads, two to four locks, nesting, gates, joins, condition variables, branches
on what other threads did, wrappers, locks behind pointers, in arrays, structures and on the heap), finds all their
deadlocks by walking through every state of the program, and compares with `sennit deadlock --search=all`:

  - the deadlocks are the same ones, place by place;
  - every deadlock of locks and joins contains the waits of a cycle that the analysis of the code calls open;
  - a cycle with the waits of a deadlock is confirmed;
  - a program that is called free of deadlock has none.

Usage: locks.py SENNIT FIRST COUNT [--keep DIR]
"""
import json, os, random, subprocess, sys, tempfile

# ---- Programs -----------------------------------------------------------------------------------
# A thread is a list of statements: (kind, ...). Lines are given when the program is written as C.


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random
        self.locks = pick.randint(2, 4)
        self.flags = pick.randint(0, 2)
        self.workers = pick.randint(2, 3)
        self.shape = pick.choice(["global", "array", "field", "pointer", "heap", "argument", "loop"])
        self.wrapped = pick.random() < 0.25
        self.kinds = ["mutex"] * self.locks
        if pick.random() < 0.2:
            self.kinds[pick.randrange(self.locks)] = "rwlock"
        self.gate = pick.random() < 0.3
        self.conds = 1 if pick.random() < 0.4 else 0
        self.bodies = [self.body(2) for _ in range(self.workers)]
        if self.shape == "loop":        # one function for all threads, which differ in a number
            self.kinds = ["mutex"] * self.locks
            self.wrapped = False
            self.bodies = [self.ring(i) for i in range(self.workers)]
        self.main = self.main_body()

    def ring(self, i):
        first, second = i % self.locks, (i + 1) % self.locks
        return [("lock", first, "w"), ("lock", second, "w"), ("unlock", second), ("unlock", first)]

    def body(self, depth, held=()):
        pick, out = self.random, []
        if self.conds and not held and pick.random() < 0.7:
            return self.meeting_place()
        for _ in range(pick.randint(1, 2)):
            out += self.statement(depth, held)
        if self.gate and not held and pick.random() < 0.8:
            return [("lock", "gate", "w")] + out + [("unlock", "gate")]
        return out

    def statement(self, depth, held):
        pick = self.random
        kind = pick.random()
        free = [m for m in range(self.locks) if m not in held]
        if self.conds and depth < 2 and pick.random() < 0.1:
            return [("signal",)]
        if pick.random() < 0.02 and held and self.kinds[held[-1]] == "mutex":
            return [("lock", held[-1], "w")]
        if (kind < 0.62 or not self.flags) and free:
            m = pick.choice(free)
            inner = self.body(depth - 1, held + (m,)) if depth else []
            if pick.random() < 0.12 and self.kinds[m] == "mutex":
                return [("try", m, inner + [("unlock", m)], self.statement(0, held) if depth else [])]
            mode = pick.choice("rw") if self.kinds[m] == "rwlock" else "w"
            tail = [] if pick.random() < 0.03 else [("unlock", m)]
            return [("lock", m, mode)] + inner + tail
        if kind < 0.8 and self.flags:
            return [("set", pick.randrange(self.flags), 1)]
        if self.flags and depth:
            return [("if", pick.randrange(self.flags), self.body(depth - 1, held), self.body(depth - 1, held) if pick.random() < 0.4 else [])]
        return []

    def meeting_place(self):
        """Wait for the others with the mutex of the condition variable and perhaps another lock, or tell them."""
        pick, m = self.random, min(m for m in range(self.locks) if self.kinds[m] == "mutex")
        others = [n for n in range(self.locks) if n != m]
        held = tuple(others[:pick.random() < 0.8])
        order = [m, *held] if pick.random() < 0.8 else [*held, m]
        inner = pick.choice([[("wait", m)], [("wait", m)], [("signal",)], [("signal",)] + self.statement(0, (m,) + held)])
        return [("lock", n, "w") for n in order] + inner + [("unlock", n) for n in reversed(order)]

    def main_body(self):
        pick, out, waiting = self.random, [], []
        for worker in range(self.workers):
            if pick.random() < 0.15 and self.shape != "loop":
                out += self.statement(1, ())
            out.append(("create", worker))
            waiting.append(worker)
            if pick.random() < 0.25:
                out.append(("join", waiting.pop(pick.randrange(len(waiting)))))
        if pick.random() < 0.2 and self.shape != "loop":
            out += self.statement(1, ())
        if waiting and pick.random() < 0.15 and self.shape != "loop":
            m = pick.randrange(self.locks)
            out += [("lock", m, "w"), ("join", waiting.pop()), ("unlock", m)]
        return out + [("join", worker) for worker in waiting]


# ---- C ------------------------------------------------------------------------------------------
class Writer:
    """Writes the program as C and puts the line of each wait into its statement."""

    def __init__(self, program):
        self.program, self.lines, self.wrapper = program, [], {}
        self.bodies, self.main = [], []

    def add(self, text):
        self.lines.append(text)
        return len(self.lines)

    def type_of(self, m):
        return "pthread_%s_t" % ("mutex" if m == "gate" else self.program.kinds[m])

    def lock(self, m, in_thread):
        if m == "gate":
            return "&gate"
        return {"global": "&m%d", "array": "&ms[%d]", "field": "&all.m%d", "pointer": "p%d", "heap": "p%d",
                "argument": "given->m%d" if in_thread else "&m%d", "loop": "&ms[%d]"}[self.program.shape] % m

    def call(self, what, m, in_thread, indent):
        where = self.lock(m, in_thread)
        if self.program.wrapped and what in ("mutex_lock", "mutex_unlock"):
            self.add("%s%s(%s);" % (indent, "take" if what == "mutex_lock" else "give", where))
            return self.wrapper["take"]
        return self.add("%spthread_%s(%s);" % (indent, what, where))

    def write_statements(self, statements, in_thread, indent="    "):
        out = []
        for s in statements:
            if s[0] == "lock":
                rw = s[1] != "gate" and self.program.kinds[s[1]] == "rwlock"
                what = {"w": "rwlock_wrlock", "r": "rwlock_rdlock"}[s[2]] if rw else "mutex_lock"
                out.append(("lock", s[1], s[2] if rw else "w", self.call(what, s[1], in_thread, indent)))
            elif s[0] == "unlock":
                rw = s[1] != "gate" and self.program.kinds[s[1]] == "rwlock"
                self.call("rwlock_unlock" if rw else "mutex_unlock", s[1], in_thread, indent)
                out.append(s)
            elif s[0] == "try":
                self.add("%sif (pthread_mutex_trylock(%s) == 0) {" % (indent, self.lock(s[1], in_thread)))
                taken = self.write_statements(s[2], in_thread, indent + "    ")
                self.add("%s} else {" % indent)
                other = self.write_statements(s[3], in_thread, indent + "    ")
                self.add("%s}" % indent)
                out.append(("try", s[1], taken, other))
            elif s[0] == "set":
                self.add("%satomic_store(&f%d, 1);" % (indent, s[1]))
                out.append(s)
            elif s[0] == "signal":
                self.add("%satomic_store(&told, 1); pthread_cond_broadcast(&met);" % indent)
                out.append(s)
            elif s[0] == "wait":
                where = self.lock(s[1], in_thread)
                out.append(("wait", s[1], self.add("%swhile (!atomic_load(&told)) pthread_cond_wait(&met, %s);" % (indent, where))))
            elif s[0] == "if":
                self.add("%sif (atomic_load(&f%d)) {" % (indent, s[1]))
                then = self.write_statements(s[2], in_thread, indent + "    ")
                self.add("%s} else {" % indent)
                other = self.write_statements(s[3], in_thread, indent + "    ")
                self.add("%s}" % indent)
                out.append(("if", s[1], then, other))
            elif s[0] == "create":
                loop = self.program.shape == "loop"
                argument = "(void *)%dL" % s[1] if loop else "&group" if self.program.shape == "argument" else "NULL"
                self.add("%spthread_create(&t[%d], NULL, %s, %s);" % (indent, s[1], "ring" if loop else "w%d" % s[1], argument))
                out.append(s)
            elif s[0] == "join":
                out.append(("join", s[1], self.add("%spthread_join(t[%d], NULL);" % (indent, s[1]))))
        return out

    def declare(self):
        program = self.program
        for text in ("#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>"):
            self.add(text)
        self.add("static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;")
        if program.conds:
            self.add("static pthread_cond_t met = PTHREAD_COND_INITIALIZER;")
            self.add("static atomic_int told;")
        for f in range(program.flags):
            self.add("static atomic_int f%d;" % f)
        names = ["m%d" % m for m in range(program.locks)]
        if program.shape in ("array", "loop"):
            program.kinds = ["mutex"] * program.locks
            self.add("static pthread_mutex_t ms[%d];" % program.locks)
        elif program.shape == "field":
            self.add("static struct { int n; %s } all;" % " ".join("%s m%d;" % (self.type_of(m), m) for m in range(program.locks)))
        elif program.shape in ("pointer", "heap"):
            for m in range(program.locks):
                self.add("static %s *p%d;" % (self.type_of(m), m))
                if program.shape == "pointer":
                    self.add("static %s m%d;" % (self.type_of(m), m))
        else:
            for m in range(program.locks):
                self.add("static %s %s;" % (self.type_of(m), names[m]))
        if program.shape == "argument":
            self.add("struct group { %s };" % " ".join("%s *m%d;" % (self.type_of(m), m) for m in range(program.locks)))
        if program.wrapped:
            self.wrapper["take"] = self.add("static void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }")
            self.add("static void give(pthread_mutex_t *m) { pthread_mutex_unlock(m); }")

    def write_ring(self):
        n = self.program.locks
        self.add("static void *ring(void *argument)")
        self.add("{")
        self.add("    long seat = (long)argument;")
        first = self.add("    pthread_mutex_lock(&ms[seat %% %d]);" % n)
        second = self.add("    pthread_mutex_lock(&ms[(seat + 1) %% %d]);" % n)
        self.add("    pthread_mutex_unlock(&ms[(seat + 1) %% %d]);" % n)
        self.add("    pthread_mutex_unlock(&ms[seat %% %d]);" % n)
        self.add("    return NULL;")
        self.add("}")
        for body in self.program.bodies:
            self.bodies.append([body[0] + (first,), body[1] + (second,), body[2], body[3]])

    def write(self):
        self.declare()
        if self.program.shape == "loop":
            self.write_ring()
        for number, body in enumerate(self.program.bodies if self.program.shape != "loop" else []):
            self.add("static void *w%d(void *argument)" % number)
            self.add("{")
            if self.program.shape == "argument":
                self.add("    struct group *given = argument; (void)given;")
            self.bodies.append(self.write_statements(body, True))
            self.add("    return argument;")
            self.add("}")
        self.add("int main(void)")
        self.add("{")
        self.add("    pthread_t t[%d];" % self.program.workers)
        if self.program.shape in ("array", "loop"):
            self.add("    for (int i = 0; i < %d; i++) pthread_mutex_init(&ms[i], NULL);" % self.program.locks)
        for m in range(self.program.locks):
            if self.program.shape == "pointer":
                self.add("    p%d = &m%d;" % (m, m))
            if self.program.shape == "heap":
                self.add("    p%d = malloc(sizeof *p%d);" % (m, m))
            if self.program.shape not in ("array", "loop"):
                self.add("    pthread_%s_init(%s, NULL);" % (self.program.kinds[m], self.lock(m, False)))
        if self.program.shape == "argument":
            self.add("    struct group group = {%s};" % ", ".join("&m%d" % m for m in range(self.program.locks)))
        self.main = self.write_statements(self.program.main, False)
        self.add("    return 0;")
        self.add("}")
        return "\n".join(self.lines) + "\n"


# ---- Brute force --------------------------------------------------------------------------------
# A state: what each thread still has to do (None: not begun), the owners of locks, the flags. Thread 0 is main.


class Walk:
    TOLD = 2    # among the flags: the condition that threads wait for

    def __init__(self, program, writer):
        bodies = [writer.main] + writer.bodies
        self.bodies = [tuple(self.freeze(s) for s in body) for body in bodies]
        self.locks = list(range(program.locks)) + ["gate"]
        self.deadlocks, self.seen = set(), set()
        self.of_locks = set()       # deadlocks of locks and joins alone

    def freeze(self, s):
        return tuple(tuple(self.freeze(x) for x in part) if isinstance(part, list) else part for part in s)

    def blockers(self, state, t):
        """Threads that keep t from its next step; None: there is no next step."""
        rest, owners, flags = state
        if rest[t] is None or not rest[t]:
            return None
        s = rest[t][0]
        if s[0] == "lock":
            writer, readers = owners[self.locks.index(s[1])]
            if s[2] == "r":
                return {writer} - {None}
            return ({writer} - {None}) | set(readers)
        if s[0] in ("asleep", "woken"):
            return {owners[self.locks.index(s[1])][0]} - {None}
        if s[0] == "join":
            return set() if rest[s[1] + 1] == () else {s[1] + 1}
        return set()

    def step(self, state, t):
        rest, owners, flags = state
        s, tail = rest[t][0], rest[t][1:]
        rest, owners, flags = list(rest), list(owners), list(flags)
        if s[0] == "lock":
            i = self.locks.index(s[1])
            writer, readers = owners[i]
            owners[i] = (writer, readers + (t,)) if s[2] == "r" else (t, readers)
        elif s[0] == "unlock":
            i = self.locks.index(s[1])
            writer, readers = owners[i]
            if writer == t:
                owners[i] = (None, readers)
            else:
                kept = list(readers)
                kept.remove(t)
                owners[i] = (writer, tuple(kept))
        elif s[0] == "try":
            i = self.locks.index(s[1])
            if owners[i] == (None, ()):
                owners[i] = (t, ())
                tail = s[2] + tail
            else:
                tail = s[3] + tail
        elif s[0] == "set":
            flags[s[1]] = 1
        elif s[0] == "signal":
            if not flags[self.TOLD]:
                flags[self.TOLD] = 1            # a step of its own
                tail = (s,) + tail
            else:
                for other in range(len(rest)):
                    if rest[other] and rest[other][0][0] == "asleep":
                        rest[other] = (("woken",) + rest[other][0][1:],) + rest[other][1:]
        elif s[0] == "wait" and not flags[self.TOLD]:
            tail = (("sleep",) + s[1:],) + tail
        elif s[0] == "sleep":
            owners[self.locks.index(s[1])] = (None, ())
            tail = (("asleep",) + s[1:],) + tail
        elif s[0] == "woken":
            owners[self.locks.index(s[1])] = (t, ())
            tail = (("wait",) + s[1:],) + tail
        elif s[0] == "if":
            tail = (s[2] if flags[s[1]] else s[3]) + tail
        elif s[0] == "create":
            rest[s[1] + 1] = self.bodies[s[1] + 1]
        rest[t] = tail
        return tuple(rest), tuple(owners), tuple(flags)

    def cycles(self, waits):
        """Sets of threads that form a deadlock cycle."""
        found = set()

        def follow(path):
            for blocker in waits.get(path[-1], ()):
                if blocker == path[0]:
                    found.add(frozenset(path))
                elif blocker not in path and blocker > path[0]:
                    follow(path + [blocker])
        for t in waits:
            follow([t])
        return found

    def places(self, state, threads):
        return frozenset(state[0][t][0][-1] for t in threads)

    def run(self):
        start = (tuple([self.bodies[0]] + [None] * (len(self.bodies) - 1)), tuple((None, ()) for _ in self.locks), (0, 0, 0))
        stack = [start]
        self.seen.add(start)
        while stack:
            state = stack.pop()
            if state[0][0] == ():
                continue                    # main has returned: the program is over
            waits, going = {}, []
            for t in range(len(state[0])):
                blockers = self.blockers(state, t)
                if blockers or (blockers is not None and state[0][t][0][0] == "asleep"):
                    waits[t] = blockers
                elif blockers is not None:
                    going.append(t)
            cycles = self.cycles(waits)
            for cycle in cycles:
                self.deadlocks.add(self.places(state, cycle))
                self.of_locks.add(self.places(state, cycle))
            if not going and waits and not cycles:
                stuck = [t for t in waits if state[0][t][0][0] != "join"]
                self.deadlocks.add(self.places(state, stuck or waits))
                if not any(state[0][t][0][0] == "asleep" for t in waits):
                    self.of_locks.add(self.places(state, stuck or waits))
            for t in going:
                after = self.step(state, t)
                if after not in self.seen:
                    self.seen.add(after)
                    stack.append(after)
        return self.deadlocks


# ---- Comparing ----------------------------------------------------------------------------------
def read_cycles(path):
    """Places of each cycle that the analysis calls open."""
    cycles, current = [], None
    for line in open(path):
        words = line.rstrip("\n").split("\t")
        if words[0] == "cycle":
            current = set() if words[1] == "open" else None
            if current is not None:
                cycles.append(current)
        elif words[0] == "wait" and current is not None and words[1] != "ended":
            current.add(int(words[3]))
    return cycles


def check(sennit, seed, folder):
    program = Program(seed)
    writer = Writer(program)
    name, run = "p%d.c" % seed, "run%d" % seed
    text = writer.write()
    open(os.path.join(folder, name), "w").write(text)
    walk = Walk(program, writer)
    real = walk.run()
    result = subprocess.run([sennit, "deadlock", name, "--search=all", "--json", "-q", "-j", "1", "-o", run], cwd=folder,
                            capture_output=True, text=True)
    problems = []
    try:
        report = json.loads(result.stdout)
    except ValueError:
        return real, ["no result: exit code %d\n%s" % (result.returncode, result.stderr)], {}
    found = {frozenset(place["line"] for place in bug["places"]) for bug in report["bugs"]}
    shared = "rwlock" in program.kinds
    if found != real and not (shared and bool(found) == bool(real) and found <= real):
        problems.append("deadlocks %s, brute force has %s" % (sorted(map(sorted, found)), sorted(map(sorted, real))))
    if result.returncode != (1 if real else 0):
        problems.append("exit code %d" % result.returncode)
    cycles = read_cycles(os.path.join(folder, run, "locks.txt"))
    for deadlock in walk.of_locks:
        if not any(cycle <= deadlock for cycle in cycles):
            problems.append("no cycle of the code covers %s; cycles: %s" % (sorted(deadlock), [sorted(c) for c in cycles]))
    confirmed = sum(c["result"] == "confirmed" for c in report["cycles"])
    if any(c["result"] not in ("confirmed", "discarded") for c in report["cycles"]):
        problems.append("a cycle is neither confirmed nor discarded")
    if real and not any(cycle <= deadlock for cycle in cycles for deadlock in real) != (confirmed == 0):
        problems.append("%d cycles confirmed" % confirmed)
    for cycle in report["cycles"]:
        lines = frozenset(place["line"] for place in cycle["places"])
        own = not program.wrapped and program.shape != "loop"    # each wait of each thread has a line of its own
        if cycle["result"] == "discarded" and own and lines in walk.of_locks:
            problems.append("the cycle of lines %s is discarded" % sorted(lines))
    counts = {"cycles": len(report["cycles"]), "confirmed": confirmed,
              "by code": sum(c["source"] == "code" for c in report["cycles"]), "executions": report["executions"]}
    return real, problems, counts


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder = sys.argv[5] if len(sys.argv) > 5 else tempfile.mkdtemp()
    failures, dead, totals = 0, 0, {}
    for seed in range(first, first + count):
        real, problems, counts = check(sennit, seed, folder)
        dead += bool(real)
        for key, value in counts.items():
            totals[key] = totals.get(key, 0) + value
        for problem in problems:
            print("program %d: %s" % (seed, problem))
        if problems:
            failures += 1
            if len(sys.argv) <= 5:
                print(open(os.path.join(folder, "p%d.c" % seed)).read())
        if len(sys.argv) <= 5:
            subprocess.run(["rm", "-rf", os.path.join(folder, "run%d" % seed)])
    print("%d programs, %d with deadlocks; %s; %d wrong" % (count, dead, ", ".join("%s: %d" % p for p in totals.items()), failures))
    if len(sys.argv) <= 5:
        subprocess.run(["rm", "-rf", folder])
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
