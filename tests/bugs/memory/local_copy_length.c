// bug: bounds
// fixed: exhaustive
// The length comes with the message; the room for the body does not.
#include <string.h>
#include <sennit/sennit.h>

struct message {
    unsigned char kind;
    unsigned short length;
    unsigned char body[4];
};

static int parse(const unsigned char *bytes, size_t size, struct message *message)
{
    message->kind = bytes[0] & 0x7f;
    message->length = (unsigned short)(bytes[1] | bytes[2] << 8);
    if (message->length > size - 3)
        return -1;
#ifdef FIXED
    if (message->length > sizeof message->body)
        return -1;
#endif
    memcpy(message->body, bytes + 3, message->length); // BUG
    return message->length;
}

int main(void)
{
    unsigned char packet[8];
    struct message message;
    sennit_bytes(packet, sizeof packet, "packet");
    parse(packet, sizeof packet, &message); // (BUG)
    return 0;
}
