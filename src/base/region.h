/* region.h - memory that outlives the process using it
 *
 * A region is a large reserved range of shared, zeroed address space. A process
 * forked later sees it at the same address; when a worker dies in the program
 * under test, the next worker finds everything where it was. Blocks are given
 * out by size class and can be reused; a region is never unmapped singly.
 */
#ifndef BASE_REGION_H
#define BASE_REGION_H

#include <stddef.h>
#include <stdint.h>

typedef struct Region Region;

/* Reserves `capacity` bytes of address space (pages are used on first touch).
 * NULL if the system refuses. */
Region *region_create(size_t capacity);
void region_destroy(Region *region);

/* Zeroed on first use only; a reused block holds old bytes. Never NULL: ends the
 * process through mem_exhausted when the region is full. 16-byte aligned. */
void *region_alloc(Region *region, size_t size);
/* `size` as given to region_alloc. */
void region_free(Region *region, void *block, size_t size);

/* Bytes handed out and not freed; and the most there ever were. */
size_t region_used(const Region *region);

#endif
