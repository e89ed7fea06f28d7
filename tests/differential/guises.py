#!/usr/bin/env python3
"""Programs under weak memory in other guises: objects of 16 bytes in place of integers, actors in place of threads,
messages in place of semaphores. Each must have as many execution graphs as the first one, under every model.

    guises.py SENNIT FIRST COUNT

Threads with integers are compared with brute force elsewhere (oracle/weak). A part of a program may wait until another
one has come to some place: by a semaphore, which is posted once, or by a message."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

MODELS = ["sc", "tso", "rc11"]
ORDERS = {"load": ["relaxed", "acquire", "seq_cst"], "store": ["relaxed", "release", "seq_cst"],
          "update": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"], "fence": ["acquire", "release", "acq_rel", "seq_cst"]}
HEADER = """#include <pthread.h>
#include <semaphore.h>
#include <sennit/actor.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Wide { long low, high; } Wide;
static Wide wide(int value) { return (Wide){value, -value}; }
static int whole(int value) { return value; }
static int narrow(Wide value) { return (int)value.low; }
#define ORDER(order) memory_order_##order
#define LOAD(object, order) atomic_load_explicit(&object, ORDER(order))
#define STORE(object, value, order) atomic_store_explicit(&object, value, ORDER(order))
#define SWAP(object, value, order) atomic_exchange_explicit(&object, value, ORDER(order))
#define CAS(object, expected, value, order, failure) \\
    atomic_compare_exchange_strong_explicit(&object, &expected, value, ORDER(order), ORDER(failure))
"""


class Program:
    def __init__(self, seed):
        self.random, self.prefix = random.Random(seed), f"p{seed}_"
        count = self.random.choice([2, 2, 3])
        self.orders = self.random.choice([["relaxed"], ["relaxed"], ["seq_cst"], ["acquire", "release"], ["relaxed", "seq_cst"], None])
        self.parts = [[self.operation(place) for place in self.random.sample("xy", 2) + self.random.choice([[], [], ["x"], ["z"]])]
                      for _ in range(count)]
        self.waits = None  # a part and a place in it that the last part waits for
        if self.random.random() < 0.4:
            part = self.random.randint(0, count - 2)
            self.waits = part, self.random.randint(0, len(self.parts[part]))

    def order(self, kind):
        wanted = [order for order in ORDERS[kind] if not self.orders or order in self.orders]
        return self.random.choice(wanted or ORDERS[kind][:1])

    def operation(self, place):
        kind = self.random.choice(["load", "load", "load", "store", "store", "store", "swap", "cas", "fence"])
        value = self.random.choice([1, 1, 2])
        if kind == "fence":
            return kind, self.order(kind)
        if kind == "cas":
            return kind, place, self.random.choice([0, 0, 1, 3]), value, self.order("update"), self.order("load")
        return kind, place, value, self.order({"swap": "update"}.get(kind, kind))

    def statement(self, operation, wide):
        kind, *rest = operation
        if kind == "fence":
            return f"atomic_thread_fence(ORDER({rest[0]}));"
        object, make, show = self.prefix + ("w" if wide else "") + rest[0], "wide" if wide else "whole", "narrow" if wide else "whole"
        if kind == "load":
            return f"seen = {show}(LOAD({object}, {rest[2]}));"
        if kind == "store":
            return f"STORE({object}, {make}({rest[1]}), {rest[2]});"
        if kind == "swap":
            return f"seen = {show}(SWAP({object}, {make}({rest[1]}), {rest[2]}));"
        return f"{{ {'Wide' if wide else 'int'} old = {make}({rest[1]}); seen = CAS({object}, old, {make}({rest[2]}), {rest[3]}, {rest[4]}); }}"

    def body(self, number, wide, tell, wait):
        lines = [self.statement(operation, wide) for operation in self.parts[number]]
        if self.waits and self.waits[0] == number:
            lines.insert(self.waits[1], tell)
        if self.waits and number == len(self.parts) - 1:
            lines.insert(len(lines) // 2, wait)
        return "volatile int seen = 0; (void)seen; " + " ".join(lines)

    def threads(self, name, wide):
        p, n = self.prefix, len(self.parts)
        text = [f"static void *{p}{name}{i}(void *argument)\n{{\n    {self.body(i, wide, f'sem_post(&{p}sem);', f'sem_wait(&{p}sem);')}\n"
                f"    return argument;\n}}\n" for i in range(n)]
        starts = "".join(f"    pthread_create(&threads[{i}], NULL, {p}{name}{i}, NULL);\n" for i in range(n))
        return "".join(text) + f"static void {p}{name}(void)\n{{\n    pthread_t threads[{n}];\n{starts}" \
            f"    for (int i = 0; i < {n}; i++)\n        pthread_join(threads[i], NULL);\n}}\n"

    def actors(self):
        p, n = self.prefix, len(self.parts)
        send, receive = f"sennit_send({p}pids[{n - 1}], &(int){{1}}, sizeof(int));", "{ int got; sennit_receive(&got, sizeof got); }"
        text = [f"static void {p}actor{i}(void *argument)\n{{\n    (void)argument;\n    {self.body(i, False, send, receive)}\n}}\n"
                for i in range(n)]
        starts = "".join(f'    {p}pids[{i}] = sennit_spawn("part", {p}actor{i}, NULL);\n' for i in range(n))
        return f"static sennit_pid {p}pids[{n}];\n" + "".join(text) + f"static void {p}actors(void)\n{{\n{starts}    sennit_run();\n}}\n"

    def source(self):
        p = self.prefix
        return f"static atomic_int {p}x, {p}y, {p}z;\nstatic _Atomic(Wide) {p}wx, {p}wy, {p}wz;\n" \
               f"static sem_t {p}sem;\n" + self.threads("ints", False) + self.threads("wides", True) + self.actors()


def explore(sennit, number, guise, memory):
    shutil.rmtree("run", ignore_errors=True)
    done = subprocess.run([sennit, "explore", "-k", "-q", f"--memory={memory}", "-o", "run", "./batch", "--", str(number), guise],
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{guise} of {number}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    with open("run/run.json") as file:
        run = json.load(file)
    return run["verdict"], run["executions"], run["redundant"]


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    programs = [Program(seed) for seed in range(first, first + count)]
    guises = ["ints", "wides", "actors"]
    failures = graphs = weak = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("batch.c", "w") as file:
            file.write(HEADER + "".join(program.source() for program in programs))
            rows = ",\n".join("    {" + ", ".join(program.prefix + guise for guise in guises) + "}" for program in programs)
            file.write(f"int main(int argc, char **argv)\n{{\n    static void (*const mains[][3])(void) = {{\n{rows}}};\n"
                       "    (void)argc;\n    mains[atoi(argv[1])][argv[2][0] == 'i' ? 0 : argv[2][0] == 'w' ? 1 : 2]();\n    return 0;\n}\n")
        subprocess.run([sennit, "cc", "-w", "-mcx16", "batch.c", "-o", "batch"], check=True)
        for number in range(count):
            sequential = None
            for memory in MODELS:
                runs = [explore(sennit, number, guise, memory) for guise in guises]
                sequential = sequential or runs[0]
                graphs, weak = graphs + runs[0][1], weak + (runs[0] != sequential)
                if memory == "sc":
                    runs[1] = runs[0]  # there an exchange of 16 bytes counts as a write, whether it succeeds or not
                if runs.count(runs[0]) != len(runs):
                    failures += 1
                    print(f"FAIL  seed {first + number}, {memory}: {dict(zip(guises, runs))}")
    print(f"{count} programs, {graphs} graphs, {weak} times more than under SC, {failures} failures")
    sys.exit(failures > 0 or weak < count // 10)


if __name__ == "__main__":
    main()
