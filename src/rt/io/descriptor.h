/* descriptor.h - numbers of descriptors: of pipes (pipe.h) and of open files (open_file.h) */
#ifndef RT_IO_DESCRIPTOR_H
#define RT_IO_DESCRIPTOR_H

/* Descriptors of the program are not below this one. */
enum { DESCRIPTOR_FIRST = 512 };

/* A number for a new descriptor of the running thread, a function of the thread's own history: a number is used again
 * only if the thread has closed it itself. */
int descriptor_new(void);

#endif
