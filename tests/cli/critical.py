#!/usr/bin/env python3
"""sennit replay --critical against brute force: all interleavings of small programs, generated and given.
Usage: critical.py SENNIT [PROGRAMS]     PROGRAMS: how many are generated"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sennit = os.path.realpath(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 4
tests = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
work = tempfile.mkdtemp()
failures = compared = found = 0

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
"""


def operations(source):
    """What one thread does: three or four operations, locks nested."""
    first, second = source.sample(["a", "b"], 2)
    return source.choice([
        [f"pthread_mutex_lock(&{first});", f"pthread_mutex_lock(&{second});", "x++;",
         f"pthread_mutex_unlock(&{second});", f"pthread_mutex_unlock(&{first});"],
        ["int v = x;", f"x = v + {source.randint(1, 2)};", "y++;"],
        [f"x = {source.randint(1, 3)};", "int v = y;", f"assert(x != {source.randint(1, 3)} || v);"],
        ["int v = x;", f"assert(v < {source.randint(1, 3)});", "y = v;"],
    ])


def program(source):
    threads = [operations(source) for _ in range(2)]
    text = HEAD
    for i, lines in enumerate(threads):
        text += f"static void *f{i}(void *p)\n{{\n    " + "\n    ".join(lines) + "\n    return p;\n}\n"
    return text + ("int main(void)\n{\n    pthread_t s, t;\n    pthread_create(&s, 0, f0, 0);\n    pthread_create(&t, 0, f1, 0);\n"
                   f"    pthread_join(s, 0);\n    pthread_join(t, 0);\n    assert(x != {source.randint(1, 3)});\n    return 0;\n}}\n")


def weak_program(source):
    """Relaxed accesses of two threads; main asserts about what they read."""
    text = HEAD.replace("static pthread_mutex_t", "static int r[4];\nstatic pthread_mutex_t")
    for i in range(2):
        lines = [f"atomic_store_explicit(&{source.choice('xy')}, {source.randint(1, 2)}, memory_order_relaxed);",
                 f"r[{2 * i}] = atomic_load_explicit(&{source.choice('xy')}, memory_order_relaxed);",
                 f"r[{2 * i + 1}] = atomic_load_explicit(&{source.choice('xy')}, memory_order_acquire);"]
        source.shuffle(lines)
        text += f"static void *f{i}(void *p)\n{{\n    " + "\n    ".join(lines) + "\n    return p;\n}\n"
    return text + ("int main(void)\n{\n    pthread_t s, t;\n    pthread_create(&s, 0, f0, 0);\n    pthread_create(&t, 0, f1, 0);\n"
                   "    pthread_join(s, 0);\n    pthread_join(t, 0);\n"
                   f"    assert(r[{source.randint(0, 1)}] || r[{source.randint(2, 3)}]);\n    return 0;\n}}\n")


def sennit_run(*words):
    return subprocess.run([sennit, *words], cwd=work, capture_output=True, text=True)


def decisions(path):
    """The agents of the steps of a trace with their choices, and whether it passes."""
    steps, kind = [], None
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if words[0] == "step":
            choices = [word for word in words[3:7] if re.fullmatch(r"(\d+/\d+,?)+", word)]
            steps.append((words[2], *choices))
        if words[0] == "bug":
            kind = words[1]
    return tuple(steps), kind in ("test", "state")


def compare(verb, name, *more):
    """Every bug of the program: the longest prefix that some execution that passes has too."""
    global failures, compared, found
    sennit_run(verb, name, "-k", "-q", "--reduction=none", "--keep-executions=5k", "--max-execs=5k", "-o", "all", *more)
    with open(f"{work}/all/run.json") as file:
        result = json.load(file)
    if result["verdict"] != "exhaustive" or not result["bugs"]:
        return
    passing = [steps for steps, passes in map(decisions, glob.glob(f"{work}/all/executions/*.trace")) if passes]
    for bug in result["bugs"]:
        trace = f"{work}/all/" + bug["trace"]
        said = json.loads(sennit_run("replay", "--critical", "--json", trace).stdout)
        steps = decisions(trace)[0]
        longest = max((len(os.path.commonprefix([steps, other])) for other in passing), default=-1)
        wanted = (longest, longest + 1, True)
        compared += 1
        found += 0 < said["fails"] <= said["steps"]
        if (said["passes"], said["fails"], said["found"]) != wanted:
            failures += 1
            print(f"FAIL: {name}, {bug['kind']}-{bug['id']}: {said} instead of {wanted}")
        if passing and said["passing"]:
            with open(f"{work}/passing.trace", "w", encoding="utf-8") as file:
                file.write(said["passing"])
            again = sennit_run("replay", "-q", f"{work}/passing.trace").returncode
            if again != 0 or decisions(f"{work}/passing.trace")[0] not in passing:
                failures += 1
                print(f"FAIL: {name}: the execution that passes does not (exit {again})")


try:
    generator = random.Random(20)
    for number in range(count):
        with open(f"{work}/p{number}.c", "w", encoding="utf-8") as file:
            file.write(program(generator))
        compare("test", f"p{number}.c")
    weak, before = 0, compared
    for number in range(count):
        with open(f"{work}/w{number}.c", "w", encoding="utf-8") as file:
            file.write(weak_program(generator))
        compare("test", f"w{number}.c", "--memory=rc11")
        weak += compared > before
        before = compared
    if weak == 0:
        failures += 1
        print("FAIL: no program with weak memory has a bug")
    for model in ("database", "database2"):
        shutil.copy(f"{tests}/../examples/abs/{model}.abs", work)
        compare("explore", f"{model}.abs")
    if found < 3:
        failures += 1
        print(f"FAIL: only {found} of {compared} bugs have a critical step: the programs are too simple")
finally:
    shutil.rmtree(work, ignore_errors=True)
print(f"ok, {compared} bugs, {weak} programs with weak memory, {found} with a critical step" if failures == 0 else f"{failures} failures")
sys.exit(failures > 0)
