/* session_path.c - lists of literals as path conditions, and the queries about them
 *
 * One list often continues another, so the path condition is kept from query to query and changed from the first
 * difference on. The inputs of the latest execution are its witness: most lists are prefixes of that execution with the
 * last decision reversed.
 */
#include "sym/session/session_internal.h"

enum { MOST_TRIES = 256, MOST_ANSWERS = 1 << 20 };

/* ---- The path ------------------------------------------------------------------- */

static void cut_path(Session *session, uint32_t count)
{
    if (count >= session->literals.count)
        return;
    pathcond_pop(session->path, session->marks.items[count]);
    session->literals.count = session->marks.count = count;
    if (session->held > count)
        session->held = count;
}

void session_path_reset(Session *session)
{
    cut_path(session, 0);
    pathcond_reset(session->path);
    session->changed = true;
}

static void add_range(Session *session, InputId input)
{
    const Input *record = input_get(session->pool->inputs, input);
    const InputRange *range = &record->range;
    if (!range->limited)
        return;
    ExprOp at_most = record->sort == SORT_INT ? EXPR_ILE : range->is_signed ? EXPR_SLE : EXPR_ULE;
    ExprId x = expr_input(session->pool, input);
    ExprId low = expr_const(session->pool, record->sort, range->low);
    ExprId high = expr_const(session->pool, record->sort, range->high);
    pathcond_add(session->path, expr_binary(session->pool, at_most, low, x));
    pathcond_add(session->path, expr_binary(session->pool, at_most, x, high));
}

static ExprId condition_of(Session *session, Literal literal)
{
    return archive_get(session->archive, literal.condition, session->pool, &session->from_archive);
}

static void add_ranges(Session *session, ExprId condition)
{
    const InputSet *inputs = support_of(session->support, condition);
    for (uint32_t i = 0; i < inputs->count; i++)
        add_range(session, inputs->inputs[i]);
}

static void push_literal(Session *session, Literal literal)
{
    ExprId condition = condition_of(session, literal);
    VEC_PUSH(&session->marks, pathcond_mark(session->path));
    VEC_PUSH(&session->literals, literal);
    add_ranges(session, condition);
    pathcond_add(session->path, literal.taken ? expr_not(session->pool, condition) : condition);
}

/* Makes the latest inputs the witness of the path. */
static void renew_witness(Session *session)
{
    bool all = session->held == session->literals.count;
    PathMark held = all ? pathcond_mark(session->path) : session->marks.items[session->held];
    if (session->changed)
        pathcond_renew_witness(session->path, &session->inputs, held);
    session->changed = false;
}

void session_path_set(Session *session, const Literal *literals, uint32_t count)
{
    uint32_t common = 0;
    while (common < count && common < session->literals.count &&
           literals[common].condition == session->literals.items[common].condition &&
           literals[common].taken == session->literals.items[common].taken)
        common++;
    cut_path(session, common);
    renew_witness(session);
    for (uint32_t i = common; i < count; i++)
        push_literal(session, literals[i]);
}

SolverResult session_path_solve(Session *session, Assignment *assignment)
{
    return solver_check_path(session->solver, session->path, assignment);
}

/* ---- Clauses ------------------------------------------------------------------------ */

/* The search for inputs that violate a literal of each clause. */
typedef struct Escape {
    Session *session;
    const Literal *any;
    const uint32_t *ends;
    uint32_t clauses;
    uint32_t tries;
} Escape;

static uint32_t clause_start(const Escape *escape, uint32_t clause)
{
    return clause ? escape->ends[clause - 1] : 0;
}

/* Assumptions are assumed to hold: inputs that violate them are of no interest. */
static bool holds(Session *session, Evaluator *evaluator, Literal literal)
{
    if (literal.condition & ARCHIVE_ASSUMPTION)
        return literal.taken == 0;
    return evaluator_holds(evaluator, condition_of(session, literal)) == (literal.taken == 0);
}

/* The first clause of which all literals hold; `clauses` if there is none. */
static uint32_t find_unbroken(const Escape *escape, const Assignment *assignment)
{
    Session *session = escape->session;
    evaluator_use(session->evaluator, assignment);
    session->evaluates_inputs = false;
    for (uint32_t k = 0; k < escape->clauses; k++) {
        uint32_t i = clause_start(escape, k);
        while (i < escape->ends[k] && holds(session, session->evaluator, escape->any[i]))
            i++;
        if (i == escape->ends[k])
            return k;
    }
    return escape->clauses;
}

static bool is_impossible(Literal literal)
{
    return (literal.condition & ARCHIVE_ASSUMPTION) && literal.taken;
}

/* Whether there are inputs on the path that break every clause; `assignment` satisfies the path. The first literal to
 * break is tried in turn, those before it hold: no inputs are tried twice. What takes too long counts as yes. */
static bool can_escape(Escape *escape, const Assignment *assignment)
{
    Session *session = escape->session;
    uint32_t clause = find_unbroken(escape, assignment), length = session->literals.count, kept = 0;
    bool found = clause == escape->clauses;
    if (found)
        return true;
    for (uint32_t i = clause_start(escape, clause); i < escape->ends[clause]; i++) {
        Literal broken = {escape->any[i].condition, !escape->any[i].taken};
        if (broken.condition & ARCHIVE_ASSUMPTION)
            continue;
        found = escape->tries++ == MOST_TRIES;
        if (found)
            break;
        Assignment next = {0};
        push_literal(session, broken);
        SolverResult result = session_path_solve(session, &next);
        found = result == SOLVER_UNKNOWN || (result == SOLVER_SAT && can_escape(escape, &next));
        cut_path(session, length + kept);
        assignment_release(&next);
        if (found)
            break;
        push_literal(session, escape->any[i]);
        kept++;
    }
    cut_path(session, length);
    return found;
}

/* ---- Questions ------------------------------------------------------------------------ */

static bool contains_impossible(const Literal *literals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_impossible(literals[i]))
            return true;
    return false;
}

static bool decide_literals(Session *session, Assignment *assignment)
{
    SolverResult result = session_path_solve(session, assignment);
    if (result == SOLVER_UNKNOWN)
        archive_count_unknown(session->archive);
    return result == SOLVER_SAT;
}

/* Clauses may mention other inputs than the literals: their ranges come first. */
static bool decide_clauses(Session *session, Escape *escape)
{
    Assignment assignment = {0};
    PathMark mark = pathcond_mark(session->path);
    for (uint32_t i = 0; i < escape->ends[escape->clauses - 1]; i++)
        add_ranges(session, condition_of(session, escape->any[i]));
    bool answer = decide_literals(session, &assignment) && can_escape(escape, &assignment);
    pathcond_pop(session->path, mark);
    assignment_release(&assignment);
    return answer;
}

static bool decide(Session *session, const Literal *all, uint32_t count, Escape *escape)
{
    if (contains_impossible(all, count))
        return false;
    session_path_set(session, all, count);
    return escape->clauses ? decide_clauses(session, escape) : decide_literals(session, NULL);
}

/* ---- Answers that are known ------------------------------------------------------------ */

/* A hash of the set of literals. */
static uint64_t hash_literals(const Literal *literals, uint32_t count)
{
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++)
        sum += map_mix(literals[i].condition, literals[i].taken);
    return map_mix(sum, count);
}

/* A search repeats the queries about a node whenever something is added below it. */
static uint64_t hash_question(const Literal *all, uint32_t count, const Escape *escape)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < escape->clauses; k++) {
        uint32_t start = clause_start(escape, k);
        sum += hash_literals(escape->any + start, escape->ends[k] - start);
    }
    return map_mix(hash_literals(all, count), sum) >> 1;
}

bool session_feasible(Session *session, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                      uint32_t clauses)
{
    Escape escape = {session, any, ends, clauses, 0};
    bool added;
    if (session->answers.count > MOST_ANSWERS)
        map_reset(&session->answers);
    uint64_t *answer = map_insert(&session->answers, hash_question(all, count, &escape), &added);
    if (added)
        *answer = decide(session, all, count, &escape);
    session->stats->queries++;
    session->stats->yes += *answer;
    return *answer;
}
