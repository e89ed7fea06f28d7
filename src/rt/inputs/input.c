/* input.c - see input.h and tracking.h */
#include "rt/inputs/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/actors/actor_fault.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/stamp.h"
#include "rt/memory/object_map.h"
#include "rt/memory/word.h"

Tracking tracking;

/* Modules that ask for inputs leave a byte in this section. */
extern const char __start_sennit_inputs[] __attribute__((weak));
extern const char __stop_sennit_inputs[] __attribute__((weak));

uint8_t sennit_rt_tracking;

/* ---- Lifecycle -------------------------------------------------------------------------- */

bool tracking_init(Error *error)
{
    tracking.on = address_of(__start_sennit_inputs) != address_of(__stop_sennit_inputs);
    sennit_rt_check_overflow = rt.options.check_overflow;
    sennit_rt_tracking = tracking.on || sennit_rt_check_overflow;
    if (!tracking.on)
        return true;
    tracking.archive = archive_create();
    tracking.ready = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tracking.shared =
        mmap(NULL, sizeof *tracking.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return (tracking.shared != MAP_FAILED && tracking.ready != MAP_FAILED &&
            madvise(tracking.ready, 4096, MADV_WIPEONFORK) == 0) ||
           error_set(error, EXIT_INTERNAL, "cannot reserve memory for inputs");
}

/* Each process has a session of its own, made when it needs one. */
static void need_session(void)
{
    Error error;
    if (LIKELY(*tracking.ready))
        return;
    SessionOptions options = {
        .solver = rt.options.solver, .timeout_ms = rt.options.solver_timeout_ms, .log_dir = rt.options.smtlib};
    tracking.session = session_create(tracking.archive, &options, &error);
    if (!tracking.session) {
        snprintf(rt.shared->message, sizeof rt.shared->message, "%.250s", error.text);
        _exit(RT_EXIT_NOT_MODELLED);
    }
    tracking.pool = session_pool(tracking.session);
    *tracking.ready = true;
}

/* ---- Executions ----------------------------------------------------------------------------- */

static void collect_literals(const Execution *ex)
{
    tracking.literals.count = 0;
    for (uint32_t i = 0; i < ex->plan_length; i++)
        for (uint32_t c = 0; c < ex->plan[i].choice_count; c++) {
            Literal literal = ex->plan_choices[ex->plan[i].first_choice + c];
            if (literal.condition && !fault_is_condition(literal.condition))
                VEC_PUSH(&tracking.literals, literal);
        }
}

/* Every execution that a search runs has a place of its own; there are only a few. */
static InputRecords *records_of(Execution *ex)
{
    if (!ex->inputs) {
        uint32_t number = __atomic_fetch_add(&tracking.shared->recorded, 1, __ATOMIC_RELAXED);
        ex->inputs = &tracking.shared->records[number < MAX_RECORDED ? number : MAX_RECORDED - 1];
    }
    return ex->inputs;
}

static void forget(void)
{
    shadow_memory_reset();
    stamp_reset();
    rerun_reset();
    object_map_reset();
    map_reset(&tracking.decided);
    map_reset(&tracking.origins);
    map_reset(&tracking.numbers);
    map_reset(&tracking.asked);
    tracking.records->count = tracking.records->byte_count = 0;
    memset(&sennit_rt_shadow_call, 0, sizeof sennit_rt_shadow_call);
}

static bool solve(const Literal *literals, uint32_t count)
{
    if (input_text_given(tracking.session))
        return true;
    return session_begin(tracking.session, literals, count) == SOLVER_SAT;
}

static bool solve_plan(const Execution *ex)
{
    collect_literals(ex);
    return solve(tracking.literals.items, tracking.literals.count);
}

bool tracking_solve(Program *self, const Execution *ex)
{
    (void)self;
    need_session();
    return tracking.solved = solve_plan(ex);
}

/* The inputs may have been found before this process was forked. */
static void take_solution(const Session *solved)
{
    tracking.solved = false;
    if (tracking.session != solved)
        session_begin_like(tracking.session, solved);
}

bool tracking_begin(Execution *ex)
{
    if (LIKELY(!tracking.on))
        return true;
    const Session *solved = tracking.session;
    need_session();
    tracking.records = records_of(ex);
    forget();
    bool again = tracking.restart;
    tracking.restart = tracking.stays = false;
    if (again && solve(tracking.restart_with.items, tracking.restart_with.count))
        return true;
    tracking.stays = again;
    if (!tracking.solved)
        return solve_plan(ex);
    take_solution(solved);
    return true;
}

/* Faults and inputs have nothing to do with each other. A clause about both can always be
 * escaped: that some inputs count as not served is harmless. */
static bool inputs_feasible(const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                            uint32_t clauses)
{
    static VEC(Literal) mine, some;
    static VEC(uint32_t) mine_ends;
    mine.count = some.count = mine_ends.count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!fault_is_condition(all[i].condition))
            VEC_PUSH(&mine, all[i]);
    for (uint32_t k = 0; k < clauses; k++) {
        bool mixed = false;
        uint32_t first = k ? ends[k - 1] : 0, kept = some.count;
        for (uint32_t i = first; i < ends[k]; i++) {
            mixed = mixed || fault_is_condition(any[i].condition);
            VEC_PUSH(&some, any[i]);
        }
        if (mixed)
            some.count = kept;
        else
            VEC_PUSH(&mine_ends, some.count);
    }
    return session_feasible(tracking.session, mine.items, mine.count, some.items, mine_ends.items, mine_ends.count);
}

bool tracking_feasible(Program *self, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                       uint32_t clauses)
{
    (void)self;
    if (!fault_feasible(all, count, any, ends, clauses))
        return false;
    if (!tracking.on)
        return true;
    need_session();
    return inputs_feasible(all, count, any, ends, clauses);
}

/* ---- Inputs --------------------------------------------------------------------------------------- */

/* As much of the name as there is room for; answers its length. */
static size_t copy_name(char *to, size_t size, const char *name)
{
    size_t length = strnlen(name, size - 1);
    memcpy(to, name, length);
    to[length] = 0;
    return length;
}

/* "x", "x#2", "x@0.1": the running thread asks for it once more. */
static void full_name(const char *name, char *full, size_t size)
{
    uint64_t hash = rt.self->id + 1;
    for (const char *c = name; *c; c++)
        hash = map_mix(hash, (unsigned char)*c);
    uint64_t asked = ++*map_insert(&tracking.numbers, hash >> 1, NULL);
    size_t length = copy_name(full, size, *name ? name : "input");
    if (asked > 1)
        length += (size_t)snprintf(full + length, size - length, "#%llu", (unsigned long long)asked);
    if (rt.self->id && length + 2 < size) {
        full[length] = '@';
        agents_path(rt.self->id, full + length + 1, size - length - 1);
    }
}

/* Notes the value for reports. Room for all of it, or nothing. */
static void record(const char *name, const void *bytes, uint32_t size, bool text, bool is_signed)
{
    InputRecords *records = tracking.records;
    if (records->count == MAX_INPUT_RECORDS || size > MAX_INPUT_BYTES - records->byte_count)
        return;
    InputRecord *entry = &records->records[records->count];
    *entry = (InputRecord){.size = size, .first = records->byte_count, .text = text, .is_signed = is_signed};
    copy_name(entry->name, sizeof entry->name, name);
    memcpy(records->bytes + records->byte_count, bytes, size);
    records->byte_count += size;
    records->count++;
}

/* A decision needs an event to belong to; an input needs none. */
static Bits take(const char *name, uint32_t number, uint32_t width, uint64_t first, uint32_t *shadow)
{
    InputSpec spec = {.name = name, .number = number, .sort = (Sort)width};
    Bits value;
    ExprId e = session_input(tracking.session, &spec, first, &value);
    *shadow = expr_is_const(tracking.pool, e, NULL) ? 0 : e.id;
    *map_insert(&tracking.asked, e.id, NULL) = tracking_moment();
    return value;
}

static void limit(uint32_t shadow, uint64_t value, const InputKind *kind)
{
    ExprPool *pool = tracking.pool;
    ExprId e = shadow_expr(shadow);
    Sort sort = (Sort)kind->width;
    ExprId low = expr_const(pool, sort, (Bits)(SignedBits)kind->low),
           high = expr_const(pool, sort, (Bits)(SignedBits)kind->high);
    ExprOp below = kind->is_signed ? EXPR_SLE : EXPR_ULE;
    SignedBits number = kind->is_signed ? bits_signed(value, sort) : (SignedBits)value;
    SignedBits least = kind->is_signed ? kind->low : (SignedBits)(uint64_t)kind->low;
    SignedBits most = kind->is_signed ? kind->high : (SignedBits)(uint64_t)kind->high;
    tracking_assume(expr_binary(pool, EXPR_AND, expr_binary(pool, below, low, e), expr_binary(pool, below, e, high)),
                    number >= least && number <= most);
}

/* Constructors run once per process, not once per execution. */
static bool is_asked(void)
{
    if (!rt.self)
        report_not_modelled("an input before main");
    return tracking.on;
}

Bits input_number(const char *name, const InputKind *kind, uint32_t *shadow)
{
    char full[72];
    *shadow = 0;
    if (!is_asked())
        return kind->first;
    full_name(name, full, sizeof full);
    Bits value = take(full, 0, kind->width, kind->first, shadow);
    record(full, &value, (kind->width + 7) / 8, false, kind->is_signed);
    if (kind->low != kind->high && *shadow)
        limit(*shadow, (uint64_t)value, kind);
    return value;
}

void input_bytes(const char *name, void *bytes, uint64_t size)
{
    char full[72];
    uint8_t *to = bytes;
    if (!is_asked())
        return;
    full_name(name, full, sizeof full);
    for (uint64_t i = 0; i < size; i++) {
        uint32_t shadow;
        to[i] = (uint8_t)take(full, (uint32_t)i, 8, 0, &shadow);
        shadow_memory_put(address_of(&to[i]), shadow, 8);
    }
    record(full, bytes, (uint32_t)size, true, false);
}

enum { MAX_UNSET = 1 << 15 };

static void unset_word(Word word)
{
    uint32_t shadow;
    InputKind kind = {.width = 8 * word.size, .first = word_load(word.address, word.size)};
    word_store(word.address, (uint64_t)input_number("unset", &kind, &shadow), word.size);
    shadow_memory_put(word.address, shadow, kind.width);
}

void input_unset(void *memory, uint64_t size)
{
    if (!rt.self || !tracking.on)
        return;
    if (size > MAX_UNSET) {
        tracking_note_concretised("memory without a value");
        return;
    }
    for (uint64_t at = address_of(memory), end = at + size; at < end;) {
        Word word = word_first(at, end - at);
        unset_word(word);
        at += word.size;
    }
}

void sennit_rt_shadow_unset(void *p, uint64_t size, const SennitSite *site)
{
    sennit_rt_site = site;
    input_unset(p, size);
}

/* ---- For reports --------------------------------------------------------------------------- */

bool program_c_sym_stats(SymStats *stats)
{
    if (tracking.on)
        archive_stats(tracking.archive, stats);
    return tracking.on;
}

void program_c_add_sym_stats(const SymStats *stats)
{
    if (tracking.on)
        archive_add_stats(tracking.archive, stats);
}

void program_c_each_concretised(void (*each)(void *context, uint64_t site, const char *what, uint64_t count),
                                void *context)
{
    const TrackingShared *shared = tracking.shared;
    uint64_t rest = tracking.on ? shared->concretised_total : 0;
    for (uint32_t i = 0; tracking.on && i < shared->concretised_count; i++) {
        const Concretised *entry = &shared->concretised[i];
        each(context, entry->site, entry->what, entry->count);
        rest -= entry->count < rest ? entry->count : rest;
    }
    if (rest)
        each(context, 0, "value", rest);
}
