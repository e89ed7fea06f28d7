#!/usr/bin/env python3
"""The interface of `sennit ui`: who may ask, files, runs, executions, what-if; and requests made to break it.
Usage: api.py SENNIT [REQUESTS]     REQUESTS: how many malformed requests are made"""
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from server import Page  # noqa: E402

sennit = os.path.realpath(sys.argv[1])
requests = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
programs = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "cli", "programs")
outer = tempfile.mkdtemp()
work, outside = f"{outer}/work", f"{outer}/outside"
SECRET = b"what lies outside of the directory"
failures = 0


def expect(what, actual, wanted):
    global failures
    if actual != wanted:
        failures += 1
        print(f"FAIL: {what}: {actual!r} instead of {wanted!r}")


def check_access(page):
    expect("the page needs no token", page.ask("GET", "/", token=False)[0], 200)
    expect("the interface does", page.ask("GET", "/api/about", token=False)[0], 401)
    expect("another token", page.ask("GET", "/api/about", headers={"X-Sennit-Token": "0" * 32}, token=False)[0], 401)
    expect("a foreign host", page.ask("GET", "/", headers={"Host": "example.org"})[0], 403)
    expect("our port, another name", page.ask("GET", "/api/about", headers={"Host": f"example.org:{page.port}"})[0], 403)
    expect("a foreign origin", page.ask("GET", "/api/about", headers={"Origin": "http://example.org"})[0], 403)
    own = {"Origin": f"http://127.0.0.1:{page.port}"}
    expect("our own origin", page.ask("GET", "/api/about", headers=own)[0], 200)
    policies = [page.answer("GET", "/")[2]["Content-Security-Policy"] for _ in range(2)]
    nonces = [re.findall("'nonce-([0-9a-f]{32})'", policy) for policy in policies]
    expect("scripts and styles of the page only", [len(n) for n in nonces] + ["unsafe" in p.replace("style-src-attr 'unsafe-inline'", "") for p in policies],
           [2, 2, False, False])
    expect("another nonce each time", nonces[0] == nonces[1], False)
    expect("an answer has none", "nonce" in page.answer("GET", "/api/about")[2]["Content-Security-Policy"], False)
    expect("nothing there", page.ask("GET", "/api/nothing")[0], 404)
    expect("another method", page.ask("DELETE", "/api/about")[0], 405)
    expect("the directory", page.json("GET", "/api/about")[1]["directory"], os.path.realpath(work))
    expect("too large", page.ask("PUT", "/api/files/large.c", b"x" * (5 << 20))[0], 413)
    expect("and not written", os.path.exists(f"{work}/large.c"), False)


def check_files(page):
    os.symlink("/etc/passwd", f"{work}/link.c")
    os.symlink("/etc", f"{work}/etc")
    os.mkfifo(f"{work}/pipe.c")
    names = [f["name"] for f in page.json("GET", "/api/files")[1]["files"]]
    expect("the files", names, ["deadlock.c", "endless.c", "model.abs"])
    expect("the examples are there", "bank.c" in [f["name"] for f in page.json("GET", "/api/files")[1]["examples"]], True)
    for name in ("../../etc/passwd", "/etc/passwd", "link.c", "etc/passwd", "pipe.c", ".", "", "%2e%2e/%2e%2e/etc/passwd",
                 "examples:../README.md", "examples:/etc/passwd", "missing.c"):
        status, content = page.ask("GET", "/api/files/" + name)
        expect(f"reading {name}", (status, b"root:" in content), (404, False))
        before = open("/etc/passwd").read()
        expect(f"writing {name}", page.ask("PUT", "/api/files/" + name, b"x")[0] in (403, 404, 500)
               or name in ("link.c", "pipe.c", "missing.c"), True)
        expect("nothing outside has changed", open("/etc/passwd").read(), before)
    expect("writing", page.ask("PUT", "/api/files/new.c", b"int x;\n")[0], 200)
    expect("is reading", page.ask("GET", "/api/files/new.c"), (200, b"int x;\n"))
    expect("examples are not changed", page.ask("PUT", "/api/files/examples:bank.c", b"x")[0], 403)
    problems = page.json("POST", "/api/check", {"name": "a.c", "text": "int f(void)\n{ return y; }\n"})[1]["problems"]
    expect("a problem of a C program", [(p["line"], "undeclared" in p["message"]) for p in problems], [(2, True)])
    problems = page.json("POST", "/api/check", {"name": "a.abs", "text": "module M;\n{ Int x = True; }\n"})[1]["problems"]
    expect("a problem of a model", [p["line"] for p in problems], [2])
    os.mkdir(f"{work}/parts")
    for name, text in (("limits.h", "#define MOST 3\nint wrong = ;\n"), ("other.abs", "module Other;\nexport *;\ndef Int one() = True;\n")):
        expect(f"parts/{name}", page.ask("PUT", f"/api/files/parts/{name}", text.encode())[0], 200)
    for name, text in (("a.c", '#include "limits.h"\nint all[MOST];\nint x = y;\n'), ("a.abs", "module M;\nimport * from Other;\n{ Int x = one() + True; }\n")):
        problems = page.json("POST", "/api/check", {"name": f"parts/{name}", "text": text})[1]["problems"]
        expect(f"problems of parts/{name}, not of what is beside it", [p["line"] for p in problems], [3])


def check_runs(page):
    status, started = page.json("POST", "/api/runs", {"verb": "test", "arguments": ["deadlock.c"]})
    expect("a run starts", (status, started), (200, {"id": "001"}))
    state = page.wait("001")
    expect("it ends", (state["phase"], state["exit_code"], state["run"]["executions"]), ("ended", 1, 2))
    with open(f"{work}/sennit-out/001/run.json") as file:
        expect("its result is run.json", state["run"], json.load(file))
    expect("its console", b"deadlock-" in page.ask("GET", "/api/runs/001/console")[1], True)
    events = page.ask("GET", f"/api/runs/001/events?token={page.token}", token=False)[1]
    expect("its events", [line for line in events.decode().split("\n") if line.startswith("event: ")],
           ["event: console", "event: stats", "event: end"])
    names = page.json("GET", "/api/runs/001/executions")[1]
    expect("its executions", len(names), 1)
    execution = page.json("GET", "/api/runs/001/executions/" + names[0])[1]
    expect("its steps", [s["text"] for s in execution["steps"]], ["lock a", "lock b"])
    some = page.json("GET", f"/api/runs/001/executions/{names[0]}/steps?from=2&count=5")[1]
    expect("some of its steps", some, {"from": 2, "all": 2, "steps": execution["steps"][1:]})
    expect("no step", page.json("GET", f"/api/runs/001/executions/{names[0]}/steps?count=0")[1]["steps"], [])
    for query in ("from=0", "from=x", "from=-1", "count=99999999999999999999", "from="):
        expect(f"steps {query}", page.ask("GET", f"/api/runs/001/executions/{names[0]}/steps?{query}")[0], 400)
    expect("steps of nothing", page.ask("GET", "/api/runs/001/executions/bugs/none/steps")[0], 404)
    bug = names[0].split("/")[1]
    expect("its bug", page.json("GET", f"/api/runs/001/bugs/{bug}")[1], state["run"]["bugs"][0])
    expect("no bug", page.ask("GET", "/api/runs/001/bugs/none")[0], 404)
    other = page.json("POST", "/api/runs/001/what-if", {"execution": names[0], "instead": "2:0"})[1]
    expect("what if", (other["execution"]["findings"], other["execution"]["steps"][1]["text"]), ([], "lock b"))
    again = page.json("POST", "/api/runs/001/what-if", {"execution": other["name"], "instead": "1:0.1"})[1]
    expect("what if, from there", again["execution"]["steps"][0]["agent"], 1)
    expect("one that is not enabled", page.json("POST", "/api/runs/001/what-if", {"execution": names[0], "instead": "2:0.9"})[0], 422)
    for name in ("bugs/none", "../001/bugs/x", "..", "%2e%2e/%2e%2e/new"):
        expect(f"execution {name}", page.ask("GET", "/api/runs/001/executions/" + name)[0], 404)
    said = page.json("POST", "/api/runs/001/critical", {"execution": names[0]})[1]
    expect("the critical step", (said["critical"]["fails"], said["critical"]["found"], said["passing"]), (2, True, "passing/" + names[0].split("/")[1]))
    expect("the execution that passes", page.json("GET", "/api/runs/001/executions/" + said["passing"])[1]["findings"], [])
    expect("of nothing", page.json("POST", "/api/runs/001/critical", {"execution": "bugs/none"})[0], 404)
    expect("a file of the run", b"DA:" in page.ask("GET", "/api/runs/001/files/coverage.info")[1], True)
    for name in ("../../deadlock.c", "/etc/passwd", "%2e%2e/%2e%2e/deadlock.c", "missing", ".", "bugs"):
        expect(f"file {name} of the run", page.ask("GET", "/api/runs/001/files/" + name)[0], 404)
    for run in ("002", "..", "%2e%2e", "given", "0/1"):
        expect(f"run {run}", page.ask("GET", f"/api/runs/{run}")[0], 404)
    for body in ({"verb": "cc", "arguments": []}, {"verb": "test"}, {}, [], "test", {"verb": 1, "arguments": [2]}):
        expect(f"starting {body}", page.json("POST", "/api/runs", body)[0], 400)


TIMES = {"seconds", "cpu_seconds", "peak_kb", "rate", "first_bug_seconds"}


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(member) for key, member in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def check_same_result(page):
    """A run on the page and on a command line: the same run.json, but for times and the name of its directory."""
    for words in (["test", "deadlock.c", "-k", "--keep-executions=9"], ["deadlock", "deadlock.c"], ["explore", "model.abs"]):
        run = page.json("POST", "/api/runs", {"verb": words[0], "arguments": words[1:]})[1]["id"]
        shown = page.wait(run)["run"]
        path = f"{work}/sennit-out/{run}"
        subprocess.run([sennit, words[0], "-o", f"{work}/sennit-out/{run}-shell", *words[1:]], cwd=work, capture_output=True)
        with open(f"{path}-shell/run.json") as file:
            printed = json.loads(file.read().replace(f"{path}-shell", path))
        expect(f"{words} in a shell", without_times(printed), without_times(shown))


def check_large(page):
    """Results that are larger than what may be uploaded, and a folder with more traces than are listed."""
    folder = f"{work}/sennit-out/large"
    os.makedirs(f"{folder}/executions")
    with open(f"{folder}/run.json", "w") as file:
        json.dump({"sentence": "large", "bugs": [], "padding": "x" * (5 << 20)}, file)
    with open(f"{folder}/executions/0-000007.trace", "w") as file:
        file.write("no trace\n" * 600000)
    for number in range(5000, 0, -1):
        open(f"{folder}/executions/{number % 2}-{number}.trace", "a").close()
    expect("a large result", page.json("GET", "/api/runs/large")[1]["run"]["sentence"], "large")
    expect("in the list", [r["sentence"] for r in page.json("GET", "/api/runs")[1] if r["id"] == "large"], ["large"])
    expect("a large trace is found, and damaged", page.ask("GET", "/api/runs/large/executions/executions/0-000007")[0], 422)
    names = page.json("GET", "/api/runs/large/executions")[1]
    expect("the first traces", (len(names), names[:3], names[-1]), (2000, ["executions/0-000007", "executions/0-2", "executions/0-4"], "executions/0-3998"))
    shutil.rmtree(folder)


def check_stop(page):
    run = page.json("POST", "/api/runs", {"verb": "test", "arguments": ["endless.c", "--strategy=random", "--max-execs=1G"]})[1]["id"]
    deadline = time.time() + 60
    while not os.path.exists(f"{work}/sennit-out/{run}/stats.jsonl") and time.time() < deadline:
        time.sleep(0.1)
    expect("it is going on", page.json("GET", f"/api/runs/{run}")[1]["phase"], "going")
    expect("stop", page.json("POST", f"/api/runs/{run}/stop", {})[0], 200)
    state = page.wait(run)
    expect("it was interrupted, and kept what it found", (state["exit_code"], state["run"]["ending"]), (130, "interrupted"))
    expect("sampling is not resumed", (state["resumable"], page.json("POST", f"/api/runs/{run}/resume", {})[0]), (False, 409))
    expect("it cannot be stopped again", page.json("POST", f"/api/runs/{run}/stop", {})[0], 409)
    run = page.json("POST", "/api/runs", {"verb": "test", "arguments": ["missing.c"]})[1]["id"]
    state = page.wait(run)
    expect("a program that does not exist", (state["exit_code"], state["run"]), (2, None))
    expect("the console says why", b"missing.c" in page.ask("GET", f"/api/runs/{run}/console")[1], True)


def until(what, holds):
    deadline = time.time() + 120
    while not holds():
        if time.time() > deadline:
            raise AssertionError(f"{what}: it does not happen")
        time.sleep(0.02)


def start_endless(page, *words):
    """A search that goes on until it is stopped: its name, once it writes figures."""
    run = page.json("POST", "/api/runs", {"verb": "test", "arguments": ["endless.c", "--max-execs=1G", *words]})[1]["id"]
    until("it writes figures", lambda: os.path.exists(f"{work}/sennit-out/{run}/stats.jsonl"))
    return run


def freeze(page):
    """Suspends all processes that the server has started: they hear an interrupt no more."""
    children = [int(child) for task in os.listdir(f"/proc/{page.process.pid}/task")
                for child in open(f"/proc/{page.process.pid}/task/{task}/children").read().split()]
    for child in children:
        os.killpg(child, signal.SIGSTOP)
    return children


def check_resume(page):
    run = start_endless(page, "--sample-after=none")
    before = 0
    for _ in range(2):
        page.json("POST", f"/api/runs/{run}/stop", {})
        state = page.wait(run)
        expect("it can be resumed", (state["resumable"], state["run"]["ending"], state["run"]["executions"] >= before), (True, "interrupted", True))
        before = state["run"]["executions"]
        expect("resume", page.json("POST", f"/api/runs/{run}/resume", {})[0], 200)
    expect("not while it is going on", page.json("POST", f"/api/runs/{run}/resume", {})[0], 409)
    page.json("POST", f"/api/runs/{run}/stop", {})
    page.wait(run)
    with open(f"{work}/sennit-out/{run}/stats.jsonl") as file:
        seconds = [json.loads(line)["seconds"] for line in file]
    expect("time goes on where it stopped", seconds, sorted(seconds))


def check_hanging(page):
    run = start_endless(page)
    freeze(page)
    page.json("POST", f"/api/runs/{run}/stop", {})
    expect("it does not hear the first stop", page.json("GET", f"/api/runs/{run}")[1]["phase"], "going")
    expect("the second", page.json("POST", f"/api/runs/{run}/stop", {})[0], 200)
    expect("ends it", page.wait(run)["exit_code"], 137)


def check_interrupt(page):
    """Ctrl-C while runs go on, one of them suspended, and somebody listens."""
    runs = [start_endless(page), start_endless(page)]
    listener = http.client.HTTPConnection("127.0.0.1", page.port, timeout=120)
    listener.request("GET", f"/api/runs/{runs[0]}/events?token={page.token}")
    listener.getresponse().read(10)
    children = freeze(page)
    os.killpg(min(children), signal.SIGCONT)
    page.process.send_signal(signal.SIGINT)
    until("the run that hears it writes its result", lambda: os.path.exists(f"{work}/sennit-out/{runs[0]}/run.json"))
    expect("a second Ctrl-C ends the server", page.end(), 0)
    expect("and its runs", [child for child in children if os.path.exists(f"/proc/{child}")], [])
    listener.close()


def malformed(random_source, page):
    """Bytes that look like a request, more or less."""
    pieces = ["GET", "POST", "PUT", "X" * 300, " ", "/", "/api/", "runs", "files", "executions", "..", "%00", "%2e", "%", "*",
              "001", "what-if", "events", "critical", "tree", "test-suite", "resume", "stop", "bugs", "/steps?from=", "?token=" + page.token, "?", "&", "=", " HTTP/1.1\r\n", "\r\n", "Host: ",
              f"127.0.0.1:{page.port}", "Content-Length: ", "7", "-1", "99999999999", "X-Sennit-Token: " + page.token, "{",
              "}", '{"verb":', '"test"', "[", "]", "\\u0000", "Transfer-Encoding: chunked\r\n", "\x00", "ä", "0\r\n\r\n"]
    text = "".join(random_source.choice(pieces) for _ in range(random_source.randint(1, 25)))
    name = "".join(random_source.choice(["..", "/", "%2e%2e", "%2f", "secret", "a", "%00", "link", "~", "examples:", "-1", "9" * 20]) for _ in range(5))
    paths = ["runs", "files/a.c", "check", "runs/001/what-if", "runs/001/critical", "runs/001/tree", "runs/001/resume", "runs/001/stop",
             "runs/001/test-suite", "runs/001/bugs/" + name, "runs/001/files/" + name, "runs/001/executions/" + name,
             f"runs/001/executions/{name}/steps?from={name}", f"runs/{name}", f"files/{name}"]
    head = f"{random_source.choice(['GET', 'POST', 'PUT'])} /api/{random_source.choice(paths)} HTTP/1.1\r\n" \
           f"Host: 127.0.0.1:{page.port}\r\nX-Sennit-Token: {page.token}\r\nContent-Length: {len(text.encode())}\r\nConnection: close\r\n\r\n"
    return (head + text if random_source.random() < 0.6 else text).encode()


def memory_of(page):
    with open(f"/proc/{page.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def check_malformed(page):
    source = random.Random(1)
    runs = len(page.json("GET", "/api/runs")[1])
    os.symlink(f"{outside}/secret", f"{work}/link")
    before = memory_of(page)
    for _ in range(requests):
        try:
            with socket.create_connection(("127.0.0.1", page.port), timeout=20) as connection:
                connection.sendall(malformed(source, page))
                connection.shutdown(socket.SHUT_WR)
                while piece := connection.recv(65536):
                    expect("nothing outside is served", SECRET in piece, False)
        except OSError:
            pass
    expect("the server is still there", page.ask("GET", "/api/about")[0], 200)
    expect("nothing outside was written", (os.listdir(outside), open(f"{outside}/secret", "rb").read()), (["secret"], SECRET))
    print(f"{requests} requests: {before} kB of memory before, {memory_of(page)} after")
    expect("in little memory", memory_of(page) < before + 20000, True)
    expect("descriptors are closed", len(os.listdir(f"/proc/{page.process.pid}/fd")) < 40, True)
    expect("no run was started", len(page.json("GET", "/api/runs")[1]) <= runs, True)


try:
    os.mkdir(work)
    os.mkdir(outside)
    with open(f"{outside}/secret", "wb") as secret:
        secret.write(SECRET)
    shutil.copy(f"{programs}/deadlock.c", work)
    shutil.copy(f"{programs}/../../../examples/abs/database.abs", f"{work}/model.abs")
    with open(f"{work}/endless.c", "w") as endless:
        endless.write("#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n"
                      "static void *f(void *p) { for (int i = 0; i < 9; i++) x = x + 1; return p; }\n"
                      "int main(void) { pthread_t a, b, c; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_create(&c, 0, f, 0);\n"
                      "pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }\n")
    page = Page(sennit, work)
    check_access(page)
    check_files(page)
    check_runs(page)
    check_same_result(page)
    check_large(page)
    check_stop(page)
    check_resume(page)
    check_hanging(page)
    check_malformed(page)
    start_endless(page)
    expect("Ctrl-C ends the server", page.end(), 0)
    page = Page(sennit, work)
    check_interrupt(page)
    page = Page(sennit, work, f"{work}/sennit-out/001")
    expect("a run that was given", page.json("GET", "/api/runs/given")[1]["run"]["executions"], 2)
    page.end()
    refused = subprocess.run([sennit, "ui", "missing"], cwd=work, capture_output=True, text=True)
    expect("a directory that does not exist", (refused.returncode, "missing" in refused.stderr), (2, True))
    refused = subprocess.run([sennit, "ui", "--port=x"], cwd=work, capture_output=True, text=True)
    expect("a port that is none", refused.returncode, 2)
finally:
    shutil.rmtree(outer, ignore_errors=True)
print("ok" if failures == 0 else f"{failures} failures")
sys.exit(failures > 0)
