/* page_bytes.S - the file page.html as bytes of the program */
    .section .rodata
    .global sennit_page_begin
    .global sennit_page_end
sennit_page_begin:
    .incbin "page.html"
sennit_page_end:
    .section .note.GNU-stack, "", %progbits
