#!/usr/bin/env python3
"""Loops that poll descriptors without blocking: what Sennit finds against all states of the program.

    watching.py SENNIT FIRST COUNT [FILE]

The descriptors are those of a pipe, a pair of stream sockets, an eventfd and a listening socket; other threads fill them,
or take what was there. See spinning.py."""
import spinning

spinning.HEADER += """#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
typedef struct Files { int p[2], s[2], e, l, watch[4]; struct sockaddr_un name; } Files;
static void open_all(Files *files, const char *name)
{
    pipe2(files->p, O_NONBLOCK);
    socketpair(AF_UNIX, SOCK_STREAM, 0, files->s);
    files->e = eventfd(0, EFD_NONBLOCK);
    files->l = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    files->name.sun_family = AF_UNIX;
    strcpy(files->name.sun_path + 1, name);
    bind(files->l, (struct sockaddr *)&files->name, sizeof files->name);
    listen(files->l, 9);
    const int all[4] = {files->p[0], files->s[0], files->e, files->l};
    for (int i = 0; i < 4; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        epoll_ctl(files->watch[i] = epoll_create1(0), EPOLL_CTL_ADD, all[i], &event);
    }
}
static int polls(int file) { struct pollfd one = {.fd = file, .events = POLLIN}; return poll(&one, 1, 0); }
static int selects(int file)
{
    struct timeval none = {0};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(file, &set);
    return select(file + 1, &set, NULL, NULL, &none);
}
static int watches(int watch) { struct epoll_event event; return epoll_wait(watch, &event, 1, 0); }
static int waiting(int file) { int count = 0; ioctl(file, FIONREAD, &count); return count; }
"""

WHERE = {"p": "p[0]", "s": "s[0]", "e": "e", "l": "l"}


class Program(spinning.Program):
    first = {**spinning.Program.first, **dict.fromkeys(WHERE, 0)}
    plain = "static Files @f;\n"

    def source(self, ends):
        begin = f"static void {self.prefix}main(void)\n{{\n"
        return super().source(ends).replace(begin, f"{begin}    open_all(&{self.prefix}f, \"{self.prefix}\");\n")

    def statements(self):
        return [self.store, self.see, self.put, self.loop], [2, 1, 5, 6]

    def shapes(self):
        return [self.take, self.take, self.look, self.look, self.either, self.count, self.give_up]

    def kind(self):
        return self.random.choice(list(WHERE))

    def file(self, kind):
        return f"{self.prefix}f.{WHERE[kind]}"

    def put(self):
        kind, f = self.kind(), f"{self.prefix}f"
        self.code.append(("add", kind))
        return {"p": f"write({f}.p[1], \"x\", 1); ", "s": f"send({f}.s[1], \"x\", 1, MSG_DONTWAIT); ", "e": f"eventfd_write({f}.e, 1); ",
                "l": f"connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&{f}.name, sizeof {f}.name); "}[kind]

    def c_take(self, kind):
        """Takes one, of an eventfd all; the code leaves in v how many there were."""
        self.code.append(("step", "v", kind, lambda v: True, (lambda v, l: 0) if kind == "e" else lambda v, l: max(v - 1, 0)))
        return {"p": "read({}, &byte, 1) > 0", "s": "recv({}, &byte, 1, MSG_DONTWAIT) > 0", "e": "eventfd_read({}, &number) == 0",
                "l": "accept({}, NULL, NULL) >= 0"}[kind].format(self.file(kind))

    def c_look(self, kind):
        self.code.append(("load", "v", kind))
        how = self.random.choice(["polls", "polls", "selects", "watches"] + (["peek", "waiting"] if kind == "s" else []))
        if how == "watches":
            return f"watches({self.prefix}f.watch[{list(WHERE).index(kind)}]) > 0"
        if how == "peek":
            return f"recv({self.file(kind)}, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0"
        return f"{how}({self.file(kind)}) > 0"

    def until(self, text, begin):
        self.code.append(("if", lambda l: l["v"] == 0, begin))
        return f"{{ char byte; eventfd_t number; while (!({text})) {{ {self.pause()}}} }} "

    def take(self):
        begin = len(self.code)
        return self.until(self.c_take(self.kind()), begin)

    def look(self):
        begin = len(self.code)
        return self.until(self.c_look(self.kind()), begin)

    def either(self):
        """Until one of two is ready, or has been taken from."""
        begin, one, other = len(self.code), self.random.choice([self.c_take, self.c_look]), self.random.choice([self.c_take, self.c_look])
        first = one(self.kind())
        self.code.append(("if", lambda l: l["v"] != 0, begin + 4))
        second = other(self.kind())
        self.code.append(("if", lambda l: l["v"] == 0, begin))
        return f"{{ char byte; eventfd_t number; while (!({first}) && !({second})) {{ {self.pause()}}} }} "

    def count(self):
        begin, least = len(self.code), self.random.randint(1, 2)
        self.code += [("load", "v", "s"), ("if", lambda l: l["v"] < least, begin)]
        return f"while (waiting({self.file('s')}) < {least}) {{ {self.pause()}}} "

    def give_up(self):
        """Until it is ready, or a variable says that it never will be."""
        begin, variable = len(self.code), self.pick()
        text = self.c_take(self.kind())
        self.code += [("if", lambda l: l["v"] != 0, begin + 5), ("load", "w", variable), ("if", lambda l: l["w"] == 0, begin),
                      ("jump", begin + 6), ("do", lambda l: {**l, "seen": l["seen"] * 4 + 1})]
        return (f"{{ char byte; eventfd_t number; for (;;) {{ if ({text}) {{ seen = seen * 4 + 1; break; }} "
                f"if (atomic_load({self.at(variable)})) break; {self.pause()}}} }} ")


if __name__ == "__main__":
    spinning.main(Program)
