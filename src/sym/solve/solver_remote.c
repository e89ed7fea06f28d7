/* solver_remote.c - see solver_remote.h
 *
 * A round trip costs two system calls and two context switches on each side (bench/sym),
 * small against what z3 takes. Nodes are sent once per process and stream.
 */
#include "sym/solve/solver_remote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "sym/expr/wire.h"
#include "sym/solve/frame.h"
#include "sym/solve/remote_internal.h"

enum { LONGEST_STREAM = 1 << 18, CHILD_FD = 3, GRACE_MS = 2000, GRACE_FACTOR = 4, TICK_MS = 50 };

typedef struct RemoteLayer {
    Solver solver;
    ExprPool *pool;
    char *program;
    char *library_path; /* the setting, or NULL */
    pid_t pid;     /* 0: not running */
    pid_t starter; /* the process that started it; its forks must not use it */
    int fd;
    WireWriter writer;
    bool fresh; /* the next request begins a stream */
    Text request, reply;
    bool (*may_continue)(void *context); /* or NULL */
    void *context;
} RemoteLayer;

/* ---- The process ------------------------------------------------------------------ */

/* The solver must not be affected by what the program under test did to its environment and signals. */
static bool spawn(RemoteLayer *self, int child_end)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char number[12] = {(char)('0' + CHILD_FD)};
    char *arguments[] = {self->program, number, NULL}, *environment[] = {self->library_path, NULL};
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_end, CHILD_FD);
    int failed = posix_spawn(&self->pid, self->program, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed)
        self->pid = 0;
    return !failed;
}

static bool start(RemoteLayer *self)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    bool started = spawn(self, ends[1]);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        return false;
    }
    self->fd = ends[0];
    self->starter = getpid();
    self->fresh = true;
    return true;
}

static void stop(RemoteLayer *self)
{
    if (self->pid == 0)
        return;
    close(self->fd);
    if (self->starter == getpid()) {
        kill(self->pid, SIGKILL);
        while (waitpid(self->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    self->pid = 0;
}

/* However often it failed: the next query may be an easier one. */
static bool is_running(RemoteLayer *self)
{
    if (self->pid && self->starter != getpid())
        stop(self);
    if (self->pid)
        return true;
    return start(self);
}

/* ---- Requests and replies ------------------------------------------------------------ */

static void write_request(RemoteLayer *self, const SolverQuery *query, bool wants_core)
{
    bool fresh = self->fresh || self->writer.generation != self->pool->generation ||
                 self->writer.written.count > LONGEST_STREAM;
    if (fresh)
        wire_writer_reset(&self->writer, self->pool);
    self->fresh = false;
    text_reset(&self->request);
    wire_put_number(&self->request, (fresh ? REMOTE_NEW_STREAM : 0) | (wants_core ? REMOTE_WANTS_CORE : 0));
    wire_put_number(&self->request, query->timeout_ms);
    wire_put_exprs(&self->writer, query->conditions, query->count, &self->request);
}

static bool read_assignment(RemoteLayer *self, WireBytes *bytes, Assignment *assignment)
{
    uint32_t count, number;
    Bits value;
    assignment_reset(assignment);
    if (!wire_get_small(bytes, UINT32_MAX, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!wire_get_small(bytes, UINT32_MAX, &number) || number >= self->writer.written.count ||
            !wire_get_number(bytes, &value))
            return false;
        const ExprNode *node = expr_get(self->pool, self->writer.written.items[number]);
        if (node->op != EXPR_INPUT)
            return false;
        assignment_set(assignment, (InputId){node->word[0]}, bits_cut(value, node->sort));
    }
    return true;
}

static bool read_core(const SolverQuery *query, WireBytes *bytes, SolverAnswer *answer)
{
    uint32_t count, place;
    if (!wire_get_small(bytes, query->count, &count) || (count && !answer->core))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!wire_get_small(bytes, query->count - 1, &place))
            return false;
        answer->core[i] = query->conditions[place];
    }
    answer->core_count = count;
    return true;
}

static bool read_reply(RemoteLayer *self, const SolverQuery *query, SolverAnswer *answer, SolverResult *result)
{
    WireBytes bytes = {(const unsigned char *)self->reply.data,
                       (const unsigned char *)self->reply.data + self->reply.length};
    uint32_t number;
    Bits spent;
    if (!wire_get_small(&bytes, SOLVER_UNKNOWN, &number) || !wire_get_number(&bytes, &spent))
        return false;
    if (self->solver.stats)
        self->solver.stats->cpu_nanoseconds += (uint64_t)spent;
    *result = (SolverResult)number;
    if (*result == SOLVER_SAT)
        return read_assignment(self, &bytes, &answer->assignment);
    return *result != SOLVER_UNSAT || read_core(query, &bytes, answer);
}

/* The solver enforces the limit of the query; this one applies if it does not. */
static int patience_ms(const SolverQuery *query)
{
    uint64_t ms = (uint64_t)query->timeout_ms * GRACE_FACTOR + GRACE_MS;
    return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

/* Waits until there is a reply to read, or there is no need for it any more; answers the patience that is left. */
static int await_reply(const RemoteLayer *self, int patience)
{
    struct pollfd watched = {.fd = self->fd, .events = POLLIN};
    while (self->may_continue && patience > 0 && poll(&watched, 1, TICK_MS) <= 0)
        patience = self->may_continue(self->context) ? patience - TICK_MS : 0;
    return patience;
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    RemoteLayer *self = (RemoteLayer *)solver;
    SolverResult result = SOLVER_UNKNOWN;
    if (self->may_continue && !self->may_continue(self->context))
        return SOLVER_UNKNOWN;
    if (!is_running(self))
        return SOLVER_UNKNOWN;
    write_request(self, query, answer->core != NULL);
    int patience = frame_send(self->fd, &self->request) ? await_reply(self, patience_ms(query)) : 0;
    if (patience > 0 && frame_receive(self->fd, patience, &self->reply) && read_reply(self, query, answer, &result))
        return result;
    stop(self);
    return SOLVER_UNKNOWN;
}

/* ---- Lifecycle ------------------------------------------------------------------------- */

void solver_remote_set_clock(Solver *remote, bool (*may_continue)(void *context), void *context)
{
    RemoteLayer *self = (RemoteLayer *)remote;
    self->may_continue = may_continue;
    self->context = context;
}

static void destroy(Solver *solver)
{
    RemoteLayer *self = (RemoteLayer *)solver;
    stop(self);
    wire_writer_release(&self->writer);
    text_release(&self->request);
    text_release(&self->reply);
    free(self->program);
    free(self->library_path);
    free(self);
}

static char *copy_library_path(void)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    Text setting = {0};
    if (!path)
        return NULL;
    text_add(&setting, "LD_LIBRARY_PATH=%s", path);
    char *copy = mem_copy_string(text_borrow(&setting));
    text_release(&setting);
    return copy;
}

Solver *solver_remote_create(ExprPool *pool, const char *program, Error *error)
{
    static const SolverOps ops = {check, destroy};
    if (access(program, X_OK) != 0) {
        error_set(error, EXIT_INTERNAL, "cannot run the solver %s: %s", program, strerror(errno));
        return NULL;
    }
    RemoteLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->pool = pool;
    self->program = mem_copy_string(program);
    self->library_path = copy_library_path();
    return &self->solver;
}
