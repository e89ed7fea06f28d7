/* stdlib_bytes.S - the files stdlib.abs, meta.abs and deployment.abs as bytes of the program */
    .section .rodata
    .global sennit_stdlib_begin
    .global sennit_stdlib_end
    .global sennit_meta_begin
    .global sennit_meta_end
sennit_stdlib_begin:
    .incbin "abs/syntax/stdlib.abs"
sennit_stdlib_end:
sennit_meta_begin:
    .incbin "abs/syntax/meta.abs"
sennit_meta_end:
    .global sennit_deployment_begin
    .global sennit_deployment_end
sennit_deployment_begin:
    .incbin "abs/syntax/deployment.abs"
sennit_deployment_end:
    .section .note.GNU-stack, "", %progbits
