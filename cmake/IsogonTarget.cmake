# What every target of this project is built with.
add_library(isogon_build_flags INTERFACE)
target_compile_options(isogon_build_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    # g++ 12 says of "x" + std::to_string(n) that it may copy a string over itself (GCC bug 105651, mended in 13).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # clang does not know "ivdep", does not like the embedded page, and of files that are compiled as one it says that a
    # local name hides another file's.
    "$<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-pragmas;-Wno-overlength-strings>"
    $<$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${ISOGON_UNITY}>>:-Wno-shadow>
    $<$<BOOL:${ISOGON_WARNINGS_AS_ERRORS}>:-Werror>)
# The same bits on every machine (docs/reproducible.md): a product and a sum are fused only where the code says so. Eigen
# neither uses vectors, whose width it takes from the processor that is compiled for, nor asks the one that it runs on
# for its caches, by which it would cut sums. Of Highway's instruction sets those with a fused multiply-add, and the one
# that every processor has; SVE's vectors cannot be kept in arrays.
target_compile_options(isogon_build_flags INTERFACE -ffp-contract=off)
target_compile_definitions(isogon_build_flags INTERFACE
    EIGEN_DONT_VECTORIZE EIGEN_NO_CPUID
    EIGEN_DEFAULT_L1_CACHE_SIZE=32768 EIGEN_DEFAULT_L2_CACHE_SIZE=262144 EIGEN_DEFAULT_L3_CACHE_SIZE=2097152
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
if(ISOGON_SANITIZE)
    # Among the sanitizers' own code g++ 12 takes the value inside an empty std::optional for used.
    target_compile_options(isogon_build_flags INTERFACE -fsanitize=${ISOGON_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(isogon_build_flags INTERFACE -fsanitize=${ISOGON_SANITIZE})
endif()

function(isogon_target name)
    target_compile_features(${name} PUBLIC cxx_std_20)
    set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:isogon_build_flags>)
endfunction()

# Adds a part of the tree that not every checkout or release has.
function(isogon_add_optional_subdirectory folder)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
        add_subdirectory(${folder})
    else()
        message(WARNING "${folder}/ was asked for, but there is no ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    endif()
endfunction()
