/* tracking.c - see tracking.h */
#include "rt/inputs/tracking.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/actors/actor_fault.h"
#include "rt/inputs/input_text.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/stamp.h"
#include "rt/memory/object_map.h"

Tracking tracking;

/* Modules that ask for inputs have a byte in this section. */
extern const char __start_sennit_inputs[] __attribute__((weak));
extern const char __stop_sennit_inputs[] __attribute__((weak));
/* Modules that have only plain versions of their functions have one in this section. */
extern const char __start_sennit_plain[] __attribute__((weak));
extern const char __stop_sennit_plain[] __attribute__((weak));

uint8_t sennit_rt_tracking;

/* ---- Lifecycle -------------------------------------------------------------------------- */

bool tracking_init(Error *error)
{
    tracking.on = address_of(__start_sennit_inputs) != address_of(__stop_sennit_inputs);
    sennit_rt_check_overflow = rt.options.check_overflow;
    sennit_rt_tracking = tracking.on || sennit_rt_check_overflow;
    if (sennit_rt_tracking && address_of(__start_sennit_plain) != address_of(__stop_sennit_plain))
        return error_set(error, EXIT_USAGE, "a part of the program was compiled without %s: use sennit cc --%s",
                         tracking.on ? "tracking of inputs" : "checks of overflow", tracking.on ? "inputs" : "shifts");
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

/* Each process has a session of its own, created when it is needed. */
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

/* Every Execution of a search has records of its own; there are only a few. */
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
    tracking.pending.count = 0;
    tracking.records->count = tracking.records->byte_count = 0;
    memset(&sennit_rt_shadow_call, 0, sizeof sennit_rt_shadow_call);
}

static bool solve(const Literal *literals, uint32_t count)
{
    if (input_text_begin(tracking.session))
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
    if (!again)
        tracking.retried = 0;
    tracking.restart = tracking.no_restart = false;
    if (again && solve(tracking.restart_with.items, tracking.restart_with.count))
        return true;
    tracking.no_restart = again;
    if (!tracking.solved)
        return solve_plan(ex);
    take_solution(solved);
    return true;
}

/* Faults and inputs are independent. A clause about both counts as satisfiable: that some
 * inputs count as not yet explored is harmless. */
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

uint64_t tracking_moment(void)
{
    return (uint64_t)(rt.self->id + 1) << 32 | (rt.agents[rt.self->id].steps - rt.self->decisions + rt.self->children);
}

/* ---- For reports --------------------------------------------------------------------------- */

bool tracking_stats(SymStats *stats)
{
    if (tracking.on)
        archive_stats(tracking.archive, stats);
    return tracking.on;
}

void tracking_add_stats(const SymStats *stats)
{
    if (tracking.on)
        archive_add_stats(tracking.archive, stats);
}
