#!/usr/bin/env python3
"""Maps and sets of generated models against dictionaries of Python.

Each model changes collections in a random way, partly by tasks of one object in any order, and asserts what Python
says. The number of final states must be that of different dictionaries.

Usage: maps.py SENNIT FIRST COUNT
"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

KINDS = {  # type of the keys: its values, in the order of ABS
    "Int": ["-2", "0", "7", "31", "1152921504606846977"],
    "String": ['"a"', '"ab"', '"b"'],
    "Pair<Int, Bool>": ["Pair(1, False)", "Pair(1, True)", "Pair(2, False)"],
    "Maybe<Int>": ["Just(1)", "Just(4)", "Nothing"],
}


def change(rng, count):
    """put, insert (which hides an older value) or removeKey (which shows it again)."""
    return rng.choice(["put", "put", "insert", "removeKey"]), rng.randrange(count), rng.randrange(3)


def apply(state, step):
    """The values of each key, the one that counts first."""
    what, key, value = step
    values = list(state.get(key, ()))
    if what == "removeKey":
        values = values[1:]
    else:
        values = [value] + (values[1:] if what == "put" else values)
    after = {k: v for k, v in state.items() if k != key}
    if values:
        after[key] = tuple(values)
    return after


def expression(keys, step, on):
    what, key, value = step
    if what == "put":
        return f"put({on}, {keys[key]}, {value})"
    if what == "insert":
        return f"insert({on}, Pair({keys[key]}, {value}))"
    return f"removeKey({on}, {keys[key]})"


def entries(keys, state):
    return [f"Pair({keys[k]}, {v})" for k in sorted(state) for v in state[k]]


def facts(keys, state, on):
    pairs = entries(keys, state)
    yield f"entries({on}) == list[{', '.join(pairs)}]"
    yield f"keys({on}) == set[{', '.join(keys[k] for k in state)}]"
    yield f"{on} == map[{', '.join(pairs)}]"
    for k, key in enumerate(keys):
        wanted = f"Just({state[k][0]})" if k in state else "Nothing"
        yield f"lookup({on}, {key}) == {wanted}"
    shuffled = [f"Pair({keys[k]}, {state[k][0]})" for k in reversed(sorted(state))]
    if all(len(values) == 1 for values in state.values()):
        yield f"{on} == map[{', '.join(shuffled)}]"


def final_states(start, tasks):
    found = set()
    for order in itertools.permutations(tasks):
        state = start
        for step in order:
            state = apply(state, step)
        found.add(tuple(sorted(state.items())))
    return found


def model(seed):
    rng = random.Random(seed)
    kind = rng.choice(sorted(KINDS))
    keys = KINDS[kind]
    type_ = f"Map<{kind}, Int>"
    state, lines, facts_ = {}, [], []
    for number in range(8):
        step = change(rng, len(keys))
        before = f"m{number}"
        lines.append(f"    {type_} m{number + 1} = {expression(keys, step, before)};")
        state = apply(state, step)
        facts_ += facts(keys, state, f"m{number + 1}")
    tasks = [change(rng, len(keys)) for _ in range(3)]
    methods = [f"Unit t{i}()" for i in range(len(tasks))]
    text = ["module Maps;", "interface I { " + " ".join(f"{m};" for m in methods) + " }",
            f"class C({type_} m) implements I {{"]
    text += [f"    {method} {{ m = {expression(keys, step, 'm')}; }}" for method, step in zip(methods, tasks)]
    text += ["}", "{", f"    {type_} m0 = map[];", *lines, *(f"    assert {fact};" for fact in facts_),
             "    I c = new C(m8);", *(f"    c!t{i}();" for i in range(len(tasks))), "}"]
    return "\n".join(text) + "\n", len(final_states(state, tasks))


def main():
    sennit, first, count = os.path.realpath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    failed = 0
    with tempfile.TemporaryDirectory() as room:
        for seed in range(first, first + count):
            text, states = model(seed)
            with open(f"{room}/maps.abs", "w", encoding="utf-8") as file:
                file.write(text)
            run = subprocess.run([sennit, "explore", "--json", "-q", "maps.abs"], cwd=room, capture_output=True, text=True)
            result = json.loads(run.stdout) if run.stdout else {}
            if run.returncode != 0 or result.get("final_state_count") != states:
                failed += 1
                print(f"seed {seed}: exit code {run.returncode}, {result.get('final_state_count')} final states "
                      f"instead of {states}\n{text}{run.stderr[:500]}")
    print(f"{count} models, {failed} differ")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
