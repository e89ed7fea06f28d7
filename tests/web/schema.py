#!/usr/bin/env python3
"""Documents that Sennit writes against their schemas in docs/schema: run.json, stats.jsonl, executions, the tree.
Usage: schema.py SENNIT EXAMPLES SCHEMAS"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from server import Page  # noqa: E402

sennit, examples, schemas = (os.path.realpath(word) for word in sys.argv[1:4])
work = tempfile.mkdtemp()
failures = 0

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int, "number": (int, float)}


PROGRAMS = {
    "timed.abs": """module Timed;
{ await duration(1, 2); assert False; }
""",
    "weak.c": """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 0);
    return 0;
}
""",
}


def is_of(value, name):
    return isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name != "boolean")


def problems(value, schema, root, where):
    """What is wrong with the value; the part of JSON Schema that docs/schema uses."""
    if "$ref" in schema:
        schema = root["definitions"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        return min((list(problems(value, s, root, where)) for s in schema["anyOf"]), key=len)
    unknown = set(schema) - {"type", "properties", "required", "additionalProperties", "items", "enum", "definitions",
                             "$schema", "title"}
    assert not unknown, f"the schema uses {unknown}"
    found = []
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(is_of(value, name) for name in names):
        return [f"{where}: {value!r} is not of type {names}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is not one of {schema['enum']}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        found += [f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, member in value.items():
            if key in known:
                found += problems(member, known[key], root, f"{where}.{key}")
            elif more is False:
                found.append(f"{where}: {key} is not in the schema")
            elif isinstance(more, dict):
                found += problems(member, more, root, f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += problems(item, schema["items"], root, f"{where}[{i}]")
    return found


def check(name, value, what):
    global failures
    with open(f"{schemas}/{name}.json") as file:
        schema = json.load(file)
    found = problems(value, schema, schema, what)
    failures += len(found)
    for line in found[:10]:
        print("FAIL:", line)


def expect(what, actual, wanted):
    global failures
    if actual != wanted:
        failures += 1
        print(f"FAIL: {what}: {actual!r} instead of {wanted!r}")


def run(exit_code, *words):
    done = subprocess.run([sennit, *words], cwd=work, capture_output=True, text=True)
    expect(" ".join(words), done.returncode, exit_code)
    with open(f"{work}/sennit-last/run.json") as file:
        check("run", json.load(file), "run.json of " + " ".join(words))
    for line in open(f"{work}/sennit-last/stats.jsonl") if os.path.exists(f"{work}/sennit-last/stats.jsonl") else []:
        check("stats", json.loads(line), "stats.jsonl")
    for trace in glob.glob(f"{work}/sennit-last/*/*.trace"):
        shown = subprocess.run([sennit, "replay", "--execution", trace], cwd=work, capture_output=True, text=True)
        check("execution", json.loads(shown.stdout), "execution " + os.path.basename(trace))


def ends(node):
    return node["ends"] + [end for child in node["children"] for end in ends(child)]


def check_tree(page):
    tree = page.json("GET", "/api/runs/001/tree")[1]
    check("tree", tree, "tree of bank.c")
    expect("all executions of bank.c", (tree["of"], tree["kept"], tree["root"]["executions"]), ("executions", 3, 3))
    expect("their ends", sorted(end["kind"] for end in ends(tree["root"])), ["deadlock", "test", "test"])
    expect("where they part first", [child["steps"][0]["agent"] for child in tree["root"]["children"]], ["0.1", "0.2"])
    tree = page.json("GET", "/api/runs/002/tree")[1]
    check("tree", tree, "tree of database.abs")
    expect("final states", sorted(end["kind"] for end in ends(tree["root"])), ["deadlock", "state", "state"])
    inputs = [end["inputs"] for end in ends(page.json("GET", "/api/runs/004/tree")[1]["root"])]
    expect("inputs of percent.c", len({json.dumps(i) for i in inputs}), len(inputs))
    expect("no executions: a bug each", page.json("GET", "/api/runs/005/tree")[1]["of"], "examples")


try:
    for name in ("bank.c", "percent.c", "abs/database.abs", "actors/leader.c"):
        shutil.copy(f"{examples}/{name}", work)
    for name, text in PROGRAMS.items():
        with open(f"{work}/{name}", "w") as file:
            file.write(text)
    run(1, "test", "bank.c", "-k", "--keep-executions=100")
    run(1, "explore", "database.abs", "--keep-executions=100", "--show=all")
    run(1, "deadlock", "database.abs", "--search=per-cycle")
    run(1, "test", "percent.c", "-k", "--keep-executions=100")
    run(1, "deadlock", "bank.c")
    run(3, "test", "leader.c", "--max-execs=3", "--keep-executions=2")
    run(1, "explore", "timed.abs")
    run(1, "test", "weak.c")
    run(1, "test", "percent.c", "--tests=suite")
    server = Page(sennit, work)
    check_tree(server)
    expect("an execution of the directory of --tests", server.json("GET", "/api/runs/009/executions/tests/test000001")[0], 200)
    server.end()
    with open(f"{schemas}/run.json") as file:
        known = json.load(file)
    expect("what is wrong is found", [p for p in problems({"verdict": "maybe", "x": 1}, known, known, "it") if "missing" not in p],
           ["it.verdict: 'maybe' is not one of " + str(known["properties"]["verdict"]["enum"]), "it: x is not in the schema"])
finally:
    shutil.rmtree(work, ignore_errors=True)
print("ok" if failures == 0 else f"{failures} failures")
sys.exit(failures > 0)
