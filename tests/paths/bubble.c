/* bubble.c - sorting N numbers: one path per order of the inputs, N!
 *
 * litmus: -DN=4 -> executions 24
 * litmus: -DN=5 -> executions 120
 * litmus: -DN=6 -> executions 720
 * litmus long: -DN=7 -> executions 5040
 */
#include <sennit/sennit.h>

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = sennit_int("a");
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    for (int i = 0; i + 1 < N; i++)
        sennit_assert(a[i] <= a[i + 1]);
    return 0;
}
