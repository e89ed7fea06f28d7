/* trace_parse.c - reading traces back; every message names the line */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "report/trace_internal.h"
#include "sennit_version.h"

/* ---- Types -------------------------------------------------------------------- */

typedef struct TraceParser {
    Trace *trace;
    const char *name;
    Error *error;
    uint32_t line;
    uint32_t promised_steps;
    bool ended;        /* the line with the checksum was read */
} TraceParser;

static bool damaged(TraceParser *parser, const char *what)
{
    return error_set(parser->error, EXIT_USAGE, "%s:%u: damaged trace: %s", parser->name, parser->line, what);
}

/* ---- Words ---------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Turns \xNN back into bytes, in place. False if an escape is invalid. */
static bool unescape(char *string)
{
    char *to = string;
    for (char *from = string; *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        int high = from[1] == 'x' && from[2] ? hex_digit(from[2]) : -1;
        int low = high >= 0 ? hex_digit(from[3]) : -1;
        if (low < 0 || (high == 0 && low == 0))
            return false;
        *to++ = (char)(high * 16 + low);
        from += 3;
    }
    *to = '\0';
    return true;
}

/* Cuts the next word off; NULL at the end of the line. */
static char *take_word(char **rest)
{
    char *word = *rest + strspn(*rest, " ");
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, " ");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static bool take_number(const char *word, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long value = word ? strtoul(word, &end, 10) : 0;
    if (!word || word[0] < '0' || word[0] > '9' || *end || errno || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* ---- Parts of lines ---------------------------------------------------------------- */

/* "file:12:5 function", or "- -" for an unknown place. */
static bool take_place(TraceParser *parser, char **rest, TracePlace *place)
{
    char *where = take_word(rest), *function = take_word(rest);
    if (!where || !function)
        return false;
    *place = (TracePlace){0};
    if (strcmp(where, "-") == 0)
        return true;
    char *column = strrchr(where, ':');
    if (!column || !take_number(column + 1, &place->column))
        return false;
    *column = '\0';
    char *line = strrchr(where, ':');
    if (!line || !take_number(line + 1, &place->line))
        return false;
    *line = '\0';
    if (!unescape(where) || !unescape(function))
        return false;
    place->file = trace_keep(parser->trace, where);
    place->function = trace_keep(parser->trace, function);
    return true;
}

/* "1/3,0/2", or "-" for none. */
static bool take_choices(TraceParser *parser, char **rest)
{
    char *word = take_word(rest), *item;
    if (!word)
        return false;
    if (strcmp(word, "-") == 0)
        return true;
    while ((item = strsep(&word, ","))) {
        Choice choice;
        char *slash = strchr(item, '/');
        if (!slash)
            return false;
        *slash = '\0';
        if (!take_number(item, &choice.taken) || !take_number(slash + 1, &choice.options) ||
            choice.taken >= choice.options)
            return false;
        trace_new_choice(parser->trace, choice);
    }
    return true;
}

static bool take_digest(char **rest, uint32_t *digest)
{
    char *word = take_word(rest), *end;
    if (!word || strlen(word) != 8)
        return false;
    *digest = (uint32_t)strtoul(word, &end, 16);
    return *end == '\0';
}

static bool is_agent_path(const char *word)
{
    size_t length = word ? strspn(word, "0123456789.") : 0;
    if (length == 0 || *word == '.')
        return false;
    return word[length] == '\0' || (word[length] == '~' && strspn(word + length + 1, "0123456789abcdef") == 16 &&
                                     word[length + 17] == '\0');
}

static bool parse_step(TraceParser *parser, char *rest)
{
    uint32_t number;
    if (!take_number(take_word(&rest), &number) || number != parser->trace->step_count + 1)
        return damaged(parser, "steps are not numbered consecutively");
    TraceStep *step = trace_new_step(parser->trace);
    char *agent = take_word(&rest);
    if (!is_agent_path(agent))
        return damaged(parser, "the agent of a step must look like 0.2.1");
    step->agent = trace_keep(parser->trace, agent);
    if (!take_place(parser, &rest, &step->place))
        return damaged(parser, "the place of a step must look like file.c:12:5 function");
    if (!take_choices(parser, &rest))
        return damaged(parser, "the choices of a step must look like 1/3,0/2 or -");
    if (!take_digest(&rest, &step->digest))
        return damaged(parser, "the digest of a step must be 8 hex digits");
    rest += strspn(rest, " ");
    if (!unescape(rest))
        return damaged(parser, "invalid escape");
    step->text = trace_keep(parser->trace, rest);
    return true;
}

static bool parse_bug(TraceParser *parser, char *rest)
{
    char *kind = take_word(&rest), *id = take_word(&rest);
    if (!kind || !id)
        return damaged(parser, "a bug has a kind and an id");
    parser->trace->kind = trace_keep(parser->trace, kind);
    parser->trace->id = trace_keep(parser->trace, id);
    return true;
}

static bool parse_bug_place(TraceParser *parser, char *rest)
{
    Trace *trace = parser->trace;
    if (trace->place_count == FINDING_SITES)
        return damaged(parser, "too many places");
    if (!take_place(parser, &rest, &trace->places[trace->place_count]))
        return damaged(parser, "a place must look like file.c:12:5 function");
    trace->place_count++;
    return true;
}

/* ---- Lines ---------------------------------------------------------------------------- */

static bool parse_version(TraceParser *parser, char *rest)
{
    if (strcmp(rest, SENNIT_VERSION) != 0)
        return error_set(parser->error, EXIT_USAGE, "%s: written by Sennit %s, this is %s: run the search again",
                         parser->name, rest, SENNIT_VERSION);
    return true;
}

static bool keep_text(TraceParser *parser, char *rest, const char **field)
{
    if (!unescape(rest))
        return damaged(parser, "invalid escape");
    *field = trace_keep(parser->trace, rest);
    return true;
}

static bool parse_agent(TraceParser *parser, char *rest)
{
    uint32_t number;
    char *path = take_word(&rest);
    if (!path || !take_number(rest, &number))
        return damaged(parser, "an agent has a name and a number");
    trace_add_agent(parser->trace, path, number);
    return true;
}

static bool parse_field(TraceParser *parser, const char *key, char *rest)
{
    Trace *trace = parser->trace;
    const struct { const char *key; const char **field; } texts[] = {
        {"program", &trace->program},     {"hash", &trace->hash},       {"directory", &trace->directory},
        {"options", &trace->options},     {"summary", &trace->summary},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(key, texts[i].key) == 0)
            return keep_text(parser, rest, texts[i].field);
    if (strcmp(key, "version") == 0)
        return parse_version(parser, rest);
    if (strcmp(key, "argument") == 0) {
        const char *argument = NULL;
        if (!keep_text(parser, rest, &argument))
            return false;
        trace_add_argument(trace, argument);
        return true;
    }
    if (strcmp(key, "input") == 0) {
        char *name = take_word(&rest);
        if (!name || !unescape(name))
            return damaged(parser, "an input has a name and a value");
        trace_add_input(trace, name, rest);
        return true;
    }
    if (strcmp(key, "agent") == 0)
        return parse_agent(parser, rest);
    if (strcmp(key, "preemptions") == 0)
        return take_number(rest, &trace->preemptions) || damaged(parser, "expected a number");
    if (strcmp(key, "minimised") == 0) {
        trace->unminimised = true;
        return strcmp(rest, "no") == 0 || damaged(parser, "expected `no`");
    }
    if (strcmp(key, "sequential") == 0) {
        trace->sequential = strcmp(rest, "no") == 0 ? SEQUENTIAL_NO : SEQUENTIAL_YES;
        return strcmp(rest, "no") == 0 || strcmp(rest, "yes") == 0 || damaged(parser, "expected `yes` or `no`");
    }
    if (strcmp(key, "steps") == 0)
        return take_number(rest, &parser->promised_steps) || damaged(parser, "expected a number");
    return damaged(parser, "unknown line");
}

static bool parse_line(TraceParser *parser, char *line)
{
    char *rest = strchr(line, ' ');
    if (line[0] == '#')
        return true;
    if (!rest)
        return damaged(parser, "unknown line");
    *rest++ = '\0';
    if (strcmp(line, "step") == 0)
        return parse_step(parser, rest);
    if (strcmp(line, "bug") == 0)
        return parse_bug(parser, rest);
    if (strcmp(line, "place") == 0)
        return parse_bug_place(parser, rest);
    return parse_field(parser, line, rest);
}

/* ---- Whole files ------------------------------------------------------------------------ */

static bool check_format(TraceParser *parser, const char *line)
{
    static const char magic[] = "sennit-trace ";
    uint32_t format;
    if (strncmp(line, magic, sizeof magic - 1) != 0)
        return error_set(parser->error, EXIT_USAGE, "%s: not a Sennit trace", parser->name);
    if (!take_number(line + sizeof magic - 1, &format))
        return damaged(parser, "the format must be a number");
    if (format != TRACE_FORMAT)
        return error_set(parser->error, EXIT_USAGE, "%s: trace format %u, this Sennit reads format %d", parser->name,
                         format, TRACE_FORMAT);
    return true;
}

static bool check_sum(TraceParser *parser, const char *line, const char *text, size_t size)
{
    uint64_t sum = trace_hash_bytes(TRACE_HASH_START, text, size);
    char expected[40];
    snprintf(expected, sizeof expected, "check %016llx", (unsigned long long)sum);
    parser->ended = true;
    return strcmp(line, expected) == 0 || damaged(parser, "wrong checksum: it was changed after it was written");
}

static bool check_complete(TraceParser *parser)
{
    if (!parser->ended)
        return damaged(parser, "it ends too early");
    if (parser->promised_steps != parser->trace->step_count)
        return damaged(parser, "some steps are missing");
    if (!*parser->trace->program || !*parser->trace->hash || !*parser->trace->kind)
        return damaged(parser, "program, hash or bug is missing");
    return true;
}

/* `copy` is the text again, cut into lines. */
static bool parse_lines(TraceParser *parser, const char *text, char *copy)
{
    char *rest = copy, *line;
    while ((line = strsep(&rest, "\n"))) {
        parser->line++;
        if (!rest)
            break; /* after the last line end: must be empty */
        if (parser->ended)
            return damaged(parser, "there is text after its end");
        bool good = parser->line == 1               ? check_format(parser, line)
                    : strncmp(line, "check ", 6) == 0 ? check_sum(parser, line, text, (size_t)(line - copy))
                                                      : parse_line(parser, line);
        if (!good)
            return false;
    }
    if (parser->line == 1 && !check_format(parser, copy))
        return false;
    return line && *line ? damaged(parser, "the last line is cut off") : check_complete(parser);
}

Trace *trace_parse(const char *text, size_t size, const char *name, Error *error)
{
    TraceParser parser = {.trace = trace_create(), .name = name, .error = error};
    char *copy = mem_alloc(size + 1);
    memcpy(copy, text, size);
    bool good = strlen(copy) == size ? parse_lines(&parser, text, copy)
                                     : error_set(error, EXIT_USAGE, "%s: not a Sennit trace", name);
    free(copy);
    if (good)
        return parser.trace;
    trace_destroy(parser.trace);
    return NULL;
}

Trace *trace_read(const char *path, Error *error)
{
    Text text = {0};
    Trace *trace = NULL;
    if (file_read(path, &text))
        trace = trace_parse(text_borrow(&text), text.length, path, error);
    else
        error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    text_release(&text);
    return trace;
}
