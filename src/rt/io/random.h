/* random.h - random numbers of the system
 *
 * They are fixed: other numbers are not explored, which the verdict says.
 */
#ifndef RT_IO_RANDOM_H
#define RT_IO_RANDOM_H

#include <stdbool.h>

/* Is the name that of a device that delivers random numbers? */
bool random_is_device(const char *name);
/* A new descriptor that reads fixed numbers in place of the device's. */
int random_open_device(const char *name, int flags);

#endif
