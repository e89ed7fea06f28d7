/* own_toupper.c - a function of the program that has the name of a library function, and does something else */
int toupper(int c);

int toupper(int c) { return c == 3 ? 42 : c == 42 ? 0 : c + (c == 41 ? 2 : 1); }
