/* options.c - long options in arguments that are inputs
 *
 * litmus: --sym-args 1 1 4 -> executions 29 verdict bounded bugs assertion
 *
 * No option (an argument without dash, a single dash), two dashes, or: two dashes and an equals sign; and one letter, u, d
 * or another, with an equals sign behind it or without (3 each); and two letters, the first or both of which are right
 * (5). One dash and one to three letters, each a u or not: 2 + 2 * 2 + 2 * 2 * 2.
 */
#include <getopt.h>
#include <sennit/sennit.h>

int main(int argc, char **argv)
{
    static const struct option list[] = {{"up", no_argument, 0, 'u'}, {"do", required_argument, 0, 'd'}, {0, 0, 0, 0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "u", list, 0)) != -1;)
        sennit_assert(option != 'd');
    return 0;
}
