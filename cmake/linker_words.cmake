# cmake -DCLANG=... -DOBJECT=... -DOUTPUT=... -P linker_words.cmake: writes the words with which clang calls the linker
# for a test binary, one per line, with @inputs and @output in place of the files (src/cc/linker.h). Without words
# `sennit cc` asks clang to link.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=LIBRARY_PATH --unset=COMPILER_PATH ${CLANG} "-###" -no-pie -o sennit-output ${OBJECT}
  ERROR_VARIABLE text OUTPUT_QUIET)
set(words)
if(text MATCHES "\n \"([^\n]*)\"\n*$")
  set(command "${CMAKE_MATCH_1}")
  if(NOT command MATCHES ";|\\\\") # a name that would have to be quoted
    string(REPLACE "\" \"" ";" words "${command}")
  endif()
endif()
set(lines)
foreach(word ${words})
  if(word STREQUAL "sennit-output")
    set(word "@output")
  elseif(word STREQUAL OBJECT)
    set(word "@inputs")
  endif()
  string(APPEND lines "${word}\n")
endforeach()
if(NOT lines MATCHES "@output\n.*@inputs\n")
  set(lines)
endif()
file(WRITE ${OUTPUT} "${lines}")
