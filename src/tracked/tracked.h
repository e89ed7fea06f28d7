/* tracked.h - functions of the C library as code that is followed
 *
 * The runtime's models call these instead of the C library where memory or an argument
 * depends on inputs. They are compiled like a program with inputs, without hooks on memory:
 * the models have told what is touched already.
 */
#ifndef TRACKED_TRACKED_H
#define TRACKED_TRACKED_H

#include <stddef.h>

#define TRACKED(result, name, ...) result sennit_tracked_##name(__VA_ARGS__);
#include "tracked/tracked.def"
#undef TRACKED

#endif
