# DSDP 5, a solver of semidefinite programs, which brings no package file of its own: DSDP_ARCHIVE, the static one, and
# DSDP_INCLUDE_DIR.
find_path(DSDP_INCLUDE_DIR dsdp/dsdp5.h)
find_library(DSDP_ARCHIVE NAMES libdsdp.a)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DSDP REQUIRED_VARS DSDP_ARCHIVE DSDP_INCLUDE_DIR)
mark_as_advanced(DSDP_INCLUDE_DIR DSDP_ARCHIVE)
