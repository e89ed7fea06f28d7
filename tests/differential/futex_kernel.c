/* futex_kernel.c - the model of futexes against the kernel's, above all for addresses that are wrong, see kernel.h */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "kernel.h"
#include "rt/libc/api_libc.h"

enum { MOST_CALLS = 12, PAGE = 4096 };

typedef struct Call {
    unsigned command, word, other, timeout, value;
    bool is_private;
} Call;

static Call calls[MOST_CALLS];
static unsigned call_count;

/* What may be given as an address. */
enum { GOOD, GOOD_TOO, NOTHING_THERE, ODD, BEHIND_ALL, CONSTANT, UNMAPPED, PROTECTED, READABLE, WORDS };

static uint32_t good[2];
static const uint32_t constant = 0;
static const struct timespec soon = {.tv_nsec = 1000}, wrong = {.tv_nsec = -1};

static void *words[WORDS];

static void map_words(void)
{
    words[GOOD] = &good[0];
    words[GOOD_TOO] = &good[1];
    words[ODD] = (char *)good + 2;
    words[BEHIND_ALL] = (void *)0xffff800000000000ull;
    words[CONSTANT] = (void *)(uintptr_t)&constant;
    for (unsigned i = UNMAPPED; i < WORDS; i++) {
        words[i] = sennit_rt_mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *(volatile uint32_t *)words[i] = 0;
    }
    sennit_rt_munmap(words[UNMAPPED], PAGE);
    sennit_rt_mprotect(words[PROTECTED], PAGE, PROT_NONE);
    sennit_rt_mprotect(words[READABLE], PAGE, PROT_READ);
}

/* ---- Calls ---------------------------------------------------------------------------------- */

static const int commands[] = {FUTEX_WAIT, FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_WAKE, FUTEX_WAKE,
                               FUTEX_WAKE_BITSET, FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP, 42};

/* A wait has a time-out, so that it ends. */
static const void *timeout_of(const Call *call)
{
    const void *const times[] = {&soon, &soon, &wrong, (const void *)8};
    return times[call->timeout];
}

static void make(const Call *call)
{
    int command = commands[call->command];
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
    const void *fourth = waits ? timeout_of(call) : (const void *)(uintptr_t)call->timeout;
    unsigned third = command == FUTEX_WAKE_OP       ? FUTEX_OP(call->timeout, (1 + call->value), FUTEX_OP_CMP_GE, 3)
                     : command == FUTEX_CMP_REQUEUE ? call->value
                                                    : call->value * 0x11u;
    see_result(sennit_rt_syscall(SYS_futex, words[call->word], command | (call->is_private ? FUTEX_PRIVATE_FLAG : 0),
                                 call->value, fourth, words[call->other], third));
    see(good[0]);
    see(good[1]);
}

void kernel_make_calls(void)
{
    map_words();
    good[0] = good[1] = 0;
    for (unsigned i = 0; i < call_count; i++)
        make(&calls[i]);
    for (unsigned i = PROTECTED; i < WORDS; i++)
        sennit_rt_munmap(words[i], PAGE);
}

/* ---- The test -------------------------------------------------------------------------------- */

/* Requeueing to the same word is not modelled. */
const unsigned kernel_retries = 1;

void kernel_generate(void)
{
    call_count = 2 + kernel_draw(MOST_CALLS - 1);
    for (unsigned i = 0; i < call_count; i++) {
        unsigned word = kernel_draw(3) ? kernel_draw(WORDS) : GOOD, other = kernel_draw(3) ? GOOD_TOO : kernel_draw(WORDS);
        calls[i] = (Call){.command = kernel_draw(sizeof commands / sizeof *commands), .word = word,
                          .other = other == word ? (word + 1) % WORDS : other, .timeout = kernel_draw(4),
                          .value = kernel_draw(3), .is_private = kernel_draw(2)};
    }
}

void kernel_print(void)
{
    for (unsigned i = 0; i < call_count; i++)
        printf(" %d%s(%u, value %u, other %u, timeout %u)", commands[calls[i].command], calls[i].is_private ? "p" : "",
               calls[i].word, calls[i].value, calls[i].other, calls[i].timeout);
}
