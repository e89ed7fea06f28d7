/* crash_point.c - see crash_point.h */
#include "rt/net/crash_point.h"

#include "rt/actors/actor_fault.h"
#include "rt/detect/bug.h"
#include "rt/kernel/node.h"
#include "rt/libc/libc.h"

void crash_point(void)
{
    if (LIKELY(!rt.options.max_crashed) || !node_is_mortal() || !actor_fault(FAULT_CRASH, actor_self(), NULL, 0))
        return;
    if (node_has_threads())
        report_not_modelled("a crash of a node with several threads");
    libc_kill_node();
}
