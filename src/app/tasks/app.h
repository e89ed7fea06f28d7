/* app.h - what a process that tests a program does, from its arguments to its exit code */
#ifndef APP_TASKS_APP_H
#define APP_TASKS_APP_H

#include "app/run/subject.h"

/* Runs the task that SENNIT_OPTIONS names, or a search if it names none. argv are the program's own
 * arguments. Returns the exit code; standard output is flushed. */
int app_run(const Subject *subject, int argc, char **argv);

#endif
