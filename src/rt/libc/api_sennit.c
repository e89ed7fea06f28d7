/* api_sennit.c - the functions of include/sennit/sennit.h, and atomic sections */
#include "rt/detect/bug.h"
#include "rt/inputs/shadow_call.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api.h"

void sennit_rt___VERIFIER_atomic_begin(void)
{
    sennit_rt_atomic_section_begin(sennit_rt_site);
}

void sennit_rt___VERIFIER_atomic_end(void)
{
    sennit_rt_atomic_section_end(sennit_rt_site);
}

void sennit_rt_sennit_assert_failed(const char *condition)
{
    report_bug(BUG_ASSERTION, "assertion `%s' failed", condition);
}

void sennit_rt_sennit_assume(int condition)
{
    shadow_assume((const void *)(uintptr_t)sennit_rt_sennit_assume, condition);
    if (!condition)
        thread_stop_assumed();
}

/* A step that accesses nothing, so that no other step is ever reversed against it. */
unsigned sennit_rt_sennit_choose(unsigned options)
{
    FRAME_ENTER(FRAME_CHOOSE, options);
    if (options < 2)
        return 0;
    if (!thread_inside())
        report_not_modelled("sennit_choose before main");
    step_begin(OP_CHOOSE, 0);
    step_wait();
    unsigned taken = step_choose(options);
    step_done();
    return taken;
}
