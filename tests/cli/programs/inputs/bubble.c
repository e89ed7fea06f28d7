/* bubble.c - sorts N numbers; prints which comparisons swapped, which is its path */
#include <sennit/sennit.h>
#include <stdio.h>

#ifndef N
#define N 4
#endif

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = sennit_int("a");
    for (int i = 0; i < N; i++)
        for (int j = 0; j + 1 < N - i; j++) {
            int swap = a[j] > a[j + 1];
            if (swap) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
            putchar('0' + swap);
        }
    putchar('\n');
    return 0;
}
