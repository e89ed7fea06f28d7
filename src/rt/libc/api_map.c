/* api_map.c - mappings: blocks of whole pages on the heap of the thread that maps them
 *
 * So they are fresh in every execution, checked for races and for uses after munmap, and their addresses do not depend
 * on the schedule. What a right to access a page is needed for races with losing or getting that right: an access that
 * is not ordered with mprotect would fail in the other order. Of files private mappings are copies; what would be
 * shared with a file is rejected. Pages that are never accessed cost next to nothing (rt/memory/pages.h).
 */
#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/kernel/process.h"
#include "rt/libc/api_libc.h"
#include "rt/memory/pages.h"
#include "rt/sync/section.h"

/* Allocators that reserve much want it aligned, and would map more if it were not. */
enum { MUCH = 64 << 20 };

/* Pages of one block. */
typedef struct Pages {
    Block *block;
    uint64_t address, size;
} Pages;

static int fail(int error)
{
    errno = error;
    return -1;
}

/* The range of pages; its block is NULL if it is not inside one that is alive. */
static Pages range_of(const void *start, size_t size)
{
    Pages range = {memory_find_block(address_of(start)), address_of(start), whole_pages(size)};
    Block *block = range.block;
    if (block && (block->freed || block->kind != BLOCK_HEAP || block->room || range.address < block->address ||
                  range.size > whole_pages(block_end(block) - range.address) || range.address >= block_end(block)))
        range.block = NULL;
    if (range.block && range.size > block_end(block) - range.address)
        range.size = block_end(block) - range.address; /* of a block that malloc returned */
    return range;
}

/* Is it memory that other processes may have, too? */
static bool is_with_others(const Pages *range) { return range->block->mapped_shared && process_count() > 1; }

/* ---- Rights ------------------------------------------------------------------------- */

static uint8_t shadow_of_rights(int rights)
{
    if (rights & PROT_EXEC)
        report_not_modelled("executable memory");
    return rights & PROT_WRITE ? 8 : rights & PROT_READ ? SHADOW_READABLE : 0;
}

typedef void ChangePages(Pages pages, uint8_t before, uint8_t argument);

/* Calls `change` for the pages of the range, together as long as they have the same rights. */
static void each_run(Pages range, ChangePages *change, uint8_t argument)
{
    uint64_t end = range.address + range.size;
    for (uint64_t at = range.address, next; at < end; at = next) {
        uint8_t rights = pages_rights(range.block, at);
        for (next = at + PAGE_SIZE; next < end && pages_rights(range.block, next) == rights;)
            next += PAGE_SIZE;
        change((Pages){range.block, at, (next < end ? next : end) - at}, rights, argument);
    }
}

/* Was it unmapped? */
static bool is_gone(const Block *block, uint64_t address) { return pages_rights(block, address) == SHADOW_FREED; }

static void protect(Pages pages, uint8_t before, uint8_t rights)
{
    if (before == rights)
        return;
    section_keep("mprotect");
    bool only_writes = before && rights; /* need the right that changes */
    pages_change(pages.block, pages.address, pages.size, rights, only_writes ? PAGE_READ : PAGE_WRITTEN);
}

static void set_rights(Pages range, uint8_t rights)
{
    each_run(range, protect, rights);
    range.block->protect_by = rt.self->strand;
    range.block->protect_clock = race_now();
}

int sennit_rt_mprotect(void *start, size_t size, int rights)
{
    if (!rt.self)
        return mprotect(start, size, rights);
    if (address_of(start) % PAGE_SIZE)
        return fail(EINVAL);
    Pages range = range_of(start, size);
    if (!range.block)
        report_not_modelled("mprotect of memory that is not allocated");
    if (is_with_others(&range))
        report_not_modelled("mprotect of memory that processes share");
    for (uint64_t at = range.address; at < range.address + range.size; at += PAGE_SIZE)
        if (is_gone(range.block, at))
            return fail(ENOMEM);
    set_rights(range, shadow_of_rights(rights));
    return 0;
}

/* ---- Mapping -------------------------------------------------------------------------- */

/* Whole pages come back from the system as zeros, without being touched now. */
static void clear(uint64_t address, uint64_t size)
{
    void *start = (void *)(uintptr_t)address;
    if (size % PAGE_SIZE || madvise(start, size, MADV_DONTNEED) != 0)
        memset(start, 0, size);
    shadow_memory_overwritten(start, size);
}

/* Beyond the end of the file there are zeros. */
static bool copy_file(uint8_t *to, size_t size, int file, off_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(file, to + done, size - done, offset + (off_t)done);
        if (count < 0)
            return false;
        if (!count)
            break;
        done += (size_t)count;
    }
    return true;
}

static void *map_pages(uint64_t size, int rights, int flags)
{
    uint8_t shadow = shadow_of_rights(rights);
    bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;
    uint64_t alignment = size >= MUCH ? MUCH : PAGE_SIZE;
    void *start = shared ? memory_allocate_shared(size, alignment) : memory_allocate(size, alignment);
    if (!start)
        return MAP_FAILED;
    memory_fill(start, size, 0);
    Block *block = memory_find_block(address_of(start));
    block->mapped = true;
    block->mapped_shared = shared;
    block->rights = shadow;
    if (!block->lazy)
        memset(memory_shadow_of(block->address), shadow, size / 8);
    return start;
}

/* Over pages that the program has reserved. */
static void *map_again(void *start, size_t size, int rights)
{
    Pages range = range_of(start, size);
    if (!range.block || !range.block->mapped || address_of(start) % PAGE_SIZE)
        report_not_modelled("mmap with MAP_FIXED elsewhere than in a mapping");
    section_keep("mmap");
    pages_change(range.block, range.address, range.size, shadow_of_rights(rights), PAGE_WRITTEN);
    clear(range.address, range.size);
    return start;
}

void *sennit_rt_mmap(void *start, size_t size, int rights, int flags, int file, off_t offset)
{
    if (!rt.self)
        return mmap(start, size, rights, flags, file, offset);
    bool anonymous = flags & MAP_ANONYMOUS, shared = (flags & MAP_TYPE) != MAP_PRIVATE;
    if (!size || offset % PAGE_SIZE || !(flags & MAP_TYPE)) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (!anonymous && (shared || input_file_of_descriptor(file)))
        report_not_modelled(shared ? "a shared mapping of a file (mmap)" : "a mapping of an input (mmap)");
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) && !(anonymous && flags & MAP_FIXED))
        report_not_modelled("mmap with MAP_FIXED of a file, or with MAP_FIXED_NOREPLACE");
    if (flags & MAP_FIXED)
        return map_again(start, size, rights);
    OpenFile *open = anonymous ? NULL : open_file_find(file);
    if (open)
        open_file_use(open, OP_FILE_READ, MODE_READ, MODE_READ);
    void *pages = map_pages(whole_pages(size), rights, flags);
    if (pages != MAP_FAILED && !anonymous && !copy_file(pages, size, file, offset)) {
        memory_release(memory_find_block(address_of(pages)));
        return MAP_FAILED;
    }
    return pages;
}

void *sennit_rt_mmap64(void *start, size_t size, int rights, int flags, int file, off_t offset)
{
    return sennit_rt_mmap(start, size, rights, flags, file, offset);
}

/* ---- Unmapping ---------------------------------------------------------------------------- */

/* The pages may not be accessed any more; for the race detector it is a write. */
static void unmap(Pages pages, uint8_t before, uint8_t rights)
{
    if (before != SHADOW_FREED)
        pages_change(pages.block, pages.address, pages.size, rights, PAGE_FREED);
}

static void unmap_pages(Pages range)
{
    each_run(range, unmap, SHADOW_FREED);
    section_keep("munmap");
    Block *block = range.block;
    block->free_site = site_name(sennit_rt_site);
    block->freed_by = rt.self->id;
    block->free_step = rt.self->has_event ? rt.self->last_event : 0;
    block->freed = range.size == block->size;
}

int sennit_rt_munmap(void *start, size_t size)
{
    if (!rt.self)
        return munmap(start, size);
    if (!size || address_of(start) % PAGE_SIZE)
        return fail(EINVAL);
    const Block *block = memory_find_block(address_of(start));
    if (block && block->mapped && block->freed && address_of(start) - block->address < block->size)
        return 0; /* nothing is mapped there */
    Pages range = range_of(start, size);
    if (!range.block || !range.block->mapped)
        report_not_modelled("munmap of memory that mmap did not return");
    if (is_with_others(&range))
        return 0; /* they have it still */
    unmap_pages(range);
    return 0;
}

void *sennit_rt_mremap(void *start, size_t size, size_t new_size, int flags, ...)
{
    if (!rt.self)
        report_not_modelled("mremap before main");
    Pages range = range_of(start, size);
    uint64_t wanted = whole_pages(new_size);
    if (flags & ~MREMAP_MAYMOVE || !range.block || !range.block->mapped || range.address != range.block->address)
        report_not_modelled("mremap other than of a whole mapping");
    if (is_with_others(&range))
        report_not_modelled("mremap of memory that processes share");
    if (!size || !new_size || address_of(start) % PAGE_SIZE) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (wanted <= range.size) {
        if (wanted < range.size)
            unmap_pages((Pages){range.block, range.address + wanted, range.size - wanted});
        return start;
    }
    if (!(flags & MREMAP_MAYMOVE)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    bool shared = range.block->mapped_shared;
    void *moved = map_pages(wanted, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE);
    if (moved == MAP_FAILED)
        return moved;
    sennit_rt_memcpy(moved, start, range.size);
    unmap_pages(range);
    return moved;
}

/* ---- Advice -------------------------------------------------------------------------------- */

static void rewrite(Pages pages, uint8_t rights, uint8_t unused)
{
    (void)unused;
    pages_change(pages.block, pages.address, pages.size, rights, PAGE_WRITTEN);
    clear(pages.address, pages.size);
}

/* Private pages that are not needed are zero afterwards. */
int sennit_rt_madvise(void *start, size_t size, int advice)
{
    if (!rt.self)
        return madvise(start, size, advice);
    if (advice != MADV_DONTNEED && advice != MADV_REMOVE)
        return 0;
    Pages range = range_of(start, size);
    if (!range.block || address_of(start) % PAGE_SIZE)
        report_not_modelled("madvise of memory that is not allocated");
    if (range.block->mapped_shared && advice == MADV_DONTNEED)
        return 0;
    each_run(range, rewrite, 0);
    return 0;
}

/* ---- Not modelled --------------------------------------------------------------------------- */

void *sennit_rt_sbrk(intptr_t more)
{
    if (rt.self)
        report_not_modelled("sbrk");
    return sbrk(more);
}

int sennit_rt_brk(void *end)
{
    if (rt.self)
        report_not_modelled("brk");
    return brk(end);
}

void *sennit_rt_shmat(int segment, const void *start, int flags)
{
    if (rt.self)
        report_not_modelled("a shared segment (shmat)");
    return shmat(segment, start, flags);
}

int sennit_rt_remap_file_pages(void *start, size_t size, int rights, size_t page, int flags)
{
    (void)start, (void)size, (void)rights, (void)page, (void)flags;
    report_not_modelled("remap_file_pages");
}
