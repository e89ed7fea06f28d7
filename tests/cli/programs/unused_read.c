// Nobody needs what is read or written: an optimiser removes both, and the crashes with them.
struct Node { int value; struct Node *next; } last, *list = &last;

int main(void)
{
    char *text = "abc";
#ifdef CONSTANT
    text[0] = 'x';
#endif
    (void)list->next->value;
    return text[1] == 'x';
}
