/* pipe.h - pipes and socket pairs between threads of the program, as channels
 *
 * A descriptor stands for an end; an end reads from a channel, writes to one, or (a socket) reads
 * from one and writes to another. All that can be observed of a channel is its value: how many
 * bytes are in it, how much room is left, and marks. So what enables a read, a write or a poll is
 * a condition on the value. (docs/design/dependence.md)
 */
#ifndef RT_LIBC_PIPE_H
#define RT_LIBC_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/event.h"

/* The value of a channel: bytes in it, room that is left, marks. */
#define PIPE_COUNT (((int64_t)1 << 24) - 1)
#define PIPE_ROOM (PIPE_COUNT << 24)
#define PIPE_MARK(n) ((int64_t)1 << (48 + (n)))
#define PIPE_WRITER_GONE PIPE_MARK(0)   /* no more bytes will be written            */
#define PIPE_READER_GONE PIPE_MARK(1)   /* no more bytes will be read               */
#define PIPE_WRITER_CLOSED PIPE_MARK(2) /* the descriptor that writes was closed    */
#define PIPE_READER_CLOSED PIPE_MARK(3)
#define PIPE_NO_WAIT_READ PIPE_MARK(4)  /* O_NONBLOCK of the descriptor that reads  */
#define PIPE_NO_WAIT_WRITE PIPE_MARK(5)
#define PIPE_RESET PIPE_MARK(6)         /* a socket was closed with unread bytes    */
#define PIPE_HUNG_UP PIPE_MARK(7)       /* a socket pair is shut in both directions */

static inline int64_t pipe_count(int64_t value) { return value & PIPE_COUNT; }
static inline int64_t pipe_room(int64_t value) { return (value & PIPE_ROOM) >> 24; }

enum { PIPE_ATOMIC = 4096 }; /* writes of up to this many bytes are not split */

typedef struct Chunk Chunk;

typedef struct Channel {
    uint64_t resource;
    int64_t value;
    int64_t writable;    /* room that counts as POLLOUT     */
    Chunk *first, **end;
} Channel;

typedef struct EventCounter EventCounter;
typedef struct Epoll Epoll;
typedef struct Socket Socket;
typedef struct EndUser EndUser;
typedef struct PipeEnd PipeEnd;
/* The processes that have an end, or had it. */
typedef struct EndHolders {
    uint64_t resource;
    int64_t left;      /* its value: how many have closed it */
    int64_t count;
} EndHolders;

struct PipeEnd {
    PipeEnd *next;
    int descriptor;
    uint64_t name;    /* unique: its number (descriptor.h), and how often that was given before */
    AgentId owner;    /* the thread that got it, and when: see race_clock.h */
    uint32_t made;
    EndUser *users;   /* other threads that have used it */
    bool left;        /* its owner has closed it         */
    EndHolders *holders; /* NULL: only this process has had it; or it has left it, and */
    bool is_shared;      /* others had not                                             */
    bool inherited;      /* the process has it since it was made                       */
    bool socket, packets, datagrams;
    Channel *in, *out;
    /* An eventfd (eventfd.h) and an epoll (epoll.h) have no channels. Else NULL. */
    EventCounter *counter;
    Epoll *epoll;
    Socket *net;      /* a socket of a stream (rt/net/socket.h) has none either */
};

/* The end that a descriptor stands for, also after it was closed; NULL if it is a descriptor of
 * the system. (descriptor.c) */
PipeEnd *pipe_find(int descriptor);
/* The same in a call that a loop may poll with: what it does with one of the system no step shows (SPIN-11). */
PipeEnd *pipe_find_polled(int descriptor);
/* A new descriptor of the running thread. */
PipeEnd *pipe_add_end(void);

/* As socketpair with SOCK_SEQPACKET or SOCK_DGRAM. */
int pipe_make_packets(int type, int descriptors[2]);

/* As read and write: the result, or -1 and errno. */
ssize_t pipe_read(PipeEnd *end, void *to, size_t size);
typedef enum PipeSignal { PIPE_SIGNALS, PIPE_SILENT } PipeSignal; /* SIGPIPE, or EPIPE only */
ssize_t pipe_write(PipeEnd *end, const void *from, size_t size, PipeSignal signal);
int pipe_close(PipeEnd *end);
/* The sockets of the running thread's node, at its end. */
void pipe_close_sockets(void);
/* All that the running thread's process has, at its end. */
void pipe_close_all(void);
/* Once per process of the system. */
void pipe_init(void);
/* The step that forks: another process has the ends, too. Makes the list in place that of this process, whose first
 * thread is given. */
void pipe_fork(AgentId first, unsigned process);
/* Has the process an epoll? */
bool pipe_has_epoll(void);
/* Closes ends that other processes have had, which is one step for all that have them still. */
void pipe_close_together(PipeEnd *const *ends, unsigned count);
/* The numbers of the running thread's node are free: it has crashed. */
void pipe_abandon_all(void);
/* As shutdown of a socket. */
int pipe_shutdown(PipeEnd *end, int how);
/* Sets or clears O_NONBLOCK; and whether it is set, or -1. */
int pipe_set_no_wait(PipeEnd *end, bool no_wait);
int pipe_get_no_wait(PipeEnd *end);

#endif
