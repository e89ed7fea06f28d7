/* hidden_record.c - appends the outcome of an execution to a real file; not instrumented */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void record(const char *outcome)
{
    int file = open(getenv("OUTCOMES"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (file < 0 || write(file, outcome, strlen(outcome)) < 0 || close(file) != 0)
        abort();
}
