/* ctype.c - kinds of characters, as in the C locale */
#include "tracked/tracked.h"

int sennit_tracked_isdigit(int c) { return c >= '0' && c <= '9'; }
int sennit_tracked_islower(int c) { return c >= 'a' && c <= 'z'; }
int sennit_tracked_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int sennit_tracked_isalpha(int c) { return sennit_tracked_islower(c) || sennit_tracked_isupper(c); }
int sennit_tracked_isalnum(int c) { return sennit_tracked_isalpha(c) || sennit_tracked_isdigit(c); }
int sennit_tracked_isblank(int c) { return c == ' ' || c == '\t'; }
int sennit_tracked_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 0x7f; }
int sennit_tracked_isgraph(int c) { return c > ' ' && c < 0x7f; }
int sennit_tracked_isprint(int c) { return c >= ' ' && c < 0x7f; }
int sennit_tracked_ispunct(int c) { return sennit_tracked_isgraph(c) && !sennit_tracked_isalnum(c); }
int sennit_tracked_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int sennit_tracked_isxdigit(int c)
{
    return sennit_tracked_isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

int sennit_tracked_tolower(int c) { return sennit_tracked_isupper(c) ? c + ('a' - 'A') : c; }
int sennit_tracked_toupper(int c) { return sennit_tracked_islower(c) ? c - ('a' - 'A') : c; }
int sennit_tracked_abs(int n) { return n < 0 ? -n : n; }
long sennit_tracked_labs(long n) { return n < 0 ? -n : n; }
