/* names.h - what to call threads, memory and steps in reports */
#ifndef RT_DETECT_NAMES_H
#define RT_DETECT_NAMES_H

#include "rt/kernel/runtime.h"

void name_agent(AgentId agent, char *text, size_t size);
void name_resource(uint64_t resource, uint8_t lanes, char *text, size_t size);
void name_step(uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size);

/* The function that contains an address of the program's code, from the symbol table of the
 * running file (symbols.c); NULL if unknown. */
const char *symbol_find(uint64_t address, uint64_t *offset);

#endif
