/* csuite_bytes.S - the header of generated tests of C functions, embedded in the program */
    .section .rodata
    .global csuite_check_h, csuite_check_h_end
csuite_check_h:
    .incbin "cgen/suite/sennit_check.h"
csuite_check_h_end:
    .section .note.GNU-stack, "", %progbits
