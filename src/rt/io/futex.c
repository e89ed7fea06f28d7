/* futex.c - see futex.h */
#include "rt/io/futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/atomic_symbolic.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/object.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/pages.h"
#include "rt/sync/condvar.h"
#include "rt/sync/plain.h"
#include "rt/sync/vtime.h"
#include "rt/weak/kernel_look.h"
#include "rt/weak/weak_step.h"

#define SECOND 1000000000ll

struct Futex {
    uint64_t resource;
    int64_t value;          /* stands for the threads that wait; 0 if none does */
    ThreadRecord **waiters; /* by agent number                                  */
    uint32_t count, capacity;
    KernelLock lock;        /* used under weak memory                           */
};

/* ---- The threads that wait ------------------------------------------------------- */

static void make_empty(void *state, const void *object)
{
    uint64_t resource = resource_of(RES_FUTEX, object);
    *(Futex *)state = (Futex){.resource = resource, .lock.resource = resource + 2};
}

/* Private and shared waits at one word do not meet, as in the kernel. Words are aligned, so the lowest bit tells
 * them apart, and the next one the lock of a set from the set. */
static Futex *futex_of(const uint32_t *word, int operation)
{
    const char *name = (const char *)word + !(operation & FUTEX_PRIVATE_FLAG);
    return object_state(RES_FUTEX, name, sizeof(Futex), make_empty);
}

static uint64_t wake_of(const ThreadRecord *thread) { return resource_make(RES_WAKE, thread->agent); }

/* What one thread adds to the value. */
static uint64_t mark_of(const ThreadRecord *thread)
{
    uint64_t x = ((uint64_t)thread->agent + 1) << 32 | thread->futex_bits;
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 29) | 1;
}

static void add_waiter(Futex *futex, ThreadRecord *thread)
{
    if (futex->count == futex->capacity) {
        ThreadRecord **old = futex->waiters;
        futex->capacity = futex->capacity ? 2 * futex->capacity : 4;
        futex->waiters = transient_alloc(futex->capacity * sizeof *old);
        for (uint32_t i = 0; i < futex->count; i++)
            futex->waiters[i] = old[i];
    }
    uint32_t place = futex->count++;
    for (; place > 0 && futex->waiters[place - 1]->agent > thread->agent; place--)
        futex->waiters[place] = futex->waiters[place - 1];
    futex->waiters[place] = thread;
    futex->value = (int64_t)((uint64_t)futex->value + mark_of(thread));
    thread->futex = futex;
}

static void remove_waiter(Futex *futex, ThreadRecord *thread)
{
    uint32_t place = 0;
    while (futex->waiters[place] != thread)
        place++;
    futex->count--;
    for (; place < futex->count; place++)
        futex->waiters[place] = futex->waiters[place + 1];
    futex->value = (int64_t)((uint64_t)futex->value - mark_of(thread));
    thread->futex = NULL;
}

/* Records the change of the set in an access of its own to the step being executed. */
static void record_change(const Futex *futex, Mode mode, int64_t before)
{
    Access *access = step_touch(futex->resource, mode);
    access->before = before;
    access->after = futex->value;
}

/* ---- The word ------------------------------------------------------------------------- */

static Word word_at(const uint32_t *word) { return word_first(address_of(word), sizeof *word); }

static void announce_word(OpKind op, Word word, Mode mode)
{
    Access *access = step_begin(op, word_resource(word.address));
    access->lanes = word.lanes;
    access->mode = (uint8_t)mode;
    step_opaque();
}

/* The value of the word, inside the step that announced it. Relaxed: the program has to synchronise by itself. */
static uint32_t read_word(Word word, bool writes)
{
    memory_check_in_step(word.address, word.size, writes);
    if (tracking.on && shadow_memory_touched(word.address))
        concretise_memory(word.address, word.size, "the word of a futex");
    uint32_t value = (uint32_t)word_load(word.address, word.size);
    step_value(0, value, value);
    race_log_add(writes ? LOG_RMW : LOG_LOAD, word.address, __ATOMIC_RELAXED);
    race_atomic(word, writes);
    return value;
}

static void write_word(Word word, uint32_t before, uint32_t after)
{
    if (tracking.on) {
        atomic_store_in_step(word, after, 0);
        stamp_stored(word, false);
    } else {
        globals_note_write(word.address, word.size);
        word_store(word.address, after, word.size);
    }
    step_value(0, before, after);
}

/* ---- Addresses ---------------------------------------------------------------------------- */

/* The shadow of memory that has been given rights, or lost them (mmap, mprotect, munmap); 8 for other memory. */
static uint8_t rights_at(uint64_t address)
{
    const Block *block = in_heaps(address) ? memory_find_block(address) : NULL;
    if (!block || (!block->mapped && !block->protect_clock) || address - block->address >= block->size)
        return 8;
    return block->freed ? SHADOW_FREED : pages_rights(block, address & ~(uint64_t)(PAGE_SIZE - 1));
}

/* May the kernel access the word? Of memory that is not the program's the real kernel knows. */
static bool is_accessible(const void *word, bool writes)
{
    uint64_t address = address_of(word);
    uint8_t shadow = rights_at(address);
    if (in_arena(address))
        return shadow && shadow != SHADOW_FREED && (shadow != SHADOW_READABLE || !writes);
    uint32_t operation = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0), mine = 0;
    int kept = errno;
    long result = writes ? syscall(SYS_futex, &mine, FUTEX_WAKE_OP_PRIVATE, 0, 0, word, operation)
                         : syscall(SYS_futex, word, FUTEX_WAKE, 0, 0, 0, 0);
    bool faults = result < 0 && errno == EFAULT;
    errno = kept;
    return !faults;
}

/* 0 or what is wrong with the address of a word. Private operations that do not access it need no memory there; others
 * need memory that can change. */
static int check_word(const uint32_t *word, int operation)
{
    if (address_of(word) % 4)
        return EINVAL;
    if (address_of(word) >= ADDRESS_SPACE - 4096)
        return EFAULT;
    return operation & FUTEX_PRIVATE_FLAG || is_accessible(word, in_arena(address_of(word))) ? 0 : EFAULT;
}

static int check_words(const FutexCall *call)
{
    int error = check_word(call->word, call->operation);
    return error ? error : check_word(call->other, call->operation);
}

/* ---- Waiting ----------------------------------------------------------------------------- */

typedef struct FutexWait {
    Futex *futex;
    Word word;
    uint32_t expected;
    uint32_t bits;
    bool timed;
    bool unasked;      /* may return without a wake-up */
    int64_t duration;  /* nanoseconds until it times out */
} FutexWait;

static void enqueue(const FutexWait *wait, ThreadRecord *self)
{
    int64_t before = wait->futex->value;
    self->futex_bits = wait->bits;
    add_waiter(wait->futex, self);
    record_change(wait->futex, MODE_ACCUMULATE, before);
}

static bool fall_asleep_weakly(const FutexWait *wait, ThreadRecord *self)
{
    kernellook_begin(OP_FUTEX_WAIT, &wait->futex->lock, NULL);
    bool waits = kernellook_read(wait->word) == wait->expected;
    step_begin(OP_FUTEX_WAIT, 0);
    kernellook_announce(&wait->futex->lock, true);
    step_wait();
    kernellook_end(&wait->futex->lock);
    if (waits)
        enqueue(wait, self);
    step_done();
    return waits;
}

/* False if the word holds another value. */
static bool fall_asleep(const FutexWait *wait, ThreadRecord *self)
{
    if (weak_applies(rt.self))
        return fall_asleep_weakly(wait, self);
    announce_word(OP_FUTEX_WAIT, wait->word, MODE_READ);
    step_wait();
    bool waits = read_word(wait->word, false) == wait->expected;
    if (waits)
        enqueue(wait, self);
    step_done();
    return waits;
}

/* Stops waiting without a wake-up, wherever a requeue has moved the thread. */
static int leave(const FutexWait *wait, ThreadRecord *self)
{
    Futex *futex = self->futex;
    int64_t before = futex->value;
    remove_waiter(futex, self);
    record_change(futex, MODE_ACCUMULATE, before);
    if (wait->timed) {
        sync_time_out_after(wait->duration);
        return ETIMEDOUT;
    }
    self->spurious++;
    return 0;
}

static int wake_up(const FutexWait *wait, ThreadRecord *self)
{
    Access *access = step_begin(OP_FUTEX_RETURN, wake_of(self));
    if (wait->unasked)
        step_opaque();
    else
        step_guard(access, &self->woken, REL_SGT, 0);
    step_wait();
    int64_t woken = self->woken;
    int error = 0;
    self->woken = WAKE_NONE;
    step_value(0, woken, WAKE_NONE);
    if (woken > 0)
        race_acquire(wake_of(self));
    else
        error = leave(wait, self);
    step_done();
    return error;
}

static bool may_return_unasked(bool timed)
{
    return timed ? sync_may_time_out() : sync_may_wake_spuriously();
}

static int wait_for_wake(const FutexWait *wait)
{
    const SennitSite *site = sennit_rt_site;
    ThreadRecord *self = lifetime_self();
    if (!fall_asleep(wait, self))
        return EAGAIN;
    sennit_rt_site = site;
    sync_wait_past_bound(wait->timed && !wait->unasked);
    int error = wake_up(wait, self);
    sync_wait_past_bound(false);
    return error;
}

/* FUTEX_WAIT gets a duration, FUTEX_WAIT_BITSET a point in time. 0 or an error. */
static int read_timeout(const FutexCall *call, FutexWait *wait)
{
    const struct timespec *time = (const struct timespec *)(uintptr_t)call->timeout;
    if (!time)
        return 0;
    if (!is_accessible((const void *)(uintptr_t)(call->timeout & ~3ull), false))
        return EFAULT;
    plain_use(time, sizeof *time);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= SECOND)
        return EINVAL;
    wait->timed = true;
    if ((call->operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        wait->duration = time->tv_sec > INT_MAX ? (int64_t)INT_MAX * SECOND : time->tv_sec * SECOND + time->tv_nsec;
    else
        wait->duration = vtime_until(call->operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
    return 0;
}

static int perform_wait(const FutexCall *call, uint32_t bits)
{
    FutexWait wait = {.word = word_at(call->word), .expected = call->value, .bits = bits};
    int error = read_timeout(call, &wait);
    if (!error)
        error = bits ? check_word(call->word, call->operation) : EINVAL;
    if (error)
        return error;
    if (!is_accessible(call->word, false))
        return EFAULT;
    wait.futex = futex_of(call->word, call->operation);
    wait.unasked = may_return_unasked(wait.timed);
    return wait_for_wake(&wait);
}

/* ---- Waking ---------------------------------------------------------------------------------- */

static uint32_t count_matching(const Futex *futex, uint32_t bits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < futex->count; i++)
        count += (futex->waiters[i]->futex_bits & bits) != 0;
    return count;
}

/* Calls `act` for `picks` of the threads that match, all of them if there are fewer; which ones is a choice. */
static uint32_t pick(Futex *futex, uint32_t bits, uint32_t picks, void (*act)(ThreadRecord *, void *), void *context)
{
    uint32_t left = count_matching(futex, bits), picked = 0, skip;
    if (picks > left)
        picks = left;
    for (uint32_t place = 0; picked < picks; left -= skip + 1, picked++) {
        uint32_t spare = left - (picks - picked);
        skip = spare ? step_choose(spare + 1) : 0;
        for (uint32_t passed = 0;; place++) {
            ThreadRecord *thread = futex->waiters[place];
            if (!(thread->futex_bits & bits) || passed++ < skip)
                continue;
            act(thread, context); /* which takes it out of the set */
            break;
        }
    }
    return picked;
}

static void wake_thread(ThreadRecord *thread, void *context)
{
    (void)context;
    remove_waiter(thread->futex, thread);
    race_release(wake_of(thread));
    Access *access = step_touch(wake_of(thread), MODE_WRITE);
    access->before = thread->woken;
    access->after = WAKE_SIGNAL;
    thread->woken = WAKE_SIGNAL;
}

/* The thread's RES_WAKE says where it waits, since a time-out accesses that. */
static void move_thread(ThreadRecord *thread, void *context)
{
    Futex *to = context;
    remove_waiter(thread->futex, thread);
    add_waiter(to, thread);
    Access *access = step_touch(wake_of(thread), MODE_WRITE);
    access->before = thread->woken;
    access->after = thread->woken = -(int64_t)(uintptr_t)sync_object(to->resource);
}

static uint32_t wake_some(Futex *futex, uint32_t count, uint32_t bits)
{
    return pick(futex, bits, count, wake_thread, NULL);
}

/* The kernel wakes one thread where none was asked for. */
static uint32_t at_least_one(uint32_t count) { return (int32_t)count > 0 ? count : 1; }

static long perform_wake(const FutexCall *call, uint32_t bits)
{
    int error = bits ? check_word(call->word, call->operation) : EINVAL;
    if (error)
        return -error;
    Futex *futex = futex_of(call->word, call->operation);
    kernellook_fence();
    step_switch(step_begin(OP_FUTEX_WAKE, futex->resource), REL_NE, 0, MODE_WRITE, MODE_READ);
    step_opaque();
    kernellook_announce(&futex->lock, false);
    step_wait();
    kernellook_end(&futex->lock);
    int64_t before = futex->value;
    bool any = count_matching(futex, bits) > 0;
    step_mode(0, any ? MODE_WRITE : MODE_READ);
    step_value(0, before, before);
    uint32_t woken = wake_some(futex, at_least_one(call->value), bits);
    step_value(0, before, futex->value);
    step_done();
    return woken;
}

/* Sets the values of the access to a set that the step has changed. */
static void set_values(const Futex *futex, int64_t before)
{
    Access *access = step_find(futex->resource);
    access->before = before;
    access->after = futex->value;
}

/* Wakes threads at one word inside a step that has not accessed their set yet. */
static uint32_t wake_also(Futex *futex, uint32_t count)
{
    int64_t before = futex->value;
    step_touch(futex->resource, futex->count ? MODE_WRITE : MODE_READ);
    uint32_t woken = wake_some(futex, count, UINT32_MAX);
    set_values(futex, before);
    return woken;
}

/* Does the word hold the expected value? The step that moves the threads is then being executed. */
static bool begin_requeue(Futex *from, Futex *to, Word word, const uint32_t *expected)
{
    bool weak = weak_applies(rt.self), equal = true;
    if (weak && expected) {
        kernellook_begin(OP_FUTEX_REQUEUE, &from->lock, &to->lock);
        equal = kernellook_read(word) == *expected;
    }
    if (expected && !weak) {
        announce_word(OP_FUTEX_REQUEUE, word, MODE_READ);
    } else {
        step_switch(step_begin(OP_FUTEX_REQUEUE, from->resource), REL_NE, 0, MODE_WRITE, MODE_READ);
        step_opaque();
    }
    kernellook_announce(&from->lock, expected);
    kernellook_announce(&to->lock, expected);
    step_wait();
    kernellook_end(&from->lock);
    kernellook_end(&to->lock);
    return expected && !weak ? read_word(word, false) == *expected : equal;
}

/* Wakes some threads and moves others to another word. `expected` NULL: whatever the word holds. */
static long perform_requeue(const FutexCall *call, const uint32_t *expected)
{
    Futex *from = futex_of(call->word, call->operation), *to = futex_of(call->other, call->operation);
    Word word = word_at(call->word);
    uint32_t wakes = call->value, moves = (uint32_t)call->timeout;
    if ((int32_t)wakes < 0 || (int32_t)moves < 0)
        return -EINVAL;
    int error = check_words(call);
    if (!error && expected && !is_accessible(call->word, false))
        error = EFAULT;
    if (error)
        return -error;
    if (from == to)
        report_not_modelled("FUTEX_REQUEUE to the same word");
    kernellook_fence();
    if (!begin_requeue(from, to, word, expected)) {
        step_done();
        return -EAGAIN;
    }
    int64_t before = from->value, to_before = to->value;
    Access *access = step_find(from->resource);
    if (!access)
        access = step_touch(from->resource, MODE_READ);
    access->mode = from->count ? MODE_WRITE : MODE_READ;
    uint32_t woken = wake_some(from, wakes, UINT32_MAX);
    uint32_t moved = pick(from, UINT32_MAX, moves, move_thread, to);
    set_values(from, before);
    if (moved)
        record_change(to, MODE_ACCUMULATE, to_before);
    step_done();
    return woken + moved;
}

/* ---- Waking with an operation -------------------------------------------------------------------- */

static int32_t sign_extend12(uint32_t bits) { return (int32_t)(bits << 20) >> 20; }

static uint32_t operate(uint32_t code, uint32_t old, uint32_t operand)
{
    switch (code) {
    case FUTEX_OP_SET: return operand;
    case FUTEX_OP_ADD: return old + operand;
    case FUTEX_OP_OR: return old | operand;
    case FUTEX_OP_ANDN: return old & ~operand;
    default: return old ^ operand;
    }
}

static bool compares(uint32_t code, int32_t old, int32_t with)
{
    switch (code) {
    case FUTEX_OP_CMP_EQ: return old == with;
    case FUTEX_OP_CMP_NE: return old != with;
    case FUTEX_OP_CMP_LT: return old < with;
    case FUTEX_OP_CMP_LE: return old <= with;
    case FUTEX_OP_CMP_GT: return old > with;
    default: return old >= with;
    }
}

static uint32_t update_of(uint32_t code)
{
    switch (code) {
    case FUTEX_OP_SET: return SENNIT_RMW_XCHG;
    case FUTEX_OP_ADD: return SENNIT_RMW_ADD;
    case FUTEX_OP_OR: return SENNIT_RMW_OR;
    case FUTEX_OP_ANDN: return SENNIT_RMW_AND;
    default: return SENNIT_RMW_XOR;
    }
}

/* The value that the other word held, inside the step that wakes threads. */
static uint32_t begin_wake_op(Futex *first, Futex *second, Word other, uint32_t code, uint32_t operand)
{
    uint32_t old;
    if (!weak_applies(rt.self)) {
        announce_word(OP_FUTEX_WAKE, other, MODE_WRITE);
        step_wait();
        old = read_word(other, true);
        write_word(other, old, operate(code, old, operand));
        return old;
    }
    kernellook_begin(OP_FUTEX_WAKE, &first->lock, &second->lock);
    old = kernellook_update(other, update_of(code), code == FUTEX_OP_ANDN ? ~operand : operand);
    step_begin(OP_FUTEX_WAKE, 0);
    kernellook_announce(&first->lock, true);
    kernellook_announce(&second->lock, true);
    step_opaque();
    step_wait();
    kernellook_end(&first->lock);
    kernellook_end(&second->lock);
    return old;
}

/* Changes the other word, wakes threads at the first one and, if the old value says so, at the other. */
static long perform_wake_op(const FutexCall *call)
{
    Word other = word_at(call->other);
    Futex *first = futex_of(call->word, call->operation), *second = futex_of(call->other, call->operation);
    uint32_t code = call->third >> 28 & 7, relation = call->third >> 24 & 15;
    uint32_t operand = (uint32_t)sign_extend12(call->third >> 12 & 0xfff);
    int error = check_words(call);
    if (!error && code > FUTEX_OP_XOR)
        error = ENOSYS;
    if (!error && !is_accessible(call->other, true))
        error = EFAULT;
    if (!error && relation > FUTEX_OP_CMP_GE)
        error = ENOSYS;
    if (error)
        return -error;
    if (first == second)
        report_not_modelled("FUTEX_WAKE_OP on one word");
    if (call->third >> 28 & FUTEX_OP_OPARG_SHIFT)
        operand = 1u << (operand & 31);
    uint32_t old = begin_wake_op(first, second, other, code, operand);
    uint32_t woken = wake_also(first, at_least_one(call->value));
    if (compares(relation, (int32_t)old, sign_extend12(call->third & 0xfff)))
        woken += wake_also(second, at_least_one((uint32_t)call->timeout));
    step_done();
    return woken;
}

/* ---- The system call ------------------------------------------------------------------------------ */

static long perform(const FutexCall *call)
{
    switch (call->operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return -perform_wait(call, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAIT_BITSET: return -perform_wait(call, call->third);
    case FUTEX_WAKE: return perform_wake(call, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET: return perform_wake(call, call->third);
    case FUTEX_REQUEUE: return perform_requeue(call, NULL);
    case FUTEX_CMP_REQUEUE: return perform_requeue(call, &call->third);
    case FUTEX_WAKE_OP: return perform_wake_op(call);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI: report_not_modelled("an operation of SYS_futex with priority inheritance");
    default: return -ENOSYS;
    }
}

long futex_call(const FutexCall *call)
{
    long result = perform(call);
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

const void *futex_waited_at(AgentId agent)
{
    const ThreadRecord *thread = *thread_slot(agent);
    return thread && thread->futex ? (const void *)((uintptr_t)sync_object(thread->futex->resource) & ~3ull) : NULL;
}
