/* api_scan.c - scanf of files, for plain code and for the tracked version (tracked/scan.c) */
#include <stdarg.h>
#include <stdio.h>

#include "rt/abi/tracked_hooks.h"
#include "rt/detect/bug.h"
#include "rt/io/input_file.h"
#include "rt/libc/api_libc.h"

int sennit_rt_scan_real(FILE *stream, const char *format, va_list args)
{
    if (input_file_of_stream(stream))
        report_not_modelled("scanf of a file that is an input (--sym-stdin, --sym-file), in untracked code");
    return vfscanf(stream, format, args);
}

#define SCANNER(function, parameter, stream)                         \
    int sennit_rt_##function(parameter const char *format, ...)      \
    {                                                                \
        va_list args;                                                \
        va_start(args, format);                                      \
        int count = sennit_rt_scan_real(stream, format, args);       \
        va_end(args);                                                \
        return count;                                                \
    }
#define NO_PARAMETER
#define STREAM FILE *stream,
SCANNER(scanf, NO_PARAMETER, stdin)
SCANNER(__isoc99_scanf, NO_PARAMETER, stdin)
SCANNER(__isoc23_scanf, NO_PARAMETER, stdin)
SCANNER(fscanf, STREAM, stream)
SCANNER(__isoc99_fscanf, STREAM, stream)
SCANNER(__isoc23_fscanf, STREAM, stream)

bool sennit_rt_scan_begin(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file)
        input_file_hold(file);
    return file != NULL;
}

void sennit_rt_scan_end(FILE *stream) { input_file_release(input_file_of_stream(stream)); }

void sennit_rt_scan_back(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file->last_pushed == NOTHING)
        file->position--;
    else
        file->pushed_back = file->last_pushed;
}
