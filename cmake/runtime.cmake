# lib/sennit-rt.o: everything that a test binary needs, as one relocatable object in which
# only the hooks, main and the thread-local storage function can be seen. They are weak: a
# program may have its own function of a modelled name, and one
# whose main is uninstrumented still links, and runs like an ordinary program. Its code has a
# section of its own, by which call stacks know its frames; its variables have two, which tell
# the race detector that they are not the program's.
set(rt_layers)
foreach(layer subject_c app report rt core sym base)
  if(TARGET sennit_${layer})
    list(APPEND rt_layers sennit_${layer})
  endif()
endforeach()

# Tracked versions of functions of the C library: compiled like a program with inputs.
find_program(CLANG NAMES clang-19 HINTS /usr/lib/llvm-19/bin REQUIRED)
set(tracked_objects)
file(GLOB tracked_sources CONFIGURE_DEPENDS src/tracked/*.c)
file(GLOB tracked_headers CONFIGURE_DEPENDS src/tracked/*.h src/rt/abi/tracked_hooks.h)
foreach(source ${tracked_sources})
  get_filename_component(name ${source} NAME_WE)
  set(stem ${CMAKE_BINARY_DIR}/tracked/${name})
  add_custom_command(
    OUTPUT ${stem}.o
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/tracked
    COMMAND ${CLANG} -std=c17 -O1 -Xclang -disable-llvm-passes -fno-builtin -fno-pie -fno-stack-protector -fno-omit-frame-pointer
            -femulated-tls -I${CMAKE_SOURCE_DIR}/src -emit-llvm -c ${source} -o ${stem}.bc
    COMMAND sennit-instr --library ${stem}.bc -o ${stem}.instr.bc
    COMMAND ${CLANG} -O2 -fno-pie -fno-omit-frame-pointer -femulated-tls -c -x ir ${stem}.instr.bc -o ${stem}.o
    DEPENDS ${source} src/tracked/tracked.def ${tracked_headers} sennit-instr
    COMMENT "Building tracked/${name}.o"
    VERBATIM)
  list(APPEND tracked_objects ${stem}.o)
endforeach()

if(TARGET sennit_rt AND TARGET sennit_subject_c)
  set(rt_archives)
  foreach(layer ${rt_layers})
    list(APPEND rt_archives $<TARGET_FILE:${layer}>)
  endforeach()
  set(rt_strip --strip-debug)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(rt_strip)
  endif()
  set(rt_object ${CMAKE_BINARY_DIR}/lib/sennit-rt.o)
  add_custom_command(
    OUTPUT ${rt_object}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib
    COMMAND ${CMAKE_LINKER} -r -o ${rt_object}.all --whole-archive ${rt_archives} ${tracked_objects}
    COMMAND ${CMAKE_OBJCOPY} ${rt_strip} --wildcard --keep-global-symbol=sennit_*
            --keep-global-symbol=main --keep-global-symbol=__emutls_get_address
            --weaken-symbol=main --weaken-symbol=sennit_*
            --rename-section .text=sennit_runtime --rename-section .text.startup=sennit_runtime
            --rename-section .text.unlikely=sennit_runtime --rename-section .text.hot=sennit_runtime
            --rename-section .text.exit=sennit_runtime
            --rename-section .data=sennit_own_data --rename-section .data.rel.local=sennit_own_data
            --rename-section .bss=sennit_own_zeros ${rt_object}.all ${rt_object}
    DEPENDS ${rt_layers} ${tracked_objects}
    COMMENT "Building lib/sennit-rt.o"
    VERBATIM)
  # lib/sennit-linker: how clang calls the linker here, so that `sennit cc` can without it.
  set(linker_words ${CMAKE_BINARY_DIR}/lib/sennit-linker)
  add_custom_command(
    OUTPUT ${linker_words}
    COMMAND ${CMAKE_COMMAND} -DCLANG=${CLANG} -DOBJECT=${rt_object} -DOUTPUT=${linker_words}
            -P ${CMAKE_SOURCE_DIR}/cmake/linker_words.cmake
    DEPENDS ${rt_object} ${CMAKE_SOURCE_DIR}/cmake/linker_words.cmake
    VERBATIM)
  add_custom_target(sennit-rt ALL DEPENDS ${rt_object} ${linker_words})
endif()
