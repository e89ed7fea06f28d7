/* rng.h - a small, fast, seedable random number generator (splitmix64) */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

typedef struct Rng {
    uint64_t state;
} Rng;

static inline uint64_t rng_next(Rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* 0..bound-1; bound > 0. */
static inline uint32_t rng_below(Rng *rng, uint32_t bound)
{
    return (uint32_t)((rng_next(rng) >> 32) * bound >> 32);
}

#endif
