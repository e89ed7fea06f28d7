/* sync_models.c - the synchronisation models against brute force
 *
 * Usage: sync_models [--spurious] [--verbose] FROM TO
 *
 * Each seed is a small random program over the models of the runtime. It is explored
 * without reduction and with each reduction, and every execution is named by its class:
 * the steps with their choices and footprints, and their dependence order. Then
 *   - the reductions must find the same classes, `optimal` each of them once, with nothing
 *     redundant;
 *   - two executions of one class must end in the same state (what every thread saw): else
 *     some footprint in src/rt is too weak;
 *   - no execution may depart from its plan.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/explore.h"
#include "rt/api.h"
#include "rt/program_c.h"

/* ---- Programs ------------------------------------------------------------------- */

enum { MAX_THREADS = 3, MAX_OPS = 3, MAX_EXECUTIONS = 20000 };

#define OPERATIONS(_) \
    _(lock) _(nest) _(trylock) _(timedlock) _(recursive) _(keep) _(robust) _(robust_keep) \
    _(rdlock) _(wrlock) _(tryrdlock) _(trywrlock) _(timedwrlock) _(read_keep) _(spin) _(spin_try) \
    _(post) _(sem_wait) _(sem_try) _(sem_timed) _(sem_get) _(sem_open) _(sem_unlink) _(post_limit) \
    _(wait) _(wait_timed) _(wait_recursive) _(signal) _(broadcast) _(late_signal) _(late_broadcast) \
    _(once) _(barrier) _(choose) _(exit_thread) _(key_delete) _(key_set) \
    _(cancel) _(test_cancel) _(cancel_off) _(tryjoin) _(timedjoin) _(sleep)

typedef struct Thread {
    pthread_t handle;
    uint64_t seen;
    int op_count;
    uint8_t op[MAX_OPS];
    uint8_t object[MAX_OPS];
} Thread;

static Thread threads[MAX_THREADS];
static int threads_used;

static struct {
    pthread_mutex_t mutex[2], recursive, robust, condition_mutex;
    pthread_cond_t condition;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_once_t once;
    pthread_key_t key;
    sem_t sem, limit;
    int locked[2], relocked, repaired, written, spun, signals, once_runner, destroyed;
} shared;

static const struct timespec soon = {.tv_sec = 1};

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_cancel[] = "pthread_cancel";

/* Threads are agents 1, 2, ...: main creates them in this order. */
static Thread *self(void)
{
    return &threads[thread_self() - 1];
}

static void see_as(Thread *thread, int value)
{
    thread->seen = (thread->seen ^ (uint64_t)(value + 1)) * 0x100000001b3ull;
}

static void see(int value)
{
    see_as(self(), value);
}

/* ---- Operations: mutexes ---------------------------------------------------------- */

static void unlock(void *mutex)
{
    see(sennit_rt_pthread_mutex_unlock(mutex));
}

static void use_mutex(int error, int n)
{
    see(error);
    if (error)
        return;
    see(shared.locked[n]++);
    unlock(&shared.mutex[n]);
}

static void op_lock(int n) { use_mutex(sennit_rt_pthread_mutex_lock(&shared.mutex[n]), n); }
static void op_trylock(int n) { use_mutex(sennit_rt_pthread_mutex_trylock(&shared.mutex[n]), n); }
static void op_timedlock(int n) { use_mutex(sennit_rt_pthread_mutex_timedlock(&shared.mutex[n], &soon), n); }

/* In either order: may deadlock. */
static void op_nest(int n)
{
    sennit_rt_pthread_mutex_lock(&shared.mutex[n]);
    op_lock(1 - n);
    use_mutex(0, n);
}

static void op_keep(int n)
{
    sennit_rt_pthread_mutex_lock(&shared.mutex[n]);
    see(shared.locked[n]++);
}

static void op_recursive(int n)
{
    sennit_rt_pthread_mutex_lock(&shared.recursive);
    see(n ? sennit_rt_pthread_mutex_lock(&shared.recursive) : sennit_rt_pthread_mutex_trylock(&shared.recursive));
    see(shared.relocked++);
    unlock(&shared.recursive);
    unlock(&shared.recursive);
}

/* Takes it from an owner who died, and repairs what it protects or not. */
static int take_robust(int repair)
{
    int error = sennit_rt_pthread_mutex_lock(&shared.robust);
    see(error);
    if (error && error != EOWNERDEAD)
        return 0;
    see(shared.repaired++);
    if (error && repair)
        see(sennit_rt_pthread_mutex_consistent(&shared.robust));
    return 1;
}

static void op_robust(int n)
{
    if (take_robust(n))
        unlock(&shared.robust);
}

static void op_robust_keep(int n)
{
    if (take_robust(n))
        sennit_rt_pthread_exit(NULL);
}

/* ---- Operations: other locks -------------------------------------------------------- */

static void use_rwlock(int error, int writes)
{
    see(error);
    if (error)
        return;
    see(writes ? shared.written++ : shared.written);
    see(sennit_rt_pthread_rwlock_unlock(&shared.rwlock));
}

static void op_rdlock(int n)
{
    (void)n;
    use_rwlock(sennit_rt_pthread_rwlock_rdlock(&shared.rwlock), 0);
}

static void op_wrlock(int n)
{
    (void)n;
    use_rwlock(sennit_rt_pthread_rwlock_wrlock(&shared.rwlock), 1);
}

static void op_tryrdlock(int n)
{
    use_rwlock(n ? sennit_rt_pthread_rwlock_timedrdlock(&shared.rwlock, &soon)
                 : sennit_rt_pthread_rwlock_tryrdlock(&shared.rwlock), 0);
}

static void op_trywrlock(int n)
{
    (void)n;
    use_rwlock(sennit_rt_pthread_rwlock_trywrlock(&shared.rwlock), 1);
}

static void op_timedwrlock(int n)
{
    (void)n;
    use_rwlock(sennit_rt_pthread_rwlock_timedwrlock(&shared.rwlock, &soon), 1);
}

static void op_read_keep(int n)
{
    (void)n;
    see(sennit_rt_pthread_rwlock_rdlock(&shared.rwlock));
}

static void use_spin(int error)
{
    see(error);
    if (error)
        return;
    see(shared.spun++);
    sennit_rt_pthread_spin_unlock(&shared.spin);
}

static void op_spin(int n)
{
    (void)n;
    use_spin(sennit_rt_pthread_spin_lock(&shared.spin));
}

static void op_spin_try(int n)
{
    (void)n;
    use_spin(sennit_rt_pthread_spin_trylock(&shared.spin));
}

/* ---- Operations: semaphores ----------------------------------------------------------- */

static void op_post(int n) { (void)n; see(sennit_rt_sem_post(&shared.sem)); }
static void op_sem_wait(int n) { (void)n; see(sennit_rt_sem_wait(&shared.sem)); }
static void op_sem_try(int n) { (void)n; see(sennit_rt_sem_trywait(&shared.sem) ? errno : 0); }
static void op_sem_timed(int n) { (void)n; see(sennit_rt_sem_timedwait(&shared.sem, &soon) ? errno : 0); }

static void op_sem_get(int n)
{
    int value = 0;
    (void)n;
    sennit_rt_sem_getvalue(&shared.sem, &value);
    see(value);
}

static void op_post_limit(int n)
{
    see(n ? sennit_rt_sem_wait(&shared.limit) : sennit_rt_sem_post(&shared.limit) ? errno : 0);
}

static void op_sem_open(int n)
{
    sem_t *sem = sennit_rt_sem_open("/sem", n ? O_CREAT | O_EXCL : O_CREAT, 0600, 1u);
    see(sem == SEM_FAILED ? errno : sennit_rt_sem_trywait(sem));
}

static void op_sem_unlink(int n)
{
    (void)n;
    see(sennit_rt_sem_unlink("/sem") ? errno : 0);
}

/* ---- Operations: conditions -------------------------------------------------------------- */

/* The cleanup macros, with their calls redirected as the instrumenter does. */
#define __pthread_register_cancel sennit_rt___pthread_register_cancel
#define __pthread_unregister_cancel sennit_rt___pthread_unregister_cancel
#define __pthread_unwind_next sennit_rt___pthread_unwind_next

static void await_signal(pthread_mutex_t *mutex, const struct timespec *deadline)
{
    sennit_rt_pthread_mutex_lock(mutex);
    pthread_cleanup_push(unlock, mutex);
    see(shared.signals);
    if (shared.signals == 0)
        see(deadline ? sennit_rt_pthread_cond_timedwait(&shared.condition, mutex, deadline)
                     : sennit_rt_pthread_cond_wait(&shared.condition, mutex));
    see(shared.signals);
    pthread_cleanup_pop(1);
}

static void op_wait(int n) { (void)n; await_signal(&shared.condition_mutex, NULL); }
static void op_wait_timed(int n) { (void)n; await_signal(&shared.condition_mutex, &soon); }

/* Keeps the mutex while it waits. */
static void op_wait_recursive(int n)
{
    (void)n;
    sennit_rt_pthread_mutex_lock(&shared.condition_mutex);
    await_signal(&shared.condition_mutex, n ? &soon : NULL);
    unlock(&shared.condition_mutex);
}

static void wake(int (*how)(pthread_cond_t *), int late)
{
    sennit_rt_pthread_mutex_lock(&shared.condition_mutex);
    see(shared.signals++);
    if (!late)
        how(&shared.condition);
    unlock(&shared.condition_mutex);
    if (late)
        how(&shared.condition);
}

static void op_signal(int n) { (void)n; wake(sennit_rt_pthread_cond_signal, 0); }
static void op_broadcast(int n) { (void)n; wake(sennit_rt_pthread_cond_broadcast, 0); }
static void op_late_signal(int n) { (void)n; wake(sennit_rt_pthread_cond_signal, 1); }
static void op_late_broadcast(int n) { (void)n; wake(sennit_rt_pthread_cond_broadcast, 1); }

/* ---- Operations: threads -------------------------------------------------------------------- */

static void run_once(void)
{
    shared.once_runner = (int)thread_self();
    if (self()->object[0])
        sennit_rt_pthread_testcancel();
}

static void op_once(int n)
{
    (void)n;
    sennit_rt_pthread_once(&shared.once, run_once);
    see(shared.once_runner);
}

static void op_barrier(int n)
{
    (void)n;
    see(sennit_rt_pthread_barrier_wait(&shared.barrier));
}

static void op_choose(int n)
{
    see((int)sennit_rt_sennit_choose(2 + (unsigned)n));
}

static void op_exit_thread(int n)
{
    sennit_rt_pthread_exit(n ? &shared : NULL);
}

static void op_key_set(int n)
{
    see(sennit_rt_pthread_setspecific(shared.key, n ? &shared : NULL));
}

static void op_key_delete(int n)
{
    (void)n;
    see(sennit_rt_pthread_key_delete(shared.key));
}

/* The others may cancel and join the first thread. */
static void op_cancel(int n)
{
    (void)n;
    if (self() != &threads[0])
        see(sennit_rt_pthread_cancel(threads[0].handle));
}

static void op_test_cancel(int n)
{
    (void)n;
    sennit_rt_pthread_testcancel();
}

static void op_cancel_off(int n)
{
    sennit_rt_pthread_setcancelstate(n ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, NULL);
}

static void op_tryjoin(int n)
{
    (void)n;
    if (self() != &threads[0])
        see(sennit_rt_pthread_tryjoin_np(threads[0].handle, NULL));
}

static void op_timedjoin(int n)
{
    (void)n;
    if (self() != &threads[0])
        see(sennit_rt_pthread_timedjoin_np(threads[0].handle, NULL, &soon));
}

/* Time is a part of the state too. */
static void op_sleep(int n)
{
    sennit_rt_sleep((unsigned)n);
    see((int)sennit_rt_time(NULL));
}

/* ---- The program of a seed --------------------------------------------------------------------- */

static void (*const operations[])(int) = {
#define OPERATION(name) op_##name,
    OPERATIONS(OPERATION)
#undef OPERATION
};
static const char *const operation_names[] = {
#define OPERATION(name) #name,
    OPERATIONS(OPERATION)
#undef OPERATION
};
enum { OPERATION_COUNT = sizeof operations / sizeof *operations };

static uint64_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

/* Operations that lie together in the list meet on common objects: mostly draw from one
 * or two places. */
static void make_program(uint64_t seed)
{
    random_state = seed * 0x9e3779b97f4a7c15ull + 12345;
    unsigned center[2] = {draw(OPERATION_COUNT), draw(OPERATION_COUNT)};
    if (draw(2))
        center[1] = center[0];
    threads_used = 2 + (int)draw(2);
    for (int t = 0; t < threads_used; t++) {
        threads[t].op_count = 1 + (int)draw(threads_used == 2 ? MAX_OPS : 2);
        for (int i = 0; i < threads[t].op_count; i++) {
            unsigned near = center[draw(2)] + draw(7) + OPERATION_COUNT - 3;
            threads[t].op[i] = (uint8_t)(draw(8) ? near % OPERATION_COUNT : draw(OPERATION_COUNT));
            threads[t].object[i] = (uint8_t)draw(2);
        }
    }
}

static void print_program(FILE *file)
{
    for (int t = 0; t < threads_used; t++)
        for (int i = 0; i < threads[t].op_count; i++)
            fprintf(file, "%s%s %d", i ? "; " : t ? " || " : "", operation_names[threads[t].op[i]], threads[t].object[i]);
    fprintf(file, "\n");
}

/* ---- Running it ---------------------------------------------------------------------------------- */

static void count_destroyed(void *value)
{
    (void)value;
    see(-7);
}

static void reset(void)
{
    memset(&shared, 0, sizeof shared);
    shared.recursive = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    shared.condition_mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    for (int t = 0; t < MAX_THREADS; t++)
        threads[t].seen = threads[t].handle = 0;
}

static void prepare(void)
{
    pthread_mutexattr_t robust;
    reset();
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    sennit_rt_pthread_mutex_init(&shared.robust, &robust);
    sennit_rt_pthread_barrier_init(&shared.barrier, NULL, (unsigned)threads_used);
    sennit_rt_pthread_spin_init(&shared.spin, PTHREAD_PROCESS_PRIVATE);
    sennit_rt_sem_init(&shared.sem, 0, 1);
    sennit_rt_sem_init(&shared.limit, 0, SEM_VALUE_MAX - 1);
    sennit_rt_pthread_key_create(&shared.key, count_destroyed);
}

static void *run_thread(void *argument)
{
    Thread *thread = argument;
    for (int i = 0; i < thread->op_count; i++)
        operations[thread->op[i]](thread->object[i]);
    see(-5);
    return NULL;
}

int sennit_user_main(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    prepare();
    for (int t = 0; t < threads_used; t++)
        sennit_rt_pthread_create(&threads[t].handle, NULL, run_thread, &threads[t]);
    for (int t = 0; t < threads_used; t++) {
        void *result = NULL;
        see_as(&threads[t], sennit_rt_pthread_join(threads[t].handle, &result));
        see_as(&threads[t], result == PTHREAD_CANCELED);
    }
    return 0;
}

static uint64_t final_state(const Execution *ex)
{
    uint64_t hash = ex->blocked_count * 31 + ex->finding_count;
    for (int t = 0; t < threads_used; t++)
        hash = (hash ^ threads[t].seen) * 0x9e3779b97f4a7c15ull;
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        hash += (ex->blocked[i].agent + 1) * 0x2545f4914f6cdd1dull * (ex->blocked[i].op + 1);
    return hash;
}

/* ---- Classes ------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xff51afd7ed558ccdull;
    return hash ^ hash >> 32;
}

static bool events_conflict(const Execution *ex, const Event *a, const Event *b)
{
    for (unsigned i = 0; i < a->access_count; i++)
        for (unsigned j = 0; j < b->access_count; j++)
            if (accesses_conflict(&ex->accesses[a->first_access + i], &ex->accesses[b->first_access + j]))
                return true;
    return false;
}

static uint64_t own_hash(const Execution *ex, const Event *event)
{
    uint64_t hash = mix(event->agent, event->index);
    for (unsigned i = 0; i < event->choice_count; i++)
        hash = mix(hash, ex->choices[event->first_choice + i].taken);
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        hash = mix(mix(hash, access->resource), access->mode);
    }
    return mix(hash, event->op);
}

/* The same for all executions of a class: no part depends on the order of the others. */
static uint64_t class_of(const Execution *ex)
{
    static uint64_t hashes[4096];
    uint64_t all = 0;
    for (uint32_t e = 0; e < ex->event_count && e < 4096; e++) {
        const Event *event = &ex->events[e];
        uint64_t past = 0;
        for (uint32_t p = 0; p < e; p++)
            if (ex->events[p].agent == event->agent || events_conflict(ex, &ex->events[p], event))
                past += hashes[p];
        hashes[e] = mix(own_hash(ex, event), past);
        all += hashes[e];
    }
    return all;
}

/* Classes seen so far in one search, each with its final state. */
typedef struct Classes {
    struct {
        uint64_t name, state;
        bool used;
    } *slots;
    uint32_t count, executions;
    bool ambiguous, diverged;
} Classes;

enum { SLOTS = 1 << 16 };

static uint32_t find_class(const Classes *classes, uint64_t name)
{
    uint32_t i = (uint32_t)(name >> 20) % SLOTS;
    while (classes->slots[i].used && classes->slots[i].name != name)
        i = (i + 1) % SLOTS;
    return i;
}

static void add_class(Classes *classes, uint64_t name, uint64_t state)
{
    uint32_t i = find_class(classes, name);
    if (classes->slots[i].used) {
        classes->ambiguous |= classes->slots[i].state != state;
        return;
    }
    classes->slots[i].name = name;
    classes->slots[i].state = state;
    classes->slots[i].used = true;
    classes->count++;
}

static bool contains_all(const Classes *large, const Classes *small)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (small->slots[i].used && !large->slots[find_class(large, small->slots[i].name)].used)
            return false;
    return true;
}

/* ---- Watching a program --------------------------------------------------------------------------------- */

static ProgramOps ops;
static Program watched = {.ops = &ops};
static Program *inner;
static Classes *current;
static bool verbose;

static void print_execution(const Execution *ex)
{
    char text[160];
    for (uint32_t e = 0; e < ex->event_count; e++) {
        const Event *event = &ex->events[e];
        inner->ops->step_text(inner, event->op, &ex->accesses[event->first_access], event->access_count, text, sizeof text);
        fprintf(stderr, "  %u: %s", event->agent, text);
        for (unsigned i = 0; i < event->access_count; i++) {
            const Access *a = &ex->accesses[event->first_access + i];
            fprintf(stderr, " [%llx mode %u %lld -> %lld]", (unsigned long long)a->resource, a->mode, (long long)a->before,
                    (long long)a->after);
        }
        fprintf(stderr, "\n");
    }
    fprintf(stderr, "  end %u, class %llx, state %llx, %u blocked\n", ex->end, (unsigned long long)class_of(ex),
            (unsigned long long)final_state(ex), ex->blocked_count);
}

static void run_and_look(Program *self_, Execution *ex)
{
    (void)self_;
    inner->ops->run(inner, ex);
    if (verbose)
        print_execution(ex);
    if (ex->end == END_COMPLETE)
        add_class(current, class_of(ex), final_state(ex));
}

static bool search(Region *region, Reduction reduction, Classes *classes)
{
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true, .reduction = reduction,
                              .max_executions = MAX_EXECUTIONS};
    memset(classes->slots, 0, SLOTS * sizeof *classes->slots);
    *classes = (Classes){.slots = classes->slots};
    current = classes;
    Explore *explore = explore_create(region, &watched, &options);
    ExploreObserver observer = {0};
    ExploreResult result = explore_run(explore, &observer, 0);
    const ExploreStats *stats = explore_stats(explore);
    classes->executions = (uint32_t)(stats->executions + (reduction == REDUCTION_OPTIMAL ? stats->redundant : 0));
    classes->diverged = result == EXPLORE_DIVERGED;
    explore_destroy(explore);
    return result != EXPLORE_BUDGET;
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

typedef struct Total {
    uint64_t compared, too_large, wrong, classes;
} Total;

static const char *compare(const Classes *all, const Classes *optimal, const Classes *source)
{
    if (all->diverged || optimal->diverged || source->diverged)
        return "a plan could not be followed";
    if (all->ambiguous)
        return "two executions of one class end in different states";
    if (!contains_all(optimal, all))
        return "optimal misses a class";
    if (!contains_all(all, optimal))
        return "optimal invents a class";
    if (optimal->executions != optimal->count)
        return "optimal repeats a class";
    if (!contains_all(source, all))
        return "source misses a class";
    return NULL;
}

static void try_seed(uint64_t seed, Region *region, Classes found[3], Total *total)
{
    make_program(seed);
    if (verbose)
        print_program(stderr);
    bool small = search(region, REDUCTION_NONE, &found[0]);
    if (verbose)
        fprintf(stderr, "---- optimal\n");
    if (!small || !search(region, REDUCTION_OPTIMAL, &found[1]) || !search(region, REDUCTION_SOURCE, &found[2])) {
        total->too_large++;
        return;
    }
    const char *wrong = compare(&found[0], &found[1], &found[2]);
    total->compared++;
    total->classes += found[0].count;
    if (!wrong)
        return;
    total->wrong++;
    printf("seed %llu: %s (classes %u, %u, %u; executions %u, %u, %u)\n    ", (unsigned long long)seed, wrong,
           found[0].count, found[1].count, found[2].count, found[0].executions, found[1].executions, found[2].executions);
    print_program(stdout);
}

static bool open_program(Region *region, bool spurious)
{
    Error error = {0};
    RtOptions options = {.argv = (char *[]){NULL}, .envp = (char *[]){NULL}, .max_timeouts = 3, .spurious = spurious};
    inner = program_c_create(region, &options, &error);
    if (!inner)
        return false;
    ops = *inner->ops;
    ops.run = run_and_look;
    return true;
}

int main(int argc, char **argv)
{
    bool spurious = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        spurious |= strcmp(argv[first], "--spurious") == 0;
        verbose |= strcmp(argv[first], "--verbose") == 0;
    }
    Region *region = region_create((size_t)1 << 32);
    if (argc - first != 2 || !region || !open_program(region, spurious)) {
        fprintf(stderr, "usage: sync_models [--spurious] [--verbose] FROM TO\n");
        return 2;
    }
    Classes found[3];
    Total total = {0};
    for (int i = 0; i < 3; i++)
        found[i].slots = mem_alloc(SLOTS * sizeof *found[i].slots);
    for (uint64_t seed = strtoull(argv[first], NULL, 10); seed < strtoull(argv[first + 1], NULL, 10); seed++)
        try_seed(seed, region, found, &total);
    printf("%llu programs compared, %llu too large, %llu classes, %llu mismatches\n", (unsigned long long)total.compared,
           (unsigned long long)total.too_large, (unsigned long long)total.classes, (unsigned long long)total.wrong);
    return total.wrong ? 1 : 0;
}
