/* file_point.c - see file_point.h */
#include "rt/file/file_point.h"

#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/kernel/step.h"

void file_point_set(unsigned nth, uint64_t resource, Mode mode, int64_t low_before, int64_t low_after)
{
    const void *name = (const void *)(uintptr_t)resource;
    int64_t *version = object_state((ResourceKind)(resource >> 56), name, sizeof *version, NULL);
    int64_t before = *version << FILE_VALUE_BITS | low_before;
    *version += mode == MODE_WRITE;
    step_mode(nth, mode);
    step_value(nth, before, *version << FILE_VALUE_BITS | low_after);
}

void file_point_use(unsigned nth, uint64_t resource, Mode mode, int64_t low_before, int64_t low_after)
{
    race_acquire(resource);
    if (mode == MODE_WRITE)
        race_release(resource);
    file_point_set(nth, resource, mode, low_before, low_after);
}
