/* pages.h - large blocks, page by page: a page costs something when it is accessed
 *
 * A program may reserve a gigabyte and use little of it. The shadow of a large block (Block.lazy) and the cells of the
 * race detector are therefore not filled when it is allocated, protected or unmapped, but for a page when it is first
 * accessed, which opens it: its shadow seems closed up to then, and memory_check asks here. What is to be known of the
 * other pages is kept for each as a whole: its rights, and the change of rights that an access may race with.
 */
#ifndef RT_MEMORY_PAGES_H
#define RT_MEMORY_PAGES_H

#include "rt/memory/memory.h"

enum { PAGE_SIZE = 4096 };

static inline uint64_t whole_pages(uint64_t size) { return (size + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1); }

bool pages_init(Error *error);

/* Opens the pages of the range that are not open and belong to a block that is alive. False if there were none. */
bool pages_open(uint64_t address, uint64_t size);
/* The shadow that the first word of the page has, or will have when the page is opened. */
uint8_t pages_rights(const Block *block, uint64_t page);

/* What a change of rights needs of other threads: that no access is unordered with it, that no write is. */
typedef enum PageChange { PAGE_WRITTEN, PAGE_READ, PAGE_FREED } PageChange;

/* The running thread gives the pages from `address` on, inside the block, other rights. Checked for races with accesses
 * and other changes; the last page may be a part of one. */
void pages_change(const Block *block, uint64_t address, uint64_t size, uint8_t rights, PageChange change);

/* The running thread frees the block. */
void pages_release(const Block *block);
/* Empties the shadow of the block, after an execution. */
void pages_reset(const Block *block);
/* Before execution numbers start again. */
void pages_clear(void);

#endif
