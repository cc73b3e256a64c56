# The library once more, with every access and every undefined step checked. The unit tests are linked against it as
# they are: what they hand over is memory of the sanitizer's own allocator, so all of the library is checked, and
# nothing but the library is compiled twice (compiling the tests again took longer than running them).
# The preset asan builds everything that way, tests included.
add_library(isogon_sanitized OBJECT EXCLUDE_FROM_ALL ${ISOGON_SOURCES})
isogon_target(isogon_sanitized)
isogon_unity(isogon_sanitized)
# Among the sanitizers' own code g++ 12 takes the value inside an empty std::optional for used.
target_compile_options(isogon_sanitized PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer
                       -fno-sanitize-recover=all -O1 -g1 -UNDEBUG $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# Under the sanitizers Eigen would align what it allocates in a way of its own, and tests free it in theirs; their
# allocator aligns to 16 bytes as malloc does.
target_compile_definitions(isogon_sanitized PRIVATE _GLIBCXX_ASSERTIONS EIGEN_MALLOC_ALREADY_ALIGNED=1)
target_include_directories(isogon_sanitized PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/internal ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(isogon_sanitized PRIVATE Eigen3::Eigen hwy::hwy TBB::tbb ZLIB::ZLIB nlohmann_json::nlohmann_json)

# Runs the tests of `program` against the checked library, some cases a process: a process of its own for each of
# thousands of cases would take most of the time.
function(isogon_sanitized_tests program)
    set(name ${program}_sanitized)
    # The checked objects first: of a function in a header that both hold, the linker keeps the first copy.
    add_executable(${name} $<TARGET_OBJECTS:isogon_sanitized> $<TARGET_OBJECTS:${program}>
                           $<TARGET_OBJECTS:isogon_test_support> ${ISOGON_DSDP_OBJECT})
    add_dependencies(${name} isogon_dsdp)
    target_link_libraries(${name} PRIVATE Eigen3::Eigen hwy::hwy TBB::tbb ZLIB::ZLIB GTest::gtest_main)
    target_link_options(${name} PRIVATE -fsanitize=address,undefined)
    set(shards 6)
    math(EXPR last "${shards} - 1")
    foreach(shard RANGE ${last})
        add_test(NAME ${name}.${shard} COMMAND ${name} --gtest_brief=1)
        set_tests_properties(${name}.${shard} PROPERTIES LABELS sanitized TIMEOUT 1800
                             ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${shard}")
    endforeach()
endfunction()
