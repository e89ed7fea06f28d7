/* descriptor.h - numbers of descriptors
 *
 * What exists in the model only (pipes, sockets, eventfds, ...; pipe.h) has low numbers, like those of the system; open
 * files (open_file.h), which are real, have others. A number is a function of the history of its thread: main has the
 * lowest, each other thread has a range of its own, so threads that open something do not depend on each other. A
 * thread gets the lowest number of its range that it has not got before, or that it has closed itself and that no other
 * thread has used.
 */
#ifndef RT_IO_DESCRIPTOR_H
#define RT_IO_DESCRIPTOR_H

#include "rt/kernel/runtime.h"

enum { DESCRIPTOR_NUMBER_BITS = 20 };

/* A number for a file that the running thread opens. */
int descriptor_new(void);

/* Before main the program has got this descriptor from the system, or -1: no other gets its number. Returns it. */
int descriptor_keep(int descriptor);

/* The number that a name of an end (pipe.h) begins with. */
unsigned descriptor_of_name(uint64_t name);
/* The node whose number it is; 0: of a program that is no cluster, or unknown. */
unsigned descriptor_node_of_name(uint64_t name);

#endif
