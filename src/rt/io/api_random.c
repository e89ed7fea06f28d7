/* api_random.c - see random.h; getrandom, getentropy, arc4random, instructions such as rdrand
 *
 * They must be the same in every execution, in whatever order threads ask for them: a thread's numbers depend on which
 * thread it is and on how many it has drawn. Other numbers are not explored, and the verdict says so.
 */
#include "rt/io/random.h"

#include <sys/mman.h>

#include "base/map.h"
#include "rt/detect/unseen.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/agents.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api_libc.h"
#include "rt/sync/plain.h"

enum { MOST_ENTROPY = 256, DEVICE_NUMBERS = 1 << 17 };

static uint64_t draw(Thread *thread) { return map_mix(agents_hash(thread->id) + 1, ++thread->drawn); }

static void fill(void *to, size_t size)
{
    unsigned char *at = to;
    for (size_t done = 0; done < size;) {
        uint64_t number = draw(rt.self);
        size_t part = size - done < sizeof number ? size - done : sizeof number;
        memcpy(at + done, &number, part);
        done += part;
    }
}

static void give(void *to, size_t size, const char *function)
{
    plain_write(address_of(to), size);
    fill(to, size);
    shadow_memory_overwritten(to, size);
    unseen_note(UNSEEN_RANDOM, function, sennit_rt_site);
}

ssize_t sennit_rt_getrandom(void *to, size_t size, unsigned flags)
{
    if (!rt.self)
        return getrandom(to, size, flags);
    if (flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) {
        errno = EINVAL;
        return -1;
    }
    give(to, size, "getrandom");
    return (ssize_t)size;
}

int sennit_rt_getentropy(void *to, size_t size)
{
    if (!rt.self)
        return getentropy(to, size);
    if (size > MOST_ENTROPY) {
        errno = EIO;
        return -1;
    }
    give(to, size, "getentropy");
    return 0;
}

void sennit_rt_arc4random_buf(void *to, size_t size)
{
    if (rt.self)
        give(to, size, "arc4random_buf");
    else
        arc4random_buf(to, size);
}

static uint64_t number(const char *function)
{
    unseen_note(UNSEEN_RANDOM, function, sennit_rt_site);
    return draw(rt.self);
}

/* What instructions that draw a random number are translated to; before main it is 0. */
unsigned long sennit_rt___sennit_random_number(void) { return rt.self ? number("the processor") : 0; }

uint32_t sennit_rt_arc4random(void) { return rt.self ? (uint32_t)number("arc4random") : arc4random(); }

uint32_t sennit_rt_arc4random_uniform(uint32_t limit)
{
    if (!rt.self)
        return arc4random_uniform(limit);
    return limit ? (uint32_t)number("arc4random_uniform") % limit : 0;
}

/* ---- The device ------------------------------------------------------------------------- */

bool random_is_device(const char *name)
{
    return strcmp(name, "/dev/urandom") == 0 || strcmp(name, "/dev/random") == 0;
}

/* A megabyte is as good as no end. */
static int make_contents(void)
{
    int contents = memfd_create("random", MFD_CLOEXEC);
    for (uint64_t i = 0; contents >= 0 && i < DEVICE_NUMBERS; i++) {
        uint64_t value = map_mix(0, i + 1);
        if (write(contents, &value, sizeof value) != sizeof value)
            break;
    }
    return contents;
}

int random_open_device(const char *name, int flags)
{
    static int contents = -1;
    char path[40];
    unseen_note(UNSEEN_RANDOM, name, sennit_rt_site);
    if (contents < 0)
        contents = make_contents();
    snprintf(path, sizeof path, "/proc/self/fd/%d", contents);
    return open(path, O_RDONLY | O_CLOEXEC | (flags & O_NONBLOCK));
}
