/* noargs.c - main without parameters */
#include <stdio.h>
int main() { puts("no arguments"); }
