/* recording.h - an execution that was replayed, to move about in: `sennit replay --execution` as data
 *
 * A position is the number of steps taken: 0 is the beginning, recording_length the end. Agents are those of the
 * document (docs/design/execution.md).
 */
#ifndef WEB_RECORDING_H
#define WEB_RECORDING_H

#include <cjson/cJSON.h>
#include <limits.h>

#include "base/error.h"

typedef struct RecordedExecution {
    cJSON *document;
    const cJSON *steps;
    const cJSON *agents;
    char directory[PATH_MAX]; /* that names of files are relative to */
} RecordedExecution;

/* A place in a source file. */
typedef struct RecordedPlace {
    const char *file; /* NULL: unknown */
    int line;
    const char *function;
    const char *text; /* what happens there, or NULL */
} RecordedPlace;

/* Replays the trace by `sennit` (a path). */
bool recording_open(RecordedExecution *recording, const char *sennit, const char *trace, Error *error);
void recording_release(RecordedExecution *recording);

int recording_length(const RecordedExecution *recording);
int recording_agents(const RecordedExecution *recording);
const char *recording_agent_name(const RecordedExecution *recording, int agent);
/* The agent that takes the step after this position; at the end, one that has to do with the bug. */
int recording_current(const RecordedExecution *recording, int position);
/* Where an agent is: its next step, what it waits for at the end, or its last step. */
RecordedPlace recording_place(const RecordedExecution *recording, int agent, int position);
/* What the bug is, or NULL. */
const char *recording_finding(const RecordedExecution *recording, const char **kind);
/* Calls `each` with the names and values that steps have left so far. */
void recording_values(const RecordedExecution *recording, int position,
                      void (*each)(void *context, const char *name, const char *value), void *context);
/* The same with the inputs. */
void recording_inputs(const RecordedExecution *recording,
                      void (*each)(void *context, const char *name, const char *value), void *context);

#endif
