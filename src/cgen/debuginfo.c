/* debuginfo.c - see debuginfo.h */
#include "cgen/debuginfo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Reading ---------------------------------------------------------------------------- */

/* Splits the text into lines and keeps those that begin with "!NUMBER = ". */
static void find_nodes(DebugInfo *info)
{
    char *rest = info->text.data, *line;
    while (rest && (line = strsep(&rest, "\n"))) {
        char *end;
        if (line[0] != '!' || line[1] < '0' || line[1] > '9')
            continue;
        unsigned long number = strtoul(line + 1, &end, 10);
        if (strncmp(end, " = ", 3) != 0 || number > 10000000)
            continue;
        while (info->nodes.count <= number)
            VEC_PUSH(&info->nodes, NULL);
        end += strncmp(end + 3, "distinct ", 9) == 0 ? 12 : 3;
        info->nodes.items[number] = end;
    }
}

bool debuginfo_read(DebugInfo *info, const char *path, Error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && text_add_file(&info->text, fd);
    if (!good)
        error_set(error, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (good)
        find_nodes(info);
    return good;
}

void debuginfo_release(DebugInfo *info)
{
    VEC_FREE(&info->nodes);
    text_release(&info->text);
}

/* ---- Members ------------------------------------------------------------------------------ */

static const char *get(const DebugInfo *info, int node)
{
    const char *text = node >= 0 && (uint32_t)node < info->nodes.count ? info->nodes.items[node] : NULL;
    return text ? text : "";
}

/* The text after "key: ", or NULL. Strings are skipped. */
static const char *find_member(const DebugInfo *info, int node, const char *key)
{
    size_t length = strlen(key);
    bool quoted = false;
    for (const char *at = get(info, node); *at; at++) {
        quoted = quoted != (*at == '"');
        bool begins = (*at == '(' || *at == ' ') && !quoted;
        if (begins && strncmp(at + 1, key, length) == 0 && strncmp(at + 1 + length, ": ", 2) == 0)
            return at + length + 3;
    }
    return NULL;
}

bool debuginfo_is(const DebugInfo *info, int node, const char *kind)
{
    const char *text = get(info, node);
    size_t length = strlen(kind);
    return text[0] == '!' && strncmp(text + 1, kind, length) == 0 && text[length + 1] == '(';
}

bool debuginfo_has_word(const DebugInfo *info, int node, const char *key, const char *word)
{
    const char *member = find_member(info, node, key);
    size_t length = strlen(word);
    const char *found = member ? strstr(member, word) : NULL;
    return found && found < member + strcspn(member, ",)") && strchr(" ,)|", found[length]);
}

bool debuginfo_has_tag(const DebugInfo *info, int node, const char *tag)
{
    return debuginfo_has_word(info, node, "tag", tag);
}

bool debuginfo_string(const DebugInfo *info, int node, const char *key, Text *text)
{
    const char *member = find_member(info, node, key);
    text_reset(text);
    if (!member || *member != '"')
        return false;
    text_add_bytes(text, member + 1, strcspn(member + 1, "\""));
    return true;
}

long long debuginfo_number(const DebugInfo *info, int node, const char *key, long long otherwise)
{
    const char *member = find_member(info, node, key);
    return member ? strtoll(member, NULL, 10) : otherwise;
}

int debuginfo_node(const DebugInfo *info, int node, const char *key)
{
    const char *member = find_member(info, node, key);
    return member && *member == '!' && member[1] >= '0' && member[1] <= '9' ? atoi(member + 1) : DEBUG_NONE;
}

bool debuginfo_element(const DebugInfo *info, int list, uint32_t nth, int *node)
{
    const char *at = get(info, list);
    if (strncmp(at, "!{", 2) != 0 || at[2] == '}')
        return false;
    for (at += 2; nth > 0; nth--) {
        at += strcspn(at, ",}");
        if (*at != ',')
            return false;
        at += 2;
    }
    *node = *at == '!' ? atoi(at + 1) : DEBUG_NONE;
    return true;
}

/* ---- Functions ------------------------------------------------------------------------------ */

int debuginfo_find_function(const DebugInfo *info, const char *name)
{
    Text found = {0};
    int function = DEBUG_NONE;
    for (uint32_t i = 0; i < info->nodes.count && function == DEBUG_NONE; i++)
        if (debuginfo_is(info, (int)i, "DISubprogram") &&
            debuginfo_has_word(info, (int)i, "spFlags", "DISPFlagDefinition") &&
            debuginfo_string(info, (int)i, "name", &found) && strcmp(found.data, name) == 0)
            function = (int)i;
    text_release(&found);
    return function;
}

int debuginfo_find_parameter(const DebugInfo *info, int function, uint32_t nth)
{
    for (uint32_t i = 0; i < info->nodes.count; i++)
        if (debuginfo_is(info, (int)i, "DILocalVariable") && debuginfo_number(info, (int)i, "arg", 0) == nth &&
            debuginfo_node(info, (int)i, "scope") == function)
            return (int)i;
    return DEBUG_NONE;
}

bool debuginfo_file(const DebugInfo *info, int node, Text *path)
{
    Text name = {0};
    int file = debuginfo_node(info, node, "file");
    bool found = debuginfo_string(info, file, "filename", &name);
    if (found && name.data[0] != '/' && debuginfo_string(info, file, "directory", path))
        text_add_string(path, "/");
    else
        text_reset(path);
    if (found)
        text_add_string(path, strncmp(name.data, "./", 2) == 0 ? name.data + 2 : name.data);
    text_release(&name);
    return found;
}
