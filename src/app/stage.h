/* stage.h - the C program of this binary, set up for one purpose */
#ifndef APP_STAGE_H
#define APP_STAGE_H

#include "app/runinfo.h"

typedef enum StagePurpose {
    STAGE_SEARCH,   /* as fast as possible, output dropped              */
    STAGE_MINIMISE, /* like SEARCH; survives executions that crash if `fragile` */
    STAGE_REPLAY,   /* calls recorded, output shown                     */
    STAGE_PLAIN     /* output shown, the exit status is not a finding   */
} StagePurpose;

typedef struct Stage {
    Region *region;
    Program *program;
} Stage;

/* Once per process, before anything is forked. */
bool stage_open(Stage *stage, const RunInfo *info, StagePurpose purpose, bool fragile, Error *error);

#endif
