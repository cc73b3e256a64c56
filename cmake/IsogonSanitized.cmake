# The unit tests once more, against a library whose every access and undefined step is checked (of Eigen's code the
# accesses: sanitizer-ignorelist.txt): the one that the preset fuzz builds, so that it is compiled once for both. The
# tests are linked as they are: what they hand over is memory of the sanitizer's own allocator, so all of the library is
# checked, and nothing else is compiled again (compiling the tests took longer than running them). The preset asan
# checks everything, tests included.
find_program(ISOGON_CLANGXX NAMES clang++ REQUIRED)
set(ISOGON_CHECKED_LIBRARY ${PROJECT_SOURCE_DIR}/build/fuzz/libisogon.a CACHE FILEPATH
    "The library as the preset fuzz builds it: cmake --preset fuzz, cmake --build --preset fuzz --target isogon")
if(NOT EXISTS ${ISOGON_CHECKED_LIBRARY})
    message(FATAL_ERROR "ISOGON_SANITIZED_TESTS links ${ISOGON_CHECKED_LIBRARY}, which is not there: make sanitize builds "
                        "it first, as does cmake --preset fuzz && cmake --build --preset fuzz --target isogon")
endif()

# Comparisons with slow references and runs until a method has converged take minutes here; shorter cases beside them run
# the same functions. make test runs all of them; so does the preset asan.
set(ISOGON_NOT_SANITIZED
    *.ClustersStaySeparatedFromEveryStartInEveryDimension
    *.GridAndTreeReachTheDivergenceOfAllPairs
    *PlacedRows.AreAsLowAsALongGradientDescentFromTheSameStart*
    *FaithfulInAutomaticDimensions.*
    *DoesNotCareForTheUnitOfLength/*sde
    *RegistryMethod.HasTheSameBitsOnAnyNumberOfThreads/*
    *RegistryMethod.AStopAtAnyReportGivesFiniteCoordinatesOrNone/*sde*
    *KeepsMoreNeighborsOfDigitsThanSvdAndTheGlobalForm*
    Tsne.HasTheSameBitsOnAnyNumberOfThreads
    Sde.APriceThatLetsGoIsRaised
    InverseMixture.FittedCoordinatesGiveTheirOwnInputs
    TruncatedSvd.OfPointsThatRanksDivideIsThatOfAllInOnePlace
    TruncatedSvd.ByProductsWithXFulfilsItsEquation)
list(JOIN ISOGON_NOT_SANITIZED ":" not_sanitized)

# Runs the tests of `program` against the checked library, some cases a process: a process of its own for each of
# thousands of cases would take most of the time.
function(isogon_sanitized_tests program)
    set(name ${program}_sanitized)
    # The checked objects first: of a function in a header that both hold, the linker keeps the first copy. Linked by
    # clang, whose sanitizers' runtime the library needs.
    add_custom_command(OUTPUT ${name} VERBATIM COMMAND_EXPAND_LISTS COMMENT "Linking ${name}"
        COMMAND ${ISOGON_CLANGXX} -fsanitize=address,undefined -o ${name}
                -Wl,--whole-archive ${ISOGON_CHECKED_LIBRARY} -Wl,--no-whole-archive
                $<TARGET_OBJECTS:${program}> $<TARGET_OBJECTS:isogon_test_support> $<TARGET_FILE:GTest::gtest_main>
                $<TARGET_FILE:GTest::gtest> $<TARGET_FILE:TBB::tbb> $<TARGET_FILE:hwy::hwy> $<TARGET_FILE:ZLIB::ZLIB>
        DEPENDS ${ISOGON_CHECKED_LIBRARY} $<TARGET_OBJECTS:${program}> $<TARGET_OBJECTS:isogon_test_support>)
    add_custom_target(${name}_program ALL DEPENDS ${name})
    set(shards 6)
    math(EXPR last "${shards} - 1")
    foreach(shard RANGE ${last})
        add_test(NAME ${name}.${shard} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/${name} --gtest_brief=1
                                              --gtest_filter=-${not_sanitized})
        set_tests_properties(${name}.${shard} PROPERTIES LABELS sanitized TIMEOUT 1800
                             ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${shard}")
    endforeach()
endfunction()
