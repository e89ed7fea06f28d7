/* foreign.c - compiled without instrumentation: its counter is not restored */
static int calls;
int calls_so_far(void) { return ++calls; }
