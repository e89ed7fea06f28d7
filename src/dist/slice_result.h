/* slice_result.h - the result of a slice, as the runner writes it and the worker commits it */
#ifndef DIST_SLICE_RESULT_H
#define DIST_SLICE_RESULT_H

#include "dist/store.h"

/* Start with {0}. */
typedef struct SliceResult {
    StoreCommit commit;
    char ending[32];     /* "lost", "diverged", "refused", "failed", "broken"; else the slice can be committed */
    char note[400];      /* what the user should know about the ending                                         */
    size_t bytes;        /* of the runner's tree                                                               */
    StoreJobs untouched; /* jobs that were not begun                                                           */
} SliceResult;

void sliceresult_release(SliceResult *result);

/* Reads a result; the jobs get the tokens of those held. False if the text is damaged. */
bool sliceresult_read(SliceResult *result, const Text *text, const StoreJobs *held);

#endif
