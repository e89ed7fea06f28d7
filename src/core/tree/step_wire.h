/* step_wire.h - steps as text that is independent of the process
 *
 *     AGENT[:CHOICE,...]        the agent by its structural name; a choice on inputs begins with a question mark
 *
 * The numbers of conditions on inputs belong to one process. A process that reads a step finds its own by running the
 * program (resolve.h); until then they are CONDITION_UNKNOWN.
 */
#ifndef CORE_TREE_STEP_WIRE_H
#define CORE_TREE_STEP_WIRE_H

#include "base/text.h"
#include "base/vec.h"
#include "core/program.h"

#define CONDITION_UNKNOWN UINT32_MAX

void step_write(Program *program, AgentId agent, const Literal *choices, uint32_t count, Text *text);

typedef struct StepReader {
    const char *at, *end;
} StepReader;

typedef VEC(Literal) StepChoices;

/* Each takes what it names; false if something else comes next. */
bool step_read_char(StepReader *reader, char c);
bool step_read_number(StepReader *reader, uint32_t *number);
/* The agent; its name ends before a colon, a blank or the end of the line. */
bool step_read_agent(StepReader *reader, Program *program, AgentId *agent);
/* Adds the choices of a step, perhaps none; *count gets their number. */
bool step_read_choices(StepReader *reader, StepChoices *choices, uint16_t *count);

#endif
