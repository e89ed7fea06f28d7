/* cut.c - see cut.h */
#include "core/cut.h"

typedef struct CutText {
    const char *name, *phrase;
} CutText;

static const CutText texts[CUT_COUNT] = {
    [CUT_NONE] = {"none", "nothing"},
#define CUT(kind, word, name, what) [CUT_##kind] = {name, what},
#include "core/cut.def"
#undef CUT
};

const char *cut_name(CutKind kind) { return texts[kind].name; }

void cut_write_phrase(CutKind kind, const char *agent, Text *out)
{
    for (const char *at = texts[kind].phrase; *at; at++)
        if (*at == '@')
            text_add_string(out, agent);
        else
            text_add(out, "%c", *at);
}
