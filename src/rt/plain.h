/* plain.h - plain accesses of instrumented code and of library functions on its behalf */
#ifndef RT_PLAIN_H
#define RT_PLAIN_H

#include "rt/rt_internal.h"

/* The running thread reads or writes plain memory now, at sennit_rt_site. */
void plain_read(uint64_t address, uint64_t size);
void plain_write(uint64_t address, uint64_t size);
/* A visible plain store has happened: its event gets the value. */
void plain_settle(Thread *self);

#endif
