/* check.h - reading and checking a model */
#ifndef ABS_CHECK_CHECK_H
#define ABS_CHECK_CHECK_H

#include "abs/syntax/ast.h"

/* Reads the files and checks the model that they form. Errors and warnings are in model->diags; the caller owns the
 * model. NULL with `error` set if a file cannot be read. */
Model *check_files(const char *const *paths, uint32_t count, const ModelReading *reading, Error *error);
/* The same for a text in memory. */
Model *check_text(const char *name, const char *text, size_t size, const ModelReading *reading);

/* The module whose main block is run: the last one that has one, or NULL. */
ModuleDecl *check_find_main(const Model *model);

/* For the command line: checks the files and adds the diagnostics to `text`. True if
 * there is no error; false with `error` set if a file cannot be read. */
bool abs_check_files(const char *const *paths, uint32_t count, const ModelReading *reading, Text *text, Error *error);

#endif
