/* once.h - pthread_once and call_once
 *
 * The first caller runs the routine, the others wait for its end. Which one is first matters;
 * the order of those that find it done does not.
 */
#ifndef RT_SYNC_ONCE_H
#define RT_SYNC_ONCE_H

#include "rt/sync/sync.h"

/* `control` is the int of a pthread_once_t or once_flag. On return the routine is done. */
void once_call(int *control, void (*routine)(void));

#endif
