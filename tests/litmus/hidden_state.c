/* hidden_state.c - state that the C library keeps between calls: calls that conflict have every order, others one
 *
 * litmus: -DPART=0 -> executions 4 bugs assertion
 * litmus: -DPART=1 -> executions 2 bugs assertion
 * litmus: -DPART=2 -> executions 1
 * litmus: -DPART=3 -> executions 3 bugs assertion,data-race
 * litmus: -DPART=4 -> executions 6 bugs assertion
 * litmus: -DPART=5 -> executions 1 bugs data-race
 * litmus: -DPART=6 -> executions 2 bugs assertion
 * litmus: -DPART=7 -> executions 3 bugs assertion,data-race
 * litmus: -DPART=8 -> executions 2 bugs data-race
 * litmus: -DPART=9 -> executions 2 bugs assertion
 * litmus: -DPART=10 -> executions 2
 * litmus: -DPART=11 -> executions 2 bugs data-race
 * litmus: -DPART=12 -> executions 1 verdict any bugs crash
 * litmus: -DPART=13 -> executions 2
 * litmus: -DPART=14 -> executions 3 bugs assertion
 * litmus: -DPART=15 -> executions 1
 *
 * 0: two numbers of main and one of another thread. 1: setenv and getenv. 2: two threads only look at the environment.
 * 3: strtok. 4: three threads set a variable. 5: reading a result of gmtime, while another thread gets the next one.
 * 6: umask. 7: drand48. 8: a table of hsearch. 9: which exit handler comes first. 10: everything is as in the first
 * execution (two executions, by a choice). 11: getopt. 12: strtok that has nothing to continue. 13: a text of the
 * environment is changed in place,
 * and is as before in the next execution. 14: main sets the name of a thread that sets and looks at its own. 15:
 * threads
 * have names of their own.
 */
#define _GNU_SOURCE
#include <search.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "litmus.h"

static int first, order;

static void *take_random(void *unused)
{
    rand();
    return unused;
}

static void *set_variable(void *value)
{
    setenv("HIDDEN", value ? "1" : "0", 1);
    return NULL;
}

static void *look(void *unused)
{
    assert(!getenv("HIDDEN"));
    return unused;
}

static void *split(void *unused)
{
    static char text[] = "x y";
    strtok(text, " ");
    return unused;
}

static void *get_time(void *unused)
{
    time_t day = 86400;
    gmtime(&day);
    return unused;
}

static void *set_mask(void *unused)
{
    umask(077);
    return unused;
}

static void *take_random48(void *unused)
{
    drand48();
    return unused;
}

static void *enter(void *unused)
{
    hsearch((ENTRY){.key = (char *)"k", .data = NULL}, ENTER);
    return unused;
}

static void handle_first(void) { order = 10 * order + 1; }
static void handle_second(void) { order = 10 * order + 2; }
static void compare(void) { assert(order == 12 || !order); }

static void *add_handler(void *unused)
{
    atexit(handle_first);
    return unused;
}

static void *get_option(void *unused)
{
    char *arguments[] = {(char *)"p", (char *)"-a", NULL};
    getopt(2, arguments, "a");
    return unused;
}

static void *name_itself(void *others)
{
    char name[16];
    pthread_setname_np(pthread_self(), "own");
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(others || strcmp(name, "own") == 0);
    return others;
}

static void change_everything(void)
{
    static char text[] = "a b";
    assert(!getenv("HIDDEN") && umask(022) == umask(022));
    assert(hcreate(4) && !hsearch((ENTRY){.key = (char *)"k", .data = NULL}, FIND));
    hsearch((ENTRY){.key = (char *)"k", .data = NULL}, ENTER);
    strtok(text, " ");
    setenv("HIDDEN", "1", 1);
    rand();
    umask(0);
}

int main(void)
{
    char text[] = "a b";
    time_t zero = 0;
    switch (PART) {
    case 0:
        first = rand();
        start(take_random, 0);
        assert(rand() != first);
        srand(1);
        assert(rand() == first);
        break;
    case 1:
        start(set_variable, 0);
        look(NULL);
        break;
    case 2:
        start(look, 0);
        look(NULL);
        break;
    case 3:
        start(split, 0);
        strtok(text, " ");
        assert(*strtok(NULL, " ") == 'b');
        break;
    case 4:
        setenv("HIDDEN", "0", 1);
        for (int i = 0; i < 3; i++)
            start(set_variable, i == 0);
        join_all();
        assert(strcmp(getenv("HIDDEN"), "0") == 0);
        break;
    case 5: {
        const struct tm *result = gmtime(&zero);
        start(get_time, 0);
        assert(result->tm_hour == 0);
        break;
    }
    case 6:
        umask(022);
        start(set_mask, 0);
        assert(umask(022) == 022);
        break;
    case 7:
        srand48(1);
        drand48();
        start(take_random48, 0);
        srand48(1);
        first = (int)(100 * drand48());
        assert(first == 4);
        break;
    case 8:
        hcreate(4);
        start(enter, 0);
        hsearch((ENTRY){.key = (char *)"k", .data = NULL}, FIND);
        break;
    case 9:
        atexit(compare);
        start(add_handler, 0);
        atexit(handle_second);
        break;
    case 10:
        change_everything();
        if (sennit_choose(2))
            order = 1;
        break;
    case 11:
        start(get_option, 0);
        get_option(NULL);
        break;
    case 12:
        strtok(NULL, " ");
        break;
    case 14:
        start(name_itself, 0);
        pthread_setname_np(thread_ids[0], "other");
        break;
    case 15:
        start(name_itself, 1);
        start(name_itself, 1);
        break;
    default:
        assert(*getenv("PATH") != '!');
        *getenv("PATH") = '!';
        if (sennit_choose(2))
            order = 1;
    }
    join_all();
    return 0;
}
