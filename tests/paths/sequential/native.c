/* native.c - runs the programs of a batch as a plain compiler makes them, on every input
 *
 *     native NUMBER LOW:SIZE ...    domains of the inputs of program NUMBER
 *
 * A line per combination: inputs, what became of it, the path, the sum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int at, given[8], used;
static uint64_t path = 1;

int noted(int number, int holds);
void told(unsigned sum);
void failed(void);
void run_program(int number);
void __sanitizer_set_death_callback(void (*callback)(void));

int noted(int number, int holds)
{
    path = (path ^ (uint64_t)(2 * number + holds)) * 0x9e3779b97f4a7c15ull;
    path ^= path >> 29;
    return holds;
}

void told(unsigned sum)
{
    printf("\nEND sum %u %llx\n", sum, (unsigned long long)path);
    fflush(stdout);
}

void failed(void)
{
    printf("\nEND assertion %d %llx\n", at, (unsigned long long)path);
    fflush(stdout);
    _exit(0);
}

/* A sanitizer has said what is wrong; this is where. */
static void die(void)
{
    printf("\nEND fault %d %llx\n", at, (unsigned long long)path);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    int low[8] = {0}, size[8] = {0}, number = atoi(argv[1]);
    long all = 1;
    for (int i = 2; i < argc; i++) {
        sscanf(argv[i], "%d:%d", &low[i - 2], &size[i - 2]);
        all *= size[i - 2];
    }
    dup2(1, 2);
    __sanitizer_set_death_callback(die);
    for (long k = 0; k < all; k++) {
        long rest = k;
        for (int i = argc - 3; i >= 0; i--) {
            given[i] = low[i] + (int)(rest % size[i]);
            rest /= size[i];
        }
        printf("\nBEGIN");
        for (int i = 0; i < argc - 2; i++)
            printf(" %d", given[i]);
        printf("\n");
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            run_program(number);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    return 0;
}
