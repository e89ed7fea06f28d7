/* dap_wire.h - messages of the Debug Adapter Protocol: a header with the length, then JSON */
#ifndef WEB_DAP_WIRE_H
#define WEB_DAP_WIRE_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* The next message; NULL at the end of the stream or if it is none. The caller owns it. */
cJSON *dap_read(FILE *stream);

/* Writes the message and deletes it. */
void dap_write(FILE *stream, cJSON *message);

#endif
