/* object_map.h - objects of the program that are neither heap blocks nor restored globals
 *
 * Constants, tables of the C library, and local variables whose address leaves their
 * function: where an address that depends on inputs may point.
 */
#ifndef RT_MEMORY_OBJECT_MAP_H
#define RT_MEMORY_OBJECT_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ObjectRange {
    uint64_t address;
    uint64_t size;
    const char *name;
    uint32_t size_shadow;    /* blocks whose size depends on inputs: its expression,  */
    uint64_t size_now;       /* and what it is for these inputs; `size` is the largest */
} ObjectRange;

/* An object of the program, until the execution ends or another one begins at its address. */
void object_map_add(const void *p, uint64_t size, const char *name);
/* Forgets what was added. */
void object_map_reset(void);
bool object_map_find(uint64_t address, ObjectRange *range);

#endif
