#!/usr/bin/env python3
"""Calls of library functions: instrumented programs against plain ones, and with planted errors.

    library.py SENNIT CLANG SEED CALLS FAULTS RACES

Of each function of CASES below random calls are generated, CALLS in all. The program prints what they return and write.
Compiled with `sennit cc`, without inputs and with one (so that plain and tracked code are used), it must print what it
prints when compiled with clang, and Sennit must find no bug in it. Then FAULTS calls get a buffer that is one byte too
short (a text without its end) or has been freed, and RACES calls use a buffer that another thread accesses: each must be
reported, in plain and in tracked code. With --asan, the program with errors is also compiled with AddressSanitizer, and what it finds is counted.
`library.py --keep DIR ...` leaves the programs in DIR."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PRELUDE = r"""#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fenv.h>
#include <fnmatch.h>
#include <iconv.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#undef basename
extern char *basename(const char *);
void sennit_reached(const char *);
unsigned sennit_choose(unsigned) __attribute__((weak));
int sennit_int(const char *) __attribute__((weak));
static unsigned long sum;
static void mix(const void *p, size_t n) { for (size_t i = 0; i < n; i++) sum = sum * 31 + ((const unsigned char *)p)[i]; }
static void number(long v) { mix(&v, sizeof v); }
static void real(double v) { number((long)(v * 1000)); }
static void text(const char *s) { if (s) mix(s, strlen(s)); else number(-1); }
static void wide(const wchar_t *s) { if (s) mix(s, wcslen(s) * sizeof *s); else number(-1); }
static void sign(int v) { number(v < 0 ? -1 : v > 0); }
enum { GOOD, SHORT, FREED };
/* A block with these bytes; SHORT: without the last; FREED: freed. */
static void *block(const void *bytes, size_t n, int fault)
{
    size_t size = n - (fault == SHORT);
    char *p = malloc(size);
    if (bytes) memcpy(p, bytes, size); else memset(p, 7, size);
    if (fault == FREED) free(p);
    return p;
}
static void done(void *p, int fault) { if (fault != FREED) free(p); }
static int compare_r(const void *a, const void *b, void *c) { ++*(int *)c; return *(const int *)a - *(const int *)b; }
#define COMPARE(name) static int name(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
#define FORMAT(name) static int name(char *to, size_t n, const char *f, ...) \
    { va_list l; va_start(l, f); int r = vsnprintf(to, n, f, l); va_end(l); return r; }
#define SCAN(name) static int name(const char *s, const char *f, ...) \
    { va_list l; va_start(l, f); int r = vsscanf(s, f, l); va_end(l); return r; }
static const struct tm day = {.tm_sec = 7, .tm_min = 30, .tm_hour = 11, .tm_mday = 14, .tm_mon = 6, .tm_year = 95, .tm_wday = 5, .tm_yday = 194};
static const time_t moment = 805721407;
static FILE *file_with(const char *s) { static char room[256]; strcpy(room, s); return fmemopen(room, strlen(room), "r"); }
"""

# name, buffers, code, perhaps a macro that defines the function {f}_helper. A buffer: (letter, C type, initial bytes or "", size in bytes, faults). In initial bytes and code
# {w} is a word, {n} a number, {s} a short text, {i} a small integer; the same letter with a digit, another one.
# Faults: s one byte short, f freed; r: another thread writes it, R: another thread reads it.
T = "sfr"


def text_in(letter, bytes_, faults=T):
    return (letter, "char *", f'"{bytes_}"', f'sizeof "{bytes_}"', faults)


def wide_in(letter, chars, faults=T):
    return (letter, "wchar_t *", f'L"{chars}"', f'sizeof L"{chars}"', faults)


def out(letter, kind, size, faults="sfR"):
    return (letter, kind, "", size, faults)


def data(letter, kind, name, faults=T):
    return (letter, f"{kind} *", f"&{name}", f"sizeof {name}", faults)


def ints(letter, faults=T):
    return (letter, "int *", "((const int[]){5, 3, {i}, 9, {i2}, 1})", "24", faults)


CASES = [
    # strings
    ("strlen", [text_in("a", "{s}")], "number((long)strlen(a));"),
    ("strnlen", [text_in("a", "{w}", "fr")], "number((long)strnlen(a, {i}));"),
    ("strcpy", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "text(strcpy(b, a));"),
    ("stpcpy", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "number(stpcpy(b, a) - b);"),
    ("strncpy", [text_in("a", "{w}"), out("b", "char *", "20")], "mix(strncpy(b, a, 20), 20);"),
    ("stpncpy", [text_in("a", "{w}"), out("b", "char *", "20")], "number(stpncpy(b, a, 20) - b); mix(b, 20);"),
    ("strcat", [text_in("a", "{s}"), ("b", "char *", '"{w}" "{s}"', 'sizeof "{w}" "{s}"', "sfr")],
     "b[strlen(\"{w}\")] = 0; text(strcat(b, a));"),
    ("strncat", [text_in("a", "{s}", "fr"), ("b", "char *", '"{w}1234"', 'sizeof "{w}123"', "sfr")],
     "b[strlen(\"{w}\")] = 0; text(strncat(b, a, 3));"),
    ("strcmp", [text_in("a", "{w}"), text_in("b", "{w}")], "sign(strcmp(a, b));"),
    ("strncmp", [text_in("a", "{w}"), text_in("b", "{w}")], "sign(strncmp(a, b, 30));"),
    ("strcasecmp", [text_in("a", "{w}"), text_in("b", "{w}")], "sign(strcasecmp(a, b));"),
    ("strncasecmp", [text_in("a", "{w}"), text_in("b", "{w}")], "sign(strncasecmp(a, b, 30));"),
    ("strcoll", [text_in("a", "{w}"), text_in("b", "{w2}")], "sign(strcoll(a, b));"),
    ("strverscmp", [text_in("a", "f{n}"), text_in("b", "f{n}")], "sign(strverscmp(a, b));"),
    ("strxfrm", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')],
     "number((long)strxfrm(b, a, 100)); text(b);"),
    ("strchr", [text_in("a", "{w}")], "text(strchr(a, 'Z'));"),
    ("strrchr", [text_in("a", "{s}")], "text(strrchr(a, 'a'));"),
    ("strchrnul", [text_in("a", "{w}")], "number(strchrnul(a, 'Z') - a);"),
    ("index", [text_in("a", "{w}")], "text(index(a, 'Z'));"),
    ("rindex", [text_in("a", "{s}")], "text(rindex(a, 'a'));"),
    ("strstr", [text_in("a", "{s}"), text_in("b", "{w2}Q")], "text(strstr(a, b));"),
    ("strcasestr", [text_in("a", "{w}"), text_in("b", "QZ", "fr")], "text(strcasestr(a, b));"),
    ("strspn", [text_in("a", "abcab"), text_in("b", "abc", "fr")], "number((long)strspn(a, b));"),
    ("strcspn", [text_in("a", "{w}"), text_in("b", "QZ")], "number((long)strcspn(a, b));"),
    ("strpbrk", [text_in("a", "{w}"), text_in("b", "QZ")], "text(strpbrk(a, b));"),
    ("strsep", [text_in("a", "{w}"), text_in("b", ",;", "fr")], "char *p = a; text(strsep(&p, b)); text(p);"),
    ("strtok_r", [text_in("a", "{w} {n}"), text_in("b", " ", "fr")], "char *p; text(strtok_r(a, b, &p)); text(strtok_r(NULL, b, &p));"),
    ("strdup", [text_in("a", "{s}")], "char *p = strdup(a); text(p); free(p);"),
    ("strndup", [text_in("a", "{w}", "fr")], "char *p = strndup(a, 3); text(p); free(p);"),
    # blocks
    ("memcpy", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "mix(memcpy(b, a, sizeof \"{s}\"), sizeof \"{s}\");"),
    ("memmove", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "mix(memmove(b, a, sizeof \"{s}\"), sizeof \"{s}\");"),
    ("mempcpy", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "number((char *)mempcpy(b, a, sizeof \"{s}\") - b);"),
    ("memset", [out("b", "char *", "{i} + 9")], "mix(memset(b, {i}, {i} + 9), {i} + 9);"),
    ("memcmp", [text_in("a", "{w}"), text_in("b", "{w}")], "sign(memcmp(a, b, sizeof \"{w}\"));"),
    ("memchr", [text_in("a", "{w}")], "text(memchr(a, 'Z', sizeof \"{w}\"));"),
    ("memrchr", [text_in("a", "{w}", "sf")], "number((char *)memrchr(a, 0, sizeof \"{w}\") - a);"),
    ("rawmemchr", [text_in("a", "{w}")], "number((char *)rawmemchr(a, 0) - a);"),
    ("memmem", [text_in("a", "{s}", "fr"), text_in("b", "QZ", "fr")], "number(memmem(a, sizeof \"{s}\", b, 3) != NULL);"),
    ("memccpy", [text_in("a", "{w}"), out("b", "char *", 'sizeof "{w}"')], "number((char *)memccpy(b, a, 0, 99) - b);"),
    ("swab", [text_in("a", "12345678{w}", "fr"), out("b", "char *", "8")], "swab(a, b, 8); mix(b, 8);"),
    ("bcopy", [text_in("a", "{w}"), out("b", "char *", 'sizeof "{w}"')], "bcopy(a, b, sizeof \"{w}\"); text(b);"),
    ("bzero", [out("b", "char *", "{i} + 1")], "bzero(b, {i} + 1); mix(b, {i} + 1);"),
    ("qsort", [ints("a")], "qsort(a, 6, 4, {f}_helper); mix(a, 24);", "COMPARE"),
    ("qsort_r", [ints("a")], "int c = 0; qsort_r(a, 6, 4, compare_r, &c); mix(a, 24);"),
    ("bsearch", [("a", "int *", "((const int[]){1, 3, 5, 7, 9})", "20", "f")], "int k = 5; number((int *)bsearch(&k, a, 5, 4, {f}_helper) - a);", "COMPARE"),
    ("lfind", [ints("a", "fr")], "int k = 9; size_t n = 6; number((int *)lfind(&k, a, &n, 4, {f}_helper) - a);", "COMPARE"),
    # numbers
    ("strtol", [text_in("a", " -{n}")], "char *e; number(strtol(a, &e, 10)); number(e - a);"),
    ("strtoul", [text_in("a", "{n}")], "number((long)strtoul(a, NULL, 16));"),
    ("strtoll", [text_in("a", "{n}")], "number(strtoll(a, NULL, 0));"),
    ("strtoull", [text_in("a", "+{n}")], "number((long)strtoull(a, NULL, 10));"),
    ("strtoimax", [text_in("a", "{n}")], "number(strtoimax(a, NULL, 10));"),
    ("strtod", [text_in("a", "{n}.25")], "char *e; real(strtod(a, &e)); number(e - a);"),
    ("strtof", [text_in("a", "{n}e-2")], "real(strtof(a, NULL));"),
    ("strtold", [text_in("a", "-{n}.5")], "real((double)strtold(a, NULL));"),
    ("atoi", [text_in("a", "{n}")], "number(atoi(a));"),
    ("atol", [text_in("a", "-{n}")], "number(atol(a));"),
    ("atoll", [text_in("a", "{n}")], "number(atoll(a));"),
    ("atof", [text_in("a", "{n}.125")], "real(atof(a));"),
    ("a64l", [text_in("a", "{w}")], "number(a64l(a));"),
    ("rand_r", [("a", "unsigned *", "((const unsigned[]){{i}})", "4", "sfr")], "number(rand_r(a)); mix(a, 4);"),
    ("erand48", [("a", "unsigned short *", "((const unsigned short[]){{i}, 2, 3})", "6", "sfr")], "real(erand48(a));"),
    ("nrand48", [("a", "unsigned short *", "((const unsigned short[]){{i}, 2, 3})", "6", "sfr")], "number(nrand48(a));"),
    ("modf", [out("b", "double *", "8")], "real(modf({n}.25, b)); real(*b);"),
    ("modff", [out("b", "float *", "4")], "real(modff({i}.5f, b)); real(*b);"),
    ("modfl", [out("b", "long double *", "16", "fR")], "real((double)modfl({i}.5L, b)); real((double)*b);"),
    ("frexp", [out("b", "int *", "4")], "real(frexp({n}, b)); number(*b);"),
    ("frexpl", [out("b", "int *", "4")], "real((double)frexpl({n}.0L, b)); number(*b);"),
    ("remquo", [out("b", "int *", "4")], "real(remquo({n}, 7, b));"),
    ("sincos", [out("a", "double *", "8"), out("b", "double *", "8")], "sincos({i}, a, b); real(*a); real(*b);"),
    ("lgamma_r", [out("b", "int *", "4")], "real(lgamma_r({i} + 0.5, b)); number(*b);"),
    ("gcvt", [out("b", "char *", "5")], "text(gcvt(1.25, 3, b));"),
    ("strfromd", [text_in("a", "%.3f", "fr"), out("b", "char *", "6")], "number(strfromd(b, 50, a, 1.25)); text(b);"),
    # formats
    ("snprintf", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "number(snprintf(b, 99, \"%s\", a)); text(b);"),
    ("sprintf", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}" + 2')], "number(sprintf(b, \"<%s>\", a)); text(b);"),
    ("sprintf_n", [out("b", "int *", "4")], "char s[99]; number(sprintf(s, \"{w}%n{w}\", b)); number(*b);"),
    ("sprintf_hhn", [out("b", "signed char *", "1", "sfR")], "char s[99]; number(sprintf(s, \"{w}%hhn{w}\", b)); number(*b);"),
    ("sprintf_format", [text_in("a", "{w}%d")], "char s[99]; number(sprintf(s, a, 7)); text(s);"),
    ("vsnprintf", [text_in("a", "{s}"), out("b", "char *", 'sizeof "{s}"')], "number({f}_helper(b, 99, \"%s\", a)); text(b);", "FORMAT"),
    ("asprintf", [text_in("a", "{s}")], "char *p; number(asprintf(&p, \"%5s\", a)); text(p); free(p);"),
    ("sscanf_d", [text_in("a", "{n}"), out("b", "int *", "4")], "number(sscanf(a, \"%d\", b)); number(*b);"),
    ("sscanf_s", [text_in("a", "{w} x", "fr"), out("b", "char *", 'sizeof "{w}"')], "number(sscanf(a, \"%s\", b)); text(b);"),
    ("sscanf_c", [text_in("a", "{w}", "fr"), out("b", "char *", "2")], "number(sscanf(a, \"%2c\", b)); mix(b, 2);"),
    ("sscanf_set", [text_in("a", "{w} x", "fr"), out("b", "char *", 'sizeof "{w}"')], "number(sscanf(a, \"%[^ ]\", b)); text(b);"),
    ("sscanf_lf", [text_in("a", "{n}.5"), out("b", "double *", "8")], "number(sscanf(a, \"%lf\", b)); real(*b);"),
    ("sscanf_n", [text_in("a", "{w}"), out("b", "short *", "2")], "number(sscanf(a, \"%*s%hn\", b)); number(*b);"),
    ("vsscanf", [text_in("a", "{n}"), out("b", "long *", "8")], "number({f}_helper(a, \"%ld\", b)); number(*b);", "SCAN"),
    # files
    ("fgets", [out("b", "char *", 'sizeof "{w}" + 1')], "FILE *f = file_with(\"{w}\\n{s}\"); text(fgets(b, 99, f)); fclose(f);"),
    ("fread", [out("b", "char *", "3")], "FILE *f = file_with(\"{w}{w}{w}\"); number((long)fread(b, 1, 3, f)); mix(b, 3); fclose(f);"),
    ("getline", [], "FILE *f = file_with(\"{w}\\n\"); char *p = NULL; size_t n = 0; number(getline(&p, &n, f)); text(p); free(p); fclose(f);"),
    ("fscanf", [out("b", "int *", "4")], "FILE *f = file_with(\"{n} {w}\"); number(fscanf(f, \"%d\", b)); number(*b); number(fgetc(f)); fclose(f);"),
    ("read", [out("b", "char *", "{i} + 1")], "int e[2]; if (pipe(e)) abort(); write(e[1], \"{s}\", {i} + 1); number(read(e[0], b, {i} + 1)); mix(b, {i} + 1); close(e[0]); close(e[1]);"),
    ("write", [text_in("a", "{w}")], "int e[2]; if (pipe(e)) abort(); number(write(e[1], a, sizeof \"{w}\")); close(e[0]); close(e[1]);"),
    # wide characters
    ("wcslen", [wide_in("a", "{s}")], "number((long)wcslen(a));"),
    ("wcsnlen", [wide_in("a", "{w}", "fr")], "number((long)wcsnlen(a, 2));"),
    ("wcscpy", [wide_in("a", "{s}"), out("b", "wchar_t *", 'sizeof L"{s}"')], "wide(wcscpy(b, a));"),
    ("wcpcpy", [wide_in("a", "{s}"), out("b", "wchar_t *", 'sizeof L"{s}"')], "number(wcpcpy(b, a) - b);"),
    ("wcsncpy", [wide_in("a", "{w}"), out("b", "wchar_t *", "80")], "mix(wcsncpy(b, a, 20), 80);"),
    ("wcscat", [wide_in("a", "{s}"), ("b", "wchar_t *", 'L"{w}" L"{s}"', 'sizeof L"{w}" L"{s}"', "sfr")], "b[wcslen(L\"{w}\")] = 0; wide(wcscat(b, a));"),
    ("wcsncat", [wide_in("a", "{w}", "fr"), ("b", "wchar_t *", 'L"{w}1"', 'sizeof L"{w}1"', "sfr")], "b[wcslen(L\"{w}\")] = 0; wide(wcsncat(b, a, 1));"),
    ("wcscmp", [wide_in("a", "{w}"), wide_in("b", "{w}")], "sign(wcscmp(a, b));"),
    ("wcsncmp", [wide_in("a", "{w}"), wide_in("b", "{w}")], "sign(wcsncmp(a, b, 30));"),
    ("wcscasecmp", [wide_in("a", "{w}"), wide_in("b", "{w}")], "sign(wcscasecmp(a, b));"),
    ("wcscoll", [wide_in("a", "{w}"), wide_in("b", "{w2}")], "sign(wcscoll(a, b));"),
    ("wcschr", [wide_in("a", "{w}")], "wide(wcschr(a, 'Z'));"),
    ("wcsrchr", [wide_in("a", "{w}")], "wide(wcsrchr(a, 'a'));"),
    ("wcsstr", [wide_in("a", "{w}"), wide_in("b", "QZ")], "wide(wcsstr(a, b));"),
    ("wcsspn", [wide_in("a", "{w}", "fr"), wide_in("b", "QZ")], "number((long)wcsspn(a, b));"),
    ("wcspbrk", [wide_in("a", "{w}"), wide_in("b", "QZ")], "wide(wcspbrk(a, b));"),
    ("wcstok", [wide_in("a", "{w} {n}"), wide_in("b", " ", "fr")], "wchar_t *p; wide(wcstok(a, b, &p)); wide(p);"),
    ("wcstol", [wide_in("a", "{n}")], "wchar_t *e; number(wcstol(a, &e, 10)); number(e - a);"),
    ("wcstod", [wide_in("a", "{n}.5")], "real(wcstod(a, NULL));"),
    ("wcstold", [wide_in("a", "{n}.5")], "real((double)wcstold(a, NULL));"),
    ("wmemcpy", [wide_in("a", "{w}"), out("b", "wchar_t *", 'sizeof L"{w}"')], "wide(wmemcpy(b, a, sizeof \"{w}\"));"),
    ("wmemset", [out("b", "wchar_t *", "20")], "mix(wmemset(b, 'x', 5), 20);"),
    ("wmemcmp", [wide_in("a", "{w}"), wide_in("b", "{w}")], "sign(wmemcmp(a, b, sizeof \"{w}\"));"),
    ("wmemchr", [wide_in("a", "{w}")], "number(wmemchr(a, 'Z', sizeof \"{w}\") != NULL);"),
    ("mbstowcs", [text_in("a", "{w}"), out("b", "wchar_t *", 'sizeof L"{w}"')], "number((long)mbstowcs(b, a, 99)); wide(b);"),
    ("wcstombs", [wide_in("a", "{w}"), out("b", "char *", 'sizeof "{w}"')], "number((long)wcstombs(b, a, 99)); text(b);"),
    ("mbsrtowcs", [text_in("a", "{w}"), out("b", "wchar_t *", 'sizeof L"{w}"')], "const char *p = a; mbstate_t s = {0}; number((long)mbsrtowcs(b, &p, 99, &s)); wide(b);"),
    ("mbrtowc", [text_in("a", "{w}", "fr"), out("b", "wchar_t *", "4")], "mbstate_t s = {0}; number((long)mbrtowc(b, a, 1, &s)); number(*b);"),
    ("mbtowc", [text_in("a", "{w}", "fr"), out("b", "wchar_t *", "4")], "number(mbtowc(b, a, 1)); number(*b);"),
    ("wcrtomb", [out("b", "char *", "1")], "mbstate_t s = {0}; number((long)wcrtomb(b, L'a', &s)); number(*b);"),
    ("wctomb", [out("b", "char *", "1")], "number(wctomb(b, L'a')); number(*b);"),
    ("wctype", [text_in("a", "alpha")], "number(iswctype(L'a', wctype(a)) != 0);"),
    ("iconv", [text_in("a", "{w}"), out("b", "char *", 'sizeof "{w}"')],
     "static iconv_t c; if (!c) c = iconv_open(\"UTF-8\", \"LATIN1\"); char *p = a, *q = b; size_t n = sizeof \"{w}\", m = 99; number((long)iconv(c, &p, &n, &q, &m)); number(q - b); text(b);"),
    # times
    ("gmtime_r", [data("a", "time_t", "moment"), out("b", "struct tm *", "sizeof(struct tm)")], "gmtime_r(a, b); number(b->tm_hour + b->tm_yday);"),
    ("localtime_r", [data("a", "time_t", "moment"), out("b", "struct tm *", "sizeof(struct tm)")], "localtime_r(a, b); number(b->tm_min);"),
    ("timegm", [data("a", "struct tm", "day")], "number(timegm(a));"),
    ("mktime", [data("a", "struct tm", "day")], "number(mktime(a) % 60);"),
    ("strftime", [data("a", "struct tm", "day"), text_in("c", "%Y-%m-%d {w}"), out("b", "char *", "11 + sizeof \"{w}\"")], "number((long)strftime(b, 99, c, a)); text(b);"),
    ("wcsftime", [data("a", "struct tm", "day"), wide_in("c", "%H:%M"), out("b", "wchar_t *", "24")], "number((long)wcsftime(b, 99, c, a)); wide(b);"),
    ("strptime", [text_in("a", "1995-07-14"), out("b", "struct tm *", "sizeof(struct tm)")], "memset(b, 0, sizeof *b); text(strptime(a, \"%Y-%m-%d\", b)); number(b->tm_year);"),
    ("asctime_r", [data("a", "struct tm", "day"), out("b", "char *", "26")], "text(asctime_r(a, b));"),
    ("ctime_r", [data("a", "time_t", "moment"), out("b", "char *", "26")], "number(ctime_r(a, b) != NULL);"),
    ("nanosleep", [("a", "struct timespec *", "(&(const struct timespec){0, 10})", "16", "sfr")], "number(nanosleep(a, NULL));"),
    ("clock_gettime", [out("b", "struct timespec *", "16")], "number(clock_gettime(CLOCK_REALTIME, b));"),
    ("clock_getres", [out("b", "struct timespec *", "16")], "number(clock_getres(CLOCK_REALTIME, b));"),
    # others
    ("regcomp", [text_in("a", "^{w}$")], "regex_t r; number(regcomp(&r, a, 0)); regfree(&r);"),
    ("regexec", [text_in("a", "{w}"), out("b", "regmatch_t *", "sizeof(regmatch_t)")], "regex_t r; regcomp(&r, \"a*\", 0); number(regexec(&r, a, 1, b, 0)); number(b->rm_eo); regfree(&r);"),
    ("fnmatch", [text_in("a", "*{w}"), text_in("b", "{w}")], "number(fnmatch(a, b, 0));"),
    ("basename", [text_in("a", "x/{w}")], "text(basename(a));"),
    ("dirname", [text_in("a", "x/{w}")], "text(dirname(a));"),
    ("inet_addr", [text_in("a", "10.0.0.{i}")], "number(inet_addr(a));"),
    ("inet_aton", [text_in("a", "10.0.0.{i}"), out("b", "struct in_addr *", "4")], "number(inet_aton(a, b)); mix(b, 4);"),
    ("inet_pton", [text_in("a", "10.0.0.{i}"), out("b", "struct in_addr *", "4")], "number(inet_pton(AF_INET, a, b)); mix(b, 4);"),
    ("inet_ntop", [("a", "char *", '"\\x01\\x02\\x03{i}"', "4", "sfr"), out("b", "char *", "9")], "number(inet_ntop(AF_INET, a, b, 99) != NULL); text(b);"),
    ("sigaddset", [("a", "sigset_t *", "(&(const sigset_t){0})", "sizeof(sigset_t)", "fr")], "number(sigaddset(a, SIGHUP)); number(sigismember(a, SIGHUP));"),
    ("sigemptyset", [out("b", "sigset_t *", "sizeof(sigset_t)", "fR")], "number(sigemptyset(b));"),
    ("confstr", [out("b", "char *", "confstr(_CS_PATH, NULL, 0)")], "number((long)confstr(_CS_PATH, b, 999)); text(b);"),
    ("getcwd", [out("b", "char *", "strlen(getcwd((char[999]){0}, 999)) + 1")], "text(getcwd(b, 999));"),
    ("pthread_attr_init", [out("b", "pthread_attr_t *", "sizeof(pthread_attr_t)", "fR")], "number(pthread_attr_init(b)); pthread_attr_destroy(b);"),
    ("pthread_attr_getstacksize", [out("b", "size_t *", "8")], "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 65536); number(pthread_attr_getstacksize(&a, b)); number((long)*b);"),
    ("fegetenv", [out("b", "fenv_t *", "sizeof(fenv_t)", "fR")], "number(fegetenv(b));"),
    # modelled functions
    ("time", [out("b", "time_t *", "8")], "number(time(b) > 0);"),
    ("gettimeofday", [out("b", "struct timeval *", "16")], "number(gettimeofday(b, NULL));"),
    ("timespec_get", [out("b", "struct timespec *", "16")], "number(timespec_get(b, TIME_UTC));"),
    ("clock_nanosleep", [("a", "struct timespec *", "(&(const struct timespec){0, 10})", "16", "sfr")], "number(clock_nanosleep(CLOCK_MONOTONIC, 0, a, NULL));"),
    ("sem_timedwait", [("a", "struct timespec *", "(&(const struct timespec){9, 0})", "16", "sfr")], "sem_t s; sem_init(&s, 0, 1); number(sem_timedwait(&s, a)); sem_destroy(&s);"),
    ("sem_getvalue", [out("b", "int *", "4")], "sem_t s; sem_init(&s, 0, 3); number(sem_getvalue(&s, b)); number(*b); sem_destroy(&s);"),
    ("pthread_mutex_timedlock", [("a", "struct timespec *", "(&(const struct timespec){9, 0})", "16", "sfr")], "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; number(pthread_mutex_timedlock(&m, a)); pthread_mutex_unlock(&m);"),
    ("pthread_key_create", [out("b", "pthread_key_t *", "4")], "number(pthread_key_create(b, NULL)); pthread_key_delete(*b);"),
    ("pthread_sigmask_set", [("a", "sigset_t *", "(&(const sigset_t){0})", "sizeof(sigset_t)", "fr")], "number(pthread_sigmask(SIG_BLOCK, a, NULL));"),
    ("pthread_sigmask_old", [out("b", "sigset_t *", "sizeof(sigset_t)", "fR")], "number(pthread_sigmask(SIG_BLOCK, NULL, b));"),
    ("sigpending", [out("b", "sigset_t *", "sizeof(sigset_t)", "fR")], "number(sigpending(b));"),
    ("sigaction_old", [out("b", "struct sigaction *", "sizeof(struct sigaction)", "fR")], "number(sigaction(SIGHUP, NULL, b));"),
    ("getenv", [text_in("a", "{w}QZ", "fr")], "text(getenv(a));"),
    ("setenv", [text_in("a", "V_{w}"), text_in("b", "{s}")], "number(setenv(a, b, 1)); text(getenv(a)); unsetenv(a);"),
    ("puts", [text_in("a", "{w}")], "number(fputs(a, stderr) >= 0);"),
    ("fwrite", [text_in("a", "{w}")], "number((long)fwrite(a, 1, sizeof \"{w}\", stderr));"),
    ("socketpair", [out("b", "int *", "8")], "if (pipe(b) == 0) { close(b[0]); close(b[1]); }"),
    ("getopt", [text_in("a", "x:y", "fr")], "char *v[] = {\"p\", \"-y\", NULL}; optind = 0; number(getopt(2, v, a));"),
]


class Generator:
    """The text of one program."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = [PRELUDE]

    def fill(self, case):
        """The case with its words and numbers."""
        rng = self.rng
        values = {"w": "".join(rng.choice("abcdefgh") for _ in range(rng.randint(2, 9))), "i": str(rng.randint(1, 9)),
                  "w2": "".join(rng.choice("abcdefgh") for _ in range(rng.randint(2, 9))), "i2": str(rng.randint(1, 9)),
                  "n": str(rng.randint(1, 99999)), "s": "".join(rng.choice("abc xyz,:") for _ in range(rng.randint(10, 30)))}

        def expand(text):
            return re.sub(r"\{(\w+)\}", lambda m: values.get(m.group(1), m.group(0)), text)
        name, buffers, code, *helper = case
        return name, [tuple(expand(part) for part in buffer) for buffer in buffers], expand(code), *helper

    def begin(self, name, case):
        """The code of the case in a function of this name."""
        for helper in case[3:]:
            self.lines.append(f"{helper}({name}_helper)")
        return case[2].replace("{f}", name)

    def function(self, name, case, faulty, fault):
        """A call; the buffer `faulty` has the fault."""
        code, buffers = self.begin(name, case), case[1]
        parts = [f"static void {name}(void) {{"]
        for letter, kind, content, size, _ in buffers:
            parts.append(f"{kind}{letter} = block({content or 'NULL'}, {size}, {fault if letter == faulty else 'GOOD'});")
        parts.append(code)
        for letter, *_ in buffers:
            parts.append(f"done({letter}, {fault if letter == faulty else 'GOOD'});")
        self.lines.append(" ".join(parts) + "}")

    def race(self, name, case, shared, writes):
        """The call in a thread, beside an access of main to the buffer."""
        code, buffers = self.begin(name, case), case[1]
        for letter, kind, *_ in buffers:
            self.lines.append(f"static {kind}{name}_{letter};")
        takes = " ".join(f"{kind}{letter} = {name}_{letter};" for letter, kind, *_ in buffers)
        makes = " ".join(f"{name}_{letter} = block({content or 'NULL'}, {size}, GOOD);"
                         for letter, _, content, size, _ in buffers)
        access = f"*(volatile char *){name}_{shared}"
        access = f"{access} = 7" if writes else f"(void){access}"
        frees = " ".join(f"free({name}_{letter});" for letter, *_ in buffers)
        self.lines.append(f"static void *{name}_thread(void *unused) {{ {takes} {code} return unused; }}")
        self.lines.append(f"static void {name}(void) {{ pthread_t t; {makes} pthread_create(&t, NULL, {name}_thread, NULL); "
                          f"{access}; pthread_join(t, NULL); {frees} }}")

    def finish(self, names, main):
        self.lines.append("static void (*const calls[])(void) = {" + ", ".join(names) + "};")
        self.lines.append(main)
        return "\n".join(self.lines) + "\n"


PRINT = """int main(int argc, char **argv) {
    (void)argc, (void)argv;
#ifdef WITH_INPUT
    int x = sennit_int("x");
    if (x == 42) return 0;
#endif
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) { sum = 0; calls[i](); printf("%u %lx\\n", i, sum); }
}"""
CHOOSE = """int main(int argc, char **argv) {
#ifdef WITH_INPUT
    int x = sennit_int("x");
    if (x == 42) return 0;
#endif
    unsigned count = sizeof calls / sizeof *calls;
    calls[sennit_choose ? sennit_choose(count) : argc > 1 ? (unsigned)atoi(argv[1]) : 0]();
}"""


def good_program(seed, calls):
    generator = Generator(seed)
    names, used = [], []
    for i in range(calls):
        case = generator.fill(CASES[i % len(CASES)])
        names.append(f"call_{i}")
        used.append(case[0])
        generator.function(f"call_{i}", case, None, None)
    return generator.finish(names, PRINT), used


def planted(letters):
    """All (case, buffer, fault) with one of these letters."""
    return [(case, buffer[0], letter) for case in CASES for buffer in case[1] for letter in buffer[4] if letter in letters]


def bad_program(seed, count, letters):
    generator = Generator(seed)
    all_of_them = planted(letters)
    chosen = all_of_them if count >= len(all_of_them) else generator.rng.sample(all_of_them, count)
    names, what = [], {}
    for i, (case, buffer, letter) in enumerate(chosen):
        name = f"planted_{i}"
        filled = generator.fill(case)
        if letter in "rR":
            generator.race(name, filled, buffer, letter == "r")
        else:
            generator.function(name, filled, buffer, "SHORT" if letter == "s" else "FREED")
        names.append(name)
        what[name] = f"{case[0]}, buffer {buffer}, {letter}"
    return generator.finish(names, CHOOSE), what


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **more)


class Test:
    def __init__(self, sennit, clang, folder, asan):
        self.sennit, self.clang, self.folder, self.asan = sennit, clang, folder, asan
        self.failures = 0

    def fail(self, text):
        self.failures += 1
        print("FAIL", text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, compiler, source, program, *flags):
        result = run([*compiler, "-g", "-w", "-fno-builtin", *flags, self.path(source), "-o", self.path(program), "-lm", "-lpthread"])
        if result.returncode:
            self.fail(f"{' '.join(compiler)} {source}: {result.stderr[:2000]}")
        return result.returncode == 0

    def explore(self, program):
        output = self.path(program + ".out")
        result = run([self.sennit, "explore", "-k", "-q", "-j1", "-o", output, self.path(program)])
        try:
            with open(os.path.join(output, "run.json"), encoding="utf-8") as file:
                return json.load(file)
        except OSError:
            self.fail(f"explore {program}: {result.stdout[-500:]}{result.stderr[-1500:]}")
            return {"bugs": [], "executions": 0}

    def compare(self, seed, calls):
        text, used = good_program(seed, calls)
        with open(self.path("good.c"), "w", encoding="utf-8") as file:
            file.write(text)
        if not self.build([self.clang], "good.c", "good_plain"):
            return
        expected = run([self.path("good_plain")]).stdout.splitlines()
        for program, flags in (("good", []), ("good_input", ["-DWITH_INPUT"])):
            if not self.build([self.sennit, "cc"], "good.c", program, *flags):
                return
            for bug in self.explore(program)["bugs"]:
                self.fail(f"{program}: {bug['kind']}: {bug['summary']} {bug['places'][:2]}")
        got = run([self.path("good")]).stdout.splitlines()
        if len(got) != len(expected):
            self.fail(f"{len(got)} lines in place of {len(expected)}")
        for line, (a, b) in enumerate(zip(expected, got)):
            if a != b:
                self.fail(f"call {line} of {used[line]}: {b} in place of {a}")
        print(f"{len(expected)} calls of {len(CASES)} kinds compared")

    def plant(self, seed, count, letters, kinds, name):
        text, what = bad_program(seed, count, letters)
        with open(self.path(name + ".c"), "w", encoding="utf-8") as file:
            file.write(text)
        for program, flags in ((name, []), (name + "_input", ["-DWITH_INPUT"])):
            if self.build([self.sennit, "cc"], name + ".c", program, *flags):
                self.check_found(program, what, kinds)
        print(f"{len(what)} errors planted in {name}")
        if self.asan and self.build([self.clang, "-fsanitize=address"], name + ".c", name + "_asan"):
            number = sum("AddressSanitizer" in run([self.path(name + "_asan"), str(i)]).stderr for i in range(len(what)))
            print(f"AddressSanitizer finds {number} of them")

    def check_found(self, name, what, kinds):
        found = {}
        for bug in self.explore(name)["bugs"]:
            for place in bug["places"]:
                function = re.sub("_(thread|helper)$", "", place["function"] or "")
                found.setdefault(function, set()).add(bug["kind"])
        for function, error in what.items():
            kinds_found = found.get(function, set())
            if not kinds_found & kinds:
                self.fail(f"{name}: {function} ({error}) is not reported" + (f", only {kinds_found}" if kinds_found else ""))


def main():
    arguments = sys.argv[1:]
    keep = arguments.pop(arguments.index("--keep") + 1) if "--keep" in arguments else None
    asan = "--asan" in arguments
    arguments = [a for a in arguments if not a.startswith("--")]
    sennit, clang = arguments[:2]
    seed, calls, faults, races = map(int, arguments[2:6])
    with tempfile.TemporaryDirectory() as folder:
        if keep:
            os.makedirs(keep, exist_ok=True)
        test = Test(sennit, clang, keep or folder, asan)
        if calls:
            test.compare(seed, calls)
        if faults:
            test.plant(seed, faults, "sf", {"heap-bounds", "use-after-free"}, "faults")
        if races:
            test.plant(seed, races, "rR", {"data-race"}, "races")
    print(f"{test.failures} failures")
    sys.exit(test.failures != 0)


if __name__ == "__main__":
    main()
