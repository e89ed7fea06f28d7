/* tracked_hooks.h - what the tracked versions of library functions (src/tracked) call in the runtime
 *
 * They are instrumented code, so the report of what happens here has the place of their caller.
 */
#ifndef RT_ABI_TRACKED_HOOKS_H
#define RT_ABI_TRACKED_HOOKS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- floating point, which has no expressions ---------------------------------------------- */

/* One conversion of snprintf; `format` takes width, precision and the value. */
int sennit_rt_format_float(char *to, size_t room, const char *format, int width, int precision, double value);
int sennit_rt_format_long_float(char *to, size_t room, const char *format, int width, int precision, long double value);
/* Stores the number that the text denotes as a float of `size` bytes, unless `to` is NULL; false if the text is no
 * number. The text, which ends with a zero behind its `length` characters, is concretised. */
bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size);

/* -- scanf --------------------------------------------------------------------------------- */

/* A call of scanf begins, one that reads a file; is it an input? Only the calling thread may use it until scan_end. */
bool sennit_rt_scan_begin(FILE *stream);
void sennit_rt_scan_end(FILE *stream);
/* Between the two: the next character of a file that is no input. */
int sennit_rt_scan_get(FILE *stream);
/* Between the two: takes back the character that was read last; `c` is that character if the file is no input. */
void sennit_rt_scan_back(FILE *stream, int c);
/* Ends the run: `what` is not supported. */
_Noreturn void sennit_rt_scan_refuse(const char *what);

/* -- strtok -------------------------------------------------------------------------------- */

/* Where strtok(text, ...) keeps the rest of the text that it has not read; NULL there at the start of an execution.
 * The crash of a call without a text that has nothing to continue is reported. */
char **sennit_rt_strtok_rest(const char *text);

/* -- getopt -------------------------------------------------------------------------------- */

/* The state between calls; the arguments from `first` to `last` are no options and were skipped. */
typedef struct SennitGetopt {
    bool begun;
    int order;
    const char *next; /* next letter of an argument with several; NULL: none */
    int first, last;
    int wrong;        /* the value of optopt after every call */
} SennitGetopt;

/* That of the node that calls; NULL: the program is no cluster. */
SennitGetopt *sennit_rt_getopt_state(void);

#endif
