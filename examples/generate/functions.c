/* functions.c - ten functions as they are found in programs, to make tests for
 *
 *     sennit generate functions.c --function utf8_decode
 *
 * writes utf8_decode-tests/utf8_decode_tests.c, which does not need Sennit. tests/tcg/c_suites.sh does that for all
 * of them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- 1. A decoder ------------------------------------------------------------------------ */

/* The bytes of the first character, which goes to *code; 0 if there is none. */
size_t utf8_decode(const unsigned char *bytes, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800};
    if (size == 0)
        return 0;
    size_t length = bytes[0] < 0x80 ? 1 : (bytes[0] & 0xe0) == 0xc0 ? 2 : (bytes[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (length == 0 || length > size)
        return 0;
    uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x3fu >> (length - 1));
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    if (value < least[length])
        return 0;
    *code = value;
    return length;
}

/* ---- 2. A ring buffer -------------------------------------------------------------------- */

enum { RING_ROOM = 4 };

typedef struct Ring {
    int items[RING_ROOM];
    unsigned head, count;
} Ring;

/* False if it is full, or broken. */
bool ring_push(Ring *ring, int item)
{
    if (ring->count >= RING_ROOM || ring->head >= RING_ROOM)
        return false;
    ring->items[(ring->head + ring->count) % RING_ROOM] = item;
    ring->count++;
    return true;
}

/* ---- 3. Numbers as text -------------------------------------------------------------------- */

/* The text in `buffer`, or NULL if there is no room for it. */
char *number_text(int8_t number, char *buffer, size_t size)
{
    char digits[8];
    size_t count = 0, at = 0;
    int rest = number < 0 ? -number : number;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        digits[count++] = '-';
    if (count + 1 > size)
        return NULL;
    while (count > 0)
        buffer[at++] = digits[--count];
    buffer[at] = '\0';
    return buffer;
}

/* ---- 4. Dates ------------------------------------------------------------------------------- */

typedef struct Date {
    int year;
    uint8_t month, day;
} Date;

typedef enum DateError { DATE_GOOD, DATE_YEAR, DATE_MONTH, DATE_DAY } DateError;

DateError date_check(Date date)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (date.year < 1583)
        return DATE_YEAR;
    if (date.month < 1 || date.month > 12)
        return DATE_MONTH;
    bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
    int most = days[date.month - 1] + (date.month == 2 && leap ? 1 : 0);
    return date.day < 1 || date.day > most ? DATE_DAY : DATE_GOOD;
}

/* ---- 5. A set of bits -------------------------------------------------------------------------- */

typedef union Bits {
    uint64_t all;
    uint32_t half[2];
} Bits;

/* Adds a number below 64; whether it is new. */
bool bits_add(Bits *bits, unsigned number)
{
    if (number >= 64)
        return false;
    uint64_t bit = (uint64_t)1 << number;
    if (bits->all & bit)
        return false;
    bits->all |= bit;
    return true;
}

/* ---- 6. A sorted list --------------------------------------------------------------------------- */

typedef struct Node {
    int value;
    struct Node *next;
} Node;

/* The new first node. */
Node *list_insert(Node *list, int value)
{
    if (list && list->value < value) {
        list->next = list_insert(list->next, value);
        return list;
    }
    Node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

/* ---- 7. A matrix ----------------------------------------------------------------------------------- */

typedef struct Matrix {
    int8_t rows[2][3];
    int16_t sums[2];
    double scale;
} Matrix;

/* The row with the largest sum. */
int matrix_sums(Matrix *matrix)
{
    for (int i = 0; i < 2; i++) {
        matrix->sums[i] = 0;
        for (int k = 0; k < 3; k++)
            matrix->sums[i] = (int16_t)(matrix->sums[i] + matrix->rows[i][k]);
    }
    matrix->scale = matrix->scale / 2 + 1;
    if (matrix->sums[0] >= matrix->sums[1])
        return 0;
    return 1;
}

/* ---- 8. A machine with states ------------------------------------------------------------------------ */

typedef enum State { STATE_TEXT, STATE_SLASH, STATE_COMMENT, STATE_STAR } State;

/* One more character of a C program; comments are counted. */
static State comment_step(State state, char c, unsigned *comments)
{
    switch (state) {
    case STATE_TEXT:
        if (c == '/')
            state = STATE_SLASH;
        break;
    case STATE_SLASH:
        if (c != '/')
            state = c == '*' ? STATE_COMMENT : STATE_TEXT;
        break;
    case STATE_COMMENT:
        if (c == '*')
            state = STATE_STAR;
        break;
    case STATE_STAR:
        if (c == '/') {
            ++*comments;
            state = STATE_TEXT;
        } else if (c != '*') {
            state = STATE_COMMENT;
        }
        break;
    }
    return state;
}

/* ---- 9. A checksum ------------------------------------------------------------------------------------- */

typedef struct Packet {
    uint8_t kind;
    uint8_t check;
    uint8_t data[];
} Packet;

/* Does the packet have the right checksum? Two bytes follow the header. */
bool packet_check(const Packet *packet)
{
    uint8_t sum = packet->kind;
    for (int i = 0; i < 2; i++)
        sum = (uint8_t)(sum * 31 + packet->data[i]);
    if (sum != packet->check)
        return false;
    return true;
}

uint16_t checksum(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += i % 2 ? (uint32_t)bytes[i] << 8 : bytes[i];
    return (uint16_t)~(sum + (sum >> 16));
}

/* ---- 10. Words ------------------------------------------------------------------------------------------- */

/* What a word means, or NULL; `*rest` is behind it. */
const char *keyword(const char *text, const char **rest)
{
    static const char *const words[][2] = {{"if", "condition"}, {"do", "loop"}};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(words[i][0]);
        if (strncmp(text, words[i][0], length) == 0) {
            *rest = text + length;
            return words[i][1];
        }
    }
    *rest = text;
    return NULL;
}

/* ---- What it gets is given back, or may be the same --------------------------------------------------------- */

int take_over(Node *list)
{
    int value = list->value;
    free(list->next);
    free(list);
    return value;
}

/* Wrong if both are the same. */
void exchange(int *a, int *b)
{
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}
