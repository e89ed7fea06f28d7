/* driver_bytes.S - files that a set of tests consists of, as bytes of the program */
    .section .rodata
    .global driver_text, driver_text_end, driver_inputs, driver_inputs_end
    .global driver_sennit_h, driver_sennit_h_end, driver_klee_h, driver_klee_h_end
    .global driver_actor_h, driver_actor_h_end, driver_actors, driver_actors_end
    .global driver_monitor_h, driver_monitor_h_end
    .global driver_linearizable_h, driver_linearizable_h_end
driver_text:
    .incbin "subject/c/driver/driver.c"
driver_text_end:
driver_inputs:
    .incbin "rt/abi/inputs.def"
driver_inputs_end:
driver_sennit_h:
    .incbin "sennit/sennit.h"
driver_sennit_h_end:
driver_klee_h:
    .incbin "klee/klee.h"
driver_klee_h_end:
driver_actor_h:
    .incbin "sennit/actor.h"
driver_actor_h_end:
driver_monitor_h:
    .incbin "sennit/monitor.h"
driver_monitor_h_end:
driver_linearizable_h:
    .incbin "sennit/linearizable.h"
driver_linearizable_h_end:
driver_actors:
    .incbin "inert/live.c"
driver_actors_end:
    .section .note.GNU-stack, "", %progbits
