/* plain.h - plain accesses of instrumented code and of library functions on its behalf */
#ifndef RT_SYNC_PLAIN_H
#define RT_SYNC_PLAIN_H

#include "rt/inputs/shadow_memory.h"

/* The most bytes of one visible access; larger ones are several steps. */
enum { PLAIN_CHUNK = 8 * (MAX_ANNOUNCED / 2 - 2) };

/* The running thread reads or writes plain memory now, at sennit_rt_site. */
void plain_read(uint64_t address, uint64_t size);
void plain_write(uint64_t address, uint64_t size);
/* Stores a value in the program's variable on behalf of the running thread: a plain write. The value
 * is evaluated first, since other threads may run before the write. */
#define PLAIN_STORE(variable, value)                              \
    do {                                                          \
        __typeof__(*(variable)) stored = (value);                 \
        plain_write(address_of(variable), sizeof stored);         \
        *(variable) = stored;                                     \
        shadow_memory_overwritten((variable), sizeof stored);            \
    } while (0)
/* A primitive uses (reads) or initialises or destroys (writes) the program's object: checked for
 * races and for freed memory like a plain access, but never a step, in any mode. So "used before
 * it was initialised" and "destroyed while in use elsewhere" are found in whatever order. */
void plain_use(const void *object, size_t size);
void plain_overwrite(void *object, size_t size);
/* Sets the values of the thread's last visible plain store, which has happened since. */
void plain_settle(Thread *self);

#endif
