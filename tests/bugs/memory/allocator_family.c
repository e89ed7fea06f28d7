// bug: heap-bounds
// fixed: exhaustive
// Every allocator gives what it promises; the byte behind the last block is touched if the flag is seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_int extra;

static void *raise(void *arg)
{
    atomic_store(&extra, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, raise, NULL);
    char *zeroed = calloc(3, 5);
    for (int i = 0; i < 15; i++)
        assert(zeroed[i] == 0);
    memset(zeroed, 'z', 15);
    zeroed = realloc(zeroed, 100);
    assert(zeroed[14] == 'z');
    zeroed = realloc(zeroed, 10); // (BUG)
    void *aligned = NULL;
    assert(posix_memalign(&aligned, 256, 10) == 0 && (uintptr_t)aligned % 256 == 0);
    void *page = aligned_alloc(4096, 4096);
    assert((uintptr_t)page % 4096 == 0);
    char *text = strdup("text"), *part = strndup("text", 2);
    assert(strcmp(text, "text") == 0 && strcmp(part, "te") == 0);
    free(NULL);
    void *nothing = realloc(NULL, 3);
#ifdef FIXED
    zeroed[9 - atomic_load(&extra)] = 1;
#else
    zeroed[9 + atomic_load(&extra)] = 1; // BUG
#endif
    pthread_join(t, NULL);
    free(zeroed);
    free(aligned);
    free(page);
    free(text);
    free(part);
    free(nothing);
    return 0;
}
