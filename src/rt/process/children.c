/* children.c - see children.h
 *
 * Whether a process runs, has ended or was waited for is the value of its resource. Its parent alone waits for it, so
 * which children there are follows from the parent's own history.
 */
#include "rt/process/children.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/agents.h"
#include "rt/kernel/object.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/memory/tls.h"
#include "rt/signal/interrupt.h"
#include "rt/signal/signals.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/mutex.h"

/* ---- Making one ------------------------------------------------------------------------------- */

/* What has no model yet. */
static void check_fork(void)
{
    if (!process_is_possible())
        report_not_modelled("fork in a library of the program");
    if (rt.ex->memory != MEMORY_SC)
        report_refused("fork needs --memory=sc");
    if (tracking.on)
        report_not_modelled("fork with inputs that are tracked");
    if (rt.self->actor || rt.self->message)
        report_not_modelled("fork in an actor");
    if (rt.self->node)
        report_not_modelled("fork in a node of a cluster");
    if (rt.self->section_depth)
        report_not_modelled("fork in an atomic section");
    if (rt.options.check_leak)
        report_not_modelled("fork with --check=leak");
    if (!process_is_single())
        report_not_modelled("fork in a process with several threads");
}

/* What the forking thread holds the new one holds. */
static void begin_object(uint64_t resource, void *state)
{
    ResourceKind kind = (ResourceKind)(resource >> 56);
    memcpy(state, &resource, sizeof resource); /* each begins with its name */
    if (kind != RES_LOCK && kind != RES_RWLOCK)
        return;
    Lock *lock = state;
    if (kind == RES_RWLOCK && lock->value && lock->value < RWLOCK_WRITER_MIN)
        report_not_modelled("fork while a read-write lock is held for reading");
    if (lock_held_by_self(lock))
        lock->value = kind == RES_RWLOCK ? rwlock_writer(rt.self->last_named) : (int64_t)rt.self->last_named + 1;
}

static void (*begin_files)(unsigned process);

static void begin(unsigned process)
{
    object_fork(process_get(process)->tag, begin_object);
    signals_fork(process);
    begin_files(process);
}

static void name_process(AgentId agent)
{
    AgentName *entry = &rt.shared->agents[agent];
    char path[28];
    agents_path(agent, path, sizeof path);
    snprintf(entry->name, sizeof entry->name, "process %s", path);
}

int children_fork(void (*begin_those)(unsigned process))
{
    check_fork();
    if (rt.options.max_processes && process_get(process_self())->forks >= rt.options.max_processes)
        thread_cut(CUT_PROCESSES);
    step_begin(OP_FORK, 0);
    step_wait();
    Thread *child = thread_fork();
    if (!child)
        thread_cut(CUT_AGENTS);
    name_process(child->id);
    child->tls = tls_copy(rt.self->tls);
    lifetime_fork(child);
    begin_files = begin_those;
    unsigned made = process_copy(child, begin);
    if (made)
        step_done();
    return made ? process_number(made) : 0;
}

/* ---- The end ------------------------------------------------------------------------------------ */

static SignalSource source_of(unsigned process, int status)
{
    bool exited = WIFEXITED(status);
    return (SignalSource){.code = exited ? CLD_EXITED : CLD_KILLED, .function = "the end of a child",
                          .process = process_number(process),
                          .status = exited ? WEXITSTATUS(status) : WTERMSIG(status)};
}

static void end_child(Process *self, int status)
{
    unsigned parent = self->parent;
    SignalSource source = source_of(process_self(), status);
    step_touch(signals_resource_of(parent, SIGCHLD), MODE_READ);
    if (signals_come())
        signals_announce_to(parent);
    step_wait();
    int64_t action = signals_value_of(parent, SIGCHLD);
    step_value(1, action, action);
    self->life = signals_forgets_children(parent) ? PROCESS_FORGOTTEN : PROCESS_ENDED;
    if (signals_come())
        signals_reach(parent, 2, SIGCHLD, &source);
}

void children_end(int status)
{
    Process *self = process_get(process_self());
    self->status = status;
    if (lifetime_self()->robust_held)
        mutex_release_robust();
    step_begin(OP_NODE_END, process_resource(process_self()));
    if (process_self()) {
        end_child(self, status);
    } else {
        step_wait();
        self->life = PROCESS_ENDED;
    }
    step_value(0, PROCESS_RUNS, self->life);
    race_release(process_resource(process_self()));
    step_done();
    lifetime_kill();
}

/* ---- Waiting ------------------------------------------------------------------------------------- */

static bool is_child(unsigned process, int number)
{
    const Process *child = process_get(process);
    return process && child->parent == process_self() && child->life != PROCESS_FORGOTTEN &&
           (number < 0 || number == child->number);
}

/* Those that have not been waited for, in the order in which they were made. */
static unsigned list_children(int number, unsigned *list)
{
    unsigned count = 0;
    for (unsigned process = 1; process < process_count(); process++)
        if (is_child(process, number))
            list[count++] = process;
    return count;
}

static void announce(const unsigned *list, unsigned count, bool waits)
{
    step_begin(OP_WAIT, 0);
    for (unsigned i = 0; i < count; i++) {
        Access *access = step_touch(process_resource(list[i]), MODE_WRITE);
        if (waits)
            step_guard(access, &process_get(list[i])->life, REL_NE, PROCESS_RUNS);
        else
            step_switch(access, REL_EQ, PROCESS_ENDED, MODE_WRITE, MODE_READ);
    }
    if (waits && count > 1)
        step_guard_any();
    if (count > 1)
        step_opaque();
}

/* Inside the step: the oldest that has ended. */
static EndedChild take_first(const unsigned *list, unsigned count, bool keeps)
{
    EndedChild ended = {0, 0};
    for (unsigned i = 0; i < count; i++) {
        Process *child = process_get(list[i]);
        int64_t before = child->life;
        bool takes = !ended.number && before == PROCESS_ENDED;
        if (takes) {
            ended = (EndedChild){child->number, child->status};
            child->life = keeps ? before : PROCESS_FORGOTTEN;
            race_acquire(process_resource(list[i]));
        }
        step_mode(i, takes ? MODE_WRITE : MODE_READ);
        step_value(i, before, child->life);
    }
    return ended;
}

/* Where children vanish at their end, all of them are waited for. */
int children_wait(int number, bool waits, bool keeps, EndedChild *ended)
{
    unsigned list[RT_PROCESSES], count;
    *ended = (EndedChild){0, 0};
    while ((count = list_children(number, list))) {
        announce(list, count, waits);
        interrupt_allow(INTERRUPT_RESTARTS);
        step_wait();
        if (interrupt_happened())
            return EINTR;
        *ended = take_first(list, count, keeps);
        step_done();
        if (ended->number || !waits)
            return 0;
    }
    return ECHILD;
}

int children_parent(void)
{
    unsigned parent = process_get(process_self())->parent;
    if (!process_self())
        return 1;
    const Process *process = process_get(parent);
    step_begin(OP_WAIT, process_resource(parent))->mode = MODE_READ;
    step_wait();
    step_value(0, process->life, process->life);
    bool runs = process->life == PROCESS_RUNS;
    step_done();
    return runs ? process_number(parent) : 1;
}
