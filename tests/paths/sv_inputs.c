/* sv_inputs.c - input functions of SV-COMP: 128 bits, pointers, spellings of types
 *
 * litmus: -DWIDE -> executions 7
 * litmus: -DPOINTERS -> executions 4
 * litmus: -DSPELLINGS -> executions 2 bugs assertion
 *
 * WIDE: a path per result. POINTERS: the first, second, third is null, or none. SPELLINGS: every
 * input is the size of its type, or one is not.
 */
#include <limits.h>
#include <sennit/sennit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);
char *__VERIFIER_nondet_pchar(void);
char *__VERIFIER_nondet_charp(void);
const char *__VERIFIER_nondet_const_char_pointer(void);
void *__VERIFIER_nondet_pointer(void);

#define ALL(X)                                                                                                      \
    X(bool, bool) X(bool, _Bool) X(char, char) X(signed char, schar) X(signed char, S8) X(int8_t, int8_t)           \
    X(unsigned char, uchar) X(unsigned char, unsigned_char) X(unsigned char, u8) X(uint8_t, uint8_t)                \
    X(short, short) X(int16_t, int16_t) X(unsigned short, ushort) X(unsigned short, unsigned_short)                 \
    X(unsigned short, u16) X(uint16_t, uint16_t) X(int, int) X(int32_t, int32_t) X(unsigned, uint)                  \
    X(unsigned, unsigned) X(unsigned, unsigned_int) X(unsigned, u32) X(uint32_t, uint32_t) X(long, long)            \
    X(int64_t, int64_t) X(ssize_t, ssize_t) X(unsigned long, ulong) X(unsigned long, unsigned_long)                 \
    X(unsigned long, u64) X(uint64_t, uint64_t) X(unsigned long, pthread_t) X(unsigned long, sector_t)              \
    X(long long, longlong) X(long long, loff_t) X(unsigned long long, ulonglong) X(size_t, size_t)
#define DECLARE(type, name) type __VERIFIER_nondet_##name(void);
ALL(DECLARE)

static int wide(void)
{
    __int128 a = __VERIFIER_nondet_int128();
    unsigned __int128 b = __VERIFIER_nondet_uint128();
    if (a == -((__int128)1 << 100) - 7)
        return 1;
    if (b * 3 == ((unsigned __int128)1 << 120) + 5)
        return 2;
    if (b > (unsigned __int128)-3)
        return 3;
    if (a < -((__int128)1 << 90))
        return 4;
    if ((b >> 100) == 77)
        return 5;
    if ((unsigned __int128)a + b == (unsigned __int128)1 << 127)
        return 6;
    return 7;
}

static int pointers(void)
{
    if (!__VERIFIER_nondet_pchar() || !__VERIFIER_nondet_charp() || !__VERIFIER_nondet_pointer())
        return 1;
    return __VERIFIER_nondet_const_char_pointer() == __VERIFIER_nondet_pointer();
}

static int spellings(void)
{
    unsigned long sum = 0;
#define ADD(type, name) sum |= (unsigned long)(__VERIFIER_nondet_##name() != (type)sizeof(type));
    ALL(ADD)
    sennit_assert(sum == 1);
    return 0;
}

int main(void)
{
#ifdef WIDE
    wide();
#elif defined POINTERS
    pointers();
#else
    spellings();
#endif
    return 0;
}
