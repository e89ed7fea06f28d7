/* carried_record.h - what instrumented objects carry besides code: uninstrumented bitcode, and how it was compiled
 *
 * Linkers concatenate the sections of all objects. Everything is in this header, since `sennit` and `sennit-instr` are
 * two programs.
 */
#ifndef INSTR_ABI_CARRIED_RECORD_H
#define INSTR_ABI_CARRIED_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CARRIED_SECTION "sennit_bitcode"
#define CARRIED_MARK "sennitBC"
/* One byte for each module that has only plain versions of its functions. */
#define CARRIED_PLAIN_SECTION "sennit_plain"

enum { CARRIED_ALIGNMENT = 16 };

/* Followed by the words and the bitcode; the next record is aligned. */
typedef struct CarriedRecord {
    char mark[8];
    uint64_t code_size;
    uint32_t words_size; /* NUL-terminated: flags of sennit-instr, "--", arguments for code generation */
    uint32_t is_plain;   /* the object has only plain versions of its functions                       */
    uint64_t reserved;
} CarriedRecord;

static inline const char *carried_words(const CarriedRecord *record) { return (const char *)(record + 1); }
static inline const char *carried_code(const CarriedRecord *record)
{
    return carried_words(record) + record->words_size;
}

/* The first record at `*at` or behind it, which then is behind that record; NULL if there is none. The section must be
 * aligned in memory. */
static inline const CarriedRecord *carried_next(const char *section, size_t size, size_t *at)
{
    for (; *at + sizeof(CarriedRecord) <= size; *at += CARRIED_ALIGNMENT) {
        const CarriedRecord *record = (const CarriedRecord *)(section + *at);
        size_t rest = size - *at - sizeof *record;
        if (memcmp(record->mark, CARRIED_MARK, sizeof record->mark) != 0)
            continue;
        if (record->words_size > rest || record->code_size > rest - record->words_size)
            return NULL;
        size_t whole = sizeof *record + record->words_size + record->code_size;
        *at += (whole + CARRIED_ALIGNMENT - 1) / CARRIED_ALIGNMENT * CARRIED_ALIGNMENT;
        return record;
    }
    return NULL;
}

#endif
