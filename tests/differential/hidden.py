#!/usr/bin/env python3
"""Threads that call functions with state outside the program: outcomes that Sennit finds against all orders of calls.

    hidden.py SENNIT FIRST COUNT

The calls of a generated program are made by threads under Sennit and, for each interleaving, one after the other by a
plain program with the real C library and file system. The sets of outcomes must be the same, none may come from an
execution that is redundant, and there are no more executions than interleavings."""
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FAMILIES = ["ab", "aabNO", "cd", "efg", "hij", "hiPQ", "klm", "nopqr", "nHIJK", "nqHIp", "stu", "stuvw", "wxyzL", "vwxyzLs",
            "ABCD", "ABu", "E", "FG", "MM", "knJ", "ansM"]


def threads_of(seed):
    rng = random.Random(seed)
    letters = rng.choice(FAMILIES) + (rng.choice("".join(FAMILIES)) if rng.random() < 0.2 else "")
    lengths = rng.choice([[2, 2], [3, 2], [3, 3], [2, 2, 1], [1, 1, 1], [2, 1, 1], [2, 2, 2]])
    return ["".join(rng.choice(letters) for _ in range(n)) for n in lengths]


def orders_of(threads):
    def extend(prefix, left):
        if not any(left):
            yield prefix
        for i, n in enumerate(left):
            if n:
                yield from extend(prefix + str(i), left[:i] + [n - 1] + left[i + 1:])
    return list(extend("", [len(t) for t in threads]))


def explored(sennit, program, threads, work):
    outcomes, run = os.path.join(work, "outcomes"), os.path.join(work, "run")
    open(outcomes, "w").close()
    done = subprocess.run([sennit, "explore", "-k", "-o", run, program, "--", *threads], cwd=os.path.join(work, "empty"),
                          env={**os.environ, "OUTCOMES": outcomes}, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return None, done.stdout + done.stderr
    with open(os.path.join(run, "run.json")) as f:
        report = json.load(f)
    with open(outcomes) as f:
        return (set(f.read().splitlines()), report), done.stdout


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    failed = executions = 0
    with tempfile.TemporaryDirectory() as work:
        native, program, plain = (os.path.join(work, name) for name in ("native", "program", "record.o"))
        source = os.path.join(HERE, "hidden_calls.c")
        subprocess.run(["cc", "-w", "-DNATIVE", "-o", native, source], check=True)
        subprocess.run(["cc", "-c", "-o", plain, os.path.join(HERE, "hidden_record.c")], check=True)
        subprocess.run([sennit, "cc", "-w", "-o", program, source, plain, "-lpthread"], check=True)
        os.mkdir(os.path.join(work, "empty"))
        os.mkdir(os.path.join(work, "real"))
        for seed in range(first, first + count):
            threads = threads_of(seed)
            orders = orders_of(threads)
            real = set(subprocess.run([native, *threads], input="\n".join(orders) + "\n", capture_output=True, text=True,
                                      cwd=os.path.join(work, "real"), check=True).stdout.splitlines())
            found, text = explored(sennit, program, threads, work)
            if not found:
                print(f"{seed} {threads}: failed\n{text}")
                failed += 1
                continue
            outcomes, report = found
            executions += report["executions"]
            if outcomes != real or report["redundant"] or report["executions"] > len(orders):
                print(f"{seed} {threads}: {report['executions']} executions, {report['redundant']} redundant, {len(orders)} "
                      f"orders\n  missed: {sorted(real - outcomes)}\n  wrong: {sorted(outcomes - real)}")
                failed += 1
        left = [name for name in os.listdir(os.path.join(work, "empty")) if name != "sennit-last"]
        if left:
            print("files left:", left)
            failed += 1
    print(f"{count} programs, {executions} executions, {failed} differences")
    sys.exit(1 if failed else 0)


main()
