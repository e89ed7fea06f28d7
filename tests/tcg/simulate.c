/* simulate.c - the schedules of the database with workers, counted without any of Sennit's code
 *
 * For each worker i the database runs register(i), in two parts around its get, and getData(i);
 * worker i runs work(i), in two parts, and ping(i). A get keeps its object busy until the task it
 * waits for is over. Every order of these six parts per worker that this allows is one schedule;
 * it is a deadlock if some part never runs. `tests/tcg/run.sh` has the same numbers from
 * `sennit generate --reduction=none`.
 *
 * The published numbers are others (1,314 and 48 for two workers, docs/test-generation.md). The
 * variants below, each a natural reading of the published tool, give 6 and 2 for one worker, as
 * published, but not those either.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum Part { REGISTER, REGISTERED, PING, WORK, WORKED, GET_DATA, PARTS } Part;
enum { MOST_WORKERS = 2 };

/* What a search may leave out, or where a schedule may end. */
typedef enum Variant {
    PLAIN = 0,
    AT_DEADLOCK = 1, /* a schedule ends as soon as database and worker wait for each other               */
    STABLE = 2,      /* of an object to which no unfinished method elsewhere leads only its tasks are tried */
    ASLEEP = 4       /* two getData that no register separates are tried in one order                    */
} Variant;

typedef struct Count {
    unsigned schedules, deadlocks;
    unsigned early; /* deadlocks in which getData never ran */
} Count;

typedef struct State {
    unsigned workers;
    Variant variant;
    bool asleep[MOST_WORKERS]; /* getData was tried before, and nothing depended on it since */
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

static bool has_deadlock(const State *s)
{
    for (unsigned i = 0; i < s->workers; i++) {
        const bool *done = s->done[i];
        if (done[REGISTER] && !done[PING] && done[WORK] && !done[GET_DATA])
            return true;
    }
    return false;
}

/* ---- What is tried in a state ---- */

static unsigned object_of(unsigned worker, Part part)
{
    return part == PING || part == WORK || part == WORKED ? worker + 1 : 0;
}

/* work calls the database, register calls a worker: any of them, as far as methods tell. */
static bool is_stable(const State *s, unsigned object)
{
    for (unsigned i = 0; i < s->workers; i++)
        if (object == 0 ? !s->done[i][WORKED] : !s->done[i][REGISTERED])
            return false;
    return true;
}

static bool may_act(const State *s, unsigned object)
{
    for (unsigned i = 0; i < s->workers; i++)
        for (Part part = REGISTER; part < PARTS; part++)
            if (object_of(i, part) == object && may_run(s, i, part))
                return true;
    return false;
}

/* The first stable object that may act; UINT_MAX: all are tried. */
static unsigned find_stable(const State *s)
{
    for (unsigned object = 0; s->variant & STABLE && object <= s->workers; object++)
        if (may_act(s, object) && is_stable(s, object))
            return object;
    return UINT_MAX;
}

static State take(const State *s, unsigned worker, Part part)
{
    State next = *s;
    next.done[worker][part] = true;
    for (unsigned i = 0; i < s->workers; i++)
        if (part == REGISTER || part == REGISTERED)
            next.asleep[i] = false;
        else if (part == GET_DATA && s->variant & ASLEEP && i < worker && may_run(s, i, GET_DATA))
            next.asleep[i] = true;
    return next;
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

static void enumerate(const State *s, unsigned parts, Count *count)
{
    unsigned only = find_stable(s);
    bool stuck = true;
    bool ends = s->variant & AT_DEADLOCK && has_deadlock(s);
    for (unsigned i = 0; i < s->workers && !ends; i++)
        for (Part part = REGISTER; part < PARTS; part++) {
            if (!may_run(s, i, part) || (only != UINT_MAX && object_of(i, part) != only))
                continue;
            stuck = false;
            if (part == GET_DATA && s->asleep[i])
                continue;
            State next = take(s, i, part);
            enumerate(&next, parts + 1, count);
        }
    if (stuck)
        end_schedule(s, parts, count);
}

static bool check(unsigned workers, Variant variant, Count expected)
{
    State state = {.workers = workers, .variant = variant};
    Count count = {0};
    enumerate(&state, 0, &count);
    printf("%u workers, variant %d: %u schedules, %u deadlocks, %u of them before any getData\n", workers, variant, count.schedules,
           count.deadlocks, count.early);
    return count.schedules == expected.schedules && count.deadlocks == expected.deadlocks && count.early == expected.early;
}

int main(void)
{
    bool good = check(0, PLAIN, (Count){1, 0, 0});
    good &= check(1, PLAIN, (Count){6, 2, 2});
    good &= check(2, PLAIN, (Count){1700, 164, 48});
    for (Variant variant = AT_DEADLOCK; variant <= (AT_DEADLOCK | STABLE | ASLEEP); variant++)
        good &= check(1, variant, (Count){6, 2, 2});
    good &= check(2, AT_DEADLOCK, (Count){1700, 164, 48});
    good &= check(2, STABLE, (Count){1524, 164, 48});
    good &= check(2, ASLEEP, (Count){1306, 164, 48});
    good &= check(2, STABLE | ASLEEP, (Count){1180, 164, 48});
    return good ? 0 : 1;
}
