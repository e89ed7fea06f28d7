/* memory.h - the program's heap: its blocks, and which bytes may be accessed
 *
 * Blocks come from a bump arena per thread, at addresses that do not depend on the
 * schedule, and are never reused in an execution. A shadow byte per 8 bytes says how many
 * of them (from the first) may be accessed: 0 none, 1..8; FREED a freed block; SIZED a
 * block of symbolic size, where that is a condition on the inputs; READABLE memory that may
 * only be read (mprotect).
 */
#ifndef RT_MEMORY_MEMORY_H
#define RT_MEMORY_MEMORY_H

#include "base/error.h"
#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"

enum { SHADOW_FREED = 0xff, SHADOW_SIZED = 0xfe, SHADOW_READABLE = 0xfd };
enum { MEMORY_FILL = 0xbe }; /* the value of uninitialised bytes */

extern uint8_t *memory_shadow __attribute__((visibility("hidden"))); /* index: (address - heaps) >> 3 */

static inline uint8_t *memory_shadow_of(uint64_t address)
{
    return memory_shadow + ((address - (ARENA_BASE + HEAP_OFFSET)) >> 3);
}

typedef enum BlockKind {
    BLOCK_HEAP,           /* malloc and its relatives                                          */
    BLOCK_LOCAL,          /* a local variable                                                  */
    BLOCK_THREAD_LOCAL,   /* one thread's copy of a thread-local variable                      */
    BLOCK_STREAM,         /* stands for a stream of the C library (rt/io/stream_memory.h)      */
    BLOCK_KEY,            /* stands for a key of thread-specific values (rt/sync/keys.c)       */
} BlockKind;

/* A block of the heap, alive or freed. */
typedef struct Block {
    uint64_t address;
    uint64_t size;
    uint64_t site;        /* where it was allocated, or 0 */
    uint64_t free_site;   /* where it was freed, or 0 */
    AgentId agent;        /* that allocated it, and when (race_clock.h) */
    uint32_t clock;
    AgentId freed_by;
    uint32_t free_step;   /* position of the step it was freed in */
    uint32_t number;      /* of the block among those of its agent that have one: 1, 2, ... */
    bool freed;
    uint8_t kind;         /* BlockKind */
    bool lazy;            /* its pages are opened when they are accessed (pages.h)       */
    uint8_t rights;       /* lazy: shadow of pages whose rights have not changed          */
    bool mapped;          /* by mmap: whole pages, of which some may be freed or closed */
    bool mapped_shared;   /* MAP_SHARED                                                 */
    AgentId protect_by;   /* whose mprotect was the last, and its clock (0: none)       */
    uint32_t protect_clock;
    uint64_t place;       /* of a variable-length array: where its room on the stack is */
    bool marked;          /* reachable; used by leak.c */
    uint32_t size_shadow; /* expression of a symbolic size */
    uint64_t room;        /* 0, or the largest value of a symbolic size */
} Block;

/* Bytes that belong to the block for some inputs. */
static inline uint64_t block_room(const Block *block) { return block->room ? block->room : block->size; }
static inline uint64_t block_end(const Block *block) { return block->address + block_room(block); }
/* It has no memory of the program: what it stands for does. */
static inline bool block_is_stand_in(const Block *block) { return block->kind >= BLOCK_STREAM; }

bool memory_init(Error *error);
void memory_reset(void);
/* The same, but for what processes share: before an image of another process is put back. */
void memory_reset_own(void);
/* For an image of the execution, which is put back behind memory_reset; false: there are blocks too large for one. */
bool memory_save(RtImage *image);
/* The block that contains the address or else the nearest one in the same heap; NULL if there is none. */
Block *memory_find_block(uint64_t address);
/* Calls `each` for every block of the execution. */
void memory_each_block(void (*each)(void *context, Block *block), void *context);

/* A new block of the running thread; NULL (and errno) if the size exceeds any address space. Stops the
 * thread by a bound if the heap is full. */
void *memory_allocate(uint64_t size, uint64_t alignment);
/* The same, at an address of its own in all processes, which share it. */
void *memory_allocate_shared(uint64_t size, uint64_t alignment);
/* The same for a block that no function of the program allocates; it has no number. */
Block *memory_allocate_kind(BlockKind kind, uint64_t size, uint64_t alignment);
/* The same for a symbolic size of at most `room`; see shadow_size.h. */
void *memory_allocate_sized(uint64_t size, uint64_t room, uint32_t size_shadow);
/* The running thread frees the block: a write of all of it. */
void memory_release(Block *block);
/* The same where something else announces the write. */
void memory_mark_freed(Block *block);
/* Frees the local variables of the running thread that are still alive, from its block `first` on. */
void memory_free_locals(uint64_t first);
/* The running thread ends: frees its thread-local variables, too. */
void memory_free_thread(void);
/* Fills a small block; larger ones stay zero. */
void memory_fill(void *block, uint64_t size, uint8_t byte);


#endif
