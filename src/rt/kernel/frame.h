/* frame.h - where the program's part of a thread's stack begins while the thread waits
 *
 * A thread that waits in a function of the runtime has, besides its memory, what it keeps in registers: the
 * callee-saved ones, which belong to the program at the entry of that function, and the function's arguments. Functions
 * that know how begin with FRAME_ENTER(number, arguments...): it makes the compiler save these registers right below
 * the frame pointer (in front of it on AArch64), so that everything from `base` up is the program's, and keeps a hash
 * of the arguments. How often the call has waited says how far it has come. Where nothing is known (`base` is 0), the
 * state of the program is not known.
 */
#ifndef RT_KERNEL_FRAME_H
#define RT_KERNEL_FRAME_H

#include "base/fingerprint.h"
#include "rt/kernel/runtime.h"

enum { FRAME_NOTHING = 1 }; /* `base` of code that has nothing left to do in its frames */

/* Numbers of functions, where code of several may wait in the same kind of step. */
typedef enum FrameCall {
    FRAME_MAIN_OVER, FRAME_ACTOR_OVER, FRAME_SEND, FRAME_BROADCAST, FRAME_RECEIVE, FRAME_RUN, FRAME_SYNC, FRAME_CUT,
    FRAME_HEAL, FRAME_CHOOSE, FRAME_OBSERVE, FRAME_HOT, FRAME_COLD, FRAME_THREAD_OVER, FRAME_SPIN, FRAME_HOOK,
    FRAME_CALLS
} FrameCall;

#if defined(__x86_64__)
enum { FRAME_SAVED = 40 };
#else
enum { FRAME_SAVED = 0 };
#endif

static inline void frame_set(uint64_t base, FrameCall call, const uint64_t *words, unsigned count)
{
    Fingerprint print = {call, count};
    for (unsigned i = 0; i < count; i++)
        fingerprint_add(&print, words[i]);
    print = fingerprint_seal(print);
    rt.frame = (CallFrame){.base = base, .words = {print.low, print.high}};
}

/* What the call will do depends on this too: it decided it in an earlier step. */
static inline void frame_add(uint64_t word)
{
    Fingerprint print = {rt.frame.words[0], rt.frame.words[1]};
    fingerprint_add(&print, word);
    print = fingerprint_seal(print);
    rt.frame.words[0] = print.low;
    rt.frame.words[1] = print.high;
}

/* Clears the stack below the caller: frames of the program will lie where the runtime has left something, and what they
 * do not initialise is compared. */
void frame_wipe_below(void);
static inline void frame_wipe(void)
{
    if (UNLIKELY(rt.options.states))
        frame_wipe_below();
}

static inline void frame_leave(const char *frame)
{
    (void)frame;
    rt.frame.base = 0;
    frame_wipe();
}

/* The first statement of a function; up to its return the frame is known. */
#define FRAME_ENTER(call, ...)                                                                                     \
    __builtin_unwind_init();                                                                                       \
    __attribute__((cleanup(frame_leave), unused)) const char frame_ = 0;                                           \
    frame_set(address_of(__builtin_frame_address(0)) - FRAME_SAVED, call, (const uint64_t[]){__VA_ARGS__},         \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* The running code waits and returns to nothing of the program. */
static inline void frame_end(FrameCall call, uint64_t word) { frame_set(FRAME_NOTHING, call, &word, 1); }

#endif
