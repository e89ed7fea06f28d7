/* spin_pass.c - see spin_pass.h */
#include "rt/spin/spin_pass.h"

#include "rt/kernel/frame.h"
#include "rt/kernel/step.h"

enum { PATIENCE = 4 }; /* back edges without a step: there may be several of one loop */

static uint32_t events_of(const Thread *self) { return self->has_event ? self->last_event + 1 : 0; }

static void take_step(void)
{
    step_begin(OP_SPIN, 0);
    step_wait();
    step_done();
}

static __attribute__((noinline)) void take_framed(void)
{
    FRAME_ENTER(FRAME_SPIN, 0);
    take_step();
}

static __attribute__((noinline)) bool is_due(Thread *self)
{
    if (self->looped != events_of(self))
        self->loops = 0;
    self->looped = events_of(self);
    return ++self->loops >= PATIENCE && !self->section_depth;
}

static void take_step_from(const uint64_t *registers)
{
    frame_set(address_of(registers), FRAME_SPIN, NULL, 0);
    take_step();
    frame_leave(NULL);
}

void spin_pass(Thread *self, const uint64_t *registers)
{
    if (!is_due(self))
        frame_wipe();
    else if (registers)
        take_step_from(registers);
    else
        take_framed();
}
