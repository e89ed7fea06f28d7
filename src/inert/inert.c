/* inert.c - instrumented code outside a test: every hook just performs its operation
 *
 * A shared library is an ordinary library that any process may load, also if its objects
 * were instrumented. Linked into it, this file provides hooks of its own, so that it behaves as
 * if it had not been instrumented.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/event.h"
#include "rt/abi/hooks.h"
#include "rt/abi/shadow_hooks.h"

/* ---- Redirected calls reach the real functions ---------------------------------------- */

#if defined __x86_64__
#define JUMP "jmp "
#define PLT "@PLT"
#else
#define JUMP "b "
#define PLT ""
#endif
#define REDIRECT(name)                                                           \
    __asm__(".text\n.globl sennit_rt_" #name "\n.hidden sennit_rt_" #name "\n"          \
            ".type sennit_rt_" #name ",%function\n"                                     \
            "sennit_rt_" #name ":\n.weak " #name "\n" JUMP #name PLT "\n");
#define PURE(name)
#include "rt/abi/library.def"
#undef REDIRECT
#undef PURE

/* Stubs in instrumented modules have the address of the real function in a register (instr/module/stub.c). */
#if defined __x86_64__
#define CALL_REAL "jmp *%r11"
#else
#define CALL_REAL "br x10"
#endif
__asm__(".text\n.globl sennit_rt_checked\n.hidden sennit_rt_checked\n.type sennit_rt_checked,%function\n"
        "sennit_rt_checked:\n" CALL_REAL "\n");

/* What assembly was translated to, as functions. */
long __sennit_system_call(long number, long a, long b, long c, long d, long e, long f);
unsigned long __sennit_time_stamp(void);
unsigned long __sennit_random_number(void);

long __sennit_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    int before = errno;
    long result = syscall(number, a, b, c, d, e, f);
    result = result == -1 ? -errno : result;
    errno = before;
    return result;
}

unsigned long __sennit_time_stamp(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000000000ul + (unsigned long)now.tv_nsec;
}

unsigned long __sennit_random_number(void)
{
    unsigned long number = 0;
    return getentropy(&number, sizeof number) == 0 ? number : 0;
}

#define TRACKED(result, name, ...)                                               \
    __asm__(".text\n.globl sennit_tracked_" #name "\n.hidden sennit_tracked_" #name "\n"  \
            ".type sennit_tracked_" #name ",%function\n"                               \
            "sennit_tracked_" #name ":\n.weak " #name "\n" JUMP #name PLT "\n");
#include "tracked/tracked.def"

/* ---- Hooks without effect --------------------------------------------------------- */

const SennitSite *sennit_rt_site;

#define ACCESS(n)                                                 \
    void sennit_rt_read##n(const void *p, const SennitSite *site) \
    {                                                             \
        (void)p;                                                  \
        (void)site;                                               \
    }                                                             \
    void sennit_rt_write##n(void *p, const SennitSite *site)      \
    {                                                             \
        (void)p;                                                  \
        (void)site;                                               \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)

void sennit_rt_read_n(const void *p, uint64_t size, const SennitSite *site)
{
    (void)p;
    (void)size;
    (void)site;
}

void sennit_rt_write_n(void *p, uint64_t size, const SennitSite *site)
{
    (void)p;
    (void)size;
    (void)site;
}

void sennit_rt_within(const void *p, uint64_t size, const void *object, uint64_t object_size, const char *name,
                      const SennitSite *site)
{
    (void)p, (void)size, (void)object, (void)object_size, (void)name, (void)site;
}

void sennit_rt_within_field(uint64_t outside, uint64_t offset, uint64_t size, uint64_t room, const SennitSite *site)
{
    (void)outside, (void)offset, (void)size, (void)room, (void)site;
}

void sennit_rt_divide(uint32_t zero, uint32_t overflows, const SennitSite *site)
{
    (void)zero, (void)overflows, (void)site;
}
void sennit_rt_constant_write(void *p, const SennitSite *site) { (void)p, (void)site; }

void sennit_rt_guard(const void *p, uint64_t size, uint64_t red_zone, const char *name)
{
    (void)p, (void)size, (void)red_zone, (void)name;
}

uint64_t sennit_rt_guard_enter(uint64_t frame, const SennitSite *site)
{
    (void)frame, (void)site;
    return 0;
}

void sennit_rt_guard_claim(const void *p, uint64_t size, const SennitSite *site)
{
    (void)p, (void)size, (void)site;
}

void sennit_rt_guard_cut(const void *stack) { (void)stack; }
void sennit_rt_jump_set(const void *place, int32_t result) { (void)place, (void)result; }
void sennit_rt_library_variable(const char *name, const SennitSite *site) { (void)name, (void)site; }

void sennit_rt_guard_leave(uint64_t number) { (void)number; }

#define NOTICE(name)                           \
    void sennit_rt_##name(const SennitSite *site) \
    {                                          \
        (void)site;                            \
    }
uint8_t sennit_rt_noise;
uint8_t sennit_rt_failed;
NOTICE(spin_enter)
NOTICE(spin_repeat)
NOTICE(atomic_section_begin)
NOTICE(atomic_section_end)

void sennit_rt_spin_again(const SennitSite *site)
{
    (void)site;
    sched_yield();
}

void sennit_rt_spin_retry(const SennitSite *site)
{
    (void)site;
}

void sennit_rt_spin_leave(void)
{
}

/* ---- Identities of threads -------------------------------------------------------------- */

#if defined __x86_64__
uint64_t sennit_rt_thread_slot(uint64_t offset)
{
    uint64_t word;
    __asm__ volatile("mov %%fs:(%1), %0" : "=r"(word) : "r"(offset));
    return word;
}

uint64_t sennit_rt_thread_pointer(void) { return sennit_rt_thread_slot(0); }
#else
uint64_t sennit_rt_thread_pointer(void)
{
    uint64_t pointer;
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
    return pointer;
}

uint64_t sennit_rt_thread_slot(uint64_t offset)
{
    return *(const uint64_t *)(uintptr_t)(sennit_rt_thread_pointer() + offset);
}
#endif

int *sennit_rt_errno_value(void) { return __errno_location(); }

/* ---- Local variables that are blocks of the heap --------------------------------------- */

typedef struct InertLocal {
    struct InertLocal *outer;
    uint64_t number; /* how many there were before it */
    void *block;     /* NULL: it has ended            */
    const void *place;
} InertLocal;

static _Thread_local InertLocal *locals;

void *sennit_rt_local(uint64_t size, uint64_t alignment, const SennitSite *site)
{
    (void)site;
    InertLocal *local = malloc(sizeof *local);
    uint64_t unit = alignment > sizeof(void *) ? alignment : sizeof(void *);
    void *block = aligned_alloc(unit, (size / unit + 1) * unit);
    if (!local || !block)
        abort();
    *local = (InertLocal){.outer = locals, .number = locals ? locals->number + 1 : 1, .block = block};
    locals = local;
    return block;
}

static InertLocal *find_local(const void *block)
{
    InertLocal *local = locals;
    while (local && local->block != block)
        local = local->outer;
    return local;
}

void sennit_rt_local_end(void *variable, const SennitSite *site)
{
    (void)site;
    InertLocal *local = variable ? find_local(variable) : NULL;
    if (!local)
        return;
    free(local->block);
    local->block = NULL;
}

void sennit_rt_local_place(void *variable, const void *place) { find_local(variable)->place = place; }

uint64_t sennit_rt_frame_enter(void) { return locals ? locals->number : 0; }

void sennit_rt_frame_cut(uint64_t mark, const void *stack, const SennitSite *site)
{
    for (InertLocal *local = locals; local && local->number > mark; local = local->outer)
        if (local->place && (uintptr_t)local->place < (uintptr_t)stack)
            sennit_rt_local_end(local->block, site);
}

void sennit_rt_frame_leave(uint64_t mark, const SennitSite *site)
{
    (void)site;
    while (locals && locals->number > mark) {
        InertLocal *outer = locals->outer;
        free(locals->block);
        free(locals);
        locals = outer;
    }
}

/* ---- Nothing is tracked: no value has a shadow ------------------------------------ */

uint8_t sennit_rt_tracking, sennit_rt_check_overflow;
SennitShadowCall sennit_rt_shadow_call;
uint8_t sennit_rt_shadow_map[SENNIT_SHADOW_MAP];

#if defined __x86_64__
#define NONE "xorl %eax, %eax\nret"
#else
#define NONE "mov w0, wzr\nret"
#endif
#define SHADOW(name)                                                                            \
    __asm__(".text\n.globl sennit_rt_shadow_" #name "\n.hidden sennit_rt_shadow_" #name "\n"     \
            ".type sennit_rt_shadow_" #name ",%function\nsennit_rt_shadow_" #name ":\n" NONE "\n");
#include "rt/abi/shadow_hooks.def"
#undef SHADOW

/* Visible operations. The shadows come after the other arguments, so the plain hook ignores them. */
#define ACTS(name, hook)                                                                       \
    __asm__(".text\n.globl sennit_rt_shadow_" #name "\n.hidden sennit_rt_shadow_" #name "\n"     \
            ".type sennit_rt_shadow_" #name ",%function\nsennit_rt_shadow_" #name ":\n" JUMP "sennit_rt_" #hook "\n");
ACTS(cas, atomic_cas)
ACTS(atomic_load, atomic_load)
ACTS(atomic_store, atomic_store)
ACTS(atomic_rmw, atomic_rmw)
ACTS(await, atomic_await)
ACTS(await_rmw, atomic_await_rmw)
ACTS(await_cas, atomic_await_cas)
ACTS(assume, atomic_assume)
ACTS(assume_rmw, atomic_assume_rmw)
ACTS(assume_cas, atomic_assume_cas)

/* ---- One word: the machine's own atomics, always in sequential order ---------- */

static uint64_t load(const void *p, uint32_t size)
{
    switch (size) {
    case 1: return __atomic_load_n((const uint8_t *)p, __ATOMIC_SEQ_CST);
    case 2: return __atomic_load_n((const uint16_t *)p, __ATOMIC_SEQ_CST);
    case 4: return __atomic_load_n((const uint32_t *)p, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((const uint64_t *)p, __ATOMIC_SEQ_CST);
    }
}

/* The value found. */
static uint64_t swap(void *p, uint64_t expected, uint64_t desired, uint32_t size)
{
    switch (size) {
    case 1: return __sync_val_compare_and_swap((uint8_t *)p, (uint8_t)expected, (uint8_t)desired);
    case 2: return __sync_val_compare_and_swap((uint16_t *)p, (uint16_t)expected, (uint16_t)desired);
    case 4: return __sync_val_compare_and_swap((uint32_t *)p, (uint32_t)expected, (uint32_t)desired);
    default: return __sync_val_compare_and_swap((uint64_t *)p, expected, desired);
    }
}

static uint64_t low_bytes(uint64_t value, uint32_t size)
{
    return size >= 8 ? value : value & ((1ull << (8 * size)) - 1);
}

static int64_t as_signed(uint64_t value, uint32_t size)
{
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static uint64_t update_float(uint32_t op, uint64_t a, uint64_t b)
{
    float x, y;
    uint64_t bits = 0;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = op == SENNIT_RMW_FADD ? x + y : op == SENNIT_RMW_FSUB ? x - y : (op == SENNIT_RMW_FMAX) == (x > y) ? x : y;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

static uint64_t update_double(uint32_t op, uint64_t a, uint64_t b)
{
    double x, y;
    uint64_t bits;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = op == SENNIT_RMW_FADD ? x + y : op == SENNIT_RMW_FSUB ? x - y : (op == SENNIT_RMW_FMAX) == (x > y) ? x : y;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

static uint64_t update(uint32_t op, uint64_t a, uint64_t b, uint32_t size)
{
    int64_t sa = as_signed(a, size), sb = as_signed(b, size);
    switch (op) {
    case SENNIT_RMW_XCHG: return b;
    case SENNIT_RMW_ADD: return a + b;
    case SENNIT_RMW_SUB: return a - b;
    case SENNIT_RMW_AND: return a & b;
    case SENNIT_RMW_NAND: return ~(a & b);
    case SENNIT_RMW_OR: return a | b;
    case SENNIT_RMW_XOR: return a ^ b;
    case SENNIT_RMW_MAX: return sa > sb ? a : b;
    case SENNIT_RMW_MIN: return sa < sb ? a : b;
    case SENNIT_RMW_UMAX: return a > b ? a : b;
    case SENNIT_RMW_UMIN: return a < b ? a : b;
    default: return size == 4 ? update_float(op, a, b) : update_double(op, a, b);
    }
}

uint64_t sennit_rt_atomic_load(const void *p, uint32_t size, uint32_t order, const SennitSite *site)
{
    (void)order;
    (void)site;
    return load(p, size);
}

uint64_t sennit_rt_atomic_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order, uint32_t unused,
                              const SennitSite *site)
{
    (void)order;
    (void)unused;
    (void)site;
    for (uint64_t old = load(p, size);;) {
        uint64_t found = swap(p, old, update(op, old, low_bytes(value, size), size), size);
        if (found == old)
            return old;
        old = found;
    }
}

void sennit_rt_atomic_store(void *p, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site)
{
    sennit_rt_atomic_rmw(p, SENNIT_RMW_XCHG, value, size, order, 1, site);
}

uint64_t sennit_rt_atomic_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                              uint32_t failure, uint32_t weak, const SennitSite *site)
{
    (void)success;
    (void)failure;
    (void)weak;
    (void)site;
    return swap(p, expected, desired, size);
}

void sennit_rt_atomic_fence(uint32_t order, const SennitSite *site)
{
    (void)order;
    (void)site;
    __sync_synchronize();
}

/* ---- Larger objects, under one lock -------------------------------------------- */

static pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER;

void sennit_rt_atomic_load_n(uint64_t size, const void *p, void *result, uint32_t order, const SennitSite *site)
{
    (void)order;
    (void)site;
    pthread_mutex_lock(&big_lock);
    memcpy(result, p, size);
    pthread_mutex_unlock(&big_lock);
}

void sennit_rt_atomic_store_n(uint64_t size, void *p, const void *value, uint32_t order, const SennitSite *site)
{
    (void)order;
    (void)site;
    pthread_mutex_lock(&big_lock);
    memcpy(p, value, size);
    pthread_mutex_unlock(&big_lock);
}

void sennit_rt_atomic_xchg_n(uint64_t size, void *p, const void *value, void *result, uint32_t order,
                             const SennitSite *site)
{
    (void)order;
    (void)site;
    pthread_mutex_lock(&big_lock);
    memcpy(result, p, size);
    memcpy(p, value, size);
    pthread_mutex_unlock(&big_lock);
}

uint32_t sennit_rt_atomic_cas_n(uint64_t size, void *p, void *expected, const void *desired, uint32_t success,
                                uint32_t failure, const SennitSite *site)
{
    (void)success;
    (void)failure;
    (void)site;
    pthread_mutex_lock(&big_lock);
    bool same = memcmp(p, expected, size) == 0;
    memcpy(same ? p : expected, same ? desired : p, size);
    pthread_mutex_unlock(&big_lock);
    return same;
}

/* ---- Waits really turn --------------------------------------------------------- */

static bool holds(uint64_t value, uint32_t size, uint32_t relation, uint64_t mask, uint64_t operand)
{
    value &= mask;
    int64_t s = as_signed(value, size), o = as_signed(operand, size);
    switch (relation) {
    case REL_EQ: return value == operand;
    case REL_NE: return value != operand;
    case REL_ULT: return value < operand;
    case REL_ULE: return value <= operand;
    case REL_UGT: return value > operand;
    case REL_UGE: return value >= operand;
    case REL_SLT: return s < o;
    case REL_SLE: return s <= o;
    case REL_SGT: return s > o;
    case REL_SGE: return s >= o;
    default: return true;
    }
}

uint64_t sennit_rt_atomic_await(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                uint64_t operand, const SennitSite *site)
{
    (void)order;
    (void)site;
    for (;;) {
        uint64_t value = load(p, size);
        if (holds(value, size, relation, mask, operand))
            return value;
        sched_yield();
    }
}

uint64_t sennit_rt_atomic_await_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                    uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site)
{
    for (;;) {
        uint64_t old = sennit_rt_atomic_await(p, size, order, relation, mask, operand, site);
        if (swap(p, old, update(op, old, low_bytes(value, size), size), size) == old)
            return old;
    }
}

void sennit_rt_atomic_await_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t order,
                                const SennitSite *site)
{
    (void)order;
    (void)site;
    while (swap(p, expected, desired, size) != expected)
        sched_yield();
}

/* Assumptions do not wait: the program's own call decides. */
uint64_t sennit_rt_atomic_assume(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                 uint64_t operand, const SennitSite *site)
{
    (void)relation;
    (void)mask;
    (void)operand;
    return sennit_rt_atomic_load(p, size, order, site);
}

uint64_t sennit_rt_atomic_assume_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site)
{
    (void)relation;
    (void)mask;
    (void)operand;
    return sennit_rt_atomic_rmw(p, op, value, size, order, 0, site);
}

uint64_t sennit_rt_atomic_assume_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                     uint32_t failure, const SennitSite *site)
{
    return sennit_rt_atomic_cas(p, expected, desired, size, success, failure, 0, site);
}
