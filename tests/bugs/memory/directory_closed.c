// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Uses an entry of a directory after closedir.
#include <dirent.h>

int main(void)
{
    DIR *directory = opendir("/"); // (BUG)
    struct dirent *entry = readdir(directory); // BUG
#ifdef FIXED
    char first = entry->d_name[0];
    closedir(directory);
#else
    closedir(directory); // BUG
    char first = entry->d_name[0]; // BUG
#endif
    return first == 0;
}
