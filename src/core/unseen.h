/* unseen.h - what a search did not see of a program, so that its verdict names it */
#ifndef CORE_UNSEEN_H
#define CORE_UNSEEN_H

#include <stdbool.h>

typedef enum UnseenKind {
#define UNSEEN(name, text, words, alone) UNSEEN_##name,
#include "core/unseen.def"
#undef UNSEEN
    UNSEEN_KINDS
} UnseenKind;

/* "call"; the name in files. */
const char *unseen_kind_name(UnseenKind kind);
/* "system call "; what stands before its own name in a verdict. */
const char *unseen_kind_words(UnseenKind kind);
/* Does it matter in a program with a single agent? */
bool unseen_matters_alone(UnseenKind kind);

#endif
