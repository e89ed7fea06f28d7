/* object_map.h - objects of the program that are neither heap blocks nor restored globals
 *
 * Constants, tables of the C library, and local variables whose address leaves their
 * function: the objects, beside those, that a symbolic address may point into.
 */
#ifndef RT_MEMORY_OBJECT_MAP_H
#define RT_MEMORY_OBJECT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/abi/hooks.h"

typedef struct ObjectRange {
    uint64_t address;
    uint64_t size;
    const char *name;
    uint32_t size_shadow;    /* blocks of symbolic size: its expression,                  */
    uint64_t size_now;       /* and its value in this execution; `size` is the largest one */
} ObjectRange;

/* Calls `each` for the constants of the program, strings included. */
void object_map_each_constant(void (*each)(void *context, const SennitGlobal *constant), void *context);
/* Adds an object of the program, until the execution ends or another one is added at its address. */
void object_map_add(const void *p, uint64_t size, const char *name);
/* Removes everything that was added. */
void object_map_reset(void);
/* The object that contains the address; false if none is known. */
bool object_map_find(uint64_t address, ObjectRange *range);

#endif
