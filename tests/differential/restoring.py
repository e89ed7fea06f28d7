#!/usr/bin/env python3
"""Executions that are continued from marks against executions that are run from their beginning.

Usage: restoring.py SENNIT FIRST COUNT [KEEP.c]

Generated programs of two or three threads use whatever belongs to a mark: atomic operations of all orders, locks,
condition variables, blocks of the heap, arrays on stacks, large and thread-local variables, unordered accesses. Each is
explored with --restore=off, on and check: the same executions, the same bugs.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

BATCH = 20
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
HEAD = """#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

static atomic_int x, y, z;
static int plain, guarded;
static int large[40000];
static _Thread_local int mine = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic(int *) box;

static int sum(const int *values, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}
"""


def order(random, kinds):
    return "memory_order_" + random.choice([o for o in ORDERS if o in kinds])


def load(random):
    return f"atomic_load_explicit(&{random.choice('xyz')}, {order(random, ('relaxed', 'acquire', 'seq_cst'))})"


def statement(random, thread):
    v = random.choice("xyz")
    n = random.randint(1, 3)
    kind = random.randrange(15)
    if kind < 3:
        return f"r += {load(random)};"
    if kind < 5:
        return f"atomic_store_explicit(&{v}, r + {n}, {order(random, ('relaxed', 'release', 'seq_cst'))});"
    if kind == 5:
        return f"r ^= atomic_fetch_add_explicit(&{v}, {n}, {order(random, ORDERS)});"
    if kind == 6:
        return f"{{ int e = {n - 1}; if (!atomic_compare_exchange_strong(&{v}, &e, {n})) r += e; }}"
    if kind == 7:
        return f"pthread_mutex_lock(&lock); guarded += {n}; r += guarded; pthread_mutex_unlock(&lock);"
    if kind == 8:
        return (f"{{ int *p = malloc({n} * sizeof *p); p[0] = r; p = atomic_exchange(&box, p); "
                f"if (p) {{ r += p[0]; free(p); }} }}")
    if kind == 9:
        return f"{{ int a[{n + 2}] = {{r, {n}}}; a[r & 1] = {load(random)}; r += sum(a, {n + 2}); }}"
    if kind == 10:
        place = random.choice((17, 20000, 39999))
        return f"pthread_mutex_lock(&lock); large[{place}] += {n}; r += large[{place}]; pthread_mutex_unlock(&lock);"
    if kind == 11:
        return f"mine += r + {n}; r += mine;"
    if kind == 12:
        return random.choice(["plain++;", "r += plain;", "sched_yield();", f"if (!pthread_mutex_trylock(&lock)) {{ guarded = r; pthread_mutex_unlock(&lock); }}"])
    if kind == 13:
        if thread:
            return "pthread_mutex_lock(&lock); guarded |= 8; pthread_cond_broadcast(&changed); pthread_mutex_unlock(&lock);"
        return "pthread_mutex_lock(&lock); if (!(guarded & 8)) pthread_cond_wait(&changed, &lock); pthread_mutex_unlock(&lock);"
    return f"assert(r != {random.randint(2, 9)});"


def program(number):
    choose = random.Random(number)
    threads = choose.choice((2, 2, 3))
    steps = 8 if threads == 2 else 5
    text = ""
    for t in range(threads):
        body = "\n    ".join(statement(choose, t) for _ in range(choose.randint(3, steps)))
        text += (f"static void *p{number}_t{t}(void *argument)\n{{\n    int r = argument != NULL;\n    {body}\n"
                 f"    return r & 1 ? argument : NULL;\n}}\n")
    joins = choose.random() < 0.7
    text += f"static void p{number}(void)\n{{\n    pthread_t t[{threads}];\n    void *result;\n"
    if choose.random() < 0.5:
        text += f"    atomic_store(&x, {choose.randint(0, 1)});\n"
    for t in range(threads):
        text += f"    pthread_create(&t[{t}], NULL, p{number}_t{t}, {choose.choice(('NULL', '&plain'))});\n"
    if choose.random() < 0.5:
        text += f"    {{ int r = 0; {statement(choose, 1)} (void)r; }}\n"
    for t in range(threads):
        if joins:
            text += f"    pthread_join(t[{t}], &result);\n    assert(!result || result == &plain);\n"
    return text + "}\n"


def explore(sennit, number, options):
    subprocess.run([sennit, "explore", "-k", "-q", "--max-execs=3000", *options, "-o", "run", "./batch", "--", str(number)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        with open("run/run.json") as file:
            run = json.load(file)
        os.remove("run/run.json")
    except FileNotFoundError:
        return "no result"
    bugs = sorted((b["kind"], json.dumps(b.get("sites", b.get("text")))) for b in run["bugs"])
    return run["executions"], run["redundant"], run["ending"], bugs


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    failures = executions = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for start in range(first, first + count, BATCH):
            numbers = range(start, min(start + BATCH, first + count))
            with open("batch.c", "w") as file:
                file.write(HEAD + "".join(program(n) for n in numbers))
                mains = ", ".join(f"[{n}] = p{n}" for n in numbers)
                file.write(f"int main(int argc, char **argv)\n{{\n    static void (*const mains[])(void) = {{{mains}}};\n"
                           "    mains[atoi(argv[argc - 1])]();\n    return 0;\n}\n")
            subprocess.run([sennit, "cc", "-w", "-g", random.Random(start).choice(("-O0", "-O2")), "batch.c", "-o", "batch",
                            "-pthread"], check=True)
            for number in numbers:
                memory = random.Random(number).choice(("sc", "rc11", "tso"))
                options = ["--memory=" + memory]
                if number % 7 == 0:
                    options = ["--plain=visible", "--memory=sc"]
                wanted = explore(sennit, number, ["--restore=off", *options])
                for way in ("on", "check"):
                    found = explore(sennit, number, ["--restore=" + way, *options])
                    if found != wanted:
                        print(f"program {number} {options}: --restore={way} {found}, off {wanted}")
                        failures += 1
                executions += wanted[0] if wanted != "no result" else 0
            if failures and len(sys.argv) > 4:
                subprocess.run(["cp", "batch.c", sys.argv[4]])
                break
    print(f"{count} programs, {executions} executions, {failures} mismatches")
    return failures != 0


sys.exit(main())
