# sennit_sym: symbolic values and solving, without z3, so that it can be part of a test
# binary. sennit_z3: z3 behind it. sennit-solver: both in a process of its own, which is
# how test binaries reach z3.
sennit_layer(sym sennit_base)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(sennit_sym PRIVATE SENNIT_DEBUG) # every model is evaluated again
endif()

find_library(Z3_LIBRARY NAMES z3 REQUIRED)
add_library(sennit_z3 STATIC src/sym/solve/solver_z3.c)
target_link_libraries(sennit_z3 PUBLIC sennit_sym ${Z3_LIBRARY})

add_executable(sennit-solver src/solver/main.c)
target_link_libraries(sennit-solver PRIVATE sennit_z3)
set_target_properties(sennit-solver PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
# Where a test binary looks for it that was not started by the tool.
set_source_files_properties(src/app/run/solving.c PROPERTIES COMPILE_DEFINITIONS
  "SENNIT_SOLVER_BUILT=\"${CMAKE_BINARY_DIR}/sennit-solver\";SENNIT_SOLVER_INSTALLED=\"${CMAKE_INSTALL_PREFIX}/lib/sennit/sennit-solver\"")
