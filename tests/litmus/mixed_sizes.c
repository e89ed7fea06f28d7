/* mixed_sizes.c - accesses of different widths conflict where they overlap
 *
 * litmus: -DOFFSET=0 -> executions 2
 * litmus: -DOFFSET=3 -> executions 2
 * litmus: -DOFFSET=4 -> executions 1
 *
 * One thread stores a 4-byte word, the other one byte, inside it or just behind it.
 */
#include "litmus.h"

static _Alignas(8) char memory[8];

static void *store_word(void *unused)
{
    __atomic_store_n((int *)memory, 0x01010101, __ATOMIC_SEQ_CST);
    return unused;
}

static void *store_byte(void *unused)
{
    __atomic_store_n(&memory[OFFSET], 2, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    start(store_word, 0);
    start(store_byte, 0);
    join_all();
    return 0;
}
