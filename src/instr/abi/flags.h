/* flags.h - the flags of flags.def as a structure, with a parser
 *
 * Everything is in this header, since `sennit` and `sennit-instr` are two programs.
 */
#ifndef INSTR_ABI_FLAGS_H
#define INSTR_ABI_FLAGS_H

#include <stdbool.h>
#include <string.h>

typedef struct InstrFlags {
#define CC_FLAG(name, help) bool name;
#define FRONT_END_FLAG(name, help) bool name;
#define INSTR_FLAG(name, help) bool name;
#include "instr/abi/flags.def"
} InstrFlags;

/* Sets the flag of `sennit cc` that the word is; false if it is none. */
static inline bool flags_take_cc(InstrFlags *flags, const char *word)
{
#define CC_FLAG(name, help)             \
    if (strcmp(word, "--" #name) == 0)  \
        return flags->name = true;
#define FRONT_END_FLAG CC_FLAG
#include "instr/abi/flags.def"
    return false;
}

/* The same for sennit-instr. */
static inline bool flags_take_instr(InstrFlags *flags, const char *word)
{
#define CC_FLAG(name, help)             \
    if (strcmp(word, "--" #name) == 0)  \
        return flags->name = true;
#define INSTR_FLAG CC_FLAG
#include "instr/abi/flags.def"
    return false;
}

#endif
