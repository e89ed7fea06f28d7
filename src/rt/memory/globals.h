/* globals.h - the program's global variables: their names and initial values */
#ifndef RT_MEMORY_GLOBALS_H
#define RT_MEMORY_GLOBALS_H

#include "rt/abi/hooks.h"
#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"

/* Takes the snapshot; [*begin, *end) becomes the range that contains all variables of the image, or is empty. */
void globals_init(uint64_t *begin, uint64_t *end);
/* Restores the snapshot; of the variables of one node only; of a part of one variable. */
void globals_restore(void);
void globals_restore_node(unsigned node);
void globals_restore_within(uint64_t begin, uint64_t end);
/* For an image of the execution, of a program that does not use what the C library keeps; and before it is put back. */
void globals_save(RtImage *image);
void globals_restore_large(void);
/* The variable that contains the address; NULL if none does. */
const SennitGlobal *globals_find(uint64_t address);
/* Is there a variable of the runtime that stands for nothing of the program's? */
bool globals_are_hidden(uint64_t address);
/* The variable in whose red zone the address lies; the one behind that, if its beginning is nearer than the end of the
 * first. NULL if there is none. */
const SennitGlobal *globals_find_by_redzone(uint64_t address);
/* Where the variable of this name is; 0 if there is none, or more than one. */
uint64_t globals_address(const char *name);
/* Calls `each` for every variable. */
void globals_each(void (*each)(void *context, const SennitGlobal *global), void *context);
/* Calls `each` for every contiguous range of globals, for the search for leaks; for those of one node. */
void globals_each_range(void (*each)(void *context, uint64_t begin, uint64_t end), void *context);
void globals_each_range_of(unsigned node, void (*each)(void *context, uint64_t begin, uint64_t end), void *context);
/* Calls `each` for the pieces of them that are not as they were in the beginning. */
void globals_each_change(void (*each)(void *context, uint64_t begin, uint64_t end), void *context);

/* To be called before memory is written; only needed if rt.many_globals. */
void globals_note_write_slow(uint64_t address, uint64_t size);
static inline void globals_note_write(uint64_t address, uint64_t size)
{
    if (UNLIKELY(rt.many_globals) && !in_arena(address))
        globals_note_write_slow(address, size);
}

#endif
