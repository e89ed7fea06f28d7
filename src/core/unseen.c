/* unseen.c - see unseen.h */
#include "core/unseen.h"

static const struct {
    const char *name, *words;
    bool alone;
} kinds[] = {
#define UNSEEN(name, text, words, alone) {text, words, alone},
#include "core/unseen.def"
#undef UNSEEN
};

const char *unseen_kind_name(UnseenKind kind) { return kinds[kind].name; }

const char *unseen_kind_words(UnseenKind kind) { return kinds[kind].words; }

bool unseen_matters_alone(UnseenKind kind) { return kinds[kind].alone; }
