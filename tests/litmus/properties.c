/* properties.c - properties of states are looked at behind each step that they depend on, and order no other steps
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 2
 * litmus: -DPART=2 -> executions 2 bugs assertion
 * litmus: -DPART=2 --reduction=states -O2 -> states any bugs assertion
 * litmus: -DPART=3 -> executions 2 bugs assertion
 * litmus: -DPART=4 -> executions 44 bugs assertion
 * litmus: -DPART=4 -DFIXED -> executions 2
 * litmus: -DPART=5 -> executions 1 bugs data-race
 * litmus: -DPART=6 -> executions 2 bugs liveness
 * litmus: -DPART=6 -DFIXED -> executions 2
 * litmus: -DPART=7 -> executions 1 bugs liveness
 * litmus: -DPART=7 -DFIXED -> executions 1
 * litmus: -DPART=8 -> executions 2 bugs assertion
 * litmus: -DPART=9 -> executions 2 bugs liveness
 * litmus: -DPART=9 -DFIXED -> executions 2
 * litmus: -DPART=10 -> executions 2 bugs assertion
 * litmus: -DPART=11 -> executions 1
 * litmus: -DPART=11 --memory=rc11 -> executions 0 verdict incomplete exit 2
 *
 * 0: the property reads one of two variables that are written. 1: it reads both. 2: it reads the second one only if the
 * first one is set; in the first schedule it is cleared first. 3: variables of observers. 4: a lock whose word the
 * property reads too. 5: a variable that is not atomic. 6: what one state leads to. 7: what happens in the end. 8: an
 * event that an automaton refuses. 9: one of its states is hot at the end in one of two orders. 10: updates without a
 * result, which commute otherwise. 11: relaxed orders, searched under sequential consistency.
 */
#include "litmus.h"

#include <stdatomic.h>

#include <sennit/monitor.h>
#include <sennit/sennit.h>

static atomic_int a, b;
static int first, second;

static void *set_a(void *value)
{
    a = (int)(long)value;
    return NULL;
}

static void *set_b(void *value)
{
    b = (int)(long)value;
    return NULL;
}

#if PART == 0
sennit_always(small, a < 2);
int main(void) { start(set_a, 1), start(set_b, 1); join_all(); }
#elif PART == 1
sennit_always(small, a + b < 3);
int main(void) { start(set_a, 1), start(set_b, 1); join_all(); }
#elif PART == 2
sennit_never(both, a && b);
int main(void)
{
    a = 1;
    start(set_a, 0), start(set_b, 1);
    join_all();
}
#elif PART == 3
sennit_always(in_order, first >= second);
static void *tell(void *which)
{
    if (which)
        sennit_observe(first++);
    else
        sennit_observe(second++);
    return NULL;
}
int main(void) { start(tell, 1), start(tell, 0); join_all(); }
#elif PART == 4
static atomic_int inside;
sennit_always(exclusion, inside <= 1);
sennit_always(held, a || !inside);
static void *enter(void *unused)
{
#ifdef FIXED
    while (atomic_exchange(&a, 1))
        ;
#else
    while (a)
        ;
    a = 1;
#endif
    inside++;
    inside--;
    a = 0;
    return unused;
}
int main(void) { start(enter, 0), start(enter, 0); join_all(); }
#elif PART == 5
sennit_always(small, a + first < 3);
static void *write_first(void *unused)
{
    first = 1;
    return unused;
}
int main(void) { start(set_a, 1), start(write_first, 0); join_all(); }
#elif PART == 6
sennit_leads_to(answered, a == 1, b == 1);
int main(void)
{
    start(set_a, 1), start(set_b, 1);
    join_all();
    b = 0;
#ifdef FIXED
    b = 1;
#endif
    a = 2;
}
#elif PART == 7
sennit_eventually(met, a == 2);
int main(void)
{
    start(set_a, 1);
    join_all();
#ifdef FIXED
    a = 2;
    a = 1;
#endif
}
#elif PART == 8 || PART == 9
enum { IDLE, ASKED };
enum { ASK, ANSWER };
static int next(int state, int event, long number)
{
    if (event == ASK)
        return ASKED;
#if PART == 8
    if (state != ASKED)
        return SENNIT_REFUSED;
#endif
    return number ? ASKED : IDLE;
}
SENNIT_MONITOR(answered, "each question is answered", next, ASKED);
static void *ask(void *unused)
{
    sennit_tell(&answered, ASK, 0);
    return unused;
}
static void *answer(void *unused)
{
    sennit_tell(&answered, ANSWER, 0);
    return unused;
}
int main(void)
{
    start(ask, 0), start(answer, 0);
    join_all();
#ifdef FIXED
    answer(NULL);
#endif
}
#elif PART == 10
sennit_always(even, a != 3);
static void *add(void *value)
{
    atomic_fetch_add(&a, (int)(long)value);
    return NULL;
}
int main(void) { start(add, 3), start(add, 1); join_all(); }
#else
sennit_always(small, atomic_load_explicit(&a, memory_order_relaxed) < 2);
static void *set_relaxed(void *unused)
{
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    return unused;
}
int main(void) { start(set_relaxed, 0); join_all(); }
#endif
