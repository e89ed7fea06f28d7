/* hash.h - hashes that are the same in every process and machine */
#ifndef SYM_EXPR_HASH_H
#define SYM_EXPR_HASH_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Mixes two numbers into one; not symmetric. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)(a ^ 0x8ebc6af09c88c6e3ull) * (b ^ 0x589965cc75374cc3ull);
    uint64_t h = (uint64_t)product ^ (uint64_t)(product >> 64);
    return (h ^ a >> 29) * 0x9fb21c651e98df25ull;
}

/* Eight bytes at a time, whatever the order of bytes of the machine. */
static inline uint64_t hash_text(const char *text)
{
    uint64_t h = 0, word = 0;
    size_t length = strlen(text), i = 0;
    for (; i + 8 <= length; i += 8) {
        memcpy(&word, text + i, 8);
        h = hash_mix(h, le64toh(word));
    }
    word = 0;
    memcpy(&word, text + i, length - i);
    return hash_mix(h, le64toh(word));
}

#endif
