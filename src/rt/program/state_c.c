/* state_c.c - see state_c.h */
#include "rt/program/state_c.h"

#include <stdio.h>

#include "rt/actors/actor_state.h"
#include "rt/detect/bug.h"
#include "rt/detect/shared.h"
#include "rt/detect/unseen.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/node.h"
#include "rt/kernel/part.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/thread.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/sync/observe.h"
#include "rt/program/sync_state.h"

/* ---- What is known ------------------------------------------------------------------------ */

/* Functions of the runtime that keep nothing between calls, or what is part of the state. */
static const char *const known[] = {
    "malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign", "strdup", "strndup",
    "exit", "abort", "__assert_fail", "__errno_location", "printf", "vprintf", "fprintf", "vfprintf", "puts", "fputs",
    "putchar", "fputc", "putc", "fflush", "perror", "fwrite", "memcpy", "memmove", "mempcpy", "memset", "memcmp",
    "bcmp", "memchr", "strlen", "strnlen", "strcpy", "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strchr",
    "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "snprintf", "sprintf", "vsnprintf", "atoi", "atol", "qsort",
    "bsearch", "getenv", "getc", "stpcpy", "__strcpy_chk", "__stpcpy_chk", "__strncpy_chk", "__strcat_chk",
    "__strncat_chk", "__memcpy_chk", "__memset_chk", "__memmove_chk", "__printf_chk", "__fprintf_chk",
    "__snprintf_chk", "__sprintf_chk", "__vfprintf_chk", "sennit_assert_failed", "sennit_choose",
    "sennit_observe_begin", "sennit_observe_end", "sennit_oblige", "sennit_hot", "sennit_cold",
    "sennit_declare", "sennit_property_fails", "sennit_property_owes", "sennit_refused", "sennit_strong",
    "sennit_spawn",
    "sennit_self", "sennit_exit", "sennit_daemon", "sennit_restart", "sennit_run", "sennit_lose", "sennit_duplicate",
    "sennit_crash", "sennit_durable", "sennit_volatile", "sennit_sync", "sennit_link", "sennit_cut", "sennit_heal",
    "sennit_send", "sennit_send_tag", "sennit_send_on", "sennit_broadcast",
    "sennit_receive", "sennit_receive_from", "sennit_receive_tag",
    "sennit_receive_if", "sennit_try_receive", "sennit_receive_timed", "sennit_receive_match", "sennit_timer",
    "sennit_timer_cancel", "sennit_message_size", "sennit_message_tag", "sennit_describe", "pthread_create",
    "pthread_join", "pthread_tryjoin_np", "pthread_detach", "pthread_exit", "pthread_self", "pthread_equal",
    "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_trylock",
    "pthread_mutex_unlock", "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock", "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_unlock",
    "pthread_spin_init", "pthread_spin_destroy", "pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock",
    "pthread_cond_init", "pthread_cond_destroy", "pthread_cond_wait", "pthread_cond_signal", "pthread_cond_broadcast",
    "pthread_barrier_init", "pthread_barrier_destroy", "pthread_barrier_wait", "sem_init", "sem_destroy", "sem_wait",
    "sem_trywait", "sem_post", "sem_getvalue", "thrd_create", "thrd_join", "thrd_detach", "thrd_exit", "thrd_current",
    "thrd_equal", "mtx_init", "mtx_destroy", "mtx_lock", "mtx_trylock", "mtx_unlock", "cnd_init", "cnd_destroy",
    "cnd_wait", "cnd_signal", "cnd_broadcast", "sched_yield", "pthread_yield", "thrd_yield", "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end", "__VERIFIER_assume", "sennit_assume", "sennit_reached", "pthread_mutexattr_init",
    "pthread_mutexattr_destroy", "pthread_mutexattr_settype", "pthread_attr_init", "pthread_attr_destroy",
    "pthread_attr_setdetachstate", "pthread_condattr_init", "pthread_condattr_destroy", NULL};

bool state_c_check(Error *error)
{
    if (!calls_are_listed())
        return true;
    const char *unknown = calls_other_than(known);
    return !unknown || error_set(error, EXIT_USAGE,
                                 "--reduction=states: the program calls %s, whose state is not known", unknown);
}

static void refuse(const char *what, uint64_t site)
{
    char why[160];
    sennit_rt_site = (const SennitSite *)(uintptr_t)site;
    snprintf(why, sizeof why, "--reduction=states: %s", what);
    report_refused(why);
}

/* ---- Memory ----------------------------------------------------------------------------------- */

static void add_range(void *context, uint64_t begin, uint64_t end)
{
    fingerprint_add(context, begin);
    fingerprint_add_bytes(context, (const void *)(uintptr_t)begin, end - begin);
}

static void add_block(void *context, Block *block)
{
    Fingerprint print = {6, block->kind};
    if (block->lazy || block->mapped || block_is_stand_in(block))
        refuse("a block of memory with more than 8 MB, or pages of its own", block->site);
    fingerprint_add(&print, block->address);
    fingerprint_add(&print, block->size);
    fingerprint_add(&print, block->site);
    fingerprint_add(&print, block->freed ? block->free_site | 1 : 0);
    if (!block->freed)
        fingerprint_add_bytes(&print, (const void *)(uintptr_t)block->address, block->size);
    fingerprint_join(context, fingerprint_seal(print));
}

/* ---- Threads ------------------------------------------------------------------------------------ */

static void add_access(Fingerprint *print, const Access *access)
{
    fingerprint_add(print, access->resource);
    fingerprint_add(print, (uint64_t)access->operand);
    fingerprint_add(print, access->mask);
    fingerprint_add(print, (uint64_t)access->lanes << 16 | (uint64_t)access->relation << 8 | access->mode);
}

/* Is the next step strongly fair? */
static bool is_strong(const Thread *thread) { return thread->strong_step == rt.ex->agents[thread->id].steps; }

/* Code of a thread or actor that waits inside a function of the runtime. */
static Fingerprint print_thread(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    Fingerprint print = {7, 0};
    if (!thread->frame.base)
        refuse("what a thread keeps while it waits here is not known", pending->site);
    fingerprint_add(&print, seat_number(thread->strand));
    fingerprint_add(&print, (uint64_t)pending->op << 16 | pending->flags);
    for (unsigned i = 0; i < pending->count; i++)
        add_access(&print, &pending->accesses[i]);
    fingerprint_add(&print, thread->frame.parks);
    fingerprint_add(&print, is_strong(thread));
    part_add(&print, PART_SEGMENT, thread->segment.low);
    part_add(&print, PART_SEGMENT, thread->segment.high);
    actor_state_add_frame(&print, thread, &thread->frame, thread->saved_errno);
    return fingerprint_seal(print);
}

static bool is_mail(const Thread *thread) { return actor_is_idle(thread->pending.op); }

static void add_threads(Fingerprint *state)
{
    for (uint32_t word = 0; word * 64 < rt.ex->agent_count; word++)
        for (uint64_t bits = rt.pending[word]; bits; bits &= bits - 1) {
            const Thread *thread = thread_get(word * 64 + (uint32_t)__builtin_ctzll(bits));
            if (!is_mail(thread))
                fingerprint_join(state, print_thread(thread));
        }
}

/* What the end of the execution will depend on. */
static void add_flags(Fingerprint *state)
{
    const Execution *ex = rt.ex;
    const Thread *first = thread_get(0);
    Fingerprint print = {8, 0};
    fingerprint_add(&print, (uint64_t)first->state << 8 | first->stopped);
    fingerprint_add(&print, (uint64_t)rt.stopped_agents << 5 | (uint64_t)rt.halted_agents << 4 |
                                (uint64_t)(rt.waits_past_bound > 0) << 3 | (uint64_t)rt.cycle_found << 2 |
                                (uint64_t)(ex->finding_count > 0) << 1 | (ex->cut_count > 0));
    fingerprint_add(&print, (uint64_t)(uint32_t)ex->status << 1 | (ex->assumed_away > 0));
    fingerprint_join(state, fingerprint_seal(print));
}

/* ---- The state ------------------------------------------------------------------------------------- */

void state_c_fingerprint(Program *self, Fingerprint *state)
{
    Fingerprint sum = {0, 0}, globals = {9, 0};
    (void)self;
    if (tracking.on)
        refuse("inputs have no state", 0);
    if (node_count())
        refuse("the nodes of a cluster have states that are not known", 0);
    if (part_counts(PART_GLOBALS))
        globals_each_change(add_range, &globals);
    fingerprint_join(&sum, fingerprint_seal(globals));
    if (part_counts(PART_HEAP))
        memory_each_block(add_block, &sum);
    add_threads(&sum);
    if (part_counts(PART_ENDS))
        add_flags(&sum);
    sync_state_add(&sum);
    actor_state_add(&sum);
    *state = fingerprint_seal(sum);
}

uint64_t state_c_alias(Program *self, AgentId agent)
{
    const Thread *thread = thread_get(agent);
    (void)self;
    if (thread->message && is_mail(thread))
        return actor_state_alias(thread->message);
    return seat_number(thread->strand) | (is_strong(thread) ? ALIAS_STRONG : 0);
}

AgentId state_c_local(Program *self)
{
    (void)self;
    return actor_local_step();
}

uint64_t state_c_open(Program *self)
{
    (void)self;
    return observe_open();
}

/* ---- Steps that change nothing -------------------------------------------------------------------- */

/* Defined by the instrumenter if some call tells whether a lock is free. */
extern const char sennit_tests_objects __attribute__((weak));

/* Who waits for a lock can do nothing else: it tells nothing. Who tries does something else another time. */
static bool only_locks(const Event *event)
{
    if (&sennit_tests_objects)
        return false;
    return event->op == OP_LOCK || event->op == OP_UNLOCK || event->op == OP_RDLOCK || event->op == OP_WRLOCK ||
           event->op == OP_RWUNLOCK;
}

static bool changes(const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &rt.ex->accesses[event->first_access + i];
        if (access->mode != MODE_NONE && access->mode != MODE_READ && access->before != access->after)
            return true;
    }
    return false;
}

bool state_c_idle(Program *self, uint32_t since)
{
    (void)self;
    if (shared_written_since(since))
        return false;
    for (uint32_t i = since; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        if (event->choice_count || (!only_locks(event) && changes(event)))
            return false;
    }
    return true;
}
