/* opaque.c - see opaque.h; the instrumenter lists the functions called and defined in sections */
#include "rt/detect/opaque.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rt/abi/shadow_hooks.h"

extern const char __start_sennit_opaque[] __attribute__((weak));
extern const char __stop_sennit_opaque[] __attribute__((weak));
extern const char __start_sennit_defined[] __attribute__((weak));
extern const char __stop_sennit_defined[] __attribute__((weak));

static const char *const harmless[] = {
#define REDIRECT(name) #name,
#define CHECKED(name, ...) #name,
#define INSTRUMENTED(name) #name,
#define PURE(name) #name,
#include "rt/abi/library.def"
#undef REDIRECT
#undef PURE
};

/* Functions that are not called when inputs are tracked: their tracked versions are. */
static const char *const tracked[] = {
#define TRACKED(result, name, ...) #name,
#define ALSO(other, name) #other,
#include "tracked/tracked.def"
};

typedef struct Names {
    const char **items;
    size_t count;
} Names;

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The strings of a section, sorted. */
static Names collect(const char *begin, const char *end)
{
    Names names = {0};
    for (const char *text = begin; text && text < end; text += strlen(text) + 1) {
        if (!*text)
            continue;
        if ((names.count & (names.count - 1)) == 0)
            names.items = mem_resize(names.items, (names.count ? 2 * names.count : 1) * sizeof *names.items);
        names.items[names.count++] = text;
    }
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, compare);
    return names;
}

static bool contains(const Names *names, const char *name)
{
    return names->count && bsearch(&name, names->items, names->count, sizeof *names->items, compare);
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool is_harmless(const char *name)
{
    return is_among(harmless, sizeof harmless / sizeof harmless[0], name) ||
           (sennit_rt_tracking && is_among(tracked, sizeof tracked / sizeof tracked[0], name));
}

void opaque_each(void (*each)(void *context, const char *name), void *context)
{
    Names called = collect(__start_sennit_opaque, __stop_sennit_opaque);
    Names defined = collect(__start_sennit_defined, __stop_sennit_defined);
    for (size_t i = 0; i < called.count; i++) {
        bool repeated = i && !strcmp(called.items[i], called.items[i - 1]);
        if (!repeated && !contains(&defined, called.items[i]) && !is_harmless(called.items[i]))
            each(context, called.items[i]);
    }
    free(called.items);
    free(defined.items);
}

/* ---- As a set ----------------------------------------------------------------- */

struct OpaqueNames {
    Names names, defined;
};

static void add_name(void *context, const char *name)
{
    Names *names = context;
    names->items = mem_resize(names->items, (names->count + 1) * sizeof *names->items);
    names->items[names->count++] = name;
}

OpaqueNames *opaque_names(void)
{
    OpaqueNames *result = mem_alloc(sizeof *result);
    opaque_each(add_name, &result->names); /* in order */
    result->defined = collect(__start_sennit_defined, __stop_sennit_defined);
    return result;
}

bool opaque_contains(const OpaqueNames *names, const char *name) { return contains(&names->names, name); }

bool opaque_defines(const OpaqueNames *names, const char *name) { return contains(&names->defined, name); }

void opaque_release(OpaqueNames *names)
{
    free(names->defined.items);
    free(names->names.items);
    free(names);
}
