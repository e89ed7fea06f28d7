/* restore.c - see restore.h */
#include "rt/program/restore.h"

#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "rt/detect/cover.h"
#include "rt/detect/opaque.h"
#include "rt/detect/race.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/node.h"
#include "rt/kernel/object.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/memory/redzone.h"
#include "rt/program/contents.h"
#include "rt/program/restore_check.h"
#include "rt/spin/changes.h"
#include "rt/spin/revisit.h"
#include "rt/spin/spin.h"
#include "rt/sync/observe.h"
#include "rt/sync/vtime.h"
#include "rt/weak/override.h"
#include "rt/weak/weak_step.h"
#include "rt/weak/weak_volatile.h"

enum {
    MOST_MARKS = 16,
    LEAST_STEPS = 8,         /* that a mark must save, and one more */
    BYTES_PER_STEP = 2000,   /* for so many of its bytes            */
    FAR = 64,                /* steps between two marks: one more is kept half-way */
    MOST_FAILURES = 64,      /* marks that cannot be kept, then there are none any more */
    MOST_NODES = 64,
    DEPTHS = 1024,
    USUAL_USES = 8,          /* of a mark, where nothing is known yet       */
    TURN_STEPS = 2000,       /* then it is the other way's turn             */
    TURN_LEAST = 32,         /* executions: the first ones have no marks yet */
    SURE_PAIRS = 4,          /* of turns, if one way was faster in all      */
    MOST_PAIRS = 8,
    PERIOD = 1 << 16,        /* executions until they are compared again    */
};

/* The state before the step at the position. */
typedef struct RestoreMark {
    uint32_t position;
    uint32_t slice_end;
    RtImage image;
} RestoreMark;

/* What besides the plan determines an execution. */
typedef struct RestoreTerms {
    const Execution *ex;
    MemoryModel memory;
    bool stop_at_bug, stops_detours, picked;
    uint32_t max_agent_steps;
    uint32_t overrides; /* of memory orders */
} RestoreTerms;

/* Continuing from marks and running everything, in turns: which takes longer. */
typedef struct RestoreTrial {
    uint32_t executions;            /* of the turn, or since one way was chosen      */
    uint64_t steps;                 /* of the turn                                   */
    uint32_t pairs, faster;         /* of turns; in how many marks were faster       */
    double start, seconds[2];       /* of the turn; per step, of the newest ones     */
    bool chosen, without;           /* this execution uses no marks                  */
} RestoreTrial;

/* A node of the tree at which an execution left the one before. */
typedef struct RestoreNode {
    uint32_t position;
    uint32_t first; /* which execution it was */
} RestoreNode;

static struct {
    bool possible;
    uint32_t failures;
    RestoreTrial trial;
    RestoreTerms terms;                    /* of the newest execution                     */
    VEC(HeldAgent) held;
    uint32_t length;                /* its events                                  */
    RestoreMark marks[MOST_MARKS];         /* along it, the first `count`                 */
    uint32_t count;
    uint32_t next_mark;                    /* where to keep another one behind the one to come, or UINT32_MAX */
    RestoreNode nodes[MOST_NODES];         /* along it, by position                       */
    uint32_t node_count, executions;
    float uses[DEPTHS];                    /* executions below such a node at this depth, on average; 0: not known */
} restore;

/* ---- Which programs have marks ---------------------------------------------------------- */

/* Functions whose state is the program's memory, transient memory or the threads alone. */
static const char *const known[] = {
    "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "malloc_usable_size", "memcpy",
    "memmove", "memset", "memcmp", "memchr", "strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr",
    "strcpy", "strncpy", "stpcpy", "strcat", "strncat", "snprintf", "__snprintf_chk", "atoi", "atol", "strtol",
    "strtoul", "__isoc23_strtol", "__isoc23_strtoul", "abort", "exit", "__assert_fail", "__assert",
    "__VERIFIER_assume", "__VERIFIER_error", "reach_error", "pthread_create", "pthread_join", "pthread_detach",
    "pthread_exit", "pthread_self", "pthread_equal", "pthread_mutexattr_init", "pthread_mutexattr_destroy",
    "pthread_mutexattr_settype", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_setkind_np", "pthread_condattr_init", "pthread_condattr_destroy", "pthread_mutex_init",
    "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock",
    "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock",
    "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_unlock", "pthread_spin_init",
    "pthread_spin_destroy", "pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock", "pthread_cond_init",
    "pthread_cond_destroy", "pthread_cond_wait", "pthread_cond_signal", "pthread_cond_broadcast",
    "pthread_barrier_init", "pthread_barrier_destroy", "pthread_barrier_wait", "pthread_yield", "sched_yield",
    "sem_init", "sem_destroy", "sem_wait", "sem_trywait", "sem_post", "sem_getvalue", "thrd_create", "thrd_join",
    "thrd_detach", "thrd_exit", "thrd_current", "thrd_equal", "thrd_yield", "mtx_init", "mtx_destroy", "mtx_lock",
    "mtx_trylock", "mtx_unlock", "cnd_init", "cnd_destroy", "cnd_wait", "cnd_signal", "cnd_broadcast",
    "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "sennit_assert_failed", "sennit_assume", "sennit_choose",
    NULL,
};

static void note_opaque(void *found, const char *name) { *(const char **)found = name; }

/* What of the program keeps state elsewhere; NULL: nothing is known to. */
static const char *find_hindrance(void)
{
    const char *opaque = NULL;
    opaque_each(note_opaque, &opaque);
    return opaque         ? opaque
           : node_count() ? "the nodes of a cluster"
           : tracking.on  ? "symbolic inputs"
                          : contents_find_other(known);
}

bool restore_init(Error *error)
{
    const RtOptions *options = &rt.options;
    bool explores = !options->isolate && !options->verbose && !options->show_output && !options->states;
    bool required = options->restore == RESTORE_ON || options->restore == RESTORE_CHECK;
    const char *hindrance = options->restore == RESTORE_OFF || !explores ? NULL : find_hindrance();
    restore.possible = options->restore != RESTORE_OFF && explores && !hindrance;
    rt.mark_at = UINT32_MAX;
    if (hindrance && required)
        return error_set(error, EXIT_USAGE,
                         "--restore=%s: executions of this program cannot be continued, for it uses %s, whose state is "
                         "not kept; --restore=auto runs such programs from the beginning",
                         options->restore == RESTORE_ON ? "on" : "check", hindrance);
    return true;
}

/* ---- Marks -------------------------------------------------------------------------------- */

static void save_execution(RtImage *image)
{
    Execution *ex = rt.ex;
    image_add(image, &ex->event_count, sizeof ex->event_count);
    image_add(image, &ex->access_count, sizeof ex->access_count);
    image_add(image, &ex->choice_count, sizeof ex->choice_count);
    image_add(image, &ex->agent_count, sizeof ex->agent_count);
    image_add(image, &ex->finding_count, sizeof ex->finding_count);
    image_add(image, &ex->notes_size, sizeof ex->notes_size);
    image_add(image, &ex->cut_count, sizeof ex->cut_count);
    image_add(image, ex->cuts, sizeof ex->cuts);
    image_add(image, &ex->assumed_away, sizeof ex->assumed_away);
    image_add(image, &ex->status, sizeof ex->status);
    image_add(image, ex->agents, ex->agent_count * sizeof *ex->agents);
}

static void save_runtime(RtImage *image)
{
    image_add(image, &rt.last, sizeof rt.last);
    image_add(image, &rt.main_frame, sizeof rt.main_frame);
    image_add(image, &rt.stopped_agents, sizeof rt.stopped_agents);
    image_add(image, &rt.halted_agents, sizeof rt.halted_agents);
    image_add(image, &rt.waits_past_bound, sizeof rt.waits_past_bound);
    image_add(image, &rt.detours, sizeof rt.detours);
    image_add(image, &rt.cycle_found, sizeof rt.cycle_found);
    image_add(image, &rt.quiet_waiters, sizeof rt.quiet_waiters);
    image_add(image, rt.pending, (rt.ex->agent_count + 63) / 64 * sizeof rt.pending[0]);
}

/* False if there is something that images do not have. */
static bool save(RtImage *image)
{
    if (rt.time_used || rt.fp_control)
        return false;
    image_reset(image);
    save_execution(image);
    save_runtime(image);
    thread_save(image);
    transient_save(image);
    object_save(image);
    weak_save(image);
    redzone_save(image);
    globals_save(image);
    spin_save(image);
    return memory_save(image) && race_save(image) && !image_is_full(image);
}

static void put_back(const RtImage *image)
{
    memory_reset();
    redzone_reset();
    globals_restore_large();
    object_forget_all();
    race_forget_all();
    revisit_reset();
    vtime_reset();
    observe_reset();
    weak_volatile_reset();
    image_put_back(image);
    redzone_close_again();
    changes_forget(rt.ex->event_count, restore.length);
}

static void keep(void)
{
    RestoreMark *mark = &restore.marks[restore.count];
    rt.mark_at = restore.next_mark;
    restore.next_mark = UINT32_MAX;
    mark->position = rt.ex->event_count;
    mark->slice_end = rt.slice_end;
    if (save(&mark->image))
        restore.count++;
    else if (++restore.failures == MOST_FAILURES)
        restore.possible = false;
}

/* ---- What an execution shares with the one before ---------------------------------------- */

static RestoreTerms terms_of(const Execution *ex)
{
    RestoreTerms terms;
    memset(&terms, 0, sizeof terms);
    terms.ex = ex;
    terms.memory = ex->memory;
    terms.overrides = override_version;
    terms.stop_at_bug = ex->stop_at_bug;
    terms.stops_detours = ex->stops_detours;
    terms.picked = ex->picker || ex->stop_after_plan;
    terms.max_agent_steps = ex->max_agent_steps;
    return terms;
}

static bool same_held(const Execution *ex)
{
    return ex->held_count == restore.held.count &&
           (!ex->held_count || !memcmp(ex->held, restore.held.items, ex->held_count * sizeof *ex->held));
}

/* Would the plan have the step at this position again? A picker is not asked for the choices of planned steps. */
static bool repeats(const Execution *ex, uint32_t position)
{
    const PlanStep *step = &ex->plan[position];
    const Event *event = &ex->events[position];
    const Choice *made = &ex->choices[event->first_choice];
    if (step->agent != event->agent || step->choice_count > event->choice_count ||
        (ex->picker && step->choice_count < event->choice_count))
        return false;
    for (uint32_t c = 0; c < event->choice_count; c++)
        if (made[c].taken != (c < step->choice_count ? ex->plan_choices[step->first_choice + c].taken : 0))
            return false;
    return true;
}

static uint32_t count_shared(const Execution *ex)
{
    uint32_t most = ex->plan_length < restore.length ? ex->plan_length : restore.length, shared = 0;
    while (shared < most && repeats(ex, shared))
        shared++;
    return shared;
}

static void drop_marks(uint32_t shared)
{
    while (restore.count && (restore.marks[restore.count - 1].position > shared ||
                             image_is_void(&restore.marks[restore.count - 1].image)))
        restore.count--;
}

/* ---- Which way is faster --------------------------------------------------------------------- */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Are marks used for the execution that begins? */
static bool begin_trial(RestoreTrial *trial)
{
    if (rt.options.restore != RESTORE_AUTO)
        return true;
    if (trial->chosen && trial->executions == PERIOD)
        *trial = (RestoreTrial){0};
    if (!trial->chosen && !trial->executions)
        trial->start = cpu_seconds();
    return !trial->without;
}

/* Behind each pair of turns the way may be chosen that was faster in more of them. */
static void end_turn(RestoreTrial *trial)
{
    trial->seconds[trial->without] = (cpu_seconds() - trial->start) / (double)trial->steps;
    trial->executions = 0;
    trial->steps = 0;
    trial->without = !trial->without;
    if (trial->without)
        return;
    trial->pairs++;
    trial->faster += trial->seconds[false] < trial->seconds[true];
    bool clear = trial->faster == 0 || trial->faster == trial->pairs;
    if (trial->pairs < (clear ? SURE_PAIRS : MOST_PAIRS))
        return;
    trial->chosen = true;
    trial->without = 2 * trial->faster < trial->pairs;
}

static void end_trial(RestoreTrial *trial, const Execution *ex)
{
    trial->executions++;
    trial->steps += ex->event_count;
    if (!trial->chosen && trial->executions >= TURN_LEAST && trial->steps >= TURN_STEPS)
        end_turn(trial);
}

/* ---- Where marks pay ------------------------------------------------------------------------- */

static float *uses_at(uint32_t position) { return &restore.uses[position < DEPTHS ? position : DEPTHS - 1]; }

/* An execution leaves the one before at this position: what was below is complete. */
static void note_node(uint32_t position)
{
    restore.executions++;
    while (restore.node_count && restore.nodes[restore.node_count - 1].position > position) {
        const RestoreNode *node = &restore.nodes[--restore.node_count];
        float *uses = uses_at(node->position), seen = (float)(restore.executions - node->first);
        *uses = *uses > 0 ? *uses + (seen - *uses) / 4 : seen;
    }
    if (restore.node_count < MOST_NODES &&
        (!restore.node_count || restore.nodes[restore.node_count - 1].position < position))
        restore.nodes[restore.node_count++] = (RestoreNode){position, restore.executions};
}

/* Would a mark at this position save more steps than it costs? The first one saves the beginning, too. */
static bool saves_enough(const RestoreMark *last, uint32_t position)
{
    float uses = *uses_at(position) > 0 ? *uses_at(position) : USUAL_USES;
    return !last || (float)(position - last->position) * uses >=
                        (float)(LEAST_STEPS + last->image.bytes.count / BYTES_PER_STEP);
}

/* The search comes back to the position, and later to nodes before it. */
static void plan_marks(uint32_t last, uint32_t position)
{
    rt.mark_at = position;
    if (position - last < FAR || restore.count + 1 == MOST_MARKS)
        return;
    rt.mark_at = last + (position - last) / 2;
    restore.next_mark = position;
}

/* ---- Executions ------------------------------------------------------------------------------ */

static bool is_continued(const Execution *ex)
{
    RestoreTerms terms = terms_of(ex);
    bool same = !memcmp(&terms, &restore.terms, sizeof terms) && same_held(ex);
    restore.terms = terms;
    restore.held.count = 0;
    for (uint32_t i = 0; i < ex->held_count; i++)
        VEC_PUSH(&restore.held, ex->held[i]);
    return same;
}

bool restore_find(Execution *ex)
{
    if (!restore.possible || cover_is_separate())
        return false;
    if (!begin_trial(&restore.trial)) {
        restore.count = restore.length = 0;
        return false;
    }
    bool same = is_continued(ex);
    uint32_t shared = same ? count_shared(ex) : 0;
    drop_marks(shared);
    note_node(shared);
    if (!same)
        restore.count = 0;
    const RestoreMark *last = restore.count ? &restore.marks[restore.count - 1] : NULL;
    rt.mark_at = restore.next_mark = UINT32_MAX;
    rt.mark = keep;
    if (same && restore.count < MOST_MARKS && saves_enough(last, shared))
        plan_marks(last ? last->position : 0, shared);
    return last != NULL;
}

void restore_run(Execution *ex)
{
    const RestoreMark *mark = &restore.marks[restore.count - 1];
    execution_reset(ex);
    put_back(&mark->image);
    rt.continued++;
    ex->restored = true;
    scheduler_continue(mark->slice_end);
}

bool restore_is_checked(const Execution *ex)
{
    return rt.options.restore == RESTORE_CHECK && !rt.begins_again && (!ex->picker || ex->picker->restarted);
}

/* It has the number of the one that was continued: marks belong to both. */
void restore_begin_check(Execution *ex)
{
    restore_check_keep(ex);
    if (ex->picker)
        ex->picker->restarted(ex->picker);
    object_forget_all();
    race_forget_all();
    changes_forget(0, ex->event_count > restore.length ? ex->event_count : restore.length);
    rt.execution--;
    rt.mark_at = UINT32_MAX;
}

void restore_end(Execution *ex)
{
    if (!restore.possible)
        return;
    if (rt.options.restore == RESTORE_AUTO)
        end_trial(&restore.trial, ex);
    restore.length = ex->event_count;
    rt.mark_at = UINT32_MAX;
    if (rt.begins_again)
        restore.count = 0;
}
