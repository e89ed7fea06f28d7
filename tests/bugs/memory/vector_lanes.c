// bug: heap-bounds
// fixed: exhaustive
// Elements that a masked store leaves out may lie outside the block; the others may not.
#include <stdlib.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

int main(void)
{
    char *cells = calloc(3, 1); // (BUG)
#ifdef FIXED
    char mask[16] = {-1, -1, -1};
#else
    char mask[16] = {-1, -1, -1, -1};
#endif
#ifdef __x86_64__
    __m128i lanes = _mm_loadu_si128((const __m128i *)mask);
    _mm_maskmoveu_si128(_mm_set1_epi8(7), lanes, cells); // (BUG)
#else
    for (int i = 0; i < 16; i++)
        if (mask[i])
            cells[i] = 7; // (BUG)
#endif
    free(cells);
    return 0;
}
