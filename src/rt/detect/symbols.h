/* symbols.h - names of functions, from the symbol table of the running file */
#ifndef RT_DETECT_SYMBOLS_H
#define RT_DETECT_SYMBOLS_H

#include <stdint.h>

/* The function that contains an address of the program's code; NULL if unknown. The text
 * lives as long as the process. `offset` (may be NULL) becomes the distance from its begin. */
const char *symbols_find(uint64_t address, uint64_t *offset);

#endif
