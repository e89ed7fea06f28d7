/* options.h - how the program under test is run, and how its process may end */
#ifndef RT_KERNEL_OPTIONS_H
#define RT_KERNEL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { RESTORE_AUTO, RESTORE_ON, RESTORE_OFF, RESTORE_CHECK };
enum { DELIVERY_AUTO, DELIVERY_LATE, DELIVERY_AT_ONCE };
enum { CHANNELS_BAG, CHANNELS_FIFO, CHANNELS_CAUSAL, CHANNELS_MAILBOX };

typedef struct RtInputFile {
    const char *path;
    uint64_t size;
} RtInputFile;

typedef struct RtOptions {
    int argc;               /* passed to the program's main; argv[argc] is NULL             */
    char **argv;
    char **envp;
    bool plain_visible;     /* plain accesses are visible operations, not checked for races */
    bool volatile_atomic;   /* plain accesses to volatile objects are relaxed atomic ones   */
    bool spurious;          /* condition waits may wake up without a signal                 */
    bool weak_cas;          /* weak compare-and-exchanges may fail for no reason            */
    bool barriers_ordered;  /* arrivals at a barrier are ordered, so that any number may compete */
    uint32_t channels;      /* CHANNELS_*: which orders of messages are possible            */
    uint32_t delivery;      /* DELIVERY_*: when what is sent by TCP arrives                 */
    bool symmetry;          /* equal messages of one sender are interchangeable             */
    bool macro_steps;       /* pickers see an actor's local steps as parts of the previous one */
    uint32_t max_lost;      /* messages that the network may lose in an execution,          */
    uint32_t max_duplicated; /* deliver twice,                                              */
    uint32_t max_crashed;   /* how often actors or nodes may crash,                         */
    uint32_t max_reset;     /* connections of TCP break,                                    */
    uint32_t max_short;     /* reads from them get only a part,                             */
    uint32_t max_partitions; /* links between nodes are cut                                 */
    bool fault_rules;       /* the program may allow more faults, see fault_rule.h          */
    uint32_t max_timeouts;  /* per thread; beyond that its timed waits block                */
    bool check_leak;
    bool unset;             /* uninitialised memory holds symbolic inputs                   */
    bool check_overflow;    /* overflow of signed arithmetic is a bug                       */
    bool ignore_exit_code;  /* a non-zero exit status is not a bug                          */
    bool isolate;           /* each execution in a process of its own                       */
    uint32_t restore;       /* RESTORE_*: executions continue where they differ, see restore.h */
    bool verbose;           /* record call stacks (stack.h); slow                           */
    void (*on_step)(uint32_t event); /* verbose: called in the thread that takes the step, when
                               the step begins; NULL: not called                            */
    void (*on_bug)(const char *text); /* called in the thread that has the bug; NULL: not   */
    bool show_output;       /* print the program's output instead of dropping it            */
    const char *solver;     /* path of the solver program; NULL: only the cheap layers      */
    uint32_t solver_timeout_ms; /* per query; 0: a default                                 */
    const char *smtlib;     /* directory for the solver's queries; NULL: not written        */
    uint32_t max_rounds;    /* iterations of a loop; 0: no bound                            */
    uint32_t max_inputs;    /* symbolic inputs that a thread may request; 0: no bound         */
    uint32_t max_children;  /* threads of one creator and place that start; 0: no bound     */
    uint32_t max_processes; /* that one process makes with fork; 0: no bound                */
    uint32_t min_args, max_args, arg_size; /* further arguments that are inputs; 0: none    */
    uint64_t stdin_size;    /* bytes of standard input that are inputs; 0: it is concrete   */
    const RtInputFile *files; /* files that are inputs                                      */
    uint32_t file_count;
    bool states;            /* the search asks for states, see state.h                      */
    uint64_t state_without; /* for tests: parts of the state that are left out, see part.h  */
    uint32_t hang_seconds;  /* longest time without a visible operation; 0: 10              */
} RtOptions;

/* Exit codes of a worker process that the program under test ended. The finding is in the
 * execution, whose end is END_CRASHED. */
enum {
    RT_EXIT_CRASHED = 71,      /* crash, or no visible operation for hang_seconds           */
    RT_EXIT_NOT_MODELLED = 72  /* RtShared.message says what; the run ends with EXIT_USAGE */
};

#endif
