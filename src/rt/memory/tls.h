/* tls.h - thread-local variables of the program */
#ifndef RT_MEMORY_TLS_H
#define RT_MEMORY_TLS_H

#include "rt/kernel/runtime.h"

/* Calls `each` for every thread-local variable that the thread has used. */
void tls_each_copy(const Thread *thread, void (*each)(void *context, void *copy, size_t size), void *context);
/* The same variables, for a thread in a copy of the memory. */
Tls *tls_copy(const Tls *tls);

#endif
