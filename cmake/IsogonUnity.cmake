# Sets `units` to what is to be compiled of the sources that follow: with ISOGON_UNITY, files that include many of them
# (scripts/batches.py says which can stand together), and those that stay alone.
#
# CMake's own UNITY_BUILD would put these files into every build folder anew; then ccache, which compares their paths,
# would compile the library once for the program, once for the Python package, and once for the install test.
# ISOGON_UNITY_FOLDER lets the later ones use the files of the first.
set(ISOGON_UNITY_FOLDER ${PROJECT_BINARY_DIR}/units CACHE PATH "Where the files lie that ISOGON_UNITY makes")

function(isogon_units units name)
    if(NOT ISOGON_UNITY)
        set(${units} ${ARGN} PARENT_SCOPE)
        return()
    endif()
    set(made "")
    set(together "")
    foreach(source IN LISTS ARGN)
        get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
        get_source_file_property(options ${source} COMPILE_OPTIONS)
        # What a build folder makes for itself is no part of what another one may compile.
        string(FIND "${source}" "${PROJECT_BINARY_DIR}/" generated)
        if(definitions OR options OR generated EQUAL 0)
            list(APPEND made ${source})
        else()
            list(APPEND together ${source})
        endif()
    endforeach()
    find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
    execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/batches.py ${together}
                    OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" lines "${lines}")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
        if(CMAKE_MATCH_1)
            list(APPEND numbers ${CMAKE_MATCH_1})
            string(APPEND text_${CMAKE_MATCH_1} "#include \"${CMAKE_MATCH_2}\"\n")
        else()
            list(APPEND made ${CMAKE_MATCH_2})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES numbers)
    foreach(number IN LISTS numbers)
        # Written only where it differs: another build folder may be using it.
        file(CONFIGURE OUTPUT ${ISOGON_UNITY_FOLDER}/${name}_${number}.cpp CONTENT "${text_${number}}" @ONLY)
        list(APPEND made ${ISOGON_UNITY_FOLDER}/${name}_${number}.cpp)
        if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
            # What is said of headers is no fault of a file that another one includes.
            set_source_files_properties(${ISOGON_UNITY_FOLDER}/${name}_${number}.cpp PROPERTIES
                                        COMPILE_OPTIONS -Wno-subobject-linkage)
        endif()
    endforeach()
    set(${units} ${made} PARENT_SCOPE)
endfunction()
