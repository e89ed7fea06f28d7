/* json.h - writing JSON
 *
 * A small writer of its own: test binaries contain the reports and must not need further libraries. It
 * takes care of nesting, commas and indentation.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Start with {.text = &text}; `pretty` puts each member on its own line. */
typedef struct Json {
    Text *text;
    bool pretty;
    unsigned depth;
    bool first;    /* nothing was written yet at this depth */
} Json;

/* `key` is the member's name, or NULL inside a list and at the top. */
void json_open_object(Json *json, const char *key);
void json_close_object(Json *json);
void json_open_list(Json *json, const char *key);
void json_close_list(Json *json);

/* A NULL string is written as null. Bytes that are not UTF-8 become U+FFFD. */
void json_add_string(Json *json, const char *key, const char *value);
void json_add_bytes(Json *json, const char *key, const char *value, size_t size);
void json_add_count(Json *json, const char *key, uint64_t value);
void json_add_integer(Json *json, const char *key, int64_t value);
void json_add_number(Json *json, const char *key, double value);
/* A value that is already JSON. */
void json_add_raw(Json *json, const char *key, const char *value);
void json_add_bool(Json *json, const char *key, bool value);

#endif
