/* stage.c - see stage.h */
#include "app/search/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Address space for the whole search; pages count only once they are used. */
static const size_t REGION_SIZE = (size_t)64 << 30, REGION_LEAST = (size_t)1 << 30;

static Region *reserve(void)
{
    Region *region = NULL;
    for (size_t size = REGION_SIZE; !region && size >= REGION_LEAST; size /= 2)
        region = region_create(size);
    return region;
}

bool stage_open(Stage *stage, const RunInfo *info, StagePurpose purpose, bool fragile, Error *error)
{
    stage->region = reserve();
    if (!stage->region)
        return error_set(error, EXIT_INTERNAL, "cannot reserve memory: %s", strerror(errno));
    unsetenv("SENNIT_OPTIONS"); /* the same environment for the program in every process of a run */
    stage->program = info->subject->open(info, stage->region, purpose, fragile, error);
    return stage->program != NULL;
}
