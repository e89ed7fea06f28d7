/* models.h - verbs that take ABS files */
#ifndef SUBJECT_ABS_MODELS_H
#define SUBJECT_ABS_MODELS_H

#include "app/options/options.h"
#include "base/vec.h"

/* The files of a model, borrowed from the command line. */
typedef VEC(char *) Models;

/* Explores the model; argv is the command line as typed. Answers the exit code. */
int models_explore(const Models *files, const Options *options, int argc, char **argv);
/* Looks for deadlocks in the model: analysis, guided search. */
int models_deadlock(const Models *files, const Options *options, int argc, char **argv);

#endif
