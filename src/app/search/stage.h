/* stage.h - the program under test, set up for one purpose, and memory for all that is shared */
#ifndef APP_SEARCH_STAGE_H
#define APP_SEARCH_STAGE_H

#include "app/run/subject.h"

typedef struct Stage {
    Region *region;
    Program *program;
} Stage;

/* Once per process, before anything is forked. */
bool stage_open(Stage *stage, const RunInfo *info, StagePurpose purpose, bool fragile, Error *error);

#endif
