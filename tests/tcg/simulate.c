/* simulate.c - the schedules of the database with workers, counted without any of Sennit's code
 *
 * For each worker i the database runs register(i), in two parts around its get, and getData(i);
 * worker i runs work(i), in two parts, and ping(i). A get keeps its object busy until the task it
 * waits for is over. Every order of these six parts per worker that this allows is one schedule;
 * it is a deadlock if some part never runs. `tests/tcg/run.sh` has the same numbers from
 * `sennit generate --reduction=none`.
 */
#include <stdbool.h>
#include <stdio.h>

typedef enum Part { REGISTER, REGISTERED, PING, WORK, WORKED, GET_DATA, PARTS } Part;
enum { MOST_WORKERS = 2 };

typedef struct Count {
    unsigned schedules, deadlocks;
    unsigned early; /* deadlocks in which getData never ran */
} Count;

typedef struct State {
    unsigned workers;
    bool done[MOST_WORKERS][PARTS];
} State;

static bool database_is_busy(const State *s)
{
    for (unsigned i = 0; i < s->workers; i++)
        if (s->done[i][REGISTER] && !s->done[i][REGISTERED])
            return true;
    return false;
}

static bool may_run(const State *s, unsigned i, Part part)
{
    const bool *done = s->done[i];
    if (done[part])
        return false;
    switch (part) {
    case REGISTER: return !database_is_busy(s);
    case REGISTERED: return done[PING];
    case PING: return done[REGISTER] && (!done[WORK] || done[WORKED]);
    case WORK: return true;
    case WORKED: return done[GET_DATA];
    case GET_DATA: return done[WORK] && !database_is_busy(s);
    default: return false;
    }
}

static void end_schedule(const State *s, unsigned parts, Count *count)
{
    bool asked = false;
    for (unsigned i = 0; i < s->workers; i++)
        asked = asked || s->done[i][GET_DATA];
    count->schedules++;
    count->deadlocks += parts < s->workers * PARTS;
    count->early += parts < s->workers * PARTS && !asked;
}

static void enumerate(State *s, unsigned parts, Count *count)
{
    bool stuck = true;
    for (unsigned i = 0; i < s->workers; i++)
        for (Part part = REGISTER; part < PARTS; part++) {
            if (!may_run(s, i, part))
                continue;
            stuck = false;
            s->done[i][part] = true;
            enumerate(s, parts + 1, count);
            s->done[i][part] = false;
        }
    if (stuck)
        end_schedule(s, parts, count);
}

static bool check(unsigned workers, Count expected)
{
    State state = {.workers = workers};
    Count count = {0};
    enumerate(&state, 0, &count);
    printf("%u workers: %u schedules, %u deadlocks, %u of them before any getData\n", workers, count.schedules, count.deadlocks, count.early);
    return count.schedules == expected.schedules && count.deadlocks == expected.deadlocks && count.early == expected.early;
}

int main(void)
{
    bool good = check(0, (Count){1, 0, 0}) & check(1, (Count){6, 2, 2}) & check(2, (Count){1700, 164, 48});
    return good ? 0 : 1;
}
