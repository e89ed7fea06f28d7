/* process.h - the processes that a program makes with fork, each with a memory of its own
 *
 * All of them are threads of the runtime, and their memory has the same addresses: what one process has of it lies in
 * place while a thread of that process runs, else in an image. The two are exchanged when a thread of another process
 * continues. Objects and words of memory are resources of one process: their names have its tag.
 *
 * Processes are numbered in the order in which an execution makes them, from 0, the program as it begins. That number
 * is an index only. What the program or the search sees of a process follows from its first thread.
 */
#ifndef RT_KERNEL_PROCESS_H
#define RT_KERNEL_PROCESS_H

#include "rt/kernel/image.h"
#include "rt/kernel/node.h"
#include "rt/kernel/runtime.h"

enum { RT_PROCESSES = 64 };

/* The value of RES_PROCESS. */
enum { PROCESS_RUNS, PROCESS_ENDED, PROCESS_FORGOTTEN /* its parent has waited for it, or never will */ };

typedef struct Process {
    AgentId first;     /* its first thread                                      */
    unsigned parent;
    int number;        /* see process_number; 0: the first process               */
    int status;        /* as wait tells it                                      */
    int64_t life;      /* value of its resource                                 */
    uint32_t forks;    /* how often it has called fork                          */
    uint64_t tag;      /* in names of its objects; 0: the first process          */
    RtImage memory;    /* while it is not in place                              */
    unsigned char *kept; /* likewise: the variables of node_keep                */
} Process;

/* ---- Lifecycle ---------------------------------------------------------------------------- */

/* What copies the memory in place to an image, and puts an image in its place. */
typedef struct ProcessMemory {
    void (*save)(RtImage *image);
    void (*put_back)(const RtImage *image);
} ProcessMemory;

/* Once per process of the system: can the program fork, how is its memory exchanged, and what does the running thread
 * do when a signal ends its process? */
void process_init(bool possible, ProcessMemory memory, void (*end)(int signal));
_Noreturn void process_end_by(int signal);
bool process_is_possible(void);
/* An execution begins, with one process. */
void process_reset(void);

/* ---- Processes ---------------------------------------------------------------------------- */

unsigned process_count(void);
Process *process_get(unsigned process);
/* Of the running thread. */
static inline unsigned process_self(void) { return rt.self ? rt.self->process : 0; }
/* As getpid says; and the process of this number, UINT_MAX: none. */
int process_number(unsigned process);
unsigned process_find(int number);
uint64_t process_resource(unsigned process);
/* What distinguishes resources of a process, or a node, that are not named by addresses: below 512. */
uint64_t process_bits_of(unsigned process, unsigned shift);
static inline uint64_t process_bits(unsigned shift) { return process_bits_of(process_self(), shift); }

/* Is the running thread the only one of its process, whatever the schedule? */
bool process_is_single(void);
/* Is it the one that the process began with? */
static inline bool process_is_first(void) { return rt.self->id == process_get(rt.self->process)->first; }

/* The running thread makes a copy of its process, whose first thread is `child`. `begin` changes the copy's variables
 * of node_keep. Returns twice: in the parent the process made, in the child 0. */
unsigned process_copy(Thread *child, void (*begin)(unsigned process));

/* ---- For the scheduler ---------------------------------------------------------------------- */

/* The context to continue with in place of `load`, which belongs to another process than the one in place. */
void *process_exchange(unsigned process, void *load);

#endif
