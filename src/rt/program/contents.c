/* contents.c - see contents.h */
#include "rt/program/contents.h"

#include <link.h>
#include <string.h>

extern const char __start_sennit_redirected[] __attribute__((weak));
extern const char __stop_sennit_redirected[] __attribute__((weak));
extern const char __start_sennit_own[] __attribute__((weak));
extern const char __stop_sennit_own[] __attribute__((weak));
extern const char __start_sennit_defined[] __attribute__((weak));
extern const char __stop_sennit_defined[] __attribute__((weak));
extern const char __start_sennit_flags[] __attribute__((weak));
extern const char __stop_sennit_flags[] __attribute__((weak));

static int note_library(struct dl_phdr_info *info, size_t size, void *context)
{
    static const char *const usual[] = {"/lib", "/usr/lib", "linux-vdso"};
    (void)size;
    if (!*info->dlpi_name)
        return 0;
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strncmp(info->dlpi_name, usual[i], strlen(usual[i])) == 0)
            return 0;
    *(bool *)context = true;
    return 1;
}

/* Their sections are not seen from here. */
static bool has_libraries(void)
{
    bool found = false;
    dl_iterate_phdr(note_library, &found);
    return found;
}

static bool is_listed(const char *begin, const char *end, const char *name)
{
    for (const char *text = begin; text && text < end; text += strlen(text) + 1)
        if (strcmp(text, name) == 0)
            return true;
    return has_libraries();
}

static bool is_defined(const char *name)
{
    for (const char *text = __start_sennit_defined; text && text < __stop_sennit_defined; text += strlen(text) + 1)
        if (strcmp(text, name) == 0)
            return true;
    return false;
}

bool contents_calls(const char *const *names)
{
    for (; *names; names++)
        if (is_listed(__start_sennit_redirected, __stop_sennit_redirected, *names))
            return true;
    return false;
}

bool contents_has_flag(const char *flag) { return is_listed(__start_sennit_flags, __stop_sennit_flags, flag); }

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

/* Every module of the program has a list, perhaps an empty one. */
const char *contents_find_other(const char *const *names)
{
    const char *end = __stop_sennit_own;
    if (!__start_sennit_own || has_libraries())
        return "a library";
    for (const char *at = __start_sennit_own; at < end; at += strlen(at) + 1)
        if (*at && !is_among(names, at) && !is_defined(at))
            return at;
    return NULL;
}
