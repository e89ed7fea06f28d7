// bug: assertion
// fixed: exhaustive
// executions: 1
// When the program ends, exit handlers run, the newest first, those of constructors last; then
// destructors, large numbers first. All of it belongs to every execution.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char order[16];

static void add(char c) { order[strlen(order)] = c; }

static void of_constructor(void) { add('c'); }
static void of_main(void) { add('m'); }

__attribute__((constructor)) static void before_main(void) { atexit(of_constructor); }

__attribute__((destructor)) static void first(void) { add('1'); }
__attribute__((destructor)) static void second(void) { add('2'); }
__attribute__((destructor(300))) static void third(void) { add('3'); }

__attribute__((destructor(200))) static void last(void)
{
#ifdef FIXED
    assert(strcmp(order, "mc213") == 0);
#else
    assert(strcmp(order, "mc213") != 0); // BUG
#endif
}

int main(void)
{
    atexit(of_main);
    return 0;
}
