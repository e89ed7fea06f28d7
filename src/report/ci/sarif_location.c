/* sarif_location.c - messages and locations of SARIF; see sarif_internal.h */
#include "report/ci/sarif_internal.h"

#include <ctype.h>
#include <string.h>

/* ---- Messages ------------------------------------------------------------------------- */

/* Is this brace part of "{12}"? */
static bool is_placeholder(const char *brace)
{
    size_t digits = 1;
    while (isdigit((unsigned char)brace[digits]))
        digits++;
    return digits > 1 && brace[digits] == '}';
}

/* The specification wants every brace doubled, but few readers undo that: only where it matters. */
static void escape_message(const char *text, Text *out)
{
    bool has_link = strstr(text, "](") != NULL, inside = false;
    for (; *text; text++) {
        bool opens = *text == '{' && is_placeholder(text), closes = *text == '}' && inside;
        inside = opens || (inside && !closes);
        if (has_link && (*text == '[' || *text == ']'))
            text_add_string(out, "\\");
        else if (opens || closes)
            text_add_bytes(out, text, 1);
        text_add_bytes(out, text, 1);
    }
}

void sarif_add_message(Json *json, const char *key, const char *text)
{
    Text escaped = {0};
    escape_message(text, &escaped);
    json_open_object(json, key);
    json_add_string(json, "text", text_borrow(&escaped));
    json_close_object(json);
    text_release(&escaped);
}

/* ---- Locations ------------------------------------------------------------------------ */

static void add_artifact(Json *json, const char *file, const SourceRoot *root)
{
    Text path = {0}, uri = {0};
    bool is_relative = sourceroot_add_path(root, file, &path);
    text_add_string(&uri, is_relative ? "" : "file://");
    sourceroot_add_encoded(text_borrow(&path), &uri);
    json_open_object(json, "artifactLocation");
    json_add_string(json, "uri", text_borrow(&uri));
    if (is_relative)
        json_add_string(json, "uriBaseId", SARIF_BASE);
    json_close_object(json);
    text_release(&path);
    text_release(&uri);
}

static void add_region(Json *json, const TracePlace *place)
{
    json_open_object(json, "region");
    json_add_count(json, "startLine", place->line);
    if (place->column)
        json_add_count(json, "startColumn", place->column);
    json_close_object(json);
}

void sarif_add_place(Json *json, const TracePlace *place, const SourceRoot *root)
{
    if (place->file) {
        json_open_object(json, "physicalLocation");
        add_artifact(json, place->file, root);
        if (place->line)
            add_region(json, place);
        json_close_object(json);
    }
    if (place->function && *place->function) {
        json_open_list(json, "logicalLocations");
        json_open_object(json, NULL);
        json_add_string(json, "name", place->function);
        json_add_string(json, "kind", "function");
        json_close_object(json);
        json_close_list(json);
    }
}
