/* pipeline_sort.c - sorting in a pipeline: each stage keeps the smallest value it has seen
 *
 * litmus: -DN=3 --channels=fifo -> executions 7
 * litmus: -DN=4 --channels=fifo -> executions 35
 * litmus: -DN=3 --channels=fifo --reduction=none -> executions 14
 * litmus: -DN=4 --channels=fifo --reduction=none -> executions 420
 * litmus: -DN=3 --reduction=dcute -> executions 7 verdict any
 * litmus: -DN=4 --reduction=dcute -> executions 35 verdict any
 * litmus: -DN=5 --reduction=dcute -> executions 226 verdict any
 * litmus: -DN=5 --channels=fifo -> executions 226
 * litmus: -DN=3 -DWRONG --channels=fifo -> executions any verdict any bugs assertion exit 1
 *
 * A feeder sends N inputs to the first stage. A stage keeps the first value; of each further
 * one and the one it keeps it sends the larger to the next stage. Stage k sees N - k + 1
 * values. The wrong version compares a value with the last one instead of the kept one.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>

#ifndef N
#define N 3
#endif

static sennit_pid stages[N];
static int sorted[N];

static int receive_value(void)
{
    int value;
    sennit_receive(&value, sizeof value);
    return value;
}

static void pass_on(int stage, int value) { sennit_send_on(stages[stage], 0, &value, sizeof value); }

static void run_stage(void *argument)
{
    int *place = argument, stage = (int)(place - sorted);
    int kept = receive_value(), last = kept;
    for (int i = stage + 1; i < N; i++) {
        int value = receive_value();
#ifdef WRONG
        int other = last;
#else
        int other = kept;
#endif
        last = value;
        if (value >= other) {
            pass_on(stage + 1, value);
        } else {
            pass_on(stage + 1, kept);
            kept = value;
        }
    }
    *place = kept;
}

static void feed(void *argument)
{
    static const char *const names[] = {"v0", "v1", "v2", "v3", "v4"};
    (void)argument;
    for (int i = 0; i < N; i++)
        pass_on(0, sennit_int(names[i]));
}

int main(void)
{
    static const char *const names[] = {"stage 1", "stage 2", "stage 3", "stage 4", "stage 5"};
    for (int i = 0; i < N; i++)
        stages[i] = sennit_spawn(names[i], run_stage, &sorted[i]);
    sennit_spawn("feeder", feed, 0);
    sennit_run();
    for (int i = 1; i < N; i++)
        assert(sorted[i - 1] <= sorted[i]);
    return 0;
}
