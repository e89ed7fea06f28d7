/* site.h - source places as constants in the instrumented module
 *
 * Each place is one SennitSite (rt/abi/hooks.h) per module, made on first use from an
 * instruction's debug location.
 */
#ifndef INSTR_MODULE_SITE_H
#define INSTR_MODULE_SITE_H

#include <stdio.h>

#include "instr/module/module.h"

/* Suffix of the name of a local function while the linker can see it (pass_versions.c); not shown in reports. */
#define SITE_LOCAL ".local."

SiteTable *site_table_create(void);
void site_table_destroy(SiteTable *table);

/* The place of an instruction; without a debug location, that of its function. */
LLVMValueRef site_of(Module *m, LLVMValueRef instruction);
/* The place where a global variable is declared; a null pointer if unknown. */
LLVMValueRef site_of_global(Module *m, LLVMValueRef global);
/* The debug information of a global variable (a DIGlobalVariable), NULL if it has none. */
LLVMMetadataRef site_variable(Module *m, LLVMValueRef global);
/* The place of a function's first line. */
LLVMValueRef site_of_function(Module *m, LLVMValueRef function);

typedef struct SiteText {
    char file[4096], function[256];
    unsigned line, column;
} SiteText;

/* The place of an instruction as text. */
void site_read(LLVMValueRef instruction, SiteText *text);

/* "file:line:column: ", or the function's name if there is no debug location. */
void site_print(FILE *out, LLVMValueRef instruction);

#endif
