// not modelled: epoll with EPOLLET
// Edges are no property of what a descriptor holds.
#include <sys/epoll.h>
#include <sys/eventfd.h>

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    int epoll = epoll_create1(0);
    return epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(0, 0), &event); // HERE
}
