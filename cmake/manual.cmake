# build/man, build/completion, build/options.md: written from the tables of options and verbs.
add_executable(sennit-manual src/manual/generator.c)
target_link_libraries(sennit-manual PRIVATE sennit_manual)
set(manual_stamp ${CMAKE_BINARY_DIR}/options.md)
add_custom_command(
  OUTPUT ${manual_stamp}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man ${CMAKE_BINARY_DIR}/completion
  COMMAND sennit-manual ${CMAKE_BINARY_DIR}
  DEPENDS sennit-manual
  COMMENT "Writing man pages and completions"
  VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual_stamp})
