/* expression.c - a parser of sums and products with parentheses, on N bytes
 *
 * litmus: -DN=5 -> executions 280
 * litmus: -DN=7 -> executions 2329
 */
#include <sennit/sennit.h>

static const char *at;
static int failed;

static int sum(void);

static int factor(void)
{
    if (*at == '(') {
        at++;
        int value = sum();
        if (*at == ')')
            at++;
        else
            failed = 1;
        return value;
    }
    if (*at >= '0' && *at <= '9')
        return *at++ - '0';
    failed = 1;
    return 0;
}

static int product(void)
{
    int value = factor();
    while (!failed && (*at == '*' || *at == '/')) {
        char op = *at++;
        int next = factor();
        if (op == '*')
            value *= next;
        else if (next != 0)
            value /= next;
        else
            failed = 1;
    }
    return value;
}

static int sum(void)
{
    int value = product();
    while (!failed && (*at == '+' || *at == '-')) {
        char op = *at++;
        int next = product();
        value = op == '+' ? value + next : value - next;
    }
    return value;
}

int main(void)
{
    char text[N + 1];
    sennit_bytes(text, N, "text");
    text[N] = 0;
    failed = 0;
    at = text;
    int value = sum();
    if (!failed && *at == 0)
        sennit_assert(value < 10000);
    return 0;
}
