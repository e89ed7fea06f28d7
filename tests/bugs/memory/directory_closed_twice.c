// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Closes a directory twice.
#include <dirent.h>

int main(void)
{
    DIR *directory = opendir("/"); // BUG
    if (!readdir(directory))
        return 1;
    closedir(directory); // BUG
#ifndef FIXED
    closedir(directory); // BUG
#endif
    return 0;
}
