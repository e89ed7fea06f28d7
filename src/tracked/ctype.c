/* ctype.c - kinds of characters, as in the C locale; each is one decision of the caller */
#include "tracked/character.h"
#include "tracked/tracked.h"

static bool is_alpha(int c) { return is_in(c | ('a' - 'A'), 'a', 'z'); }

int sennit_tracked_isdigit(int c) { return is_in(c, '0', '9'); }
int sennit_tracked_islower(int c) { return is_in(c, 'a', 'z'); }
int sennit_tracked_isupper(int c) { return is_in(c, 'A', 'Z'); }
int sennit_tracked_isalpha(int c) { return is_alpha(c); }
int sennit_tracked_isalnum(int c) { return is_alpha(c) | is_in(c, '0', '9'); }
int sennit_tracked_isblank(int c) { return (c == ' ') | (c == '\t'); }
int sennit_tracked_iscntrl(int c) { return is_in(c, 0, ' ' - 1) | (c == 0x7f); }
int sennit_tracked_isgraph(int c) { return is_in(c, ' ' + 1, 0x7e); }
int sennit_tracked_isprint(int c) { return is_in(c, ' ', 0x7e); }
int sennit_tracked_ispunct(int c) { return is_in(c, ' ' + 1, 0x7e) & !(is_alpha(c) | is_in(c, '0', '9')); }
int sennit_tracked_isspace(int c) { return is_blank(c); }
int sennit_tracked_isxdigit(int c) { return is_digit(c, 16); }
int sennit_tracked_isascii(int c) { return is_in(c, 0, 0x7f); }

int sennit_tracked_tolower(int c) { return c + is_in(c, 'A', 'Z') * ('a' - 'A'); }
int sennit_tracked_toupper(int c) { return c - is_in(c, 'a', 'z') * ('a' - 'A'); }
int sennit_tracked_toascii(int c) { return c & 0x7f; }
