# sennit-web: the server of `sennit ui`, a program of its own, so that the tool starts without its libraries. The page
# it serves is built from web/ by npm, if there is Node.js; the tool without it says so.
file(GLOB page_sources CONFIGURE_DEPENDS web/*.json web/*.mjs web/.npmrc web/src/*)
set(page ${CMAKE_BINARY_DIR}/generated/page.html)
add_custom_command(OUTPUT ${page}
                   COMMAND ${PROJECT_SOURCE_DIR}/tools/build-page ${PROJECT_SOURCE_DIR}/web ${CMAKE_BINARY_DIR}/page ${page}
                   DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/tools/build-page
                   COMMENT "Building the page of sennit ui")
set_source_files_properties(src/web/page_bytes.S PROPERTIES OBJECT_DEPENDS ${page})
sennit_sources(web_sources web)
add_executable(sennit-web ${web_sources})
target_link_libraries(sennit-web PRIVATE sennit_manual sennit_app sennit_report sennit_base microhttpd cjson)
target_include_directories(sennit-web PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_compile_options(sennit-web PRIVATE $<$<COMPILE_LANGUAGE:ASM>:-I${CMAKE_BINARY_DIR}/generated>)
set_target_properties(sennit-web PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
