/* checkpoint.h - a search as a file, from which it can be resumed
 *
 * A text file: program, options, counts, bugs found so far, and the tree of jobs (core/tree/jobs.h),
 * which is all that is left to do. The file is replaced as a whole, never changed.
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
    char *options;    /* of the run                                     */
    char *bounds;     /* those of them that must not change             */
    char **arguments; /* of the program, NULL-terminated                */
    uint32_t argument_count;
    char *ending;     /* why the search ended, if nothing is left to do; or NULL */
    double seconds;   /* duration of the search so far                  */
    double cpu_seconds;
} CheckpointHead;

void checkpointhead_release(CheckpointHead *head);

/* Writes the options that decide what is explored: a search can only be resumed with the same ones. */
void checkpoint_write_bounds(const Options *options, Text *text);
/* Are they the same? If not, `error` names the first option that differs. */
bool checkpoint_same_bounds(const char *then, const char *now, Error *error);

/* Writes the checkpoint. All workers must be suspended. */
void checkpoint_write(RunSearch *search, const RunInfo *info, double seconds, double cpu_seconds, Text *text);

/* The parts of a checkpoint of a shared search that is over: beginning, bugs (`kind` is "kind seen"), end. */
void checkpoint_begin(const CheckpointHead *head, const ExploreStats *stats, Text *text);
void checkpoint_add_bug(uint64_t identity, const char *kind, size_t kind_size, const char *trace, size_t trace_size,
                        Text *text);
void checkpoint_end(Text *text);

/* Reads the head of the file; to be released by the caller, also after a failure. */
bool checkpoint_read_head(const char *path, CheckpointHead *head, Error *error);
/* Checks that the file fits the run, then fills the search, which must not have started. The caller releases
 * the head, also after a failure. */
bool checkpoint_load(const char *path, const RunInfo *info, RunSearch *search, CheckpointHead *head, Error *error);

#endif
