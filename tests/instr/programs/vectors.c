/* Loads and stores of some elements of a vector: instrumented, they are accesses to single elements. */
#include <stdio.h>

#ifdef __x86_64__
#include <immintrin.h>

static int numbers[64];
static double reals[8];
static long long longs[8];

static void fill(void)
{
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    for (int i = 0; i < 8; i++) {
        reals[i] = i + 0.5;
        longs[i] = 10 * i;
    }
}

static void show(const char *name, const int *results, int count)
{
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(" %d", results[i]);
    printf("\n");
}

#define AVX2 __attribute__((target("avx2")))

AVX2 static void show8(const char *name, __m256i v)
{
    int results[8];
    _mm256_storeu_si256((__m256i *)results, v);
    show(name, results, 8);
}

AVX2 static void show4(const char *name, __m128i v)
{
    int results[4];
    _mm_storeu_si128((__m128i *)results, v);
    show(name, results, 4);
}

AVX2 static void gather(void)
{
    __m256i index = _mm256_set_epi32(7, 6, 50, 4, 3, 2, 1, -1 + 1), some = _mm256_set_epi32(0, -1, 0, -1, 0, -1, 0, -1);
    __m128i small = _mm_set_epi32(1, 3, 5, 7);
    show8("gather", _mm256_i32gather_epi32(numbers, index, 4));
    show8("gather, scale 1", _mm256_i32gather_epi32(numbers, _mm256_slli_epi32(index, 2), 1));
    show8("gather backwards", _mm256_i32gather_epi32(numbers + 8, _mm256_set1_epi32(-8), 4));
    show8("gather some", _mm256_mask_i32gather_epi32(_mm256_set1_epi32(99), numbers, index, some, 4));
    show4("gather by long", _mm256_i64gather_epi32(numbers, _mm256_set_epi64x(9, 8, 7, 6), 4));
    show4("gather two by long", _mm_i64gather_epi32(numbers, _mm_set_epi64x(9, 8), 4));
    show8("gather reals", _mm256_castpd_si256(_mm256_i32gather_pd(reals, small, 8)));
    show8("gather longs", _mm256_i32gather_epi64(longs, small, 8));
    show4("gather two reals", _mm_castpd_si128(_mm_i32gather_pd(reals, _mm_set_epi32(1 << 30, 1 << 30, 5, 7), 8)));
}

AVX2 static void masked(void)
{
    __m256i some = _mm256_set_epi32(0, -1, 0, -1, 0, -1, 0, -1);
    show4("unaligned", _mm_lddqu_si128((const __m128i *)((const char *)numbers + 85)));
    show8("load some", _mm256_maskload_epi32(numbers, some));
    show8("load reals", _mm256_castpd_si256(_mm256_maskload_pd(reals + 6, _mm256_set_epi64x(0, 0, -1, -1))));
    _mm256_maskstore_epi32(numbers, some, _mm256_set1_epi32(-5));
    _mm_maskstore_epi64(longs, _mm_set_epi64x(-1, 0), _mm_set1_epi64x(3));
    _mm256_maskstore_ps((float *)numbers + 8, some, _mm256_set1_ps(1.5f));
    show("stored", numbers, 16);
    show("stored longs", (const int *)longs, 4);
}

int main(void)
{
    fill();
    _mm_maskmoveu_si128(_mm_set1_epi8(3), _mm_set_epi32(0, 0, -1, 128), (char *)&numbers[20]);
    show("bytes", numbers + 20, 4);
    unsigned modes = _mm_getcsr();
    _mm_setcsr(modes);
    if (__builtin_cpu_supports("avx2")) {
        gather();
        masked();
    }
    _mm_mfence();
    return 0;
}
#else
int main(void)
{
    printf("no such vectors\n");
    return 0;
}
#endif
