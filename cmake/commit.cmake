# Writes the commit of SOURCE into the header OUTPUT; runs with every build and changes the file only
# when the commit did. A tree that is no repository, such as a release archive, gives "unknown".
set(commit unknown)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${SOURCE} source)
  if(top STREQUAL source) # not the repository of a tree around ours
    execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12
                    RESULT_VARIABLE failure OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failure)
      set(commit ${answer})
    endif()
  endif()
endif()
set(header "/* generated with every build */\n#define SENNIT_COMMIT \"${commit}\"\n")
set(before)
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT header STREQUAL before)
  file(WRITE ${OUTPUT} "${header}")
endif()
