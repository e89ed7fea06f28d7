/* trace.h - an execution as text: written, read back, compared
 *
 * A trace says how to repeat one execution and what every step did, so that a replay can be compared
 * step by step. The format is in docs/design/trace.md.
 */
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "core/program.h"

enum { TRACE_FORMAT = 1 };

/* A place in a source file; `file` is NULL if it is unknown. */
typedef struct TracePlace {
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t column;
} TracePlace;

typedef struct TraceInput {
    const char *name;
    const char *value;      /* a number, or bytes in quotes              */
} TraceInput;

/* An agent whose number does not follow from its name. */
typedef struct TraceAgent {
    const char *path;
    AgentId number;
} TraceAgent;

typedef struct TraceStep {
    const char *agent;      /* structural name: "0.2"                    */
    const char *text;       /* what it did, with values                  */
    TracePlace place;
    uint32_t digest;        /* of the operation, resources and values    */
    uint32_t first_choice;  /* into Trace.choices                        */
    uint32_t choice_count;
} TraceStep;

/* One trace in memory. Its strings live in its pool. */
typedef struct Trace {
    const char *version;    /* of Sennit                                 */
    const char *program;    /* absolute path of the test binary          */
    const char *hash;       /* of the binary's bytes                     */
    const char *directory;  /* where it ran                              */
    const char **arguments; /* the program's own, without its name       */
    uint32_t argument_count;
    const char *options;    /* those that change how the program runs    */

    TraceInput *inputs;     /* in the order in which they were requested */
    uint32_t input_count;
    TraceAgent *agents;     /* all of the execution, or none if their numbers follow from their names */
    uint32_t agent_count;
    TraceStep *steps;
    uint32_t step_count;
    Choice *choices;
    uint32_t choice_count;
    uint32_t preemptions;
    bool unminimised;       /* fewer preemptions may suffice             */
    Sequential sequential;  /* of weak memory                            */

    const char *kind;       /* "deadlock"                                */
    const char *id;         /* "1c9e"                                    */
    const char *summary;    /* one sentence                              */
    TracePlace places[FINDING_SITES];
    uint32_t place_count;

    struct TracePool *pool;
} Trace;

Trace *trace_create(void);
void trace_destroy(Trace *trace);

/* A copy of the string that lives as long as the trace. */
const char *trace_keep(Trace *trace, const char *string);

/* The place of a site, with strings kept by the trace. */
TracePlace trace_place(Trace *trace, Program *program, uint64_t site);

void trace_add_argument(Trace *trace, const char *argument);

void trace_add_input(Trace *trace, const char *name, const char *value);

void trace_add_agent(Trace *trace, const char *path, AgentId number);

/* Appends the agents, the inputs and the first `length` steps of an execution, described by its program. */
void trace_add_steps(Trace *trace, Program *program, const Execution *ex, uint32_t length);
/* Appends one step of an execution. */
void trace_add_step(Trace *trace, Program *program, const Execution *ex, uint32_t position);

/* Sets the bug: kind, id, summary and places. */
void trace_set_bug(Trace *trace, Program *program, const Finding *finding, const char *id);

void trace_write(const Trace *trace, Text *out);

/* Reads a trace; messages name the line of the file `name`. NULL if the text is damaged or of another format
 * or version. */
Trace *trace_parse(const char *text, size_t size, const char *name, Error *error);
/* The same from a file. */
Trace *trace_read(const char *path, Error *error);

/* Do the steps agree in agent, place and choices? Texts are not compared: the name of a resource may depend
 * on what is still known about it. */
bool trace_same_decision(const Trace *a, const TraceStep *x, const Trace *b, const TraceStep *y);
/* Do they also agree in operation and values? */
bool trace_same_step(const Trace *a, const TraceStep *x, const Trace *b, const TraceStep *y);

/* Hash of a file's bytes, 16 hex digits. False (and `error`) if it cannot be read. */
bool trace_hash_file(const char *path, char hash[17], Error *error);

#endif
