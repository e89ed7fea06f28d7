/* step_wire.c - see step_wire.h */
#include "core/tree/step_wire.h"

enum { AGENT_TEXT = 512 }; /* bytes of a structural name */

void step_write(Program *program, AgentId agent, const Literal *choices, uint32_t count, Text *text)
{
    char name[AGENT_TEXT];
    program->ops->agent_path(program, agent, name, sizeof name);
    text_add_string(text, name);
    for (uint32_t c = 0; c < count; c++)
        text_add(text, "%c%s%u", c ? ',' : ':', choices[c].condition ? "?" : "", choices[c].taken);
}

bool step_read_char(StepReader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

bool step_read_number(StepReader *reader, uint32_t *number)
{
    uint64_t value = 0;
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9' && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(*reader->at++ - '0');
    *number = (uint32_t)value;
    return reader->at > start && value <= UINT32_MAX;
}

static bool ends_name(char c) { return c == ':' || c == ' ' || c == '\n'; }

bool step_read_agent(StepReader *reader, Program *program, AgentId *agent)
{
    char name[AGENT_TEXT];
    size_t size = 0;
    while (reader->at < reader->end && !ends_name(*reader->at) && size + 1 < sizeof name)
        name[size++] = *reader->at++;
    name[size] = 0;
    *agent = program->ops->agent_find(program, name);
    return *agent != AGENT_NONE;
}

bool step_read_choices(StepReader *reader, StepChoices *choices, uint16_t *count)
{
    uint32_t before = choices->count;
    for (char next = ':'; step_read_char(reader, next); next = ',') {
        Literal choice = {.condition = step_read_char(reader, '?') ? CONDITION_UNKNOWN : 0};
        if (!step_read_number(reader, &choice.taken))
            return false;
        VEC_PUSH(choices, choice);
    }
    *count = (uint16_t)(choices->count - before);
    return choices->count - before <= UINT16_MAX;
}
