/* main.c - `sennit-web`: the part of the tool that needs libraries for the web, so that the rest starts without them
 *
 *     sennit-web serve SENNIT DIRECTORY RUN EXAMPLES PORT      for `sennit ui`; RUN and EXAMPLES may be empty
 *     sennit-web dap SENNIT                                   for `sennit dap`
 *     sennit-web report SENNIT RUN FILE                        for --html
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/dap.h"
#include "web/report.h"
#include "web/web.h"

static const char *or_null(const char *text) { return *text ? text : NULL; }

int main(int argc, char **argv)
{
    Error error = {.code = EXIT_USAGE, .text = "it is started by sennit ui, sennit dap and --html"};
    if (argc == 7 && strcmp(argv[1], "serve") == 0) {
        WebOptions options = {.sennit = argv[2],
                              .directory = argv[3],
                              .run = or_null(argv[4]),
                              .examples = or_null(argv[5]),
                              .port = (uint16_t)strtoul(argv[6], NULL, 10)};
        if (web_serve(&options, &error) == EXIT_CLEAN)
            return EXIT_CLEAN;
    } else if (argc == 3 && strcmp(argv[1], "dap") == 0) {
        return dap_serve(argv[2]);
    } else if (argc == 5 && strcmp(argv[1], "report") == 0 && web_write_report(argv[2], argv[3], argv[4], &error)) {
        return EXIT_CLEAN;
    }
    fprintf(stderr, "sennit-web: %s\n", error.text);
    return error.code;
}
