/* stdlib.c - see stdlib.h; the bytes come from stdlib.abs through stdlib_bytes.S */
#include "abs/syntax/stdlib.h"

#include <string.h>

extern const char sennit_stdlib_begin[], sennit_stdlib_end[];

const char *stdlib_text(size_t *size)
{
    *size = (size_t)(sennit_stdlib_end - sennit_stdlib_begin);
    return sennit_stdlib_begin;
}

bool stdlib_has_module(const char *name)
{
    return strncmp(name, "ABS.", 4) == 0;
}
