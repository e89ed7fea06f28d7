/* large_mapping.c - a large mapping or block behaves like a small one, though its pages cost nothing until used
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=0 -DSIZE=(1ul<<30) -> executions 1
 * litmus: -DPART=1 -> executions 1 bugs data-race
 * litmus: -DPART=1 -DSIZE=(1ul<<30) -> executions 1 bugs data-race
 * litmus: -DPART=2 -> executions 1 bugs use-after-free
 * litmus: -DPART=2 -DSIZE=(1ul<<30) -> executions 1 bugs use-after-free
 * litmus: -DPART=3 -> executions 1 bugs use-after-free
 * litmus: -DPART=3 -DSIZE=(1ul<<30) -> executions 1 bugs use-after-free
 * litmus: -DPART=4 -> executions 1 bugs crash
 * litmus: -DPART=4 -DSIZE=(1ul<<30) -> executions 1 bugs crash
 * litmus: -DPART=5 -> executions 1 bugs data-race
 * litmus: -DPART=5 -DSIZE=(1ul<<30) -> executions 1 bugs data-race
 * litmus: -DPART=6 -> executions 1 bugs heap-bounds
 * litmus: -DPART=6 -DSIZE=(1ul<<30) -> executions 1 bugs heap-bounds
 * litmus: -DPART=7 -> executions 1 bugs use-after-free
 * litmus: -DPART=7 -DSIZE=(1ul<<30) -> executions 1 bugs use-after-free
 * litmus: -DPART=8 -> executions 1 bugs data-race
 * litmus: -DPART=8 -DSIZE=(1ul<<30) -> executions 1 bugs data-race
 * litmus: -DPART=9 -> executions 1
 * litmus: -DPART=9 -DSIZE=(1ul<<27) -> executions 1
 * litmus: -DPART=10 -DSIZE=(3ul<<30) -> executions 1 verdict bounded
 *
 * 0: reserved, made accessible in parts, used by two threads, given back. 1: an access that is not ordered with the
 * mprotect that permits it. 2: a use after munmap of a part. 3: a use that is not ordered with munmap. 4: a write to a
 * page that may only be read. 5: two threads protect the same pages. 6: a write behind a block. 7: a block is freed
 * while another thread uses it. 8: madvise discards what another thread writes. 9: strings and copies across pages.
 * 10: more than there is room for.
 */
#define _GNU_SOURCE
#include "litmus.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef SIZE
#define SIZE (16 * PAGE)
#endif

enum { PAGE = 4096 };

static char *memory;

static char *reserve(int rights)
{
    char *start = mmap(NULL, SIZE, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(start != MAP_FAILED);
    return start;
}

static void *touch(void *page)
{
    memory[(long)page * PAGE + 8] = 1;
    return NULL;
}

static void *protect(void *rights)
{
    assert(mprotect(memory, SIZE, (int)(long)rights) == 0);
    return NULL;
}

static void *unmap(void *unused)
{
    assert(munmap(memory, SIZE) == 0);
    return unused;
}

static void *discard(void *unused)
{
    assert(madvise(memory, SIZE, MADV_DONTNEED) == 0);
    return unused;
}

static void use_in_parts(void)
{
    memory = reserve(PROT_NONE);
    assert(mprotect(memory, 8 * PAGE, PROT_READ | PROT_WRITE) == 0);
    start(touch, 1);
    touch((void *)2);
    join_all();
    assert(memory[PAGE + 8] == 1 && memory[2 * PAGE + 8] == 1 && memory[3 * PAGE] == 0);
    discard(NULL);
    assert(memory[PAGE + 8] == 0);
    assert(mmap(memory + SIZE - PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
           memory + SIZE - PAGE);
    memory[SIZE - 1] = 'x';
    unmap(NULL);
}

static void copy_across_pages(void)
{
    memory = malloc(SIZE + 100);
    char *text = memory + 3 * PAGE - 5;
    strcpy(text, "0123456789");
    assert(strlen(text) == 10 && memory[3 * PAGE] == '5');
    memset(memory + PAGE, 'x', 3 * PAGE);
    memory[4 * PAGE] = 0;
    assert(strlen(memory + PAGE) == 3 * PAGE);
    memory[SIZE + 99] = 'y';
    memory = realloc(memory, SIZE / 2);
    assert(memory[PAGE] == 'x' && memory[2 * PAGE] == 'x');
    free(memory);
}

int main(void)
{
    switch (PART) {
    case 0: use_in_parts(); break;
    case 1:
        memory = reserve(PROT_NONE);
        start(protect, PROT_READ | PROT_WRITE);
        join_all();
        start(protect, PROT_READ);
        memory[0] = 1;
        break;
    case 2:
        memory = reserve(PROT_READ | PROT_WRITE);
        touch((void *)4);
        assert(munmap(memory, 4 * PAGE) == 0);
        touch((void *)4);
        touch((void *)3);
        break;
    case 3:
        memory = reserve(PROT_READ | PROT_WRITE);
        start(touch, 3);
        unmap(NULL);
        break;
    case 4:
        memory = reserve(PROT_READ);
        assert(memory[5 * PAGE] == 0);
        touch((void *)5);
        break;
    case 5:
        memory = reserve(PROT_NONE);
        start(protect, PROT_READ);
        start(protect, PROT_READ | PROT_WRITE);
        break;
    case 6:
        memory = malloc(SIZE);
        memory[SIZE] = 1;
        break;
    case 7:
        memory = malloc(SIZE);
        start(touch, 3);
        free(memory);
        break;
    case 8:
        memory = reserve(PROT_READ | PROT_WRITE);
        start(discard, 0);
        touch((void *)2);
        break;
    case 9: copy_across_pages(); break;
    default: memory = reserve(PROT_NONE);
    }
    join_all();
    return 0;
}
