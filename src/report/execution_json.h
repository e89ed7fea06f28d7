/* execution_json.h - one execution as a document: who did what, where, and what else could have happened
 *
 * For pages, editors and scripts; the members are in docs/design/execution.md.
 */
#ifndef REPORT_EXECUTION_JSON_H
#define REPORT_EXECUTION_JSON_H

#include "core/program.h"
#include "report/sequence.h"

/* Which agents were enabled before each step. In shared memory. */
typedef struct EnabledAgents {
    uint32_t *ends;   /* those before step i end here in `agents`             */
    AgentId *agents;
    uint32_t step_count, agent_count;
    uint32_t step_room, agent_room;
} EnabledAgents;

/* A write that a step under weak memory could have read, or been placed behind (WEAK-1). */
typedef struct PossibleWrite {
    uint32_t step;    /* that could have      */
    uint32_t option;  /* of its first choice  */
    uint32_t source;  /* the step that wrote it; UINT32_MAX: the initial value */
    int64_t value;
} PossibleWrite;

/* Those of all steps, in their order. In shared memory. */
typedef struct PossibleWrites {
    PossibleWrite *items;
    uint32_t count, room;
} PossibleWrites;

typedef struct ExecutionDocument {
    Program *program;              /* which has run the execution */
    const Execution *ex;
    const EnabledAgents *enabled;
    const PossibleWrites *writes;
    const Sequence *sequence;      /* the steps as calls between objects, or NULL     */
    bool (*mail)(const Execution *ex, AgentId agent, Mail *mail); /* the message that an agent is; may be NULL */
    const char *trace;             /* the execution as a trace                        */
    const char *output;            /* what the program printed                        */
    size_t output_size;
} ExecutionDocument;

void execution_json_write(const ExecutionDocument *document, Text *out);

#endif
