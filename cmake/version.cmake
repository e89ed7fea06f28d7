# The generated headers sennit_version.h (written when it changes) and sennit_commit.h (looked at in
# every build, included by one file).
set(generated ${CMAKE_BINARY_DIR}/generated)
find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --version OUTPUT_VARIABLE LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
find_path(Z3_INCLUDE z3_version.h REQUIRED)
file(STRINGS ${Z3_INCLUDE}/z3_version.h Z3_VERSION REGEX "define Z3_FULL_VERSION")
string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" Z3_VERSION "${Z3_VERSION}")
configure_file(cmake/sennit_version.h.in ${generated}/sennit_version.h @ONLY)
include_directories(${generated})
set(make_commit ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${generated}/sennit_commit.h
    -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake)
add_custom_target(sennit_commit COMMAND ${make_commit} BYPRODUCTS ${generated}/sennit_commit.h
                  COMMENT "Looking up the commit" VERBATIM)
