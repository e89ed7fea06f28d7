/* Sessions against brute force: random conditions over inputs of few bits, some with ranges;
 * random literals and clauses; two sessions that share an archive, one of which forgets its
 * expressions all the time. Usage: sym_session SEED COUNT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sym/session/session.h"
#include "sym_generate.h"

enum { MOST_CONDITIONS = 24, MOST_LITERALS = 40, MOST_CLAUSES = 6 };

typedef struct Test {
    Archive *archive;
    Session *sessions[2];
    ExprPool *pool;  /* of brute force */
    Transfer known;
    Evaluator *evaluator;
    Generator g;
    InputSpec specs[8];
    uint32_t conditions[MOST_CONDITIONS];
    uint32_t condition_count;
    Literal all[MOST_LITERALS], any[MOST_LITERALS];
    uint32_t all_count, ends[MOST_CLAUSES], clauses;
    unsigned long long queries, yes, wrong;
} Test;

/* ---- Questions ------------------------------------------------------------------------ */

static void choose_inputs(Test *t)
{
    static const struct { uint8_t count, width; } kinds[] = {{1, 8}, {2, 4}, {3, 3}, {4, 2}, {6, 1}, {2, 3}, {3, 2}};
    uint32_t kind = rng_below(&t->g.rng, 7);
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    t->g.input_count = kinds[kind].count;
    for (uint32_t i = 0; i < t->g.input_count; i++) {
        InputSpec *spec = &t->specs[i];
        *spec = (InputSpec){.name = names[i], .sort = kinds[kind].width};
        Bits a = rng_below(&t->g.rng, 1u << spec->sort), b = rng_below(&t->g.rng, 1u << spec->sort);
        bool is_signed = rng_below(&t->g.rng, 2);
        bool swap = is_signed ? bits_signed(a, spec->sort) > bits_signed(b, spec->sort) : a > b;
        if (rng_below(&t->g.rng, 3) == 0)
            spec->range = (InputRange){swap ? b : a, swap ? a : b, true, is_signed};
    }
}

/* Conditions as the session's program would make them. */
static void make_conditions(Test *t, Session *session)
{
    t->g.pool = session_pool(session);
    t->condition_count = 0;
    for (uint32_t i = 0; i < t->g.input_count; i++) {
        Bits value;
        session_input(session, &t->specs[i], 0, &value);
        t->g.inputs[i] = input_make_limited(t->g.pool->inputs, t->specs[i].name, 0, t->specs[i].sort, &t->specs[i].range);
    }
    for (int i = 0; i < 16; i++) {
        ExprId e = generate_condition(&t->g, 2).made;
        uint32_t number = rng_below(&t->g.rng, 8) ? session_condition(session, e) : session_assumption(session, e);
        if (number)
            t->conditions[t->condition_count++] = number;
    }
}

static Literal random_literal(Test *t)
{
    uint32_t condition = t->conditions[rng_below(&t->g.rng, t->condition_count)];
    bool assumed = condition & ARCHIVE_ASSUMPTION;
    return (Literal){condition, rng_below(&t->g.rng, assumed ? 16 : 2) == 1};
}

/* Often a continuation of the last one. */
static void make_question(Test *t)
{
    t->all_count = t->all_count ? rng_below(&t->g.rng, t->all_count + 1) : 0;
    for (uint32_t i = 1 + rng_below(&t->g.rng, 3); i > 0 && t->all_count < 10; i--)
        t->all[t->all_count++] = random_literal(t);
    t->clauses = rng_below(&t->g.rng, 2) ? 0 : rng_below(&t->g.rng, MOST_CLAUSES);
    uint32_t end = 0;
    for (uint32_t k = 0; k < t->clauses; k++) {
        for (uint32_t i = 1 + rng_below(&t->g.rng, 4); i > 0; i--)
            t->any[end++] = random_literal(t);
        t->ends[k] = end;
    }
}

/* ---- Brute force ------------------------------------------------------------------------ */

static bool holds(Test *t, Literal literal)
{
    ExprId e = archive_get(t->archive, literal.condition, t->pool, &t->known);
    return evaluator_holds(t->evaluator, e) == (literal.taken == 0);
}

/* Under the values that the evaluator has. Of an assumption only one side is of interest. */
static bool is_answer(Test *t)
{
    for (uint32_t i = 0; i < t->all_count; i++)
        if (!holds(t, t->all[i]) || (t->all[i].condition & ARCHIVE_ASSUMPTION && t->all[i].taken))
            return false;
    for (uint32_t k = 0; k < t->clauses; k++) {
        bool broken = false;
        for (uint32_t i = k ? t->ends[k - 1] : 0; i < t->ends[k]; i++)
            broken |= t->any[i].condition & ARCHIVE_ASSUMPTION ? t->any[i].taken : !holds(t, t->any[i]);
        if (!broken)
            return false;
    }
    return true;
}

static bool try_all(Test *t, Assignment *values, uint32_t input)
{
    if (input == t->g.input_count) {
        evaluator_use(t->evaluator, values);
        return is_answer(t);
    }
    const InputSpec *spec = &t->specs[input];
    InputId id = input_make_limited(t->pool->inputs, spec->name, 0, spec->sort, &spec->range);
    for (Bits v = 0; v <= bits_mask(spec->sort); v++) {
        assignment_set(values, id, v);
        if (input_range_contains(&spec->range, spec->sort, v) && try_all(t, values, input + 1))
            return true;
    }
    return false;
}

/* ---- Comparing ------------------------------------------------------------------------------ */

static void complain(Test *t, unsigned long long round, const char *what)
{
    printf("round %llu: %s\n", round, what);
    for (uint32_t i = 0; i < t->all_count; i++) {
        char text[500];
        archive_print(t->archive, t->all[i].condition, text, sizeof text);
        printf("  %s%s\n", t->all[i].taken ? "not " : "", text);
    }
    t->wrong++;
}

/* The session's inputs satisfy the literals. */
static void check_inputs(Test *t, Session *session, unsigned long long round)
{
    Assignment values = {0};
    for (uint32_t i = 0; i < t->g.input_count; i++) {
        Bits value;
        const InputSpec *spec = &t->specs[i];
        session_input(session, spec, 0, &value);
        if (!input_range_contains(&spec->range, spec->sort, value))
            complain(t, round, "an input is out of its range");
        assignment_set(&values, input_make_limited(t->pool->inputs, spec->name, 0, spec->sort, &spec->range), value);
    }
    evaluator_use(t->evaluator, &values);
    t->clauses = 0;
    if (!is_answer(t))
        complain(t, round, "the inputs do not satisfy the literals");
    assignment_release(&values);
}

static void ask(Test *t, unsigned long long round)
{
    Session *session = t->sessions[rng_below(&t->g.rng, 2)];
    Assignment values = {0};
    make_question(t);
    bool expected = try_all(t, &values, 0);
    bool answer = session_feasible(session, t->all, t->all_count, t->any, t->ends, t->clauses);
    t->queries++;
    t->yes += answer;
    if (answer != expected)
        complain(t, round, answer ? "feasible, but is not" : "not feasible, but is");
    assignment_release(&values);
    if (!answer || rng_below(&t->g.rng, 4))
        return;
    if (session_begin(session, t->all, t->all_count) != SOLVER_SAT)
        complain(t, round, "feasible, but there are no inputs");
    else
        check_inputs(t, session, round);
}

int main(int argc, char **argv)
{
    unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
    Test t = {.archive = archive_create(), .g.widest_product = SORT_WIDEST};
    t.sessions[0] = session_create(t.archive, &(SessionOptions){0}, NULL);
    t.sessions[1] = session_create(t.archive, &(SessionOptions){.pool_limit = 500}, NULL);
    t.pool = expr_pool_create(1 << 26);
    t.evaluator = evaluator_create(t.pool);
    for (unsigned long long round = 0; round < count && t.wrong < 5; round++) {
        t.g.rng.state = seed * 15485863 + round;
        t.all_count = 0;
        choose_inputs(&t);
        Session *maker = t.sessions[round % 2];
        session_begin(maker, NULL, 0);
        make_conditions(&t, maker);
        for (int i = 0; i < 20 && t.condition_count; i++)
            ask(&t, round);
    }
    SymStats stats;
    archive_stats(t.archive, &stats);
    printf("%llu queries, %llu feasible, %llu unknown, %llu wrong\n", t.queries, t.yes, (unsigned long long)stats.unknown, t.wrong);
    for (int i = 0; i < 2; i++)
        session_destroy(t.sessions[i]);
    transfer_release(&t.known);
    evaluator_destroy(t.evaluator);
    expr_pool_destroy(t.pool);
    archive_destroy(t.archive);
    return t.wrong > 0 || stats.unknown > 0;
}
