/* identity.c - each thread has a number, a thread pointer and a place of errno of its own
 *
 * litmus: -DN=2 -DPOINTER -> executions 1
 * litmus: -DN=2 -DSLOT -> executions 1
 * litmus: -DN=2 -DOPERAND -> executions 1
 * litmus: -DN=2 -DSEGMENT -> executions 1
 * litmus: -DN=2 -DNUMBER -> executions 1
 * litmus: -DN=2 -DSYSTEM_CALL -> executions 1
 * litmus: -DN=2 -DERROR -> executions 1
 * litmus: -DN=3 -DNUMBER -DOWNED -> executions 6
 * litmus: -DN=3 -DPOINTER -DOWNED -> executions 6
 * litmus: -DN=3 -DERROR -DOWNED --plain=visible -> executions 6
 * litmus: -DN=2 -DSPIN -DNUMBER --memory=sc -> executions 4
 *
 * An allocator decides by them whether a block is the thread's own: then it is accessed plainly. The blocks of N
 * threads are exchanged once: N! orders. With SPIN the second of two may or may not have failed before it waits.
 */
#define _GNU_SOURCE
#include "litmus.h"

#include <sys/syscall.h>
#include <unistd.h>

static uintptr_t self(void)
{
    uintptr_t id = 0;
#if defined POINTER || (!defined __x86_64__ && (defined SLOT || defined OPERAND || defined SEGMENT))
    id = (uintptr_t)__builtin_thread_pointer();
#elif defined SLOT
    uintptr_t too;
    __asm__("movq %%fs:0, %0" : "=r"(id));
    __asm__ volatile("mov %%fs:0x10, %0" : "=r"(too)::"memory");
    assert(id == too && id == (uintptr_t)__builtin_thread_pointer() && *(uintptr_t *)id == id);
#elif defined OPERAND
    for (size_t slot = 0; slot < 3; slot += 2)
        __asm__("movq %%fs:%1, %0" : "=r"(id) : "m"(*(void **)(slot * 8)));
#elif defined SEGMENT
    id = *(uintptr_t __seg_fs *)0;
#elif defined NUMBER
    id = (uintptr_t)gettid();
#elif defined SYSTEM_CALL
    id = (uintptr_t)syscall(SYS_gettid);
    assert(id == (uintptr_t)gettid());
#elif defined ERROR
    id = (uintptr_t)&errno;
#endif
    return id;
}

static uintptr_t first;
static int local;
static atomic_int remote;
static atomic_uintptr_t owner;

static void release(void)
{
    if (first == self())
        local++;
    else
        atomic_fetch_add(&remote, 1);
}

#ifdef SPIN
static int inside;

static void enter(void)
{
    uintptr_t none = 0;
    while (!atomic_compare_exchange_strong(&owner, &none, self()))
        none = 0;
    assert(inside++ == 0);
    assert(atomic_load_explicit(&owner, memory_order_relaxed) == self());
    inside--;
    atomic_store(&owner, 0);
}
#endif

static void *body(void *argument)
{
    (void)argument;
    assert(self() != first && self() == self());
#ifdef SPIN
    enter();
#elif defined OWNED
    assert(atomic_exchange(&owner, self()) != self());
#else
    release();
#endif
    return NULL;
}

int main(void)
{
    first = self();
#if defined NUMBER || defined SYSTEM_CALL
    assert(first == (uintptr_t)getpid());
#endif
    start_all(N, body);
    release();
    join_all();
    assert(local == 1);
    return 0;
}
