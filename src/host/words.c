/* words.c - see words.h */
#include "host/words.h"

#include <string.h>

const char *words_value(const char *name, char **argv, int argc, int *i)
{
    size_t length = strlen(name);
    if (strncmp(argv[*i], name, length) != 0)
        return NULL;
    if (argv[*i][length] == '=')
        return argv[*i] + length + 1;
    return argv[*i][length] == '\0' && *i + 1 < argc ? argv[++*i] : NULL;
}

bool words_is_source(const char *word)
{
    const char *dot = strrchr(word, '.');
    return word[0] != '-' && dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0);
}
