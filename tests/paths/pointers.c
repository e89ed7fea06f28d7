/* pointers.c - an input chooses among pointers: to functions, variables, blocks
 *
 * litmus: -DFUNCTION -> executions 3 bugs assertion
 * litmus: -DVARIABLE -> executions 3 bugs assertion
 * litmus: -DNODE -> executions 3 bugs assertion
 * litmus: -DMEMBER -> executions 6 bugs heap-bounds
 * litmus: -DFREE -> executions 3 bugs use-after-free
 * litmus: -DNUMBER -> executions 2 bugs assertion
 * litmus: -DREALLOC -> executions 2 bugs assertion
 *
 * Each pointer is a path of its own. MEMBER: for each of three blocks, inside and outside.
 */
#include <sennit/sennit.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Node {
    int value;
    struct Node *next;
    char bytes[8];
} Node;

static int more(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int less(int x) { return x - 7; }

static int first, second;

int main(void)
{
    unsigned x = sennit_uint("x");
    int (*const table[])(int) = {more, twice, less};
    Node *nodes[3];
    sennit_assume(x < 3);
    for (int i = 0; i < 3; i++) {
        nodes[i] = calloc(1, sizeof(Node));
        nodes[i]->value = i;
    }
#if defined FUNCTION
    sennit_assert(table[x](10) != 3);
#elif defined VARIABLE
    int a = 1, b = 2, c = 3, *all[] = {&a, &b, &c};
    sennit_assert(*all[x] != 3);
#elif defined NODE
    nodes[0]->next = nodes[2];
    if (nodes[x]->next)
        sennit_assert(nodes[x]->next->value != 2);
    nodes[x]->value = 9;
    sennit_assert(nodes[1]->value != 9 || x == 1);
#elif defined MEMBER
    unsigned i = sennit_uint("i");
    sennit_assume(i < 16);
    nodes[x]->bytes[i] = 1;
#elif defined FREE
    int *block = malloc(sizeof *block), *blocks[] = {malloc(4), block, malloc(4)};
    free(blocks[x]);
    *block = 5;
    for (unsigned i = 0; i < 3; i++)
        if (i != x)
            free(blocks[i]);
#elif defined NUMBER
    int *p = (int *)((uintptr_t)&first * (x == 0) + (uintptr_t)&second * (x != 0));
    *p = 4;
    sennit_assert(first != 4);
#elif defined REALLOC
    unsigned *grown = malloc(sizeof *grown);
    *grown = x;
    grown = realloc(grown, 64);
    sennit_assert(*grown != 2);
    free(grown);
#endif
    (void)table, (void)first, (void)second;
    for (int i = 0; i < 3; i++)
        free(nodes[i]);
    return 0;
}
