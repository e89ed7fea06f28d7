/* request.h - one request, and the ways to answer it */
#ifndef WEB_REQUEST_H
#define WEB_REQUEST_H

#include <microhttpd.h>
#include <stdbool.h>

#include "base/text.h"
#include "report/json.h"

enum { REQUEST_MOST_BODY = 4 << 20, REQUEST_WORDS = 4, REQUEST_NONCE = 33 };

typedef struct WebServer WebServer;

typedef struct WebRequest {
    WebServer *server;
    struct MHD_Connection *connection;
    const char *method;
    const char *path;
    Text body;
    bool too_large;                   /* the body is not kept              */
    char *words[REQUEST_WORDS];       /* what the '*' of the route stand for */
    bool answered;
    char nonce[REQUEST_NONCE];        /* of the scripts and styles in the answer; empty: there are none */
} WebRequest;

/* The value of a query parameter, or NULL. */
const char *request_query(const WebRequest *request, const char *name);

/* Each answers the request; once only. */
void request_answer(WebRequest *request, unsigned status, const char *type, const char *bytes, size_t size);
/* Takes the text over. */
void request_answer_json(WebRequest *request, Text *json);
/* {"error": "..."} */
void request_fail(WebRequest *request, unsigned status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Answers with a response of libmicrohttpd, which is taken over. */
void request_answer_with(WebRequest *request, unsigned status, const char *type, struct MHD_Response *response);

#endif
