#!/usr/bin/env python3
"""Generates product lines and flattens one product of each, for product_oracle.

Usage: flatten.py FIRST COUNT          models of the seeds FIRST .. FIRST+COUNT-1, to standard output
       flatten.py --show SEED          one of them, readable

The flattening shares nothing with Sennit: it works on its own description of the model, from which the model with
deltas and the flat model are both printed. A model whose product the feature model forbids has an empty flat model.
"""
import random
import sys

FEATURES = ["A", "B", "C", "D"]
FIELDS = ["f", "g"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def fresh(self, stem):
        self.names += 1
        return "%s%d" % (stem, self.names)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # ---- Code: lists of statements with {original} where original() is called

    def expression(self, names):
        name = self.random.choice(names + [str(self.random.randrange(3))])
        return "%s + %d" % (name, self.random.randrange(3)) if self.chance(50) else name

    def statement(self, owner, fields, names, calls):
        kind = self.random.randrange(10)
        if kind < 4:
            return "this.%s = %s;" % (self.random.choice(fields), self.expression(names + fields))
        if kind < 5:
            return "suspend;"
        if kind < 7 and calls and owner == "C1":
            future = self.fresh("fut")
            call = "Fut<Int> %s = peer!%s(%s);" % (future, self.random.choice(calls), self.expression(names + fields))
            return call + (" await %s?;" % future if self.chance(60) else "")
        if kind < 8:
            return "if (%s > %d) { this.%s = 0; }" % (self.random.choice(names + fields), self.random.randrange(3),
                                                      self.random.choice(fields))
        if kind < 9 and self.chance(30):
            return "await this.%s >= 0;" % self.random.choice(fields)
        return "skip;"

    def body(self, owner, fields, names, calls, original):
        lines = [self.statement(owner, fields, names, calls) for _ in range(self.random.randrange(3))]
        for target in original:
            local = self.fresh("o")
            lines.insert(self.random.randrange(len(lines) + 1),
                         "Int %s = {%s}(%s);" % (local, target, self.expression(names)))
        if self.chance(20):
            lines.append("assert this.%s < 4;" % self.random.choice(fields))
        lines.append("return %s;" % self.expression(names + fields))
        return lines


class Model:
    """A model as methods with all their versions; the versions of deltas know what {original} means."""

    def __init__(self, generator):
        g = self.g = generator
        self.classes = {}
        for name in ("C1", "C2"):
            params = [("J", "peer")] if name == "C1" else []
            fields = [("Int", f, str(g.random.randrange(3))) for f in FIELDS]
            self.classes[name] = {"params": params, "fields": fields, "methods": {}}
            for method in ("m", "n"):
                body = g.body(name, FIELDS, ["a"], ["m", "n"] if name == "C1" else [], [])
                self.classes[name]["methods"][method] = [("core", body)]
            self.classes[name]["methods"]["spare"] = [("core", ["return 0;"])]
        self.main = self.make_main()

    def make_main(self):
        g = self.g
        lines = ["J y = new C2();", "J x = new C1(y);"]
        for _ in range(1 + g.random.randrange(2)):
            lines.append("%s!%s(%d);" % (g.random.choice("xy"), g.random.choice("mn"), g.random.randrange(3)))
        return lines

    # ---- One delta: its text, and its effect if it is applied

    def make_delta(self, number):
        g = self.g
        name = "D%d" % number
        param = g.chance(40)
        ops = []
        for owner in g.random.sample(["C1", "C2"], 1 + g.random.randrange(2)):
            changes = []
            for method in g.random.sample(["m", "n"], 1 + g.random.randrange(2)):
                original = ["original"] if g.chance(70) else []
                if g.chance(25):
                    original.append("core.original")
                names = ["a"] + (["k"] if param else [])
                changes.append(("modify", method, g.body(owner, FIELDS, names, ["m", "n"], original)))
            if g.chance(40):
                value = "k" if param and g.chance(50) else str(g.random.randrange(3))
                changes.append(("field", g.fresh("h"), value))
            if g.chance(30):
                changes.append(("add", g.fresh("extra"), ["return %s;" % ("k" if param else "1")]))
            if g.chance(15):
                changes.append(("remove", "spare"))
            ops.append((owner, changes))
        return {"name": name, "param": param, "ops": ops, "uses": g.chance(60)}

    def apply(self, delta, value):
        """False if the delta does not fit."""
        for owner, changes in delta["ops"]:
            cls = self.classes[owner]
            for change in changes:
                if change[0] == "modify":
                    cls["methods"][change[1]].append((delta["name"], [bind(l, value) for l in change[2]]))
                elif change[0] == "field":
                    cls["fields"].append(("Int", change[1], bind(change[2], value)))
                elif change[0] == "add":
                    cls["methods"][change[1]] = [(delta["name"], [bind(l, value) for l in change[2]])]
                elif "spare" in cls["methods"]:
                    del cls["methods"]["spare"]
                else:
                    return False
        return True

    # ---- Printing

    def print_classes(self):
        out = ["interface J { Int m(Int a); Int n(Int a); }"]
        for name, cls in self.classes.items():
            params = ", ".join("%s %s" % p for p in cls["params"])
            out.append("class %s(%s) implements J {" % (name, params))
            out += ["    %s %s = %s;" % f for f in cls["fields"]]
            for method, versions in cls["methods"].items():
                for i, (_, body) in enumerate(versions):
                    last = i == len(versions) - 1
                    own = method if last else "%sVersion%d" % (method, i)
                    out.append("    Int %s(Int a) {" % own)
                    for line in body:
                        before = "this.%sVersion%d" % (method, i - 1)
                        line = line.replace("{original}", before)
                        line = line.replace("{core.original}", "this.%sVersion0" % method)
                        out.append("        " + line)
                    out.append("    }")
            out.append("}")
        return out


def bind(line, value):
    if value is None:
        return line
    words, out = "", []
    for c in line + " ":
        if c.isalnum() or c == "_":
            words += c
            continue
        out.append(str(value) if words == "k" else words)
        out.append(c)
        words = ""
    return "".join(out)[:-1]


def print_delta(delta):
    out = ["delta %s%s;" % (delta["name"], "(Int k)" if delta["param"] else "")]
    if delta["uses"]:
        out.append("uses M;")
    for owner, changes in delta["ops"]:
        out.append("modifies class %s {" % (owner if delta["uses"] else "M." + owner))
        for change in changes:
            if change[0] == "field":
                out.append("    adds Int %s = %s;" % (change[1], change[2]))
            elif change[0] == "remove":
                out.append("    removes Int spare(Int a);")
            else:
                out.append("    %s Int %s(Int a) {" % ("modifies" if change[0] == "modify" else "adds", change[1]))
                for line in change[2]:
                    line = line.replace("{original}", "original").replace("{core.original}", "core.original")
                    out.append("        " + line)
                out.append("    }")
        out.append("}")
    return out


# ---- Conditions and feature models: trees of tuples, printed and evaluated here

def make_condition(g, depth=2):
    kind = g.random.randrange(4) if depth else 0
    if kind == 0:
        return ("f", g.random.choice(FEATURES))
    if kind == 1:
        return ("!", make_condition(g, depth - 1))
    return ("&&" if kind == 2 else "||", make_condition(g, depth - 1), make_condition(g, depth - 1))


def print_condition(c):
    if c[0] == "f":
        return c[1]
    if c[0] == "!":
        return "!(%s)" % print_condition(c[1])
    return "(%s) %s (%s)" % (print_condition(c[1]), c[0], print_condition(c[2]))


def holds(c, product):
    if c[0] == "f":
        return c[1] in product
    if c[0] == "!":
        return not holds(c[1], product)
    if c[0] == "&&":
        return holds(c[1], product) and holds(c[2], product)
    return holds(c[1], product) or holds(c[2], product)


def make_features(g):
    lower = g.random.randrange(2)
    return {"lower": lower, "upper": lower + g.random.randrange(2), "condition": make_condition(g),
            "require": g.random.choice(FEATURES) if g.chance(40) else None,
            "exclude": g.random.choice(FEATURES) if g.chance(30) else None, "most": g.random.randrange(1, 6)}


def print_features(m):
    a = "".join(" %s: %s;" % (w, m[w]) for w in ("require", "exclude") if m[w] and m[w] != "A")
    return ["root R { group allof { opt A { Int v in [0..%d];%s }, opt G { group [%d..%d] { B, C } }, opt D }"
            % (m["most"], a, m["lower"], m["upper"]),
            "         ifin: %s; }" % print_condition(m["condition"])]


def allows(m, product, values):
    group = [f for f in ("B", "C") if f in product]
    if group and not m["lower"] <= len(group) <= m["upper"]:
        return False
    if "A" in product:
        if values["A"] > m["most"]:
            return False
        if m["require"] and m["require"] != "A" and m["require"] not in product:
            return False
        if m["exclude"] and m["exclude"] != "A" and m["exclude"] in product:
            return False
    return holds(m["condition"], product)


def make(seed):
    g = Generator(seed)
    model = Model(g)
    deltas = [model.make_delta(i) for i in range(1 + g.random.randrange(3))]
    order = list(range(len(deltas)))
    g.random.shuffle(order)  # the order in which they are to be applied
    clauses = []
    for position, index in enumerate(order):
        after = [deltas[i]["name"] for i in order[:position]]
        condition = None if g.chance(20) else make_condition(g)
        if deltas[index]["param"]:
            arg = g.random.choice(["A.v", str(g.random.randrange(4))])
            condition = ("&&", ("f", "A"), condition) if arg == "A.v" and condition else condition
            condition = ("f", "A") if arg == "A.v" and not condition else condition
        else:
            arg = None
        clauses.append((index, arg, after, condition))
    features = make_features(g) if g.chance(40) else None
    product = set(f for f in FEATURES if g.chance(50))
    values = {"A": g.random.randrange(4)}
    core = model.print_classes()
    text = ["module M;"] + core + ["{"] + ["    " + l for l in model.main] + ["}"]
    for delta in deltas:
        text += print_delta(delta)
    text += ["productline L;", "features A, B, C, D;"]
    printed = clauses[:]
    g.random.shuffle(printed)
    for index, arg, after, condition in printed:
        text.append("delta %s%s%s%s;" % (deltas[index]["name"], "(%s)" % arg if arg else "",
                                         " after " + ", ".join(after) if after else "",
                                         " when " + print_condition(condition) if condition else ""))
    names = ", ".join(f + ("{v=%d}" % values["A"] if f == "A" else "") for f in sorted(product))
    text.append("product P(%s);" % names)
    if features:
        text += print_features(features)
    fits = not features or allows(features, product, values)
    for index, arg, after, condition in clauses:
        if fits and (condition is None or holds(condition, product)):
            value = None if arg is None else values["A"] if arg == "A.v" else int(arg)
            fits = model.apply(deltas[index], value)
    flat = ["module M;"] + model.print_classes() + ["{"] + ["    " + l for l in model.main] + ["}"]
    return "\n".join(text) + "\n", "\n".join(flat) + "\n" if fits else ""


def main():
    if sys.argv[1] == "--show":
        text, flat = make(int(sys.argv[2]))
        print(text + "----\n" + flat)
        return
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        text, flat = make(seed)
        sys.stdout.write("%d %d %d\n%s%s" % (seed, len(text), len(flat), text, flat))


main()
