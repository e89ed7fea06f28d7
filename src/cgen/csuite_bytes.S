/* csuite_bytes.S - the header that generated tests of C functions use, as bytes of the program */
    .section .rodata
    .global csuite_check_h, csuite_check_h_end
csuite_check_h:
    .incbin "cgen/suite/sennit_check.h"
csuite_check_h_end:
    .section .note.GNU-stack, "", %progbits
