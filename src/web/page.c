/* page.c - the page itself, which is part of the tool
 *
 * Built from web/ (cmake/page.cmake). An HTML report is the same page with its data in place of `null`.
 */
#include "web/page.h"

#include <string.h>

#include "web/server.h"

extern const char sennit_page_begin[], sennit_page_end[];

#define NONCE "NONCE-OF-THE-ANSWER"
#define DATA_OPENS "<script type=\"application/json\" id=\"report\">"

/* The page with this nonce: its own script and style have it, what gets into it otherwise has not. */
static void add_page(const char *nonce, Text *out)
{
    const char *at = sennit_page_begin, *place;
    while ((place = memmem(at, (size_t)(sennit_page_end - at), NONCE, strlen(NONCE)))) {
        text_add_bytes(out, at, (size_t)(place - at));
        text_add_string(out, nonce);
        at = place + strlen(NONCE);
    }
    text_add_bytes(out, at, (size_t)(sennit_page_end - at));
}

void page_answer(WebRequest *request)
{
    Text page = {0};
    if (!server_random(request->nonce)) {
        request_fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "no random numbers");
        return;
    }
    add_page(request->nonce, &page);
    request_answer(request, MHD_HTTP_OK, "text/html; charset=utf-8", page.data, page.length);
    text_release(&page);
}

/* "</script" in a text would end the data: "<" is written as an escape. */
static void add_data(const char *json, Text *out)
{
    for (; *json; json++) {
        if (*json == '<')
            text_add_string(out, "\\u003c");
        else
            text_add_bytes(out, json, 1);
    }
}

/* Where data go; NULL if this is not the page but says that it is missing. */
static const char *find_data(void)
{
    return memmem(sennit_page_begin, (size_t)(sennit_page_end - sennit_page_begin), DATA_OPENS "null",
                  strlen(DATA_OPENS "null"));
}

bool page_is_built(void) { return find_data() != NULL; }

bool page_write_report(const char *data, Text *out)
{
    size_t size = (size_t)(sennit_page_end - sennit_page_begin);
    const char *place = find_data();
    if (!place)
        return false;
    size_t head = (size_t)(place - sennit_page_begin) + strlen(DATA_OPENS);
    text_add_bytes(out, sennit_page_begin, head);
    add_data(data, out);
    text_add_bytes(out, sennit_page_begin + head + strlen("null"), size - head - strlen("null"));
    return true;
}
