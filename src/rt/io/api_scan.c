/* api_scan.c - files for scanf (tracked/scan.c) */
#include <stdio.h>

#include "rt/abi/tracked_hooks.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/libc/api_libc.h"

bool sennit_rt_scan_begin(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file)
        input_file_hold(file);
    else
        stream_use(stream, OP_FILE_READ, MODE_WRITE);
    return file != NULL;
}

void sennit_rt_scan_end(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file)
        input_file_release(file);
}

int sennit_rt_scan_get(FILE *stream) { return fgetc(stream); }

void sennit_rt_scan_back(FILE *stream, int c)
{
    InputFile *file = input_file_of_stream(stream);
    if (!file)
        ungetc(c, stream);
    else if (file->last_pushed == NOTHING)
        file->position--;
    else
        file->pushed_back = file->last_pushed;
}
