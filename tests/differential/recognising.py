#!/usr/bin/env python3
"""Searches that recognise states (--reduction=states): programs whose states are all visited here.

    recognising.py SENNIT FIRST COUNT [FILE]

The programs of spinning.py and retrying.py, and some that run for ever (Endless). Final states, and what threads see on
the way, must be the same. Threads that stay forever are reported as a deadlock or a livelock, or there are states without
an end, and nowhere else. Programs without livelocks are explored all at once: which one it is is the first choice."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import retrying
import spinning


class States:
    def source(self, ends):
        """The clock has no state that is known; labels tell the programs apart."""
        text = super().source(ends).replace("usleep(1); ", "sched_yield(); ").replace("poll(NULL, 0, 1); ", "sched_yield(); ")
        return text.replace('sennit_reach("', f'sennit_reach("{self.prefix} ')


class Spinning(States, spinning.Program):
    pass


class Retrying(States, retrying.Program):
    pass


class Endless(States, spinning.Program):
    """Threads that do the same for ever. What they see is told at once."""
    def __init__(self, seed, attempt):
        self.notes, self.count, self.waits = set(), 0, seed % 32 == 3
        super().__init__(seed, attempt)

    def note(self):
        variable, number = self.pick(), self.count
        self.count += 1

        def told(local):
            self.notes.add(f"{number} {local['v'] % 4}")
            return local
        self.code += [("load", "v", variable), ("do", told)]
        cases = "".join(f"case {value}: sennit_reach(\"{number} {value}\"); break; " for value in range(4))
        return f"switch (atomic_load({self.at(variable)}) % 4) {{ {cases}}} "

    def swap(self):
        """Counts round: 0, 1, 2, 0, ..., unless another thread comes in between."""
        variable = self.pick()
        self.code += [("load", "w", variable), ("cas", "v", variable, lambda l: l["w"], lambda l: (l["w"] + 1) % 3)]
        return f"{{ int w = atomic_load({self.at(variable)}); atomic_compare_exchange_strong({self.at(variable)}, &w, (w + 1) % 3); }} "

    def section(self):
        variable, value = self.pick(), self.random.randint(0, 2)
        self.code += [("lock",), ("load", "v", variable), ("store", variable, lambda l: l["v"] ^ value), ("unlock",)]
        return f"pthread_mutex_lock(&{self.prefix}m); {{ int v = atomic_load({self.at(variable)}); " \
               f"atomic_store({self.at(variable)}, v ^ {value}); }} pthread_mutex_unlock(&{self.prefix}m); "

    def statements(self):
        return [self.store, self.swap, self.note, self.section, self.loop], [4, 3, 4, 2, 2 * self.waits]

    def shapes(self):
        return [self.backoff, self.bounded, self.through, self.two]

    def keep(self, local):
        return ""

    def thread(self, number):
        super().thread(number)
        self.code[-1] = ("jump", 0)
        head, body = self.text[-1].split("int seen = 0;\n")
        body, tail = body.rsplit(f"    {self.prefix}seen", 1)
        self.text[-1] = f"{head}int seen = 0;\n    for (;;) {{\n{body}    }}\n    {self.prefix}seen{tail}"


def kind_of(seed):
    return Endless if seed % 4 == 3 else Retrying if seed % 4 == 2 else Spinning


def make(seed):
    """A program and what it does: its goals, and whether threads may stay forever. None: it has too many states."""
    kind = kind_of(seed)
    if kind is not Endless:
        return spinning.make(kind, seed, 64)
    for attempt in range(200):
        program = kind(seed, attempt)
        if program.count and spinning.all_states(program, 3000):
            return program, (program.notes, True)
    return program, None


class Batch:
    """Programs that are explored at once, those in which nobody stays forever and those without a wait; and all."""
    def __init__(self, first, count):
        self.first, self.count = first, count
        made = [make(seed) for seed in range(first, first + count)]
        self.programs = [program for program, expected in made if expected]
        self.expected = [expected for _, expected in made if expected]
        self.sets = {"calm": [], "endless": [], "single": []}
        for program, expected in zip(self.programs, self.expected):
            name = "calm" if not expected[1] else "endless" if isinstance(program, Endless) and not program.waits else "single"
            self.sets[name].append(program)

    def compile(self, sennit):
        with open("batch.c", "w") as file:
            file.write(spinning.HEADER + "\n".join(p.source([] if isinstance(p, Endless) else e[0])
                                                   for p, e in zip(self.programs, self.expected)))
            for name, programs in self.sets.items():
                file.write(f"\nstatic void (*const {name}[])(void) = {{{', '.join(p.prefix + 'main' for p in programs)}}};")
            file.write(f"""\nint main(int argc, char **argv)\n{{\n    (void)argc;
    (strcmp(argv[1], "calm") == 0 ? calm[sennit_choose({len(self.sets["calm"])})]
     : strcmp(argv[1], "endless") == 0 ? endless[sennit_choose({len(self.sets["endless"])})] : single[atoi(argv[1])])();\n}}\n""")
        with open("elsewhere.c", "w") as file:
            file.write(spinning.ELSEWHERE)
        level = ["-O0"] if self.first // AT_ONCE % 2 == 0 else ["-O2"]
        subprocess.run([sennit, "cc", "-w", "--states", *level, "batch.c", "elsewhere.c", "-o", "batch"], check=True)

    def goals(self, programs):
        return {f"{p.prefix} {goal}" for p, e in zip(self.programs, self.expected) if p in programs for goal in e[0]}


def explore(sennit, *arguments):
    shutil.rmtree("run", ignore_errors=True)
    done = subprocess.run([sennit, "explore", "-k", "-q", "-o", "run", "--reduction=states", "./batch", "--", *arguments],
                          capture_output=True, text=True, timeout=1200)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {done.stdout}{done.stderr}")
    with open("run/run.json") as file:
        run = json.load(file)
    goals = {goal for goal, reached in run["goals"].items() if reached}
    return goals, {bug["kind"] for bug in run["bugs"]}, run


def compare(name, goals, expected, kinds, forever, run):
    wrong = []
    if run["verdict"] not in ("exhaustive", "exhaustive-but-for"):
        wrong.append(run["sentence"])
    if goals != expected:
        wrong.append(f"missing {sorted(expected - goals)}, too many {sorted(goals - expected)}")
    if (bool(kinds) or run.get("endless", 0) > 0) != forever or kinds - {"livelock", "deadlock"}:
        wrong.append(f"bugs {sorted(kinds)}, {run.get('endless', 0)} states without an end, threads {'can' if forever else 'cannot'} stay forever")
    for sentence in wrong:
        print(f"FAIL  {name}: {sentence}")
    return len(wrong)


AT_ONCE = 200  # programs in one binary


def check(sennit, batch, copy):
    """Answers how many comparisons failed, and the number of states."""
    failures = states = 0
    batch.compile(sennit)
    if copy:
        shutil.copy("batch.c", copy)
    at_once = [(name, name == "endless", name, batch.sets[name]) for name in ("calm", "endless") if batch.sets[name]]
    alone = [(str(i), True, program.prefix, [program]) for i, program in enumerate(batch.sets["single"])]
    for argument, forever, name, programs in at_once + alone:
        goals, found, run = explore(sennit, argument)
        failures += compare(f"{name}, from {batch.first} on", goals, batch.goals(programs), found, forever, run)
        states += run["states"]
    return failures, states


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    copy = os.path.realpath(sys.argv[4]) if len(sys.argv) > 4 else None
    failures = states = checked = calm = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for begin in range(first, first + count, AT_ONCE):
            batch = Batch(begin, min(AT_ONCE, first + count - begin))
            wrong, met = check(sennit, batch, copy)
            failures, states = failures + wrong, states + met
            checked, calm = checked + len(batch.programs), calm + len(batch.sets["calm"])
    print(f"{checked} programs of {count}, {calm} in which nobody stays forever, {states} states, {failures} failures")
    sys.exit(failures > 0 or checked < count / 2)


if __name__ == "__main__":
    main()
