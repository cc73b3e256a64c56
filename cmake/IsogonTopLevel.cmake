# What is decided only where isogon is the project itself; as a part of another one it follows that one's choices.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

# ccache makes the second build of the same source, in any folder, a matter of seconds.
find_program(ISOGON_CCACHE ccache)
if(ISOGON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ISOGON_CCACHE})
endif()
