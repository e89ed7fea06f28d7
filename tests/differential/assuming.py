#!/usr/bin/env python3
"""Assumptions about values just read, which Sennit waits for: what it finds against all states of the program.

    assuming.py SENNIT FIRST COUNT [FILE]

As in spinning.py each generated program is also a small machine, in which a thread whose assumption fails stops where it
is. Final states, and what threads see on their way, also beside threads that have stopped, must be the same. And there
must be as many executions without a failed assumption as in the same program with assumptions that Sennit cannot see
coming. Every second batch is optimised; half of them count as programs with inputs, since they call klee_assume."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import spinning
from states import reach

HEADER = spinning.HEADER + """
extern void __VERIFIER_assume(int);
extern void klee_assume(uintptr_t);
#ifdef INPUTS
#define ASSUME klee_assume
#else
#define ASSUME __VERIFIER_assume
#endif
static void assume_abort_if_not(int condition) { if (!condition) abort(); }
void assume_elsewhere(int condition);
#ifdef UNSEEN
#define __VERIFIER_assume assume_elsewhere
#define sennit_assume assume_elsewhere
#define klee_assume assume_elsewhere
#define assume_abort_if_not assume_elsewhere
#endif
static void suppose(int condition) { __VERIFIER_assume(condition); }
"""
ELSEWHERE = spinning.ELSEWHERE + "extern void __VERIFIER_assume(int);\nvoid assume_elsewhere(int condition) { __VERIFIER_assume(condition); }\n"


class Program(spinning.Program):
    length = 4

    def __init__(self, seed, attempt):
        self.peeks = 0
        super().__init__(seed, attempt)

    def statements(self):
        return [self.store, self.add, self.see, self.section, self.peek, self.loop], [5, 2, 1, 1, 3, 6]

    def c_load(self, variable):
        return self.random.choice(["atomic_load({})"] * 4 + ["look({})"]).format(self.at(variable))

    def shapes(self):
        return [self.single, self.single, self.masked, self.computed, self.both, self.one_of, self.values, self.equal,
                self.sum, self.claim_once, self.exchange, self.bits, self.scan, self.guarded, self.never]

    def assume(self, condition):
        """Of a condition in C. Its code has left the answer in the local variable `v`."""
        self.code += [("if", lambda l: l["v"], len(self.code) + 2), ("stop",)]
        how = self.random.choice(["__VERIFIER_assume({})", "__VERIFIER_assume({})", "sennit_assume({})", "ASSUME({})",
                                  "assume_abort_if_not({})", "suppose({})"])
        return how.format(condition) + "; "

    def decide(self, function):
        self.code.append(("do", lambda l: {**l, "v": function(l)}))

    def peek(self):
        """What a thread sees on its way."""
        variable, self.peeks = self.pick(), self.peeks + 1
        name = f"{self.prefix}{self.peeks} "
        self.code += [("load", "v", variable), ("tell", lambda l: name + str(l["v"]))]
        return f"switch (atomic_load({self.at(variable)})) {{ " + "".join(
            f"case {i}: sennit_reach(\"{name}{i}\"); break; " for i in range(13)) + "} "

    def relation(self):
        value = self.random.randint(0, 2)
        return self.random.choice([(f"== {value}", lambda n: n == value), (f"!= {value}", lambda n: n != value),
                                   (f"< {value + 1}", lambda n: n < value + 1), (f">= {value}", lambda n: n >= value),
                                   ("", lambda n: n != 0)])

    def single(self):
        variable, (text, holds) = self.pick(), self.relation()
        self.code.append(("load", "v", variable))
        self.decide(lambda l: holds(l["v"]))
        return self.assume(f"{self.c_load(variable)} {text}")

    def masked(self):
        variable, mask, value = self.pick(), self.random.choice([1, 2, 3]), self.random.randint(0, 1)
        self.code.append(("load", "v", variable))
        self.decide(lambda l: l["v"] & mask == value)
        return self.assume(f"({self.c_load(variable)} & {mask}) == {value}")

    def computed(self):
        variable, more, value = self.pick(), self.random.randint(-1, 3), self.random.randint(1, 3)
        self.code.append(("load", "w", variable))
        self.decide(lambda l: value - (l["w"] + more) != 1)
        return f"{{ int w = {self.c_load(variable)}; w += {more}; " + self.assume(f"{value} - w != 1") + self.keep("w" if not more else "t") \
            .replace("t %", "0 %") + "} "

    def both(self):
        one, other, (a, holds_a), (b, holds_b) = self.pick(), self.pick(), self.relation(), self.relation()
        self.code += [("load", "v", one), ("do", lambda l: {**l, "v": holds_a(l["v"])}), ("if", lambda l: not l["v"], len(self.code) + 5),
                      ("load", "v", other), ("do", lambda l: {**l, "v": holds_b(l["v"])})]
        return self.assume(f"({self.c_load(one)} {a}) && ({self.c_load(other)} {b})")

    def one_of(self):
        one, other, (a, holds_a), (b, holds_b) = self.pick(), self.pick(), self.relation(), self.relation()
        self.code += [("load", "v", one), ("do", lambda l: {**l, "v": holds_a(l["v"])}), ("if", lambda l: l["v"], len(self.code) + 5),
                      ("load", "v", other), ("do", lambda l: {**l, "v": holds_b(l["v"])})]
        return self.assume(f"({self.c_load(one)} {a}) || ({self.c_load(other)} {b})")

    def values(self):
        variable, a, b = self.pick(), self.random.randint(0, 1), self.random.randint(1, 3)
        self.code.append(("load", "w", variable))
        self.decide(lambda l: l["w"] in (a, b))
        return f"{{ int w = {self.c_load(variable)}; " + self.assume(f"w == {a} || w == {b}") + self.keep("w") + "} "

    def equal(self):
        one, other, negated = self.pick(), self.pick(), self.random.random() < 0.3
        self.code += [("load", "v", one), ("load", "w", other)]
        self.decide(lambda l: (l["v"] == l["w"]) != negated)
        return f"{{ int v = {self.c_load(one)}, w = {self.c_load(other)}; " + self.assume(f"v {'!=' if negated else '=='} w") + self.keep("w") + "} "

    def sum(self):
        one, other, value = self.pick(), self.pick(), self.random.randint(1, 3)
        self.code += [("load", "n", one), ("load", "w", other)]
        self.decide(lambda l: l["n"] + l["w"] == value)
        return f"{{ int n = {self.c_load(one)}, w = {self.c_load(other)}; " + self.assume(f"n + w == {value}") + self.keep("w") + "} "

    def claim_once(self):
        variable, old, new = self.pick(), self.random.randint(0, 1), self.random.randint(0, 2)
        self.code.append(("cas", "v", variable, lambda l: old, lambda l: new))
        how = self.random.choice(["strong", "strong", "weak"])
        return f"{{ int e = {old}; " + self.assume(f"atomic_compare_exchange_{how}({self.at(variable)}, &e, {new})") + "} "

    def exchange(self):
        variable, value, wanted = self.pick(), self.random.randint(0, 1), self.random.randint(0, 1)
        self.code.append(("step", "w", variable, lambda v: True, lambda v, l: value))
        self.decide(lambda l: l["w"] != wanted)
        return f"{{ int w = atomic_exchange({self.at(variable)}, {value}); " + self.assume(f"w != {wanted}") + self.keep("w") + "} "

    def bits(self):
        variable, bit = self.pick(), self.random.choice([1, 2, 4])
        self.code.append(("step", "w", variable, lambda v: True, lambda v, l: v | bit))
        self.decide(lambda l: not l["w"] & bit)
        return f"{{ int w = atomic_fetch_or({self.at(variable)}, {bit}); " + self.assume(f"!(w & {bit})") + "} "

    def scan(self):
        """Takes what another variable holds, as often as a first one says."""
        count, variable = self.pick(), self.pick()
        begin = len(self.code)
        self.code += [("load", "n", count), ("do", lambda l: {**l, "k": 0, "w": 0}), ("if", lambda l: l["w"] or l["k"] > 3, begin + 8),
                      ("if", lambda l: l["k"] < l["n"], begin + 5), ("stop",),
                      ("step", "w", variable, lambda v: True, lambda v, l: 0), ("do", lambda l: {**l, "k": l["k"] + 1}), ("jump", begin + 2)]
        return f"{{ int n = atomic_load({self.at(count)}), k, w; for (k = w = 0; !w && k <= 3; k++) {{ __VERIFIER_assume(k < n); " \
               f"w = atomic_exchange({self.at(variable)}, 0); }} {self.keep('w')}}} "

    def guarded(self):
        one, other, (a, holds_a), (b, holds_b) = self.pick(), self.pick(), self.relation(), self.relation()
        begin = len(self.code)
        self.code += [("load", "v", one), ("if", lambda l: not holds_a(l["v"]), begin + 6), ("load", "v", other),
                      ("do", lambda l: {**l, "v": holds_b(l["v"])})]
        return f"if ({self.c_load(one)} {a}) {{ " + self.assume(f"{self.c_load(other)} {b}") + "} "

    def never(self):
        variable, (text, holds) = self.pick(), self.relation()
        begin = len(self.code)
        self.code += [("load", "v", variable), ("if", lambda l: holds(l["v"]), begin + 3), ("stop",)]
        return f"while (!({self.c_load(variable)} {text})) __VERIFIER_assume(0); "


def successors(program, told):
    """Of a state; a thread that has something to tell does so at once."""
    def tell(number, place, local):
        while program.threads[number][place][0] == "tell":
            told.add(program.threads[number][place][1](dict(local)))
            place, local = spinning.settle(program.threads[number], place + 1, dict(local))
        return place, local

    def of(state):
        running = tuple(("end", local) if program.threads[i][place][0] == "stop" else (place, local) for i, (place, local) in enumerate(state[0]))
        stand_in = type("StandIn", (), {"threads": [spinning_code(code) for code in program.threads]})
        for after in spinning.successors(stand_in, (tuple((len(program.threads[i]) if place == "end" else place, local)
                                                          for i, (place, local) in enumerate(running)), state[1], state[2])):
            yield (tuple(state[0][i] if after[0][i][0] == len(program.threads[i]) else tell(i, *after[0][i])
                         for i in range(len(state[0]))), after[1], after[2])
    return of


def spinning_code(code):
    return list(code) + [("end",)]


def all_states(program, most):
    """Final states of all threads, and what they told."""
    told = set()
    first = (tuple(spinning.settle(code, 0, spinning.FIRST_LOCALS) for code in program.threads), tuple(sorted(program.first.items())), None)
    reached = reach(first, successors(program, told),
                    lambda state: all(program.threads[i][place][0] == "end" for i, (place, _) in enumerate(state[0])), most)
    if reached is None:
        return None
    ends = set()
    for state in reached[0]:
        values = dict(state[1])
        seen = [dict(local)["seen"] for _, local in state[0]] + [0] * (3 - len(program.threads))
        ends.add(" ".join(str(n) for n in [values[v] for v in program.shown] + seen))
    return ends, told


def make(seed):
    for attempt in range(200):
        program = Program(seed, attempt)
        expected = all_states(program, 4000)
        if expected and expected[0] and program.loops:
            return program, expected
    return program, None


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    programs, expected = zip(*[make(seed) for seed in range(first, first + count)])
    failures = checked = executions = before = 0
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
        level = ["-O0" if first // count % 2 == 0 else "-O2"] + ["-DINPUTS"] * (first // count // 2 % 2)
        for name, flags in (("batch", []), ("unseen", ["-DUNSEEN"])):
            subprocess.run([sennit, "cc", "-w", *level, *flags, "batch.c", "elsewhere.c", "-o", name], check=True)
        for number, program in enumerate(programs):
            if expected[number] is None:
                continue
            ends, told = expected[number]
            checked += 1
            runs = [spinning.explore(sennit, name, number) for name in ("./batch", "./unseen")]
            executions += runs[0][2]["executions"]
            before += runs[1][2]["executions"]
            wrong = []
            for found, kinds, run in runs:
                if run["verdict"] != "exhaustive" or run["redundant"] or kinds:
                    wrong.append(f"{run['sentence']} {run['redundant']} redundant {sorted(kinds)}")
                if found != ends | told:
                    wrong.append(f"missing {sorted((ends | told) - found)}, too many {sorted(found - ends - told)}")
            complete = [run["executions"] - run["assumed"] for _, _, run in runs]
            if complete[0] != complete[1] or runs[0][2]["executions"] > runs[1][2]["executions"]:
                wrong.append(f"{complete[0]} complete executions in place of {complete[1]}")
            for sentence in wrong:
                failures += 1
                print(f"FAIL  seed {first + number}: {sentence}")
    print(f"{checked} programs of {count}, {executions} executions in place of {before}, {failures} failures")
    sys.exit(failures > 0 or checked < count / 2)


if __name__ == "__main__":
    main()
