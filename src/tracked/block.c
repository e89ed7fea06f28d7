/* block.c - blocks of memory, for calls through pointers and with the compiler's checks
 *
 * Calls by name do not need them: there the modelled functions of the runtime copy, and shadows too.
 */
#include <string.h>

#include "tracked/tracked.h"

void *sennit_tracked_memcpy(void *to, const void *from, size_t size) { return memcpy(to, from, size); }
void *sennit_tracked_memmove(void *to, const void *from, size_t size) { return memmove(to, from, size); }
void *sennit_tracked_mempcpy(void *to, const void *from, size_t size) { return (char *)memcpy(to, from, size) + size; }
void *sennit_tracked_memset(void *to, int byte, size_t size) { return memset(to, byte, size); }
void sennit_tracked_bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }
void sennit_tracked_bzero(void *to, size_t size) { memset(to, 0, size); }
void sennit_tracked_explicit_bzero(void *to, size_t size) { memset(to, 0, size); }

/* ---- With the size of the object ---------------------------------------------------------- */

/* The modelled functions; they report an overrun. */
extern char *__strcpy_chk(char *to, const char *from, size_t room);
extern char *__stpcpy_chk(char *to, const char *from, size_t room);
extern char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
extern char *__strcat_chk(char *to, const char *from, size_t room);
extern char *__strncat_chk(char *to, const char *from, size_t size, size_t room);

char *sennit_tracked___strcpy_chk(char *to, const char *from, size_t room)
{
    return sennit_tracked_strlen(from) < room ? sennit_tracked_strcpy(to, from) : __strcpy_chk(to, from, room);
}

char *sennit_tracked___stpcpy_chk(char *to, const char *from, size_t room)
{
    return sennit_tracked_strlen(from) < room ? sennit_tracked_stpcpy(to, from) : __stpcpy_chk(to, from, room);
}

char *sennit_tracked___strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
    return size <= room ? sennit_tracked_strncpy(to, from, size) : __strncpy_chk(to, from, size, room);
}

char *sennit_tracked___strcat_chk(char *to, const char *from, size_t room)
{
    size_t length = sennit_tracked_strlen(to) + sennit_tracked_strlen(from);
    return length < room ? sennit_tracked_strcat(to, from) : __strcat_chk(to, from, room);
}

char *sennit_tracked___strncat_chk(char *to, const char *from, size_t size, size_t room)
{
    size_t length = sennit_tracked_strlen(to) + sennit_tracked_strnlen(from, size);
    return length < room ? sennit_tracked_strncat(to, from, size) : __strncat_chk(to, from, size, room);
}
