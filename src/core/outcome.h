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
/* "data race"; for people. */
const char *bug_kind_sentence(BugKind kind);

typedef enum ExecutionEnd {
    END_RUNNING,   /* not over, or the process died in it                        */
    END_COMPLETE,  /* every agent finished, or nobody can go on                  */
    END_PLANNED,   /* stopped after the plan, as asked                           */
    END_ABANDONED, /* the picker or a bug with `stop_at_bug` ended it early      */
    END_CUT,       /* a limit was met that ends the execution as a whole         */
    END_CRASHED,   /* the program died; nothing after this point is known        */
    END_DIVERGED   /* the plan could not be followed: the program is not deterministic */
} ExecutionEnd;

enum { FINDING_AGENTS = 16, FINDING_SITES = 8, FINDING_TEXT = 240 };

/* One bug seen in one execution. Its identity is the kind and the unordered set
 * of sites. */
typedef struct Finding {
    BugKind kind;
    uint32_t position;               /* number of events before it               */
    uint32_t agent_count;            /* agents involved, the acting one first    */
    uint32_t site_count;
    AgentId agents[FINDING_AGENTS];
    uint64_t sites[FINDING_SITES];   /* places, as in Event.site                 */
    uint32_t steps[FINDING_AGENTS];  /* 1 + steps the agent had taken when it played its part,
                                        if that was before `position`; else 0    */
    const char *verbs[FINDING_AGENTS]; /* what it did ("write"), a constant of the program;
                                        NULL: the kind says it                   */
    uint64_t address;                /* what it is about, or 0                   */
    char text[FINDING_TEXT];         /* one sentence for people                  */
} Finding;

#endif
