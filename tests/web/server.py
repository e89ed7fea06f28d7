"""Starts `sennit ui` for tests, and asks it."""
import atexit
import http.client
import json
import signal
import subprocess
import time


class Page:
    """A server of `sennit ui` in a directory."""

    def __init__(self, sennit, work, *words):
        self.process = subprocess.Popen([sennit, "ui", *words], cwd=work, stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # also if the test fails
        address = self.process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        self.port = int(address.split(":")[2].split("/")[0])
        self.token = address.split("token=")[1]

    def answer(self, method, path, body=None, headers=None, token=True):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        all_headers = {"X-Sennit-Token": self.token} if token else {}
        connection.request(method, path, body=body, headers={**all_headers, **(headers or {})})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content, answer.headers

    def ask(self, *words, **named):
        return self.answer(*words, **named)[:2]

    def json(self, method, path, body=None):
        status, content = self.ask(method, path, json.dumps(body) if body is not None else None)
        return status, json.loads(content)

    def wait(self, run):
        for _ in range(1200):
            state = self.json("GET", f"/api/runs/{run}")[1]
            if state["phase"] != "going":
                return state
            time.sleep(0.1)
        raise AssertionError("the run does not end")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)
