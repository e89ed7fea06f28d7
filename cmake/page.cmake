# sennit_web: the server of `sennit ui`. The page it serves is built from web/ by npm, if there is Node.js; the tool
# without it says so.
file(GLOB page_sources CONFIGURE_DEPENDS web/*.json web/*.mjs web/.npmrc web/src/*)
set(page ${CMAKE_BINARY_DIR}/generated/page.html)
add_custom_command(OUTPUT ${page}
                   COMMAND ${PROJECT_SOURCE_DIR}/tools/build-page ${PROJECT_SOURCE_DIR}/web ${CMAKE_BINARY_DIR}/page ${page}
                   DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/tools/build-page
                   COMMENT "Building the page of sennit ui")
set_source_files_properties(src/web/page_bytes.S PROPERTIES OBJECT_DEPENDS ${page})
sennit_layer(web sennit_manual sennit_app sennit_report sennit_base microhttpd cjson)
target_include_directories(sennit_web PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_compile_options(sennit_web PRIVATE $<$<COMPILE_LANGUAGE:ASM>:-I${CMAKE_BINARY_DIR}/generated>)
