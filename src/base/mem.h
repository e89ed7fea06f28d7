/* mem.h - allocation that cannot fail, and the hook called when memory runs out */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);               /* zeroed              */
void *mem_resize(void *block, size_t size); /* as realloc          */
char *mem_copy_string(const char *text);    /* owned by the caller */

/* Called when memory runs out; prints a message and aborts the process. Tests replace it. */
extern void (*mem_exhausted)(size_t size);

#endif
