/* models.h - verbs that take ABS files */
#ifndef SUBJECT_ABS_MODELS_H
#define SUBJECT_ABS_MODELS_H

#include "abs/syntax/reading.h"
#include "app/options/options.h"
#include "base/vec.h"

/* How the options say that files are to be read; texts are borrowed from them. */
ModelReading model_reading(const Options *options);

/* The files of a model, borrowed from the command line. */
typedef VEC(char *) Models;

/* Replaces directories by their files, and adds the files with the modules that are imported (abs/modules/gather.h);
 * the names belong to `owned`. */
bool models_gather(Models *files, const Options *options, FileNames *owned, Error *error);

/* Explores the model; argv is the command line as typed. Answers the exit code. */
int models_explore(const Models *files, const Options *options, int argc, char **argv);
/* Looks for deadlocks in the model: analysis, guided search. */
int models_deadlock(const Models *files, const Options *options, int argc, char **argv);

#endif
