/* thread.c - see thread.h
 *
 * Stacks lie at fixed addresses per agent number and stay mapped. What a thread may not use
 * of its stack is inaccessible: from the bottom, what it may never use, and what it needs only
 * if its frames are larger than in the program. Their tops have different offsets within a
 * page, so that the hot ends of many stacks do not compete for the same cache lines.
 */
#include "rt/kernel/thread.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/assume.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/agents.h"
#include "rt/kernel/coro.h"
#include "rt/kernel/fpenv.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/step.h"
#include "rt/memory/redzone.h"
#include "rt/spin/revisit.h"
#include "rt/detect/property.h"
#include "rt/sync/section.h"
#include "rt/signal/signals.h"
#include "rt/sync/vtime.h"

enum { PAGE = 4096, COLOUR = 448, COLOURS = 37, USUAL_STACK = 8 << 20, HEADROOM = 8, BELOW_POINTER = 256,
       FRAME_RECORD = 16, LEAST_CLEARED = 512 };

/* ---- Stacks ------------------------------------------------------------- */

/* A stack, in bytes from its top; all 0: not prepared yet. */
typedef struct Stack {
    uint64_t size;   /* in the program                                     */
    uint64_t open;   /* accessible                                         */
    uint64_t most;   /* made accessible when it is needed                  */
} Stack;

static Stack stacks[RT_SEATS];

static uint64_t whole_pages(uint64_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

/* Frames of instrumented code are larger than those of the program, and the runtime's own functions need room: the
 * program's limit must not be exceeded by ours. */
static Stack stack_for(uint64_t size)
{
    const uint64_t most = STACK_STRIDE - PAGE;
    Stack stack = {.size = size ? size : USUAL_STACK, .open = most, .most = most};
    uint64_t least = stack.size < USUAL_STACK ? USUAL_STACK : stack.size;
    if (least < most)
        stack.open = whole_pages(least);
    if (least < most / HEADROOM)
        stack.most = whole_pages(least * HEADROOM);
    return stack;
}

/* Makes the upper part of a stack accessible and the rest inaccessible. */
static bool open_stack(uint32_t seat, uint64_t open)
{
    char *bottom = (char *)(uintptr_t)stack_bottom(seat);
    uint64_t closed = STACK_STRIDE - open;
    stacks[seat].open = open;
    return mprotect(bottom, closed, PROT_NONE) == 0 && mprotect(bottom + closed, open, PROT_READ | PROT_WRITE) == 0;
}

void thread_size_stack(AgentId agent, uint64_t size)
{
    uint32_t seat = thread_get(agent)->seat;
    Stack *stack = &stacks[seat];
    bool known = stack->size == (size ? size : USUAL_STACK);
    if (LIKELY(known))
        return;
    *stack = stack_for(size);
    if (!open_stack(seat, stack->open))
        report_not_modelled("more threads than the system allows guard pages for");
}

uint64_t thread_stack_size(AgentId agent) { return stacks[thread_get(agent)->seat].size; }

static uint64_t limit_of_process(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 ? limit.rlim_cur : 0;
}

static void prepare_stack(AgentId agent)
{
    Stack *stack = &stacks[thread_get(agent)->seat];
    if (!stack->size)
        thread_size_stack(agent, agent == 0 ? limit_of_process() : 0);
    if (UNLIKELY(stack->open > stack_for(stack->size).open)) /* by an earlier execution */
        thread_get(agent)->special |= SPECIAL_DEEP;
}

/* What the calls on a stack take at least in the program: a return address and the caller's frame pointer each, and
 * what functions with arrays claim. */
static uint64_t least_use(uint32_t seat, uint64_t frame)
{
    uint64_t calls = 0, top = stack_bottom(seat) + STACK_STRIDE - FRAME_RECORD, next;
    for (; frame - stack_bottom(seat) < STACK_STRIDE && frame <= top && frame % 8 == 0; frame = next, calls++) {
        memcpy(&next, (const void *)(uintptr_t)frame, sizeof next);
        if (next <= frame)
            break;
    }
    return calls * FRAME_RECORD + redzone_claimed(seat);
}

static uint64_t piece_of(const Stack *stack)
{
    return whole_pages(stack->size < USUAL_STACK ? USUAL_STACK : stack->size);
}

/* Only a stack pointer that has come so far needs more of the stack: other accesses there are wrong. Little is opened
 * at a time, so that an endless recursion is recognised early. */
bool thread_extend_stack(uint64_t address, const StackPlace *place)
{
    uint32_t seat = rt.self->seat;
    Stack *stack = &stacks[seat];
    uint64_t top = stack_bottom(seat) + STACK_STRIDE, used = top - address, lowest = place->sp - BELOW_POINTER;
    if (used > stack->most || used <= stack->open || lowest >= top - stack->open || address < lowest ||
        least_use(seat, place->frame) > stack->size)
        return false;
    if (!rt.shared->deep_stacks++)
        rt.shared->deep_site = site_name(sennit_rt_site);
    rt.self->special |= SPECIAL_DEEP;
    uint64_t wanted = used + piece_of(stack);
    return open_stack(seat, whole_pages(wanted < stack->most ? wanted : stack->most));
}

/* Where a fault would come depends on the frames of the runtime, which are others in a replay; the frames of the
 * program at a step do not. There is room for those of the runtime below the line at which an overflow is certain. */
void thread_check_depth(const void *frame)
{
    enum { ROOM = 256 << 10 };
    Thread *self = rt.self;
    Stack *stack = &stacks[self->seat];
    uint64_t piece = piece_of(stack), used = stack_bottom(self->seat) + STACK_STRIDE - address_of(frame);
    uint32_t depth = (uint32_t)((used + ROOM) / piece);
    if (LIKELY(depth <= self->depth))
        return;
    self->depth = depth;
    if (depth > 1 && (used > stack->most - ROOM || least_use(self->seat, address_of(frame)) > stack->size))
        report_bug(BUG_CRASH, "stack overflow");
    uint64_t wanted = (depth + 1) * piece;
    if (stack->open < wanted && !open_stack(self->seat, wanted < stack->most ? wanted : stack->most))
        report_not_modelled("more threads than the system allows guard pages for");
}

bool thread_overflows(uint64_t address)
{
    if (!in_stacks(address) ||
        (address - ARENA_BASE) % STACK_STRIDE >= STACK_STRIDE - stacks[stack_seat(address)].open)
        return false;
    if (rt.self && stacks[rt.self->seat].size > STACK_STRIDE / 2)
        report_not_modelled("a thread that uses more than 128 MB of its stack");
    return true;
}

static uint64_t stack_top(uint32_t seat)
{
    return stack_bottom(seat) + STACK_STRIDE - seat % COLOURS * COLOUR;
}

/* ---- Making threads -------------------------------------------------------- */

bool thread_init(Error *error)
{
    size_t size = RT_MAX_AGENTS * sizeof(Thread);
    rt.threads = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (rt.threads == MAP_FAILED)
        return error_set(error, EXIT_INTERNAL, "no memory for threads");
    return seat_init(error);
}

static void enter_body(void *thread)
{
    Thread *self = thread;
    self->body(self->argument);
    thread_stop();
}

/* Agent numbers are interned over all executions, so an execution may skip some. */
static void mark_absent(uint32_t from, uint32_t to)
{
    for (uint32_t agent = from; agent < to; agent++) {
        rt.ex->agents[agent] = (Agent){.creator = AGENT_NONE};
        thread_get(agent)->state = THREAD_ABSENT;
        thread_get(agent)->slot = NULL;
        if (agent % 64 == 0)
            rt.pending[agent / 64] = 0; /* bits of the previous execution, also of higher numbers */
    }
}

static void init_thread(Thread *thread, AgentId agent, void (*body)(void *), void *argument)
{
    thread->id = agent;
    thread->state = THREAD_NEW;
    thread->special = SPECIAL_FIRST | (rt.options.verbose ? SPECIAL_VERBOSE : 0) |
                      (rt.ex->memory == MEMORY_SC ? 0 : SPECIAL_WEAK) | (signals_come() ? SPECIAL_SIGNALS : 0) |
                      (property_exists() ? SPECIAL_WATCHED : 0);
    thread->plain_slow = rt.plain_visible ? SLOW_VISIBLE : rt.options.volatile_atomic ? SLOW_VOLATILE : 0;
    if (UNLIKELY(rt.options.states))
        thread->plain_slow |= SLOW_SHARED; /* who accesses what is noted, see shared.h */
    thread->stopped = 0;
    thread->max_steps = rt.max_steps;
    thread->strong_step = UINT32_MAX;
    thread->has_event = 0;
    thread->looped = thread->loops = 0;
    thread->saved_errno = 0;
    thread->noise = 0;
    thread->children = thread->assistants = thread->named = thread->seated = thread->decisions = 0;
    thread->inputs = thread->drawn = 0;
    thread->strand = agent;
    thread->node = rt.self ? rt.self->node : 0;
    thread->process = rt.self ? rt.self->process : 0;
    thread->own_seat = thread->forked = 0;
    thread->travels = thread->helps = thread->killed = thread->ends = false;
    thread->clock_base = 0;
    thread->last_named = AGENT_NONE;
    thread->borrows = NULL;
    thread->message = NULL;
    thread->actor = NULL;
    thread->next_new = thread->last_new = AGENT_NONE;
    thread->section_depth = 0;
    thread->observes = thread->looks = false;
    thread->body = body;
    thread->argument = argument;
    thread->slot = NULL;
    thread->depth = 0;
    thread->detours = 0;
    thread->spin = NULL;
    thread->repeat = NULL;
    thread->changes = NULL;
    thread->revisit = NULL;
    thread->park = NULL;
    thread->tls = NULL;
    thread->fpenv = NULL;
    thread->frame = (CallFrame){0};
    thread->segment = (Fingerprint){0, 0};
    thread->pending.accesses = thread->pending.inline_accesses;
    thread->pending.live = thread->pending.inline_live;
    thread->pending.capacity = INLINE_ACCESSES;
}

static Thread *register_agent(AgentId agent, AgentId creator, void (*body)(void *), void *argument)
{
    Thread *thread = thread_get(agent);
    if (agent >= rt.ex->agent_count) {
        mark_absent(rt.ex->agent_count, agent + 1);
        rt.ex->agent_count = agent + 1;
    }
    init_thread(thread, agent, body, argument);
    Agent *entry = &rt.ex->agents[agent];
    entry->creator = creator;
    entry->creator_step = creator == AGENT_NONE ? 0 : rt.ex->agents[creator].steps - 1;
    entry->steps = 0;
    entry->nth = creator == AGENT_NONE ? 0 : thread_get(creator)->children;
    if (UNLIKELY(rt.time_used))
        vtime_inherit(agent);
    return thread;
}

Thread *thread_register(AgentId agent, AgentId creator)
{
    return register_agent(agent, creator, NULL, NULL);
}

/* Defined by the instrumenter if there are loops whose iterations may repeat. */
extern const char sennit_repeats_loops __attribute__((weak));

/* An execution of a search may: only its last run shows. */
static bool may_begin_again(void)
{
    const RtOptions *options = &rt.options;
    bool picks = rt.ex->picker && !rt.ex->picker->restarted;
    return !picks && !tracking.on && !options->isolate && !options->verbose && !options->show_output;
}

/* What is compared of a stack must not depend on earlier executions; how much that is, the program shows. */
static uint64_t cleared;

static void clear_stack(AgentId agent)
{
    prepare_stack(agent);
    uint64_t size = !&sennit_repeats_loops ? 0 : may_begin_again() ? cleared : REVISIT_MAX_STACK;
    if (UNLIKELY(rt.options.states))
        size = REVISIT_MAX_STACK;
    if (size)
        memset((void *)(uintptr_t)(stack_top(thread_get(agent)->seat) - size), 0, size);
}

void thread_clear_stack(AgentId agent)
{
    if (UNLIKELY(rt.options.states))
        clear_stack(agent);
}

uint64_t thread_stack_depth(const Thread *thread, const void *place)
{
    return stack_top(thread->seat) - address_of(place);
}

void thread_need_clear(uint64_t depth)
{
    if (LIKELY(depth <= cleared || depth > REVISIT_MAX_STACK) || !may_begin_again())
        return;
    cleared = cleared ? cleared : LEAST_CLEARED;
    while (cleared < depth)
        cleared *= 2;
    image_void_all();
    rt.begins_again = true;
    scheduler_finish(END_ABANDONED);
}

/* What it has of its stack: from where it waits up; or what is compared, if that is more. */
void thread_save_stack(const Thread *thread, RtImage *image)
{
    uint64_t top = stack_top(thread->seat), bottom = address_of(thread->context);
    if (top - bottom > STACK_STRIDE) /* another's */
        return;
    if (top - bottom < cleared)
        bottom = top - cleared;
    image_add(image, (void *)(uintptr_t)bottom, top - bottom);
}

void thread_save(RtImage *image)
{
    image_add(image, rt.threads, rt.ex->agent_count * sizeof *rt.threads);
    for (AgentId agent = 0; agent < rt.ex->agent_count && !image_is_full(image); agent++)
        if (thread_get(agent)->state != THREAD_ABSENT)
            thread_save_stack(thread_get(agent), image);
}

void *thread_context(AgentId agent, void (*entry)(void *), void *argument)
{
    prepare_stack(agent);
    return coro_prepare(stack_top(thread_get(agent)->seat), entry, argument);
}

Thread *thread_make(AgentId agent, AgentId creator, void (*body)(void *), void *argument)
{
    Thread *thread = register_agent(agent, creator, body, argument);
    seat_take(thread, creator == AGENT_NONE ? NULL : thread_namer(thread_get(creator)));
    clear_stack(agent);
    thread->context = coro_prepare(stack_top(thread->seat), enter_body, thread);
    return thread;
}

/* ---- The running thread ------------------------------------------------------- */

AgentId thread_strand(void) { return rt.self ? rt.self->strand : AGENT_NONE; }
AgentId thread_self(void) { return rt.self ? rt.self->id : AGENT_NONE; }
bool thread_inside(void) { return rt.self != NULL; }
void **thread_slot(AgentId agent) { return &thread_get(agent)->slot; }
uint32_t thread_count(void) { return rt.ex ? rt.ex->agent_count : 0; }

static void append_new(Thread *creator, Thread *child)
{
    if (creator->next_new == AGENT_NONE)
        creator->next_new = child->id;
    else
        thread_get(creator->last_new)->next_new = child->id;
    creator->last_new = child->id;
    creator->special |= SPECIAL_CHILDREN;
}

/* Children are listed in the order in which they were first created, usually that of this execution. */
AgentId thread_number_child(Thread *namer)
{
    const AgentName *names = rt.shared->agents;
    AgentId next = namer->last_named != AGENT_NONE ? names[namer->last_named].next_sibling
                                                   : names[namer->id].first_child;
    if (next == AGENT_NONE || names[next].nth != namer->named + 1)
        next = agents_intern(namer->id, namer->named + 1);
    if (next == AGENT_NONE)
        return AGENT_NONE;
    namer->named++;
    namer->last_named = next;
    rt.self->children++;
    return next;
}

AgentId thread_spawn(void (*body)(void *argument), void *argument, const void *start)
{
    section_keep("creating a thread");
    Thread *self = rt.self;
    AgentId agent = thread_number_child(thread_namer(self));
    if (agent == AGENT_NONE)
        return AGENT_NONE;
    rt.shared->agents[agent].start = address_of(start);
    Thread *child = thread_make(agent, self->id, body, argument);
    fpenv_inherit(child);
    append_new(self, child);
    race_log_create(agent);
    return agent;
}

Thread *thread_fork(void)
{
    Thread *self = rt.self;
    AgentId agent = thread_number_child(thread_namer(self));
    if (agent == AGENT_NONE)
        return NULL;
    Thread *child = register_agent(agent, self->id, NULL, NULL);
    child->seat = self->seat;
    child->place = self->place;
    child->seated = self->seated;
    child->own_seat = seat_of_child(self->own_seat, ++self->forked, agent);
    child->saved_errno = *rt.errno_location;
    fpenv_inherit(child);
    append_new(self, child);
    race_log_create(agent);
    return child;
}

void thread_stop(void)
{
    Thread *self = rt.self;
    bool ended = self->has_event && rt.ex->events[self->last_event].op == OP_EXIT;
    self->special &= (uint16_t)~SPECIAL_SIGNALS;
    if (self->special)
        step_settle(self);
    if (!ended) {
        self->stopped = 1;
        rt.stopped_agents = true;
    }
    scheduler_leave();
}

void thread_leave(void)
{
    if (rt.self->special)
        step_settle(rt.self);
    scheduler_leave();
}

void thread_halt(void)
{
    if (rt.self->section_depth)
        section_abandon(rt.self);
    rt.self->stopped = 1;
    rt.stopped_agents = rt.halted_agents = true;
    rt.self->special &= (uint16_t)~SPECIAL_SIGNALS;
    if (rt.self->special & SPECIAL_CHILDREN)
        step_settle(rt.self);
    scheduler_leave();
}

void thread_cut(CutKind limit)
{
    execution_cut(rt.ex, limit);
    thread_halt();
}

bool thread_end_unknown(void) { return rt.halted_agents || rt.waits_past_bound; }

/* Iterations are counted in the frame, so the bound means the same in every schedule. */
void sennit_rt_loop_iteration(uint32_t iterations, const SennitSite *site)
{
    if (LIKELY(iterations <= rt.options.max_rounds || !rt.options.max_rounds) || !rt.self)
        return;
    sennit_rt_site = site;
    thread_cut(CUT_UNROLL);
}

void thread_stop_detour(void)
{
    rt.detours = true;
    thread_halt();
}

void thread_stop_assumed(void)
{
    assume_retry();
    rt.ex->assumed_away++;
    thread_halt();
}
