/* utf8.c - see utf8.h */
#include "report/utf8.h"

#include <stdbool.h>

size_t utf8_character(const char *bytes, size_t size)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 :
                    s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    if (length == 0 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || outside ? 0 : length;
}
