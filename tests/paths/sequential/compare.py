#!/usr/bin/env python3
"""Generated sequential programs with inputs against a plain compiler's programs on all inputs.

For each program:
  - it fails for some inputs exactly as it fails there: the same kinds at the same lines, with inputs that do it;
  - what it computes is what is computed there, for all inputs at once: a last assertion that compares sums holds;
  - its paths are those of all inputs, each once, where nothing but conditions is decided; else no more than inputs;
  - the verdict is exhaustive, for every option of the compiler and number of workers.

Usage: compare.py SENNIT FIRST COUNT [--keep DIR]
"""
import json, os, random, re, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True    # nothing is written into the tree
from generate import generate

HERE = os.path.dirname(os.path.abspath(__file__))
BATCH = 20
KINDS = [("division by zero", "division"), ("signed integer overflow", "overflow"), ("cannot be represented", "overflow"),
         ("shift exponent", "overflow"), ("left shift of", "overflow"),
         ("heap-buffer-overflow", "heap-bounds"), ("use-after-free", "use-after-free"), ("buffer-overflow", "bounds"),
         ("buffer-underflow", "bounds"), ("stack-use-after-scope", "use-after-free")]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


class Failure(Exception):
    pass


class Undecided(Exception):
    """The solver had no answer in time: nothing to compare."""


# ---- What a plain compiler's program does -----------------------------------------------------------


def native(work, program):
    """{inputs: (kind, line or sum, path)}"""
    domains = [f"{low}:{size}" for _, low, size in program.inputs]
    env = dict(os.environ, ASAN_OPTIONS="symbolize=0:detect_leaks=0:handle_abort=0", UBSAN_OPTIONS="symbolize=0")
    text = run(["./native", str(program.number)] + domains, cwd=work, env=env).stdout
    outcomes = {}
    for part in text.split("\nBEGIN")[1:]:
        line, rest = part.split("\n", 1)
        end = re.search(r"\nEND (\w+) (\d+) (\w+)", rest)
        if not end:
            raise Failure(f"plain program: {rest[-300:]}")
        what, number, path = end.groups()
        if what == "fault":
            what = next((kind for words, kind in KINDS if words in rest), "?" + rest[:200])
        outcomes[tuple(int(x) for x in line.split())] = (what, int(number), path)
    return outcomes


# ---- What Sennit says -----------------------------------------------------------------------------------


def explore(sennit, work, binary, program, options):
    out = os.path.join(work, "out")
    shutil.rmtree(out, ignore_errors=True)
    done = run([sennit, "explore", "-k", "-q", "-o", out] + options + [binary, "--", str(program.number)], cwd=work, timeout=600)
    if not os.path.exists(out + "/run.json"):
        raise Failure(f"no result: {done.stdout[-1000:]}")
    with open(out + "/run.json") as f:
        result = json.load(f)
    undecided = [b for b in result["bounds"] if "solver" in json.dumps(b)]
    if undecided and len(undecided) == len(result["bounds"]):
        raise Undecided(result["sentence"])
    if result["verdict"] != "exhaustive":
        raise Failure(f"{result['sentence']} {result['concretised']}")
    if result["redundant"]:
        raise Failure(f"{result['redundant']} redundant")
    return result


def check(sennit, work, program, outcomes, options):
    expected = {(kind, where) for kind, where, _ in outcomes.values() if kind != "sum"}
    for binary in ["./prog", "./prog-sums"]:
        result = explore(sennit, work, binary, program, options)
        bugs = [(b["kind"], b["places"][0]["line"]) for b in result["bugs"]]
        if sorted(bugs) != sorted(expected):
            raise Failure(f"{binary}: bugs {sorted(bugs)} instead of {sorted(expected)}: "
                          f"{[(b['kind'], b['summary'], b['inputs']) for b in result['bugs']]}")
        for bug in result["bugs"]:
            inputs = tuple(value_of(bug["inputs"], program, i) for i in range(len(program.inputs)))
            if inputs in outcomes and outcomes[inputs][:2] != (bug["kind"], bug["places"][0]["line"]):
                raise Failure(f"{binary}: inputs {inputs} give {outcomes[inputs]}, not {bug['kind']} {bug['places'][0]['line']}")
        paths = len({(k, w if k != "sum" else 0, path) for k, w, path in outcomes.values()})
        if result["executions"] < paths or result["executions"] > len(outcomes):
            raise Failure(f"{binary}: {result['executions']} executions, {paths} paths, {len(outcomes)} inputs")
        if program.pure and result["executions"] != paths:
            raise Failure(f"{binary}: {result['executions']} executions instead of {paths} paths")
    return result["executions"]


def value_of(inputs, program, i):
    value = inputs.get(f"x{i}", program.inputs[i][1])
    return int(value) if not isinstance(value, bool) else int(value)


# ---- Batches ------------------------------------------------------------------------------------------------


def build(sennit, work, text, programs, flags, extra):
    with open(work + "/batch.c", "w") as f:
        f.write(text)
    clang = shutil.which("clang-19") or "clang"
    sanitizers = "address" + (",signed-integer-overflow,shift,integer-divide-by-zero" if extra else ",integer-divide-by-zero")
    done = run([clang, "-O0", "-w", "-g", "-DNATIVE", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all",
                *([] if extra else ["-fwrapv"]), "batch.c", HERE + "/native.c", "-o", "native",
                "-I", os.path.join(HERE, "../../../include")], cwd=work)
    if done.returncode:
        raise Failure(done.stdout)


def build_sennit(sennit, work, all_outcomes, flags):
    with open(work + "/sums.h", "w") as f:
        for program, outcomes in all_outcomes:
            sums = ", ".join(f"{w}u" if kind == "sum" else "0" for kind, w, _ in outcomes.values())
            f.write(f"static const unsigned sums{program.number}[] = {{{sums}}};\n")
    for name, define in (("prog", []), ("prog-sums", ["-DSUMS"])):
        done = run([sennit, "cc", "-w", "batch.c", "-o", name] + flags + define, cwd=work)
        if done.returncode:
            raise Failure(done.stdout)


def batch(sennit, work, first, count):
    pick = random.Random(first)
    extra = pick.random() < 0.25       # --check=overflow
    level = pick.choice(["-O0", "-O0", "-O0", "-O1", "-O2", "-O3"])
    flags = [level, "--shifts"] if extra else [level, "-fwrapv"]
    options = ["-j", pick.choice(["1", "2"])] + (["--check=overflow"] if extra else [])
    programs, text = generate(first, count, {"branches": True})
    build(sennit, work, text, programs, flags, extra)
    all_outcomes = [(program, native(work, program)) for program in programs]
    build_sennit(sennit, work, all_outcomes, flags)
    failures = paths = undecided = 0
    for program, outcomes in all_outcomes:
        try:
            paths += check(sennit, work, program, outcomes, options)
        except Undecided:
            undecided += 1
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"FAIL  seed {first + program.number} in batch {first} {' '.join(flags + options)}: {failure}", flush=True)
            failures += 1
    return failures, paths, undecided


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    keep = sys.argv[5] if len(sys.argv) > 5 else None
    failures = paths = undecided = 0
    for start in range(first, first + count, BATCH):
        work = keep or tempfile.mkdtemp()
        os.makedirs(work, exist_ok=True)
        try:
            more = batch(sennit, work, start, min(BATCH, first + count - start))
            failures, paths, undecided = failures + more[0], paths + more[1], undecided + more[2]
        except Failure as failure:
            print(f"FAIL  batch {start}: {failure}")
            failures += 1
        finally:
            if not keep:
                shutil.rmtree(work, ignore_errors=True)
    print(f"{count} programs, {failures} failures, {undecided} undecided; {paths} paths")
    sys.exit(1 if failures else 0)


main()
