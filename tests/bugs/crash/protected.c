// bug: crash
// fixed: exhaustive
// executions: 1
// A page that may only be read.
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

int main(void)
{
    int *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page, 4096, PROT_READ);
    assert(page[5] == 0);
#ifdef FIXED
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
#endif
    page[5] = 1; // BUG
    return 0;
}
