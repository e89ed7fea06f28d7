/* suite_bytes.S - the header that generated tests of C functions use, as bytes of the program */
    .section .rodata
    .global suite_check_h, suite_check_h_end
suite_check_h:
    .incbin "cgen/suite/sennit_check.h"
suite_check_h_end:
    .section .note.GNU-stack, "", %progbits
