/* kernel.h - a model of system calls against the kernel's
 *
 * Usage of such a test: NAME FROM TO
 *
 * Each seed is a random sequence of calls by one thread, none of which blocks. It is made twice: inside an execution,
 * where the model answers, and outside, where the same functions call the system. All answers must be equal; where
 * the model has a choice, for one of its executions.
 */
#ifndef DIFFERENTIAL_KERNEL_H
#define DIFFERENTIAL_KERNEL_H

/* By the test: chooses the calls, makes them, prints them. */
void kernel_generate(void);
void kernel_make_calls(void);
void kernel_print(void);

/* How often the calls are repeated before answers that differ count: 1, or more if the kernel takes its time. */
extern const unsigned kernel_retries;

/* For the test: a random number; what a call answered; the same of a result, with errno. */
unsigned kernel_draw(unsigned below);
void see(long value);
void see_result(long result);

#endif
