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

static bool has_site(const Finding *finding, uint64_t site)
{
    for (uint32_t i = 0; i < finding->site_count; i++)
        if (finding->sites[i] == site)
            return true;
    return false;
}

bool finding_same_bug(const Finding *a, const Finding *b)
{
    if (a->kind != b->kind || a->variant != b->variant)
        return false;
    for (uint32_t i = 0; i < a->site_count; i++)
        if (!has_site(b, a->sites[i]))
            return false;
    for (uint32_t i = 0; i < b->site_count; i++)
        if (!has_site(a, b->sites[i]))
            return false;
    return true;
}
