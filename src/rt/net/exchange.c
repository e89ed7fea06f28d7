/* exchange.c - see exchange.h */
#include "rt/net/exchange.h"

#include <errno.h>

#include "rt/actors/actor_mail.h"
#include "rt/libc/api_libc.h"
#include "rt/sync/cancel.h"
#include "rt/sync/sync.h"

size_t places_size(const Places *places)
{
    size_t size = 0;
    for (int i = 0; i < places->count; i++)
        size += places->parts[i].iov_len;
    return size;
}

void exchange_begin(Exchange *exchange, int64_t timeout)
{
    bool timed = timeout && !(exchange->flags & MSG_DONTWAIT);
    exchange->past_bound = timed && !sync_may_time_out();
    exchange->waits = !(exchange->flags & MSG_DONTWAIT) && (!timed || exchange->past_bound);
    if (exchange->past_bound)
        sync_wait_past_bound(true);
}

ssize_t exchange_end(const Socket *socket, const Exchange *exchange, int64_t timeout, ssize_t result)
{
    if (exchange->past_bound)
        sync_wait_past_bound(false);
    if (result == -1 && errno == EAGAIN && timeout && !(exchange->flags & MSG_DONTWAIT) &&
        !(socket->file & FILE_NO_WAIT))
        sync_time_out_after(timeout);
    return result;
}

void exchange_copy(const Exchange *exchange, unsigned char *into, const unsigned char *from, size_t size)
{
    size_t skip = exchange->done;
    for (int i = 0; size; i++) {
        const struct iovec *part = &exchange->places->parts[i];
        size_t some = part->iov_len > skip ? part->iov_len - skip : 0;
        if (some > size)
            some = size;
        if (some && from) {
            plain_overwrite((char *)part->iov_base + skip, some);
            actor_copy((char *)part->iov_base + skip, from, some);
            from += some;
        } else if (some) {
            actor_copy(into, (const char *)part->iov_base + skip, some);
            into += some;
        }
        skip -= skip < part->iov_len ? skip : part->iov_len;
        size -= some;
    }
}

void exchange_act_if_cancelled(unsigned nth)
{
    if (!cancel_pending(nth))
        return;
    step_done();
    cancel_act();
}
