#!/usr/bin/env python3
"""Timed models against an independent interpreter: the same final states.

    oracle.py SENNIT FIRST COUNT    COUNT models, from seed FIRST on
    oracle.py --show SEED           prints a model
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import generate
import semantics

FIELDS = re.compile(r"^(-?\d+)(?:/(\d+))?$")


def number(text):
    match = FIELDS.match(text)
    return Fraction(int(match.group(1)), int(match.group(2) or 1))


def explore(sennit, path, *options):
    result = subprocess.run([sennit, "explore", "--json", "--show=none", "--max-execs=20000", *options, path],
                            capture_output=True, text=True, cwd=os.path.dirname(path))
    try:
        run = json.loads(result.stdout)
    except ValueError:
        raise RuntimeError(f"no report: {result.stderr}")
    if "stopped by --max-execs" in run["sentence"]:
        return None
    if "exhaustive" not in run["sentence"] or run["ending"] != "done":
        raise RuntimeError(f"not exhaustive: {run['sentence']}")
    finals = set()
    for state in run["final_states"]:
        fields = tuple((number(o["fields"]["x"]), number(o["fields"]["s"])) for o in state["objects"]
                       if o["class"] == "C")
        finals.add((fields, state["outcome"] == "ok"))
    return finals


def check(sennit, directory, seed):
    """None if the model is too large, else whether all is well."""
    model = generate.Generator(seed).model()
    path = os.path.join(directory, "m.abs")
    with open(path, "w", encoding="utf-8") as file:
        file.write(generate.print_model(model))
    variants = [["--dependence=exact"], ["--dependence=actor"], ["--time=free"], ["--await=continue"]]
    options = variants[seed % len(variants)]
    try:
        expected = semantics.Model(model, free="--time=free" in options, limit=3000).finals()
    except semantics.TooLarge:
        return None
    if "--time=free" in options and not generate.is_timed(model):
        options = []
    try:
        found = explore(sennit, path, *options)
    except RuntimeError as failure:
        print(f"seed {seed} {options}: {failure}", flush=True)
        return False
    if found is None:
        return None
    if found != expected:
        print(f"seed {seed} {options}: missing {expected - found}, superfluous {found - expected}", flush=True)
    return found == expected


def main():
    if sys.argv[1] == "--show":
        print(generate.print_model(generate.Generator(int(sys.argv[2])).model()))
        return
    sennit, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as directory:
        results = [check(sennit, directory, seed) for seed in range(first, first + count)]
    print(f"{results.count(True)} models agree, {results.count(None)} were too large, {results.count(False)} differ")
    sys.exit(1 if False in results else 0)


main()
