# Builds and runs consumer/ in the folder WORK, by find_package from a fresh prefix or by add_subdirectory, and
# removes WORK again.
function(step what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        file(REMOVE_RECURSE ${WORK} ${CONSUMER_BUILD})
        message(FATAL_ERROR "${what} failed (${result}):\n${output}")
    endif()
    message(STATUS "${what}: done")
endfunction()

# A folder beside the main build: relative paths, by which ccache may know files, are then the same.
set(CONSUMER_BUILD ${BUILD}-${WAY})
file(REMOVE_RECURSE ${WORK} ${CONSUMER_BUILD})
if(WAY STREQUAL find_package)
    step("install to a fresh prefix" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
    set(where -DCMAKE_PREFIX_PATH=${WORK}/prefix -DISOGON_VERSION=${VERSION})
else()
    # The same warnings and groups of files as in the main build, so that ccache knows every file already.
    set(where -DISOGON_SOURCE=${SOURCE} -DISOGON_WARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS} -DISOGON_UNITY=${UNITY})
endif()
step("configure the consumer" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${CONSUMER_BUILD} -G ${GENERATOR}
     -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
     ${where})
step("build the consumer" ${CMAKE_COMMAND} --build ${CONSUMER_BUILD} --parallel 2)
step("run the consumer" ${CONSUMER_BUILD}/consumer)
file(REMOVE_RECURSE ${WORK} ${CONSUMER_BUILD})
