# Installation and the package that find_package(isogon CONFIG) finds.
include(CMakePackageConfigHelpers)

set(ISOGON_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/isogon)
install(TARGETS isogon EXPORT isogon-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/isogon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT isogon-targets NAMESPACE isogon:: DESTINATION ${ISOGON_CONFIG_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/isogon-config.cmake.in
    ${PROJECT_BINARY_DIR}/isogon-config.cmake INSTALL_DESTINATION ${ISOGON_CONFIG_DIR})
# Before version 1 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/isogon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/isogon-config.cmake ${PROJECT_BINARY_DIR}/isogon-config-version.cmake
        DESTINATION ${ISOGON_CONFIG_DIR})
