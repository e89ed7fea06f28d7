/* stdlib.c - see stdlib.h; the bytes come from the .abs files of this folder through stdlib_bytes.S */
#include "abs/syntax/stdlib.h"

#include <string.h>

extern const char sennit_stdlib_begin[], sennit_stdlib_end[], sennit_meta_begin[], sennit_meta_end[];
extern const char sennit_deployment_begin[], sennit_deployment_end[];
extern const char sennit_absunit_begin[], sennit_absunit_end[];

const char *stdlib_text(size_t *size)
{
    *size = (size_t)(sennit_stdlib_end - sennit_stdlib_begin);
    return sennit_stdlib_begin;
}

static const StdlibPart PARTS[] = {
    {"ABS.Meta", {"ABS.Meta", "ABS.FLI", "ABS.SmartDeploy"}, sennit_meta_begin, sennit_meta_end},
    {"ABS.DC", {"ABS.DC", "ABS.Scheduler"}, sennit_deployment_begin, sennit_deployment_end},
    {"AbsUnit", {"AbsUnit", "AbsUnit.Hamcrest", "AbsUnit.Hamcrest.Core"}, sennit_absunit_begin, sennit_absunit_end},
};

const StdlibPart *stdlib_part(unsigned number)
{
    return number < sizeof PARTS / sizeof PARTS[0] ? &PARTS[number] : NULL;
}

bool stdlib_part_has(const StdlibPart *part, const char *name)
{
    for (unsigned i = 0; i < STDLIB_PART_MODULES && part->modules[i]; i++)
        if (strcmp(name, part->modules[i]) == 0)
            return true;
    return false;
}

bool stdlib_has_module(const char *name)
{
    return strncmp(name, "ABS.", 4) == 0;
}
