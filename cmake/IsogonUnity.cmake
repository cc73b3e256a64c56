# With ISOGON_UNITY, lets the files of a module be compiled as one, its subfolders' too, twenty-five at most: much of a
# compiler's time goes to headers, and to what each file makes of templates. With ACROSS_FOLDERS those of all modules,
# sixteen at most, where these are small. No two of these files may give one name to different things. Files with
# compile options or definitions of their own CMake leaves out by itself; those that include themselves once for every
# set of instructions cannot be included by another.
function(isogon_unity target)
    cmake_parse_arguments(PARSE_ARGV 1 unity "ACROSS_FOLDERS" "" "")
    set(most 25)
    if(unity_ACROSS_FOLDERS)
        set(most 16)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${ISOGON_UNITY} UNITY_BUILD_MODE GROUP)
    # What is said of headers is no fault of a file that another one includes.
    target_compile_options(${target} PRIVATE
        $<$<AND:$<BOOL:${ISOGON_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
    get_target_property(sources ${target} SOURCES)
    # What a build folder makes for itself stands alone: other build folders find it in the compiler's cache.
    list(FILTER sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/.*\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_BINARY_DIR}/")
    list(SORT sources)
    foreach(source IN LISTS sources)
        file(STRINGS ${source} includes_itself REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
        if(includes_itself)
            set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        else()
            cmake_path(GET source PARENT_PATH folder)
            file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
            string(REGEX REPLACE "^([^/]*/[^/]*)/.*" "\\1" folder ${folder})  # src/methods/spectral is of src/methods
            string(REPLACE "/" "_" folder ${folder})
            if(unity_ACROSS_FOLDERS)
                set(folder ${target})
            endif()
            list(APPEND folders ${folder})
            list(APPEND sources_of_${folder} ${source})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        list(LENGTH sources_of_${folder} count)
        math(EXPR groups "(${count} + ${most} - 1) / ${most}")
        set(place 0)
        foreach(source IN LISTS sources_of_${folder})
            math(EXPR group "${place} * ${groups} / ${count} + 1")
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
            math(EXPR place "${place} + 1")
        endforeach()
    endforeach()
endfunction()
