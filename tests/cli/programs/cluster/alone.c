/* alone.c - what a process has for itself: numbers, environment, options, exit handlers, hidden state, descriptors */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int value, handled, built;
static __thread int local;

__attribute__((constructor)) static void build(void) { built = getenv("NAME") != NULL; }
__attribute__((destructor)) static void destroy(void) { assert(handled == 1 && value == 3); }
static void at_end(void) { handled++; }

int main(int argc, char **argv)
{
    int option, letters = 0, pair[2];
    char text[] = "a b";
    const char *name = getenv("NAME");
    assert(name && built && !getenv("HOME") && argc > 1);
    setenv("NAME", "changed", 1);
    atexit(at_end);
    srand((unsigned)name[0]);
    int drawn = rand();
    char *word = strtok(text, " ");
    signal(SIGPIPE, name[0] == 'a' ? SIG_IGN : SIG_DFL);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pair[0] == 3 && pair[1] == 4);
    while ((option = getopt(argc, argv, "xyz")) != -1) {
        letters += option;
        assert(write(pair[0], &letters, 1) == 1); /* other nodes continue here */
    }
    assert(letters == atoi(argv[optind]));
    for (int i = 0; i < 3; i++, value++, local++)
        assert(i >= argc - 2 || read(pair[1], &option, 1) == 1);
    assert(value == 3 && local == 3 && strcmp(word, "a") == 0 && strcmp(strtok(NULL, " "), "b") == 0);
    srand((unsigned)name[0]);
    assert(rand() == drawn && strcmp(getenv("NAME"), "changed") == 0);
    assert(getpid() == gettid());
    close(pair[1]);
    assert(name[0] != 'a' || write(pair[0], "x", 1) < 0);
    return 0;
}
