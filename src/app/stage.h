/* stage.h - the C program of this binary, set up for one purpose */
#ifndef APP_STAGE_H
#define APP_STAGE_H

#include "app/runinfo.h"

typedef enum StagePurpose {
    STAGE_SEARCH,   /* as fast as possible, output dropped              */
    STAGE_MINIMISE, /* like SEARCH; survives executions that crash if `fragile` */
    STAGE_REPLAY,   /* calls recorded, output shown                     */
    STAGE_DEBUG,    /* like REPLAY; sennit_replay_step is called        */
    STAGE_PLAIN     /* output shown, the exit status is not a finding   */
} StagePurpose;

typedef struct Stage {
    Region *region;
    Program *program;
} Stage;

/* Once per process, before anything is forked. */
bool stage_open(Stage *stage, const RunInfo *info, StagePurpose purpose, bool fragile, Error *error);

/* For debuggers to stop at: called when a step begins, in its thread. `position` counts from
 * 0. The name is not localised in test binaries. */
void sennit_replay_step(uint32_t position);
/* The same when a bug shows itself; `text` describes it. */
void sennit_replay_bug(const char *text);

#endif
