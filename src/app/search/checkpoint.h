/* checkpoint.h - a search on disk, to go on with later
 *
 * A text file: which program, which options, counts, bugs so far, and the tree of jobs
 * (core/tree/jobs.h), which is all that is left to do. It is replaced as a whole, never changed.
 */
#ifndef APP_SEARCH_CHECKPOINT_H
#define APP_SEARCH_CHECKPOINT_H

#include "app/search/search.h"

#define CHECKPOINT_NAME "checkpoint/search"

/* What a checkpoint says about the run; the strings are owned. */
typedef struct CheckpointHead {
    char *version;
    char *program;
    char *hash;
    char *directory;  /* where the program runs                         */
    char *options;    /* as the run was started                         */
    char *bounds;     /* those of them that must not change             */
    char **arguments; /* of the program, NULL-terminated                */
    uint32_t argument_count;
    char *ending;     /* the search was ended for this reason, nothing is left to do; or NULL */
    double seconds;   /* the search took so far                         */
    double cpu_seconds;
} CheckpointHead;

void checkpointhead_release(CheckpointHead *head);

/* The options that decide what is explored: a search cannot go on with others. */
void checkpoint_write_bounds(const Options *options, Text *text);
/* Fails with a sentence on the first option that differs. */
bool checkpoint_same_bounds(const char *then, const char *now, Error *error);

/* All workers must be suspended. */
void checkpoint_write(RunSearch *search, const RunInfo *info, double seconds, double cpu_seconds, Text *text);

/* The parts of a checkpoint, for a search that was done elsewhere and has nothing left to do:
 * beginning, bugs (`kind` is "kind seen"), end. */
void checkpoint_begin(const CheckpointHead *head, const ExploreStats *stats, Text *text);
void checkpoint_add_bug(uint64_t identity, const char *kind, size_t kind_size, const char *trace, size_t trace_size,
                        Text *text);
void checkpoint_end(Text *text);

/* Reads the file and what it says about the run. */
bool checkpoint_read_head(const char *path, CheckpointHead *head, Error *error);
/* Goes on from the file: checks that it fits the run, then fills the search, which has not begun. */
bool checkpoint_load(const char *path, const RunInfo *info, RunSearch *search, CheckpointHead *head, Error *error);

#endif
