#!/usr/bin/env python3
"""Retry loops, whose iterations may be in vain: what Sennit finds against all states of the program, and its bugs
against those of every interleaving.

    detours.py SENNIT FIRST COUNT [FILE]

As in spinning.py each generated program is also a small machine. Threads try an exchange with what they have read before
until it succeeds, read two variables until they fit, help others and try again, leave their loops in the middle. What
threads see on their way must be the same, too (sennit_reach). Every third program has plain memory as well, and blocks
that are freed: its bugs, by kind and place, must be those that --reduction=none finds, which tells all iterations
apart; where they can be enumerated. Its threads tell each other how far they are, in each pair of batches in another
way (TELLING): most of them order nothing."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import assuming
import spinning

MOST = 60000  # interleavings
# How a thread tells something, and how another one hears it: the declaration, the statement, the condition.
TELLING = [("static atomic_int {p}flag;", "atomic_store(&{p}flag, 1);", "atomic_load(&{p}flag)"),
           ("static atomic_int {p}flag;", "atomic_store_explicit(&{p}flag, 1, memory_order_relaxed);",
            "atomic_load_explicit(&{p}flag, memory_order_relaxed)"),
           ("static sem_t {p}sem; static int {p}heard(void) {{ int value; sem_getvalue(&{p}sem, &value); return value; }}",
            "sem_post(&{p}sem);", "{p}heard()"),
           ("static pthread_mutex_t {p}mutex = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_trylock(&{p}mutex);",
            "pthread_mutex_trylock(&{p}mutex)"),
           ("static int {p}plain; static int {p}heard(void) {{ __VERIFIER_atomic_begin(); int value = {p}plain; "
            "__VERIFIER_atomic_end(); return value; }}",
            "__VERIFIER_atomic_begin(); {p}plain = 1; __VERIFIER_atomic_end();", "{p}heard()")]
# Of a load, of an exchange that succeeds, and of one that fails.
ORDERS = [["relaxed", "relaxed", "relaxed"], ["relaxed", "acq_rel", "acquire"], ["acquire", "release", "relaxed"],
          ["acquire", "acq_rel", "acquire"], ["relaxed", "release", "seq_cst"], ["seq_cst", "acq_rel", "acquire"]]


class Program(spinning.Program):
    length = 3

    def __init__(self, seed, attempt):
        self.peeks = 0
        super().__init__(seed, attempt)

    def statements(self):
        return [self.store, self.add, self.see, self.peek, self.loop], [3, 2, 1, 2, 7]

    peek = assuming.Program.peek

    def c_load(self, variable):
        return self.random.choice(["atomic_load({})"] * 4 + ["look({})"]).format(self.at(variable))

    def shapes(self):
        return [self.increment, self.increment, self.claim, self.kept, self.wanted, self.stable, self.help, self.leave, self.indexed,
                self.nested, self.two, self.silent]

    def exchange(self):
        return self.random.choice(["atomic_compare_exchange_strong", "atomic_compare_exchange_weak"])

    def increment(self):
        variable, begin, more = self.pick(), len(self.code), self.random.randint(0, 2)
        self.code += [("load", "v", variable), ("cas", "w", variable, lambda l: l["v"], lambda l: l["v"] + more),
                      ("if", lambda l: not l["w"], begin)]
        form = self.random.choice(["do {{ v = {l}; {p}}} while (!{x}({a}, &v, v + {m}));",
                                   "for (;;) {{ v = {l}; {p}if ({x}({a}, &v, v + {m})) break; }}",
                                   "v = {l}; while (!{x}({a}, &v, v + {m})) v = {l};",
                                   "v = {l}; while (!{x}({a}, &v, v + {m})) {{ {p}v = {l}; }}"])
        return "{ int v; " + form.format(l=self.c_load(variable), p=self.random.choice(["", "", "sched_yield(); "]), x=self.exchange(),
                                         a=self.at(variable), m=more) + " " + self.keep("v") + "} "

    def kept(self):
        """The exchange that fails tells the value for the next try."""
        variable, begin, most = self.pick(), len(self.code), self.random.randint(1, 3)
        self.code += [("load", "v", variable), ("if", lambda l: l["v"] > most, begin + 6),
                      ("cas", "w", variable, lambda l: l["v"], lambda l: l["v"] + 1), ("if", lambda l: l["w"], begin + 6),
                      ("load", "v", variable), ("jump", begin + 1)]
        # the exchange that fails reads what the machine reads a moment later: the states are the same
        return f"{{ int v = atomic_load({self.at(variable)}); while (v <= {most} && !{self.exchange()}({self.at(variable)}, &v, v + 1)) ; " \
               f"{self.keep('v')}}} "

    def wanted(self):
        """An exchange that also waits."""
        variable, value, begin = self.pick(), self.random.randint(0, 2), len(self.code)
        self.code += [("load", "v", variable), ("if", lambda l: l["v"] != value, begin),
                      ("cas", "w", variable, lambda l: l["v"], lambda l: 3), ("if", lambda l: not l["w"], begin)]
        return f"{{ int v; do v = {self.c_load(variable)}; while (v != {value} || !{self.exchange()}({self.at(variable)}, &v, 3)); " \
               f"{self.keep('v')}}} "

    def stable(self):
        """Reads another variable between two readings of one, until these agree."""
        one, other, begin = self.pick(), self.pick(), len(self.code)
        self.code += [("load", "v", one), ("load", "w", other), ("load", "n", one), ("if", lambda l: l["v"] != l["n"], begin)]
        return f"{{ int v, w; do {{ v = {self.c_load(one)}; w = {self.c_load(other)}; }} while (v != {self.c_load(one)}); " \
               f"{self.keep('w')}}} "

    def help(self):
        """Does something for others in some iterations."""
        one, other, begin = self.pick(), self.pick(), len(self.code)
        self.code += [("load", "v", one), ("load", "w", other), ("if", lambda l: l["v"] >= l["w"], begin + 5),
                      ("cas", "t", one, lambda l: l["v"], lambda l: l["w"]), ("jump", begin),
                      ("cas", "t", other, lambda l: l["w"], lambda l: l["w"] + 1), ("if", lambda l: not l["t"], begin)]
        return f"{{ int v, w; for (;;) {{ v = {self.c_load(one)}; w = {self.c_load(other)}; " \
               f"if (v < w) {self.exchange()}({self.at(one)}, &v, w); " \
               f"else if ({self.exchange()}({self.at(other)}, &w, w + 1)) break; }} }} "

    def leave(self):
        """Gives up if the variable has some value."""
        variable, value, begin = self.pick(), self.random.randint(0, 2), len(self.code)
        self.code += [("load", "v", variable), ("if", lambda l: l["v"] == value, begin + 4),
                      ("cas", "w", variable, lambda l: l["v"], lambda l: l["v"] + 2), ("if", lambda l: not l["w"], begin)]
        return f"{{ int v; do {{ v = {self.c_load(variable)}; if (v == {value}) break; }} " \
               f"while (!{self.exchange()}({self.at(variable)}, &v, v + 2)); {self.keep('v')}}} "

    def indexed(self):
        """Which variable is read next depends on the first."""
        variable, begin = self.pick(), len(self.code)
        self.code += [("load", "v", variable), ("do", lambda l: {**l, "k": l["v"] % 3}), ("pick", "n", "k"),
                      ("cas", "w", variable, lambda l: l["v"], lambda l: l["n"] + 1), ("if", lambda l: not l["w"], begin)]
        where = ", ".join(self.at(v) for v in spinning.VARIABLES)
        return f"{{ atomic_int *const all[] = {{{where}}}; int v, n; do {{ v = {self.c_load(variable)}; n = atomic_load(all[v % 3]); }} " \
               f"while (!{self.exchange()}({self.at(variable)}, &v, n + 1)); {self.keep('n')}}} "

    def nested(self):
        """Waits inside each iteration."""
        one, other, begin = self.pick(), self.pick(), len(self.code)
        self.code += [("load", "v", one), ("if", lambda l: l["v"] == 0, begin), ("load", "w", other),
                      ("cas", "t", one, lambda l: l["v"], lambda l: l["w"]), ("if", lambda l: not l["t"], begin)]
        return f"{{ int v, w; do {{ while (!(v = {self.c_load(one)})) ; w = {self.c_load(other)}; }} " \
               f"while (!{self.exchange()}({self.at(one)}, &v, w)); }} "

    def silent(self):
        """A local variable that no iteration sets again, or that all do."""
        variable, begin, counts = self.pick(), len(self.code), self.random.random() < 0.5
        self.code += [("do", lambda l: {**l, "n": 0}), ("load", "v", variable),
                      ("do", (lambda l: {**l, "n": min(l["n"] + 1, 3)}) if counts else (lambda l: {**l, "n": l["v"]})),
                      ("cas", "w", variable, lambda l: l["v"], lambda l: l["v"] + 1), ("if", lambda l: not l["w"], begin + 1)]
        step = "if (n < 3) n++; " if counts else "n = v; "
        return f"{{ int v, n = 0; do {{ v = {self.c_load(variable)}; {step}}} while (!{self.exchange()}({self.at(variable)}, &v, v + 1)); " \
               f"{self.keep('n')}}} "


class Racy:
    """A program of pushes and pops on a list whose nodes are freed or used again, sometimes too early; it has no machine."""

    def __init__(self, seed, telling):
        self.random, self.prefix = random.Random(seed), f"p{seed}_"
        declaration, self.tells, self.hears = [text.format(p=self.prefix) for text in telling]
        self.orders = self.random.choice(ORDERS) if telling == TELLING[1] else ["seq_cst", "seq_cst", "seq_cst"]
        threads = [self.thread() for _ in range(self.random.choice([2, 2, 3]))]
        threads[:2] = self.random.choice([threads[:2], self.late(), self.late()])
        p = self.prefix
        text = [f"struct {p}node {{ struct {p}node *_Atomic next; int plain; atomic_int mark; }};\n"
                f"static struct {p}node {p}first, *_Atomic {p}top;\n{declaration}\nstatic int {p}d, {p}cell[2];\n"
                f"static atomic_int {p}x;\n"]
        for number, body in enumerate(threads):
            text.append(f"static void *{p}t{number}(void *argument)\n{{\n    {body}\n    return argument;\n}}\n")
        starts = "".join(f"    pthread_create(&threads[{i}], NULL, {p}t{i}, NULL);\n" for i in range(len(threads)))
        text.append(f"static void {p}main(void)\n{{\n    pthread_t threads[3];\n    struct {p}node *node = calloc(1, sizeof *node);\n"
                    f"    atomic_store(&node->next, &{p}first);\n    atomic_store(&{p}top, node);\n{starts}"
                    f"    for (int i = 0; i < {len(threads)}; i++)\n        pthread_join(threads[i], NULL);\n}}\n")
        self.text = "".join(text)

    def load(self, what):
        return f"atomic_load_explicit(&{what}, memory_order_{self.orders[0]})"

    def exchange(self, what, old, new):
        return f"atomic_compare_exchange_strong_explicit(&{what}, &{old}, {new}, memory_order_{self.orders[1]}, memory_order_{self.orders[2]})"

    def late(self):
        """A thread that looks at what it does not get, and another one that has got it, and uses it when it hears that the first is done."""
        p, pick = self.prefix, self.random.choice
        look = pick(["(void)n->plain;", "(void)atomic_load(&n->mark);"])
        use = pick(["n->plain = 1;", f"if (n != &{p}first) free(n);"]) if "plain" in look else f"if (n != &{p}first) free(n);"
        tries = f"{{ struct {p}node *n; do {{ n = {self.load(p + 'top')}; if (!n) break; {look} }} while (!{self.exchange(p + 'top', 'n', 'NULL')}); {self.tells} }}"
        takes = f"{{ struct {p}node *n = {self.load(p + 'top')}, *t = n; if ({self.exchange(p + 'top', 't', '&' + p + 'first')} && {self.hears}) {{ {use} }} }}"
        looks = f"{{ int v; do {{ v = {self.load(p + 'x')}; (void){p}cell[v & 1]; }} while (!{self.exchange(p + 'x', 'v', 'v + 2')}); {self.tells} }}"
        turns = f"{{ int v = 0; if ({self.exchange(p + 'x', 'v', '1')} && {self.hears}) {p}cell[0] = 1; }}"
        return pick([[tries, takes], [looks, turns]])

    def thread(self):
        p, pick = self.prefix, self.random.choice
        node = f"struct {p}node *n, *next; "
        inside = pick(["", "", f"(void)n->plain; ", "(void)atomic_load(&n->mark); ", f"(void){p}d; "])
        pops = f"{{ {node}do {{ n = {self.load(p + 'top')}; if (!n) break; {inside}next = atomic_load(&n->next); }} " \
               f"while (!{self.exchange(p + 'top', 'n', 'next')}); "
        if self.random.random() < 0.3:
            pops = f"{{ {node}n = {self.load(p + 'top')}; while (n && !{self.exchange(p + 'top', 'n', 'atomic_load(&n->next)')}) ; "
        end = pick([f"if (n && n != &{p}first) free(n); ", "if (n) n->plain = 1; ", "if (n) atomic_store(&n->mark, 1); ", "",
                    f"if (n) atomic_store(&n->next, NULL); "])
        add = f"{{ int v; do {{ v = {self.load(p + 'x')}; {pick(['', f'(void){p}d; '])}}} while (!{self.exchange(p + 'x', 'v', 'v + 1')}); "
        if self.random.random() < 0.5:
            add = f"{{ int v = {self.load(p + 'x')}; while (!{self.exchange(p + 'x', 'v', 'v + 1')}) {{ {pick(['', f'(void){p}d; '])}}} "
        tell, hears = f"{self.tells} ", f"if ({self.hears}) "
        kinds = [pops + end + "} ", pops + end + tell + "} ", pops + hears + f"{{ {end}}} }} ", add + tell + "} ",
                 add + f"if (v == 1) {p}d = 3; {p}d += v == 0; }} ", add + "} ", hears + f"{p}d = 1; ",
                 f"{{ {node}{hears}{{ n = atomic_load(&{p}top); if (n) n->plain = 2; }} }} ",
                 f"{{ {node}n = atomic_exchange(&{p}top, NULL); {hears}if (n && n != &{p}first) free(n); }} ", f"{p}d = 2; "]
        return "".join(self.random.choices(kinds, weights=[3, 4, 4, 3, 3, 2, 3, 2, 2, 1], k=self.random.choice([1, 1, 2])))


def explore(sennit, number, more):
    shutil.rmtree("run", ignore_errors=True)
    done = subprocess.run([sennit, "explore", "-k", "-q", "-o", "run", *more, "./batch", "--", str(number)],
                          capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"exit code {done.returncode}: {done.stdout}{done.stderr}")
    with open("run/run.json") as file:
        run = json.load(file)
    return {goal for goal, reached in run["goals"].items() if reached}, run


def bugs_of(run):
    return {bug["id"] for bug in run["bugs"]}


def make(seed, telling):
    if seed % 3 == 2:
        return Racy(seed, telling), None
    for attempt in range(200):
        program = Program(seed, attempt)
        expected = assuming.all_states(program, 3000) if program.loops else None
        if expected and expected[0] and not stays(program):
            return program, expected
    return program, None


def stays(program):
    """Can threads stay in their loops?"""
    reached = spinning.all_states(program_without_telling(program), 8000)
    return reached is None or reached[1]


def program_without_telling(program):
    threads = [[("do", lambda l: l) if step[0] == "tell" else step for step in code] for code in program.threads]
    return type("Quiet", (), {"threads": threads, "first": program.first, "shown": program.shown})


def wrong_with_machine(run, found, expected):
    ends, told = expected
    if run["verdict"] != "exhaustive" or run["bugs"]:
        yield f"{run['sentence']} {bugs_of(run)}"
    if found != ends | told:
        yield f"missing {sorted((ends | told) - found)}, too many {sorted(found - ends - told)}"


def wrong_with_interleavings(sennit, number, memory):
    """Also every interleaving, if they could be enumerated."""
    _, every = explore(sennit, number, [f"--memory={memory}", "--reduction=none", f"--max-execs={MOST}"])
    if every["verdict"] != "exhaustive":
        return [], None
    _, run = explore(sennit, number, [f"--memory={memory}"])
    wanted, found = bugs_of(every), bugs_of(run)
    return [f"{memory}: bugs missing {sorted(wanted - found)}, too many {sorted(found - wanted)}"] * (wanted != found), every


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    telling = TELLING[first // count // 2 % len(TELLING)]  # of the whole batch: what is not ordered concerns all of its loops
    programs = [make(seed, telling) for seed in range(first, first + count)]
    failures = checked = executions = redundant = racy = bugs = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("batch.c", "w") as file:
            file.write(spinning.HEADER + "\n".join(program.text if isinstance(program, Racy) else program.source(expected[0] if expected else [])
                                                   for program, expected in programs))
            mains = ", ".join(f"{program.prefix}main" for program, _ in programs)
            file.write(f"int main(int argc, char **argv)\n{{\n    static void (*const mains[])(void) = {{{mains}}};\n"
                       "    mains[atoi(argv[argc - 1])]();\n    return 0;\n}\n")
        with open("elsewhere.c", "w") as file:
            file.write(spinning.ELSEWHERE)
        if len(sys.argv) > 4:
            shutil.copy("batch.c", sys.argv[4])
        subprocess.run([sennit, "cc", "-w", "-O0" if first // count % 2 == 0 else "-O2", "batch.c", "elsewhere.c", "-o", "batch"], check=True)
        for number, (program, expected) in enumerate(programs):
            if not expected and not isinstance(program, Racy):
                continue
            found, run = explore(sennit, number, ["--memory=sc"])
            if expected:
                wrong = list(wrong_with_machine(run, found, expected))
            else:
                wrong, known = [], 0
                for memory in ["sc", "rc11"] if telling == TELLING[1] else ["sc"]:
                    more, every = wrong_with_interleavings(sennit, number, memory)
                    wrong, known, bugs = wrong + more, known + bool(every), bugs + len(every["bugs"] if every else [])
                if not known:
                    continue
                racy += 1
            checked += 1
            executions += run["executions"]
            redundant += run["redundant"]
            for sentence in wrong:
                failures += 1
                print(f"FAIL  seed {first + number}: {sentence}")
    print(f"{checked} programs of {count}, {racy} with {bugs} bugs, {executions} executions and {redundant} in vain, {failures} failures")
    sys.exit(failures > 0 or checked < count / 3)


if __name__ == "__main__":
    main()
