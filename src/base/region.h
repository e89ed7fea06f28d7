/* region.h - memory that outlives the process using it
 *
 * A region is a large reserved range of shared, zeroed address space. A process forked later sees it at the same
 * address; when a worker dies in the program under test, the next one finds everything where it was. Blocks are
 * allocated by size class and can be reused; memory is returned to the system only with the whole region.
 */
#ifndef BASE_REGION_H
#define BASE_REGION_H

#include <stddef.h>
#include <stdint.h>

typedef struct Region Region;

/* Reserves `capacity` bytes of address space (pages are allocated on first use). NULL if the system refuses. */
Region *region_create(size_t capacity);
void region_destroy(Region *region);

/* Zeroed on first use only; a reused block contains old bytes. Never NULL: calls mem_exhausted when the region is
 * full. 16-byte aligned. */
void *region_alloc(Region *region, size_t size);
/* `size` as given to region_alloc. */
void region_free(Region *region, void *block, size_t size);

/* Bytes allocated and not freed. */
size_t region_used(const Region *region);

#endif
