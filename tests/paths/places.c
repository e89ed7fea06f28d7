/* places.c - an input decides where memory is read and written
 *
 * litmus: -DOVERLAP -> executions 2 bugs assertion
 * litmus: -DOVERLAP -DSAFE -> executions 1
 * litmus: -DEND -> executions 2 bugs assertion
 * litmus: -DEND -DSAFE -> executions 1
 * litmus: -DSMALL -> executions 1 bugs bounds
 * litmus: -DREAD_FLOAT -> executions 4 bugs assertion
 * litmus: -DWRITE_FLOAT -> executions 4 bugs assertion
 * litmus: -DCOMPLEX -> executions 3 bugs assertion
 * litmus: -DWIDE_SWITCH -> executions 4 bugs assertion
 * litmus: -DFIELD -> executions 2 bugs bounds
 * litmus: -DFIELD -DSAFE -> executions 1
 *
 * OVERLAP: one store may reach the same byte at several places. END: places counted from the end of
 * an object that another one follows. Numbers without expressions are read and written at known
 * places: each is a path of its own. FIELD: from one field of a structure to the next.
 */
#include <complex.h>
#include <sennit/sennit.h>
#include <stdint.h>

typedef uint32_t __attribute__((aligned(1), may_alias)) Unaligned;

static unsigned char bytes[16];
static const int first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
static const float floats[4] = {1, 2, 3, 4};
static double doubles[4];
static short small[1];
static struct {
    int first[4], second[4];
} pair;

static int from_end(const int *end, unsigned i) { return *(end - i); }

int main(void)
{
    unsigned i = sennit_uint("i");
#if defined FIELD
#ifdef SAFE
    sennit_assume(i < 4);
#endif
    sennit_assume(i < 8);
    pair.first[i] = 1;
    sennit_assert(pair.second[0] == 0);
#elif defined OVERLAP
    sennit_assume(i <= 12);
    for (int k = 0; k < 16; k++)
        bytes[k] = (unsigned char)k;
    *(Unaligned *)(bytes + i) = 0xddccbbaa;
#ifdef SAFE
    sennit_assert((bytes[5] == 0xaa) == (i == 5));
    sennit_assert((bytes[5] == 0xbb) == (i == 4));
    sennit_assert((bytes[5] == 5) == ((i < 2) | (i > 5)));
#else
    sennit_assert(bytes[5] != 0xbb);
#endif
#elif defined END
    sennit_assume((i >= 1) & (i <= 4));
    int sum = from_end(first + 4, i) + from_end(second + 4, i);
#ifdef SAFE
    sennit_assert(sum == 14 - 2 * (int)i);
#else
    sennit_assert(sum != 8);
#endif
#elif defined SMALL
    sennit_assume(i < 3);
    *(Unaligned *)((char *)small + i) = 1;
#elif defined READ_FLOAT
    sennit_assume(i < 4);
    sennit_assert(floats[i] < 3.5f);
#elif defined WRITE_FLOAT
    sennit_assume(i < 4);
    doubles[i] = 7.5;
    sennit_assert(doubles[3] < 7);
#elif defined COMPLEX
    double complex numbers[3] = {1, 2 * I, 3};
    sennit_assume(i < 3);
    sennit_assert(cimag(numbers[i]) < 1);
#elif defined WIDE_SWITCH
    switch ((unsigned __int128)i << 64 | 5) {
    case (unsigned __int128)7 << 64 | 5: sennit_assert(i != 7); break;
    case 5: break;
    case (unsigned __int128)7 << 64: break;
    case (unsigned __int128)9 << 64 | 5: break;
    default: break;
    }
#endif
    return 0;
}
