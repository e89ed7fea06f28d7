// bug: use-after-return
// fixed: exhaustive
// A structure that is passed by value ends with the function that it is passed to, not with its caller.
struct list {
    int items[20];
};

static int *kept;

__attribute__((noinline)) static int keep(struct list list)
{
    kept = list.items;
    return kept[3];
}

int main(void)
{
    struct list list = {{1, 2, 3, 4}};
    int last = keep(list) - list.items[3];
#ifndef FIXED
    last += *kept; // BUG
    return last - 1;
#else
    return last;
#endif
}
