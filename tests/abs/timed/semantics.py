"""An interpreter of small timed models, independent of Sennit's: all final states, by plain enumeration of states.

A model is a dictionary: `methods`, lists of instructions; `main`, one more; `objects`, how many there are. Object i has
a peer, object i-1 (object 0: itself); each is alone in its cog, as is the main block. generate.py has the instructions
and prints a model as text. `components` are the speeds of deployment components, `deployed` says for each object on
which of them it is (None: on none).
"""
from collections import namedtuple
from fractions import Fraction

MAIN = "main"

# `names`: its variables, pairs of a name and a task. `status`: ready, await, delay, get, ask
# (for resources), starve, given or done; `detail` belongs to it. `used`: of each component in this unit of time;
# `queue`: the tasks that starve.
Task = namedtuple("Task", "name object code pc names deadline status detail")
State = namedtuple("State", "now fields holders tasks used queue")


class TooLarge(Exception):
    pass


class Running:
    """A task in the middle of a step, with the state around it."""

    def __init__(self, state, task):
        self.now, self.task, self.pc = state.now, task, task.pc
        self.fields, self.holders = list(state.fields), list(state.holders)
        self.others = {t.name: t for t in state.tasks if t.name != task.name}
        self.names = dict(task.names)
        self.holders[task.object] = None
        self.used, self.queue = list(state.used), list(state.queue)

    def copy(self):
        twin = object.__new__(Running)
        twin.__dict__.update(self.__dict__)
        twin.fields, twin.holders = list(self.fields), list(self.holders)
        twin.others, twin.names = dict(self.others), dict(self.names)
        twin.used, twin.queue = list(self.used), list(self.queue)
        return twin

    def is_over(self, variable):
        return self.others[self.names[variable]].status == "done"

    def assign(self, x=None, s=None):
        old = self.fields[self.task.object]
        self.fields[self.task.object] = (old[0] if x is None else x, old[1] if s is None else s)

    def end(self, status, detail):
        task = self.task._replace(pc=self.pc, names=tuple(sorted(self.names.items())), status=status, detail=detail)
        if status == "done":
            task = task._replace(names=())
        if status in ("get", "delay", "ask", "starve"):
            self.holders[task.object] = task.name
        tasks = tuple(sorted([*self.others.values(), task]))
        return State(self.now, tuple(self.fields), tuple(self.holders), tasks, tuple(self.used), tuple(self.queue))


class Model:
    def __init__(self, model, free=False, limit=20000):
        self.model, self.free, self.limit = model, free, limit
        self.count = model["objects"]

    def initial(self):
        main = Task((), self.count, MAIN, 0, (), Fraction(-1), "ready", ())
        return State(Fraction(0), ((0, Fraction(0)),) * (self.count + 1), (None,) * (self.count + 1), (main,),
                     (Fraction(0),) * len(self.model["components"]), ())

    def target(self, caller, target):
        if caller == self.count:
            return target
        return caller if target == "this" else max(caller - 1, 0)

    # ---- Guards: (delay or None, future or None, condition or None)

    @staticmethod
    def condition_holds(now, fields, condition):
        if condition is None:
            return True
        kind, bound = condition
        return fields[0] > bound if kind == "x" else now >= bound

    def is_enabled(self, state, task):
        over = {t.name for t in state.tasks if t.status == "done"}
        names = dict(task.names)
        if task.status == "get":
            return names[task.detail[0]] in over
        if task.status == "delay":
            return state.now >= task.detail[0]
        if task.status in ("ask", "given"):
            return True
        if task.status == "starve":
            return False
        if task.status == "done" or state.holders[task.object] is not None:
            return False
        if task.status == "ready":
            return True
        earliest, _, future, condition = task.detail
        return (state.now >= earliest and (not future or names[future] in over)
                and self.condition_holds(state.now, state.fields[task.object], condition or None))

    # ---- Steps

    def delays(self, least, most):
        least = min(least, most)
        if not self.free:
            return [(least, most)]
        return [(least + k, least + k) for k in range(int(most - least) + 1)] + (
            [] if least + int(most - least) == most else [(most, most)])

    def step(self, state, task):
        r = Running(state, task)
        if task.status != "ask":
            return list(self.run(r))
        component, (amount,) = self.model["deployed"][task.object], task.detail
        left = self.model["components"][component] - r.used[component]
        r.used[component] += min(left, amount)
        if amount <= left:
            return list(self.run(r))
        r.queue.append(task.name)
        return [r.end("starve", (amount - left,))]

    def run(self, r):
        """The states in which the step can end."""
        code = self.model["main"] if r.task.code == MAIN else self.model["methods"][r.task.code]
        while r.pc < len(code):
            op, *args = code[r.pc]
            r.pc += 1
            if op == "delay":
                yield from self.delay(r, *args)
                return
            if op == "await":
                yield from self.wait(r, *args)
                return
            if op == "cost":
                if args[0] > 0 and self.model["deployed"][r.task.object] is not None:
                    yield r.end("ask", (args[0],))
                    return
                continue
            if op == "suspend":
                yield r.end("ready", ())
                return
            if op == "get" and not r.is_over(args[0]):
                r.pc -= 1  # it is executed again
                yield r.end("get", (args[0],))
                return
            self.execute(r, op, args)
        x = r.fields[r.task.object][0]
        yield r.end("done", (x % 5,))

    def execute(self, r, op, args):
        x, s = r.fields[r.task.object]
        if op == "add":
            r.assign(x=x * 3 % 1000 + args[0])
        elif op == "stamp":
            r.assign(s=s * 2 + r.now)
        elif op == "left":
            due = r.task.deadline
            r.assign(s=s * 2 + (Fraction(-1) if due < 0 else max(due - r.now, Fraction(0))))
        elif op == "unless":
            if not x > args[0]:
                r.pc = args[1]
        elif op == "call":
            self.call(r, *args)
        elif op == "get" and r.task.object < self.count:
            r.assign(x=x * 3 % 1000 + r.others[r.names[args[0]]].detail[0])

    def call(self, r, target, method, limit, variable):
        nth = 1 + sum(1 for name in r.others if name[:-1] == r.task.name and name)
        child = r.task.name + (nth,)
        due = Fraction(-1) if limit is None else r.now + limit
        r.others[child] = Task(child, self.target(r.task.object, target), method, 0, (), due, "ready", ())
        if variable is not None:
            r.names[variable] = child

    def delay(self, r, least, most):
        for low, high in self.delays(least, most):
            twin = r.copy()
            if low > 0:
                yield twin.end("delay", (r.now + low, r.now + high))
            else:
                yield from self.run(twin)

    def wait(self, r, delay, future, condition):
        for low, high in self.delays(*delay) if delay else [(Fraction(0), Fraction(0))]:
            twin = r.copy()
            fields = r.fields[r.task.object]
            if low <= 0 and (not future or r.is_over(future)) and self.condition_holds(r.now, fields, condition):
                yield from self.run(twin)
            else:
                yield twin.end("await", (r.now + low, r.now + high, future or "", condition or ()))

    # ---- Time passes when no task is enabled: up to the first time at which some task must not wait any longer

    def advance(self, state):
        ends = [task.detail[1] for task in state.tasks
                if task.status in ("delay", "await") and task.detail[0] > state.now
                and state.holders[task.object] in (None, task.name)]
        if any(self.speed_for(state, name) > 0 for name in state.queue):
            ends.append(Fraction(int(state.now) + 1))
        if not ends:
            return None
        later = state._replace(now=min(ends))
        for _ in range(int(later.now) - int(state.now)):
            later = self.begin_unit(later)
        return later

    def speed_for(self, state, name):
        task = next(task for task in state.tasks if task.name == name)
        return self.model["components"][self.model["deployed"][task.object]]

    def begin_unit(self, state):
        """Components can give all they have again: first come, first served."""
        used, queue, tasks = [Fraction(0)] * len(state.used), [], {task.name: task for task in state.tasks}
        for name in state.queue:
            task = tasks[name]
            component = self.model["deployed"][task.object]
            given = min(task.detail[0], self.model["components"][component] - used[component])
            used[component] += given
            rest = task.detail[0] - given
            tasks[name] = task._replace(status="starve" if rest else "given", detail=(rest,) if rest else ())
            if rest:
                queue.append(name)
        return state._replace(used=tuple(used), queue=tuple(queue), tasks=tuple(sorted(tasks.values())))

    def successors(self, state):
        found = [after for task in state.tasks if self.is_enabled(state, task) for after in self.step(state, task)]
        later = None if found else self.advance(state)
        return [later] if later else found

    def finals(self):
        """The fields of the objects in each final state, with whether all tasks are over."""
        todo, seen, finals = [self.initial()], set(), set()
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > self.limit:
                raise TooLarge
            following = self.successors(state)
            if not following:
                finals.add((state.fields[:-1], all(task.status == "done" for task in state.tasks)))
            todo += following
        return finals
