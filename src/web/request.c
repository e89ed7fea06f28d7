/* request.c - see request.h */
#include "web/request.h"

#include <stdarg.h>
#include <stdlib.h>

const char *request_query(const WebRequest *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

/* Nothing is loaded from elsewhere, and nothing runs but the script of the page itself. Browsers write style attributes
 * into texts that are edited. */
static void add_policy(const WebRequest *request, struct MHD_Response *response)
{
    Text policy = {0};
    text_add_string(&policy, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    if (*request->nonce)
        text_add(&policy,
                 "; script-src 'nonce-%s'; style-src 'nonce-%s'; style-src-attr 'unsafe-inline'; img-src data: blob:; "
                 "connect-src 'self'",
                 request->nonce, request->nonce);
    MHD_add_response_header(response, "Content-Security-Policy", policy.data);
    text_release(&policy);
}

/* Nothing is shown inside other pages, nothing is kept. */
static void add_headers(const WebRequest *request, struct MHD_Response *response, const char *type)
{
    add_policy(request, response);
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cache-Control", "no-store");
}

void request_answer_with(WebRequest *request, unsigned status, const char *type, struct MHD_Response *response)
{
    add_headers(request, response, type);
    MHD_queue_response(request->connection, status, response);
    MHD_destroy_response(response);
    request->answered = true;
}

void request_answer(WebRequest *request, unsigned status, const char *type, const char *bytes, size_t size)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
    request_answer_with(request, status, type, response);
}

void request_answer_json(WebRequest *request, Text *json)
{
    request_answer(request, MHD_HTTP_OK, "application/json", text_borrow(json), json->length);
    text_release(json);
}

void request_fail(WebRequest *request, unsigned status, const char *format, ...)
{
    Text message = {0}, text = {0};
    Json json = {.text = &text, .first = true};
    va_list args;
    va_start(args, format);
    text_add_list(&message, format, args);
    va_end(args);
    json_open_object(&json, NULL);
    json_add_string(&json, "error", text_borrow(&message));
    json_close_object(&json);
    request_answer(request, status, "application/json", text.data, text.length);
    text_release(&message);
    text_release(&text);
}
