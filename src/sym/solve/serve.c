/* serve.c - see serve.h */
#include "sym/solve/serve.h"

#include <time.h>

#include "base/map.h"
#include "sym/expr/wire.h"
#include "sym/solve/frame.h"
#include "sym/solve/remote_internal.h"

typedef struct Server {
    ExprPool *pool;
    Solver *solver;
    ExprMark start;
    WireReader reader;
    Support *support;
    ExprVec conditions;
    VEC(ExprId) core;
    Map numbers; /* node id -> number in the stream, of inputs only */
    uint32_t numbered;
} Server;

/* ---- Replies ------------------------------------------------------------------- */

/* Inputs are named by the numbers they came with. */
static void number_inputs(Server *server)
{
    for (; server->numbered < server->reader.nodes.count; server->numbered++) {
        ExprId e = server->reader.nodes.items[server->numbered];
        if (expr_get(server->pool, e)->op == EXPR_INPUT)
            *map_insert(&server->numbers, e.id, NULL) = server->numbered;
    }
}

static void put_assignment(Server *server, const Assignment *assignment, Text *reply)
{
    uint32_t count;
    const InputId *inputs = support_of_all(server->support, server->conditions.items, server->conditions.count, &count);
    number_inputs(server);
    wire_put_number(reply, count);
    for (uint32_t i = 0; i < count; i++) {
        wire_put_number(reply, *map_find(&server->numbers, expr_input(server->pool, inputs[i]).id));
        wire_put_number(reply, assignment_get(assignment, inputs[i]));
    }
}

static void put_core(const Server *server, const SolverAnswer *answer, Text *reply)
{
    wire_put_number(reply, answer->core_count);
    for (uint32_t i = 0; i < answer->core_count; i++) {
        uint32_t place = 0;
        while (!expr_same(server->conditions.items[place], answer->core[i]))
            place++;
        wire_put_number(reply, place);
    }
}

static uint64_t cpu_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void answer_query(Server *server, uint32_t timeout_ms, bool wants_core, Text *reply)
{
    SolverQuery query = {.pool = server->pool,
                         .conditions = server->conditions.items,
                         .count = server->conditions.count,
                         .timeout_ms = timeout_ms};
    SolverAnswer answer = {0};
    VEC_RESERVE(&server->core, query.count + 1);
    answer.core = wants_core ? server->core.items : NULL;
    uint64_t start = cpu_nanoseconds();
    SolverResult result = server->solver->ops->check(server->solver, &query, &answer);
    wire_put_number(reply, result);
    wire_put_number(reply, cpu_nanoseconds() - start);
    if (result == SOLVER_SAT)
        put_assignment(server, &answer.assignment, reply);
    if (result == SOLVER_UNSAT)
        put_core(server, &answer, reply);
    assignment_release(&answer.assignment);
}

/* ---- Requests -------------------------------------------------------------------- */

static void start_stream(Server *server)
{
    expr_reset(server->pool, server->start);
    wire_reader_reset(&server->reader, server->pool);
    map_reset(&server->numbers);
    server->numbered = 0;
}

static bool answer_request(Server *server, const Text *request, Text *reply)
{
    WireBytes bytes = {(const unsigned char *)request->data, (const unsigned char *)request->data + request->length};
    uint32_t flags, timeout_ms;
    if (!wire_get_small(&bytes, REMOTE_FLAGS, &flags) || !wire_get_small(&bytes, UINT32_MAX, &timeout_ms))
        return false;
    if (flags & REMOTE_NEW_STREAM)
        start_stream(server);
    if (!wire_get_exprs(&server->reader, &bytes, &server->conditions))
        return false;
    text_reset(reply);
    answer_query(server, timeout_ms, flags & REMOTE_WANTS_CORE, reply);
    return true;
}

bool serve_queries(int fd, ExprPool *pool, Solver *solver)
{
    Server server = {.pool = pool, .solver = solver, .start = expr_mark(pool), .support = support_create(pool)};
    Text request = {0}, reply = {0};
    bool good = true;
    wire_reader_reset(&server.reader, pool);
    while (good && frame_receive(fd, -1, &request)) {
        good = answer_request(&server, &request, &reply);
        if (good && !frame_send(fd, &reply))
            break;
    }
    text_release(&request);
    text_release(&reply);
    wire_reader_release(&server.reader);
    support_destroy(server.support);
    map_release(&server.numbers);
    VEC_FREE(&server.conditions);
    VEC_FREE(&server.core);
    return good;
}
