/* stdlib_bytes.S - the files stdlib.abs, meta.abs, deployment.abs and absunit.abs as bytes of the program */
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
    .global sennit_absunit_begin
    .global sennit_absunit_end
sennit_absunit_begin:
    .incbin "abs/syntax/absunit.abs"
sennit_absunit_end:
    .section .note.GNU-stack, "", %progbits
