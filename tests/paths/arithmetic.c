/* arithmetic.c - every operation at every width, and what memory does to values
 *
 * litmus: -DN=0 -> executions 32
 * litmus: -DBUILTINS -O2 -> executions 32
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

#ifdef BUILTINS
/* The three operations of two operands with a result of some type; the compiler computes in a type that has room
 * for all three, of up to 128 bits. */
#define OVERFLOWS(type, a, b)                            \
    do {                                                 \
        type to;                                         \
        TRY(__builtin_add_overflow(a, b, &to) ^ to);     \
        TRY(__builtin_sub_overflow(a, b, &to) ^ to);     \
        TRY(__builtin_mul_overflow(a, b, &to) ^ to >> 1);\
    } while (0)

/* The optimiser has an operation for what stops at the least and the largest number. */
#define SATURATES(type, most)                          \
    do {                                               \
        type p = (type)x, q = (type)(x >> 7);          \
        TRY(p > q ? (type)(p - q) : 0);                \
        TRY(p > (type)(most - q) ? most : (type)(p + q)); \
    } while (0)

static void try_builtins(uint64_t x)
{
    __int128 wide = (__int128)x << 61 ^ x;
    unsigned __int128 large = (unsigned __int128)wide << 2;
    OVERFLOWS(int, (short)x, x >> 3);
    OVERFLOWS(long, (long)x, x >> 1);
    OVERFLOWS(unsigned long, (int)x, (long)(x >> 9));
    OVERFLOWS(__int128, wide, (__int128)x << 60);
    OVERFLOWS(__int128, wide, -(__int128)(x >> 3));
    OVERFLOWS(unsigned __int128, large, (unsigned __int128)x << 63);
    OVERFLOWS(unsigned char, (unsigned char)x, (signed char)(x >> 5));
    SATURATES(unsigned char, 255);
    SATURATES(unsigned, UINT32_MAX);
    SATURATES(uint64_t, UINT64_MAX);
    TRY((large << 37 | large >> 91) >> 64);
    TRY(__builtin_bitreverse32((uint32_t)x) >> 7);
    TRY(__builtin_rotateright64(x, x & 63) >> 5);
    TRY(__builtin_rotateleft16((uint16_t)x, (uint16_t)(x >> 20)) >> 3);
    TRY((uint64_t)__builtin_ctzll(x | 1ull << 40));
    TRY((uint64_t)__builtin_elementwise_add_sat((int)x, (int)(x >> 17)));
    TRY((uint64_t)__builtin_elementwise_sub_sat((signed char)x, (signed char)(x >> 17)));
}
#endif

int main(void)
{
    uint64_t x = (uint64_t)(unsigned)sennit_int("x");
    sennit_assume(x < 32);
    x *= 0x9e3779b97f4a7c15ull;
#ifdef BUILTINS
    try_builtins(x);
#endif
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
    return taken > 100;
}
