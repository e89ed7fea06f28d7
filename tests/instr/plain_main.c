/* plain_main.c - runs an instrumented program as an ordinary one (src/inert) */
#include <stdlib.h>

#include "rt/abi/hooks.h"

extern char **environ;

int main(int argc, char **argv)
{
    exit(sennit_user_main(argc, argv, environ));
}
