// bug: use-after-free
// fixed: exhaustive
// executions: 1
// The second page is unmapped, moved and unmapped as a whole; a stale pointer is used.
#define _GNU_SOURCE
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

int main(void)
{
    char *pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // (BUG)
    pages[0] = 'a';
    pages[4095] = 'b';
    assert(mprotect(pages, 4096, PROT_NONE) == 0 && mprotect(pages, 4096, PROT_READ | PROT_WRITE) == 0);
    assert(pages[0] == 'a');
    munmap(pages + 4096, 2 * 4096); // (BUG)
    assert(pages[4095] == 'b');
    char *moved = mremap(pages, 4096, 5 * 4096, MREMAP_MAYMOVE); // BUG
    assert(moved[0] == 'a' && moved[4095] == 'b' && !moved[4096]);
    moved[4096] = 'c';
    assert(madvise(moved + 4096, 4096, MADV_DONTNEED) == 0 && !moved[4096] && moved[4095] == 'b');
#ifdef FIXED
    moved[0]++;
#else
    pages[0]++; // BUG
#endif
    return munmap(moved, 5 * 4096);
}
