/* api_tracked.c - what the library's code that is followed (src/tracked) asks of the runtime */
#include "rt/api_libc.h"
#include "rt/tracking.h"

int sennit_rt_format_float(char *to, size_t room, const char *format, int width, int precision, double value);
int sennit_rt_format_long_float(char *to, size_t room, const char *format, int width, int precision, long double value);

/* Memory gets `length` bytes and the end of the string, as far as there is room. */
static char *prepare(char *to, size_t room, int length)
{
    size_t written = length < 0 ? 0 : (size_t)length + 1 < room ? (size_t)length + 1 : room;
    if (written) {
        plain_write(address_of(to), written);
        shadow_memory_clear(address_of(to), written);
    }
    return to;
}

/* One conversion of floating point; `format` takes width, precision and the value. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
int sennit_rt_format_float(char *to, size_t room, const char *format, int width, int precision, double value)
{
    int length = snprintf(NULL, 0, format, width, precision, value);
    return snprintf(prepare(to, room, length), room, format, width, precision, value);
}

int sennit_rt_format_long_float(char *to, size_t room, const char *format, int width, int precision, long double value)
{
    int length = snprintf(NULL, 0, format, width, precision, value);
    return snprintf(prepare(to, room, length), room, format, width, precision, value);
}
#pragma GCC diagnostic pop
