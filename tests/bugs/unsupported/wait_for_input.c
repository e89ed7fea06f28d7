// not modelled: poll or select that waits for a descriptor of the system
// The scheduler would take the wait for a thread that computes forever.
#include <poll.h>
#include <unistd.h>

int main(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = 0};
    return poll(&output, 1, -1); // HERE
}
