/* litmus.h - what the small counted programs share */
#ifndef LITMUS_H
#define LITMUS_H

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>

#include "../../bench/programs/threads.h"

#endif
