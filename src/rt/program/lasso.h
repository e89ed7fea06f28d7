/* lasso.h - an execution that comes back to a state, and could do the same for ever
 *
 * Where states are compared: if an obligation was open all the time since the state was met first, and every step that
 * was possible all that time was taken (weak fairness), the execution is the beginning of an endless one in which the
 * obligation is never met. That is the bug; the execution ends there.
 */
#ifndef RT_PROGRAM_LASSO_H
#define RT_PROGRAM_LASSO_H

/* An execution begins. */
void lasso_reset(void);
/* The next step is about to be decided. */
void lasso_look(void);

#endif
