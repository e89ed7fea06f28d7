/* fingerprint.h - hashes of 128 bits, of data for which equal hashes count as equal data
 *
 * Two lanes with constants of their own. Sums of sealed fingerprints are fingerprints of multisets.
 */
#ifndef BASE_FINGERPRINT_H
#define BASE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Fingerprint {
    uint64_t low, high;
} Fingerprint;

static inline uint64_t fingerprint_turn(uint64_t word, unsigned bits) { return word << bits | word >> (64 - bits); }

static inline void fingerprint_add(Fingerprint *print, uint64_t word)
{
    print->low = fingerprint_turn(print->low ^ word * 0x9e3779b97f4a7c15ull, 29) * 0xbf58476d1ce4e5b9ull + 1;
    print->high = fingerprint_turn(print->high ^ word * 0xd6e8feb86659fd93ull, 37) * 0xff51afd7ed558ccdull + 3;
}

/* The bytes, and how many there are. */
static inline void fingerprint_add_bytes(Fingerprint *print, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t word;
    fingerprint_add(print, size);
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        fingerprint_add(print, word);
    }
    word = 0;
    memcpy(&word, at, size);
    if (size)
        fingerprint_add(print, word);
}

static inline uint64_t fingerprint_finish(uint64_t lane)
{
    lane = (lane ^ lane >> 32) * 0x94d049bb133111ebull;
    lane = (lane ^ lane >> 29) * 0xc4ceb9fe1a85ec53ull;
    return lane ^ lane >> 32;
}

/* Nothing is added to it any more. */
static inline Fingerprint fingerprint_seal(Fingerprint print)
{
    return (Fingerprint){fingerprint_finish(print.low + fingerprint_turn(print.high, 17)),
                         fingerprint_finish(print.high ^ fingerprint_turn(print.low, 41))};
}

/* Adds a sealed fingerprint to a sum of them. */
static inline void fingerprint_join(Fingerprint *sum, Fingerprint sealed)
{
    sum->low += sealed.low;
    sum->high += sealed.high;
}

static inline bool fingerprint_equal(Fingerprint a, Fingerprint b) { return a.low == b.low && a.high == b.high; }

#endif
