/* stack.c - see stack.h
 *
 * Frames are found by frame pointers, which instrumented code and the runtime keep.
 */
#include "rt/detect/stack.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/detect/symbols.h"
#include "rt/kernel/coro.h"
#include "rt/kernel/runtime.h"

typedef enum StackOf { STACK_FINDING, STACK_ACCESS, STACK_WAIT } StackOf;

enum { MAX_FRAMES = 32, MAX_RECORDED = 1 << 20 };

typedef struct Recorded {
    uint8_t of;          /* StackOf                                      */
    uint8_t depth;
    uint16_t nth;        /* place of a finding; agent of an access       */
    uint32_t number;     /* finding or agent; clock of an access         */
    uint64_t word;       /* of an access                                 */
    uint64_t pc[MAX_FRAMES];
} Recorded;

typedef struct Recording {
    size_t count;
    Recorded items[MAX_RECORDED];
} Recording;

static Recording *recording;

void stack_init(void)
{
    void *block =
        mmap(NULL, sizeof *recording, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    recording = block == MAP_FAILED ? NULL : block;
}

void stack_reset(void)
{
    if (recording)
        recording->count = 0;
}

/* ---- Walking ------------------------------------------------------------------- */

static bool on_stack_of(const Thread *thread, uint64_t frame)
{
    return thread && frame - stack_bottom(thread->seat) < STACK_STRIDE - 16 && frame % 8 == 0;
}

static bool on_own_stack(uint64_t frame) { return on_stack_of(rt.self, frame); }

static uint8_t walk(uint64_t frame, uint64_t *pc, uint8_t most)
{
    uint8_t depth = 0;
    while (depth < most && on_own_stack(frame)) {
        const uint64_t *link = (const uint64_t *)(uintptr_t)frame;
        if (!link[1])
            break;
        pc[depth++] = link[1];
        if (link[0] <= frame)
            break;
        frame = link[0];
    }
    return depth;
}

/* ---- Recording ------------------------------------------------------------------- */

static Recorded *add(StackOf of, uint32_t nth, uint32_t number, uint64_t word)
{
    if (!recording || recording->count == MAX_RECORDED)
        return NULL;
    Recorded *item = &recording->items[recording->count++];
    *item = (Recorded){.of = (uint8_t)of, .nth = (uint16_t)nth, .number = number, .word = word};
    return item;
}

static const Recorded *find(StackOf of, uint32_t nth, uint32_t number, uint64_t word)
{
    for (size_t i = recording ? recording->count : 0; i-- > 0;) {
        const Recorded *item = &recording->items[i];
        if (item->of == of && item->nth == nth && item->number == number && item->word == word)
            return item;
    }
    return NULL;
}

static void record(StackOf of, uint32_t nth, uint32_t number, uint64_t word)
{
    Recorded *item = add(of, nth, number, word);
    if (item)
        item->depth = walk(address_of(__builtin_frame_address(0)), item->pc, MAX_FRAMES);
}

void stack_record_wait(AgentId agent) { record(STACK_WAIT, 0, agent, 0); }

static uint32_t number_of(const Finding *finding) { return (uint32_t)(finding - rt.ex->findings); }

void stack_record_finding(const Finding *finding, uint32_t nth)
{
    if (rt.options.verbose && rt.self)
        record(STACK_FINDING, nth, number_of(finding), 0);
}

void stack_record_crash(const Finding *finding, uint64_t pc, uint64_t sp, uint64_t frame)
{
    Recorded *item = rt.options.verbose && rt.self ? add(STACK_FINDING, 0, number_of(finding), 0) : NULL;
    if (!item)
        return;
    bool in_function = symbols_find(pc, NULL) != NULL;
    /* A call of an invalid address: the return address is on top of the stack. */
    bool called = !in_function && on_own_stack(sp);
    item->pc[0] = called ? *(const uint64_t *)(uintptr_t)sp : pc + 1;
    item->depth = (uint8_t)(1 + walk(frame, item->pc + 1, MAX_FRAMES - 1));
}

void stack_record_access(AgentId agent, uint32_t clock, uint64_t word) { record(STACK_ACCESS, agent, clock, word); }

void stack_copy_access(const Finding *finding, uint32_t nth, AgentId agent, uint32_t clock, uint64_t word)
{
    const Recorded *access = rt.options.verbose ? find(STACK_ACCESS, agent, clock, word) : NULL;
    if (!access)
        return;
    Recorded *item = add(STACK_FINDING, nth, number_of(finding), 0);
    if (!item)
        return;
    item->depth = access->depth;
    memcpy(item->pc, access->pc, sizeof item->pc);
}

/* ---- For reports -------------------------------------------------------------------- */

/* The code of the runtime, which lib/sennit-rt.o has in a section of its own (cmake/runtime.cmake). */
extern const char __start_sennit_runtime[] __attribute__((weak));
extern const char __stop_sennit_runtime[] __attribute__((weak));

/* Its frames are not shown, whether it was called by the program, calls it (a thread's start, a comparison of qsort)
 * or both. */
bool stack_is_runtime(uint64_t pc)
{
    return pc >= address_of(__start_sennit_runtime) && pc < address_of(__stop_sennit_runtime);
}

uint64_t stack_end_of_program(const Thread *thread)
{
    if (!on_stack_of(thread, address_of(thread->context)))
        return 0;
    for (uint64_t frame = coro_frame(thread->context); on_stack_of(thread, frame);) {
        const uint64_t *link = (const uint64_t *)(uintptr_t)frame;
        if (link[1] && !stack_is_runtime(link[1] - 1))
            return frame + 2 * sizeof *link;
        if (link[0] <= frame)
            break;
        frame = link[0];
    }
    return 0;
}

static uint32_t copy_frames(const Recorded *item, StackFrame *frames, uint32_t max)
{
    uint32_t count = 0;
    for (uint8_t i = 0; item && i < item->depth && count < max; i++) {
        const char *function = symbols_find(item->pc[i] - 1, NULL);
        if (stack_is_runtime(item->pc[i] - 1))
            continue;
        frames[count].address = item->pc[i];
        snprintf(frames[count].function, sizeof frames[count].function, "%s", function ? function : "");
        count++;
    }
    return count;
}

uint32_t stack_of_wait(AgentId agent, StackFrame *frames, uint32_t max)
{
    return copy_frames(find(STACK_WAIT, 0, agent, 0), frames, max);
}

uint32_t stack_of_finding(uint32_t finding, uint32_t nth, StackFrame *frames, uint32_t max)
{
    return copy_frames(find(STACK_FINDING, nth, finding, 0), frames, max);
}
