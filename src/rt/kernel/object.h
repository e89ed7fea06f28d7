/* object.h - the state of synchronisation objects, found by their addresses
 *
 * The state of a primitive lives either in the program's own object (a pthread_mutex_t has
 * room) or here, in transient memory: it is forgotten at the end of the execution.
 */
#ifndef RT_KERNEL_OBJECT_H
#define RT_KERNEL_OBJECT_H

#include "rt/kernel/image.h"
#include "rt/kernel/resource.h"

void object_init(void);
/* An execution begins: no object is known. */
void object_reset(void);
/* For an image of the execution; and no object is known, before it is put back. */
void object_save(RtImage *image);
void object_forget_all(void);
/* The objects of the process in place exist for one with another tag as well: `begin` makes a copy of a state its
 * own. */
void object_fork(uint64_t tag, void (*begin)(uint64_t resource, void *state));
/* Before execution numbers start again: no entry may be taken for one of this execution. */
void object_clear(void);

/* The state of an object; made by `init` (NULL: zeroed) on first use. `size` must be the same
 * for one kind. */
void *object_state(ResourceKind kind, const void *object, size_t size, void (*init)(void *state, const void *object));
/* NULL if the object is not known. */
void *object_find(ResourceKind kind, const void *object);
void object_forget(ResourceKind kind, const void *object);
/* The program's objects in this memory are as new. */
void object_forget_within(uint64_t begin, uint64_t end);
/* Calls `each` for every object of this execution, in any order. */
void object_each(void (*each)(void *context, uint64_t resource, const void *state), void *context);

#endif
