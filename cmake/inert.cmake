# lib/libsennit-inert.a: hooks for instrumented objects that end up in a shared library.
file(GLOB inert_sources CONFIGURE_DEPENDS src/inert/*.c)
add_library(sennit-inert STATIC ${inert_sources})
target_compile_options(sennit-inert PRIVATE -fvisibility=hidden -fno-sanitize=all)
set_target_properties(sennit-inert PROPERTIES POSITION_INDEPENDENT_CODE ON
                      ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
