/* vote.c - the election of a leader, as in Raft: at most one in each term, whatever a crash does to those who vote
 *
 * A server that is told to (its clock has run out) asks all others for their votes in a new term; each server has one
 * vote in a term. Whoever has most votes says so, and no server may hear of another leader in the term of its own. What
 * a server has promised it must know when it starts again after a crash: so term and vote are in a file before it
 * answers. With -DWRONG they are written after the answer, with -DUNSYNCED not made safe against a loss of power. See
 * vote.conf.
 *
 *     sennit cc -O1 vote.c -o vote && sennit explore --cluster vote.conf --crash=1
 *
 * 1,184 executions cover every schedule without a crash, 77,835 those with one; each bug is found within a second.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { SERVERS = 3, PORT = 5000, SOCKET = 3, NOBODY = 0 };

typedef struct Message {
    char what; /* 't': time-out, 'v': vote for me, 'y': yes, 'l': I lead */
    char from;
    int term;
} Message;

static struct {
    int term, vote;
} promised;

static int self, votes, leads; /* leads: the term in which it is the leader */

static void send_to(int server, char what)
{
    Message message = {what, (char)self, promised.term};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(0x0a000000 + (unsigned)server);
    sendto(SOCKET, &message, sizeof message, 0, (struct sockaddr *)&to, sizeof to);
}

static void send_to_others(char what)
{
    for (int server = 1; server <= SERVERS; server++)
        if (server != self)
            send_to(server, what);
}

static void save(void)
{
    int file = open("promised", O_WRONLY | O_CREAT, 0600);
    assert(pwrite(file, &promised, sizeof promised, 0) == sizeof promised);
#ifndef UNSYNCED
    assert(fsync(file) == 0);
#endif
    close(file);
}

static void load(void)
{
    int file = open("promised", O_RDONLY);
    if (file < 0)
        return;
    if (read(file, &promised, sizeof promised) != sizeof promised)
        promised.term = promised.vote = 0;
    close(file);
}

static void begin_election(void)
{
    promised.term++;
    promised.vote = self;
    votes = 1;
    save();
    send_to_others('v');
}

static void consider(const Message *message)
{
    if (message->term < promised.term || (message->term == promised.term && promised.vote != NOBODY))
        return;
    promised.term = message->term;
    promised.vote = message->from;
#ifdef WRONG
    send_to(message->from, 'y');
    save();
#else
    save();
    send_to(message->from, 'y');
#endif
}

static void count_vote(const Message *message)
{
    if (message->term != promised.term || promised.vote != self || 2 * ++votes <= SERVERS || leads == promised.term)
        return;
    leads = promised.term;
    send_to_others('l');
}

static void handle(const Message *message)
{
    switch (message->what) {
    case 't': begin_election(); break;
    case 'v': consider(message); break;
    case 'y': count_vote(message); break;
    case 'l': assert(leads != message->term); break;
    }
}

/* The clocks of the first two servers run out. */
static int let_time_pass(void)
{
    send_to(1, 't');
    send_to(2, 't');
    return 0;
}

int main(int argc, char **argv)
{
    Message message;
    if (argc < 2)
        return 2;
    if (argv[1][0] == 't')
        return let_time_pass();
    self = atoi(argv[1]);
    load();
    while (read(SOCKET, &message, sizeof message) == sizeof message)
        handle(&message);
    return 1;
}
