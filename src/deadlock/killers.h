/* killers.h - which methods may kill their object, for the detection of deadlocks (abs/program/task_cycles.c) */
#ifndef DEADLOCK_KILLERS_H
#define DEADLOCK_KILLERS_H

#include "abs/program/program_abs.h"

/* Analyses the image (borrowed), from its main block on, at the first question. */
Killers *killers_create(const Image *image);

#endif
