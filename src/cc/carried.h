/* carried.h - modules without tracked versions, found in objects and programs by the bitcode they carry
 *
 * Whether a program has symbolic inputs is known when it is linked, and few have. So objects contain plain versions
 * only, unless their own source asks for inputs; the tracked versions are generated when a program that has inputs is
 * linked, from what its objects carry (instr/abi/carried_record.h).
 */
#ifndef CC_CARRIED_H
#define CC_CARRIED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "host/scratch.h"

/* A module to be compiled again. */
typedef struct CarriedModule {
    const char *bitcode;          /* a file, named by the scratch directory          */
    char *words;                  /* owned; the lists point into it                  */
    VEC(const char *) instrument; /* flags of sennit-instr                           */
    VEC(const char *) generate;   /* arguments for code generation                   */
} CarriedModule;

typedef VEC(CarriedModule) CarriedModules;

/* Does the linked program have symbolic inputs, and modules without tracked versions? */
bool carried_needs_tracking(const char *program);

/* Does the object ask for symbolic inputs? */
bool carried_asks_for_inputs(const char *object);
/* How many modules the file contains, and how many without tracked versions. Both 0 if it is no ELF file. */
void carried_count(const char *path, uint32_t *modules, uint32_t *plain);

/* Writes the bitcode of the program's modules without tracked versions to files. Release the list also after a
 * failure. */
bool carried_extract(const char *program, Scratch *scratch, CarriedModules *modules, Error *error);
void carried_release(CarriedModules *modules);

#endif
