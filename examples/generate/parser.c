/* parser.c - functions to make tests for
 *
 *     sennit generate parser.c --function parse --string 3
 *     sennit generate parser.c --function longest --null
 *     sennit generate parser.c --function total
 *     sennit generate parser.c --function total --elements 2 --no-pairs
 *
 * `total` believes what the caller says about the size of the array. It is called with right sizes, unless
 * --no-pairs is given: then one of the tests shows the access out of bounds.
 */
#include <stdbool.h>
#include <stddef.h>

/* A number with an optional sign; false if the text is none. */
static bool parse(const char *text, int *number)
{
    bool negative = *text == '-';
    int value = 0;
    if (negative)
        text++;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + (*text - '0');
    *number = negative ? -value : value;
    return *text == '\0';
}

typedef enum Kind { KIND_WORD, KIND_NUMBER = 4, KIND_END } Kind;

typedef struct Token {
    Kind kind;
    const unsigned length;
    struct Token *next;
} Token;

/* The length of the longest word before the end. */
unsigned longest(const Token *token)
{
    unsigned most = 0;
    for (; token && token->kind != KIND_END; token = token->next)
        if (token->kind == KIND_WORD && token->length > most)
            most = token->length;
    return most;
}

typedef struct {
    int low, high;
} Range;

int clamp(int x, Range range)
{
    return x < range.low ? range.low : x > range.high ? range.high : x;
}

long total(const int *values, size_t count)
{
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

int main(void)
{
    int number;
    return parse("-12", &number) && number == clamp(-12, (Range){-20, 20}) ? 0 : 1;
}
