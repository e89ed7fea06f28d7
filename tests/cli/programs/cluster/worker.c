/* worker.c - a server whose other thread answers; main ends the node when it has got a byte on another connection */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int listener, answered;

static void *answer(void *unused)
{
    char byte;
    int connection = accept(listener, NULL, NULL);
    (void)unused;
    assert(connection >= 0); /* not that the node has ended */
    assert(read(connection, &byte, 1) >= 0);
    answered = write(connection, "1", 1) == 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(4000)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 5) != 0)
        exit(9);
    pthread_create(&thread, NULL, answer, NULL);
    int connection = accept(listener, NULL, NULL);
    close(connection);
    return 0;
}
