/* compare.c - comparing a string of N bytes with a constant one, as strcmp does
 *
 * litmus: -DN=8 -> executions 25
 *
 * At each byte: the end, smaller, larger; and all equal: 3 * 8 + 1.
 */
#include <sennit/sennit.h>

static int compare(const unsigned char *a, const unsigned char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a - *b;
}

int main(void)
{
    unsigned char text[N + 1];
    sennit_bytes(text, N, "text");
    text[N] = 0;
    int order = compare(text, (const unsigned char *)"password");
    if (order < 0)
        return 0;
    if (order == 0)
        sennit_assert(text[0] == 'p');
    return 0;
}
