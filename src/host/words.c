/* words.c - see words.h */
#include "host/words.h"

#include <ctype.h>
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

bool words_skip(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
    return **at != '\0';
}

bool words_take(const char **at, Text *word)
{
    char quote = 0;
    text_add_string(word, "");
    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;
        if (c == '\\' && quote != '\'' && (*at)[1])
            text_add_bytes(word, ++*at, 1);
        else if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else
            text_add_bytes(word, &c, 1);
    }
    return !quote;
}

bool words_is_source(const char *word)
{
    const char *dot = strrchr(word, '.');
    return word[0] != '-' && dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0);
}
