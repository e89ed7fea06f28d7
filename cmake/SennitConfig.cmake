# find_package(Sennit): the tool in the variable Sennit_EXECUTABLE, and
#
#   add_sennit_test(NAME name SOURCES file... EXPECT exhaustive|exhaustive-but-for|bounded|bug:KIND
#                   [FLAGS flag...] [OPTIONS option...] [ARGS word...] [TIMEOUT seconds] [LABELS label...])
#
# builds the sources with `sennit cc` (each again only when it or a header it includes has changed) and
# adds a test that explores the program: it passes if and only if the search ends with that verdict and
# no bug, or finds bugs of that kind and of no other. SOURCES are C files, or the .abs files of a model.
#
#   FLAGS    for compiling and linking: -DNAME, -I, -l; also flags of `sennit cc` such as --unroll
#   OPTIONS  for the search, as `sennit explore --help` lists them
#   ARGS     the program's own arguments
#   TIMEOUT  in seconds; 300 unless told
#   LABELS   besides `sennit`, which every such test has
#
# The run directory, with the report and the traces of bugs, stays in sennit/NAME/run below the current
# binary directory until the test runs again.
get_filename_component(Sennit_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(Sennit_EXECUTABLE ${Sennit_PREFIX}/bin/sennit)
set(Sennit_EXPECT ${Sennit_PREFIX}/lib/sennit/sennit-expect)
set(Sennit_INCLUDE_DIR ${Sennit_PREFIX}/include)

# Sets `variable` to the program built from SOURCES in `directory`.
function(_sennit_build variable name directory sources flags)
  set(objects)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE)
    string(MAKE_C_IDENTIFIER ${source} stem)
    set(object ${directory}/${stem}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${Sennit_EXECUTABLE} cc -g ${flags} -MD -MF ${object}.d -MT ${object} -c ${path} -o ${object}
      DEPENDS ${path} ${Sennit_EXECUTABLE} DEPFILE ${object}.d
      WORKING_DIRECTORY ${directory}
      COMMENT "Building ${name}: ${source} with sennit cc"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(
    OUTPUT ${directory}/${name}
    COMMAND ${Sennit_EXECUTABLE} cc -g ${objects} ${flags} -o ${directory}/${name}
    DEPENDS ${objects} ${Sennit_EXECUTABLE}
    COMMENT "Linking ${name} with sennit cc"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(sennit-${name} ALL DEPENDS ${directory}/${name})
  set(${variable} ${directory}/${name} PARENT_SCOPE)
endfunction()

function(add_sennit_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;EXPECT;TIMEOUT" "SOURCES;FLAGS;OPTIONS;ARGS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_sennit_test: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(word NAME SOURCES EXPECT)
    if(NOT arg_${word})
      message(FATAL_ERROR "add_sennit_test: ${word} is missing")
    endif()
  endforeach()
  if(NOT arg_EXPECT MATCHES "^(exhaustive|bounded|bug:[a-z-]+)$")
    message(FATAL_ERROR "add_sennit_test: EXPECT is exhaustive, bounded or bug:KIND, not ${arg_EXPECT}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/sennit/${arg_NAME})
  file(MAKE_DIRECTORY ${directory})
  set(program)
  if(arg_SOURCES MATCHES "\\.abs(;|$)")
    foreach(source ${arg_SOURCES})
      get_filename_component(path ${source} ABSOLUTE)
      list(APPEND program ${path})
    endforeach()
  else()
    _sennit_build(program ${arg_NAME} ${directory} "${arg_SOURCES}" "${arg_FLAGS}")
  endif()
  if(arg_ARGS)
    list(PREPEND arg_ARGS --)
  endif()
  add_test(NAME ${arg_NAME} WORKING_DIRECTORY ${directory}
           COMMAND ${Sennit_EXPECT} ${arg_EXPECT} ${directory}/run ${program} ${arg_OPTIONS} ${arg_ARGS})
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "sennit;${arg_LABELS}")
endfunction()
