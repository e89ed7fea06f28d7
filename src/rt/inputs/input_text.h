/* input_text.h - inputs as text in traces and reports: written and read back */
#ifndef RT_INPUTS_INPUT_TEXT_H
#define RT_INPUTS_INPUT_TEXT_H

#include "rt/inputs/tracking.h"

/* ProgramOps.each_input, .set_input and .forget_inputs. */
void input_text_each(Program *self, const Execution *ex,
                     void (*each)(void *context, const char *name, const char *value), void *context);
bool input_text_set(Program *self, const char *name, const char *value);
void input_text_forget(Program *self);

/* If values were set: begins an execution with them and answers true. */
bool input_text_begin(Session *session);

#endif
