/* api_file.h - opening and listing files by their names, for functions that do it in other ways */
#ifndef RT_IO_API_FILE_H
#define RT_IO_API_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* As openat: a descriptor of the program, or -1 and errno. */
int file_open(int directory, const char *path, int flags, mode_t mode);
/* A directory is about to be listed: its resolved name. False, with errno: there is none. */
bool file_list(const char *path, char name[PATH_MAX]);

struct flock;
/* As fcntl with F_GETLK, F_SETLK or F_SETLKW. These locks belong to the process: they exclude other processes only, and
 * what they answer does not depend on the schedule. */
int file_lock_control(int descriptor, int command, struct flock *lock);

#endif
