/* crash_point.c - see crash_point.h */
#include "rt/io/crash_point.h"

#include <stdio.h>

#include "rt/actors/actor_fault.h"
#include "rt/detect/bug.h"
#include "rt/file/durable_files.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/kernel/node.h"
#include "rt/kernel/thread.h"
#include "rt/sync/lifetime.h"

/* The next thread of the node begins like the first one, and has the lowest descriptors. */
static void start_again(void)
{
    unsigned starts = node_starts();
    pipe_abandon_all();
    open_file_abandon_all();
    durable_files_crash();
    const ThreadRecord *self = lifetime_self();
    AgentId agent = lifetime_create_own(self->start, (void *)(uintptr_t)node_get(node_self()));
    thread_get(agent)->place = 0;
    snprintf(rt.shared->agents[agent].name, sizeof rt.shared->agents[agent].name, "main#%u", starts + 1);
}

static _Noreturn void crash(void)
{
    rt.self->killed = true;
    if (!node_starts_again())
        node_note_end();
    pipe_close_sockets();
    if (node_starts_again())
        start_again();
    lifetime_kill();
}

void crash_point(void)
{
    if (LIKELY(!rt.node) || !node_is_mortal() || !actor_fault(FAULT_CRASH, actor_self(), NULL, 0))
        return;
    if (node_has_threads())
        report_not_modelled("a crash of a node with several threads");
    crash();
}
