/* scan_source.c - the characters of a string or a file, for scanf */
#include <errno.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/scan_internal.h"

int sennit_scan_take(Source *in)
{
    if (in->last == EOF) {
        errno = in->error;
        return EOF;
    }
    if (in->stream)
        in->last = in->is_input ? getc(in->stream) : sennit_rt_scan_get(in->stream);
    else if (*in->text)
        in->last = *in->text++;
    else
        in->last = EOF;
    if (in->last == EOF)
        in->error = errno;
    else
        in->taken++;
    return in->last;
}

void sennit_scan_put_back(Source *in)
{
    if (in->last == EOF)
        return;
    in->taken--;
    if (in->stream && in->is_input)
        sennit_rt_scan_back(in->stream, EOF); /* a symbolic character would be pinned */
    else if (in->stream)
        sennit_rt_scan_back(in->stream, in->last);
    else
        in->text--;
}
