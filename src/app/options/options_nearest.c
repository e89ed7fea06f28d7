/* options_nearest.c - the name that a misspelled word is most similar to */
#include "app/options/options.h"

#include <string.h>

/* Number of edits from one word to the other (insert, delete, replace). */
static unsigned edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    unsigned row[LONGEST + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned above = row[j];
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[n];
}

const char *options_nearest(const char *word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    unsigned smallest = strlen(word) > 4 ? 4 : 3;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(word);
        bool beginning = length >= 2 && strncmp(names[i], word, length) == 0;
        unsigned distance = beginning ? 1 : edit_distance(word, names[i]);
        if (distance < smallest) {
            smallest = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
