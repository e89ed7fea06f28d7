/* regexp.c - a matcher of small regular expressions; the expression is the input, N bytes
 *
 * litmus: -DN=4 -> executions 399
 * litmus long: -DN=5 -> executions 1209
 *
 * Found by trying all expressions over the ten bytes that matter natively (N = 4).
 */
#include <sennit/sennit.h>

static int match_here(const char *re, const char *text);

static int match_star(int c, const char *re, const char *text)
{
    do {
        if (match_here(re, text))
            return 1;
    } while (*text && (*text++ == c || c == '.'));
    return 0;
}

static int match_here(const char *re, const char *text)
{
    if (re[0] == 0)
        return 1;
    if (re[1] == '*')
        return match_star(re[0], re + 2, text);
    if (re[0] == '$' && re[1] == 0)
        return *text == 0;
    if (*text && (re[0] == '.' || re[0] == *text))
        return match_here(re + 1, text + 1);
    return 0;
}

static int match(const char *re, const char *text)
{
    if (re[0] == '^')
        return match_here(re + 1, text);
    do {
        if (match_here(re, text))
            return 1;
    } while (*text++);
    return 0;
}

int main(void)
{
    char re[N + 1];
    sennit_bytes(re, N, "re");
    re[N] = 0;
    match(re, "hello");
    return 0;
}
