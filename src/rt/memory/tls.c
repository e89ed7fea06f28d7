/* tls.c - thread-local variables: emulated, one copy per thread of the program
 *
 * The compiler turns each access into a call of __emutls_get_address with the
 * variable's control block. Copies live in the thread's heap, in the order of the
 * thread's own first uses, so that their addresses do not depend on the schedule; a copy
 * is a block that is freed when its thread ends.
 */
#include "rt/memory/tls.h"

#include <string.h>

#include "base/mem.h"
#include "rt/kernel/transient.h"
#include "rt/memory/memory.h"

/* As the compiler emits it. */
typedef struct EmutlsControl {
    uintptr_t size;
    uintptr_t alignment;
    uintptr_t index;     /* set here: 0 until the variable is first used */
    const void *initial; /* NULL: zero                               */
} EmutlsControl;

typedef struct Copy {
    void *address;
    size_t size;
} Copy;

struct Tls {
    uint32_t capacity;
    Copy copies[];
};

void *__emutls_get_address(EmutlsControl *control);

static uintptr_t variables;          /* seen so far in this process      */
static void **outside;               /* copies of code outside executions */
static uintptr_t outside_capacity;

static void *init_copy(void *copy, const EmutlsControl *control)
{
    if (control->initial)
        return memcpy(copy, control->initial, control->size);
    return memset(copy, 0, control->size);
}

static void *outside_copy(const EmutlsControl *control)
{
    if (control->index >= outside_capacity) {
        uintptr_t capacity = control->index * 2 + 8;
        outside = mem_resize(outside, capacity * sizeof *outside);
        memset(outside + outside_capacity, 0, (capacity - outside_capacity) * sizeof *outside);
        outside_capacity = capacity;
    }
    if (!outside[control->index])
        outside[control->index] = init_copy(mem_alloc(control->size + control->alignment), control);
    return outside[control->index];
}

static void grow_copies(Thread *thread, uintptr_t index)
{
    uint32_t capacity = (uint32_t)index * 2 + 8;
    Tls *tls = transient_alloc(sizeof *tls + capacity * sizeof tls->copies[0]);
    if (thread->tls)
        memcpy(tls->copies, thread->tls->copies, thread->tls->capacity * sizeof tls->copies[0]);
    tls->capacity = capacity;
    thread->tls = tls;
}

static void *thread_copy(Thread *thread, const EmutlsControl *control)
{
    if (!thread->tls || control->index >= thread->tls->capacity)
        grow_copies(thread, control->index);
    Copy *copy = &thread->tls->copies[control->index];
    if (!copy->address) {
        const Block *block = memory_allocate_kind(BLOCK_THREAD_LOCAL, control->size, control->alignment);
        if (!block)
            return NULL;
        copy->address = init_copy((void *)(uintptr_t)block->address, control);
        copy->size = control->size;
    }
    return copy->address;
}

Tls *tls_copy(const Tls *tls)
{
    if (!tls)
        return NULL;
    size_t size = sizeof *tls + tls->capacity * sizeof tls->copies[0];
    return memcpy(transient_alloc(size), tls, size);
}

void tls_each_copy(const Thread *thread, void (*each)(void *context, void *copy, size_t size), void *context)
{
    for (uint32_t i = 0; thread->tls && i < thread->tls->capacity; i++)
        if (thread->tls->copies[i].address)
            each(context, thread->tls->copies[i].address, thread->tls->copies[i].size);
}

void *__emutls_get_address(EmutlsControl *control)
{
    if (UNLIKELY(!control->index))
        control->index = ++variables;
    return rt.self ? thread_copy(rt.self, control) : outside_copy(control);
}
