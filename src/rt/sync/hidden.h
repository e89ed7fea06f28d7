/* hidden.h - state of the C library and of the process that several calls share (hidden.def)
 *
 * A call that uses such state is a step with an access to it, so its order with conflicting calls is explored. While
 * the program has one thread there is nothing to order, and calls are no steps.
 */
#ifndef RT_SYNC_HIDDEN_H
#define RT_SYNC_HIDDEN_H

#include <stdbool.h>

#include "rt/abi/ops.h"
#include "rt/kernel/resource.h"

typedef enum Hidden {
#define HIDDEN(name, text) HIDDEN_##name,
#define UNSAFE(name, text) HIDDEN_##name,
#include "rt/abi/hidden.def"
#undef HIDDEN
#undef UNSAFE
    HIDDEN_COUNT
} Hidden;

/* Might other threads use state of the process now? If not, calls that use it are no steps. */
bool hidden_is_shared(void);

/* The call that begins here, up to the thread's next operation, reads or changes the state. */
void hidden_read(Hidden state);
void hidden_write(Hidden state);
void hidden_write_reading(Hidden state, Hidden other);

/* Once per process. */
void hidden_init(void);
/* For steps with other accesses, too. */
uint64_t hidden_resource(Hidden state);
const char *hidden_name(uint64_t name);

#endif
