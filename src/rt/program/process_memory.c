/* process_memory.c - see process_memory.h
 *
 * Global variables, the heap, red zones, and what the race detector knows of all of them. Stacks belong to threads
 * (kernel/process.c), the state of locks and the like has names that tell processes apart.
 */
#include "rt/program/process_memory.h"

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/process.h"
#include "rt/libc/libc.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/memory/redzone.h"

static bool forks(void)
{
    return calls_are_listed() && (calls_contain("fork") || calls_contain("vfork") || calls_contain("_Fork"));
}

static void save(RtImage *image)
{
    redzone_save(image);
    globals_save(image);
    race_save_cells(image);
    if (!memory_save(image))
        report_not_modelled("fork in a program with blocks of 8 MB or more");
}

static void put_back(const RtImage *image)
{
    memory_reset_own();
    redzone_reset();
    globals_restore_large();
    race_put_back_cells(image);
    redzone_close_again();
}

void process_memory_init(void)
{
    process_init(forks(), (ProcessMemory){save, put_back}, libc_end_by);
}
