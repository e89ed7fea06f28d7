/* model.h - ABS models as subjects of the app, for the command line */
#ifndef SUBJECT_ABS_MODEL_H
#define SUBJECT_ABS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/error.h"
#include "base/text.h"

/* argv[0] of a fresh process of the tool that runs a model. */
#define MODEL_PROCESS "sennit-model"

/* Performs the task of SENNIT_OPTIONS on the model in the files argv[1], argv[2], ... (app/tasks/app.h). Answers the
 * exit code. */
int model_run(int argc, char **argv);

/* Runs the deadlock analysis of the model in these files, and the searches that SENNIT_OPTIONS requests. Answers the
 * exit code. */
int model_deadlock(int argc, char **argv);

/* Checks the files and adds the diagnostics to `text`; true if there is no error; false with `error` set if a file
 * cannot be read. */
bool model_check(const char *const *paths, uint32_t count, const Options *options, Text *text, Error *error);

/* The same as a document: files, number of errors, diagnostics. */
bool model_check_json(const char *const *paths, uint32_t count, const Options *options, Text *text, Error *error);

/* Does the name end in .abs? */
bool model_is_file(const char *path);
/* Does the word of a command line mean a model: such a file, or a directory? */
bool model_is_given(const char *path);

#endif
