/* all_products.h - the same for each product of a model: checking it, exploring it */
#ifndef SUBJECT_ABS_ALL_PRODUCTS_H
#define SUBJECT_ABS_ALL_PRODUCTS_H

#include "base/error.h"
#include "base/text.h"
#include "subject/abs/models.h"

/* Checks each product and adds the diagnostics to `text`, with one line per product. False with `error` set if a
 * product has an error, there are no products, or a file cannot be read. */
bool all_products_check(const Models *files, const Options *options, Text *text, Error *error);

/* Explores each product in a process of its own, with a run directory of its own below that of the options; prints
 * the verdict on each, and for each bug the products that have it. Answers the exit code. */
int all_products_explore(const Models *files, const Options *options, int argc, char **argv);

#endif
