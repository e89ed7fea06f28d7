# `make package`: a Debian package, made by CPack from what `make install` installs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sennit)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Sennit authors <maintainers@sennit.example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "systematic tester for concurrent C programs and ABS models")
set(CPACK_PACKAGE_DESCRIPTION
"Sennit runs a C program with threads, a protocol of actors or an ABS model
under every schedule up to equivalence and every input up to the path it
takes. It finds deadlocks, data races, failed assertions, memory errors and
livelocks, minimises and replays them, and states what a search without
bugs has covered.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Libraries are found by dpkg-shlibdeps; these are programs and files that `sennit cc` and `sennit test` use.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, binutils, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gdb)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "redis-server, cmake, pkg-config")

# What Debian wants in another form than `make install` gives: compressed, stripped, its own changelog.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)
include(CPack)
