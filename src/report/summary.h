/* summary.h - the result of a search as a whole, and its verdict */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "core/explore.h"
#include "core/unseen.h"
#include "report/coverage.h"

/* What a search covered; docs/verdicts.md. */
typedef enum Verdict {
    VERDICT_EXHAUSTIVE, /* everything                                                  */
    VERDICT_BUT_FOR,    /* everything but what is not seen, which is named            */
    VERDICT_BOUNDED,    /* everything within bounds, which are named                  */
    VERDICT_INCOMPLETE, /* stopped early: a budget, a signal, the first bug, an error */
    VERDICT_SAMPLED     /* some schedules, chosen by chance                           */
} Verdict;

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
    ENDING_STUCK,        /* a step that could not be stopped: other agents' steps were not explored */
    ENDING_UNCHECKED     /* cycles were found, and no search for them was requested */
} Ending;

/* Something that limits what is explored, and how often it did. */
typedef struct Bound {
    const char *name;    /* as the option: "max-steps"              */
    double limit;
    uint64_t hits;
    const char *phrase;  /* "at most 2 preemptions"                 */
} Bound;

/* Something that the search did not see. The texts are borrowed. */
typedef struct Unseen {
    UnseenKind kind;
    const char *name;
    const char *file;    /* NULL: place unknown */
    const char *function;
    uint32_t line;
    uint64_t count;      /* how often; 0: not counted */
} Unseen;

/* The place at which the longest execution took most of its steps: in a loop. */
typedef struct Busiest {
    const char *file;
    const char *function;
    uint32_t line;
    uint64_t steps;      /* of one agent there; 0: no place stands out */
    uint64_t length;     /* of the execution                           */
} Busiest;

/* A point in the program that executions should reach. */
typedef struct Goal {
    const char *name;
    bool is_reached;
} Goal;

/* How often each fault happened, in all executions together. */
typedef struct FaultTotals {
    bool possible; /* some budget allows one */
    uint64_t lost, duplicated, crashed;
    bool may_reset, may_shorten, may_part;
    uint64_t reset;     /* connections                          */
    uint64_t shortened; /* reads                                */
    uint64_t parted;    /* nodes, by cuts                       */
    uint64_t cut_off; /* messages lost over a link that was cut */
} FaultTotals;

enum { SUMMARY_BOUNDS = 24, SUMMARY_PARTS = 8, SUMMARY_SAMPLED = 16, SUMMARY_UNSEEN = 100 };

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
    uint64_t samples;        /* executions beside these               */
    const char *sampled_bugs[SUMMARY_SAMPLED]; /* found by them first: "deadlock-1a2b"        */
    uint32_t sampled_bug_count; /* as far as they fit                 */
    const char *restore;     /* how executions were to be continued: "on", "check"; NULL: that was not asked for */
    bool searched;           /* some strategy was exhaustive          */
    bool sampled;            /* some strategy was not                 */
    bool complete;           /* an exhaustive strategy finished       */
    const char *memory;      /* the memory model: "sc"; NULL: there is none */
    const char *memory_why;  /* why that model and not C11 was taken; NULL: it was given, or makes no difference */
    bool weak_orders;        /* the program has atomic operations weaker than seq_cst */
    bool inputs;             /* some branch depended on symbolic inputs */
    const char *strategies;  /* "exhaustive,pct:3"                    */
    uint64_t seed;
    double seconds;
    double cpu_seconds;
    uint64_t peak_kb;
    Bound bounds[SUMMARY_BOUNDS];
    uint32_t bound_count;
    Unseen unseen[SUMMARY_UNSEEN];
    uint32_t unseen_count;   /* may exceed what fits                  */
    bool misses_states;      /* it could recognise them, and does not */
    Busiest busiest;         /* mentioned if the search did not end   */
    uint32_t bugs;           /* different ones                        */
    uint32_t unconfirmed;    /* of these                              */
    uint32_t unreplayed;     /* of those, for lack of time,           */
    uint32_t failed_replays; /* and for lack of a process or memory   */
    const char *const *opaque; /* uninstrumented functions that were called */
    uint32_t opaque_count;
    FaultTotals faults;      /* of networks and actors                */
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

/* Once for each kind, name and place; ignored if it does not matter in a program with that many agents. */
void summary_add_unseen(Summary *summary, const Unseen *unseen);

/* Takes ownership of the text, which is empty then. */
void summary_add_part(Summary *summary, const char *key, Text *json);

/* From strategies, bounds and what is not seen. */
Verdict summary_verdict(const Summary *summary);
/* "exhaustive-but-for"; the name in files. */
const char *verdict_name(Verdict verdict);
/* "max-execs"; the name in files. */
const char *summary_ending_name(Ending ending);

/* "f (a.c:12), g": what is not seen, in words. */
void summary_write_unseen(const Summary *summary, Text *out);

/* Did a loop keep the search from being complete, as far as is known? */
bool summary_has_endless_loop(const Summary *summary);
/* Has some execution no end, as far as that can be seen? */
bool summary_seems_endless(const Summary *summary);

/* Was it stopped before everything was explored, such that it can be resumed (if its kind allows)? */
bool summary_is_resumable(const Summary *summary);

/* From bugs and ending. */
ExitCode summary_exit_code(const Summary *summary);

/* Results could not be saved or printed: a run without a bug has failed then. */
void summary_note_loss(Summary *summary);

/* The command line, with "..." for the password in the URL of a store: results are passed around. */
void summary_write_command(const Summary *summary, Text *out);

/* The verdict as a sentence, without its full stop. */
void summary_write_verdict(const Summary *summary, Text *out);

#endif
