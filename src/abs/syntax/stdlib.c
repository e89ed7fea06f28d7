/* stdlib.c - see stdlib.h; the bytes come from stdlib.abs and meta.abs through stdlib_bytes.S */
#include "abs/syntax/stdlib.h"

#include <string.h>

extern const char sennit_stdlib_begin[], sennit_stdlib_end[], sennit_meta_begin[], sennit_meta_end[];

const char *stdlib_text(size_t *size)
{
    *size = (size_t)(sennit_stdlib_end - sennit_stdlib_begin);
    return sennit_stdlib_begin;
}

const char *stdlib_meta_text(size_t *size)
{
    *size = (size_t)(sennit_meta_end - sennit_meta_begin);
    return sennit_meta_begin;
}

bool stdlib_is_meta(const char *name)
{
    return strcmp(name, "ABS.Meta") == 0 || strcmp(name, "ABS.FLI") == 0;
}

bool stdlib_has_module(const char *name)
{
    return strncmp(name, "ABS.", 4) == 0;
}
