# build/sennit: the command line tool, runnable in place.
file(GLOB cli_sources CONFIGURE_DEPENDS src/cli/*.c src/cc/*.c src/cluster/*.c src/cgen/*.c src/cgen/*.S src/dist/search/*.c)
add_executable(sennit ${cli_sources})
target_link_libraries(sennit PRIVATE sennit_dist sennit_subject_abs sennit_manual sennit_host sennit_app sennit_report sennit_core sennit_base)
set_target_properties(sennit PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
add_dependencies(sennit sennit_commit)
add_custom_command(TARGET sennit POST_BUILD
                   COMMAND ${CMAKE_COMMAND} -E create_symlink sennit ${CMAKE_BINARY_DIR}/sennit-cc
                   COMMAND ${CMAKE_COMMAND} -E create_symlink ${PROJECT_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
