/* api_fault.c - the functions of include/sennit/actor.h that say which faults may happen: check their arguments */
#include "rt/actors/actor.h"
#include "rt/actors/actor_mail.h"
#include "rt/actors/durable.h"
#include "rt/actors/fault_rule.h"
#include "rt/actors/link.h"
#include "rt/detect/bug.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api.h"

/* ---- Rules --------------------------------------------------------------------------- */

static void require_main(const char *what)
{
    if (!thread_inside())
        report_not_modelled(what);
    actor_self(); /* main has a pid from now on */
    actor_require_setup(what);
}

static void require_known(sennit_pid pid, const char *what)
{
    if (pid && !actor_find(pid))
        report_bug(BUG_MESSAGE_MISUSE, "%s of %u, but no actor has this pid", what, pid);
}

static void add_rule(Fault fault, sennit_pid from, sennit_pid to, int tag, unsigned most, const char *what)
{
    require_main(what);
    require_known(from, what);
    require_known(to, what);
    fault_rule_add(&(FaultRule){.fault = fault, .from = from, .to = to, .tag = tag, .most = most});
}

void sennit_rt_sennit_lose(sennit_pid from, sennit_pid to, int tag, unsigned most)
{
    add_rule(FAULT_LOSE, from, to, tag, most, "sennit_lose");
}

void sennit_rt_sennit_duplicate(sennit_pid from, sennit_pid to, int tag, unsigned most)
{
    add_rule(FAULT_DUPLICATE, from, to, tag, most, "sennit_duplicate");
}

void sennit_rt_sennit_crash(sennit_pid actor, unsigned most)
{
    add_rule(FAULT_CRASH, actor, 0, SENNIT_ANY_TAG, most, "sennit_crash");
}

/* ---- What survives a crash -------------------------------------------------------------- */

static void add_durable(void *bytes, size_t size, bool synced, const char *what)
{
    Actor *self = actor_require(what);
    if (size > INT32_MAX)
        report_bug(BUG_MESSAGE_MISUSE, "%s of %zd bytes", what, (ssize_t)size);
    if (in_stacks((uint64_t)(uintptr_t)bytes))
        report_bug(BUG_MESSAGE_MISUSE, "%s of bytes on a stack, which a crash removes", what);
    durable_add(self, bytes, size, synced);
}

void sennit_rt_sennit_durable(void *bytes, size_t size) { add_durable(bytes, size, true, "sennit_durable"); }
void sennit_rt_sennit_volatile(void *bytes, size_t size) { add_durable(bytes, size, false, "sennit_volatile"); }

void sennit_rt_sennit_sync(void)
{
    FRAME_ENTER(FRAME_SYNC, 0);
    Actor *self = actor_require("sennit_sync");
    actor_crash_point(self);
    durable_sync(self);
}

/* ---- Links ------------------------------------------------------------------------------ */

static Actor *require_end(sennit_pid pid, const char *what)
{
    Actor *actor = actor_find(pid);
    if (!actor || !actor->is_actor)
        report_bug(BUG_MESSAGE_MISUSE, "%s with %u, which is not an actor", what, pid);
    return actor;
}

void sennit_rt_sennit_link(sennit_pid a, sennit_pid b)
{
    require_main("sennit_link");
    if (a == b)
        report_bug(BUG_MESSAGE_MISUSE, "sennit_link of an actor with itself");
    link_make(require_end(a, "sennit_link"), require_end(b, "sennit_link"));
}

static ALWAYS_INLINE void set_link(sennit_pid a, sennit_pid b, bool cut, const char *what)
{
    FRAME_ENTER(cut ? FRAME_CUT : FRAME_HEAL, a, b);
    if (!thread_inside())
        report_not_modelled(what);
    if (!link_set(require_end(a, what), require_end(b, what), cut))
        report_bug(BUG_MESSAGE_MISUSE, "%s of a link that sennit_link did not name", what);
}

void sennit_rt_sennit_cut(sennit_pid a, sennit_pid b) { set_link(a, b, true, "sennit_cut"); }
void sennit_rt_sennit_heal(sennit_pid a, sennit_pid b) { set_link(a, b, false, "sennit_heal"); }
