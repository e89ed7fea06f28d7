/* real.c - see real.h */
#include "rt/io/real.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/runtime.h"
#include "rt/sync/plain.h"

/* Room of ours for what is read; NULL outside executions, or if there is no memory for it. */
static void *room_for(size_t size) { return rt.self ? malloc(size ? size : 1) : NULL; }

static void deliver(void *to, const void *bytes, size_t size)
{
    plain_write(address_of(to), size);
    memcpy(to, bytes, size);
    shadow_memory_overwritten(to, size);
}

ssize_t real_read(int descriptor, void *to, size_t size)
{
    void *room = room_for(size);
    if (!room)
        return read(descriptor, to, size);
    ssize_t count = read(descriptor, room, size);
    if (count > 0)
        deliver(to, room, (size_t)count);
    free(room);
    return count;
}

ssize_t real_pread(int descriptor, void *to, size_t size, off_t offset)
{
    void *room = room_for(size);
    if (!room)
        return pread(descriptor, to, size, offset);
    ssize_t count = pread(descriptor, room, size, offset);
    if (count > 0)
        deliver(to, room, (size_t)count);
    free(room);
    return count;
}

size_t real_fread(void *to, size_t size, size_t count, FILE *stream)
{
    void *room = size && count <= SIZE_MAX / size ? room_for(size * count) : NULL;
    if (!room)
        return fread(to, size, count, stream);
    size_t bytes = fread(room, 1, size * count, stream);
    if (bytes)
        deliver(to, room, bytes);
    free(room);
    return bytes / size;
}

/* A line may contain zeros: what is behind the text shows how much was read. */
static size_t length_of_line(const char *room, size_t size)
{
    size_t end = size;
    while (end > 0 && room[end - 1])
        end--;
    return end;
}

char *real_fgets(char *text, int size, FILE *stream)
{
    char *room = size > 0 ? room_for((size_t)size) : NULL;
    if (!room)
        return fgets(text, size, stream);
    memset(room, 1, (size_t)size);
    bool good = fgets(room, size, stream) != NULL;
    if (good)
        deliver(text, room, length_of_line(room, (size_t)size));
    free(room);
    return good ? text : NULL;
}

/* The linker warns about calls of the original. */
char *real_gets(char *text)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, stdin);
    if (length > 0) {
        length -= line[length - 1] == '\n';
        line[length] = 0;
        deliver(text, line, (size_t)length + 1);
    }
    free(line);
    return length < 0 ? NULL : text;
}
