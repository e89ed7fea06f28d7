"""Generates small timed models (see semantics.py) and prints them in ABS.

Instructions: (add, k) x = x * 3 % 1000 + k; (stamp,) s = s * 2 + the time; (left,) the same with the time left until
the deadline, or -1; (unless, k, to) jumps unless x > k; (call, target, method, deadline, variable); (get, variable);
(delay, least, most); (await, delay, future, condition); (suspend,); (cost, amount). A condition is (x, k), x > k, or (t, k): the time
is at least k. Methods call later ones only, so every model ends.
"""
import random
from fractions import Fraction


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.methods = self.random.randint(2, 3)
        self.objects = self.random.randint(1, 2)
        self.components = [self.random.randint(0, 3) for _ in range(self.random.choice([0, 0, 1, 1, 2]))]

    def time(self):
        return self.random.choice([Fraction(0), Fraction(1, 2), 1, 1, 1, 2, Fraction(3, 2), 2, 3]) + Fraction(0)

    def delay(self):
        least = self.time()
        return least, least + self.random.choice([0, 0, 0, Fraction(1, 2), 1, 2])

    def guard(self, futures):
        kind = self.random.randrange(9)
        delay = self.delay() if kind in (0, 1, 2, 3, 4) else None
        future = self.random.choice(futures) if futures and kind in (3, 5, 6, 8) else None
        condition = None
        if kind in (4, 7) or (not delay and not future):
            condition = self.random.choice([("x", self.random.randint(0, 2)), ("t", self.time())])
        return delay, future, condition

    def body(self, number):
        """Of a method, or of the main block (None)."""
        code, futures = [], []
        for _ in range(self.random.randint(2, 4)):
            code += self.instructions(number, code, futures)
        return code

    def instructions(self, number, code, futures):
        callable_methods = range(0 if number is None else number + 1, self.methods)
        kinds = ["delay", "await", "await"]
        if number is not None:
            kinds += ["cost"] * 3 if self.components else []
            kinds += ["add", "add", "stamp", "stamp", "left", "unless", "suspend"]
        if callable_methods:
            kinds += ["call"] * (5 if number is None else 2)
        if futures:
            kinds += ["get"]
        kind = self.random.choice(kinds)
        if kind == "cost":
            return [("cost", self.random.randint(0, 4))]
        if kind == "add":
            return [("add", self.random.randint(0, 2))]
        if kind == "unless":
            return [("unless", self.random.randint(0, 2), len(code) + 2), ("stamp",)]
        if kind == "get":
            return [("get", self.random.choice(futures))]
        if kind == "delay":
            return [("delay", *self.delay())]
        if kind == "await":
            guard = self.guard(futures)
            if number is None and guard[2]:
                guard = (guard[0] or self.delay(), guard[1], None)
            return [("await", *guard)]
        if kind == "call":
            return [self.call(number, callable_methods, futures)]
        return [(kind,)]

    def call(self, number, callable_methods, futures):
        variable = None
        if self.random.random() < 0.5:
            variable = f"f{len(futures)}"
            futures.append(variable)
        target = (self.random.randrange(self.objects) if number is None
                  else self.random.choice(["this", "peer", "peer"]))
        limit = self.time() + 1 if self.random.random() < 0.3 else None
        return "call", target, self.random.choice(callable_methods), limit, variable

    def model(self):
        choices = [None, *range(len(self.components)), *range(len(self.components))]
        return {"objects": self.objects, "main": self.body(None), "components": self.components,
                "deployed": [self.random.choice(choices) for _ in range(self.objects)] + [None],
                "methods": [self.body(number) for number in range(self.methods)]}


def is_timed(model):
    return bool(model["components"]) or any(op == "delay" or (op == "await" and args[0]) for code in [model["main"], *model["methods"]]
               for op, *args in code)


# ---- As text


def print_condition(condition):
    kind, bound = condition
    return f"x > {bound}" if kind == "x" else f"timeValue(now()) >= {bound}"


def print_guard(delay, future, condition):
    parts = [f"duration({delay[0]}, {delay[1]})"] if delay else []
    parts += [f"{future}?"] if future else []
    parts += [print_condition(condition)] if condition else []
    return " & ".join(parts)


def print_call(target, method, limit, variable):
    receiver = {"this": "this", "peer": "peer"}.get(target, f"o{target}")
    annotation = "" if limit is None else f"[Deadline: Duration({limit})] "
    result = "" if variable is None else f"Fut<Int> {variable} = "
    return f"{annotation}{result}{receiver}!m{method}();"


def print_instruction(op, args, is_main):
    texts = {"add": "x = x * 3 % 1000 + {0};", "stamp": "s = s * 2 + timeValue(now());",
             "left": "s = s * 2 + lowlevelDeadline();", "unless": "if (x > {0})", "suspend": "suspend;",
             "delay": "duration({0}, {1});", "cost": "[Cost: {0}] skip;"}
    if op == "call":
        return print_call(*args)
    if op == "await":
        return f"await {print_guard(*args)};"
    if op == "get":
        return f"{args[0]}.get;" if is_main else f"{{ Int r = {args[0]}.get; x = x * 3 % 1000 + r; }}"
    return texts[op].format(*args)


def print_model(model):
    lines = ["module M;"] + (["import * from ABS.DC;"] if model["components"] else []) + ["interface I {"]
    lines += [f"    Int m{number}();" for number in range(len(model["methods"]))]
    lines += ["}", "class C(I given) implements I {", "    Int x = 0;", "    Rat s = 0;", "    I peer = null;",
              "    { peer = given; if (given == null) peer = this; }"]
    for number, code in enumerate(model["methods"]):
        lines += [f"    Int m{number}() {{"]
        lines += ["        " + print_instruction(op, args, False) for op, *args in code]
        lines += ["        return x % 5;", "    }"]
    lines += ["}", "{"]
    for number, speed in enumerate(model["components"]):
        lines += [f'    DC d{number} = new DeploymentComponent("d{number}", map[Pair(Speed, {speed})]);']
    for number in range(model["objects"]):
        place = model["deployed"][number]
        lines += [f"    {'' if place is None else f'[DC: d{place}] '}I o{number} = new C({'null' if number == 0 else f'o{number - 1}'});"]
    lines += ["    " + print_instruction(op, args, True) for op, *args in model["main"]]
    return "\n".join(lines + ["}", ""])
