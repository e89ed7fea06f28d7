/* summary.h - the result of a search as a whole, and its verdict */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "core/explore.h"
#include "report/coverage.h"

typedef enum Verdict { VERDICT_EXHAUSTIVE, VERDICT_BOUNDED, VERDICT_SAMPLED } Verdict;

/* Why the search ended. */
typedef enum Ending {
    ENDING_DONE,         /* nothing was left to explore             */
    ENDING_BUG,          /* the first bug, without --keep-going     */
    ENDING_EXECUTIONS,   /* --max-execs                             */
    ENDING_TIME,         /* --max-time                              */
    ENDING_INTERRUPTED,  /* a signal                                */
    ENDING_DIVERGED,     /* the program is nondeterministic         */
    ENDING_REFUSED,      /* the program uses something that is not modelled */
    ENDING_FAILED,       /* an internal error of Sennit             */
    ENDING_ENOUGH,       /* --until is reached                      */
    ENDING_UNCHECKED     /* cycles were found, and no search for them was requested */
} Ending;

/* Something that limits what is explored, and how often it did. */
typedef struct Bound {
    const char *name;    /* as the option: "max-steps"              */
    double limit;
    uint64_t hits;
    const char *phrase;  /* "at most 2 preemptions"                 */
} Bound;

/* A point in the program that executions should reach. */
typedef struct Goal {
    const char *name;
    bool is_reached;
} Goal;

enum { SUMMARY_BOUNDS = 24, SUMMARY_PARTS = 8 };

/* A further member of run.json. */
typedef struct SummaryPart {
    const char *key;
    Text json;
} SummaryPart;

typedef struct Summary {
    const char *program;     /* path of the test binary               */
    const char *name;        /* of the program, in reports            */
    const char *agents;      /* the word for its agents; NULL: threads */
    const char *command;     /* as typed                              */
    const char *directory;   /* of the run, NULL: not written         */
    Ending ending;
    ExploreStats stats;      /* summed over strategies                */
    bool searched;           /* some strategy was exhaustive          */
    bool sampled;            /* some strategy was not                 */
    bool complete;           /* an exhaustive strategy finished       */
    bool inputs;             /* some branch depended on symbolic inputs */
    const char *strategies;  /* "exhaustive,pct:3"                    */
    uint64_t seed;
    double seconds;
    double cpu_seconds;
    uint64_t peak_kb;
    Bound bounds[SUMMARY_BOUNDS];
    uint32_t bound_count;
    uint32_t bugs;           /* different ones                        */
    uint32_t unconfirmed;    /* of these                              */
    const char *const *opaque; /* uninstrumented functions that were called */
    uint32_t opaque_count;
    const Goal *goals;       /* named by the program                  */
    uint32_t goal_count;
    const CodeCoverage *coverage; /* NULL: not known                      */
    SummaryPart parts[SUMMARY_PARTS];
    uint32_t part_count;
    const char *sentence;    /* the verdict of a deadlock analysis; or NULL */
    const char *note;        /* a sentence on an unusual ending, or NULL */
    ExitCode exit_code;
} Summary;

void summary_add_bound(Summary *summary, const char *name, double limit, uint64_t hits, const char *phrase);

/* Takes ownership of the text, which is empty then. */
void summary_add_part(Summary *summary, const char *key, Text *json);

/* From bounds and strategies. */
Verdict summary_verdict(const Summary *summary);
const char *verdict_name(Verdict verdict);
/* "max-execs"; the name in files. */
const char *summary_ending_name(Ending ending);

/* Was it stopped before everything was explored, such that it can be resumed (if its kind allows)? */
bool summary_is_resumable(const Summary *summary);

/* From bugs and ending. */
ExitCode summary_exit_code(const Summary *summary);

/* Results could not be saved or printed: a run without a bug has failed then. */
void summary_note_loss(Summary *summary);

/* The verdict as a sentence, without its full stop. */
void summary_write_verdict(const Summary *summary, Text *out);

#endif
