#!/usr/bin/env python3
"""`sennit dap` with a client of the Debug Adapter Protocol: stepping forwards and backwards through a deadlock.
Usage: dap.py SENNIT EXAMPLES"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sennit, examples = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
work = tempfile.mkdtemp()
failures = 0


def expect(what, actual, wanted):
    global failures
    if actual != wanted:
        failures += 1
        print(f"FAIL: {what}: {actual!r} instead of {wanted!r}")


class Client:
    """Sends requests, and keeps the events that come in between."""

    def __init__(self):
        self.process = subprocess.Popen([sennit, "dap"], cwd=work, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sequence = 0
        self.events = []

    def read(self):
        length = None
        while (line := self.process.stdout.readline().strip()) or length is None:
            assert line, "the adapter has ended"
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, command, **arguments):
        self.sequence += 1
        body = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        while (message := self.read())["type"] == "event":
            self.events.append(message)
        expect(f"answer to {command}", (message["request_seq"], message["command"]), (self.sequence, command))
        return message

    def event(self, name):
        while not self.events:
            self.events.append(self.read())
        event = self.events.pop(0)
        expect("event", event["event"], name)
        return event.get("body", {})

    def frame(self, thread):
        frame = self.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
        return frame["name"], frame["line"], frame["source"]["path"]

    def values(self, reference=1):
        variables = self.ask("variables", variablesReference=reference)["body"]["variables"]
        return {v["name"]: v["value"] for v in variables}


def check_bank():
    subprocess.run([sennit, "test", "bank.c", "-q"], cwd=work, capture_output=True, check=False)
    trace = os.path.realpath(f"{work}/sennit-last/bugs/deadlock-45e2.trace")
    source = f"{os.path.realpath(work)}/bank.c"
    client = Client()
    capabilities = client.ask("initialize", adapterID="sennit")["body"]
    expect("it steps back", capabilities["supportsStepBack"], True)
    expect("nothing is launched", client.ask("threads")["success"], False)
    expect("a trace that is missing", client.ask("launch", trace="missing.trace")["success"], False)
    expect("launch", client.ask("launch", trace=trace)["success"], True)
    client.event("initialized")
    expect("breakpoints", client.ask("setBreakpoints", source={"path": source}, breakpoints=[{"line": 32}])["body"]["breakpoints"],
           [{"verified": True}])
    client.ask("configurationDone")
    expect("it stops at the entry", client.event("stopped"), {"reason": "entry", "threadId": 2, "allThreadsStopped": True})
    expect("threads", [t["name"] for t in client.ask("threads")["body"]["threads"]], ["main", "first_teller (0.1)", "second_teller (0.2)"])
    expect("where the first teller is", client.frame(2), ("lock_both: lock alice.lock", 32, source))
    expect("scopes", [s["name"] for s in client.ask("scopes", frameId=1)["body"]["scopes"]], ["Shared", "Inputs"])
    expect("no values yet", client.values(), {})
    client.ask("next", threadId=2)
    expect("a step", client.event("stopped")["threadId"], 3)
    expect("it has the lock", "alice.lock" in client.values(), True)
    expect("and wants the other", client.frame(2)[:2], ("lock_both: lock bob.lock", 33))
    client.ask("stepBack", threadId=3)
    expect("back", client.event("stopped")["threadId"], 2)
    expect("it does not have the lock", client.values(), {})
    client.ask("continue", threadId=2)
    expect("a breakpoint", client.event("stopped"), {"reason": "breakpoint", "threadId": 3, "allThreadsStopped": True})
    client.ask("continue", threadId=3)
    stopped = client.event("stopped")
    expect("the deadlock", (stopped["reason"], stopped["description"]), ("exception", "deadlock"))
    expect("what it is", "waits for alice.lock" in client.ask("exceptionInfo", threadId=3)["body"]["description"], True)
    expect("both are where they wait", (client.frame(2)[1], client.frame(3)[1]), (33, 33))
    client.ask("reverseContinue", threadId=3)
    expect("to the breakpoint again", client.event("stopped")["reason"], "breakpoint")
    expect("an unknown request", client.ask("flyAway")["success"], False)
    client.ask("disconnect")
    client.event("terminated")
    expect("it ends", client.process.wait(60), 0)


def check_model():
    subprocess.run([sennit, "explore", "database.abs", "-q"], cwd=work, capture_output=True, check=False)
    with open(f"{work}/sennit-last/run.json") as file:
        states = {s["outcome"]: s["trace"] for s in json.load(file)["final_states"]}
    client = Client()
    client.ask("initialize")
    client.ask("launch", trace=f"{work}/sennit-last/" + states["ok"], stopOnEntry=False)
    client.event("initialized")
    client.ask("configurationDone")
    client.event("terminated")
    client.process.stdin.close()
    expect("it ends with its client", client.process.wait(60), 0)


try:
    for name in ("bank.c", "abs/database.abs"):
        shutil.copy(f"{examples}/{name}", work)
    check_bank()
    check_model()
finally:
    shutil.rmtree(work, ignore_errors=True)
print("ok" if failures == 0 else f"{failures} failures")
sys.exit(failures > 0)
