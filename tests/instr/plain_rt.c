/* plain_rt.c - a stand-in for the runtime: every hook does its work at once
 *
 * Linked instead of sennit-rt.o it turns an instrumented program back into an ordinary
 * one, so that tests can see whether instrumentation keeps its meaning. With TRACE in the
 * environment each hook prints a line on standard error.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/event.h"
#include "rt/hooks.h"

/* ---- Models are the real functions ---------------------------------------- */

#if defined __x86_64__
#define JUMP "jmp "
#define PLT "@PLT"
#else
#define JUMP "b "
#define PLT ""
#endif
#define REDIRECT(name)                                                           \
    __asm__(".text\n.globl sennit_rt_" #name "\n.type sennit_rt_" #name ",%function\n" \
            "sennit_rt_" #name ":\n.weak " #name "\n" JUMP #name PLT "\n");
#define PURE(name)
#include "rt/redirect.def"
#undef REDIRECT
#undef PURE

/* ---- Trace ---------------------------------------------------------------- */

const SennitSite *sennit_rt_site;
static pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER;
static bool tracing;

static void trace(const char *what, uint64_t size, const SennitSite *site)
{
    if (tracing)
        fprintf(stderr, "%s %llu %s:%u %s\n", what, (unsigned long long)size, site->file, site->line, site->function);
}

#define ACCESS(n)                                                  \
    void sennit_rt_read##n(const void *p, const SennitSite *site)  \
    {                                                              \
        (void)*(volatile const char *)p;                           \
        trace("read", n, site);                                    \
    }                                                              \
    void sennit_rt_write##n(void *p, const SennitSite *site)       \
    {                                                              \
        (void)*(volatile const char *)p;                           \
        trace("write", n, site);                                   \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)

void sennit_rt_read_n(const void *p, uint64_t size, const SennitSite *site)
{
    (void)p;
    trace("read", size, site);
}

void sennit_rt_write_n(void *p, uint64_t size, const SennitSite *site)
{
    (void)p;
    trace("write", size, site);
}

/* ---- Atomics, under one lock ----------------------------------------------- */

static uint64_t get(const void *p, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, p, size);
    return value;
}

static void put(void *p, uint64_t value, uint32_t size)
{
    memcpy(p, &value, size);
}

static int64_t as_signed(uint64_t value, uint32_t size)
{
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static uint64_t fadd(uint64_t a, uint64_t b, uint32_t size, int sign)
{
    uint64_t bits = 0;
    if (size == 4) {
        float x, y;
        memcpy(&x, &a, 4);
        memcpy(&y, &b, 4);
        x += (float)sign * y;
        memcpy(&bits, &x, 4);
    } else {
        double x, y;
        memcpy(&x, &a, 8);
        memcpy(&y, &b, 8);
        x += sign * y;
        memcpy(&bits, &x, 8);
    }
    return bits;
}

static uint64_t apply(uint32_t op, uint64_t a, uint64_t b, uint32_t size)
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
    case SENNIT_RMW_FADD: return fadd(a, b, size, 1);
    case SENNIT_RMW_FSUB: return fadd(a, b, size, -1);
    default: abort();
    }
}

uint64_t sennit_rt_atomic_load(const void *p, uint32_t size, uint32_t order, const SennitSite *site)
{
    (void)order;
    trace("atomic_load", size, site);
    pthread_mutex_lock(&big_lock);
    uint64_t value = get(p, size);
    pthread_mutex_unlock(&big_lock);
    return value;
}

void sennit_rt_atomic_store(void *p, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site)
{
    (void)order;
    trace("atomic_store", size, site);
    pthread_mutex_lock(&big_lock);
    put(p, value, size);
    pthread_mutex_unlock(&big_lock);
}

uint64_t sennit_rt_atomic_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order, uint32_t unused,
                              const SennitSite *site)
{
    (void)order;
    trace(unused ? "atomic_rmw_unused" : "atomic_rmw", size, site);
    pthread_mutex_lock(&big_lock);
    uint64_t old = get(p, size);
    put(p, apply(op, old, value, size), size);
    pthread_mutex_unlock(&big_lock);
    return old;
}

uint64_t sennit_rt_atomic_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                              uint32_t failure, uint32_t weak, const SennitSite *site)
{
    (void)success;
    (void)failure;
    (void)weak;
    trace("atomic_cas", size, site);
    pthread_mutex_lock(&big_lock);
    uint64_t old = get(p, size);
    if (old == expected)
        put(p, desired, size);
    pthread_mutex_unlock(&big_lock);
    return old;
}

void sennit_rt_atomic_fence(uint32_t order, const SennitSite *site)
{
    trace("atomic_fence", order, site);
}

void sennit_rt_atomic_load_n(uint64_t size, const void *p, void *result, uint32_t order, const SennitSite *site)
{
    (void)order;
    trace("atomic_load_n", size, site);
    memcpy(result, p, size);
}

void sennit_rt_atomic_store_n(uint64_t size, void *p, const void *value, uint32_t order, const SennitSite *site)
{
    (void)order;
    trace("atomic_store_n", size, site);
    memcpy(p, value, size);
}

void sennit_rt_atomic_xchg_n(uint64_t size, void *p, const void *value, void *result, uint32_t order,
                             const SennitSite *site)
{
    (void)order;
    trace("atomic_xchg_n", size, site);
    memcpy(result, p, size);
    memcpy(p, value, size);
}

uint32_t sennit_rt_atomic_cas_n(uint64_t size, void *p, void *expected, const void *desired, uint32_t success,
                                uint32_t failure, const SennitSite *site)
{
    (void)success;
    (void)failure;
    trace("atomic_cas_n", size, site);
    bool same = memcmp(p, expected, size) == 0;
    memcpy(same ? p : expected, same ? desired : p, size);
    return same;
}

/* ---- Waits really spin ------------------------------------------------------ */

static bool holds(uint64_t value, uint32_t size, uint32_t relation, uint64_t mask, uint64_t operand)
{
    value &= mask;
    int64_t s = as_signed(value, size), o = as_signed(operand, size);
    switch ((Relation)relation) {
    case REL_TRUE: return true;
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
    case REL_PROGRAM: break; /* never asked for by instrumented code */
    }
    abort();
}

uint64_t sennit_rt_atomic_await(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                uint64_t operand, const SennitSite *site)
{
    (void)order;
    trace("await", size, site);
    for (;;) {
        pthread_mutex_lock(&big_lock);
        uint64_t value = get(p, size);
        pthread_mutex_unlock(&big_lock);
        if (holds(value, size, relation, mask, operand))
            return value;
    }
}

uint64_t sennit_rt_atomic_await_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                    uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site)
{
    (void)order;
    trace("await_rmw", size, site);
    for (;;) {
        pthread_mutex_lock(&big_lock);
        uint64_t old = get(p, size);
        bool go = holds(old, size, relation, mask, operand);
        if (go)
            put(p, apply(op, old, value, size), size);
        pthread_mutex_unlock(&big_lock);
        if (go)
            return old;
    }
}

void sennit_rt_atomic_await_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t order,
                                const SennitSite *site)
{
    (void)order;
    trace("await_cas", size, site);
    for (;;) {
        pthread_mutex_lock(&big_lock);
        bool go = get(p, size) == expected;
        if (go)
            put(p, desired, size);
        pthread_mutex_unlock(&big_lock);
        if (go)
            return;
    }
}

void sennit_rt_spin_enter(const SennitSite *site)
{
    trace("spin_enter", 0, site);
}

void sennit_rt_spin_again(const SennitSite *site)
{
    trace("spin_again", 0, site);
}

void sennit_rt_spin_leave(void)
{
}

void sennit_rt_atomic_section_begin(const SennitSite *site)
{
    trace("section_begin", 0, site);
}

void sennit_rt_atomic_section_end(const SennitSite *site)
{
    trace("section_end", 0, site);
}

/* ---- Start ------------------------------------------------------------------ */

extern const SennitGlobal __start_sennit_globals[] __attribute__((weak));
extern const SennitGlobal __stop_sennit_globals[] __attribute__((weak));

static void print_globals(void)
{
    for (const SennitGlobal *g = __start_sennit_globals; g < __stop_sennit_globals; g++)
        fprintf(stderr, "global %s %llu %s:%u\n", g->name, (unsigned long long)g->size, g->site ? g->site->file : "?",
                g->site ? g->site->line : 0);
}

extern char **environ;

int main(int argc, char **argv)
{
    tracing = getenv("TRACE") != NULL;
    if (getenv("GLOBALS"))
        print_globals();
    return sennit_user_main(argc, argv, environ);
}
