/* files.h - arguments, standard input and files that are inputs (--sym-args, --sym-stdin, --sym-file)
 *
 * A program can so be explored without a word in its source. Such a file is read only and has
 * exactly as many bytes as the option says; each byte is an input.
 */
#ifndef RT_LIBC_FILES_H
#define RT_LIBC_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Before the first fork. */
void files_init(void);

/* At the start of an execution, in main: the arguments to call the program with. */
void files_begin(int *argc, char ***argv);

/* Is the stream one of these? */
bool files_has(FILE *stream);
/* Of such a stream: getdelim. */
ssize_t files_getdelim(char **line, size_t *size, int delimiter, FILE *stream);

#endif
