/* api_tracked.c - floating point for the tracked versions of library functions (src/tracked) */
#include "rt/abi/tracked_hooks.h"
#include "rt/detect/bug.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/libc/api_libc.h"

/* `length` bytes and the final zero are about to be written, as far as there is room. */
static char *prepare(char *to, size_t room, int length)
{
    size_t written = length < 0 ? 0 : (size_t)length + 1 < room ? (size_t)length + 1 : room;
    if (written) {
        plain_write(address_of(to), written);
        shadow_memory_clear(address_of(to), written);
    }
    return to;
}

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

/* Of a long double 10 bytes are significant; the others keep their values. */
static size_t convert_float(const char *text, size_t size, void *value, char **end)
{
    if (size == sizeof(float)) {
        float number = strtof(text, end);
        memcpy(value, &number, sizeof number);
        return sizeof number;
    }
    if (size == sizeof(double)) {
        double number = strtod(text, end);
        memcpy(value, &number, sizeof number);
        return sizeof number;
    }
    long double number = strtold(text, end);
    memcpy(value, &number, 10);
    return 10;
}

bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size)
{
    uint8_t value[sizeof(long double)];
    char *end;
    if (tracking.on)
        concretise_memory(address_of(text), length, "floating point");
    size_t written = convert_float(text, size, value, &end);
    if (end != text && to) {
        plain_write(address_of(to), written);
        memcpy(to, value, written);
        shadow_memory_overwritten(to, written);
    }
    return end != text;
}

_Noreturn void sennit_rt_scan_refuse(const char *what) { report_not_modelled(what); }
