/* arithmetic.c - every operation at every width, and what memory does to values
 *
 * litmus: -DN=0 -> executions 32
 *
 * The runtime compares each decision with the value that its expression has: if one was
 * computed wrongly the verdict is not exhaustive.
 */
#include <sennit/sennit.h>
#include <stdint.h>
#include <string.h>

static int taken;

#define TRY(e)          \
    do {                \
        if ((e) & 1)    \
            taken++;    \
    } while (0)

typedef union Word {
    uint64_t whole;
    uint32_t halves[2];
    uint8_t bytes[8];
} Word;

typedef struct Bits {
    unsigned a : 3, b : 7;
    int c : 5;
} Bits;

#define ALL(type)                                     \
    do {                                              \
        type p = (type)x, q = (type)(x >> 3);         \
        TRY((uint64_t)(p * 7 + q) >> 2);              \
        TRY((uint64_t)(p / 3 - q % 5));               \
        TRY((uint64_t)((p ^ q) & (p | 9)));           \
        TRY((uint64_t)(p >> 1) + (uint64_t)(q < p));  \
    } while (0)

int main(void)
{
    uint64_t x = (uint64_t)(unsigned)sennit_int("x");
    sennit_assume(x < 32);
    x *= 0x9e3779b97f4a7c15ull;
    ALL(int8_t);
    ALL(uint16_t);
    ALL(int32_t);
    ALL(uint64_t);
    ALL(__int128);
    Word word = {.whole = x}, copy;
    memcpy(&copy, &word, sizeof copy);
    TRY(copy.bytes[3] + copy.halves[1]);
    copy.bytes[5] = (uint8_t)(word.bytes[6] + 1);
    TRY(copy.whole >> 40);
    Bits bits = {.a = (unsigned)x & 7, .b = (unsigned)(x >> 4) & 127, .c = (int)(x >> 20) % 15};
    TRY(bits.a + bits.b + (unsigned)bits.c);
    TRY(__builtin_bswap32(word.halves[0]) >> 3);
    TRY((uint64_t)__builtin_popcountll(x));
    TRY((uint64_t)__builtin_clzll(x | 1));
    int sum;
    TRY((uint64_t)__builtin_add_overflow((int)x, 77, &sum));
    return taken > 40;
}
