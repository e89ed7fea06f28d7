/* base64.c - decoding N bytes, with a table and padding
 *
 * litmus: -DN=4 -> executions 1442
 * litmus long: -DN=5 -> executions 7217
 *
 * Both counts were found by trying all classes of bytes natively.
 */
#include <sennit/sennit.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The number of bytes decoded, -1 if that is no base 64. */
static int decode(const char *text, int length, unsigned char *out)
{
    unsigned bits = 0;
    int count = 0, used = 0, i = 0;
    for (; i < length && text[i] != '='; i++) {
        int value = value_of(text[i]);
        if (value < 0)
            return -1;
        bits = bits << 6 | (unsigned)value;
        used += 6;
        if (used >= 8) {
            used -= 8;
            out[count++] = (unsigned char)(bits >> used);
        }
    }
    for (int padding = 0; i < length; i++, padding++)
        if (text[i] != '=' || padding == 2)
            return -1;
    return count;
}

int main(void)
{
    char text[N];
    unsigned char out[N];
    sennit_bytes(text, N, "text");
    int count = decode(text, N, out);
    if (count > 0)
        sennit_assert(digits[out[0] >> 2] == text[0]);
    return 0;
}
