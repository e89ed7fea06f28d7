/* outcome.c - see outcome.h */
#include "core/outcome.h"

static const char *const names[] = {
#define BUG(name, text, sentence) text,
#include "core/outcome.def"
#undef BUG
};

static const char *const sentences[] = {
#define BUG(name, text, sentence) sentence,
#include "core/outcome.def"
#undef BUG
};

const char *bug_kind_name(BugKind kind) { return names[kind]; }
const char *bug_kind_sentence(BugKind kind) { return sentences[kind]; }
