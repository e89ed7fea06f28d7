#!/usr/bin/env python3
"""Loops that change something and take it back: what Sennit finds against all states of the program.

    retrying.py SENNIT FIRST COUNT [FILE]

The iterations acquire and release locks of the program's own, semaphores, read-write locks and mutexes that others try,
set flags and clear them, give up one lock because another is taken, put back a value they have exchanged. Other threads
may see all of this, and disturb it. See spinning.py."""
import spinning


class Program(spinning.Program):
    """l: a lock of the program's own that protects the plain variable d; p, q: mutexes; s: a semaphore; w: a read-write lock."""
    shown = ["x", "y", "z", "d"]
    first = {**dict.fromkeys(["x", "y", "z", "d", "l", "p", "q", "w"], 0), "s": 1}
    plain = ("static int @d;\nstatic atomic_int @l;\nstatic pthread_mutex_t @p = PTHREAD_MUTEX_INITIALIZER, @q = PTHREAD_MUTEX_INITIALIZER;\n"
             "static pthread_rwlock_t @w = PTHREAD_RWLOCK_INITIALIZER;\nstatic sem_t @s;\n"
             "__attribute__((constructor)) static void @start(void) { sem_init(&@s, 0, 1); }\n")
    length = 2

    @staticmethod
    def is_undecided(run, forever):
        """Threads that stay only because they disturb each other are stopped; and a program may be too large."""
        return run["verdict"] == "incomplete" or forever and [bound["name"] for bound in run["bounds"] if bound["hits"]] == ["revisits"]

    def statements(self):
        return [self.store, self.add, self.see, self.section, self.loop], [4, 1, 1, 3, 5]

    def shapes(self):
        return [self.poll, self.poll, self.back_off, self.flag, self.blink, self.exchange, self.count, self.steal]

    # -- locks: text and instructions that acquire and release them

    def kinds(self):
        return self.random.choice(["l", "l", "p", "s", "w", "weak"])

    def acquire(self, kind):
        lock, p = "l" if kind == "weak" else kind, self.prefix
        free = (lambda v: v > 0) if kind == "s" else (lambda v: v == 0)
        self.code.append(("step", "t", lock, free, lambda v, l: 0 if v else 1))
        return {"l": f"while (atomic_exchange(&{p}l, 1)) ; ", "p": f"pthread_mutex_lock(&{p}p); ", "q": f"pthread_mutex_lock(&{p}q); ",
                "s": f"sem_wait(&{p}s); ", "w": f"pthread_rwlock_wrlock(&{p}w); ",
                "weak": f"{{ int e = 0; while (!atomic_compare_exchange_weak(&{p}l, &e, 1)) e = 0; }} "}[kind]

    def release(self, kind):
        lock, p = "l" if kind == "weak" else kind, self.prefix
        self.code.append(("step", "t", lock, lambda v: True, lambda v, l: 0 if v else 1))
        return {"l": f"atomic_store(&{p}l, 0); ", "weak": f"atomic_store(&{p}l, 0); ", "p": f"pthread_mutex_unlock(&{p}p); ",
                "q": f"pthread_mutex_unlock(&{p}q); ", "s": f"sem_post(&{p}s); ", "w": f"pthread_rwlock_unlock(&{p}w); "}[kind]

    def under(self, kind):
        """What the lock protects: text and name."""
        variable = "d" if kind in ("l", "weak") else self.pick()
        return variable, f"{self.prefix}d" if variable == "d" else None

    # -- statements

    def section(self):
        kind, value = self.kinds(), self.random.randint(1, 2)
        text = self.acquire(kind)
        variable, plain = self.under(kind)
        self.code.append(("store", variable, lambda l: value))
        text += f"{plain} = {value}; " if plain else f"atomic_store({self.at(variable)}, {value}); "
        return text + self.release(kind)

    def poll(self):
        """lock; look; unlock, until it is there."""
        kind, value, begin = self.kinds(), self.random.randint(1, 2), len(self.code)
        text = self.acquire(kind)
        variable, plain = self.under(kind)
        self.code.append(("load", "v", variable))
        text += f"v = {plain}; " if plain else f"v = atomic_load({self.at(variable)}); "
        text += self.release(kind)
        self.code.append(("if", lambda l: l["v"] != value, begin))
        return f"{{ int v; do {{ {text}{self.pause()}}} while (v != {value}); {self.keep('v')}}} "

    def back_off(self):
        """Two mutexes in any order, the second one only if it is free."""
        one, other = self.random.choice([("p", "q"), ("q", "p")])
        value, variable, begin, p = self.random.randint(1, 2), self.pick(), len(self.code), self.prefix
        self.acquire(one)
        self.code += [("step", "v", other, lambda v: True, lambda v, l: 1), ("if", lambda l: l["v"] == 0, begin + 5)]
        self.release(one)
        self.code += [("jump", begin), ("store", variable, lambda l: value)]
        self.release(other)
        self.release(one)
        return (f"for (;;) {{ pthread_mutex_lock(&{p}{one}); if (!pthread_mutex_trylock(&{p}{other})) break; pthread_mutex_unlock(&{p}{one}); "
                f"{self.pause()}}} atomic_store({self.at(variable)}, {value}); pthread_mutex_unlock(&{p}{other}); pthread_mutex_unlock(&{p}{one}); ")

    def flag(self):
        """Raises a flag and takes it back while another one is up; lowers it in the end, or not."""
        mine, other, keeps = self.pick(), self.pick(), self.random.random() < 0.3
        begin = len(self.code)
        self.code += [("store", mine, lambda l: 1), ("load", "v", other), ("if", lambda l: l["v"] == (other == mine), begin + 5),
                      ("store", mine, lambda l: 0), ("jump", begin)]
        self.code += [] if keeps else [("store", mine, lambda l: 0)]
        free = int(other == mine)
        return (f"for (;;) {{ atomic_store({self.at(mine)}, 1); if (atomic_load({self.at(other)}) == {free}) break; "
                f"atomic_store({self.at(mine)}, 0); {self.pause()}}} " + ("" if keeps else f"atomic_store({self.at(mine)}, 0); "))

    def blink(self):
        one, other, value, begin = self.pick(), self.pick(), self.random.randint(1, 2), len(self.code)
        self.code += [("store", one, lambda l: 1), ("load", "v", other), ("store", one, lambda l: 0), ("if", lambda l: l["v"] != value, begin)]
        return (f"{{ int v; do {{ atomic_store({self.at(one)}, 1); v = {self.c_load(other)}; atomic_store({self.at(one)}, 0); {self.pause()}}} "
                f"while (v != {value}); }} ")

    def exchange(self):
        """Takes a value away, and puts it back if it is not the right one."""
        variable, value, begin = self.pick(), self.random.randint(0, 2), len(self.code)
        self.code += [("step", "v", variable, lambda v: True, lambda v, l: 3), ("if", lambda l: l["v"] == value, begin + 4),
                      ("store", variable, lambda l: l["v"]), ("jump", begin), ("store", variable, lambda l: 0)]
        return (f"{{ int v; while ((v = atomic_exchange({self.at(variable)}, 3)) != {value}) {{ atomic_store({self.at(variable)}, v); "
                f"{self.pause()}}} atomic_store({self.at(variable)}, 0); }} ")

    def count(self):
        """Counts itself in and out again; others that do so commute."""
        one, other, value, begin = self.pick(), self.pick(), self.random.randint(1, 2), len(self.code)
        self.code += [("step", "t", one, lambda v: True, lambda v, l: v + 1), ("load", "v", other),
                      ("step", "t", one, lambda v: True, lambda v, l: v - 1), ("if", lambda l: l["v"] != value, begin)]
        return (f"{{ int v; do {{ atomic_fetch_add({self.at(one)}, 1); v = {self.c_load(other)}; atomic_fetch_sub({self.at(one)}, 1); "
                f"{self.pause()}}} while (v != {value}); }} ")

    def steal(self):
        """Waits for the lock of the program's own by trying, with a flag up."""
        variable, begin = self.pick(), len(self.code)
        self.code += [("step", "v", "l", lambda v: True, lambda v, l: 1), ("if", lambda l: l["v"] == 0, begin + 5),
                      ("store", variable, lambda l: 1), ("store", variable, lambda l: 0), ("jump", begin),
                      ("store", "d", lambda l: 2)]
        text = (f"while (atomic_exchange(&{self.prefix}l, 1)) {{ atomic_store({self.at(variable)}, 1); atomic_store({self.at(variable)}, 0); "
                f"{self.pause()}}} {self.prefix}d = 2; ")
        return text + self.release("l")


if __name__ == "__main__":
    spinning.main(Program)
