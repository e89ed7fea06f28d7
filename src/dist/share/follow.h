/* follow.h - a search that other machines do: put into the store, followed, reported here */
#ifndef DIST_SHARE_FOLLOW_H
#define DIST_SHARE_FOLLOW_H

#include "app/options/options.h"

/* Explores through options->store. Answers the exit code, or -1 with `error` set. */
int follow_search(const char *program, char *const *models, uint32_t model_count, char **arguments, Options *options,
                  int argc, char **argv, Error *error);

#endif
