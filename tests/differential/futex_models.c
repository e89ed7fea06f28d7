/* futex_models.c - futexes against brute force, see models.h */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "models.h"
#include "rt/abi/hooks.h"
#include "rt/libc/api_libc.h"

/* ---- Programs ------------------------------------------------------------------- */

#define OPERATIONS(_) \
    _(wait) _(wait_timed) _(set) _(wake) _(wake_all) _(lock) _(lock_timed) _(broadcast) _(broadcast_if) \
    _(wait_bits) _(wake_bits) _(wake_op) _(wake_two)

static struct {
    uint32_t word[2];
    uint32_t lock[2];
    int protected[2];
} shared;

static const struct timespec soon = {.tv_sec = 1};

static long futex(uint32_t *word, int operation, uint32_t value, const void *timeout, uint32_t *other, uint32_t third)
{
    long result = sennit_rt_syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, timeout, other, third);
    return result < 0 ? -errno : result;
}

static void add(uint32_t *word, uint32_t value)
{
    sennit_rt_atomic_rmw(word, SENNIT_RMW_ADD, value, 4, __ATOMIC_SEQ_CST, 0, NULL);
}

/* ---- Words ------------------------------------------------------------------------- */

static void op_wait(int n) { see((int)futex(&shared.word[n], FUTEX_WAIT, 0, NULL, NULL, 0)); }
static void op_wait_timed(int n) { see((int)futex(&shared.word[n], FUTEX_WAIT, 0, &soon, NULL, 0)); }
static void op_set(int n) { add(&shared.word[n], 1); }
static void op_wake(int n) { see((int)futex(&shared.word[n], FUTEX_WAKE, 1, NULL, NULL, 0)); }

static void op_wake_all(int n)
{
    add(&shared.word[n], 1);
    see((int)futex(&shared.word[n], FUTEX_WAKE, INT_MAX, NULL, NULL, 0));
}

/* Wakes two of three, which is a choice. */
static void op_wake_two(int n) { see((int)futex(&shared.word[n], FUTEX_WAKE, 2, NULL, NULL, 0)); }

static void op_broadcast(int n)
{
    see((int)futex(&shared.word[n], FUTEX_REQUEUE, 1, (void *)1, &shared.word[1 - n], 0));
}

static void op_broadcast_if(int n)
{
    see((int)futex(&shared.word[n], FUTEX_CMP_REQUEUE, 0, (void *)INT_MAX, &shared.word[1 - n], 0));
}

static void op_wait_bits(int n)
{
    see((int)futex(&shared.word[0], FUTEX_WAIT_BITSET, 0, n ? &soon : NULL, NULL, 1u << n));
}

static void op_wake_bits(int n)
{
    see((int)futex(&shared.word[0], FUTEX_WAKE_BITSET, 1, NULL, NULL, 1u << n | 4));
}

static void op_wake_op(int n)
{
    see((int)futex(&shared.word[n], FUTEX_WAKE_OP, 1, (void *)1, &shared.word[1 - n],
                   FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_GT, 0)));
}

/* ---- A lock: 0 free, 1 locked, 2 locked and perhaps waited for -------------------------- */

static void use_lock(int n, const struct timespec *timeout)
{
    uint32_t *lock = &shared.lock[n];
    if (sennit_rt_atomic_cas(lock, 0, 1, 4, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, 0, NULL) != 0)
        while (sennit_rt_atomic_rmw(lock, SENNIT_RMW_XCHG, 2, 4, __ATOMIC_ACQUIRE, 0, NULL) != 0)
            if (futex(lock, FUTEX_WAIT, 2, timeout, NULL, 0) == -ETIMEDOUT) {
                see(-1);
                return;
            }
    see(shared.protected[n]++);
    if (sennit_rt_atomic_rmw(lock, SENNIT_RMW_XCHG, 0, 4, __ATOMIC_RELEASE, 0, NULL) == 2)
        futex(lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void op_lock(int n) { use_lock(n, NULL); }
static void op_lock_timed(int n) { use_lock(n, &soon); }

/* ---- The test ----------------------------------------------------------------------------- */

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name},
    OPERATIONS(OPERATION)
#undef OPERATION
};

static void prepare(void) { memset(&shared, 0, sizeof shared); }

int main(int argc, char **argv)
{
    static const Models models = {operations, sizeof operations / sizeof *operations, prepare};
    return models_main(argc, argv, &models);
}
