/* stage.h - the program under test, set up for one purpose, and the memory that all processes share */
#ifndef APP_SEARCH_STAGE_H
#define APP_SEARCH_STAGE_H

#include "app/run/subject.h"

typedef struct Stage {
    Region *region;
    Program *program;
} Stage;

/* Once per process, before the first fork. */
bool stage_open(Stage *stage, const RunInfo *info, StagePurpose purpose, bool fragile, Error *error);

#endif
