"""Sequential C programs with inputs over small domains, many in one file.

Each condition of a program is wrapped in TV(number, condition), each case of a switch begins with TR(number): a plain
compiler's program notes them, so that a path is the sequence of what was noted. Whatever can fail is on a line of its
own that begins with AT, which notes the line. Sums are taken in the end of everything that was computed.
"""
import random, re

# name, bits, is signed
TYPES = [("signed char", 8, 1), ("unsigned char", 8, 0), ("short", 16, 1), ("unsigned short", 16, 0), ("int", 32, 1),
         ("unsigned", 32, 0), ("long", 64, 1), ("unsigned long", 64, 0), ("__int128", 128, 1),
         ("unsigned __int128", 128, 0), ("_Bool", 1, 0)]
INTEGERS = TYPES[:8]
ASKS = {"signed char": "char", "unsigned char": "uchar", "short": "short", "unsigned short": "ushort", "int": "int",
        "unsigned": "uint", "long": "long", "unsigned long": "ulong", "_Bool": "bool"}

HEAD = r"""
#include <sennit/sennit.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef NATIVE
extern int at; int noted(int number, int holds); void told(unsigned sum); extern int given[8], used;
#define AT (at = __LINE__)
#define TV(n, c) noted(n, (at = __LINE__, (c)) ? 1 : 0)
#define TR(n) noted(n, 0)
#define INPUT(type, ask, name) ((type)given[used++])
#define END(sum, flat, table) told(sum)
#undef sennit_assert
#define sennit_assert(c) ((c) ? (void)0 : failed())
void failed(void);
#define sennit_assume(c) ((void)0)
#else
#define AT ((void)0)
#define TV(n, c) (c)
#define TR(n) ((void)0)
#define INPUT(type, ask, name) sennit_##ask(name)
#ifdef SUMS
#include "sums.h"
#define END(sum, flat, table) sennit_assert((sum) == table[flat])
#else
#define END(sum, flat, table) (void)(sum)
#endif
#endif
struct S { signed a : 5; unsigned b : 3; unsigned long c : 40; short d; unsigned char e[5]; int f; };
struct __attribute__((packed)) P { char a; int b; short c; long d; };
union U { unsigned w; unsigned short h[2]; unsigned char b[4]; int i; struct { int lo : 7; unsigned mid : 11; int hi : 14; } f; };
static inline unsigned mix(unsigned sum, unsigned long value)
{
    unsigned v = (unsigned)value ^ (unsigned)(value >> 32);
    return (sum << 5 | sum >> 27) ^ v;
}
static unsigned mix_bytes(unsigned sum, const void *p, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        sum = mix(sum, ((const unsigned char *)p)[i]);
    return sum;
}
static int add_all(int count, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum ^= i & 1 ? (int)va_arg(list, long) : va_arg(list, int);
    va_end(list);
    return sum;
}
"""


class Program:
    """One program. `pure`: nothing in it is decided but its conditions, so paths are counted exactly."""

    def __init__(self, number, seed, options):
        self.random = random.Random(seed)
        self.number, self.options = number, options
        self.pure = self.random.random() < 0.6
        self.lines, self.depth, self.marks = [], 1, 0
        self.names = 0
        self.inputs = []       # (type, low, high)
        self.functions = []    # (name, [types], result)
        self.scalars = []      # (name, type, is lvalue)
        self.arrays = []       # (name, type, size)
        self.pointers = []
        self.fixed = []        # names of the inputs, which keep their values
        self.in_loop = 0
        self.budget = self.random.randint(4, 12)

    # ---- Text --------------------------------------------------------------------------------

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def mark(self):
        self.marks += 1
        return self.marks

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, p):
        return self.random.random() < p

    # ---- Expressions ----------------------------------------------------------------------------

    def constant(self):
        return self.pick([str(self.random.randint(-3, 9)), str(self.random.choice([1, 2, 7, 16, 100, 127, 128, 255, 256, 1000])),
                          "0x7fffffff", "-1", "0u", "3ul", "(-2147483647 - 1)" if self.chance(0.2) else "5"])

    def leaf(self):
        kind = self.random.random()
        if kind < 0.12 or not self.scalars:
            return self.constant()
        if kind < 0.4 and self.fixed:
            return self.pick(self.fixed)
        if kind < 0.5 and self.arrays:
            return self.element(True)
        if kind < 0.56:
            return self.pick(["s.a", "s.b", "(long)s.c", "s.d", "s.f", "u.w", "u.h[1]", "u.b[2]", "u.f.lo", "u.f.mid", "u.f.hi",
                              "p.a", "p.b", "p.c", "p.d"])
        return self.pick(self.scalars)[0]

    def element(self, safe):
        name, _, size = self.pick(self.arrays)
        return f"{name}[{self.index(size, safe)}]"

    def index(self, size, safe, below=True):
        """An index that is inside, or nearly so."""
        e = self.simple()
        if safe:
            return f"(unsigned)({e}) % {size}"
        low = self.random.choice([0, 0, 1]) if below else 0
        return f"(int)((unsigned)({e}) % {size + 1 + low}) - {low}"

    def simple(self):
        a = self.leaf()
        if self.chance(0.5):
            return a
        return f"({a} {self.pick(['+', '-', '*', '^', '&', '|'])} {self.beside(a, self.leaf())})"

    def beside(self, a, b):
        """Two constants would be computed by the compiler, which does not see an overflow."""
        known = re.compile(r"[-+*^&|() 0-9a-fxul]*")
        return self.pick(self.lvalues())[0] if known.fullmatch(a) and known.fullmatch(b) else b

    def cast(self, e):
        return f"({self.pick(TYPES)[0]})({e})" if self.chance(0.35) else e

    def expression(self, depth=2):
        if depth == 0 or self.chance(0.2):
            return self.leaf()
        kind = self.random.random()
        a = self.expression(depth - 1)
        if kind < 0.5:
            op = self.pick(["+", "-", "*", "^", "&", "|", "+", "-"])
            return self.cast(f"({a} {op} {self.beside(a, self.expression(depth - 1))})")
        if kind < 0.6:
            return self.cast(f"((long)({a}) {self.pick(['<<', '>>'])} (({self.leaf()}) & {self.pick([7, 31, 63])}))")
        if kind < 0.65:
            return f"({self.pick(['unsigned', 'unsigned char', 'unsigned long'])})({a}) {self.pick(['<<', '>>'])} (({self.leaf()}) & 7)"
        if kind < 0.72:
            return f"({self.pick(['-', '~', '!'])}({a}))"
        if kind < 0.8:
            return f"({self.relation(a, self.leaf())})"
        if kind < 0.86 and self.options["branches"]:
            # Neither side is a constant: then nothing would branch.
            return f"(TV({self.mark()}, {self.condition(0)}) ? {a} + {self.pick(self.lvalues())[0]} : {self.pick(self.lvalues())[0]} - 1)"
        if kind < 0.9:
            return f"({self.pick(['', '(int)', '(unsigned char)', '(__int128)', '(unsigned long)'])}({a}) {self.pick('/%')} {self.pick([1, 2, 3, 7, '10u', 16, '255ul'])})"
        if kind < 0.93 and self.options["branches"]:
            # Whether the second one holds is a value: nothing branches on it.
            return f"(TV({self.mark()}, {self.condition(0)}) {self.pick(['&&', '||'])} ({self.condition(0)}))"
        return self.cast(a)

    def relation(self, a, b):
        if self.chance(0.4):
            a, b = f"({a}) % {self.random.randint(2, 5)}", self.random.randint(-1, 3)
        return f"{a} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {b}"

    def condition(self, depth=1):
        return self.relation(self.expression(depth), self.leaf() if self.chance(0.6) else self.expression(depth))

    # ---- Statements --------------------------------------------------------------------------------

    def block(self, count):
        self.depth += 1
        kept = len(self.scalars), len(self.arrays), len(self.pointers)
        for _ in range(count):
            self.statement()
        self.keep(kept[0], kept[1])
        del self.scalars[kept[0]:], self.arrays[kept[1]:], self.pointers[kept[2]:]
        self.depth -= 1

    def keep(self, scalars, arrays):
        """What was computed in a block must make a difference."""
        for name, kind, changes in self.scalars[scalars:]:
            if changes:
                self.put(f"g0 = mix(g0, (unsigned long){name});")
        for name, _, _ in self.arrays[arrays:]:
            self.put(f"g0 = mix_bytes(g0, {name}, sizeof {name});")

    def statement(self):
        if self.budget <= 0:
            self.assign()
            return
        self.budget -= 1
        kinds = [(8, self.assign), (3, self.compound), (3, self.store), (4, self.declare), (6, self.choose), (2, self.loop),
                 (2, self.cases), (2, self.field), (2, self.point), (1, self.divide), (1, self.outside), (1, self.claim),
                 (2, self.call), (1, self.copy_struct), (1, self.heap), (1, self.jump), (1, self.unaligned), (1, self.addresses),
                 (1, self.builtin)]
        if not self.pure:
            kinds += [(3, self.memory), (2, self.text), (1, self.variable), (1, self.through), (1, self.table), (1, self.recurse),
                      (1, self.sized), (1, self.local_size)]
        self.random.choices([k for _, k in kinds], [w for w, _ in kinds])[0]()

    def lvalues(self):
        return [s for s in self.scalars if s[2]]

    def assign(self):
        self.put(f"AT; {self.pick(self.lvalues())[0]} = {self.cast(self.expression())};")

    def compound(self):
        op = self.pick(["+=", "-=", "*=", "^=", "&=", "|=", "++", "--", "<<=", ">>=", "/=", "%="])
        name, kind, _ = self.pick([v for v in self.lvalues()])
        if op in ("++", "--"):
            if kind[0] != "_Bool":
                self.put(f"AT; {name}{op};")
        elif op in ("<<=", ">>="):
            self.put(f"AT; {name} {op} ({self.leaf()}) & {min(7, max(kind[1] - 1, 0))};")
        elif op in ("/=", "%="):
            self.put(f"AT; {name} {op} {self.pick([2, 3, 5, '9u'])};")
        else:
            self.put(f"AT; {name} {op} {self.expression(1)};")

    def store(self):
        if self.arrays:
            self.put(f"AT; {self.element(True)} {self.pick(['=', '=', '+=', '^='])} {self.expression(1)};")

    def declare(self):
        if self.chance(0.5):
            kind = self.pick(TYPES)
            name = self.fresh("v")
            self.put(f"AT; {kind[0]} {name} = {self.expression()};")
            self.scalars.append((name, kind, True))
            return
        kind, name, size = self.pick(INTEGERS + TYPES[8:10]), self.fresh("a"), self.random.randint(2, 6)
        values = ", ".join(self.leaf() for _ in range(size))
        self.put(f"AT; {kind[0]} {name}[{size}] = {{" + ", ".join(f"({kind[0]})({v})" for v in values.split(", ")) + "};")
        if self.chance(0.4):
            self.put(f"escape = {name};")
        self.arrays.append((name, kind, size))

    def choose(self):
        c = f"TV({self.mark()}, {self.condition()})"
        if self.chance(0.3):
            c += f" {self.pick(['&&', '||'])} TV({self.mark()}, {self.condition(0)})"
        self.put(f"AT; if ({c}) {{")
        self.block(self.random.randint(1, 2))
        if self.chance(0.5):
            self.put("} else {")
            self.block(self.random.randint(1, 2))
        self.put("}")

    def loop(self):
        i = self.fresh("i")
        kind = self.pick(["const", "symbolic", "while"])
        if self.in_loop:
            return
        self.in_loop += 1
        if kind == "const":
            self.put(f"for (int {i} = 0; {i} < {self.random.randint(1, 3)}; {i}++) {{")
        elif kind == "symbolic":
            self.put(f"for (unsigned {i} = 0; TV({self.mark()}, {i} < (unsigned char)({self.simple()}) % 4); {i}++) {{")
        else:
            self.put(f"AT; int {i} = (int)((unsigned)({self.simple()}) % 4); while (TV({self.mark()}, {i} > 0)) {{ {i}--;")
        self.scalars.append((i, ("int", 32, 1), False))
        self.block(self.random.randint(1, 2))
        self.scalars.pop()
        if self.chance(0.2):
            self.put(f"    AT; if (TV({self.mark()}, {self.condition(0)})) {self.pick(['break', 'continue'])};")
        self.put("}")
        self.in_loop -= 1

    def cases(self):
        e = self.pick([f"({self.expression(1)}) & 3", f"(unsigned char)({self.simple()})", f"(long)({self.simple()})",
                       f"(__int128)({self.simple()}) << 62", f"(short)({self.simple()})"])
        self.put(f"AT; switch ({e}) {{")
        for value in self.random.sample([0, 1, 2, 3, 4, 7, -1], self.random.randint(1, 4)):
            label = f"(__int128){value} << 62" if "62" in e else str(value)
            self.put(f"case {label}: TR({self.mark()});")
            self.block(1)
            if self.chance(0.7):
                self.put("    break;")
        if self.chance(0.7):
            self.put(f"default: TR({self.mark()});")
            self.block(1)
        self.put("}")

    def field(self):
        target = self.pick(["s.a", "s.b", "s.c", "s.d", "s.f", "u.w", "u.i", "u.f.lo", "u.f.mid", "u.f.hi", "p.a", "p.b", "p.c", "p.d",
                            f"u.h[{self.index(2, True)}]", f"u.b[{self.index(4, True)}]", f"s.e[{self.index(5, True)}]"])
        self.put(f"AT; {target} {self.pick(['=', '+=', '^='])} {self.expression(1)};")

    def point(self):
        if not self.arrays:
            return
        name, kind, size = self.pick(self.arrays)
        q = self.fresh("q")
        self.put("{")
        if self.chance(0.3):
            self.put(f"    AT; {kind[0]} *{q} = {name} + {size} - ({self.index(size, True)}) - 1;")
        else:
            self.put(f"    AT; {kind[0]} *{q} = &{name}[{self.index(size, True)}];")
        self.put(f"    AT; *{q} {self.pick(['=', '+='])} {self.expression(1)};")
        if self.chance(0.5):
            self.put(f"    AT; {self.pick(self.lvalues())[0]} = *{q};")
        if self.chance(0.4):
            self.put(f"    AT; {self.pick(self.lvalues())[0]} = {q} - {name} + ({q} > {name} + 1);")
        if self.chance(0.3):
            self.put(f"    AT; if (TV({self.mark()}, {q} < {name} + {size} - 1)) {{ AT; {q}[1] = *{q}; }}")
        self.put("}")

    def divide(self):
        kind = self.pick(["int", "unsigned", "long", "short", "unsigned __int128", "unsigned char", "__int128"])
        self.put(f"AT; {self.pick(self.lvalues())[0]} = ({kind})({self.expression(1)}) {self.pick('/%')} ({kind})({self.expression(1)});")

    def outside(self):
        if not self.arrays:
            return
        name, _, size = self.pick(self.arrays)
        # The sanitizer sees nothing in front of a global.
        at = f"{name}[{self.index(size, False, not name.startswith('gb'))}]"
        if self.chance(0.5):
            self.put(f"AT; {self.pick(self.lvalues())[0]} = {at};")
        else:
            self.put(f"AT; {at} = {self.leaf()};")

    def claim(self):
        self.put(f"AT; sennit_assert(TV({self.mark()}, {self.condition()}));")

    def call(self):
        if not self.functions:
            return
        name, count = self.pick(self.functions)
        args = ", ".join(self.expression(1) for _ in range(count))
        self.put(f"AT; {self.pick(self.lvalues())[0]} = {name}({args});")

    def copy_struct(self):
        self.put("{ AT; struct S t = s; " + f"t.e[{self.index(5, True)}] ^= {self.leaf()}; t.b++; s = t; }}")

    def heap(self):
        kind, size = self.pick(INTEGERS), self.random.randint(2, 4)
        h = self.fresh("h")
        self.put("{")
        self.put(f"    {kind[0]} *{h} = {self.pick(['malloc', 'calloc'])}({size} * sizeof *{h});".replace("calloc(", "calloc(1, "))
        self.put(f"    for (int k = 0; k < {size}; k++) {h}[k] = ({kind[0]})k;")
        self.put(f"    AT; {h}[{self.index(size, self.chance(0.7))}] = {self.leaf()};")
        self.put(f"    AT; {self.pick(self.lvalues())[0]} = {h}[{self.index(size, self.chance(0.7))}];")
        self.put(f"    free({h});")
        self.put("}")

    def jump(self):
        if self.in_loop:
            return
        label = self.fresh("out")
        self.put("{")
        self.put(f"    AT; if (TV({self.mark()}, {self.condition(0)})) goto {label};")
        self.block(1)
        self.put(f"    {label}:;")
        self.put("}")

    def unaligned(self):
        """Places that overlap."""
        kind = self.pick(["short", "int", "long", "unsigned"])
        size = {"short": 2, "int": 4, "long": 8, "unsigned": 4}[kind]
        b = self.fresh("b")
        self.put("{")
        self.put(f"    unsigned char {b}[12] = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};")
        self.put(f"    typedef {kind} __attribute__((aligned(1), may_alias)) {b}t;")
        self.put(f"    AT; *({b}t *)({b} + {self.index(12 - size + 1, True)}) {self.pick(['=', '+='])} {self.leaf()};")
        if self.chance(0.5):
            self.put(f"    AT; *({b}t *)({b} + {self.index(12 - size + 1, True)}) = {self.leaf()};")
        self.put(f"    AT; {self.pick(self.lvalues())[0]} = *({b}t *)({b} + {self.index(12 - size + 1, True)});")
        self.put(f"    g0 ^= {b}[{self.random.randrange(12)}];")
        self.put("}")

    def addresses(self):
        """Addresses as numbers."""
        name, kind, size = self.pick(self.arrays)
        n = self.fresh("n")
        self.put("{")
        self.put(f"    AT; uintptr_t {n} = (uintptr_t){name} + ({self.index(size, True)}) * sizeof *{name};")
        self.put(f"    AT; {self.pick(self.lvalues())[0]} = *({kind[0]} *){n};")
        self.put(f"    AT; *({kind[0]} *){n} = {self.leaf()};")
        self.put("}")

    def builtin(self):
        a = self.leaf()
        self.put("AT; " + f"{self.pick(self.lvalues())[0]} = " + self.pick([
            f"__builtin_popcount({a})", f"__builtin_bswap32({a})", f"__builtin_clz(({a}) | 1)", f"__builtin_ctzl(({a}) | 64)",
            f"__builtin_parity({a})", f"__builtin_bswap16({a})", f"__builtin_ffs({a})", f"__builtin_rotateleft32({a}, {self.leaf()})",
            f"__builtin_bitreverse8({a})", f"abs((short)({a}))", f"__builtin_expect({a}, 1)",
            f"__builtin_uadd_overflow({a}, {self.leaf()}, &gu)", f"__builtin_smul_overflow({a}, {self.leaf()}, &gi)",
            f"__builtin_ssubl_overflow({a}, {self.leaf()}, &gl)",
            f"__builtin_add_overflow((short)({a}), {self.leaf()}, &gc)"]) + ";")

    # ---- Statements that are decided in ways of their own --------------------------------------------

    def memory(self):
        name, kind, size = self.pick(self.arrays)
        other, _, room = self.pick([a for a in self.arrays])
        v = self.pick(self.lvalues())[0]
        self.put("AT; " + self.pick([
            f"memset({name}, {self.leaf()}, {self.random.randint(1, size)});",
            f"memmove({name}, {name} + {size // 2}, {size - size // 2} * sizeof *{name});",
            f"memmove({name} + {self.index(2, True)}, {name}, {size - 1} * sizeof *{name});",
            f"memset((char *){name} + ({self.index(2, True)}), 7, {size} - 1);",
            f"{v} = memcmp({name}, {other}, {min(size, room)}) < 0;",
            f"{v} = memcmp(&{name}[{self.index(size, True)}], &{other}[{self.index(room, True)}], 1) == 0;",
            f"{v} = memchr({name}, {self.leaf()}, {size}) != 0;",
            f"memcpy(&{name}[{self.index(size, True)}], &{other}[{self.index(room, True)}], 1);",
            f"memcpy({name}, &{name}[{self.index(size, True)}], sizeof *{name});" if size < 2 else f"memcpy(&{v}, {name}, 1);",
            f"memset({name}, 1, ({self.index(size, True)}));",
            f"memmove({name}, &{other}[0], ({self.index(min(size, room), True)}));",
            f"s = (struct S){{.a = {self.leaf()}, .c = {self.leaf()}}};"]))

    def text(self):
        t, v = self.fresh("t"), self.pick(self.lvalues())[0]
        self.put("{")
        self.put(f"    char {t}[6] = \"abcab\";")
        self.put(f"    AT; {t}[{self.index(5, True)}] = (char)('a' + ({self.index(3, True)}));")
        self.put("    AT; " + self.pick([f"{v} = (int)strlen({t} + ({self.index(5, True)}));", f"{v} = strcmp({t}, \"abbab\") < 0;",
                                     f"{v} = strchr({t}, 'a' + ({self.index(4, True)})) != 0;", f"{v} = strncmp({t}, \"abd\", 3) > 0;",
                                     f"{v} = strrchr({t}, 'b') - {t};", f"{v} = strstr({t}, \"ca\") == 0;", f"{v} = (int)strspn({t}, \"ab\");",
                                     f"{v} = atoi({t}) + (int)strtol({t} + 1, 0, 16);", f"strcpy(text, {t});", f"strncpy(text, {t}, 4); {v} = text[3];"]))
        self.put("}")

    def variable(self):
        self.put(f"AT; {self.pick(self.lvalues())[0]} = add_all(3, (int)({self.leaf()}), (long)({self.leaf()}), (int)({self.expression(1)}));")

    def through(self):
        two = [f for f in self.functions if f[1] == 1]
        if len(two) < 2:
            return
        names = ", ".join(f[0] for f in two)
        f = self.fresh("f")
        self.put("{")
        self.put(f"    long (*{f}[])(long) = {{{names}}};")
        self.put(f"    AT; {self.pick(self.lvalues())[0]} = {f}[{self.index(len(two), self.chance(0.8))}]({self.leaf()});" if self.chance(1) else "")
        self.put("}")

    def table(self):
        name, kind, size = self.pick(self.arrays)
        t = self.fresh("t")
        self.put("{")
        self.put(f"    {kind[0]} *{t}[3] = {{{name}, {name} + 1, {name} + {size - 1}}};")
        self.put(f"    AT; *{t}[{self.index(3, True)}] = {self.leaf()};")
        self.put(f"    AT; {self.pick(self.lvalues())[0]} = *{t}[{self.index(3, True)}];")
        self.put("}")

    def recurse(self):
        self.put(f"AT; {self.pick(self.lvalues())[0]} = down{self.number}({self.index(4, True)}, {self.leaf()});")

    def sized(self):
        h = self.fresh("h")
        self.put("{")
        self.put(f"    AT; unsigned long n{h} = 1 + ({self.index(4, True)});")
        self.put(f"    unsigned char *{h} = malloc(n{h});")
        self.put(f"    memset({h}, 3, n{h});")
        if self.chance(0.3):
            self.put(f"    {h} = realloc({h}, n{h} + 1); {h}[n{h}] = 9; n{h}++;")
        self.put(f"    AT; {self.pick(self.lvalues())[0]} = {h}[{self.index(4, True)}];")
        self.put(f"    AT; {h}[{self.index(3, True)}] = {self.leaf()};")
        self.put(f"    AT; g0 += {h}[n{h} - 1];")
        self.put(f"    free({h});")
        self.put("}")

    def local_size(self):
        h = self.fresh("h")
        self.put("{")
        self.put(f"    AT; int n{h} = 2 + ({self.index(3, True)});")
        self.put(f"    short {h}[n{h}];")
        self.put(f"    for (int k = 0; TV({self.mark()}, k < n{h}); k++) {h}[k] = (short)(k * 3);")
        self.put(f"    AT; {h}[{self.index(2, True)}] = {self.leaf()};")
        self.put(f"    AT; g0 += {h}[n{h} - 1];")
        self.put("}")

    # ---- The program ---------------------------------------------------------------------------------

    def function(self, count):
        name = f"f{self.number}_{len(self.functions)}"
        self.lines.append(f"static long {name}(" + ", ".join(f"long x{i}" for i in range(count)) + ")\n{")
        kept = self.scalars, self.arrays
        self.scalars = self.scalars + [(f"x{i}", ("long", 64, 1), True) for i in range(count)]
        self.arrays = list(self.arrays)
        budget, self.budget = self.budget, 3
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.budget = budget
        self.put(f"AT; return {self.expression()};")
        self.scalars, self.arrays = kept
        self.lines.append("}\n")
        self.functions.append((name, count))

    def ask(self):
        space = 1
        for i in range(self.random.randint(1, 3)):
            kind = self.pick(list(ASKS))
            signed = next(t for t in TYPES if t[0] == kind)[2]
            size = 2 if kind == "_Bool" else self.random.randint(2, 6)
            if space * size > 80:
                break
            space *= size
            low = 0 if kind == "_Bool" else self.random.choice([0, 0, 1, 100] + ([-2, -1] if signed else []))
            self.inputs.append((kind, low, size))

    def write(self):
        n = self.number
        self.ask()
        kind1, kinda, sizea = self.pick(TYPES), self.pick(INTEGERS), self.random.randint(3, 6)
        kindb, sizeb = self.pick(INTEGERS), self.random.randint(3, 6)
        self.lines.append(f"static struct {{ struct S s; union U u; struct P p; unsigned g0; {kind1[0]} g1; unsigned gu; int gi; long gl; char gc; char text[8];"
                          f" {kinda[0]} ga[{sizea}]; void *escape; }} z{n};")
        self.lines.append(f"static {kindb[0]} gb{n}[{sizeb}] = {{1, 2, 3}};")
        self.lines.append(f"#define g0 z{n}.g0\n#define g1 z{n}.g1\n#define ga z{n}.ga\n#define s z{n}.s\n#define u z{n}.u\n#define p z{n}.p\n"
                          f"#define gu z{n}.gu\n#define gi z{n}.gi\n#define gl z{n}.gl\n#define gc z{n}.gc\n#define text z{n}.text\n#define escape z{n}.escape\n"
                          f"#define gb gb{n}")
        self.scalars = [("g0", ("unsigned", 32, 0), True), ("g1", kind1, True)]
        self.arrays = [(f"gb{n}", kindb, sizeb)]
        self.lines.append(f"static long down{n}(unsigned depth, long x)\n{{\n    return TV({self.mark()}, depth == 0) ? x : down{n}(depth - 1, x ^ depth) + 1;\n}}\n")
        for _ in range(self.random.randint(0, 3)):
            self.function(self.pick([1, 1, 2]))
        self.lines.append(f"static void program{n}(void)\n{{")
        flat = "0"
        for i, (kind, low, size) in enumerate(self.inputs):
            self.put(f"{kind} x{i} = INPUT({kind}, {ASKS[kind]}, \"x{i}\");")
            if kind != "_Bool":
                self.put(f"sennit_assume((x{i} >= {low}) & (x{i} < {low + size}));")
            self.put(f"{kind} in{i} = x{i};")
            self.fixed.append(f"in{i}" if low == 0 else f"(in{i} - {low})")
            flat = f"({flat} * {size} + (unsigned)(in{i} - {low}))"
            self.scalars += [(f"x{i}", next(t for t in TYPES if t[0] == kind), True)] * 2
        self.put("AT; s.a = s.b = s.c = s.d = s.e[1] = s.f = in0; " + self.pick(["u.w", "u.i", "u.b[1]"]) + " = " + self.expression(1) + ";")
        self.put(f"AT; p.b = p.d = {self.fixed[-1]} * 3; p.c = -in0; g1 = {self.expression(1)};")
        self.put(f"AT; gb{n}[1] = {self.fixed[0]}; gb{n}[2] += {self.fixed[-1]};")
        kept = len(self.scalars), len(self.arrays)
        for _ in range(self.random.randint(3, 7)):
            self.statement()
        self.keep(*kept)
        self.put(f"unsigned sum = mix(g0, (unsigned long)g1);")
        for e in ["s.a", "s.b", "s.c", "s.d", "s.f", "u.w", "p.a", "p.b", "p.c", "p.d", "gu", "gi", "gl", "gc"]:
            self.put(f"sum = mix(sum, (unsigned long){e});")
        self.put(f"sum = mix_bytes(sum, gb{n}, sizeof gb{n});")
        self.put("sum = mix_bytes(sum, s.e, sizeof s.e); sum = mix_bytes(sum, text, sizeof text);")
        self.put(f"AT; END(sum, {flat}, sums{n});")
        self.lines.append("}\n#undef g0\n#undef g1\n#undef ga\n#undef s\n#undef u\n#undef p\n#undef gu\n#undef gi\n#undef gl\n#undef gc\n#undef text\n#undef escape\n#undef gb\n")
        return "\n".join(self.lines)


def generate(first, count, options):
    programs = [Program(i, first + i, options) for i in range(count)]
    text = HEAD + "\n".join(p.write() for p in programs)
    cases = "\n".join(f"    case {p.number}: program{p.number}(); break;" for p in programs)
    text += f"\nvoid run_program(int number);\nvoid run_program(int number)\n{{\n    switch (number) {{\n{cases}\n    }}\n}}\n"
    text += "#ifndef NATIVE\nint main(int argc, char **argv)\n{\n    (void)argc;\n    run_program(atoi(argv[1]));\n    return 0;\n}\n#endif\n"
    return programs, text
