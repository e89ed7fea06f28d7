/* bits.h - sets of small numbers as bit vectors */
#ifndef DEADLOCK_BITS_H
#define DEADLOCK_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_words(uint32_t count) { return (count + 63) / 64; }
static inline bool bits_has(const uint64_t *bits, uint32_t n) { return bits[n / 64] >> n % 64 & 1; }
static inline void bits_add(uint64_t *bits, uint32_t n) { bits[n / 64] |= (uint64_t)1 << n % 64; }

/* Adds a set; true if `bits` changed. */
static inline bool bits_join(uint64_t *bits, const uint64_t *by, uint32_t words)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < words; i++) {
        more |= by[i] & ~bits[i];
        bits[i] |= by[i];
    }
    return more != 0;
}

static inline bool bits_empty(const uint64_t *bits, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (bits[i])
            return false;
    return true;
}

#endif
