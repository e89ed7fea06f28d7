/* dap_wire.c - see dap_wire.h */
#include "web/dap_wire.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_BYTES = 16 << 20 };

/* The length that the header gives; -1 if there is none. Other lines of the header are passed over. */
static long read_header(FILE *stream)
{
    char line[256];
    long length = -1;
    while (fgets(line, sizeof line, stream)) {
        if (strcmp(line, "\r\n") == 0 || strcmp(line, "\n") == 0)
            return length;
        if (strncmp(line, "Content-Length:", 15) == 0)
            length = strtol(line + 15, NULL, 10);
    }
    return -1;
}

cJSON *dap_read(FILE *stream)
{
    long length = read_header(stream);
    if (length <= 0 || length > MOST_BYTES)
        return NULL;
    char *bytes = mem_alloc((size_t)length + 1);
    bool whole = fread(bytes, 1, (size_t)length, stream) == (size_t)length;
    cJSON *message = whole ? cJSON_ParseWithLength(bytes, (size_t)length) : NULL;
    free(bytes);
    return message;
}

void dap_write(FILE *stream, cJSON *message)
{
    char *text = cJSON_PrintUnformatted(message);
    if (text)
        fprintf(stream, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(stream);
    cJSON_free(text);
    cJSON_Delete(message);
}
