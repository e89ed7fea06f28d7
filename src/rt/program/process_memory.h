/* process_memory.h - what a process made by fork has of its own */
#ifndef RT_PROGRAM_PROCESS_MEMORY_H
#define RT_PROGRAM_PROCESS_MEMORY_H

/* Once per process of the system. */
void process_memory_init(void);

#endif
