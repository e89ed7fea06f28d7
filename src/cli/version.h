/* version.h - what `sennit --version` prints */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* One line per component, a name and its version: sennit, commit, LLVM, z3, clang. */
void version_print(void);

#endif
