/* filesystem.c - threads allocate blocks for inodes (Flanagan and Godefroid's file system)
 *
 * litmus: -DN=13 -> executions 1
 * litmus: -DN=16 -> executions 8
 * litmus: -DN=24 -> executions 2048
 *
 * 32 inodes, 26 blocks, a mutex each. Up to 13 threads start at different blocks; from
 * 14 on each further thread competes with an earlier one.
 */
#include "threads.h"

#ifndef N
#define N 16
#endif

enum { INODES = 32, BLOCKS = 26 };

static int inode[INODES], busy[BLOCKS];
static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];

/* True if block b was free and now belongs to inode i. */
static int take_block(int b, int i)
{
    pthread_mutex_lock(&block_lock[b]);
    int is_free = !busy[b];
    if (is_free) {
        busy[b] = 1;
        inode[i] = b + 1;
    }
    pthread_mutex_unlock(&block_lock[b]);
    return is_free;
}

static void *body(void *argument)
{
    int i = number_of(argument) % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        while (!take_block(b, i))
            b = (b + 1) % BLOCKS;
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int b = 0; b < BLOCKS; b++)
        pthread_mutex_init(&block_lock[b], NULL);
    start_all(N, body);
    join_all();
    return 0;
}
