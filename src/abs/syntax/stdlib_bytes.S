/* stdlib_bytes.S - the file stdlib.abs as bytes of the program */
    .section .rodata
    .global sennit_stdlib_begin
    .global sennit_stdlib_end
sennit_stdlib_begin:
    .incbin "abs/syntax/stdlib.abs"
sennit_stdlib_end:
    .section .note.GNU-stack, "", %progbits
