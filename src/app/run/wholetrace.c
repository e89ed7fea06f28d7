/* wholetrace.c - see wholetrace.h */
#include "app/run/wholetrace.h"

#include "report/identity.h"

Trace *wholetrace_create(const RunInfo *info, Program *program, const Execution *ex)
{
    const Finding *finding = ex->finding_count ? &ex->findings[0] : NULL;
    uint32_t length = finding ? finding->position : ex->event_count;
    Trace *trace = trace_create();
    char id[IDENTITY_TEXT];
    runinfo_describe(info, trace);
    trace_add_steps(trace, program, ex, length);
    trace->preemptions = execution_preemptions(ex, length);
    trace->unminimised = true;
    if (finding) {
        identity_write(identity_of(program, finding), IDENTITY_DIGITS, id);
        trace_set_bug(trace, program, finding, id);
    } else {
        info->subject->describe_end(program, ex, trace);
    }
    return trace;
}
