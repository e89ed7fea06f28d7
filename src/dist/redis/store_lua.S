/* store_lua.S - the file store.lua as bytes of the program */
    .section .rodata
    .global sennit_store_lua_begin
    .global sennit_store_lua_end
sennit_store_lua_begin:
    .incbin "dist/redis/store.lua"
sennit_store_lua_end:
    .section .note.GNU-stack, "", %progbits
