/* cc.h - `sennit cc`: stands in for the C compiler */
#ifndef CC_CC_H
#define CC_CC_H

#include <stdbool.h>

/* The flags of instr/abi/flags.def that `sennit cc` has beside those of the compiler. */
typedef enum CcFlag {
#define CC_FLAG(name, help) CC_FLAG_##name,
#define FRONT_END_FLAG CC_FLAG
#include "instr/abi/flags.def"
    CC_FLAG_COUNT
} CcFlag;

/* Compiles and links as gcc or clang would, and instruments C sources. argv[0] is ignored.
 * Answers the exit code: that of the program that failed, or 1. */
int cc_run(int argc, char **argv);

/* The flag as a word of the command line: "--coverage". */
const char *cc_flag_word(CcFlag flag);
/* Is the word such a flag? */
bool cc_is_own_flag(const char *word);

#endif
