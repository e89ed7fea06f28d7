#!/usr/bin/env python3
"""Calls with arguments and results of every class of the ABI: instrumented programs against plain ones.

    abi.py SENNIT CLANG FIRST COUNT FUNCTIONS LEVEL ...

Each generated program consists of FUNCTIONS functions in two files, with random parameters (integers of all widths,
floating-point and complex numbers, vectors, structures and unions of 1 to 64 bytes, variable arguments) and random
results. Each is called directly or through a pointer, from its file or from the other one. What it receives, what its
caller gets back, and what is left of the caller's own values goes into checksums. clang's plain program says what they
are; gcc must agree, if it is installed. Then `sennit cc` compiles the program at each LEVEL (-O0, ...) and links it
twice: without inputs, which runs the plain versions of functions, and with an input that arguments are computed from,
which runs the tracked ones. Both are linked again with the second file as the plain compiler compiles it, so that calls
go from instrumented code to uninstrumented code and back. Sennit must find no bug in a single execution.
`abi.py --keep DIR ...` leaves the last program in DIR."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

INTEGERS = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
            "unsigned long", "long long", "__int128", "unsigned __int128", "enum colour"]
TAINTED = INTEGERS[1:13]
FLOATS = ["float", "double", "long double"]
COMPLEX = ["float _Complex", "double _Complex", "long double _Complex"]
VECTORS = {"v2i": ("int", 8), "v2f": ("float", 8), "v4f": ("float", 16), "v2d": ("double", 16), "v16c": ("char", 16),
           "v8s": ("short", 16), "v2l": ("long", 16), "v8f": ("float", 32), "v4l": ("long", 32)}
SIZES = {"_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4,
         "unsigned": 4, "float": 4, "enum colour": 4, "__int128": 16, "unsigned __int128": 16, "long double": 16,
         "float _Complex": 8, "double _Complex": 16, "long double _Complex": 32}
PROMOTED = ["int", "unsigned", "long", "unsigned long", "long long", "double", "long double", "__int128", "char *"]

PRELUDE = """#include <complex.h>
#include <stdarg.h>
#include <string.h>
typedef unsigned long u64;
enum colour { RED, GREEN, BLUE = 1000000 };
extern u64 seen;           /* what functions received since the last look */
extern unsigned char zero; /* 0; an input, if the program has one */
static inline u64 next(u64 *s) { *s = *s * 6364136223846793005u + 1442695040888963407u; return *s >> 24; }
static inline u64 mix(u64 h, u64 v) { return (h << 7 | h >> 57) ^ v ^ 0x9e3779b9; } /* easy for a solver */
static inline u64 mix_double(u64 h, double d) { u64 bits; memcpy(&bits, &d, 8); return mix(h, bits); }
void fill(void);
u64 check_all(void);
static inline double fraction(u64 *s) { return (double)(next(s) & 0xfffff) / 16 - 1000; }
"""


def array_size(rng):
    return rng.choice([1, 2, 3, 3, 5, 7, 9])


class Program:
    """The texts of one program: types.h, a.c, b.c."""

    def __init__(self, seed, functions):
        self.rng = random.Random(seed)
        self.functions = functions
        self.types = [PRELUDE]
        self.definitions = ['#include "types.h"\n']
        self.names = {}  # of a type's functions
        self.sizes = dict(SIZES)
        self.structs = []
        self.wide = {"__int128", "unsigned __int128"}  # and what contains them
        self.files = [['#include "types.h"\n'], ['#include "types.h"\n']]
        for kind in INTEGERS:
            self.integer(kind)
        for kind in FLOATS:
            self.helpers(kind, f"({kind})fraction(s)", "mix_double(h, (double)v)")
        for kind in COMPLEX:
            base = kind.rsplit(" ", 1)[0]
            self.helpers(kind, None, "h = mix_double(mix_double(h, (double)creall(*p)), (double)cimagl(*p));",
                         fill=f"{base} r = ({base})fraction(s); *p = r + ({base})fraction(s) * _Complex_I;")
        self.helpers("char *", "(char *)(next(s) & 0xffff)", "mix(h, (u64)v)")
        for name, (base, size) in VECTORS.items():
            self.vector(name, base, size)
        for _ in range(40):
            self.structure()
        for number in range(functions):
            self.function(number)

    # -- types

    def helpers(self, kind, make, check, fill=None):
        """Functions that fill and check a value: by an expression each, or (fill) by statements."""
        name = self.names[kind] = f"t{len(self.names)}"
        heads = f"void make_{name}({kind} *p, u64 *s)", f"u64 check_{name}(u64 h, const {kind} *p)"
        bodies = (fill, f"{check} return h;") if fill else (f"*p = {make};", f"{kind} v = *p; return {check};")
        self.types += [f"{head};\n" for head in heads] + [f"extern {kind} {name}[4];\n"]
        self.definitions.append(f"{kind} {name}[4];\n")
        self.definitions += [f"{head} {{ {body} }}\n" for head, body in zip(heads, bodies)]

    def integer(self, kind):
        make = {"_Bool": "next(s) & 1", "enum colour": "next(s) & 1 ? BLUE : GREEN"}.get(kind, f"({kind})next(s)")
        if "128" in kind:
            make = f"({kind})next(s) << 70 ^ ({kind})next(s)"
        check = "mix(mix(h, (u64)v), (u64)(v >> 64))" if "128" in kind else "mix(h, (u64)(long)v)"
        self.helpers(kind, make, check)

    def vector(self, name, base, size):
        self.types.append(f"typedef {base} {name} __attribute__((vector_size({size})));\n")
        self.sizes[name] = size
        count = size // {"int": 4, "float": 4, "double": 8, "char": 1, "short": 2, "long": 8}[base]
        value = "fraction(s)" if base in FLOATS else "next(s)"
        mixed = "mix_double(h, (double)(*p)[i])" if base in FLOATS else "mix(h, (u64)(long)(*p)[i])"
        loop = f"for (int i = 0; i < {count}; i++)"
        self.helpers(name, None, f"{loop} h = {mixed};", fill=f"{loop} (*p)[i] = ({base}){value};")

    def field(self, room):
        """A type and a number of elements (0: no array) of at most `room` bytes."""
        kinds = [k for k in INTEGERS + FLOATS + COMPLEX + ["char *"] * 2 + list(VECTORS) + self.structs
                 if self.sizes.get(k, 8) <= room]
        kind = self.rng.choice([k for k in kinds if k in INTEGERS + FLOATS] * 3 + kinds)
        count = array_size(self.rng) if self.rng.random() < 0.25 else 0
        return (kind, count) if max(count, 1) * self.sizes.get(kind, 8) <= room else (kind, 0)

    def structure(self):
        rng, name = self.rng, f"struct s{len(self.structs)}"
        room = rng.choice([1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 16, 17, 20, 24, 24, 32, 40, 48, 64])
        fields, union = [], False
        size = rng.randint(1, room)
        used = 0
        if rng.random() < 0.12:
            name, union = name.replace("struct", "union"), True
        homogeneous = rng.choice(["float", "double", "v4f"]) if rng.random() < 0.15 else None
        while used < size and len(fields) < 9:
            kind, count = (homogeneous, 0) if homogeneous else self.field(max(room - used, 1))
            narrow = kind in INTEGERS[1:11] and not count and rng.random() < 0.15
            bits = rng.randint(1, 8 * self.sizes.get(kind, 8)) if narrow else 0
            fields.append((kind, count, bits))
            used += max(count, 1) * self.sizes.get(kind, 8) if not union else size
            if homogeneous and len(fields) == rng.randint(1, 4):
                break
        packed = rng.random() < 0.1 and not union
        aligned = rng.choice([16, 32]) if rng.random() < 0.08 else 0
        text = f"{name} {{ "
        make, check = "memset(p, 0, sizeof *p); ", ""
        for i, (kind, count, bits) in enumerate(fields):
            t = self.names[kind]
            text += f"{kind} f{i}{f'[{count}]' if count else ''}{f' : {bits}' if bits else ''}; "
            if union and i:
                continue
            loop = f"for (int i = 0; i < {count}; i++) " if count else ""
            at = "[i]" if count else ""
            make += f"{loop}{{ {kind} v; make_{t}(&v, s); p->f{i}{at} = v; }} "
            check += f"{loop}{{ {kind} v = p->f{i}{at}; h = check_{t}(h, &v); }} "
        attributes = [a for a in ["packed" if packed else "", f"aligned({aligned})" if aligned else ""] if a]
        text += "}" + (f" __attribute__(({', '.join(attributes)}))" if attributes else "") + ";\n"
        self.types.append(text)
        self.sizes[name] = 16 * (used // 16 + 1)  # at most, more or less
        self.structs.append(name)
        if any(kind in self.wide for kind, _, _ in fields):
            self.wide.add(name)
        self.helpers(name, None, check, fill=make)

    # -- functions

    def parameter(self):
        return self.rng.choice([lambda: self.rng.choice(INTEGERS), lambda: self.rng.choice(FLOATS + COMPLEX),
                                lambda: self.rng.choice(list(VECTORS)), lambda: "char *"]
                               + [lambda: self.rng.choice(self.structs)] * 4)()

    def rest_parameter(self):
        return self.rng.choice([self.rng.choice(PROMOTED), self.rng.choice(self.structs),
                                self.rng.choice(["v4f", "v2d", "v2l"] + COMPLEX[1:])])

    def function(self, number):
        rng, home = self.rng, number % 2
        parameters = [self.parameter() for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 8]))]
        if rng.random() < 0.2:  # arguments on the stack
            parameters = [rng.choice(INTEGERS[:12])] * rng.randint(5, 8) + parameters
        rest = [self.rest_parameter() for _ in range(rng.randint(1, 6))] if parameters and rng.random() < 0.2 else []
        if rest:  # clang does not find what follows an __int128 that the registers have no room for
            parameters = [k for k in parameters if k not in self.wide]
            rest = [k for k in rest[:-1] if k not in self.wide] + rest[-1:]
        result = rng.choice(["void", self.parameter(), self.parameter(), self.parameter()])
        if rest and (parameters or [""])[-1] not in ("int", "long", "double", "char *"):
            parameters.append("int")
        linkage = rng.choice(["", "", "static ", "__attribute__((weak)) ", "__attribute__((visibility(\"hidden\"))) "])
        self.callee(number, home, linkage, result, parameters, rest)
        self.caller(number, home, linkage, result, parameters, rest)

    def signature(self, number, result, parameters, rest):
        named = ", ".join(f"{k} a{i}" for i, k in enumerate(parameters)) + (", ..." if rest else "")
        return f"{result} f{number}({named or 'void'})"

    def callee(self, number, home, linkage, result, parameters, rest):
        head = linkage + self.signature(number, result, parameters, rest)
        out = [f"{head}\n{{\n    u64 h = {number};\n"]
        out += [f"    h = check_{self.names[k]}(h, &a{i});\n" for i, k in enumerate(parameters)]
        if rest:
            out.append(f"    va_list list;\n    va_start(list, a{len(parameters) - 1});\n")
            out += [f"    {{ {k} v = va_arg(list, {k}); h = check_{self.names[k]}(h, &v); }}\n" for k in rest]
            out.append("    va_end(list);\n")
        if self.rng.random() < 0.5:  # arguments are the callee's own
            out += [f"    memset(&a{i}, 0, sizeof a{i});\n" for i, k in enumerate(parameters) if k in self.structs]
        out.append("    seen = mix(seen, h);\n")
        if result != "void":
            taint = f"    r ^= ({result})zero;\n" if result in TAINTED else ""
            out.append(f"    {result} r;\n    h = {self.rng.getrandbits(32)};\n")
            out.append(f"    make_{self.names[result]}(&r, &h);\n{taint}    return r;\n")
        self.files[home].append("".join(out) + "}\n")
        pointer = f"{result} (*p{number})({', '.join(parameters + ['...'] * bool(rest)) or 'void'})"
        self.files[home].append(f"{pointer} = f{number};\n")
        self.files[1 - home].append(f"extern {pointer};\n")
        if "static" not in linkage:
            self.files[1 - home].append(f"extern {self.signature(number, result, parameters, rest)};\n")

    def caller(self, number, home, linkage, result, parameters, rest):
        target, where = self.rng.choice([(f"f{number}", home), (f"p{number}", home), (f"p{number}", 1 - home)]
                                        + [(f"f{number}", 1 - home)] * ("static" not in linkage))
        arguments = ", ".join(f"{self.names[kind]}[{self.rng.randrange(4)}]" for kind in parameters + rest)
        call = f"{target}({arguments});"
        if result != "void":
            call = f"{result} r = {call} seen = check_{self.names[result]}(seen, &r);"
        self.files[where].append(f"void call{number}(void);\nvoid call{number}(void) {{ {call} }}\n")

    def totals(self):
        """Fill the values that callers pass, and check at the end that they are as they were."""
        loop = "    for (int i = 0; i < 4; i++) "
        out = ["void fill(void)\n{\n    u64 s = 1;\n"]
        for kind, t in self.names.items():
            taint = f"    {t}[1] ^= ({kind})zero;\n" if kind in TAINTED else ""
            out.append(f"{loop}make_{t}(&{t}[i], &s);\n{taint}")
        out.append("}\nu64 check_all(void)\n{\n    u64 h = 0;\n")
        out += [f"{loop}h = check_{t}(h, &{t}[i]);\n" for t in self.names.values()]
        return "".join(out) + "    return h;\n}\n"

    def write(self, directory):
        def put(name, text):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        put("types.h", "".join(self.types))
        put("a.c", "".join(self.files[0]))
        put("b.c", "".join(self.files[1]))
        put("values.c", "".join(self.definitions) + self.totals())
        names = [f"call{number}" for number in range(self.functions)]
        put("main.c", MAIN.replace("DECLARED", "".join(f"void {n}(void);\n" for n in names))
            .replace("CALLERS", ",\n    ".join(names)))
        put("input.c", INPUT)
        put("none.c", "unsigned char zero;\n")


MAIN = """#include <stdio.h>
#include <stdlib.h>
typedef unsigned long u64;
void fill(void);
u64 check_all(void);
DECLARED
u64 seen;
#ifdef INSTRUMENTED
int differs(unsigned call, u64 sum); /* not instrumented: no decision on the input */
void prepare(void);
#endif
static void (*const callers[])(void) = {
    CALLERS
};
enum { COUNT = sizeof callers / sizeof *callers };
static void report(unsigned call, u64 sum)
{
#ifdef INSTRUMENTED
    if (differs(call, sum)) {
        printf("function f%u\\n", call);
        exit(1);
    }
#else
    (void)call;
    printf("%luu,\\n", sum);
#endif
}
int main(void)
{
#ifdef WITH_INPUT
    prepare();
#endif
    fill();
    for (unsigned i = 0; i < COUNT; i++) {
        seen = i;
        callers[i]();
        report(i, seen);
    }
    report(COUNT, check_all());
    return 0;
}
"""

EXPECTED = """static const unsigned long expected[] = {
SUMS};
int differs(unsigned call, unsigned long sum);
int differs(unsigned call, unsigned long sum) { return sum != expected[call]; }
"""

INPUT = """#include <sennit/sennit.h>
unsigned char zero;
void prepare(void);
void prepare(void)
{
    zero = (unsigned char)sennit_uint("zero");
    sennit_assume(zero == 0);
}
"""


def run(command, directory):
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, timeout=300)


def must(command, directory):
    result = run(command, directory)
    if result.returncode != 0:
        said = result.stdout[-3000:] + result.stderr[-3000:]
        raise SystemExit(f"{' '.join(command)}: exit {result.returncode}\n{said}")
    return result.stdout


def plain(compiler, directory):
    must([compiler, "-w", "-O0", "a.c", "b.c", "values.c", "main.c", "none.c", "-o", "plain", "-lm"], directory)
    return must(["./plain"], directory)


def instrumented(sennit, directory, level):
    """Both programs of one level; answers what went wrong."""
    cc, wrong = [sennit, "cc", "-w", "-g0", level, "-c"], []
    for source in ("a.c", "b.c", "values.c", "none.c", "input.c"):
        must(cc + [source], directory)
    for main, flags, last in (("bare.o", [], "none.o"), ("full.o", ["-DWITH_INPUT"], "input.o")):
        must(cc + ["-DINSTRUMENTED"] + flags + ["main.c", "-o", main], directory)
        for second in ("b.o", "foreign.o"):
            must([sennit, "cc", "a.o", second, "values.o", "expected.o", main, last, "-o", "program", "-lm"], directory)
            result = run([sennit, "explore", "--quiet", "--json", "-o", f"run{level}-{main}-{second}", "./program"],
                         directory)
            answer = json.loads(result.stdout) if result.stdout.startswith("{") else {}
            if result.returncode != 0 or answer.get("executions") != 1:
                wrong.append(f"{level} {second} {last}: exit {result.returncode}\n"
                             f"{result.stdout[:2500]}{result.stderr[-1500:]}")
    return wrong


def main():
    keep = sys.argv[2] if sys.argv[1] == "--keep" else None
    sennit, clang, first, count, functions, *levels = sys.argv[3 if keep else 1:]
    sennit, different = os.path.abspath(sennit), 0
    gcc = shutil.which("gcc")
    for seed in range(int(first), int(first) + int(count)):
        with tempfile.TemporaryDirectory() as scratch:
            directory = keep or scratch
            os.makedirs(directory, exist_ok=True)
            Program(seed, int(functions)).write(directory)
            sums = plain(clang, directory)
            wrong = [] if not gcc or plain(gcc, directory) == sums else ["gcc and clang differ"]
            with open(os.path.join(directory, "expected.c"), "w", encoding="utf-8") as file:
                file.write(EXPECTED.replace("SUMS", sums))
            must([clang, "-O1", "-c", "expected.c"], directory)
            must([clang, "-w", "-O1", "-fno-pie", "-c", "b.c", "-o", "foreign.o"], directory)
            for level in levels:
                wrong += instrumented(sennit, directory, level)
            for text in wrong:
                print(f"program {seed}: {text}")
            different += bool(wrong)
    print(f"{count} programs of {functions} functions, {different} different")
    return 1 if different else 0


sys.exit(main())
