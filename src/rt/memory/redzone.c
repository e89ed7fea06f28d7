/* redzone.c - see redzone.h */
#include "rt/memory/redzone.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/vec.h"
#include "rt/abi/hooks.h"
#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/detect/stack.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/thread.h"
#include "rt/memory/globals.h"
#include "rt/memory/object_map.h"

enum { WHOLE = 8 };

RedzoneShadow redzone_shadow;

/* A variable with a red zone, or what variables take of the stack, of a function that has not returned. */
typedef struct Guarded {
    uint64_t address, size, red_zone;
    uint64_t claim;           /* bytes of the program's own stack, see sennit_rt_guard_claim */
    const char *name;
} Guarded;

/* The variables of one stack, in the order of the calls. */
typedef struct GuardStack {
    bool touched;
    uint32_t forgotten;       /* how often redzone_forget was called for it */
    uint64_t claimed;         /* the sum over the variables */
    VEC(Guarded) variables;
} GuardStack;

static GuardStack stacks[RT_SEATS];
static VEC(uint32_t) touched;

/* ---- Red zones ---------------------------------------------------------------------- */

/* The object is 8-byte aligned; the last word that the red zone covers completely ends it. */
static void set_redzone(uint8_t *shadow, uint64_t object_size, uint64_t red_zone, bool closed)
{
    uint64_t first = object_size / 8, end = (object_size + red_zone) / 8;
    if (object_size % 8)
        shadow[first++] = closed ? (uint8_t)(8 - object_size % 8) : 0;
    memset(shadow + first, closed ? WHOLE : 0, end - first);
}

static void set_stack_redzone(const Guarded *variable, bool closed)
{
    uint8_t *shadow = &redzone_shadow.stacks[(variable->address - ARENA_BASE) >> 3];
    set_redzone(shadow, variable->size, variable->red_zone, closed);
}

static void close_global(void *context, const SennitGlobal *global)
{
    (void)context;
    if (global->red_zone) {
        uint64_t word = (address_of(global->address) - redzone_shadow.globals_begin) >> 3;
        set_redzone(&redzone_shadow.globals[word], global->size, global->red_zone, true);
    }
}

/* ---- Lifecycle ---------------------------------------------------------------------- */

typedef struct AddressRange {
    uint64_t begin, end;
} AddressRange;

static void widen(void *context, const SennitGlobal *constant)
{
    AddressRange *range = context;
    uint64_t begin = address_of(constant->address), end = begin + constant->size + constant->red_zone;
    if (range->begin == range->end)
        *range = (AddressRange){begin, end};
    range->begin = begin < range->begin ? begin : range->begin;
    range->end = end > range->end ? end : range->end;
}

bool redzone_init(uint64_t globals_begin, uint64_t globals_end, Error *error)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    AddressRange all = {globals_begin, globals_end};
    object_map_each_constant(widen, &all);
    uint64_t begin = all.begin & ~7ull, size = all.end - begin + 8;
    redzone_shadow.stacks = mmap(NULL, STACK_SPAN / 8, PROT_READ | PROT_WRITE, flags, -1, 0);
    redzone_shadow.globals = mmap(NULL, size / 8 + 1, PROT_READ | PROT_WRITE, flags, -1, 0);
    if ((void *)redzone_shadow.stacks == MAP_FAILED || (void *)redzone_shadow.globals == MAP_FAILED)
        return error_set(error, EXIT_INTERNAL,
                         "cannot reserve address space for the program (is it limited by ulimit -v?)");
    madvise(redzone_shadow.stacks, STACK_SPAN / 8, MADV_DONTDUMP);
    redzone_shadow.globals_begin = begin;
    redzone_shadow.globals_size = all.end > all.begin ? size : 0;
    globals_each(close_global, NULL);
    object_map_each_constant(close_global, NULL);
    return true;
}

static void open_from(GuardStack *stack, uint32_t first)
{
    while (stack->variables.count > first) {
        const Guarded *variable = &stack->variables.items[--stack->variables.count];
        stack->claimed -= variable->claim;
        if (variable->red_zone)
            set_stack_redzone(variable, false);
    }
}

void redzone_reset(void)
{
    for (uint32_t i = 0; i < touched.count; i++) {
        GuardStack *stack = &stacks[touched.items[i]];
        open_from(stack, 0);
        stack->touched = false;
    }
    touched.count = 0;
}

void redzone_save(RtImage *image)
{
    image_add(image, &touched.count, sizeof touched.count);
    if (image->whole)
        image_add_items(image, &touched.items, touched.count * sizeof *touched.items);
    for (uint32_t i = 0; i < touched.count; i++) {
        GuardStack *stack = &stacks[touched.items[i]];
        image_add(image, stack, offsetof(GuardStack, variables));
        image_add(image, &stack->variables.count, sizeof stack->variables.count);
        image_add_items(image, &stack->variables.items, stack->variables.count * sizeof *stack->variables.items);
    }
}

void redzone_close_again(void)
{
    for (uint32_t i = 0; i < touched.count; i++) {
        const GuardStack *stack = &stacks[touched.items[i]];
        for (uint32_t k = 0; k < stack->variables.count; k++)
            if (stack->variables.items[k].red_zone)
                set_stack_redzone(&stack->variables.items[k], true);
    }
}

static GuardStack *stack_of(uint64_t address, uint32_t *number)
{
    *number = stack_seat(address);
    return in_stacks(address) ? &stacks[*number] : NULL;
}

static GuardStack *own_stack(void)
{
    uint32_t number;
    return stack_of(address_of(__builtin_frame_address(0)), &number);
}

uint32_t redzone_depth(void)
{
    const GuardStack *stack = own_stack();
    return stack ? stack->variables.count : 0;
}

void redzone_return(uint32_t depth)
{
    GuardStack *stack = own_stack();
    if (stack && depth < stack->variables.count)
        open_from(stack, depth);
}

/* All red zones are opened, also those of functions that stay: that misses bugs, but reports no false one. */
void redzone_forget(void)
{
    GuardStack *stack = own_stack();
    if (!stack)
        return;
    open_from(stack, 0);
    stack->forgotten++;
}

uint64_t redzone_claimed(uint32_t seat) { return stacks[seat].claimed; }

/* ---- Reports --------------------------------------------------------------------------- */

/* An access outside an object that is not a heap block. */
static _Noreturn void report_outside(const char *verb, uint64_t address, uint64_t size, const char *name,
                                     uint64_t object, uint64_t object_size)
{
    bool is_string = strncmp(name, ".str", strlen(".str")) == 0;
    report_bug(BUG_BOUNDS, "%s %llu byte%s at offset %lld of %s%s%s (%llu bytes)", verb, (unsigned long long)size,
               size == 1 ? "" : "s", (long long)(address - object), is_string ? "" : "`",
               is_string ? "a string constant" : name, is_string ? "" : "'", (unsigned long long)object_size);
}

/* ---- Hooks ---------------------------------------------------------------------------- */

static void add_guarded(GuardStack *stack, uint32_t number, const Guarded *variable)
{
    if (!stack->touched) {
        stack->touched = true;
        VEC_PUSH(&touched, number);
    }
    VEC_PUSH(&stack->variables, *variable);
    stack->claimed += variable->claim;
}

void sennit_rt_guard(const void *p, uint64_t size, uint64_t red_zone, const char *name)
{
    uint32_t number;
    GuardStack *stack = stack_of(address_of(p), &number);
    Guarded variable = {.address = address_of(p), .size = size, .red_zone = red_zone, .name = name};
    if (!stack || !rt.self)
        return;
    add_guarded(stack, number, &variable);
    set_stack_redzone(&variable, true);
}

/* Variables that do not fit on the program's stack, whatever else is on it: a real overflow, although they fit on
 * the larger one here. */
static void claim(uint64_t address, uint64_t size, const SennitSite *site)
{
    Guarded variables = {.address = address, .claim = size};
    uint32_t seat = rt.self->seat;
    GuardStack *stack = &stacks[seat];
    uint64_t limit = thread_stack_size(thread_strand());
    add_guarded(stack, seat, &variables);
    if (LIKELY(stack->claimed <= limit))
        return;
    sennit_rt_site = site;
    report_bug(BUG_CRASH, "stack overflow: local variables of %llu bytes on a stack of %llu",
               (unsigned long long)stack->claimed, (unsigned long long)limit);
}

uint64_t sennit_rt_guard_enter(uint64_t frame, const SennitSite *site)
{
    const GuardStack *stack = own_stack();
    uint64_t number = stack ? stack->variables.count : 0;
    if (LIKELY(stack && rt.self))
        claim(UINT64_MAX, frame, site);
    return number;
}

void sennit_rt_guard_claim(const void *p, uint64_t size, const SennitSite *site)
{
    if (rt.self && own_stack())
        claim(address_of(p), size, site);
}

void sennit_rt_guard_leave(uint64_t number)
{
    GuardStack *stack = own_stack();
    if (stack)
        open_from(stack, (uint32_t)number);
}

void sennit_rt_guard_cut(const void *place)
{
    GuardStack *stack = own_stack();
    uint32_t kept = stack ? stack->variables.count : 0;
    while (kept > 0 && stack->variables.items[kept - 1].address < address_of(place))
        kept--;
    if (stack)
        open_from(stack, kept);
}

void sennit_rt_within(const void *p, uint64_t size, const void *object, uint64_t object_size, const char *name,
                      const SennitSite *site)
{
    uint64_t offset = address_of(p) - address_of(object);
    if (LIKELY((size <= object_size && offset <= object_size - size) || size == 0 || !rt.self))
        return;
    sennit_rt_site = site;
    report_outside("access to", address_of(p), size, name, address_of(object), object_size);
}

void sennit_rt_within_field(uint64_t outside, uint64_t offset, uint64_t size, uint64_t room, const SennitSite *site)
{
    if (LIKELY(!outside || !rt.self))
        return;
    sennit_rt_site = site;
    report_bug(BUG_BOUNDS, "access to %llu byte%s at offset %lld of an array in a structure (%llu bytes)",
               (unsigned long long)size, size == 1 ? "" : "s", (long long)offset, (unsigned long long)room);
}

/* ---- Checks ------------------------------------------------------------------------------ */

void redzone_report_gone(uint64_t address, uint64_t size, bool writes)
{
    (void)address;
    report_bug(BUG_USE_AFTER_RETURN, "%s of %llu byte%s of a variable whose function has returned",
               writes ? "write" : "read", (unsigned long long)size, size == 1 ? "" : "s");
}

/* ---- Stacks of other threads ------------------------------------------------------------------- */

/* The thread that the stack belongs to, if it is not the running one, nor runs handlers of messages: NULL then. */
static const Thread *other_owner(uint64_t address)
{
    if (!rt.self || !in_stacks(address) || stack_seat(address) == rt.self->seat)
        return NULL;
    AgentId agent = seat_find(stack_seat(address));
    const Thread *owner = agent == AGENT_NONE ? NULL : thread_get(agent);
    return !owner || owner->actor || owner->message || owner->strand != agent ? NULL : owner;
}

/* The variables of main are there until the program ends. */
static bool has_ended(const Thread *thread)
{
    return thread->id != 0 && thread->state == THREAD_OVER && !thread->stopped;
}

/* Is the address below the functions that its thread is in, or has the thread ended? In this schedule it is so:
 * whatever code that thread has run has run before. */
static bool is_left(uint64_t address)
{
    const Thread *owner = other_owner(address);
    if (!owner)
        return false;
    if (owner->state == THREAD_PENDING || owner->state == THREAD_RUNNING)
        return address < stack_end_of_program(owner);
    return has_ended(owner);
}

uint8_t redzone_closed_elsewhere(uint64_t address)
{
    return is_left(address) ? WHOLE : redzone_shadow.stacks[(address - ARENA_BASE) >> 3];
}

/* The thread continues after a read: in an equivalent schedule the access may come first. A write destroys what the
 * owner of the stack has there now. */
static void report_left(uint64_t address, uint64_t size, bool writes)
{
    char who[48];
    const Thread *owner = other_owner(address);
    Finding *finding = bug_add(BUG_USE_AFTER_RETURN);
    name_agent(owner->id, who, sizeof who);
    snprintf(finding->text, sizeof finding->text, "%s of %llu byte%s of a variable of %s, %s",
             writes ? "write" : "read", (unsigned long long)size, size == 1 ? "" : "s", who,
             has_ended(owner) ? "which has ended" : "whose function has returned");
    if (bug_repeats(finding))
        rt.ex->finding_count--;
    else
        bug_noted();
    if (writes && !has_ended(owner))
        scheduler_finish(END_CRASHED);
}

/* ---- Variables --------------------------------------------------------------------------------- */

RedzoneVariable redzone_find_variable(uint64_t address)
{
    RedzoneVariable found = {0};
    const GuardStack *stack = stack_of(address, &found.stack);
    for (uint32_t i = stack ? stack->variables.count : 0; i-- > 0 && !found.address;) {
        const Guarded *variable = &stack->variables.items[i];
        if (variable->red_zone && address - variable->address < variable->size)
            found = (RedzoneVariable){variable->address, found.stack, i, stack->forgotten};
    }
    return found;
}

bool redzone_has_returned(const RedzoneVariable *variable)
{
    const GuardStack *stack = &stacks[variable->stack];
    if (!variable->address || stack->forgotten != variable->forgotten)
        return false;
    return stack->variables.count <= variable->place ||
           stack->variables.items[variable->place].address != variable->address;
}

/* The newest variable that, with its red zone, contains the address. */
static const Guarded *find_variable(uint64_t address)
{
    uint32_t number;
    const GuardStack *stack = stack_of(address, &number);
    for (uint32_t i = stack->variables.count; i-- > 0;) {
        const Guarded *variable = &stack->variables.items[i];
        if (address - variable->address < variable->size + variable->red_zone)
            return variable;
    }
    return NULL;
}

typedef struct ConstantSearch {
    uint64_t bad;
    const SennitGlobal *found;
} ConstantSearch;

static void match_redzone(void *context, const SennitGlobal *constant)
{
    ConstantSearch *search = context;
    if (search->bad - address_of(constant->address) < constant->size + constant->red_zone)
        search->found = constant;
}

static const SennitGlobal *find_global(uint64_t bad)
{
    ConstantSearch search = {.bad = bad};
    object_map_each_constant(match_redzone, &search);
    return search.found ? search.found : globals_find_by_redzone(bad);
}

static void report_redzone(uint64_t bad, uint64_t address, uint64_t size, bool writes)
{
    const char *verb = writes ? "write of" : "read of";
    const Guarded *variable = in_stacks(bad) ? find_variable(bad) : NULL;
    const SennitGlobal *global = in_stacks(bad) ? NULL : find_global(bad);
    if (variable)
        report_outside(verb, address, size, variable->name, variable->address, variable->size);
    if (global)
        report_outside(verb, address, size, global->name, address_of(global->address), global->size);
}

void redzone_check(uint64_t address, uint64_t size, bool writes)
{
    uint64_t end = address + size;
    if (UNLIKELY(is_left(address))) {
        report_left(address, size, writes);
        return;
    }
    for (uint64_t at = address; at < end; at = (at & ~7ull) + 8) {
        uint64_t closed = redzone_closed(at), open_end = (at & ~7ull) + 8 - closed;
        if (UNLIKELY(closed && end > open_end)) {
            report_redzone(at > open_end ? at : open_end, address, size, writes);
            return;
        }
    }
}
