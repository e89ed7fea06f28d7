/* input_text.c - see input_text.h */
#include "rt/inputs/input_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Values given for replay; a name may be there only once. */
static VEC(InputValue) given;

/* ---- Writing ---------------------------------------------------------------------------- */

static void write_bytes(Text *text, const uint8_t *bytes, uint32_t size)
{
    text_add_string(text, "\"");
    for (uint32_t i = 0; i < size; i++) {
        if (bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\')
            text_add_bytes(text, (const char *)&bytes[i], 1);
        else
            text_add(text, "\\x%02x", bytes[i]);
    }
    text_add_string(text, "\"");
}

static void write_number(Text *text, const uint8_t *bytes, uint32_t size, bool is_signed)
{
    Bits value = 0;
    char digits[40], *first = &digits[sizeof digits - 1];
    memcpy(&value, bytes, size);
    SignedBits number = bits_signed(value, (Sort)(8 * size));
    bool negative = is_signed && number < 0;
    if (negative)
        value = 0 - (Bits)number;
    *first = '\0';
    do
        *--first = (char)('0' + (int)(value % 10));
    while (value /= 10);
    text_add(text, "%s%s", negative ? "-" : "", first);
}

void input_text_each(Program *self, const Execution *ex,
                         void (*each)(void *context, const char *name, const char *value), void *context)
{
    const InputRecords *records = ex->inputs;
    Text text = {0};
    (void)self;
    for (uint32_t i = 0; records && i < records->count; i++) {
        const InputRecord *record = &records->records[i];
        text_reset(&text);
        if (record->text)
            write_bytes(&text, &records->bytes[record->first], record->size);
        else
            write_number(&text, &records->bytes[record->first], record->size, record->is_signed);
        each(context, record->name, text_borrow(&text));
    }
    text_release(&text);
}

/* ---- Reading ------------------------------------------------------------------------------ */

static void add_value(const char *name, uint32_t number, Bits value)
{
    InputValue entry = {.name = strdup(name), .number = number, .value = value};
    if (!entry.name)
        mem_exhausted(strlen(name));
    VEC_PUSH(&given, entry);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_bytes(const char *name, const char *text)
{
    uint32_t number = 0;
    for (; *text && *text != '"'; text++) {
        int byte = (unsigned char)*text;
        if (*text == '\\') {
            if (text[1] != 'x' || hex_digit(text[2]) < 0 || hex_digit(text[3]) < 0)
                return false;
            byte = hex_digit(text[2]) * 16 + hex_digit(text[3]);
            text += 3;
        }
        add_value(name, number++, (Bits)byte);
    }
    return strcmp(text, "\"") == 0;
}

static bool read_number(const char *name, const char *text)
{
    Bits value = 0;
    bool negative = *text == '-';
    text += negative;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value * 10 + (Bits)(*text - '0');
    }
    add_value(name, 0, negative ? 0 - value : value);
    return true;
}

bool input_text_set(Program *self, const char *name, const char *value)
{
    (void)self;
    return *value == '"' ? read_bytes(name, value + 1) : read_number(name, value);
}

void input_text_forget(Program *self)
{
    (void)self;
    for (uint32_t i = 0; i < given.count; i++)
        free((char *)given.items[i].name);
    given.count = 0;
}

bool input_text_begin(Session *session)
{
    if (given.count)
        session_begin_with(session, given.items, given.count);
    return given.count > 0;
}
