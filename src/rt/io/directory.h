/* directory.h - directory streams: an entry is memory of the program, and a stream ends with closedir */
#ifndef RT_IO_DIRECTORY_H
#define RT_IO_DIRECTORY_H

/* At the start of an execution: closes what the last one left open. */
void directory_reset(void);

#endif
