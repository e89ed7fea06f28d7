/* version.c - see version.h */
#include "cli/version.h"

#include <stdio.h>

#include "host/installation.h"
#include "sennit_commit.h"
#include "sennit_version.h"

void version_print(void)
{
    Installation installation;
    Error error;
    printf("sennit %s\ncommit %s\nLLVM %s\nz3 %s\n", SENNIT_VERSION, SENNIT_COMMIT, SENNIT_LLVM_VERSION,
           SENNIT_Z3_VERSION);
    printf("clang %s\n", installation_find(&installation, &error) ? installation.compiler : error.text);
}
