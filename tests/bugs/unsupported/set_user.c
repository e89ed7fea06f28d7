// not modelled: setuid
// The process that explores would get another user.
#include <unistd.h>

int main(void)
{
    return setuid(getuid()); // HERE
}
