/* weak_words.h - atomic operations of an execution under weak memory, in words */
#ifndef SUBJECT_C_WEAK_WORDS_H
#define SUBJECT_C_WEAK_WORDS_H

#include "base/text.h"
#include "core/program.h"

/* An execution, and the program that describes it. */
typedef struct WeakWords {
    Program *program;
    const Execution *ex;
} WeakWords;

/* The access that makes a step weak; NULL if it is not, or a fence. */
const Access *weakwords_access(const WeakWords *words, uint32_t position);
/* "mp.c:9" */
void weakwords_add_place(const WeakWords *words, uint32_t position, Text *out);
/* "writer (0.1)" */
void weakwords_add_agent(const WeakWords *words, uint32_t position, Text *out);
/* "ready": what a weak step accesses. */
void weakwords_add_object(const WeakWords *words, uint32_t position, Text *out);
void weakwords_add_value(const WeakWords *words, uint32_t position, int64_t value, Text *out);
/* "store of ready (mp.c:9)", "fence (mp.c:10)" */
void weakwords_add_operation(const WeakWords *words, uint32_t position, Text *out);
/* "acq_rel" */
const char *weakwords_order(unsigned order);

#endif
