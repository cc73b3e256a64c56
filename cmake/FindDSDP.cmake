# DSDP 5, a solver of semidefinite programs, which brings no package file of its own: DSDP::DSDP.
find_path(DSDP_INCLUDE_DIR dsdp/dsdp5.h)
find_library(DSDP_LIBRARY NAMES dsdp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DSDP REQUIRED_VARS DSDP_LIBRARY DSDP_INCLUDE_DIR)
mark_as_advanced(DSDP_INCLUDE_DIR DSDP_LIBRARY)
if(DSDP_FOUND AND NOT TARGET DSDP::DSDP)
    add_library(DSDP::DSDP UNKNOWN IMPORTED)
    set_target_properties(DSDP::DSDP PROPERTIES IMPORTED_LOCATION "${DSDP_LIBRARY}"
                          INTERFACE_INCLUDE_DIRECTORIES "${DSDP_INCLUDE_DIR}")
endif()
