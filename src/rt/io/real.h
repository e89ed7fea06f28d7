/* real.h - reading from real files into memory of the program
 *
 * How much a call reads is known only when it has read. So it reads into memory of ours; what the program gets is
 * announced like a write of its own, and only then copied.
 */
#ifndef RT_IO_REAL_H
#define RT_IO_REAL_H

#include <stdio.h>
#include <sys/types.h>

ssize_t real_read(int descriptor, void *to, size_t size);
ssize_t real_pread(int descriptor, void *to, size_t size, off_t offset);
size_t real_fread(void *to, size_t size, size_t count, FILE *stream);
char *real_fgets(char *text, int size, FILE *stream);
char *real_gets(char *text);

#endif
