/* descriptor.c - see descriptor.h */
#include "rt/io/descriptor.h"

#include <sys/select.h>

#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/thread.h"

enum {
    /* Descriptors of main and of other threads; below FD_SETSIZE as long as possible. */
    MAIN_COUNT = 320, OTHERS_FIRST = DESCRIPTOR_FIRST + MAIN_COUNT, OTHERS_COUNT = 8, FAR_FIRST = 2048, FAR_COUNT = 64
};

/* The number of a thread's k-th descriptor. */
static int number_of(AgentId strand, int k)
{
    if (strand == 0 && k < MAIN_COUNT)
        return DESCRIPTOR_FIRST + k;
    int near = OTHERS_FIRST + ((int)strand - 1) * OTHERS_COUNT + k;
    if (strand && k < OTHERS_COUNT && near < FD_SETSIZE)
        return near;
    if (k >= FAR_COUNT)
        thread_cut(CUT_PIPES);
    return FAR_FIRST + (int)strand * FAR_COUNT + k;
}

int descriptor_new(void)
{
    int k = 0;
    while (pipe_find(number_of(rt.self->strand, k)) || open_file_occupies(number_of(rt.self->strand, k)))
        k++;
    return number_of(rt.self->strand, k);
}
