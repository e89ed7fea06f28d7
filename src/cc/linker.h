/* linker.h - calls of the linker without a compiler driver
 *
 * Which words clang gives the linker on this system was recorded when Sennit was built (cmake/linker_words.cmake).
 * Starting clang only to learn them again costs more than a quarter of the time in which a short test is linked.
 */
#ifndef CC_LINKER_H
#define CC_LINKER_H

#include "cc/command_line.h"
#include "host/installation.h"

typedef VEC(char *) OwnedTexts;

/* Fills the command that links the inputs and, unless `args` says to leave it out, the runtime. False, with an empty
 * command, if clang has to be asked: for an option that it interprets, or because the files recorded are not those of
 * this system. Texts made here are added to `texts`, for the caller to free. */
bool linker_command(const CommandLine *args, const Installation *installation, const char *output, ArgList *command,
                    OwnedTexts *texts);

#endif
