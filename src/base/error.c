/* error.c - see error.h */
#include "base/error.h"

#include <stdio.h>

bool error_set(Error *error, ExitCode code, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->code = code;
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return false;
}
