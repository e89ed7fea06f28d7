/* kernel.c - see kernel.h */
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/explore.h"
#include "rt/libc/api_libc.h"
#include "rt/program/program_c.h"

enum { MOST_SEEN = 512, MOST_EXECUTIONS = 200000 };

typedef struct Seen {
    int values[MOST_SEEN];
    unsigned count;
} Seen;

static Seen inside, outside, *seen;
static bool found; /* an execution with the kernel's answers */

void see(long value)
{
    if (seen->count < MOST_SEEN)
        seen->values[seen->count++] = (int)value;
}

void see_result(long result) { see(result < 0 ? -errno - 1000 : result); }

static uint64_t random_state;

unsigned kernel_draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

static void make_calls(Seen *to)
{
    seen = to;
    seen->count = 0;
    kernel_make_calls();
}

int sennit_user_main(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    make_calls(&inside);
    found |= inside.count == outside.count &&
            memcmp(inside.values, outside.values, inside.count * sizeof *inside.values) == 0;
    return 0;
}

static bool agree(uint64_t seed)
{
    if (found)
        return true;
    printf("seed %llu:", (unsigned long long)seed);
    kernel_print();
    for (unsigned i = 0; i < inside.count; i++)
        printf("%s%d%s%d", i ? ", " : "\n   ", inside.values[i],
               inside.values[i] == outside.values[i] ? "=" : " but the kernel says ", outside.values[i]);
    printf("\n");
    return false;
}

/* Those that the kernel gives next have no gaps. */
static void fill_numbers(void)
{
    enum { FIRST_FREE = 100 };
    int last = 0;
    while (last >= 0 && last < FIRST_FREE)
        last = dup(0);
    close(last);
}

int main(int argc, char **argv)
{
    Error error = {0};
    static char *none[] = {NULL}; /* restored before each execution */
    RtOptions options = {.argv = none, .envp = none, .max_timeouts = 30, .channels = CHANNELS_MAILBOX};
    Region *region = region_create((size_t)1 << 32);
    Program *program = argc == 3 && region ? program_c_create(region, &options, &error) : NULL;
    uint64_t compared = 0, wrong = 0, unfinished = 0;
    if (!program) {
        fprintf(stderr, "usage: %s FROM TO\n", argv[0]);
        return 2;
    }
    fill_numbers();
    for (uint64_t seed = strtoull(argv[1], NULL, 10); seed < strtoull(argv[2], NULL, 10); seed++) {
        ExploreOptions search = {.max_preemptions = -1, .max_executions = MOST_EXECUTIONS, .reduction = REDUCTION_OPTIMAL};
        ExploreObserver observer = {0};
        random_state = seed * 0x9e3779b97f4a7c15ull + 12345;
        kernel_generate();
        found = false;
        bool finished = true;
        for (unsigned i = 0; i < kernel_retries && !found; i++) {
            make_calls(&outside);
            Explore *explore = explore_create(region, program, &search);
            finished = explore_run(explore, &observer, 0) != EXPLORE_BUDGET;
            explore_destroy(explore);
        }
        unfinished += !found && !finished;
        wrong += (found || finished) && !agree(seed);
        compared++;
    }
    printf("%llu sequences compared, %llu too large, %llu mismatches\n", (unsigned long long)(compared - unfinished),
           (unsigned long long)unfinished, (unsigned long long)wrong);
    return wrong ? 1 : 0;
}
