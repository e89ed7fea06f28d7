/* outcome.h - how an execution ended and what was found in it */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include <stdint.h>

#include "core/event.h"

typedef enum BugKind {
#define BUG(name, text, sentence) BUG_##name,
#include "core/outcome.def"
#undef BUG
    BUG_KIND_COUNT
} BugKind;

/* "data-race"; the name in files. */
const char *bug_kind_name(BugKind kind);
/* "data race"; for reports. */
const char *bug_kind_sentence(BugKind kind);

typedef enum ExecutionEnd {
    END_RUNNING,   /* not ended, or the process died in it                             */
    END_COMPLETE,  /* every agent finished, or none is enabled                         */
    END_PLANNED,   /* ended after the plan, as requested (stop_after_plan)             */
    END_ABANDONED, /* the picker, or a bug with stop_at_bug, ended it early            */
    END_CUT,       /* a bound on whole executions was met                              */
    END_CRASHED,   /* the program died; nothing after this point is known              */
    END_DIVERGED   /* the plan could not be followed: the program is nondeterministic  */
} ExecutionEnd;

enum { FINDING_AGENTS = 16, FINDING_SITES = 8, FINDING_TEXT = 240 };

/* One bug seen in one execution, not confirmed yet. */
typedef struct Finding {
    BugKind kind;
    uint32_t position;               /* number of events before it               */
    uint32_t agent_count;            /* agents involved, the acting one first    */
    uint32_t site_count;
    uint32_t repeated;               /* so many events, the last ones, can be repeated for ever; or 0 */
    AgentId agents[FINDING_AGENTS];
    uint64_t sites[FINDING_SITES];   /* places, as in Event.site                 */
    uint32_t steps[FINDING_AGENTS];  /* 1 + the number of steps the agent had taken when it did its
                                        part, if that was before `position`; else 0 */
    const char *verbs[FINDING_AGENTS]; /* what it did ("write"), a constant of the program;
                                        NULL: the kind implies it                */
    uint64_t address;                /* of the object concerned, or 0            */
    uint64_t variant;                /* tells bugs with the same places apart; 0: there is no need to */
    char text[FINDING_TEXT];         /* one sentence for the report              */
} Finding;

/* Does a bug that was found under weak memory occur under sequential consistency too? */
typedef enum Sequential { SEQUENTIAL_UNKNOWN, SEQUENTIAL_YES, SEQUENTIAL_NO } Sequential;

/* Whether two findings are the same bug: the same kind, set of sites and variant. */
bool finding_same_bug(const Finding *a, const Finding *b);

#endif
