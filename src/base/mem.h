/* mem.h - allocation that cannot fail, and the hook called when memory runs out */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);               /* zeroed              */
void *mem_resize(void *block, size_t size); /* as realloc          */
char *mem_copy_string(const char *text);    /* owned by the caller */

/* Called when memory, or room in a table, runs out; says so and ends the process with EXIT_INTERNAL. Tests replace
 * it. */
extern void (*mem_exhausted)(size_t size);

/* How a process whose parent reports it ends instead, without a word. */
enum { MEM_EXIT_EXHAUSTED = 73 };
void mem_exit_quietly(void);

#endif
