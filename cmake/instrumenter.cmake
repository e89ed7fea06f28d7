# sennit-instr: the instrumenter, the only part that sees LLVM.
find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
foreach(what includedir libdir)
  execute_process(COMMAND ${LLVM_CONFIG} --${what}
                  OUTPUT_VARIABLE llvm_${what} OUTPUT_STRIP_TRAILING_WHITESPACE)
endforeach()
find_library(LLVM_LIBRARY NAMES LLVM-19 HINTS ${llvm_libdir} REQUIRED)

sennit_sources(instr_sources instr)
add_executable(sennit-instr ${instr_sources})
target_include_directories(sennit-instr SYSTEM PRIVATE ${llvm_includedir})
target_link_libraries(sennit-instr PRIVATE sennit_base ${LLVM_LIBRARY})
set_target_properties(sennit-instr PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
