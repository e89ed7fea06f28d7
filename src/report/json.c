/* json.c - see json.h */
#include "report/json.h"

#include <math.h>
#include <string.h>

#include "report/utf8.h"

/* ---- Strings ------------------------------------------------------------ */

static void write_ascii(Text *text, char c)
{
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = c ? strchr(special, c) : NULL;
    if (found)
        text_add(text, "\\%c", letters[found - special]);
    else if ((unsigned char)c < 0x20 || c == 0x7f)
        text_add(text, "\\u%04x", (unsigned)(unsigned char)c);
    else
        text_add_bytes(text, &c, 1);
}

static void write_string(Text *text, const char *bytes, size_t size)
{
    text_add_string(text, "\"");
    for (size_t i = 0; i < size;) {
        size_t step = utf8_character(bytes + i, size - i);
        if (step == 1)
            write_ascii(text, bytes[i]);
        else if (step > 1)
            text_add_bytes(text, bytes + i, step);
        else
            text_add_string(text, "\\ufffd");
        i += step ? step : 1;
    }
    text_add_string(text, "\"");
}

/* ---- Structure ------------------------------------------------------------ */

static void new_line(Json *json)
{
    if (json->pretty) {
        text_add_string(json->text, "\n");
        text_add_fill(json->text, ' ', 2 * (int)json->depth);
    }
}

static void begin_value(Json *json, const char *key)
{
    if (json->depth > 0) {
        if (!json->first)
            text_add_string(json->text, json->pretty ? "," : ", ");
        new_line(json);
    }
    json->first = false;
    if (key) {
        write_string(json->text, key, strlen(key));
        text_add_string(json->text, ": ");
    }
}

static void open_group(Json *json, const char *key, const char *bracket)
{
    begin_value(json, key);
    text_add_string(json->text, bracket);
    json->depth++;
    json->first = true;
}

static void close_group(Json *json, const char *bracket)
{
    bool empty = json->first;
    json->depth--;
    json->first = false;
    if (!empty)
        new_line(json);
    text_add_string(json->text, bracket);
}

void json_open_object(Json *json, const char *key) { open_group(json, key, "{"); }
void json_close_object(Json *json) { close_group(json, "}"); }
void json_open_list(Json *json, const char *key) { open_group(json, key, "["); }
void json_close_list(Json *json) { close_group(json, "]"); }

/* ---- Values ----------------------------------------------------------------- */

void json_add_bytes(Json *json, const char *key, const char *value, size_t size)
{
    begin_value(json, key);
    write_string(json->text, value, size);
}

void json_add_string(Json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        write_string(json->text, value, strlen(value));
    else
        text_add_string(json->text, "null");
}

void json_add_count(Json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    text_add(json->text, "%llu", (unsigned long long)value);
}

void json_add_integer(Json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    text_add(json->text, "%lld", (long long)value);
}

void json_add_number(Json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        text_add(json->text, "%.6g", value);
    else
        text_add_string(json->text, "null");
}

void json_add_bool(Json *json, const char *key, bool value)
{
    begin_value(json, key);
    text_add_string(json->text, value ? "true" : "false");
}

void json_add_raw(Json *json, const char *key, const char *value)
{
    begin_value(json, key);
    text_add_string(json->text, value);
}
